"""Cave for a person: what its clues say about cells, and its ladder."""

from __future__ import annotations

from castlecp.deduce.board import board_of
from castlecp.deduce.reading import Reading
from castlecp.deduce.state import CORNER, PROBE, REACH, SIGHT
from castlecp.genres.cave import Cave

#: The ladder: (rule, rung), easiest first. A person decides on cells; edges follow from them.
LADDER = ((SIGHT, "count"), (CORNER, "corner"), (REACH, "bridge"), (PROBE, "probe"))

#: The rules of the backtracker's fixpoint.
SEARCH = SIGHT | CORNER | REACH


def read(puzzle: Cave, parities: bool = True) -> Reading:
    """What the clues say: a clue is in the cave and sees so many cells of it."""
    numbers = {(clue.row, clue.col): clue.number for clue in puzzle.clues}
    board = board_of(
        puzzle.lattice,
        sights=[
            (r * puzzle.cols + c, number if isinstance(number, int) else -1)
            for (r, c), number in numbers.items()
        ],
        by_faces=True,
    )
    return Reading(
        puzzle.lattice,
        board,
        tellers=[(clue,) for clue in puzzle.clues],
        says={(clue.row, clue.col): clue.says() for clue in puzzle.clues},
        cells=puzzle.CELLS,
        sides=("wall", "cave"),
    )
