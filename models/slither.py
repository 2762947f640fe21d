"""Slitherlink as constraints: numbers are counts of four edges, statements are literals.

That a place is inside is the literal of its face's side; that two places are on opposite sides is
the XOR of two sides, a new variable; the other two statements are their negations. Exactly
`false_statements` of these literals are false, which is a count.
"""

from __future__ import annotations

from castlecp.genres.slither import Slitherlink, Statement
from castlecp.model import Model


def post(puzzle: Slitherlink, model: Model) -> None:
    """State what the clues, the statements and `visits_all` say."""
    for clue in puzzle.clues:
        if isinstance(clue.number, int):
            model.exactly(clue.number, model.border((clue.row, clue.col)), clue=clue)
    if puzzle.visits_all:
        for vertex in puzzle.lattice.vertices():
            model.require(*model.around(vertex), clue="visits_all")
    if puzzle.statements:
        false = [-holds(puzzle, statement, model) for statement in puzzle.statements]
        model.exactly(puzzle.false_statements, false, clue="statements")


def holds(puzzle: Slitherlink, statement: Statement, model: Model) -> int:
    """The literal of a statement."""
    sides = [model.side(puzzle.places[name]) for name in statement.of]
    if statement.says in ("inside", "outside"):
        return sides[0] if statement.says == "inside" else -sides[0]
    differ = model.xor(*sides)
    return differ if statement.says == "opposite" else -differ
