"""Loops by number, and so loops at random: exactly uniform, or exactly by weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from castlecp.budget import Budget
from castlecp.building import looked
from castlecp.counting.counts import weights
from castlecp.counting.steps import CLOSED, scratch, walk
from castlecp.counting.sweep import Sweep, Table, within
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
    are kept, and each call of `numbered` or `samples` sweeps again, one row at a time. A cell of a
    sweep or walk is a step of the `budget`, which each has for itself.

    Raises OutOfBudget, PuzzleError and CastlecpError as `count` does, and CastlecpError if there
    is no loop.
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
        budget: Budget | None = None,
    ) -> None:
        self.lattice = lattice
        self._sweep = Sweep(lattice, frozenset(blocked), frozenset(inside), frozenset(outside))
        take, skip, _ = weights(lattice, take, skip)
        cells = self._sweep.cells(take, skip)
        width = self._sweep.width
        self._rows = [cells[at : at + width] for at in range(0, len(cells), width)]
        #: For each row the table before it and those after its cells, as far as they are kept.
        self._before: list[Table] = []
        self._within: list[list[Table]] = []
        kept, last = 0, self._sweep.start()
        tables = self._sweep.tables(last, within(budget or Budget(), cells, len(cells)))
        for at, table in enumerate(tables):
            if at % width == 0:
                self._before.append(last)
                self._within.append([])
            kept += table.limbs.nbytes
            if kept <= KEPT:
                self._within[-1].append(table)
            last = table
        #: How many numbers there are: the number of loops if they weigh the same.
        self.total = last.closed
        self._limbs = last.limbs.shape[1]
        if not self.total:
            raise CastlecpError("there is no such loop")

    def sample(self, seed: int, budget: Budget | None = None) -> Loop:
        """A random loop; the same one for the same seed."""
        return next(self.samples(seed, 1, budget))

    def samples(self, seed: int, count: int, budget: Budget | None = None) -> Iterator[Loop]:
        """Random loops, independent of each other; the first ones are the same for any `count`."""
        random = Random(seed)
        for at in range(0, count, TOGETHER):
            together = min(TOGETHER, count - at)
            numbers = [random.randrange(self.total) for _ in range(together)]
            yield from self.numbered(numbers, budget)

    def numbered(self, numbers: Sequence[int], budget: Budget | None = None) -> Iterator[Loop]:
        """The loops with some numbers from 0 to `total` - 1. Raises IndexError for others."""
        drawn = zip(*self.drawn(numbers, budget), strict=True)
        for right, down in looked(drawn, budget or Budget()):
            on = [self._edges[at] for at in np.flatnonzero(np.append(right, down)).tolist()]
            yield Loop(self.lattice, frozenset(on))

    def drawn(
        self, numbers: Sequence[int], budget: Budget | None = None
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
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
        room, budget, tables = scratch(), budget or Budget(), list[Table]()
        back = [(row, column) for row in range(sweep.length) for column in range(sweep.width)][::-1]
        for row, column in within(budget, back, len(back)):
            if column == sweep.width - 1:
                tables = [self._before[row], *self._tables(row, budget)]
            cell, old = self._rows[row][column], tables[column].limbs
            table = (old.reshape(-1), old.shape[1])
            limbs, at = rests.reshape(-1), leaves[row, column]
            compiled(walk)(sweep.words, cell, *table, ends, limbs, self._limbs, at, room)
        down, right = leaves & 1 > 0, leaves & 2 > 0
        if sweep.turned:
            return down.transpose(2, 1, 0), right.transpose(2, 1, 0)
        return right.transpose(2, 0, 1), down.transpose(2, 0, 1)

    def _tables(self, row: int, budget: Budget) -> list[Table]:
        tables = self._within[row]
        if len(tables) < self._sweep.width:
            cells = looked(self._rows[row], budget)
            tables = list(self._sweep.tables(self._before[row], cells))
        return tables

    @cached_property
    def _edges(self) -> list[Edge]:
        """The edges by their place in the arrays of `drawn`; those off the lattice too."""
        right = [Edge(r, c, r, c + 1) for r, c in self.lattice.vertices()]
        down = [Edge(r, c, r + 1, c) for r, c in self.lattice.vertices()]
        return right + down
