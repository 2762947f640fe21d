"""The sweep: all cells of a lattice one after another.

The lattice lies with its shorter side along the frontier. A sweep whose only aim is a number goes
to and fro over one table of numbers modulo a prime, from either end to the middle. One whose
tables are kept, for a sampler, goes along every row and makes a new table of exact numbers at each
cell; they grow as it goes on, and get another limb when the next cell could overflow the last.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from castlecp.budget import Budget
from castlecp.building import memory, refuse_beyond_memory
from castlecp.counting.frontier import Words, motzkin, words
from castlecp.counting.halves import Halves, Tally
from castlecp.counting.steps import Cell, advance, close, scratch
from castlecp.errors import OutOfBudget, PuzzleError, TooLarge, sized
from castlecp.grid import Lattice, Vertex
from castlecp.kernels import compiled
from castlecp.nouns import plural

T = TypeVar("T")

#: A number is gathered from at most 2^GROWTH numbers before the cell.
GROWTH = 5
#: Weights up to here cannot overflow while a sum is gathered.
MOST_WEIGHT = 2**24
#: No memory holds a table for more columns: it would have 10^17 words and more.
WIDEST = 40
#: Bytes that the way of a sweep takes for a cell, at least.
EACH = 250
#: Tables with fewer words are filled sooner by one thread than by several.
WORTH_SHARING = 20_000


def within(
    budget: Budget, parts: Iterable[T], total: int, steps: Callable[[T], int] = lambda _: 1
) -> Iterator[T]:
    """The parts of a sweep, of so many steps each and in `total`, while the budget lasts.

    Raises OutOfBudget with how far the sweep is.
    """
    done = 0
    budget.tell(total=budget.spent + total)
    try:
        for part in parts:
            needed = steps(part)
            if needed == 0:
                budget.look()
            elif budget.slice(needed) < needed:
                raise OutOfBudget("the steps are spent")
            yield part
            budget.spend(needed)
            done += needed
    except OutOfBudget as ended:
        swept = f"{done} of {plural(total, 'step')} of the sweep are done"
        raise type(ended)(f"{ended}: {swept}, which tell nothing yet") from None
    finally:
        budget.tell(total=None)


@dataclass(frozen=True, eq=False)
class Table:
    """The numbers after some cells: limbs of 32 bits, one row a word, the closed loop last.

    `bits` bounds the bits of the numbers; `reached` is how many words have a number above 0.
    """

    limbs: NDArray[np.uint32]
    bits: int
    reached: int

    @property
    def closed(self) -> int:
        """The number in the last row: the loops that are closed."""
        return number(self.limbs[-1])


def number(limbs: NDArray[np.uint32]) -> int:
    """The natural number of some limbs."""
    return int.from_bytes(limbs.astype("<u4").tobytes(), "little")


@dataclass(frozen=True)
class Sweep:
    """A sweep for the loops of a lattice that miss some vertices and leave some on a side.

    The loop visits neither `blocked` nor `inside` nor `outside` vertices; the latter must lie
    inside or outside of it. Raises PuzzleError for a vertex off the lattice or asked to lie on
    both sides, and TooLarge if the tables do not fit into memory.
    """

    lattice: Lattice
    blocked: frozenset[Vertex] = frozenset()
    inside: frozenset[Vertex] = frozenset()
    outside: frozenset[Vertex] = frozenset()
    threads: int | None = None

    def __post_init__(self) -> None:
        for r, c in sorted(self.blocked | self.inside | self.outside):
            if not self.lattice.has_vertex((r, c)):
                size = sized(self.lattice.rows, self.lattice.cols)
                raise PuzzleError(f"vertex ({r}, {c}) is not on a lattice {size}")
        for r, c in sorted(self.inside & self.outside):
            raise PuzzleError(f"vertex ({r}, {c}) cannot lie both inside and outside")
        self._fitting(8)
        refuse_beyond_memory(self.lattice, EACH)

    @property
    def turned(self) -> bool:
        """Whether the rows of the sweep are the columns of the lattice."""
        return self.lattice.cols > self.lattice.rows

    @property
    def width(self) -> int:
        """The number of cells in a row of the sweep."""
        return min(self.lattice.rows, self.lattice.cols)

    @property
    def length(self) -> int:
        """The number of rows of the sweep."""
        return max(self.lattice.rows, self.lattice.cols)

    @cached_property
    def words(self) -> Words:
        """The words of the frontier."""
        return _words(self.width + 1)

    def vertex(self, row: int, column: int) -> Vertex:
        """The vertex at a place of the sweep."""
        return (column, row) if self.turned else (row, column)

    def cells(self, take: int = 1, skip: int = 1) -> list[Cell]:
        """The cells row by row, each with the same weights."""
        missed = self.blocked | self.inside | self.outside
        out = []
        for row in range(self.length):
            for column in range(self.width):
                vertex = self.vertex(row, column)
                out.append(
                    Cell(
                        column=column,
                        visit=int(vertex not in missed),
                        down=int(row + 1 < self.length),
                        right=int(column + 1 < self.width),
                        side=self._side(vertex),
                        take=take,
                        skip=skip,
                    )
                )
        return out

    def _side(self, vertex: Vertex) -> int:
        return 1 if vertex in self.inside else 0 if vertex in self.outside else -1

    def values(self, places: Sequence[tuple[int, int]], budget: Budget | None = None) -> list[int]:
        """For each (y, prime) the sum of y^(length / 2) over the loops, modulo the prime.

        The primes and weights y are those of `Modulus`. Several threads have a table each.
        A cell of one sweep is a step of the budget. Raises OutOfBudget.
        """
        self._fitting(8)
        halves = Halves(self.words, *self._routes(any(y != 1 for y, _ in places)))
        fitting = self._fitting(halves.bytes / self.words.size)
        together = min(fitting, self.threads or _cores(), len(places))
        if self.words.size < WORTH_SHARING:
            together = 1
        parts = list(halves.parts())
        tables = [np.zeros(self.words.size, np.int64) for _ in range(together)]
        groups = [places[at : at + together] for at in range(0, len(places), together)]
        every = [(group, part) for group in groups for part in parts]
        found: list[int] = []
        counts: list[Tally] = []
        with ThreadPoolExecutor(together) as pool:
            run = pool.map if together > 1 else map
            total = len(places) * sum(part.steps for part in parts)
            for group, part in within(
                budget or Budget(), every, total, lambda at: len(at[0]) * at[1].steps
            ):
                if part is parts[0]:
                    counts = [Tally(halves, *at) for at in zip(group, tables, strict=False)]
                list(run(part.do, counts))
                if part is parts[-1]:
                    found += [one.loops() for one in counts]
        return found

    def _routes(self, weighed: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The cells of the first half of the rows, and of the others from the other end."""
        rows = self.length // 2
        return self._route(rows, False, weighed), self._route(self.length - rows, True, weighed)

    def _route(self, rows: int, turned: bool, weighed: bool) -> NDArray[np.int64]:
        """So many rows of cells to and fro, as `residues.sweep` takes them.

        With `turned` they are those of the lattice upside down, that is turned by half a circle.
        """
        missed = self.blocked | self.inside | self.outside
        middle = self.width - self.width // 2
        out = []
        for row in range(rows):
            for number in range(self.width):
                column = number if row % 2 else self.width - 1 - number
                at = (self.length - 1 - row, self.width - 1 - column) if turned else (row, column)
                vertex = self.vertex(*at)
                along, back = int(number + 1 < self.width), number < middle
                visit = 0 if vertex in missed else 2 if weighed and sum(vertex) % 2 else 1
                out += [
                    self.width - 1 - number if back else number,
                    along if back else 1,
                    1 if back else along,
                    self._side(vertex),
                    visit,
                    row + 1,
                    int(number + 1 == middle),
                ]
        return np.array(out, np.int64)

    def _fitting(self, size: float) -> int:
        """How many tables with so many bytes a word fit into memory, at least 1."""
        needed, there = motzkin(min(self.width, WIDEST) + 1) * size, memory()
        if self.width > WIDEST or (there is not None and needed > there):
            lattice = sized(self.lattice.rows, self.lattice.cols)
            gigabytes = f"about {needed / 1e9:,.0f} GB of memory"
            much = gigabytes if self.width <= WIDEST else "more memory than any machine has"
            raise TooLarge(f"counting the loops of a lattice {lattice} takes {much}")
        return int(there // needed) if there is not None else 1

    def start(self) -> Table:
        """The table before the first cell: nothing is drawn, in one way."""
        # Loops have somewhat under 0.7 bits a vertex, and there is a table before and one after.
        self._fitting(8 * (1 + 7 * self.lattice.rows * self.lattice.cols // 320))
        numbers = np.zeros((self.words.size + 1, 1), np.uint32)
        numbers[0, 0] = 1
        return Table(numbers, 1, 1)

    def tables(self, table: Table, cells: Iterable[Cell]) -> Iterator[Table]:
        """The table after each of some cells, given the one before them."""
        # The pool starts no thread before the first shared table.
        with ThreadPoolExecutor(self.threads or _cores()) as pool:
            for cell in cells:
                table = self._after(table, cell, pool)
                yield table

    def _after(self, old: Table, cell: Cell, pool: ThreadPoolExecutor) -> Table:
        weight = max(cell.take, cell.skip)
        bits = old.bits + GROWTH + (weight.bit_length() if weight > 1 else 0)
        limbs = max(old.limbs.shape[1], -(-bits // 32))
        new = np.empty((self.words.size + 1, limbs), np.uint32)
        tables = (old.limbs.reshape(-1), old.limbs.shape[1], new.reshape(-1), limbs)
        compiled(close)(self.words, cell, *tables, scratch())

        def fill(piece: tuple[int, int]) -> tuple[int, int]:
            room = scratch()
            return compiled(advance)(self.words, cell, *tables, *piece, room), int(room[0])

        shared = len(self._pieces) > 1
        done = list(pool.map(fill, self._pieces) if shared else map(fill, self._pieces))
        top = max(int(new[-1, -1]), *(top for _, top in done))
        reached = sum(count for count, _ in done) + bool(new[-1].any())
        return Table(new, 32 * (limbs - 1) + top.bit_length(), reached)

    @cached_property
    def _pieces(self) -> Sequence[tuple[int, int]]:
        """The right halves in pieces with about as many words each, some for each thread."""
        threads = self.threads or _cores()
        many = 1 if threads == 1 or self.words.size < WORTH_SHARING else 8 * threads
        even = np.linspace(0, self.words.size, many + 1).astype(np.int64)
        cuts = np.unique(np.searchsorted(self.words.base, even))
        return list(pairwise(cuts.tolist()))


def _cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _words(plugs: int) -> Words:
    return words(plugs)
