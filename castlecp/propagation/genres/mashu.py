"""Masyu: what its circles say, each as the ways in which the line may run around it."""

from __future__ import annotations

from functools import cache
from itertools import product

from castlecp.genres.mashu import Masyu
from castlecp.grid import STEPS, Lattice, Vertex
from castlecp.propagation.board import ALWAYS, MAYBE, board_of, grid_of
from castlecp.propagation.reading import Reading, Said

#: The rules of the backtracker's fixpoint.
SEARCH = ("degree", "table", "loop", "sides", "reach")

_WORDS = {
    "white": "to go straight here and turn beside it",
    "black": "to turn here and go straight beside it",
}


def read(puzzle: Masyu, parities: bool = True) -> Reading:
    """What the circles say: the line passes each, in one of the ways of its colour."""
    rows, cols = puzzle.rows, puzzle.cols
    passed = [MAYBE] * (rows * cols)
    for clue in puzzle.clues:
        passed[clue.row * cols + clue.col] = ALWAYS
    board = board_of(
        puzzle.lattice,
        passed=passed,
        tables=[
            (arms(puzzle.lattice, (clue.row, clue.col)), ways(clue.color)) for clue in puzzle.clues
        ],
    )
    return Reading(
        puzzle.lattice,
        board,
        tellers=[],
        clues=puzzle.clues,
        cells=puzzle.CELLS,
        tables=[Said((clue,), _WORDS[clue.color]) for clue in puzzle.clues],
    )


def arms(lattice: Lattice, vertex: Vertex) -> list[int]:
    """The edges at a vertex, left, right, up and down, then those beyond them; -1 off the board."""
    near = grid_of(lattice).near
    at = vertex[0] * lattice.cols + vertex[1]
    first = near[4 * at : 4 * at + 4]
    beyond = []
    for direction, (down, right) in enumerate(_DIRECTIONS):
        behind = (vertex[0] + down, vertex[1] + right)
        place = 4 * (behind[0] * lattice.cols + behind[1]) + direction
        beyond.append(near[place] if lattice.has_vertex(behind) else -1)
    return [*first, *beyond]


#: The directions in the order of `Board.near`.
_DIRECTIONS = [STEPS[name] for name in ("left", "right", "up", "down")]


@cache
def ways(color: str) -> tuple[tuple[int, ...], ...]:
    """The values of the edges of `arms` that a circle allows."""
    found = []
    for way in product((0, 1), repeat=8):
        out = [k for k in range(4) if way[k]]
        on = [way[4 + k] for k in out]
        straight = out in ([0, 1], [2, 3])
        if len(out) == 2 and (
            straight and not all(on) if color == "white" else not straight and all(on)
        ):
            found.append(way)
    return tuple(found)
