"""A provably smallest set of clues, by implicit hitting sets (Chandrasekaran and others 2011).

Every rival must violate some clue that is kept. So the least weight that hits the sets of the
rivals known so far is a lower bound, and a choice of that weight that no rival survives is
smallest. A rival that survives is first grown: it is made to obey as many clues as it can, which
leaves a small set, and tells the most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from castlecp.budget import Budget
from castlecp.errors import OutOfBudget
from castlecp.generate.dials import Dials, rank


def smallest(dials: Dials, weigh: Literal["clues", "pieces"], budget: Budget) -> int:
    """Turn the dials to a set of least weight, from one that is unique; the lower bound shown.

    Equal to the weight of the dials when proved smallest; when the budget ends the dials are at
    the best set found.
    """
    return _Search(dials, weigh, budget).run()


class _Search:
    """A search in options: each is a clue in one of its forms, with a weight."""

    def __init__(
        self,
        dials: Dials,
        weigh: Literal["clues", "pieces"],
        budget: Budget,
    ) -> None:
        self.dials, self.rivals, self.budget = dials, dials.rivals, budget
        #: The options as (clue, form) by number, from 1; without pieces only full clues are.
        self.options = [
            (i, form)
            for i, group in enumerate(dials.forms)
            for form in range(len(group) if weigh == "pieces" else 1)
        ]
        self.weights = [
            rank(dials.forms[i][form]) if weigh == "pieces" else 1 for i, form in self.options
        ]
        self.sets = [dials.sets[i][form] for i, form in self.options]
        self.selectors = [self._selector(i, form) for i, form in self.options]
        self.hits: Counter[int] = Counter()
        self.best = list(dials.at)
        self.lower, self.upper = 0, self._weight(self.best, weigh)

    def _selector(self, i: int, form: int) -> int:
        """A literal that implies what a form says."""
        return self.rivals.live.guard(*([x] for x in sorted(self.dials.says[i][form])))

    def _weight(self, at: list[int], weigh: str) -> int:
        said = [g[form] for g, form in zip(self.dials.forms, at, strict=True) if form < len(g)]
        return len(said) if weigh == "clues" else sum(map(rank, said))

    def run(self) -> int:
        """See `smallest`."""
        try:
            with hitting_sets(self.weights) as hitting:
                for known in list(self.rivals.known):
                    hitting.add_clause(self._grown(known))
                while self.lower < self.upper:
                    self._step(hitting)
                    self.budget.tell(lower=self.lower, upper=self.upper, best=list(self.best))
        except OutOfBudget:
            pass
        self.dials.at = self.best
        return self.lower

    def _step(self, hitting: Any) -> None:
        """One lower bound, and rivals that survive it or more clues on top of it."""
        chosen = [number for number in hitting_set(hitting, self.budget) or () if number > 0]
        self.lower = hitting.cost
        while self.lower < self.upper:
            survivor = self.rivals.find(self._set(chosen), self.budget)
            if survivor is None:
                weight = sum(self.weights[number - 1] for number in chosen)
                if weight < self.upper:
                    self.upper, self.best = weight, self._at(chosen)
                return
            clause = self._grown(survivor)
            hitting.add_clause(clause)
            chosen.append(max(clause, key=lambda number: (self.hits[number], number)))

    def _set(self, chosen: list[int]) -> int:
        out = 0
        for number in chosen:
            out |= self.sets[number - 1]
        return out

    def _at(self, chosen: list[int]) -> list[int]:
        """The dials at the weakest forms that say what the options say."""
        wanted = self._set(chosen)
        return [
            max(form for form, said in enumerate(sets) if not wanted & sets[0] & ~said)
            for sets in self.dials.sets
        ]

    def _grown(self, violated: int) -> list[int]:
        """The options that a rival violates once it obeys as many as it can."""
        live = self.rivals.live
        obeyed = 0
        while True:
            open_ = []
            for number, chosen in enumerate(self.sets, 1):
                if chosen & violated:
                    open_.append(number)
                else:
                    obeyed |= chosen
            one_more = live.guard([self.selectors[number - 1] for number in open_])
            better = self.rivals.ask(obeyed, self.budget, one_more)
            live.drop(one_more)
            if better is None:
                self.hits.update(open_)
                return open_
            violated = better


def hitting_sets(weights: Sequence[int]) -> Any:
    """A solver of hitting sets of least weight over the numbers from 1: PySAT's RC2."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    formula = WCNF()
    for number, weight in enumerate(weights, 1):
        formula.append([-number], weight=weight)
    return RC2(formula)


def hitting_set(hitting: Any, budget: Budget) -> list[int] | None:
    """A hitting set of least weight, as the numbers in it and the negated others; None if none.

    Conflicts are steps. Raises OutOfBudget.
    """
    budget.slice(1)
    before = hitting.oracle.accum_stats()["conflicts"]
    with budget.stopping(hitting.interrupt):
        found: list[int] | None = hitting.compute(expect_interrupt=True)
    budget.spend(hitting.oracle.accum_stats()["conflicts"] - before)
    if found is None:
        budget.look()
    return found
