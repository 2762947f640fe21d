"""Masyu: the loop passes every circle, a white one straight and a black one in a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import product

from castlecp.certify.clauses import Base, Clause
from castlecp.genres.mashu import Circle, Masyu
from castlecp.grid import STEPS, Direction, Edge, Face, Vertex

#: Two directions that make a straight line, and two that make a bend.
ALONG: tuple[tuple[Direction, Direction], ...] = (("up", "down"), ("left", "right"))
BENDS = tuple(product(*ALONG))


def clauses(puzzle: Masyu, base: Base, new: Callable[[], int]) -> Iterator[Clause]:
    """What the circles say, given that a vertex has no edge or two."""
    for clue in puzzle.clues:
        steps = {name: _step(base, (clue.row, clue.col), name, 0) for name in STEPS}
        far = {name: _step(base, (clue.row, clue.col), name, 1) for name in STEPS}
        yield tuple(variable for variable in steps.values() if variable)
        forbidden = BENDS if clue.color == "white" else ALONG
        for one, other in forbidden:
            if steps[one] and steps[other]:
                yield (-steps[one], -steps[other])
        if clue.color == "white":
            for one, other in ALONG:
                if steps[one] and steps[other] and far[one] and far[other]:
                    yield (-steps[one], -steps[other], -far[one], -far[other])
        else:
            for name, variable in steps.items():
                if variable:
                    yield (-variable, far[name]) if far[name] else (-variable,)


def broken(puzzle: Masyu, edges: Set[Edge], inside: Set[Face]) -> Iterator[tuple[Circle, str]]:
    """The circles that a loop breaks."""
    for clue in puzzle.clues:
        here = (clue.row, clue.col)
        directions = [name for name in STEPS if _edge(here, name, 0) in edges]
        if len(directions) != 2:
            yield clue, "the loop does not pass it"
            continue
        on = [_edge(here, name, 1) in edges for name in directions]
        if clue.color == "white":
            if tuple(directions) not in ALONG:
                yield clue, "the loop turns on it"
            elif all(on):
                yield clue, "the loop turns neither before it nor after it"
        elif tuple(directions) in ALONG:
            yield clue, "the loop runs straight through it"
        elif not all(on):
            yield clue, "the loop turns beside it"


def _edge(vertex: Vertex, name: Direction, behind: int) -> Edge:
    """The edge from a vertex in a direction, or the one `behind` it."""
    down, right = STEPS[name]
    first = (vertex[0] + behind * down, vertex[1] + behind * right)
    second = (first[0] + down, first[1] + right)
    return Edge(*min(first, second), *max(first, second))


def _step(base: Base, vertex: Vertex, name: Direction, behind: int) -> int:
    """The variable of such an edge, 0 off the lattice."""
    return base.edge.get(_edge(vertex, name, behind), 0)
