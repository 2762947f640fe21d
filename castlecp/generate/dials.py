"""Dials: how much each clue says, from all that it could down to nothing.

Dials turn what a clue can say into a list. On the *fork* are all of its weaker forms; on
the *chain* only those of which each says all that the next one says; on *whole* none, so that a
clue stays as it is or goes. For Castle Wall that is
full, colour, wall on the chain, and the number alone besides on the fork.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from castlecp.budget import Budget
from castlecp.clues import Clue
from castlecp.errors import OutOfBudget
from castlecp.generate.rivals import Rivals
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.session import Live

Dial = Literal["chain", "fork", "whole"]


def weaker(clue: Clue) -> list[Clue]:
    """The forms of a clue that say less, the more telling first, each once."""
    return [other for other in dict.fromkeys(clue.weaker()) if other != clue]


def forms(clue: Clue, dial: Dial) -> list[Clue]:
    """A clue and its weaker forms on a dial, the most telling first."""
    below = [] if dial == "whole" else weaker(clue)
    if dial == "chain":
        chain: list[Clue] = []
        for form in reversed(below):
            if set(chain) <= set(weaker(form)):
                chain.insert(0, form)
        below = chain
    return [clue, *below]


def rank(clue: Clue) -> int:
    """How much a clue says: 1 more than the greatest rank among its weaker forms, at least 1."""
    return 1 + max(map(rank, weaker(clue)), default=0)


class Dials:
    """A board whose clues can be turned down, and the one loop that is meant.

    `at[i]` is the form of clue i that stands on the board, `len(forms[i])` when none does.
    """

    def __init__(
        self,
        board: Puzzle,
        loop: Loop,
        clues: Iterable[Clue],
        dial: Dial = "chain",
        budget: Budget | None = None,
        live: Live | None = None,
    ) -> None:
        self.board = board
        self.forms = [forms(clue, dial) for clue in clues]
        self.at = [0] * len(self.forms)
        flat = [form for group in self.forms for form in group]
        place = {form: k for k, form in enumerate(flat)}
        self.rivals = Rivals(board, loop, flat, live, budget)
        #: The set that each form stands for: itself and all of its weaker forms on the dial.
        self.sets: list[list[int]] = []
        #: The assumptions that say it.
        self.says: list[list[frozenset[int]]] = []
        for group in self.forms:
            implied = [{form, *weaker(form)} for form in group]
            parts = [[place[form] for form in group if form in said] for said in implied]
            self.sets.append([*(sum(1 << k for k in part) for part in parts), 0])
            literals = self.rivals.literals
            self.says.append(
                [*(frozenset(x for k in part for x in literals[k]) for part in parts), frozenset()]
            )
        #: Clues that are not turned any more.
        self.settled: set[int] = set()
        #: Questions that took too long, each taken as a no.
        self.unsettled = 0

    def __enter__(self) -> Dials:
        return self

    def __exit__(self, *_: object) -> None:
        self.rivals.live.close()

    def puzzle(self) -> Puzzle:
        """The board as it stands."""
        return replace(self.board, clues=self.clues())

    def clues(self) -> tuple[Clue, ...]:
        """The clues as they stand."""
        return tuple(
            group[at] for group, at in zip(self.forms, self.at, strict=True) if at < len(group)
        )

    def chosen(self, changed: dict[int, int] | None = None) -> int:
        """The set of clues on the board, some of them changed first."""
        at = self.at
        if changed:
            at = list(at)
            for i, form in changed.items():
                at[i] = form
        chosen = 0
        for sets, form in zip(self.sets, at, strict=True):
            chosen |= sets[form]
        return chosen

    def unique(self, budget: Budget, changed: dict[int, int] | None = None) -> bool:
        """Whether the board, changed so, has no other loop; what is not settled does not count."""
        try:
            return self.rivals.unique(self.chosen(changed), budget)
        except OutOfBudget:
            budget.slice(1)  # raises when it is not this question alone that took too long
            self.unsettled += 1
            return False

    def turn(self, changes: dict[int, int], budget: Budget) -> bool:
        """Make changes if the board stays unique; whether they were made."""
        if not self.unique(budget, changes):
            return False
        for i, form in changes.items():
            self.at[i] = form
        return True

    def settle(self, i: int) -> None:
        """Make what clue i says now a fact for the solver: it is not to be turned any more.

        A solver is the faster the less it is told as assumptions.
        """
        self.settled.add(i)
        for literal in sorted(self.says[i][self.at[i]]):
            self.rivals.live.engine.add([literal])

    def lean_on(self, failed: frozenset[int]) -> None:
        """Turn every clue down to what a proof needed of it: the failed assumptions."""
        for i, says in enumerate(self.says):
            if i not in self.settled:
                needed = says[self.at[i]] & failed
                self.at[i] = max(form for form in range(len(says)) if needed <= says[form])
