"""Loops by number, and so loops at random: exactly uniform, or exactly by weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from castlecp.counting.counts import weights
from castlecp.counting.steps import CLOSED, scratch, walk
from castlecp.counting.sweep import Sweep, Table, Watch
from castlecp.errors import CastlecpError
from castlecp.grid import Edge, Lattice, Loop, Vertex
from castlecp.kernels import compiled

#: Tables of the rows of a sweep are kept while all of them take at most so many bytes.
KEPT = 2**30
#: Walks taken at once; more would only need memory.
TOGETHER = 10_000


class Sampler:
    """The loops of a lattice, numbered; a random number is a random loop.

    A loop of length L on a lattice of E edges holds take^L * skip^(E - L) numbers of `total`, up
    to a common factor, so `sample` draws it with exactly that weight; with take = skip all loops
    are equally likely. Loops can be asked to miss vertices, and to have some inside or outside.

    A sweep counts the ways to come to every word of the frontier; a walk from the last cell back
    to the first then splits the number among the words it can have come from. Making a sampler
    takes one sweep. Where its tables need more than a gigabyte only those at the ends of rows
    are kept, and each call of `numbered` or `samples` sweeps again, one row at a time. `watch` is
    handed the rows of every sweep and walk, as that of `count`.

    Raises PuzzleError and CastlecpError as `count` does, and CastlecpError if there is no loop.
    """

    def __init__(
        self,
        lattice: Lattice,
        take: int = 1,
        skip: int = 1,
        *,
        blocked: Iterable[Vertex] = (),
        inside: Iterable[Vertex] = (),
        outside: Iterable[Vertex] = (),
        watch: Watch = iter,
    ) -> None:
        self.lattice, self._watch = lattice, watch
        self._sweep = Sweep(lattice, frozenset(blocked), frozenset(inside), frozenset(outside))
        take, skip, _ = weights(lattice, take, skip)
        cells = self._sweep.cells(take, skip)
        width = self._sweep.width
        self._rows = [cells[at : at + width] for at in range(0, len(cells), width)]
        #: For each row the table before it and, where they are kept, those after its cells.
        self._before: list[Table] = []
        self._within: list[list[Table] | None] = []
        kept, last = 0, self._sweep.start()
        for row in watch(self._rows):
            self._before.append(last)
            within: list[Table] = []
            for table in self._sweep.tables(last, row):
                kept += table.limbs.nbytes
                if kept <= KEPT:
                    within.append(table)
                last = table
            self._within.append(within if kept <= KEPT else None)
        #: How many numbers there are: the number of loops if they weigh the same.
        self.total = last.closed
        self._limbs = last.limbs.shape[1]
        if not self.total:
            raise CastlecpError("there is no such loop")

    def sample(self, seed: int) -> Loop:
        """A random loop; the same one for the same seed."""
        return next(self.samples(seed, 1))

    def samples(self, seed: int, count: int) -> Iterator[Loop]:
        """Random loops, independent of each other; the first ones are the same for any `count`."""
        random = Random(seed)
        for at in range(0, count, TOGETHER):
            together = min(TOGETHER, count - at)
            yield from self.numbered([random.randrange(self.total) for _ in range(together)])

    def numbered(self, numbers: Sequence[int]) -> Iterator[Loop]:
        """The loops with some numbers from 0 to `total` - 1. Raises IndexError for others."""
        for right, down in zip(*self.drawn(numbers), strict=True):
            on = [self._edges[at] for at in np.flatnonzero(np.append(right, down)).tolist()]
            yield Loop(self.lattice, frozenset(on))

    def drawn(self, numbers: Sequence[int]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The loops with some numbers as arrays: edges on to the right, and on downwards.

        Their shapes are (loops, rows, cols), with the vertex an edge starts from as the index;
        nothing leads right from the last column or down from the last row.
        """
        if numbers and not 0 <= min(numbers) <= max(numbers) < self.total:
            raise IndexError(f"loops are numbered from 0 to {self.total - 1}")
        many, sweep = len(numbers), self._sweep
        text = b"".join(n.to_bytes(4 * self._limbs, "little") for n in numbers)
        rests = np.frombuffer(text, "<u4").astype(np.uint32).reshape(many, self._limbs)
        ends = np.full(many, CLOSED, np.int64)
        leaves = np.zeros((sweep.length, sweep.width, many), np.uint8)
        room = scratch()
        for row in self._watch(range(sweep.length)[::-1]):
            tables = [self._before[row], *self._tables(row)]
            for column, cell in reversed(list(enumerate(self._rows[row]))):
                old = tables[column].limbs
                table = (old.reshape(-1), old.shape[1])
                limbs, at = rests.reshape(-1), leaves[row, column]
                back = compiled(walk)
                back(sweep.words, cell, *table, ends, limbs, self._limbs, at, room)
        down, right = leaves & 1 > 0, leaves & 2 > 0
        if sweep.turned:
            return down.transpose(2, 1, 0), right.transpose(2, 1, 0)
        return right.transpose(2, 0, 1), down.transpose(2, 0, 1)

    def _tables(self, row: int) -> list[Table]:
        tables = self._within[row]
        if tables is None:
            tables = list(self._sweep.tables(self._before[row], self._rows[row]))
        return tables

    @cached_property
    def _edges(self) -> list[Edge]:
        """The edges by their place in the arrays of `drawn`; those off the lattice too."""
        right = [Edge(r, c, r, c + 1) for r, c in self.lattice.vertices()]
        down = [Edge(r, c, r + 1, c) for r, c in self.lattice.vertices()]
        return right + down
