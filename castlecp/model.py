"""The model: what the constraints of a puzzle are, for no solver in particular.

A literal is a non-zero integer: `v` is the variable v, `-v` its negation. A clause is a
sequence of literals of which one must hold, and a count asks for exactly n true literals.

Every lattice has the same base. Variable 1 is the constant true. Each face has a *side*
(true = inside; off the lattice the constant false), each edge a literal that equals the XOR
of the sides of its two faces: a variable of its own between two faces, the inner face's side
on the border. So every vertex has even degree by construction; four clauses a vertex forbid
three of its edges and hence all four, and four more say at once that no edge ends alone (they
follow, but save a solver a third of its conflicts on sparse boards). One clause asks for an
inside face. That the inside is connected and has no hole is left to `castlecp.cuts`.

On top of the base a genre's `models.<genre>.post` states what the clues say, as facts, each
tagged with its clue, or with the name of the demand that it is of, so that a set of facts can
later be named in the puzzle's own words.

What is known beforehand of edges and sides is handed out as the constants, and vanishes from all
that is said of it: a clue that is settled leaves no clause.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, Never, Protocol, TypeVar, cast

from castlecp.budget import Budget
from castlecp.building import kept, looked, refuse_beyond_memory
from castlecp.clues import Clue
from castlecp.genres import Puzzle, part_of
from castlecp.grid import Edge, Face, Lattice, Loop, Vertex
from castlecp.registry import Registry

#: The literals of the two constants.
TRUE, FALSE = 1, -1

#: Bytes a vertex that base, solver and one loop take together: `scripts/table_memory`, `sat`.
EACH = 4_100

Clause = Sequence[int]


#: Who says a constraint: a clue, a demand by its name, or nobody, as it is a rule of the game.
Speaker = Clue | str | None


class Count(NamedTuple):
    """Exactly `number` of `literals` are true, because `clue` says so."""

    literals: tuple[int, ...]
    number: int
    clue: Speaker = None


class Fact(NamedTuple):
    """A clause that holds because `clue` says so."""

    clause: tuple[int, ...]
    clue: Speaker = None


class Known(NamedTuple):
    """What is known: 1 true, 0 false, -1 unknown.

    `edges` are in the order of `Lattice.edges`, `sides` in that of the faces, row by row.
    """

    edges: Sequence[int]
    sides: Sequence[int]


@dataclass(frozen=True, slots=True)
class Base:
    """What every model on a lattice shares; see the module's text.

    `horizontal[r][c]` is the edge between vertices (r, c) and (r, c + 1), shape (rows,
    cols - 1); `vertical[c][r]` the edge between (r, c) and (r + 1, c), shape (cols, rows - 1):
    each inner tuple is a straight line of the lattice. `edges` are the literals in the order of
    `Lattice.edges`. Sides are the variables from
    `first_side`, row by row; edges between two faces follow from `first_edge`. `clauses` is
    all of the base; for engines that take them in another form, `xors` lists its edges as
    (edge, side, side) and `degrees` its clauses about degrees, so that what is left is the last
    clause, "some face is inside".
    """

    lattice: Lattice
    clauses: tuple[Clause, ...]
    xors: tuple[tuple[int, int, int], ...]
    degrees: tuple[Clause, ...]
    horizontal: tuple[tuple[int, ...], ...]
    vertical: tuple[tuple[int, ...], ...]
    edges: tuple[int, ...]
    first_side: int
    first_edge: int
    variables: int


class Model:
    """The constraints of one puzzle, or of one puzzle after another on the same lattice.

    `definitions` are clauses that only give new variables their meaning and hold for every
    puzzle; `facts` and `counts` are what the posted puzzle says. `withdraw` forgets the
    latter and keeps the former. `units` are the literals of the base that are known, and hold
    for every puzzle too. Raises OutOfBudget when the seconds end before it is made, and TooLarge.
    """

    def __init__(
        self, lattice: Lattice, budget: Budget | None = None, known: Known | None = None
    ) -> None:
        self.lattice = lattice
        self.base = base(lattice, budget)
        self.variables = self.base.variables
        self.units: list[int] = []
        self.definitions: list[Clause] = []
        self.facts: list[Fact] = []
        self.counts: list[Count] = []
        self._defined: dict[Hashable, int] = {}
        self._sides: Sequence[int] = range(self.base.first_side, self.base.first_edge)
        self._horizontal, self._vertical = self.base.horizontal, self.base.vertical
        if known is not None:
            self._take(known, budget or Budget())

    def _take(self, known: Known, budget: Budget) -> None:
        """Put constants for what is known."""
        rows, cols, edges = self.lattice.rows, self.lattice.cols, self.base.edges
        for literals, values in ((edges, known.edges), (self._sides, known.sides)):
            budget.look()
            told = zip(literals, values, strict=True)
            self.units += [x if value else -x for x, value in told if value >= 0]
        budget.look()
        self._sides = _folded(self._sides, known.sides)
        budget.look()
        edges, lying = _folded(edges, known.edges), rows * (cols - 1)
        self._horizontal = tuple(edges[i : i + cols - 1] for i in range(0, lying, cols - 1))
        self._vertical = tuple(edges[lying + c :: cols] for c in range(cols))

    @classmethod
    def of(cls, puzzle: Puzzle, budget: Budget | None = None, known: Known | None = None) -> Model:
        """The model of a puzzle: base and clues. Raises OutOfBudget and TooLarge."""
        model = cls(puzzle.lattice, budget, known)
        model.post(puzzle)
        return model

    def post(self, puzzle: Puzzle) -> None:
        """State what the clues of a puzzle say, by the genre's module in `models`."""
        cast(Posting[Puzzle], part_of(puzzle, MODELS, "engines need")).post(puzzle, self)

    def withdraw(self) -> None:
        """Forget what the clues said."""
        self.facts, self.counts = [], []

    def new(self) -> int:
        """A new variable; every part of a model takes its variables from here."""
        self.variables += 1
        return self.variables

    def xor(self, a: int, b: int) -> int:
        """The literal of "exactly one of two literals holds"."""
        if a == b:
            return FALSE
        for x, y in ((a, b), (b, a)):
            if abs(x) == TRUE:
                return y if x == FALSE else -y
        key = ("xor", *sorted((a, b)))
        if key not in self._defined:
            x = self._defined[key] = self.new()
            self.definitions += ((-x, a, b), (-x, -a, -b), (x, -a, b), (x, a, -b))
        return self._defined[key]

    def both(self, a: int, b: int) -> int:
        """The literal of "two literals hold"."""
        for x, y in ((a, b), (b, a)):
            if abs(x) == TRUE:
                return y if x == TRUE else FALSE
        key = ("both", *sorted((a, b)))
        if key not in self._defined:
            x = self._defined[key] = self.new()
            self.definitions += ((-x, a), (-x, b), (x, -a, -b))
        return self._defined[key]

    def total(self, a: Sequence[int], b: Sequence[int], most: int) -> list[int]:
        """The literals of "at least 1", "at least 2", ... to `most` of two lists together.

        The lists are ordered: of each the first literals hold and the others do not (the node of
        a totalizer, Bailleux and Boufkhad 2003).
        """
        sure = a.count(TRUE) + b.count(TRUE)
        never = a.count(FALSE) + b.count(FALSE)
        if sure or never:
            left, right = ([x for x in both if abs(x) != TRUE] for both in (a, b))
            rest = self.total(left, right, max(most - sure, 0))
            return [*[TRUE] * sure, *rest, *[FALSE] * never][:most]
        if not (a and b):
            return [*a, *b][:most]
        size = min(len(a) + len(b), most)
        key = ("total", tuple(a), tuple(b), size)
        if key not in self._defined:
            first = self._defined[key] = self.variables + 1
            self.variables += size
            for i in range(len(a) + 1):
                for j in range(len(b) + 1):
                    if 0 < i + j <= size:
                        known = [-a[i - 1]] * (i > 0) + [-b[j - 1]] * (j > 0)
                        self.definitions.append((*known, first + i + j - 1))
                    if i + j < size:
                        less = [*a[i : i + 1], *b[j : j + 1]]
                        self.definitions.append((*less, -first - i - j))
        return list(range(self._defined[key], self._defined[key] + size))

    def side(self, face: Face) -> int:
        """The literal of "this face is inside"."""
        if not self.lattice.has_face(face):
            return FALSE
        return self._sides[face[0] * (self.lattice.cols - 1) + face[1]]

    def sides(self, vertex: Vertex) -> tuple[int, int, int, int]:
        """The sides of the four faces around a vertex."""
        r, c = vertex
        return tuple(self.side((r - i, c - j)) for i in (1, 0) for j in (1, 0))  # type: ignore[return-value]

    def edge(self, edge: Edge) -> int:
        """The literal of "this edge is on the loop"."""
        if edge.r1 == edge.r2:
            return self._horizontal[edge.r1][edge.c1]
        return self._vertical[edge.c1][edge.r1]

    def border(self, face: Face) -> tuple[int, int, int, int]:
        """The literals of the four edges of a face: above, below, left, right."""
        (r, c), rows, cols = face, self._horizontal, self._vertical
        return rows[r][c], rows[r + 1][c], cols[c][r], cols[c + 1][r]

    def around(self, vertex: Vertex) -> list[int]:
        """The literals of the edges at a vertex."""
        r, c = vertex
        row, col = self._horizontal[r], self._vertical[c]
        return [*row[max(c - 1, 0) : c + 1], *col[max(r - 1, 0) : r + 1]]

    def false(self) -> set[int]:
        """The literals that are known to be false, or made false outright by a posted fact."""
        facts = (-fact.clause[0] for fact in self.facts if len(fact.clause) == 1)
        return {FALSE, *(-x for x in self.units), *facts}

    def base_clauses(self) -> Iterable[Clause]:
        """The clauses of the base that what is known leaves to say."""
        return self._left() if self.units else self.base.clauses

    def _left(self) -> Iterator[Clause]:
        clauses, degrees = self.base.clauses, self.base.degrees
        known = {abs(x) for x in self.units}
        yield clauses[0]
        for i, (x, a, b) in enumerate(self.base.xors):
            if not (x in known and (a in known or b in known)):
                yield from clauses[4 * i + 1 : 4 * i + 5]
        for i in range(0, len(degrees), 8):
            # The second clause of a vertex names all of its edges.
            if not known.issuperset(map(abs, degrees[i + 1])):
                yield from degrees[i : i + 8]
        yield clauses[-1]

    def ray(self, vertex: Vertex, direction: str) -> tuple[int, ...]:
        """The literals of `Lattice.ray`: from the border in."""
        r, c = vertex
        row, col = self._horizontal[r], self._vertical[c]
        if direction == "left":
            return row[:c]
        if direction == "right":
            return row[c:][::-1]
        return col[:r] if direction == "up" else col[r:][::-1]

    def require(self, *clause: int, clue: Speaker = None) -> None:
        """State that one of the literals holds."""
        if not self.units or TRUE not in clause:
            self.facts.append(Fact(clause, clue))

    def exactly(self, number: int, literals: Sequence[int], clue: Speaker = None) -> None:
        """State that exactly `number` of the literals hold."""
        self.counts.append(Count(tuple(literals), number, clue))

    def edges_on(self, assignment: Sequence[int]) -> list[int]:
        """The literals of the edges that are on under an assignment (`assignment[v - 1]` is ±v).

        Both edges at a corner have one literal, which then comes twice.
        """
        return [x for x in self.base.edges if assignment[x - 1] > 0]

    def loop(self, assignment: Sequence[int]) -> Loop:
        """The loop of an assignment."""
        return Loop.marked(self.lattice, [assignment[x - 1] > 0 for x in self.base.edges])


