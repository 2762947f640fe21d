"""The first stage of a board: a loop, and every true clue about it."""

from __future__ import annotations

from random import Random

from castlecp.budget import Budget
from castlecp.clues import Clue
from castlecp.generate.layout import Cell, orbits
from castlecp.generate.loops import SOURCES, Wish
from castlecp.generate.reasons import NotThisLoop
from castlecp.generate.repair import repaired
from castlecp.generate.settings import Settings
from castlecp.genres import Puzzle
from castlecp.grid import Loop

#: Cells from which on an ambiguous loop is repaired instead of drawn again; below, that is dearer,
#: unless a pattern leaves few loops that would do.
LARGE = 300

#: Clues that come and go together.
Group = tuple[Clue, ...]


def told(settings: Settings, random: Random, budget: Budget) -> tuple[Loop, list[Group]]:
    """A loop, and its clues in the groups of the layout. Raises NotThisLoop and OutOfBudget."""
    board = settings.blank()
    loop = _drawn(settings, board, random, budget)
    picks = {(r, c): random.random() for r in range(board.rows) for c in range(board.cols)}

    def clues_of(line: Loop) -> list[Clue]:
        try:
            return flat(clues_about(settings, board, line, picks))
        except NotThisLoop:
            return []

    groups = clues_about(settings, board, loop, picks)
    if settings.pattern or board.rows * board.cols >= LARGE or board.LOOPS_ALIKE:
        loop = repaired(board, loop, clues_of, random, budget) or loop
        groups = clues_about(settings, board, loop, picks)
    if len(flat(groups)) < settings.min_clues:
        raise NotThisLoop("a loop that leaves too few cells for clues")
    return loop, groups


def flat(groups: list[Group]) -> list[Clue]:
    """The clues of all groups."""
    return [clue for group in groups for clue in group]


def _drawn(settings: Settings, board: Puzzle, random: Random, budget: Budget) -> Loop:
    """A loop as the band and the pattern wish for it."""
    cells = settings.pattern or ()
    wish = Wish(
        winding=settings.band.winding,
        clear=cells if board.CLUES_STAND == "off the loop" else (),
        through=cells if board.CLUES_STAND == "on the loop" else (),
        within=cells if board.CLUES_STAND == "inside" else (),
        tilt=board.TILT,
    )
    return SOURCES[settings.source](board.lattice, random, wish, budget=budget)


def clues_about(
    settings: Settings, board: Puzzle, loop: Loop, picks: dict[Cell, float]
) -> list[Group]:
    """A true clue for every cell that may have one, in the groups of the layout.

    `picks` from 0 to 1 say which of the true clues it is. Raises NotThisLoop.
    """
    true: dict[Cell, Clue] = {}
    for cell, pick in picks.items():
        if settings.pattern is None or cell in settings.pattern:
            clues = list(board.true_clues(loop, cell))
            if settings.no_zero:
                clues = [clue for clue in clues if getattr(clue, "number", None) != 0]
            if clues:
                true[cell] = clues[int(pick * len(clues))]
    groups = orbits(true, settings.symmetry, board.rows, board.cols)
    if settings.pattern is not None and sum(map(len, groups)) < len(settings.pattern):
        raise NotThisLoop("a loop that gets in the way of the pattern")
    if 2 * len(loop.edges) < loop.lattice.rows + loop.lattice.cols:
        raise NotThisLoop("a loop that is too short")
    return [tuple(true[cell] for cell in group) for group in groups]
