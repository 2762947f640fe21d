"""Cave: what its clues say about cells."""

from __future__ import annotations

from castlecp.genres.cave import Cave
from castlecp.propagation.board import board_of
from castlecp.propagation.reading import Reading

#: The rules of the backtracker's fixpoint.
SEARCH = ("visibility", "corner", "reach")


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
        clues=puzzle.clues,
        cells=puzzle.CELLS,
        sides=("wall", "cave"),
    )
