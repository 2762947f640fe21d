"""Slitherlink: numbers count the edges of a face, and so many statements are false."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from castlecp.certify.clauses import Base, Clause, exactly
from castlecp.genres.slither import SlitherClue, Slitherlink
from castlecp.grid import Edge, Face
from castlecp.nouns import plural


def clauses(puzzle: Slitherlink, base: Base, new: Callable[[], int]) -> Iterator[Clause]:
    """What the clues, the statements and `visits_all` say."""
    for clue in puzzle.clues:
        if isinstance(clue.number, int):
            yield from exactly(clue.number, [base.edge[e] for e in _rim(clue)], new)
    if puzzle.visits_all:
        for edges in base.around.values():
            yield tuple(edges)
    if puzzle.statements:
        true = []
        for statement in puzzle.statements:
            holds = new()
            first, last = (base.face[puzzle.places[statement.of[k]]] for k in (0, -1))
            sign = 1 if statement.says in ("inside", "same") else -1
            if statement.says in ("inside", "outside"):
                yield from ((-holds, sign * first), (holds, -sign * first))
            elif first == last:
                # One place twice: no clause may have a literal twice, or it and its negation.
                yield (sign * holds,)
            else:
                yield from (
                    (-holds, -first, sign * last),
                    (-holds, first, -sign * last),
                    (holds, first, sign * last),
                    (holds, -first, -sign * last),
                )
            true.append(holds)
        yield from exactly(len(true) - puzzle.false_statements, true, new)


def broken(
    puzzle: Slitherlink, edges: Set[Edge], inside: Set[Face]
) -> Iterator[tuple[SlitherClue | None, str]]:
    """The clues and other demands that a loop breaks."""
    for clue in puzzle.clues:
        on = len(edges & set(_rim(clue)))
        if clue.number is not None and on != clue.number:
            yield clue, f"{on} of its edges are on the loop"
    if puzzle.visits_all:
        passed = {end for edge in edges for end in edge.ends}
        for vertex in puzzle.lattice.vertices():
            if vertex not in passed:
                yield None, f"the loop misses vertex {vertex}"
    true = 0
    for statement in puzzle.statements:
        sides = {puzzle.places[name] in inside for name in statement.of}
        told = {"inside": {True}, "outside": {False}}
        if statement.says in told:
            true += sides == told[statement.says]
        else:
            true += (len(sides) == 1) == (statement.says == "same")
    false = len(puzzle.statements) - true
    if false != puzzle.false_statements:
        yield None, f"{plural(false, 'statement')} {'is' if false == 1 else 'are'} false"


def _rim(clue: SlitherClue) -> list[Edge]:
    """The four edges of a clue's face."""
    r, c = clue.row, clue.col
    return [
        Edge(r, c, r, c + 1),
        Edge(r + 1, c, r + 1, c + 1),
        Edge(r, c, r + 1, c),
        Edge(r, c + 1, r + 1, c + 1),
    ]
