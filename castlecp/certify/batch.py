"""Many tasks at once: in chunks, with results in the order of the items, in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from typing import Any, TypeVar

from castlecp.certify.executors import Executor, Lost

T = TypeVar("T")
R = TypeVar("R")

#: Chunks that may be done or under way before the first of them is given out, for each slot.
AHEAD = 8


class _Chunk:
    """Some items and what is known of their results."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = items
        self.results: list[Any] = [None] * len(items)
        self.missing = len(items)

    def fill(self, at: int, results: Sequence[Any]) -> None:
        self.results[at : at + len(results)] = results
        self.missing -= len(results)


def run(
    items: Iterable[T],
    work: Callable[[Sequence[T]], Sequence[R]],
    lost: Callable[[T, str], R],
    executor: Executor,
    chunk: int,
) -> Iterator[R]:
    """`work` of all items, which is done `chunk` of them at a time; results keep their order.

    When a chunk is lost, each of its items is tried once more, alone; what is lost again gets
    the result `lost(item, reason)`. Items are taken as there is room for them.
    """
    source, keys = iter(items), count()
    chunks: deque[_Chunk] = deque()
    # Where the results of a task go: chunk, first item, and whether it is the second try.
    under_way: dict[int, tuple[_Chunk, int, bool]] = {}

    def submit(part: _Chunk, at: int, number: int, again: bool) -> None:
        key = next(keys)
        under_way[key] = (part, at, again)
        executor.submit(key, work, part.items[at : at + number])

    ended = False
    while True:
        slots = executor.slots
        while not ended and len(under_way) < slots and len(chunks) < AHEAD * slots:
            some = list(islice(source, chunk))
            ended = not some
            if some:
                chunks.append(_Chunk(some))
                submit(chunks[-1], 0, len(some), again=False)
        while chunks and not chunks[0].missing:
            yield from chunks.popleft().results
        if not under_way:
            if ended:
                return
            continue
        key, result = executor.finished()
        part, at, again = under_way.pop(key)
        if not isinstance(result, Lost):
            part.fill(at, result)
        elif again:
            part.fill(at, [lost(part.items[at], result.reason)])
        else:
            for i in range(len(part.items)):
                submit(part, i, 1, again=True)
