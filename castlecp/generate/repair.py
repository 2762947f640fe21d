"""Repair of a loop that its clues do not tell from others, near where they differ.

On a large lattice most of a loop is told from all others by its clues; what is not is a few
corners where it could run otherwise. Drawing the whole loop again would throw away the rest: the
line is moved there alone, by simple points as in `loops.py`, and the move is kept when fewer
edges are left in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from castlecp.budget import Budget
from castlecp.clues import Clue
from castlecp.generate.region import Region
from castlecp.generate.rivals import Rivals
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Loop
from castlecp.session import Live

#: Moves in a row that help nothing before a loop is given up.
MOVES = 40
#: Edges in doubt from which none is tried; nor is it when half of all edges are.
DOUBT = 200


def repaired(
    board: Puzzle,
    loop: Loop,
    clues_of: Callable[[Loop], Sequence[Clue]],
    random: Random,
    budget: Budget,
    live: Live,
) -> Loop | None:
    """A loop that its clues tell from all others, from one that they do not; None if not found.

    `clues_of` gives the clues of a loop, none for one that is of no use; `live` is a solver for
    its lattice. Raises OutOfBudget.
    """

    def doubtful(line: Loop, most: int) -> frozenset[Edge] | None:
        clues = clues_of(line)
        if not clues:
            return None
        rivals = Rivals(board, line, clues, live, budget)
        return rivals.differing((1 << len(clues)) - 1, budget, most)

    doubt = doubtful(loop, min(DOUBT, loop.lattice.number_of_edges // 2))
    tried = 0
    while doubt and tried < MOVES:
        tried += 1
        moved = nudged(loop, doubt, random)
        left = doubtful(moved, len(doubt))
        if left is not None:
            tried = tried if len(left) == len(doubt) else 0
            loop, doubt = moved, left
    return loop if doubt is not None and not doubt else None


def nudged(loop: Loop, near: frozenset[Edge], random: Random) -> Loop:
    """The loop with a few simple points flipped that lie on some edges or beside them."""
    region = Region(loop.lattice, loop.inside)
    faces = {face for edge in near for face in edge.faces}
    around = {(r + i, c + j) for r, c in faces for i in (-1, 0, 1) for j in (-1, 0, 1)}
    places = [region.place(face) for face in sorted(around) if loop.lattice.has_face(face)]
    wanted = random.randint(1, 4)
    for _ in range(20 * wanted):
        at = random.choice(places)
        if region.is_simple(at):
            region.flip(at)
            wanted -= 1
            if not wanted:
                break
    return region.loop()
