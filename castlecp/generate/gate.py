"""The last stage of a board: is it as hard, and as bare, as it is asked to be?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from castlecp.budget import Budget
from castlecp.generate.dials import Dials
from castlecp.generate.difficulty import Measures, measure, rungs
from castlecp.generate.levers import Change
from castlecp.generate.reasons import NotThisLoop
from castlecp.generate.settings import Settings
from castlecp.genres import Puzzle
from castlecp.ladder.genres import first

#: Changes that are tried one by one after one that made a board too hard.
PASSED = 60

#: The share of white clues is so near to what is asked for.
NEAR = 0.12


def fitting(
    settings: Settings, dials: Dials, history: list[Change], enough: int, budget: Budget
) -> tuple[Puzzle, Measures]:
    """The board after about `enough` of the changes that is within the limits.

    Fewer changes where it is too hard by then, as many as it bears; more where it is too easy,
    as few as it takes. Raises NotThisLoop when none will do.
    """
    most = settings.max_clues
    # Looked at before the ladder is climbed, which is dear, and again of the board that is taken.
    if most is not None and len(dials.clues()) > most:
        raise NotThisLoop("a board that needs more clues")
    order = rungs(settings.blank())
    limits = filter(None, (settings.max_rung, settings.band.hardest(settings.blank())))
    hardest = min(limits, key=order.index)

    def after(changes: list[Change]) -> tuple[Puzzle, Measures]:
        dials.at = _at(dials, changes)
        puzzle = dials.puzzle()
        return puzzle, measure(puzzle, hardest, budget)

    low, high = (len(history) - 1 if settings.minimal else -1), len(history)
    best: tuple[Puzzle, Measures] | None = None
    at = enough
    while low < high:
        puzzle, measures = after(history[:at])
        if _too_hard(settings, measures):
            high = at - 1
        else:
            best = puzzle, measures
            low = at
            if not _too_easy(settings, measures) and at >= enough:
                break
        at = (low + high + 1) // 2
    if best is not None and low < enough:
        # What made it too hard is passed over; what is left takes nothing from what proved it.
        dials.at = _at(dials, history[:enough])
        clues = len(dials.clues())
        kept = history[:low]
        for change in history[low + 1 : low + 1 + PASSED]:
            if len(best[0].clues) <= clues:
                break
            puzzle, measures = after([*kept, change])
            if not _too_hard(settings, measures):
                kept.append(change)
                best = puzzle, measures
    if best is None:
        even = "" if settings.minimal else " even with all clues"
        raise NotThisLoop(f"a board that is too hard{even}")
    if settings.minimal and dials.unsettled:
        raise NotThisLoop("a board of which a clue might be taken away")
    puzzle, measures = best
    _as_wished(settings, puzzle)
    if _too_easy(settings, measures):
        raise NotThisLoop("a board that is too easy")
    if most is not None and len(puzzle.clues) > most:
        raise NotThisLoop("a board that needs more clues")
    return puzzle, measures


def _at(dials: Dials, changes: list[Change]) -> list[int]:
    """Where the dials stand after changes to all that clues can say."""
    at = [0] * len(dials.at)
    for change in changes:
        for i, form in change.items():
            at[i] = form
    return at


def _as_wished(settings: Settings, puzzle: Puzzle) -> None:
    """Raises NotThisLoop for clues that are not of the taste that is asked for."""
    clues: Sequence[Any] = puzzle.clues
    numbers = [n for clue in clues if isinstance(n := getattr(clue, "number", None), int)]
    if settings.zeros is not None and numbers.count(0) > settings.zeros * len(numbers):
        raise NotThisLoop("a board with too many zeros")
    if settings.white is not None and clues:
        share = [clue.color for clue in clues].count("white") / len(clues)
        if abs(share - settings.white) > NEAR:
            raise NotThisLoop("a board with other shares of white and black")
    apart = settings.min_distance
    cells = [(clue.row, clue.col) for clue in clues] if apart > 1 else []
    for k, (r, c) in enumerate(cells):
        if any(abs(r - i) + abs(c - j) < apart for i, j in cells[:k]):
            raise NotThisLoop("a board whose clues stand too near each other")


def _too_hard(settings: Settings, measures: Measures) -> bool:
    most = settings.band.suppose[1]
    return (
        not measures.finished
        or (most is not None and measures.suppose > most)
        or (settings.max_steps is not None and measures.steps > settings.max_steps)
    )


def _too_easy(settings: Settings, measures: Measures) -> bool:
    """That more than the first rungs is needed counts only where nothing else is asked for."""
    blank = settings.blank()
    order = rungs(blank)
    least = order.index(settings.min_rung) if settings.min_rung else 0
    others = (settings.pattern, settings.max_rung, settings.max_steps)
    if settings.band.first is False and all(other is None for other in others):
        least = max(least, order.index(first(blank)) + 1)
    reached = -1 if measures.rung is None else order.index(measures.rung)
    return measures.suppose < settings.band.suppose[0] or reached < least
