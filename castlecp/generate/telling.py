"""The first stage of a board: a loop, and a true clue about it for every cell that may have one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from castlecp.budget import Budget
from castlecp.clues import Clue
from castlecp.generate.choosing import chosen
from castlecp.generate.layout import Cell, Layout, orbits, scattered
from castlecp.generate.loops import SOURCES
from castlecp.generate.reasons import NotThisLoop
from castlecp.generate.repair import repaired
from castlecp.generate.settings import Settings
from castlecp.generate.wish import Wish
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.session import Live

#: Clues that come and go together.
Group = tuple[Clue, ...]

#: A loop's bounding box has so many hundredths of its board; of fewer cells than that, any.
BOX, SMALL = 90, 25

#: A loop passes a share of the cells that is so near to what is wished for.
NEAR = 0.05

#: Cells that a symmetric layout starts from, in hundredths of the clues that are wanted.
SPARE = 120


def told(
    settings: Settings, layout: Layout, live: Live, random: Random, budget: Budget
) -> tuple[Loop, list[Group]]:
    """A loop, and its clues in the groups of a layout. Raises NotThisLoop and OutOfBudget.

    Where the clues are fewer than all, a loop that they do not tell from others is mended where
    it is ambiguous; only then it is given up.
    """
    board = settings.blank()
    cells = _wished(settings, layout, random)
    loop = _drawn(settings, board, cells, random, budget)

    def every(line: Loop) -> list[Clue]:
        try:
            return [clue for group in _true(settings, layout, board, line) for clue in group]
        except NotThisLoop:
            return []

    options = _true(settings, layout, board, loop)
    _fill(settings, loop)
    if options:
        mended = repaired(board, loop, every, random, budget, live)
        if mended is None:
            raise NotThisLoop("a loop that its clues do not tell from others")
        loop = mended
        _fill(settings, loop)
        options = _true(settings, layout, board, loop)
    clues = chosen(board, loop, options, live, random, budget)
    at = {(clue.row, clue.col): clue for clue in clues}
    groups = orbits(at, layout, board.rows, board.cols)
    if len(at) < settings.min_clues:
        raise NotThisLoop("a loop that leaves too few cells for clues")
    return loop, [tuple(at[cell] for cell in group) for group in groups]


def flat(groups: Sequence[Group]) -> list[Clue]:
    """The clues of all groups."""
    return [clue for group in groups for clue in group]


def _wished(settings: Settings, layout: Layout, random: Random) -> Sequence[Cell]:
    """The cells that the loop is to leave for clues: those of the pattern, or of a layout."""
    if settings.pattern is not None:
        return settings.pattern
    board = settings.blank()
    if layout == "none" or board.CLUES_STAND == "anywhere":
        return ()
    wanted = board.rows * board.cols * board.TASTE.clues * SPARE // 10_000
    return scattered(random, layout, board.rows, board.cols, wanted)


def _drawn(
    settings: Settings, board: Puzzle, cells: Sequence[Cell], random: Random, budget: Budget
) -> Loop:
    """A loop as the band, the taste and the cells with clues wish for it."""
    share = settings.loop_share
    if share is None and cells and settings.pattern is None:
        # A loop that keeps out of the way of many cells would be much shorter.
        share = random.randint(board.TASTE.loop - 2, board.TASTE.loop + 10) / 100
    wish = Wish(
        winding=settings.band.winding,
        clear=cells if board.CLUES_STAND == "off the loop" else (),
        through=cells if board.CLUES_STAND == "on the loop" else (),
        within=cells if board.CLUES_STAND == "inside" else (),
        tilt=board.TILT,
        weights=board.TASTE.weights,
        share=share,
    )
    return SOURCES[settings.source](board.lattice, random, wish, budget=budget)


def _fill(settings: Settings, loop: Loop) -> None:
    """Raises NotThisLoop for a loop that is a rectangle or lies in a corner of its board."""
    on, lattice = loop.neighbours, loop.lattice
    rows, cols = zip(*on, strict=True)
    high, wide = max(rows) - min(rows) + 1, max(cols) - min(cols) + 1
    if settings.rows * settings.cols >= SMALL and settings.pattern is None:
        if 100 * high * wide < BOX * lattice.rows * lattice.cols:
            raise NotThisLoop("a loop that leaves a part of the board empty")
        if len(loop.inside) == (high - 1) * (wide - 1):
            raise NotThisLoop("a loop that is a rectangle")
    if settings.loop_share is not None:
        share = len(on) / (lattice.rows * lattice.cols)
        if abs(share - settings.loop_share) > NEAR:
            raise NotThisLoop("a loop that is not as long as it is wished for")


def _true(settings: Settings, layout: Layout, board: Puzzle, loop: Loop) -> list[tuple[Clue, ...]]:
    """The true clues of every cell that may have some and belongs to a whole group.

    Raises NotThisLoop when the loop is in the way of the pattern.
    """
    true: dict[Cell, tuple[Clue, ...]] = {}
    cells = settings.pattern
    for cell in ((r, c) for r in range(board.rows) for c in range(board.cols)):
        if cells is None or cell in cells:
            clues = board.true_clues(loop, cell)
            if settings.no_zero:
                clues = [clue for clue in clues if getattr(clue, "number", None) != 0]
            if clues:
                true[cell] = tuple(clues)
    groups = orbits(true, layout, board.rows, board.cols)
    if cells is not None and sum(map(len, groups)) < len(cells):
        raise NotThisLoop("a loop that gets in the way of the pattern")
    if 2 * len(loop.edges) < loop.lattice.rows + loop.lattice.cols:
        raise NotThisLoop("a loop that is too short")
    return [true[cell] for group in groups for cell in group]
