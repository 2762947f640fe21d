"""Castle Wall as constraints.

A clue's vertex has no edge, so its four faces lie on one side: all inside for a white clue,
all outside for a black one. That side *is* the parity law of the genre. Walk from a face to
the border in a straight line: the side flips at each edge crossed and ends outside, so a face
is inside exactly when the walk crosses an odd number of edges. The model states this law once,
as edge = XOR of two sides for every edge; chained along a row or a column it is the parity
constraint of each of the four directions, and chained from border to border it says that every
gap between two rows or columns is crossed an even number of times.

An arrow counts the edges its ray runs *along*; those are other edges than the ones a ray
beside it would cross, so the number says nothing about the side.
"""

from __future__ import annotations

from castlecp.genres.castle import CastleWall
from castlecp.model import Model


def post(puzzle: CastleWall, model: Model) -> None:
    """State what the clues say."""
    for clue in puzzle.clues:
        vertex = (clue.row, clue.col)
        for edge in model.around(vertex):
            model.require(-edge, clue=clue)
        if clue.color != "grey":
            sign = 1 if clue.color == "white" else -1
            for side in model.sides(vertex):
                model.require(sign * side, clue=clue)
        if clue.count is not None and clue.arrow is not None:
            # The last edge of the ray touches the clue itself and is off.
            model.exactly(clue.count, model.ray(vertex, clue.arrow)[:-1], clue=clue)
