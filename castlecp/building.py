"""Building what is as large as the lattice: looked at by the budget, and refused beyond memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, wraps
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar, cast

from castlecp.budget import Budget
from castlecp.errors import TooLarge, sized
from castlecp.grid import Lattice

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
K_contra = TypeVar("K_contra", bound=Hashable, contravariant=True)
V_co = TypeVar("V_co", covariant=True)

#: Things that are made between two looks at the clock.
LOOK = 4096

#: Bytes that there always are.
LITTLE = 1 << 20

#: Where Linux says what the processes of a control group may have together.
GROUP = Path("/sys/fs/cgroup/memory.max")


def parts(items: Iterable[T], budget: Budget) -> Iterator[Sequence[T]]:
    """The items in lists, before each of which the budget is looked at. Raises OutOfBudget."""
    if isinstance(items, tuple) and len(items) <= LOOK:
        budget.look()
        yield items
        return
    left = iter(items)
    while True:
        budget.look()
        part = list(islice(left, LOOK))
        if not part:
            return
        yield part


def looked(items: Iterable[T], budget: Budget) -> Iterator[T]:
    """The items, before each of which the budget is looked at. Raises OutOfBudget."""
    for item in items:
        budget.look()
        yield item


def ticks(number: int, budget: Budget | None) -> Iterator[int]:
    """The numbers below one, with looks at the budget on the way. Raises OutOfBudget."""
    for start in range(0, number, LOOK):
        if budget is not None:
            budget.look()
        yield from range(start, min(start + LOOK, number))


class Kept(Protocol[K_contra, V_co]):
    """What is made of a key, at most once within a budget; without one it takes what it takes.

    `cache_clear` forgets what was made, as of functools' caches.
    """

    cache_clear: Callable[[], None]

    def __call__(self, key: K_contra, budget: Budget | None = None, /) -> V_co:
        """What was made. Raises what making it does."""


def kept(most: int) -> Callable[[Callable[[K, Budget], V]], Kept[K, V]]:
    """Keep the last results of a function, which do not depend on the budget it was given."""

    def keeping(make: Callable[[K, Budget], V]) -> Kept[K, V]:
        @lru_cache(maxsize=most)
        def room(_: K) -> list[V]:
            return []

        @wraps(make)
        def get(key: K, budget: Budget | None = None, /) -> V:
            values = room(key)
            if not values:
                values.append(make(key, budget or Budget()))
            return values[0]

        kept_function = cast(Kept[K, V], get)
        kept_function.cache_clear = room.cache_clear
        return kept_function

    return keeping


def refuse_beyond_memory(lattice: Lattice, each: int) -> None:
    """Raises TooLarge when so many bytes for `each` vertex are more than there can be."""
    needed = each * lattice.rows * lattice.cols
    there = memory() if needed > LITTLE else None
    if there is not None and needed > there:
        raise TooLarge(
            f"a lattice {sized(lattice.rows, lattice.cols)} takes about "
            f"{needed / 1e9:.1f} GB of memory, and there can be {there / 1e9:.1f} GB"
        )


def memory() -> int | None:
    """The bytes that a process can have at most: the machine's, or a limit; None if not known."""
    known = []
    with suppress(AttributeError, OSError, ValueError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):  # "max" is no number
        known.append(int(GROUP.read_text()))
    with suppress(ImportError):
        import resource

        limits = (
            resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)
        )
        known += [limit for limit in limits if limit != resource.RLIM_INFINITY]
    return min((x for x in known if x > 0), default=None)
