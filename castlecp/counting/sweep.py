"""The sweep: all cells of a lattice one after another, in tables of exact numbers.

The lattice lies with its shorter side along the frontier. Numbers grow as the sweep goes on, and
the tables get another limb when the next cell could overflow the last.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from castlecp.counting.frontier import Words, motzkin, words
from castlecp.counting.steps import Cell, advance, close, scratch
from castlecp.errors import CastlecpError, PuzzleError
from castlecp.grid import Lattice, Vertex
from castlecp.kernels import compiled

#: A number is gathered from at most 2^GROWTH numbers before the cell.
GROWTH = 5
#: Weights up to here cannot overflow while a sum is gathered.
MOST_WEIGHT = 2**24
#: Tables with fewer words are filled sooner by one thread than by several.
WORTH_SHARING = 20_000

#: Is handed what a long computation goes through and hands it on: a bar of progress, or `iter`.
Watch = Callable[[Sequence[Any]], Iterable[Any]]


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
    both sides, and CastlecpError if the tables do not fit into memory.
    """

    lattice: Lattice
    blocked: frozenset[Vertex] = frozenset()
    inside: frozenset[Vertex] = frozenset()
    outside: frozenset[Vertex] = frozenset()
    threads: int | None = None

    def __post_init__(self) -> None:
        for r, c in sorted(self.blocked | self.inside | self.outside):
            if not self.lattice.has_vertex((r, c)):
                raise PuzzleError(
                    f"vertex ({r}, {c}) is not on a lattice of "
                    f"{self.lattice.rows} x {self.lattice.cols} vertices"
                )
        for r, c in sorted(self.inside & self.outside):
            raise PuzzleError(f"vertex ({r}, {c}) cannot lie both inside and outside")
        rows = 2 * motzkin(self.width + 1)
        vertices = self.lattice.rows * self.lattice.cols
        # Loops have somewhat under 0.7 bits a vertex.
        needed = rows * 4 * (1 + 7 * vertices // 320)
        if needed > _memory():
            raise CastlecpError(
                f"a sweep over {self.width} columns needs about {needed / 2**30:,.0f} GB of memory"
            )

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
        """The cells in order, each with the same weights."""
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
                        side=1 if vertex in self.inside else 0 if vertex in self.outside else -1,
                        take=take,
                        skip=skip,
                        shift=0,
                    )
                )
        return out

    def start(self, limbs: int = 1) -> Table:
        """The table before the first cell: nothing is drawn, in one way."""
        numbers = np.zeros((self.words.size + 1, limbs), np.uint32)
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
        limbs = max(old.limbs.shape[1] + cell.shift, -(-bits // 32))
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


def _memory() -> int:
    """The bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
