"""From a puzzle to a verdict: ask an engine, cut what is no single loop, block, ask again.

This is the one search loop. A puzzle is posted to a model, an engine holds the model; a
candidate with separations gets cuts, a loop is blocked by "some edge of this loop is off" (no
closed loop contains another), and the count stands when the engine proves that nothing is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

from castlecp.budget import Budget
from castlecp.cuts import Separator
from castlecp.engines import Engine, engine
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.model import Known, Model
from castlecp.verdict import Forced, Verdict, status


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
            cuts = self._separator.cuts(assignment, self.budget)
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
    engine_name: str = "sat",
    *,
    limit: int = 2,
    budget: Budget | None = None,
) -> Verdict:
    """The verdict on a puzzle, by one engine and one model made for it.

    `limit` is how many solutions to look for (at least 2 to tell unique from multiple).
    Raises TooLarge.
    """
    started = perf_counter()
    budget = budget or Budget()
    verdict = decided(puzzle, engine(engine_name), engine_name, limit, budget)
    verdict.stats["seconds"] = round(perf_counter() - started, 6)
    return verdict


def decided(
    puzzle: Puzzle,
    made: type[Engine],
    name: str,
    limit: int,
    budget: Budget,
    known: Known | None = None,
    loops: Sequence[Loop] = (),
) -> Verdict:
    """The verdict by an engine that is told some of the loops, and what is so in all others.

    `name` is that of the verdict's engine when the budget ends before there is one.
    """
    every, held, timed_out = list(loops), None, False
    stats: dict[str, float] = {"rounds": 0, "cuts": 0, "steps": budget.spent}
    try:
        model = Model.of(puzzle, budget, known)
        held = made(model, budget)
        for loop in loops:
            held.add([-model.edge(edge) for edge in loop.edges])
        search = Search(model, held, budget)
        try:
            for assignment in search.all(limit - len(loops)):
                every.append(model.loop(assignment))
        finally:
            stats = search.stats()
    except OutOfBudget:
        timed_out = True
    finally:
        if held is not None:
            held.close()
    exact = not timed_out and len(every) < limit
    name = name if held is None else held.name
    found = status(len(every), exact)
    return Verdict(found, tuple(every), exact, timed_out, name, stats=stats)


def forced_edges(puzzle: Puzzle, verdict: Verdict, made: type[Engine], budget: Budget) -> Forced:
    """What all solutions agree on, from a verdict that found some.

    Each further solution is asked to differ in an edge on which all others agree so far.
    """
    every = frozenset(puzzle.lattice.edges)
    on = frozenset.intersection(*(loop.edges for loop in verdict.loops))
    off = every.difference(*(loop.edges for loop in verdict.loops))
    settled = verdict.exact
    if not settled:
        held = None
        try:
            model = Model.of(puzzle, budget)
            held = made(model, budget)
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
            if held is not None:
                held.close()
        settled = settled or not (on or off)
    undecided = tuple(sorted(every - on - off))
    if settled:
        return Forced(tuple(sorted(on)), tuple(sorted(off)), undecided)
    return Forced((), (), undecided, tuple(sorted(on | off)))
