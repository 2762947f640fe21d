"""The last stage of a board: is it as hard, and as bare, as it is asked to be?"""

from __future__ import annotations

from castlecp.budget import Budget
from castlecp.generate.dials import Dials
from castlecp.generate.difficulty import Measures, measure, rungs
from castlecp.generate.levers import Change
from castlecp.generate.reasons import NotThisLoop
from castlecp.generate.settings import Settings
from castlecp.genres import Puzzle


def fitting(
    settings: Settings, dials: Dials, history: list[Change], budget: Budget
) -> tuple[Puzzle, Measures]:
    """The board after the most of the changes that keeps it within the limits.

    Raises NotThisLoop when none does.
    """
    most = settings.max_clues
    # Looked at before the ladder is climbed, which is dear, and again of the board that is taken.
    if most is not None and len(dials.clues()) > most:
        raise NotThisLoop("a board that needs more clues")
    order = rungs(settings.blank())
    limits = filter(None, (settings.max_rung, settings.band.hardest(settings.blank())))
    hardest = min(limits, key=order.index)

    def after(changes: int) -> tuple[Puzzle, Measures]:
        dials.at = [0] * len(dials.at)
        for change in history[:changes]:
            for i, form in change.items():
                dials.at[i] = form
        puzzle = dials.puzzle()
        return puzzle, measure(puzzle, hardest, budget)

    low, high = len(history) - 1 if settings.minimal else -1, len(history)
    best: tuple[Puzzle, Measures] | None = None
    at = high
    while low < high:
        puzzle, measures = after(at)
        if _too_hard(settings, measures):
            high = at - 1
        else:
            low, best = at, (puzzle, measures)
        at = (low + high + 1) // 2
    if best is None:
        even = "" if settings.minimal else " even with all clues"
        raise NotThisLoop(f"a board that is too hard{even}")
    if settings.minimal and dials.unsettled:
        raise NotThisLoop("a board of which a clue might be taken away")
    puzzle, measures = best
    if _too_easy(settings, measures):
        raise NotThisLoop("a board that is too easy")
    if most is not None and len(puzzle.clues) > most:
        raise NotThisLoop("a board that needs more clues")
    return puzzle, measures


def _too_hard(settings: Settings, measures: Measures) -> bool:
    most = settings.band.suppose[1]
    return (
        not measures.finished
        or (most is not None and measures.suppose > most)
        or (settings.max_steps is not None and measures.steps > settings.max_steps)
    )


def _too_easy(settings: Settings, measures: Measures) -> bool:
    order = rungs(settings.blank())
    return measures.suppose < settings.band.suppose[0] or (
        settings.min_rung is not None
        and (measures.rung is None or order.index(measures.rung) < order.index(settings.min_rung))
    )
