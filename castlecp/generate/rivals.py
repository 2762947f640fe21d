"""Rivals: the loops of a lattice besides the one that is meant, and the clues that rule them out.

Clues are true of the loop that is meant, so a board is unique exactly when no rival obeys its
clues. Sets of clues are integers with one bit a clue: a rival is the set of the clues that it
violates, and a board that meets none of the known rivals' sets in an empty set has yet to be
asked of the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Self

from msgspec.structs import replace

from castlecp.budget import Budget
from castlecp.clues import Clue
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Loop
from castlecp.model import Speaker
from castlecp.session import Live, Said
from castlecp.solver import Search

#: Conflicts after which one question is given up.
STEPS = 20_000


class Rivals:
    """The rivals of a loop, as far as a list of true clues tells them apart.

    `board` says genre and size; its own clues do not count. The answer to `find` is a fact;
    which rival comes first depends on what was asked before. Raises OutOfBudget when the seconds
    end before all clues are posted.
    """

    def __init__(
        self,
        board: Puzzle,
        loop: Loop,
        clues: Sequence[Clue],
        live: Live | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.loop, self.clues = loop, tuple(clues)
        self.live = live or Live(loop.lattice, budget)
        model = self.live.model
        self.active = self.live.guard([-model.edge(edge) for edge in sorted(loop.edges)])
        posted: dict[Speaker, Said] = {}
        for part in _one_a_cell(self.clues):
            posted |= self.live.post(replace(board, clues=part), budget)
        rules = (None, *board.demands())
        self.always = [x for part in rules for x in posted[part].literals]
        self._said = [posted[clue] for clue in self.clues]
        #: For each clue the assumptions that say it.
        self.literals = [said.literals for said in self._said]
        #: The variables that say what clues are about; the others only help the solver.
        self._telling = model.variables
        #: What each known rival violates.
        self.known: list[int] = []
        #: The assumptions that the last None rests on.
        self.failed: frozenset[int] = frozenset()
        #: The last rival found.
        self.last: Loop | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.live.close()

    def find(self, chosen: int, budget: Budget) -> int | None:
        """What a rival that obeys the chosen clues violates; None when there is no such rival.

        Raises OutOfBudget.
        """
        for known in self.known:
            if not known & chosen:
                return known
        return self.ask(chosen, budget)

    def ask(self, chosen: int, budget: Budget, *assumptions: int) -> int | None:
        """Like `find`, of the solver and under further assumptions."""
        said = [x for k in bits(chosen) for x in self.literals[k]]
        under = dict.fromkeys([self.active, *self.always, *said, *assumptions])
        own = Budget(steps=STEPS, parent=budget)
        search = Search(self.live.model, self.live.engine, own, list(under))
        assignment = search.next_assignment()
        if assignment is None:
            self.failed = frozenset(self.live.engine.core())
            return None
        self.last = self.live.model.loop(assignment)
        violated = self._violated(assignment)
        self.known.append(violated)
        return violated

    def differing(self, chosen: int, budget: Budget, most: int) -> frozenset[Edge] | None:
        """The edges in which rivals that obey the chosen clues differ from the loop.

        None when they are more than `most`. Raises OutOfBudget.
        """
        model = self.live.model
        found: frozenset[Edge] = frozenset()
        while len(found) <= most:
            signs = (
                (edge, -1 if edge in self.loop.edges else 1) for edge in self.loop.lattice.edges
            )
            literals = [sign * model.edge(edge) for edge, sign in signs if edge not in found]
            elsewhere = self.live.guard(literals)
            violated = self.ask(chosen, budget, elsewhere)
            self.live.drop(elsewhere)
            if violated is None or self.last is None:
                return found
            found |= self.last.edges ^ self.loop.edges
        return None

    def unique(self, chosen: int, budget: Budget) -> bool:
        """Whether the chosen clues rule out every rival. Raises OutOfBudget."""
        return self.find(chosen, budget) is None

    def _violated(self, assignment: Sequence[int]) -> int:
        true = set(assignment[: self._telling])
        return sum(1 << k for k, said in enumerate(self._said) if said.broken(true))


def bits(chosen: int) -> Iterator[int]:
    """The places of the bits of a set."""
    while chosen:
        low = chosen & -chosen
        yield low.bit_length() - 1
        chosen ^= low


def _one_a_cell(clues: Sequence[Clue]) -> list[tuple[Clue, ...]]:
    """The clues in parts that have at most one clue a cell."""
    parts: list[list[Clue]] = [[]]
    seen: Counter[tuple[int, int]] = Counter()
    for clue in clues:
        cell = (clue.row, clue.col)
        if seen[cell] == len(parts):
            parts.append([])
        parts[seen[cell]].append(clue)
        seen[cell] += 1
    return [tuple(part) for part in parts]
