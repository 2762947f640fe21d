"""Many boards on many cores, in the order of their seeds."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing, nullcontext
from time import time
from typing import NamedTuple

from castlecp.budget import Around, Budget
from castlecp.errors import Cancelled, OutOfBudget
from castlecp.executors import Executor, Lost, run
from castlecp.executors.here import Here
from castlecp.generate.board import GivenUp, Made, make
from castlecp.generate.settings import Settings


class _Task(NamedTuple):
    """A board to make until a time, as the system's clock has it."""

    settings: Settings
    seed: int
    until: float | None
    steps: int | None
    with_nodes: bool
    around: Around


def boards(
    settings: Settings,
    seeds: Iterable[int],
    executor: Callable[[], Executor] = Here,
    seconds: float | None = None,
    *,
    steps: int | None = None,
    with_nodes: bool = True,
    around: Around = nullcontext,
) -> Generator[Made | GivenUp | Lost]:
    """The boards of some seeds in order, and why a seed has none, until the seconds are over.

    When they are over, boards under way are dropped: what is given never depends on the time.
    (The clocks of a cluster are supposed to agree.) A seed that took its worker down twice is
    Lost. `steps` and `with_nodes` as for `make`. `around` is picklable; it lasts while a board is
    sought, in the process that does.
    """
    until = None if seconds is None else time() + seconds
    tasks = (_Task(settings, seed, until, steps, with_nodes, around) for seed in seeds)
    with closing(run(tasks, _make, _lost, executor)) as results:
        for made in results:
            if made is None:
                return
            yield made


def _make(task: _Task) -> Made | GivenUp | Lost | None:
    """The board, the reason why there is none, or None when the time is over."""
    seconds = None if task.until is None else max(task.until - time(), 0.0)
    budget = Budget(seconds)
    try:
        with task.around(budget):
            made = make(
                task.settings, task.seed, budget, steps=task.steps, with_nodes=task.with_nodes
            )
            budget.look()
            return made
    except GivenUp as reason:
        return reason
    except Cancelled:
        raise
    except OutOfBudget:
        return None


def _lost(task: _Task, reason: str) -> Lost:
    return Lost(f"seed {task.seed} is given up: {reason}")
