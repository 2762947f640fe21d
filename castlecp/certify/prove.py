"""Make a certificate: find the loop and the cuts, then prove in one shot that no other is left.

The proof is about the checker's own clauses (`castlecp.certify.formula`), not about those on
which the loop was found. It comes from Glucose 4.2, one of PySAT's solvers whose proofs check
(https://github.com/pysathq/pysat/issues/233 tells of some that do not), without assumptions
and without clauses added on the way. A formula of eight clauses is proved and checked before
the first certificate, and every certificate is checked before it is given out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from itertools import product
from time import perf_counter
from typing import Any

import msgspec

from castlecp import __version__
from castlecp.budget import Budget
from castlecp.certify import second
from castlecp.certify.certificate import Certificate, encode, hash_of, most_lines, pack
from castlecp.certify.clauses import Clause, base_of
from castlecp.certify.formula import Formula, blocking, settled, stated
from castlecp.certify.verify import replay, variables_of, verify
from castlecp.engines import engine
from castlecp.errors import Disagreement, OutOfBudget, Rejected
from castlecp.genres import Puzzle
from castlecp.grid import Lattice, Loop
from castlecp.model import Model, base
from castlecp.solver import Search
from castlecp.verdict import Status, status

#: Conflicts between two looks at the budget.
SLICE = 2_000

#: Packages whose versions a certificate names.
PACKAGES = ("python-sat", "ortools", "dratify")


@dataclass(frozen=True)
class Outcome:
    """What `certify` found.

    `loops` are the solutions found, at most two. `certificate` is there when the status is
    unique, `reason` when it is inconclusive. `seconds` is the wall time of each part of the
    work; nothing else depends on the machine.
    """

    status: Status
    loops: tuple[Loop, ...]
    certificate: Certificate | None = None
    reason: str | None = None
    seconds: dict[str, float] = field(default_factory=dict, compare=False)


def certify(puzzle: Puzzle, budget: Budget | None = None, *, graded: bool = True) -> Outcome:
    """The verdict on a puzzle, with a certificate when it has exactly one solution.

    `graded` asks for the grade, which on hard boards takes many times longer than the proof.
    The same puzzle and steps give the same outcome each time. Raises Disagreement when another
    method, or the checker, does not bear the verdict out.
    """
    budget = budget or Budget()
    seconds: dict[str, float] = {}
    loops: list[Loop] = []
    try:
        with _timed(seconds, "search"):
            cuts = _search(puzzle, budget, loops)
        found = status(len(loops), exact=len(loops) < 2)
        if found is not Status.UNIQUE:
            return Outcome(found, tuple(loops), seconds=seconds)
        (loop,) = loops
        with _timed(seconds, "proof"):
            named = _in_faces(puzzle.lattice, cuts)
            claim = stated(puzzle, loop.edges, named)
            proof = prove(claim, budget)
        with _timed(seconds, "second opinions"):
            cpsat = second.cpsat(puzzle, loop, cuts, budget)
            backtracker = second.backtracker(puzzle, loop, budget)
        with _timed(seconds, "grade"):
            grade = second.grade(puzzle, budget) if graded else None
    except OutOfBudget as error:
        return Outcome(Status.INCONCLUSIVE, tuple(loops), reason=str(error), seconds=seconds)
    base = base_of(puzzle.lattice)
    certificate = Certificate(
        puzzle=msgspec.to_builtins(puzzle),
        sha256=hash_of(encode(puzzle)),
        loop=tuple(sorted(loop.edges)),
        variables=variables_of(base, claim),
        cuts=tuple(named),
        blocking=blocking(base, loop.edges),
        proof=pack(proof),
        cpsat=cpsat,
        backtracker=backtracker,
        grade=grade,
        versions=_versions(),
    ).sealed()
    with _timed(seconds, "check"):
        try:
            verify(certificate, budget.aside())
        except Rejected as error:
            raise Disagreement(f"the checker rejects a new certificate: {error}") from None
        except OutOfBudget as error:
            reason = f"the certificate is not checked: {error}"
            return Outcome(Status.INCONCLUSIVE, (loop,), reason=reason, seconds=seconds)
    return Outcome(Status.UNIQUE, (loop,), certificate, seconds=seconds)


def _search(puzzle: Puzzle, budget: Budget, loops: list[Loop]) -> list[list[int]]:
    """Up to two solutions, appended to `loops`; the cuts it took. Raises OutOfBudget."""
    model = Model.of(puzzle, budget)
    held = engine("sat")(model, budget)
    try:
        search = Search(model, held, budget)
        for assignment in search.all(limit=2):
            loops.append(model.loop(assignment))
        return search.cuts
    finally:
        held.close()


def _in_faces(lattice: Lattice, cuts: Sequence[Sequence[int]]) -> list[Clause]:
    """Cuts over the sides of the model as clauses over the faces of the checker."""
    shift = lattice.number_of_edges + 1 - base(lattice).first_side
    return [tuple(x + shift if x > 0 else x - shift for x in cut) for cut in cuts]


def prove(claim: Formula, budget: Budget) -> str:
    """A DRAT proof, as text, that clauses contradict each other.

    Raises OutOfBudget, and Disagreement when they do not.
    """
    _self_test()
    return _proof(claim, budget)


def _proof(claim: Formula, budget: Budget) -> str:
    clauses = settled(claim.clauses)
    if clauses == [()]:
        return "0\n"
    from pysat.solvers import Glucose42

    with Glucose42(bootstrap_with=clauses, with_proof=True) as solver:
        answer, spent = None, 0
        while answer is None:
            solver.conf_budget(budget.slice(SLICE))
            with budget.stopping(solver.interrupt):
                answer = solver.solve_limited(expect_interrupt=True)
            solver.clear_interrupt()
            conflicts = solver.accum_stats()["conflicts"]
            budget.spend(conflicts - spent)
            spent = conflicts
        if answer:
            raise Disagreement("a board that has one solution has another in the checker's clauses")
        # Deletions only save a checker memory.
        lines = [line for line in solver.get_proof() if not line.startswith("d")]
    if len(lines) >= most_lines(claim.variables):
        raise OutOfBudget("the proof is longer than those that are checked")
    if not lines or lines[-1] != "0":
        lines.append("0")
    return "\n".join(lines) + "\n"


@cache
def _self_test() -> None:
    """A proof that is right is accepted and one that is not is rejected, before any is made."""
    claim = Formula(3, [(a, 2 * b, 3 * c) for a, b, c in product((1, -1), repeat=3)])
    replay(claim, _proof(claim, Budget()))
    try:
        replay(claim, "0\n")
    except Rejected:
        return
    raise Disagreement("the proof checker accepts a proof that is none")


@cache
def _versions() -> dict[str, str]:
    return {"castlecp": __version__} | {name: version(name) for name in PACKAGES}


@contextmanager
def _timed(seconds: dict[str, Any], part: str) -> Iterator[None]:
    started = perf_counter()
    try:
        yield
    finally:
        seconds[part] = perf_counter() - started
