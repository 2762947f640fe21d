"""Clauses over edges and faces: the variables, what all puzzles have in common, and counting.

The checker's own; `castlecp.certify.formula` puts them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from castlecp.errors import OutOfBudget, sized
from castlecp.grid import Edge, Face, Lattice, Vertex

Clause = tuple[int, ...]

#: A formula has at most so many literals (half a GB); those of a lattice alone are about LITERALS
#: for each vertex.
MAX_LITERALS, LITERALS = 5_000_000, 54


class Base:
    """The variables of a lattice, and the clauses that every puzzle on it has in common.

    `rows[r]` are the edges along row r from left to right, `columns[c]` those along column c
    from top to bottom.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.edge: dict[Edge, int] = {e: v for v, e in enumerate(lattice.edges, 1)}
        self.face: dict[Face, int] = {
            f: v for v, f in enumerate(lattice.faces(), len(self.edge) + 1)
        }
        self.rows: list[list[int]] = [[] for _ in range(lattice.rows)]
        self.columns: list[list[int]] = [[] for _ in range(lattice.cols)]
        self.around: dict[Vertex, list[int]] = {v: [] for v in lattice.vertices()}
        for edge, variable in self.edge.items():
            (self.rows[edge.r1] if edge.r1 == edge.r2 else self.columns[edge.c1]).append(variable)
            for end in edge.ends:
                self.around[end].append(variable)
        self.clauses = [*self._degrees(), *self._sides(), tuple(self.edge.values())]

    @property
    def variables(self) -> int:
        """How many edges and faces there are."""
        return len(self.edge) + len(self.face)

    def _degrees(self) -> Iterator[Clause]:
        """No vertex has one edge, or three, or four."""
        for edges in self.around.values():
            for edge in edges:
                yield (-edge, *(other for other in edges if other != edge))
            for three in combinations(edges, 3):
                yield tuple(-edge for edge in three)

    def _sides(self) -> Iterator[Clause]:
        """An edge is on exactly when one of its faces is inside; off the lattice none is."""
        for edge, e in self.edge.items():
            match [self.face[face] for face in edge.faces if face in self.face]:
                case [a, b]:
                    yield from ((-e, a, b), (-e, -a, -b), (e, -a, b), (e, a, -b))
                case [a]:
                    yield from ((-e, a), (e, -a))
                case _:
                    yield (-e,)


@lru_cache(maxsize=4)
def base_of(lattice: Lattice) -> Base:
    """The board of a lattice, made once. Raises OutOfBudget for one too large to be stated."""
    if lattice.rows * lattice.cols * LITERALS > MAX_LITERALS:
        size = sized(lattice.rows, lattice.cols)
        raise OutOfBudget(f"a lattice {size} takes more than {MAX_LITERALS:,} literals")
    return Base(lattice)


def exactly(number: int, literals: Sequence[int], new: Callable[[], int]) -> Iterator[Clause]:
    """Exactly `number` of the literals hold; helper variables come from `new`.

    A helper says "at least j of the first i hold" where that is open: it is known when j is so
    small that the number could not be reached any more, or so large that it would be exceeded.
    """
    size = len(literals)
    if not 0 <= number <= size:
        yield ()
        return
    if number in (0, size):
        yield from ((x if number else -x,) for x in literals)
        return
    helpers: dict[tuple[int, int], int] = {(1, 1): literals[0]}

    def at_least(j: int, i: int) -> int | bool:
        if j <= max(0, number - (size - i)):
            return True
        if j > min(i, number):
            return False
        if (i, j) not in helpers:
            helpers[i, j] = new()
        return helpers[i, j]

    for i in range(2, size + 1):
        x = literals[i - 1]
        for j in range(1, min(i, number + 1) + 1):
            now, same, less = at_least(j, i), at_least(j, i - 1), at_least(j - 1, i - 1)
            yield from _clause(_no(same), now)
            yield from _clause(_no(less), -x, now)
            yield from _clause(_no(now), less)
            yield from _clause(_no(now), same, x)


def _no(literal: int | bool) -> int | bool:
    return not literal if isinstance(literal, bool) else -literal


def _clause(*literals: int | bool) -> Iterator[Clause]:
    """The clause without what is known; nothing where it is known to hold."""
    if not any(x is True for x in literals):
        yield tuple(x for x in literals if x is not False)
