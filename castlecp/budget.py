"""Budgets: how long a search may take, shared down the whole call chain, and how far it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from math import inf, isnan
from threading import TIMEOUT_MAX, Condition, RLock, Thread
from time import monotonic
from typing import Any

from castlecp.errors import Cancelled, CastlecpError, OutOfBudget

#: Steps of a slice that is not to be bounded: more than any search takes.
NO_LIMIT = 1 << 40


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is.

    `phase` is what it does now, in a few words; `steps` and `seconds` are what it has taken.
    `total` is how many steps there will be. `lower` and `upper` bound what it looks for (how many
    clues, changes, solutions); `best` is the best that it has found. None where nothing is known,
    or nothing is looked for.
    """

    phase: str = ""
    steps: int = 0
    seconds: float = 0.0
    total: int | None = None
    lower: int | None = None
    upper: int | None = None
    best: Any = None


#: Told how far a search is each time that something of it changes, in the thread that searches.
Watch = Callable[[Progress], None]


class Budget:
    """Seconds of wall time and steps of search, spent together by all who share the object.

    A step is one conflict of a solver, one node of the backtracker, one cell of a sweep that
    counts, one line of a proof that is checked, or one step or assumption of the ladder. A budget
    of steps gives the same answer on every machine; one of seconds does not. None means no limit.
    What is spent of a part is spent of its `parent` too, and `aside` is a part of which it is not.
    `watch` is told of what is spent, and of what `tell` is told. Raises CastlecpError for less
    than nothing, a parent that is no budget and a watch that is no function.

    `cancel` ends all that shares the budget, or a part of it, from whatever thread it is called.
    """

    def __init__(
        self,
        seconds: float | None = None,
        steps: int | None = None,
        parent: Budget | None = None,
        *,
        watch: Watch | None = None,
    ) -> None:
        if seconds is not None and not (_is_number(seconds) and seconds >= 0):
            raise CastlecpError(
                f"`seconds` of a budget must be a number from 0 on, not {seconds!r}"
            )
        if steps is not None and not (type(steps) is int and steps >= 0):
            raise CastlecpError(
                f"`steps` of a budget must be a whole number from 0 on, not {steps!r}"
            )
        if not (parent is None or isinstance(parent, Budget)):
            raise CastlecpError(f"`parent` of a budget must be a Budget, not {parent!r}")
        if not (watch is None or callable(watch)):
            raise CastlecpError(f"`watch` of a budget must be a function, not {watch!r}")
        self.parent = parent
        self.started = monotonic()
        self.deadline = None if seconds is None else self.started + seconds
        self.steps = steps
        self.spent = 0
        self.cancelled = False
        self._shares_steps = True
        self._watch = watch
        self._known = Progress()
        self._lock: RLock = parent._lock if parent else RLock()
        self._stops: dict[object, Callable[[], object]] = {}

    def aside(self, steps: int | None = None) -> Budget:
        """A part with its own steps, which do not count here; time and `cancel` are shared."""
        part = Budget(steps=steps, parent=self)
        part._shares_steps = False
        return part

    def slice(self, most: int) -> int:
        """How many steps may be taken before the next look: at least 1, at most `most`.

        Raises OutOfBudget when the steps or the seconds are spent, Cancelled after `cancel`.
        """
        self.look()
        if self.parent is not None and self._shares_steps:
            most = self.parent.slice(most)
        if self.steps is None:
            return most
        if self.spent >= self.steps:
            raise OutOfBudget("the steps are spent")
        return min(most, self.steps - self.spent)

    def look(self) -> None:
        """Raise OutOfBudget when the seconds are over, and Cancelled; steps do not count."""
        if self.parent is not None:
            self.parent.look()
        if self.cancelled:
            raise Cancelled("cancelled")
        if self.deadline is not None and monotonic() >= self.deadline:
            raise OutOfBudget("the time is spent")

    def over(self, known: Any = None) -> OutOfBudget:
        """The error for a search that the budget has ended, with what is known."""
        try:
            self.slice(1)
        except OutOfBudget as error:
            return type(error)(str(error), known)
        return OutOfBudget("the steps are spent", known)

    def seconds_left(self) -> float | None:
        """Seconds until the deadline (never negative), or None."""
        own = None if self.deadline is None else max(self.deadline - monotonic(), 0.0)
        above = self.parent.seconds_left() if self.parent else None
        return min((x for x in (own, above) if x is not None), default=None)

    def spend(self, steps: int) -> None:
        """Record steps taken."""
        self.spent += steps
        if self._watch:
            self._watch(self.progress)
        if self.parent is not None and self._shares_steps:
            self.parent.spend(steps)

    def tell(self, **known: Any) -> None:
        """Say how far the search is: fields of `Progress`; the others stay as they are."""
        self._known = replace(self._known, **known)
        if self._watch:
            self._watch(self.progress)
        if not self._shares_steps:
            known.pop("total", None)
        if self.parent is not None:
            self.parent.tell(**known)

    @property
    def progress(self) -> Progress:
        """How far the search is; may be asked by any thread."""
        return replace(self._known, steps=self.spent, seconds=monotonic() - self.started)

    def cancel(self) -> None:
        """End everything under this budget: its next look raises Cancelled.

        For another thread, or a handler of signals. A solver at work is stopped.
        """
        self.cancelled = True
        with self._lock:
            for stop in list(self._stops.values()):
                stop()

    @contextmanager
    def stopping(self, stop: Callable[[], object], patience: float = 0.0) -> Iterator[None]:
        """While this lasts, the deadline and `cancel` call `stop`, in another thread.

        For code that is not Python, and would not look at the budget for too long. When it has
        ended the caller looks. The deadline may be missed by `patience` seconds.
        """
        key, line = object(), self._line()
        with self._lock:
            for budget in line:
                budget._stops[key] = stop
            if any(budget.cancelled for budget in line):
                stop()
        left = self.seconds_left()
        clock = None if left is None else _clock(os.getpid())
        if clock and left is not None:
            clock.add(key, monotonic() + left + patience, lambda: self._stop(key))
        try:
            yield
        finally:
            if clock:
                clock.drop(key)
            with self._lock:
                for budget in line:
                    budget._stops.pop(key, None)

    def _stop(self, key: object) -> None:
        with self._lock:
            if key in self._stops:
                self._stops[key]()

    def _line(self) -> list[Budget]:
        """This budget and those that it is a part of."""
        return [self, *(self.parent._line() if self.parent else ())]


