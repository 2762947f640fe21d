"""OR-Tools CP-SAT: counts as linear constraints, solved again after every cut.

One worker and a fixed seed, so that a budget of steps (conflicts) gives the same answer every
time. When a board turns out hard, redundant sums give the linear relaxation something to hold:
each vertex's edges sum to twice a Boolean, the edges across a gap to twice an integer, both
within the bounds that `castlecp.sums` derives. The model is written as a protocol buffer, since
CP-SAT's Python layer takes longer to build a small board than the solver to solve it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from ortools.sat.python import cp_model_helper as cp

from castlecp.budget import Budget
from castlecp.building import kept, parts, refuse_beyond_memory
from castlecp.encode import simplify
from castlecp.errors import OutOfBudget
from castlecp.grid import Lattice
from castlecp.model import TRUE, Clause, Model
from castlecp.model import base as base_of
from castlecp.sums import line_sums

#: Conflicts of a call before the redundant sums are added.
PATIENCE = 2_000

#: Bytes a vertex that the base of the model and this solver take: `scripts/table_memory`, `cpsat`.
EACH = 14_000
#: Seconds by which CP-SAT may be late before it is stopped from outside.
OVERTIME = 0.2

#: Little presolve and no linear relaxation: presolve takes longer than most boards.
QUICK = (
    "catch_sigint_signal:false num_workers:1 random_seed:1 linearization_level:0 "
    "symmetry_level:0 cp_model_probing_level:0 max_presolve_iterations:1"
)
STRONG = "catch_sigint_signal:false num_workers:1 random_seed:1 linearization_level:1"


class CpSat:
    """See `castlecp.engines.Engine`."""

    name = "cpsat"
    INCREMENTAL: ClassVar[bool] = False

    def __init__(self, model: Model, budget: Budget | None = None) -> None:
        budget = budget or Budget()
        base, self._variables = model.base, model.variables
        refuse_beyond_memory(model.lattice, EACH)
        self._proto = cp.CpModelProto()
        self._proto.copy_from(_blank(model.lattice, budget))
        self._assumptions: list[int] = []
        for _ in range(base.variables, model.variables):
            self._integer(0, 1)
        for clause in model.definitions:
            self.add(clause)
        for unit in model.units:
            self._fix(unit)
        false = model.false()
        for fact in model.facts:
            if len(fact.clause) == 1:
                self._fix(fact.clause[0])
            else:
                self.add(fact.clause)
        for literals, number in simplify(model.counts, false):
            self._sum(literals, number, number)
        for part in parts(base.degrees, budget):
            for clause in part:
                if not any(-x in false for x in clause):
                    self.add(clause)
        # The counts as posted now: what is posted later on the same model is another puzzle.
        self._model, self._counts, self._false = model, tuple(model.counts), false
        self._tightened = False

    def tighten(self) -> None:
        """Add the redundant sums, for the linear relaxation: easy boards never come to this."""
        self._tightened = True
        sums = line_sums(self._model.base, self._counts, self._false)
        if sums.contradiction:
            self.add(())
            return
        for vertex in self._model.lattice.vertices():
            star = [x for x in self._model.around(vertex) if x not in self._false]
            if len(set(star)) > 1:
                self._even(star, 0, 2)
        for literals, least, most in sums.gaps:
            self._even(literals, least, most)
        for literals, least, most in sums.lines:
            self._sum(literals, least, most)
        for clause in sums.visited:
            self.add(clause)

    def _fix(self, literal: int) -> None:
        """Make a literal true."""
        domain, value = self._proto.variables[abs(literal) - 1].domain, int(literal > 0)
        if value not in (domain[0], domain[1]):
            self.add(())
        domain[0] = domain[1] = value

    def _integer(self, least: int, most: int) -> int:
        """A new integer variable; its index."""
        self._proto.variables.add().domain.extend([least, most])
        return len(self._proto.variables) - 1

    def _sum(self, literals: Iterable[int], least: int, most: int, twice: int = -1) -> None:
        """least <= number of true literals - 2 * the integer variable `twice` <= most."""
        factors: dict[int, int] = {}
        negated = 0
        for x in literals:
            # A literal -v counts 1 - v.
            variable, sign = abs(x) - 1, 1 if x > 0 else -1
            factors[variable] = factors.get(variable, 0) + sign
            negated += x < 0
        if twice >= 0:
            factors[twice] = -2
        linear = self._proto.constraints.add().linear
        linear.vars.extend(list(factors))
        linear.coeffs.extend(list(factors.values()))
        linear.domain.extend([least - negated, most - negated])

    def _even(self, literals: Sequence[int], least: int, most: int) -> None:
        """The number of true literals is even and within bounds."""
        self._sum(literals, 0, 0, twice=self._integer((least + 1) // 2, most // 2))

    def add(self, clause: Clause) -> None:
        """Add a clause for good."""
        self._proto.constraints.add().bool_or.literals.extend(_references(clause))

    def solve(self, assumptions: Sequence[int], budget: Budget) -> Sequence[int] | None:
        """An assignment, or None when there is none. Raises OutOfBudget."""
        self._assumptions = list(assumptions)
        if not self._tightened:
            try:
                return self._ask(QUICK, Budget(steps=PATIENCE, parent=budget))
            except OutOfBudget:
                budget.slice(1)  # raises when it is the caller's budget that is spent
                self.tighten()
        return self._ask(STRONG, budget)

    def _ask(self, parameters: str, budget: Budget) -> Sequence[int] | None:
        proto = self._proto
        if self._assumptions:
            proto = cp.CpModelProto()
            proto.copy_from(self._proto)
            for x in self._assumptions:
                proto.constraints.add().bool_or.literals.extend(_references((x,)))
        limits = cp.SatParameters()
        limits.parse_text_format(parameters)
        limits.max_number_of_conflicts = budget.slice(2**62)
        seconds = budget.seconds_left()
        if seconds is not None:
            limits.max_time_in_seconds = seconds
        wrapper: Any = cp.SolveWrapper()
        wrapper.set_parameters(limits)
        with budget.stopping(wrapper.stop_search, OVERTIME):
            response = wrapper.solve(proto)
        budget.spend(response.num_conflicts)
        if response.status == cp.INFEASIBLE:
            return None
        if response.status in (cp.OPTIMAL, cp.FEASIBLE):
            solution = list(response.solution)
            return [v if solution[v - 1] else -v for v in range(1, self._variables + 1)]
        if response.status != cp.UNKNOWN:
            raise RuntimeError(f"CP-SAT refused the model: {response.solution_info}")
        budget.look()
        raise OutOfBudget("the steps or the seconds are spent")

    def core(self) -> list[int]:
        """All assumptions of the last call: CP-SAT is not asked which were needed."""
        return self._assumptions

    def close(self) -> None:
        """Free the solver."""
        self._proto = cp.CpModelProto()


def _references(literals: Iterable[int]) -> list[int]:
    """Literals as CP-SAT writes them: variables from 0, a negation as -(variable + 1)."""
    return [x - 1 if x > 0 else x for x in literals]


@kept(16)
def _blank(lattice: Lattice, budget: Budget) -> cp.CpModelProto:
    """The base of a lattice without its degrees, which depend on the puzzle."""
    shared, proto = base_of(lattice, budget), cp.CpModelProto()
    for variables in parts(range(1, shared.variables + 1), budget):
        for variable in variables:
            proto.variables.add().domain.extend([int(variable == TRUE), 1])
    for xors in parts(shared.xors, budget):
        for x, a, b in xors:
            # bool_xor asks for an odd number of true literals.
            proto.constraints.add().bool_xor.literals.extend(_references((-x, a, b)))
    proto.constraints.add().bool_or.literals.extend(_references(shared.clauses[-1]))
    return proto


ENGINE = CpSat
