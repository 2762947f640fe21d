"""Live solvers: one for a lattice, and one puzzle after another as assumptions.

Literals mean something only to the solver they were made for. So what is posted is handed out
together with its `Live` solver, and a session that goes over to a new one leaves the old one to
those who still hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Self
from weakref import finalize

from msgspec.structs import replace

from castlecp.budget import Budget
from castlecp.building import looked
from castlecp.clues import Clue
from castlecp.encode import Counters
from castlecp.engines import engine
from castlecp.errors import OutOfBudget, PuzzleError
from castlecp.genres import Puzzle
from castlecp.grid import Lattice, Loop
from castlecp.model import Count, Model, Speaker
from castlecp.solver import Search
from castlecp.verdict import Part, Status, Verdict, status


@dataclass(slots=True)
class Said:
    """What one clue, or one demand, says: to a solver as assumptions, and as it stands."""

    literals: list[int] = field(default_factory=list)
    clauses: list[Sequence[int]] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)

    def broken(self, true: set[int]) -> bool:
        """Whether an assignment, as the set of its literals, is against it."""
        return any(true.isdisjoint(clause) for clause in self.clauses) or any(
            sum(x in true for x in count.literals) != count.number for count in self.counts
        )


class Live:
    """A solver for the loops of a lattice that learns what puzzles say as they come.

    It is freed when nobody holds it any more, or by `close`. Raises OutOfBudget when the seconds
    end before it is made, and TooLarge.
    """

    def __init__(self, lattice: Lattice, budget: Budget | None = None) -> None:
        self.model = Model(lattice, budget)
        self.engine = engine("sat")(self.model, budget)
        self.close = finalize(self, self.engine.close)
        self._counters = Counters(self.model.new)
        self._defined = 0
        self._said: dict[Puzzle, dict[Speaker, Said]] = {}
        self._guards: dict[tuple[Any, ...], int] = {}

    def post(self, puzzle: Puzzle, budget: Budget | None = None) -> dict[Speaker, Said]:
        """What each clue of a puzzle, each demand by its name, and None, the rules, say.

        What a clue says depends on the clue and the board without clues, so it is worked out once.
        Raises OutOfBudget when the seconds end; what was posted by then is of no use.
        """
        budget = budget or Budget()
        if puzzle.lattice != self.model.lattice:
            mine, other = self.model.lattice, puzzle.lattice
            raise ValueError(
                f"this session is for {mine.rows} x {mine.cols} vertices, "
                f"the puzzle has {other.rows} x {other.cols}"
            )
        known, model = self._said.setdefault(replace(puzzle, clues=()), {}), self.model
        model.withdraw()
        model.post(replace(puzzle, clues=tuple(x for x in puzzle.clues if x not in known)))
        new: dict[Speaker, Said] = {}
        for fact in model.facts:
            new.setdefault(fact.clue, Said()).clauses.append(fact.clause)
        for said in new.values():
            said.literals.append(self._guard_for(said.clauses))
        for count in looked(model.counts, budget):
            said = new.setdefault(count.clue, Said())
            said.literals += self._counters.exactly(count.literals, count.number)
            said.counts.append(count)
        new_clauses = chain(model.definitions[self._defined :], self._counters.clauses)
        for clause in looked(new_clauses, budget):
            self.engine.add(clause)
        self._defined = len(model.definitions)
        self._counters.clauses.clear()
        # Demands and rules do not depend on clues, and are told each time all the same.
        known |= new
        parts: tuple[Speaker, ...] = (None, *puzzle.clues, *puzzle.demands())
        return {part: known.setdefault(part, Said()) for part in parts}

    def _guard_for(self, clauses: Sequence[Sequence[int]]) -> int:
        if len(clauses) == len(clauses[0]) == 1:
            return clauses[0][0]
        key = tuple(clauses)
        if key not in self._guards:
            self._guards[key] = self.guard(*clauses)
        return self._guards[key]

    def guard(self, *clauses: Iterable[int]) -> int:
        """A new literal that implies clauses: they hold in questions that assume it."""
        literal = self.model.new()
        for clause in clauses:
            self.engine.add([-literal, *clause])
        return literal

    def drop(self, guard: int) -> None:
        """Give a guard up for good."""
        self.engine.add([-guard])

    def core(
        self, said: dict[Speaker, Said], parts: Sequence[Part], budget: Budget
    ) -> list[Part] | None:
        """Of the given parts, some that have no solution together; None when all have one.

        `said` is what `post` gave; the rules in it hold in any case. Raises OutOfBudget.
        """
        chosen = [x for part in (None, *parts) for x in said[part].literals]
        search = Search(self.model, self.engine, budget, chosen)
        if search.next_assignment() is not None:
            return None
        failed = set(self.engine.core())
        return [part for part in parts if not failed.isdisjoint(said[part].literals)]


def _cold(puzzle: Puzzle, budget: Budget) -> Verdict:
    """The verdict by `castlecp.auto`, which is loaded here: what asks a `Live` needs no rules."""
    from castlecp import auto

    return auto.solve(puzzle, budget=budget)


class Session:
    """One live solver for a lattice; puzzles come as assumptions, lemmas and cuts stay.

    For batches. What a session publishes does not depend on what it solved before: settled
    statuses and the loop of a unique board are facts; the solutions of an ambiguous board, a board
    that is hard under assumptions, and one most of whose clues are new, are left to `solve`.
    """

    #: Conflicts after which a board is left to `solve`, where clues are facts and search is
    #: faster. They do not count against a caller's budget of steps.
    PATIENCE = 2_000

    #: After this many puzzles the solver is made anew, so that memory stays flat.
    RENEW = 2_000

    def __init__(self, lattice: Lattice) -> None:
        if not isinstance(lattice, Lattice):
            raise PuzzleError("a session is for a Lattice, such as that of a puzzle")
        self.live = Live(lattice)
        self.posted = 0
        self._seen: set[Clue] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self.live.close()

    def status(self, puzzle: Puzzle, budget: Budget | None = None) -> Status:
        """The status of a puzzle; inconclusive when the budget ran out."""
        budget = budget or Budget()
        verdict = self._decide(puzzle, budget)
        if verdict is None:
            verdict = _cold(puzzle, budget)
        return verdict.status

    def solve(self, puzzle: Puzzle, budget: Budget | None = None) -> Verdict:
        """The verdict on a puzzle, as `solve` would give it."""
        budget = budget or Budget()
        verdict = self._decide(puzzle, budget)
        if verdict is None or verdict.status is Status.MULTIPLE:
            return _cold(puzzle, budget)
        return verdict

    def _decide(self, puzzle: Puzzle, budget: Budget) -> Verdict | None:
        """A settled verdict, of which an ambiguous board's loops are not to be published."""
        if self.posted >= self.RENEW:
            self.live, self.posted = Live(self.live.model.lattice), 0
            self._seen.clear()
        self.posted += 1
        new = [clue for clue in puzzle.clues if clue not in self._seen]
        self._seen.update(new)
        if 2 * len(new) > len(puzzle.clues) and puzzle.lattice == self.live.model.lattice:
            return None  # to tell a solver for good takes longer than to settle it once
        live = self.live
        try:
            said = live.post(puzzle, budget)
        except OutOfBudget:
            return None
        assumptions = [x for one in said.values() for x in one.literals]
        active = live.guard()
        patience = budget.aside(self.PATIENCE)
        search = Search(live.model, live.engine, patience, [*assumptions, active])
        loops: list[Loop] = []
        try:
            first = search.next_assignment()
            if first is not None:
                loops.append(live.model.loop(first))
                search.block(first, -active)
                second = search.next_assignment()
                if second is not None:
                    loops.append(live.model.loop(second))
        except OutOfBudget:
            return None
        finally:
            live.drop(active)
        exact = len(loops) < 2
        return Verdict(
            status(len(loops), exact),
            tuple(loops),
            exact,
            False,
            live.engine.name,
            stats=search.stats(),
        )


def conflicting_clues(puzzle: Puzzle, budget: Budget | None = None) -> tuple[Part, ...] | None:
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
    live = None
    try:
        live = Live(puzzle.lattice, budget)
        said = live.post(puzzle, budget)
        kept = live.core(said, [part for part in said if part is not None], budget)
        if kept is None:
            return None
        for part in tuple(kept):
            without = live.core(said, [x for x in kept if x != part], budget)
            if without is not None:
                kept = without
    except OutOfBudget:
        return None
    finally:
        if live is not None:
            live.close()
    return tuple(kept)
