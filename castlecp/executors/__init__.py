"""Many tasks at once, with results in the order of the items: `run`.

Where they run is an executor's business: in this process (`here`), in processes of this machine
(`local`) or on a Dask cluster (`cluster`). Each is a module with EXECUTOR, what starts it; it
knows nothing of boards. It is given tasks, each under a key of the caller's, and hands back one
result after another as they come. A task that dies with its worker is no exception but a result:
`Lost`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count, islice
from typing import Any, Protocol, TypeVar

from castlecp.registry import Registry

T = TypeVar("T")
R = TypeVar("R")

#: Chunks that may be done or under way before the first of them is given out, for each slot.
AHEAD = 8


@dataclass(frozen=True)
class Lost:
    """What is left of a task that crashed, or whose worker died."""

    reason: str


class Executor(Protocol):
    """See above."""

    @property
    def slots(self) -> int:
        """How many tasks should be under way so that no worker waits."""

    def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
        """Have `task(argument)` done somewhere; both are pickled to get there."""

    def finished(self) -> tuple[int, Any]:
        """The key and the result, or Lost, of a task that has ended; waits for one.

        Raises CastlecpError when the workers are out of reach.
        """

    def close(self) -> None:
        """Stop everything, also what is under way."""


EXECUTORS: Registry[Callable[..., Executor]] = Registry.folder("executor", __name__, "EXECUTOR")


def run(
    items: Iterable[T],
    work: Callable[[T], R],
    lost: Callable[[T, str], R],
    executor: Callable[[], Executor],
    chunk: int = 1,
) -> Generator[R]:
    """`work` of each item, with `chunk` of them in a task; results keep the order of the items.

    When a task is lost, each of its items is tried once more, alone; what is lost again gets the
    result `lost(item, reason)`. Items are taken as there is room for them. `executor` starts one,
    if there is an item at all; it is closed when this ends or is closed.
    """
    source = iter(items)
    first = list(islice(source, 1))
    if not first:
        return
    held = executor()
    try:
        yield from _Run(chain(first, source), work, lost, held, chunk).results()
    finally:
        held.close()


def each(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """What a worker does with the items of a task."""
    return [work(item) for item in items]


class _Chunk:
    """Some items and what is known of their results."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = items
        self.results: list[Any] = [None] * len(items)
        self.missing = len(items)

    def fill(self, at: int, results: Sequence[Any]) -> None:
        self.results[at : at + len(results)] = results
        self.missing -= len(results)


class _Run:
    """See `run`."""

    def __init__(
        self,
        source: Iterable[Any],
        work: Callable[[Any], Any],
        lost: Callable[[Any, str], Any],
        executor: Executor,
        chunk: int,
    ) -> None:
        self.source, self.lost, self.executor, self.chunk = iter(source), lost, executor, chunk
        self.task = partial(each, work)
        self.keys = count()
        self.chunks: deque[_Chunk] = deque()
        # Where the results of a task go: chunk, first item, and whether it is the second try.
        self.under_way: dict[int, tuple[_Chunk, int, bool]] = {}
        self.ended = False

    def results(self) -> Generator[Any]:
        """The results in order."""
        while True:
            self._take_items()
            if not self.under_way:
                return
            self._take_result()
            while self.chunks and not self.chunks[0].missing:
                yield from self.chunks.popleft().results

    def _take_items(self) -> None:
        """Hand out as much as there is room for."""
        slots = self.executor.slots
        while not self.ended and len(self.under_way) < slots and len(self.chunks) < AHEAD * slots:
            some = list(islice(self.source, self.chunk))
            self.ended = not some
            if some:
                self.chunks.append(_Chunk(some))
                self._submit(self.chunks[-1], 0, len(some), again=False)

    def _submit(self, part: _Chunk, at: int, number: int, *, again: bool) -> None:
        key = next(self.keys)
        self.under_way[key] = (part, at, again)
        self.executor.submit(key, self.task, part.items[at : at + number])

    def _take_result(self) -> None:
        """Wait for a result, and put it where it belongs."""
        key, result = self.executor.finished()
        part, at, again = self.under_way.pop(key)
        if not isinstance(result, Lost):
            part.fill(at, result)
        elif again:
            part.fill(at, [self.lost(part.items[at], result.reason)])
        else:
            for i in range(len(part.items)):
                self._submit(part, i, 1, again=True)
