"""Second opinions on a board that the proof says is unique: other methods, same answer or none.

Each is asked within a fixed budget of steps, so that the answer is the same on every machine.
A method that settles the question the other way is a `Disagreement`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from castlecp.budget import Budget
from castlecp.certify.certificate import Backtracker
from castlecp.engines import engine
from castlecp.errors import Disagreement, OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.model import Model

#: Conflicts that CP-SAT may spend on one board, and nodes that the backtracker may.
CPSAT_STEPS, BACKTRACKER_NODES = 20_000, 1_000


def cpsat(
    puzzle: Puzzle, loop: Loop, cuts: Sequence[Sequence[int]], budget: Budget
) -> Literal["no second solution", "not settled"]:
    """What CP-SAT says of "another solution than `loop`"; `cuts` are those of the first solver.

    Raises Disagreement when it finds one.
    """
    held = None
    try:
        model = Model.of(puzzle, budget)
        held = engine("cpsat")(model, budget)
        for cut in cuts:
            held.add(cut)
        held.add([-model.edge(edge) for edge in loop.edges])
        found = held.solve((), budget.aside(CPSAT_STEPS))
    except OutOfBudget:
        return "not settled"
    finally:
        if held is not None:
            held.close()
    if found is not None:
        raise Disagreement("CP-SAT finds another candidate where a proof says there is none")
    return "no second solution"


def backtracker(puzzle: Puzzle, loop: Loop, budget: Budget) -> Backtracker:
    """What search by hand says of the number of solutions. Raises Disagreement."""
    from castlecp.backtrack import backtrack

    found = backtrack(puzzle, 2, budget.aside(BACKTRACKER_NODES))
    if len(found.loops) > 1 or (found.ended == "exact" and found.loops != (loop,)):
        raise Disagreement("the backtracker differs where a proof says there is one solution")
    return Backtracker("unique" if found.ended == "exact" else "not settled", BACKTRACKER_NODES)


def grade(puzzle: Puzzle, budget: Budget) -> dict[str, Any]:
    """How hard the board is for a person, as `castlecp.ladder.Grade`."""
    from castlecp.ladder import grade as grade_of

    graded: dict[str, Any] = msgspec.to_builtins(grade_of(puzzle, budget=budget.aside()))
    return graded
