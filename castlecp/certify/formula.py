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

from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from castlecp.budget import Budget
from castlecp.certify import clauses as bounds
from castlecp.certify import rules
from castlecp.certify.clauses import Base, Clause, base_of
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Edge

#: Clauses between two looks at the clock.
LOOK = 10_000


class Formula(NamedTuple):
    """Clauses over the variables 1 to `variables`."""

    variables: int
    clauses: list[Clause]


def stated(
    puzzle: Puzzle,
    loop: Iterable[Edge],
    cuts: Iterable[Clause],
    budget: Budget | None = None,
) -> Formula:
    """The clauses that say that a puzzle has a solution besides `loop`; see above.

    `cuts` are clauses over faces; that they are sound is for the caller to make sure. Raises
    KeyError for an edge that is not on the lattice, and OutOfBudget when there are more than
    MAX_LITERALS literals or the seconds of the budget are spent.
    """
    base = base_of(puzzle.lattice)
    names = count(base.variables + 1)
    clues: list[Clause] = []
    literals = 0
    for clause in rules.of(puzzle).clauses(puzzle, base, names.__next__):
        clues.append(clause)
        literals += len(clause)
        if literals > bounds.MAX_LITERALS:
            raise OutOfBudget(f"the clues take more than {bounds.MAX_LITERALS:,} literals")
        if budget is not None and not len(clues) % LOOK:
            budget.slice(1)
    clauses = [*clues, *base.clauses, *cuts, blocking(base, loop)]
    return Formula(next(names) - 1, clauses)


def blocking(base: Base, loop: Iterable[Edge]) -> Clause:
    """Some edge of a loop is off. Raises KeyError for an edge that is not on the lattice."""
    return tuple(-v for v in sorted(base.edge[edge] for edge in loop))


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
