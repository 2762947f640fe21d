"""What a proof is about: "this board has no solution but this loop", as clauses.

The checker's own formulation. It is written to be short, and shares no code with the models,
cuts and engines that find solutions; of castlecp it knows the lattice and the puzzle types.

Literals are non-zero integers, -v the negation of the variable v. Variables are, in this order,
the *edges* (on the loop) in the order of `Lattice.edges`, the *faces* (inside the loop) row by
row, and *helpers* that only count. The clauses say:

- every vertex has no edge or two;
- an edge is on exactly when one of its two faces is inside, and beyond the border is outside;
- some edge is on;
- what the clues say, by `castlecp.certify.rules.<genre>`;
- the loop cuts that the certificate lists, each of which follows from "one loop" (the checker
  makes sure of that);
- some edge of the given loop is off (no closed loop contains another, so this excludes that
  loop and no other).

Every solution but the loop satisfies all of that, once the helpers count what they are meant to
count. So if the clauses contradict each other, the loop is the only solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, count
from typing import NamedTuple

from castlecp.budget import Budget
from castlecp.certify import rules
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Lattice, Vertex

Clause = tuple[int, ...]

#: A statement has at most so many literals (half a GB); those of a lattice alone are about LITERALS
#: for each vertex.
MAX_LITERALS, LITERALS = 5_000_000, 54

#: Clauses between two looks at the clock.
LOOK = 10_000


class Board:
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
def board_of(lattice: Lattice) -> Board:
    """The board of a lattice, made once. Raises OutOfBudget for one too large to be stated."""
    if lattice.rows * lattice.cols * LITERALS > MAX_LITERALS:
        size = f"{lattice.rows} x {lattice.cols} vertices"
        raise OutOfBudget(f"{size} take more than {MAX_LITERALS:,} literals")
    return Board(lattice)


class Statement(NamedTuple):
    """Clauses over the variables 1 to `variables`."""

    variables: int
    clauses: list[Clause]


def statement(
    puzzle: Puzzle,
    loop: Iterable[Edge],
    cuts: Iterable[Clause],
    budget: Budget | None = None,
) -> Statement:
    """The clauses that say that a puzzle has a solution besides `loop`; see above.

    `cuts` are clauses over faces; that they are sound is for the caller to make sure. Raises
    KeyError for an edge that is not on the lattice, and OutOfBudget when there are more than
    MAX_LITERALS literals or the seconds of the budget are spent.
    """
    board = board_of(puzzle.lattice)
    names = count(board.variables + 1)
    clues: list[Clause] = []
    literals = 0
    for clause in rules.of(puzzle).clauses(puzzle, board, names.__next__):
        clues.append(clause)
        literals += len(clause)
        if literals > MAX_LITERALS:
            raise OutOfBudget(f"the clues take more than {MAX_LITERALS:,} literals")
        if budget is not None and not len(clues) % LOOK:
            budget.slice(1)
    clauses = [*clues, *board.clauses, *cuts, blocking(board, loop)]
    return Statement(next(names) - 1, clauses)


def blocking(board: Board, loop: Iterable[Edge]) -> Clause:
    """Some edge of a loop is off. Raises KeyError for an edge that is not on the lattice."""
    return tuple(-v for v in sorted(board.edge[edge] for edge in loop))


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


def settled(clauses: Iterable[Clause]) -> list[Clause]:
    """The clauses that are left when all that follows by unit propagation is filled in.

    They contradict each other exactly when the given ones do. The empty clause alone when unit
    propagation finds the contradiction.
    """
    left = list(clauses)
    while True:
        true = {clause[0] for clause in left if len(clause) == 1}
        false = {-x for x in true}
        if () in left or not true.isdisjoint(false):
            return [()]
        if not true:
            return left
        left = [
            clause if false.isdisjoint(clause) else tuple(x for x in clause if x not in false)
            for clause in left
            if true.isdisjoint(clause)
        ]
