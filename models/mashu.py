"""Masyu as constraints: what the edges around a circle have to do with one another.

Write left, right, up and down for the edges at a circle, and far left, far right, ... for those
behind them in the same row or column; an edge off the board is false. A white circle has left =
right and up = down, and one of the two pairs on; of a pair that is on not both far edges are. A
black circle has one of left and right on and one of up and down, and with each its far edge.
"""

from __future__ import annotations

from castlecp.genres.mashu import Masyu
from castlecp.grid import STEPS, Direction, Edge, Vertex
from castlecp.model import FALSE, Model

#: The two directions of each line through a circle.
LINES: tuple[tuple[Direction, Direction], ...] = (("up", "down"), ("left", "right"))


def post(puzzle: Masyu, model: Model) -> None:
    """State what the circles say."""
    for clue in puzzle.clues:
        at = (clue.row, clue.col)
        for one, other in LINES:
            near, far = _edges(at, one, model)
            opposite, beyond = _edges(at, other, model)
            if clue.color == "white":
                model.require(-near, opposite, clue=clue)
                model.require(near, -opposite, clue=clue)
                model.require(-near, -far, -beyond, clue=clue)
            else:
                model.require(near, opposite, clue=clue)
                model.require(-near, -opposite, clue=clue)
                model.require(-near, far, clue=clue)
                model.require(-opposite, beyond, clue=clue)
        if clue.color == "white":
            model.require(_edges(at, "up", model)[0], _edges(at, "left", model)[0], clue=clue)


def _edges(vertex: Vertex, direction: Direction, model: Model) -> tuple[int, int]:
    """The literals of the edge from a vertex in a direction, and of the one behind it."""
    down, right = STEPS[direction]
    literals = [FALSE, FALSE]
    for k in (0, 1):
        ends = sorted((vertex[0] + j * down, vertex[1] + j * right) for j in (k, k + 1))
        if all(map(model.lattice.has_vertex, ends)):
            literals[k] = model.edge(Edge(*ends[0], *ends[1]))
    return literals[0], literals[1]
