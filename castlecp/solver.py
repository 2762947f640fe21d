"""From a puzzle to a verdict: ask an engine, cut what is no single loop, block, ask again.

This is the one search loop. A puzzle is posted to a model, an engine holds the model; a
candidate with separations gets cuts, a loop is blocked by "some edge of this loop is off" (no
closed loop contains another), and the count stands when the engine proves that nothing is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from time import perf_counter
from typing import Any, Self

from msgspec.structs import replace as replace_fields

from castlecp.budget import Budget
from castlecp.cuts import Separator
from castlecp.encode import Counters
from castlecp.engines import Engine, engine
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Lattice, Loop
from castlecp.model import Model


class Status(Enum):
    """What is known of the number of solutions. It has no truth value: compare it."""

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    NONE = "none"
    INCONCLUSIVE = "inconclusive"

    def __bool__(self) -> bool:
        raise TypeError("a status is one of four values; compare it, as in `status is UNIQUE`")


@dataclass(frozen=True, slots=True)
class Forced:
    """Edges by what all solutions say of them, each sorted.

    `undecided` edges are on in one solution and off in another. `unsettled` ones were not
    settled before the budget ran out; it is empty otherwise.
    """

    on: tuple[Edge, ...]
    off: tuple[Edge, ...]
    undecided: tuple[Edge, ...]
    unsettled: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `solve` found.

    `loops` are the solutions found, at most the limit. `exact` says that there are no others;
    otherwise there are at least that many, and `timed_out` says that the budget ended the
    search. `conflict` are clues, and names of demands, that have no solution together and of
    which none can be spared, when there is none. It has no truth value: compare `status`.
    """

    status: Status
    loops: tuple[Loop, ...]
    exact: bool
    timed_out: bool
    engine: str
    forced: Forced | None = None
    conflict: tuple[Any, ...] | None = None
    stats: dict[str, float] = field(default_factory=dict, compare=False)

    def __bool__(self) -> bool:
        raise TypeError("a verdict is one of four statuses; compare `verdict.status`")


class Search:
    """The loops of an engine's model, one after another, under assumptions.

    `rounds` is how often the engine was asked, `cuts` the clauses that were added on the way.
    """

    def __init__(
        self, model: Model, held: Engine, budget: Budget, assumptions: Sequence[int] = ()
    ) -> None:
        self.model, self.engine, self.budget = model, held, budget
        self.assumptions = list(assumptions)
        self._separator = Separator(model.lattice)
        self.rounds = 0
        self.cuts: list[list[int]] = []

    def next(self) -> Loop | None:
        """A loop, or None when proved to have none (left). Raises OutOfBudget."""
        assignment = self.next_assignment()
        return None if assignment is None else self.model.loop(assignment)

    def next_assignment(self) -> Sequence[int] | None:
        """Like `next`, as the engine's assignment."""
        while True:
            self.rounds += 1
            assignment = self.engine.solve(self.assumptions, self.budget)
            if assignment is None:
                return None
            cuts = self._separator.cuts(assignment)
            if not cuts:
                return assignment
            self.cuts += cuts
            for cut in cuts:
                self.engine.add(cut)

    def block(self, assignment: Sequence[int], *unless: int) -> None:
        """Rule out the loop of an assignment: some edge of it is off, or a literal of `unless`."""
        on = self.model.edges_on(assignment)
        self.engine.add([*unless, *(-edge for edge in on)])

    def stats(self) -> dict[str, float]:
        """What the search took so far."""
        return {"rounds": self.rounds, "cuts": len(self.cuts), "steps": self.budget.spent}

    def all(self, limit: int) -> Iterator[Sequence[int]]:
        """Assignments of different loops, at most `limit`; ends early when there is none left."""
        for found in range(limit):
            assignment = self.next_assignment()
            if assignment is None:
                return
            yield assignment
            if found + 1 < limit:
                self.block(assignment)


