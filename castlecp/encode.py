"""Counts as clauses: stateless steps from what a model states to what a SAT solver takes.

`simplify` takes counts to shorter counts (units known, nested counts as differences),
`clauses_of` takes one count to clauses, and `Counters` gives each prefix of a line of literals
reusable "at least j" literals, so that a count is a pair of assumptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from operator import itemgetter

from castlecp.model import FALSE, TRUE, Clause, Count

#: What holds, and what does not, among literals.
YES, NO = 1 << 30, -(1 << 30)

#: Counts whose plain clauses (no new variable) are at most this many are written plainly.
PLAIN = 40


def simplify(counts: Iterable[Count], false: set[int]) -> list[tuple[tuple[int, ...], int]]:
    """Counts as (literals, number) without known literals, a longer one less its prefix.

    When the literals of one count begin with those of another, the longer count is the
    shorter one plus a count of the rest, which is all that is kept.
    """
    out = []
    known = {*false, *(-x for x in false)}
    by_start: dict[int, list[tuple[tuple[int, ...], int]]] = {}
    for count in counts:
        left, sure = count.literals, 0
        if not known.isdisjoint(left):
            sure = sum(-x in false for x in left)
            left = tuple(x for x in left if x not in known)
        by_start.setdefault(left[0] if left else 0, []).append((left, count.number - sure))
    for group in by_start.values():
        group.sort(key=lambda count: len(count[0]))
        before: tuple[int, ...] = ()
        fewer = 0
        for literals, number in group:
            done = len(before)
            if literals[:done] != before:
                done, fewer = 0, 0
            out.append((literals[done:], number - fewer))
            before, fewer = literals, number
    return out


def clauses_of(literals: Sequence[int], number: int, new: Callable[[], int]) -> Iterator[Clause]:
    """Clauses for "exactly `number` of `literals`", new variables from `new`.

    Few literals: one clause for each subset that would be too many or too few. Otherwise a
    sequential counter (Sinz, CP 2005) with both directions, cut to the window that matters.
    """
    size = len(literals)
    if not 0 <= number <= size:
        yield []
    elif number in (0, size):
        sign = 1 if number else -1
        yield from ([sign * x] for x in literals)
    else:
        template, helpers = _template(size, number)
        names = [0, *literals, *(new() for _ in range(helpers))]
        names += [-x for x in names[:0:-1]]  # names[-i] is the negation of names[i]
        for named in template:
            yield named(names)


@lru_cache(maxsize=4096)
def _template(size: int, number: int) -> tuple[list[Callable[[Sequence[int]], Clause]], int]:
    """How to take each clause from the names of its literals, and how many helpers there are."""
    clauses, helpers = _numbered(size, number)
    # With two places or more `itemgetter` gives a tuple, and far quicker than a comprehension.
    return [itemgetter(*clause, *clause[: len(clause) == 1]) for clause in clauses], helpers


def _numbered(size: int, number: int) -> tuple[list[list[int]], int]:
    """Clauses over inputs 1..size and helpers size + 1...; and how many helpers there are."""
    if comb(size, number + 1) + comb(size, size - number + 1) <= PLAIN:
        inputs = range(1, size + 1)
        few = [list(part) for part in combinations(inputs, size - number + 1)]
        many = [[-x for x in part] for part in combinations(inputs, number + 1)]
        return few + many, 0
    clauses: list[list[int]] = []
    last = size

    def helper() -> int:
        nonlocal last
        last += 1
        return last

    def literals(i: int) -> list[int]:
        """For each j that "at least j of the first i", with helpers where it is open."""
        sure, possible = max(0, number - (size - i)), min(i, number)
        if not 0 < i < size:
            possible = sure
        some = [helper() for _ in range(sure, possible)]
        return [*[YES] * (sure + 1), *some, *[NO] * (number + 2 - possible)]

    def clause(*literals: int) -> None:
        if YES not in literals:
            clauses.append([x for x in literals if x != NO])

    before = literals(0)
    for i in range(1, size + 1):
        now = literals(i)
        for j in range(number + 2):
            # at least j + 1 now, if at least j before and the input; at least j now only if
            # at least j before or (at least j - 1 before and the input).
            clause(-i, -before[j], now[j + 1])
            clause(-before[j], now[j])
            clause(-now[j], before[j], i)
            if j:
                clause(-now[j], before[j - 1])
        before = now
    return clauses, last - size


class Counters:
    """Literals "at least j of these", shared by every count whose literals begin alike.

    `clauses` collects the definitions; both directions, so a counter's literal is true exactly
    when that many literals are.
    """

    def __init__(self, new: Callable[[], int]) -> None:
        self.new = new
        self.clauses: list[Clause] = []
        self._steps: dict[tuple[int, ...], list[int]] = {(): []}

    def exactly(self, literals: tuple[int, ...], number: int) -> list[int]:
        """The assumptions that say "exactly `number` of `literals`"."""
        if not 0 <= number <= len(literals):
            return [FALSE]
        least = self._at_least(literals)
        low = [least[number - 1]] if number else []
        high = [-least[number]] if number < len(literals) else []
        return low + high

    def _at_least(self, literals: tuple[int, ...]) -> list[int]:
        """The literals "at least 1", "at least 2", ... of the given ones."""
        known = len(literals)
        while literals[:known] not in self._steps:
            known -= 1
        before = self._steps[literals[:known]]
        for i in range(known, len(literals)):
            x = literals[i]
            now = [x] if i == 0 else [self.new() for _ in range(i + 1)]
            if i:
                ladder = [TRUE, *before, FALSE]
                for j, at_least in enumerate(now):
                    more, same = ladder[j], ladder[j + 1]
                    self.clauses.append((-more, -x, at_least))
                    self.clauses.append((-at_least, same, x))
                    if j:
                        self.clauses.append((-at_least, more))
                    if j < i:
                        self.clauses.append((-same, at_least))
            before = self._steps[literals[: i + 1]] = now
        return before