def _folded(literals: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    """Literals, with constants where the value is known."""
    return tuple(
        x if value < 0 else TRUE if value else FALSE
        for x, value in zip(literals, values, strict=True)
    )


@kept(64)
def base(lattice: Lattice, budget: Budget) -> Base:
    """The base of a lattice, made once. Raises OutOfBudget and TooLarge."""
    refuse_beyond_memory(lattice, EACH)
    rows, cols = lattice.rows, lattice.cols
    first_side = TRUE + 1

    def side(r: int, c: int) -> int:
        inner = 0 <= r < rows - 1 and 0 <= c < cols - 1
        return first_side + r * (cols - 1) + c if inner else FALSE

    first_edge = variables = first_side + (rows - 1) * (cols - 1)
    clauses: list[Clause] = [(TRUE,)]
    xors: list[tuple[int, int, int]] = []
    degrees: list[Clause] = []

    def edge(a: int, b: int) -> int:
        """The XOR of two sides."""
        nonlocal variables
        if FALSE in (a, b):
            return max(a, b)
        x, variables = variables, variables + 1
        xors.append((x, a, b))
        clauses.extend(((-x, a, b), (-x, -a, -b), (x, -a, b), (x, a, -b)))
        return x

    horizontal = tuple(
        tuple(edge(side(r - 1, c), side(r, c)) for c in range(cols - 1))
        for r in looked(range(rows), budget)
    )
    vertical = tuple(
        tuple(edge(side(r, c - 1), side(r, c)) for r in range(rows - 1))
        for c in looked(range(cols), budget)
    )
    for r in looked(range(1, rows - 1), budget):
        for c in range(1, cols - 1):
            w, x = horizontal[r][c - 1 : c + 1]
            y, z = vertical[c][r - 1 : r + 1]
            degrees += (
                *((-w, -x, -y), (-z, w, x, y)),
                *((-w, -x, -z), (-y, w, x, z)),
                *((-w, -y, -z), (-x, w, y, z)),
                *((-x, -y, -z), (-w, x, y, z)),
            )
    clauses.extend(degrees)
    clauses.append(tuple(range(first_side, first_edge)))
    return Base(
        lattice=lattice,
        clauses=tuple(clauses),
        xors=tuple(xors),
        degrees=tuple(degrees),
        horizontal=horizontal,
        vertical=vertical,
        edges=(*chain(*horizontal), *chain(*zip(*vertical, strict=True))),
        first_side=first_side,
        first_edge=first_edge,
        variables=variables - 1,
    )


P_contra = TypeVar("P_contra", bound=Puzzle, contravariant=True)


class Posting(Protocol[P_contra]):
    """What a genre's module in `models` offers."""

    def post(self, puzzle: P_contra, model: Model) -> None:
        """State what the clues of a puzzle say."""


MODELS: Registry[Posting[Never]] = Registry.folder("model", "castlecp.models", home="models")
