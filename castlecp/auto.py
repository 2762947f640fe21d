"""The quick way to a verdict: the rules first, and a model for what they leave.

Most boards are settled by the rules and a few nodes of the backtracker's search, in less time
than their clauses take to write; two in five of the others by assuming each edge both ways once
or twice. Of the rest SAT gets what these nodes have settled as known, so that nothing is written
of it; it looks for the loops that were not found yet. When a stated number of conflicts is spent,
CP-SAT takes over. Nodes, probes and conflicts are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import ClassVar

from castlecp.backtrack import Glance, Look, look
from castlecp.budget import Budget
from castlecp.engines import Engine
from castlecp.errors import Lacking, OutOfBudget
from castlecp.genres import Puzzle
from castlecp.model import Clause, Known, Model
from castlecp.solver import decided
from castlecp.verdict import Verdict, status

#: The search before a model is made: with more, boards that need a model lose more than others
#: gain.
GLANCE = Glance(nodes=30, probed=6, tried=30, more=270)

#: Conflicts after which CP-SAT takes over: twice what the hardest public board took SAT.
HANDOVER = 100_000


def solve(puzzle: Puzzle, *, limit: int = 2, budget: Budget | None = None) -> Verdict:
    """The verdict on a puzzle; its `engine` is "rules" where no model was made.

    `limit` is how many solutions to look for (at least 2 to tell unique from multiple). A step of
    the budget is a node here and a conflict there.
    """
    started = perf_counter()
    verdict = _decided(puzzle, limit, budget or Budget())
    verdict.stats["seconds"] = round(perf_counter() - started, 6)
    return verdict


def _decided(puzzle: Puzzle, limit: int, budget: Budget) -> Verdict:
    try:
        first = look(puzzle, limit, GLANCE, budget)
    except Lacking:
        return decided(puzzle, Relay, "sat", limit, budget)
    except OutOfBudget:
        first = Look((), False)
    late = not first.exact and _is_over(budget)
    if first.exact or late or len(first.loops) == limit:
        stats: dict[str, float] = {"rounds": 0, "cuts": 0, "steps": budget.spent}
        found = status(len(first.loops), first.exact)
        return Verdict(found, first.loops, first.exact, late, "rules", stats=stats)
    known = Known(first.edges, first.sides)
    verdict = decided(puzzle, Relay, "sat", limit, budget, known, first.loops)
    return replace(verdict, engine=f"rules+{verdict.engine}")


def _is_over(budget: Budget) -> bool:
    try:
        budget.slice(1)
    except OutOfBudget:
        return True
    return False


class Relay:
    """SAT, and CP-SAT once SAT has spent HANDOVER conflicts; see `castlecp.engines.Engine`."""

    INCREMENTAL: ClassVar[bool] = True

    def __init__(self, model: Model, budget: Budget | None = None) -> None:
        from castlecp.engines.sat import Sat

        self._model = model
        self._engine: Engine = Sat(model, budget)
        self._added: list[Clause] = []
        self._spent = 0

    @property
    def name(self) -> str:
        """The engine at work."""
        return self._engine.name

    def add(self, clause: Clause) -> None:
        """Add a clause for good."""
        self._added.append(clause)
        self._engine.add(clause)

    def solve(self, assumptions: Sequence[int], budget: Budget) -> Sequence[int] | None:
        """An assignment, or None when there is none. Raises OutOfBudget."""
        if self._engine.name == "sat":
            patience = Budget(steps=HANDOVER - self._spent, parent=budget)
            try:
                return self._engine.solve(assumptions, patience)
            except OutOfBudget:
                budget.slice(1)  # raises when it is the caller's budget that is spent
                self._hand_over(budget)
            finally:
                self._spent += patience.spent
        return self._engine.solve(assumptions, budget)

    def _hand_over(self, budget: Budget) -> None:
        from castlecp.engines.cpsat import CpSat

        engine = CpSat(self._model, budget)
        engine.tighten()
        for clause in self._added:
            engine.add(clause)
        self._engine.close()
        self._engine = engine

    def core(self) -> list[int]:
        """Assumptions of the last call that are enough for its None."""
        return self._engine.core()

    def close(self) -> None:
        """Free the solver."""
        self._engine.close()