def solve(
    puzzle: Puzzle,
    engine_name: str = "auto",
    *,
    limit: int = 2,
    budget: Budget | None = None,
    forced: bool = False,
    conflict: bool = False,
) -> Verdict:
    """The verdict on a puzzle, by one engine and one model made for it.

    `limit` is how many solutions to look for (at least 2 to tell unique from multiple).
    `forced` and `conflict` ask for those parts of the verdict; both spend of the same budget.
    """
    made = engine(engine_name)
    started = perf_counter()
    budget = budget or Budget()
    model = Model.of(puzzle)
    held = made(model)
    try:
        search = Search(model, held, budget)
        loops: list[Loop] = []
        timed_out = False
        try:
            for assignment in search.all(limit):
                loops.append(model.loop(assignment))
        except OutOfBudget:
            timed_out = True
        exact = not timed_out and len(loops) < limit
        verdict = Verdict(
            status(len(loops), exact),
            tuple(loops),
            exact,
            timed_out,
            held.name,
            stats=search.stats(),
        )
    finally:
        held.close()
    if forced and loops:
        verdict = replace(verdict, forced=forced_edges(puzzle, verdict, engine_name, budget))
    if conflict and verdict.status is Status.NONE:
        verdict = replace(verdict, conflict=conflicting_clues(puzzle, budget))
    verdict.stats["seconds"] = round(perf_counter() - started, 6)
    return verdict


def status(found: int, exact: bool) -> Status:
    """The status when `found` solutions are known, and whether those are all."""
    if found > 1:
        return Status.MULTIPLE
    if not exact:
        return Status.INCONCLUSIVE
    return Status.UNIQUE if found else Status.NONE


def forced_edges(puzzle: Puzzle, verdict: Verdict, engine_name: str, budget: Budget) -> Forced:
    """What all solutions agree on, from a verdict that found some.

    Each further solution is asked to differ in an edge on which all others agree so far.
    """
    every = frozenset(puzzle.lattice.edges)
    on = frozenset.intersection(*(loop.edges for loop in verdict.loops))
    off = every.difference(*(loop.edges for loop in verdict.loops))
    settled = verdict.exact
    if not settled:
        model = Model.of(puzzle)
        held = engine(engine_name)(model)
        try:
            search = Search(model, held, budget)
            while not settled and (on or off):
                held.add([-model.edge(e) for e in on] + [model.edge(e) for e in off])
                loop = search.next()
                if loop is None:
                    settled = True
                else:
                    on, off = on & loop.edges, off - loop.edges
        except OutOfBudget:
            pass
        finally:
            held.close()
        settled = settled or not (on or off)
    undecided = tuple(sorted(every - on - off))
    if settled:
        return Forced(tuple(sorted(on)), tuple(sorted(off)), undecided)
    return Forced((), (), undecided, tuple(sorted(on | off)))


def conflicting_clues(puzzle: Puzzle, budget: Budget | None = None) -> tuple[Any, ...] | None:
    """Parts of a puzzle without solution that contradict each other; none can be spared.

    A part is a clue, or the name of one of the puzzle's demands. A clue that is impossible by
    itself is such a set alone. Each part left in was tried: the others have a solution. None when
    the budget ran out before that was shown, or when there is a solution after all. An empty set
    means that the board has no loop even without clues.
    """
    budget = budget or Budget()
    if min(puzzle.lattice.rows, puzzle.lattice.cols) < 2:
        return ()
    for clue, _ in puzzle.impossible():
        return (clue,)
    with Session(puzzle.lattice) as session:
        try:
            said = session.post(puzzle)
            kept = session.core(said, list(said), budget)
            if kept is None:
                return None
            for part in tuple(kept):
                without = session.core(said, [x for x in kept if x != part], budget)
                if without is not None:
                    kept = without
        except OutOfBudget:
            return None
    return tuple(kept)


