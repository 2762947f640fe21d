"""One number for how hard a board is, from 1 to 10.

It is the effort that a step of the ladder takes on average, in doublings: a step at a glance costs
1, a supposition sixteen times as much (`effort` of `castlecp.ladder.words`). So it grows with how
often something hard is needed, and not with the size of a board. What a doubling is worth, and
where the numbers begin, was fitted once, so that boards that are made easy, normal, hard and
expert have 2, 4, 6 and 8 in the mean: `scripts/table_grades`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log2

from castlecp.ladder.words import REGISTRY

#: The number of a board of steps at a glance, and what twice the effort adds.
BASE, DOUBLING = 2.7, 3.3


def effort(per_rule: Mapping[str, int]) -> float:
    """The effort of a step on average, from how often each rule was needed; 1 without steps."""
    steps = sum(per_rule.values())
    return sum(REGISTRY[rule].effort * n for rule, n in per_rule.items()) / steps if steps else 1.0


def number(per_rule: Mapping[str, int], finished: bool = True) -> float:
    """How hard a board is, with one decimal; 10 where the ladder did not come to an end."""
    if not finished:
        return 10.0
    return round(min(max(BASE + DOUBLING * log2(effort(per_rule)), 1.0), 10.0), 1)
