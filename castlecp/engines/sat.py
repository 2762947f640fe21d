"""PySAT's MiniSat (GitHub version): incremental, and the fastest measured on these models.

PySAT's compiled module is called directly: its Python layer takes 0.1 s to import and costs
more a clause than the solver itself. The solver runs in slices of conflicts, between which the
budget is looked at; `Budget.cancel` and the deadline break a slice off. Another of its solvers that
can be stopped after so many conflicts, and interrupted, is an engine in a file of its own: a
subclass of `Sat` with its `name` and `SOLVER`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, repeat
from types import SimpleNamespace
from typing import Any, ClassVar

import pysolvers

from castlecp.budget import Budget
from castlecp.building import parts
from castlecp.encode import clauses_of, simplify
from castlecp.model import Clause, Model
from castlecp.sums import line_sums

#: Conflicts of the first slice, and of the longest; each slice doubles.
FIRST_SLICE, LAST_SLICE = 2_000, 16_000
#: Seconds by which a slice may be late before it is broken off.
OVERTIME = 0.05


@cache
def _calls(solver: str) -> SimpleNamespace:
    """What PySAT's module can do with one of its solvers."""
    verbs = (
        "new",
        "add_cl",
        "setphases",
        "cbudget",
        "solve_lim",
        "interrupt",
        "clearint",
        "acc_stats",
        "model",
        "core",
        "del",
    )
    return SimpleNamespace(**{verb: getattr(pysolvers, f"{solver}_{verb}") for verb in verbs})


class Sat:
    """See `castlecp.engines.Engine`."""

    name = "sat"
    #: The solver, as PySAT's module calls it.
    SOLVER: ClassVar[str] = "minisatgh"
    INCREMENTAL: ClassVar[bool] = True

    def __init__(self, model: Model, budget: Budget | None = None) -> None:
        budget = budget or Budget()
        self._do = _calls(self.SOLVER)
        self._solver: Any = self._do.new()
        self._contradiction = False
        self._conflicts = 0
        # The base comes last: clauses of it that the facts make true are then never stored.
        self._add_all(((unit,) for unit in model.units), budget)
        self._add_all((fact.clause for fact in model.facts), budget)
        self._false = model.false()
        counts = simplify(model.counts, self._false)
        self._add_all(
            chain.from_iterable(clauses_of(*count, model.new) for count in counts), budget
        )
        self._add_all(model.definitions, budget)
        self._add_all(model.base_clauses(), budget)
        # The counts as posted now: what a session posts later are assumptions, not facts.
        self._model, self._counts, self._tightened = model, tuple(model.counts), False
        # What is free is outside in every candidate: fewer pieces than if it were left as it was.
        sides = range(model.base.first_side, model.base.first_edge)
        self._do.setphases(self._solver, [-side for side in sides])

    def _add_all(self, clauses: Iterable[Clause], budget: Budget) -> None:
        for part in parts(clauses, budget):
            # It says False once there is a contradiction.
            if not all(map(self._do.add_cl, repeat(self._solver), part)):
                self._contradiction = True
                return

    def add(self, clause: Clause) -> None:
        """Add a clause for good."""
        if clause:
            self._do.add_cl(self._solver, clause)
        else:
            self._contradiction = True

    def solve(self, assumptions: Sequence[int], budget: Budget) -> Sequence[int] | None:
        """An assignment, or None when there is none. Raises OutOfBudget."""
        if self._contradiction:
            return None
        slice_, settled = FIRST_SLICE, None
        while settled is None and not self._contradiction:
            self._do.cbudget(self._solver, budget.slice(slice_))
            self._do.clearint(self._solver)
            with budget.stopping(self._stop, OVERTIME):
                settled = self._do.solve_lim(self._solver, assumptions, 0, 1)
            conflicts = self._do.acc_stats(self._solver)["conflicts"]
            budget.spend(conflicts - self._conflicts)
            self._conflicts = conflicts
            slice_ = min(2 * slice_, LAST_SLICE)
            if settled is None and not self._tightened:
                self._tighten(budget)
        if not settled:
            return None
        assignment: Sequence[int] = self._do.model(self._solver)
        return assignment

    def _stop(self) -> None:
        self._do.interrupt(self._solver)

    def _tighten(self, budget: Budget) -> None:
        """Add what follows from the sums of whole lines: easy boards never come to this."""
        self._tightened = True
        sums = line_sums(self._model.base, self._counts, self._false)
        if sums.contradiction:
            self.add(())
        for literals, least, most in (*sums.gaps, *sums.lines):
            if least == most:
                self._add_all(clauses_of(literals, least, self._model.new), budget)
        self._add_all(sums.visited, budget)

    def core(self) -> list[int]:
        """Assumptions of the last call that are enough for its None."""
        if self._contradiction:
            return []
        return list(self._do.core(self._solver) or ())

    def close(self) -> None:
        """Free the solver."""
        if self._solver is not None:
            getattr(self._do, "del")(self._solver)
            self._solver = None


ENGINE = Sat