class Session:
    """One live solver for a lattice; puzzles come as assumptions, lemmas and cuts stay.

    For batches, generation and minimisation. What a session publishes does not depend on what
    it solved before: settled statuses and the loop of a unique board are facts; the solutions
    of an ambiguous board, and a board that is hard under assumptions, are left to `solve`.
    """

    #: Conflicts after which a board is left to `solve`, where clues are facts and search is
    #: faster. They do not count against a caller's budget of steps.
    PATIENCE = 2_000

    #: After this many puzzles the solver is made anew, so that memory stays flat.
    RENEW = 2_000

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self._start()

    def _start(self) -> None:
        self.model = Model(self.lattice)
        self.engine = engine("sat")(self.model)
        self.counters = Counters(self.model.new)
        self.posted = self._defined = 0
        self._assumptions: dict[Any, list[int]] = {}
        self._selectors: dict[tuple[Any, ...], int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self.engine.close()

    def post(self, puzzle: Puzzle) -> dict[Any, list[int]]:
        """The assumptions that say what each clue, and each demand by its name, says.

        What a clue says depends on the clue and the lattice alone, so it is worked out once.
        """
        if puzzle.lattice != self.lattice:
            mine, other = self.lattice, puzzle.lattice
            raise ValueError(
                f"this session is for {mine.rows} x {mine.cols} vertices, "
                f"the puzzle has {other.rows} x {other.cols}"
            )
        if self.posted >= self.RENEW:
            self.close()
            self._start()
        self.posted += 1
        known, model = self._assumptions, self.model
        model.withdraw()
        model.post(replace_fields(puzzle, clues=[x for x in puzzle.clues if x not in known]))
        facts: dict[Any, list[Sequence[int]]] = {}
        for fact in model.facts:
            facts.setdefault(fact.clue, []).append(fact.clause)
        demands = puzzle.demands()
        known.update((demand, []) for demand in demands)
        for clue, clauses in facts.items():
            known[clue] = [self._selector(clauses)]
        for count in model.counts:
            literals = self.counters.exactly(count.literals, count.number)
            known.setdefault(count.clue, []).extend(literals)
        for clause in (*model.definitions[self._defined :], *self.counters.clauses):
            self.engine.add(clause)
        self._defined = len(model.definitions)
        self.counters.clauses.clear()
        return {part: known.get(part, []) for part in (*puzzle.clues, *demands)}

    def _selector(self, clauses: Sequence[Sequence[int]]) -> int:
        """A literal that implies clauses."""
        if len(clauses) == len(clauses[0]) == 1:
            return clauses[0][0]
        key = tuple(clauses)
        if key not in self._selectors:
            self._selectors[key] = literal = self.model.new()
            for clause in clauses:
                self.engine.add([-literal, *clause])
        return self._selectors[key]

    def status(self, puzzle: Puzzle, budget: Budget | None = None) -> Status:
        """The status of a puzzle; inconclusive when the budget ran out."""
        budget = budget or Budget()
        verdict = self._decide(puzzle, budget)
        if verdict is None:
            verdict = solve(puzzle, budget=budget)
        return verdict.status

    def solve(self, puzzle: Puzzle, budget: Budget | None = None) -> Verdict:
        """The verdict on a puzzle, as `solve` would give it."""
        budget = budget or Budget()
        verdict = self._decide(puzzle, budget)
        if verdict is None or verdict.status is Status.MULTIPLE:
            return solve(puzzle, budget=budget)
        return verdict

    def _decide(self, puzzle: Puzzle, budget: Budget) -> Verdict | None:
        """A settled verdict, of which an ambiguous board's loops are not to be published."""
        assumptions = [x for literals in self.post(puzzle).values() for x in literals]
        active = self.model.new()
        patience = Budget(budget.seconds_left(), self.PATIENCE)
        search = Search(self.model, self.engine, patience, [*assumptions, active])
        loops: list[Loop] = []
        try:
            first = search.next_assignment()
            if first is not None:
                loops.append(self.model.loop(first))
                search.block(first, -active)
                second = search.next_assignment()
                if second is not None:
                    loops.append(self.model.loop(second))
        except OutOfBudget:
            return None
        finally:
            self.engine.add([-active])
        exact = len(loops) < 2
        return Verdict(
            status(len(loops), exact),
            tuple(loops),
            exact,
            False,
            self.engine.name,
            stats=search.stats(),
        )

    def core(
        self, said: dict[Any, list[int]], parts: Sequence[Any], budget: Budget
    ) -> list[Any] | None:
        """Of the given parts, some that have no solution together; None when all have one.

        `said` is what `post` gave. Raises OutOfBudget.
        """
        chosen = [x for part in parts for x in said[part]]
        search = Search(self.model, self.engine, budget, chosen)
        if search.next_assignment() is not None:
            return None
        failed = set(self.engine.core())
        return [part for part in parts if not failed.isdisjoint(said[part])]
