"""SAT first; CP-SAT takes over when a stated number of conflicts is spent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from castlecp.budget import Budget
from castlecp.engines import Engine
from castlecp.engines.sat import Sat
from castlecp.errors import OutOfBudget
from castlecp.model import Clause, Model

#: Conflicts after which CP-SAT takes over: twice what the hardest public board took SAT.
HANDOVER = 100_000


class Auto:
    """See `castlecp.engines.Engine`."""

    INCREMENTAL: ClassVar[bool] = True

    def __init__(self, model: Model, budget: Budget | None = None) -> None:
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
        if isinstance(self._engine, Sat):
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


ENGINE = Auto