class _Clock:
    """Calls things when their time has come, all in one thread, which starts with the first.

    A thread for each would take longer than a small board does to solve.
    """

    def __init__(self) -> None:
        self._due: dict[object, tuple[float, Callable[[], object]]] = {}
        self._changed = Condition()
        self._wakes = inf
        self._thread: Thread | None = None

    def add(self, key: object, when: float, call: Callable[[], object]) -> None:
        """Have something called at a time of `monotonic`, unless it is dropped before."""
        with self._changed:
            self._due[key] = (when, call)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, daemon=True)
                self._thread.start()
            elif when < self._wakes:
                self._changed.notify()

    def drop(self, key: object) -> None:
        """Forget what was added with a key, if it was not called. Wakes nobody."""
        with self._changed:
            self._due.pop(key, None)

    def _run(self) -> None:
        while True:
            with self._changed:
                now = monotonic()
                come = [key for key, (when, _) in self._due.items() if when <= now]
                calls = [self._due.pop(key)[1] for key in come]
                if not calls:
                    self._wakes = min((when for when, _ in self._due.values()), default=inf)
                    self._changed.wait(min(self._wakes - now, TIMEOUT_MAX))
            for call in calls:
                call()


@cache
def _clock(process: int) -> _Clock:
    """The clock of a process: threads do not come along into another."""
    return _Clock()


#: What lasts while something is done within a budget, where it is done: it can show how far that
#: is, and have signals cancel it.
Around = Callable[[Budget], AbstractContextManager[object]]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not isnan(value)
