"""Budgets: how long a search may take, shared down the whole call chain."""

from __future__ import annotations

from math import isnan
from time import monotonic

from castlecp.errors import CastlecpError, OutOfBudget


class Budget:
    """Seconds of wall time and steps of search, spent together by all who share the object.

    A step is one conflict of a solver, or one node of the backtracker. A budget of steps gives
    the same answer on every machine; one of seconds does not. None means no limit. What is
    spent of a part is spent of its `parent` too. Raises CastlecpError for less than nothing.
    """

    def __init__(
        self,
        seconds: float | None = None,
        steps: int | None = None,
        parent: Budget | None = None,
    ) -> None:
        if seconds is not None and not (_is_number(seconds) and seconds >= 0):
            raise CastlecpError(
                f"`seconds` of a budget must be a number from 0 on, not {seconds!r}"
            )
        if steps is not None and not (type(steps) is int and steps >= 0):
            raise CastlecpError(
                f"`steps` of a budget must be a whole number from 0 on, not {steps!r}"
            )
        self.parent = parent
        self.deadline = None if seconds is None else monotonic() + seconds
        self.steps = steps
        self.spent = 0

    def look(self) -> None:
        """Raises OutOfBudget when the seconds are spent: for work that takes no steps."""
        if self.parent is not None:
            self.parent.look()
        if self.deadline is not None and monotonic() >= self.deadline:
            raise OutOfBudget("the time is spent")

    def slice(self, most: int) -> int:
        """How many steps may be taken before the next look: at least 1, at most `most`.

        Raises OutOfBudget when the steps or the seconds are spent.
        """
        self.look()
        if self.parent is not None:
            most = self.parent.slice(most)
        if self.steps is None:
            return most
        if self.spent >= self.steps:
            raise OutOfBudget("the steps are spent")
        return min(most, self.steps - self.spent)

    def seconds_left(self) -> float | None:
        """Seconds until the deadline (never negative), or None."""
        own = None if self.deadline is None else max(self.deadline - monotonic(), 0.0)
        above = self.parent.seconds_left() if self.parent else None
        return min((x for x in (own, above) if x is not None), default=None)

    def spend(self, steps: int) -> None:
        """Record steps taken."""
        self.spent += steps
        if self.parent is not None:
            self.parent.spend(steps)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not isnan(value)
