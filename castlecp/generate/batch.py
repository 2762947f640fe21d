"""Many boards on many cores, in the order of their seeds."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from time import time
from typing import TypeVar

from castlecp.errors import OutOfBudget
from castlecp.generate.board import GivenUp, Made, Settings, make

T = TypeVar("T")
R = TypeVar("R")


def spread(work: Callable[[T], R], items: Iterable[T], jobs: int = 1) -> Iterator[R]:
    """`work` on each item, the results in order; with several jobs in processes of their own.

    At most a few items a job are taken ahead of what has been asked for.
    """
    if jobs <= 1:
        yield from map(work, items)
        return
    left = iter(items)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _ignore_interrupts) as pool:
        ahead: deque[Future[R]] = deque(pool.submit(work, item) for item in islice(left, 4 * jobs))
        try:
            while ahead:
                yield ahead.popleft().result()
                ahead.extend(pool.submit(work, item) for item in islice(left, 1))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C is for the process that asked, which ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def boards(
    settings: Settings,
    seeds: Iterable[int],
    jobs: int = 1,
    seconds: float | None = None,
    *,
    with_nodes: bool = True,
) -> Iterator[Made | GivenUp]:
    """The boards of some seeds in order, and why a seed has none, until the seconds are over.

    When they are over, boards under way are dropped: what is given never depends on the time.
    `with_nodes` as for `make`.
    """
    until = None if seconds is None else time() + seconds
    for made in spread(_make, ((settings, seed, until, with_nodes) for seed in seeds), jobs):
        if made is None:
            return
        yield made


def _make(task: tuple[Settings, int, float | None, bool]) -> Made | GivenUp | None:
    """The board, the reason why there is none, or None when the time is over."""
    settings, seed, until, with_nodes = task
    seconds = None if until is None else max(until - time(), 0.0)
    try:
        return make(settings, seed, seconds, with_nodes=with_nodes)
    except GivenUp as reason:
        return reason
    except OutOfBudget:
        return None
