"""Slitherlink for a person: what its clues and statements say."""

from __future__ import annotations

from castlecp.genres.slither import Slitherlink
from castlecp.propagation.board import ALWAYS, board_of, grid_of
from castlecp.propagation.reading import Reading

#: The rules of the backtracker's fixpoint.
SEARCH = ("count", "degree", "pattern", "loop", "sides", "statement", "reach")


def read(puzzle: Slitherlink, parities: bool = True) -> Reading:
    """What the clues and statements say.

    A number is a count of its face's edges, which the rule `pattern` reads together with the
    numbers around it. A statement is a claim: that a place is inside is that its face and the
    outer one differ.
    """
    grid = grid_of(puzzle.lattice)
    around = [-1] * grid.outer
    counts, tellers = [], []
    for clue in puzzle.clues:
        if isinstance(clue.number, int):
            face = clue.row * puzzle.cols + clue.col
            around[face] = clue.number
            counts.append((grid.rim[4 * face : 4 * face + 4], clue.number))
            tellers.append((clue,))
    claims = []
    for statement in puzzle.statements:
        first, *other = (r * puzzle.cols + c for r, c in (puzzle.places[x] for x in statement.of))
        differ = statement.says in ("inside", "opposite")
        claims.append((first, other[0] if other else grid.outer, int(differ)))
    vertices = puzzle.lattice.rows * puzzle.lattice.cols
    board = board_of(
        puzzle.lattice,
        passed=[ALWAYS] * vertices if puzzle.visits_all else None,
        counts=counts,
        around=around if counts else (),
        claims=claims,
        lies=puzzle.false_statements,
    )
    return Reading(
        puzzle.lattice,
        board,
        tellers=tellers,
        clues=[clue for (clue,) in tellers],
        claims=[statement.sentence() for statement in puzzle.statements],
        cells=puzzle.CELLS,
    )
