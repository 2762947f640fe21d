"""Counts modulo a prime from two sweeps, which meet in the middle of a lattice.

A sweep from either end costs half as much as one from end to end, and less, since few words are
reached in the first rows. Where a lattice looks the same from its other end, one serves as both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from operator import methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray

from castlecp.counting.frontier import Words, motzkin, pairings
from castlecp.counting.meeting import PIECE, PIECES, meet, pair, partners
from castlecp.counting.residues import FIELDS, REACH, SIDE, Modulus, sweep
from castlecp.kernels import compiled

#: About as many numbers are gone through in one part of the work.
PART = 4_000_000


@dataclass(frozen=True)
class Meanders:
    """Pairings of some points, and which of them make a single loop with each other.

    The partners of pairing i are `linked[starts[i]:starts[i + 1]]`.
    """

    pairings: NDArray[np.int64]
    starts: NDArray[np.int64]
    linked: NDArray[np.uint32]


@cache
def meanders(pairs: int) -> Meanders:
    """All of twice so many points."""
    known = pairings(pairs)
    mates = np.zeros(2 * pairs * len(known), np.uint8)
    compiled(pair)(known, 2 * pairs, mates)
    room, found = np.zeros(len(known), np.uint32), []
    for i in range(len(known)):
        many = compiled(partners)(mates, 2 * pairs, i, room)
        found.append(room[:many].copy())
    starts = np.cumsum([0, *map(len, found)], dtype=np.int64)
    return Meanders(known, starts, np.concatenate(found))


@dataclass(frozen=True)
class Part:
    """Some of the work, done to a `Tally`, and how many cells it takes a sweep past."""

    steps: int
    do: Callable[[Any], None]


@dataclass(frozen=True, eq=False)
class Halves:
    """The cells of the sweep from the top and of the one from the other end (see `residues`)."""

    words: Words
    top: NDArray[np.int64]
    bottom: NDArray[np.int64]

    @cached_property
    def alike(self) -> bool:
        """Whether the sweep from the other end begins as the one from the top."""
        return bool(np.array_equal(self.bottom[: len(self.top)], self.top))

    @cached_property
    def equal(self) -> bool:
        """Whether it also ends so: one table is both."""
        return self.alike and len(self.bottom) == len(self.top)

    @property
    def bytes(self) -> int:
        """What the numbers of one prime take of memory."""
        kept = 0 if self.equal else motzkin(self.words.plugs - 1)
        return 8 * (self.words.size + kept)

    def parts(self) -> Iterator[Part]:
        """All that is to do for a prime, in order."""
        many = max(1, PART // self.words.size)
        for at in range(0, len(self.top) // FIELDS, many):
            stop = min(at + many, len(self.top) // FIELDS)
            yield Part(stop - at, methodcaller("sweep", 0, at, stop))
        if not self.equal:
            yield Part(0, methodcaller("keep"))
            done = len(self.top) // FIELDS if self.alike else 0
            for at in range(done, len(self.bottom) // FIELDS, many):
                stop = min(at + many, len(self.bottom) // FIELDS)
                yield Part(stop - at, methodcaller("sweep", 1, at, stop))
        for pairs in range(1, (self.words.plugs + 1) // 2):
            yield from self._meeting(pairs)

    def _meeting(self, pairs: int) -> Iterator[Part]:
        many = max(1, PART // len(meanders(pairs).linked))
        for which, plugs in enumerate(self.plugs(pairs)):
            for at in range(0, len(plugs), many):
                yield Part(0, methodcaller("meet", pairs, which, at, min(at + many, len(plugs))))

    def plugs(self, pairs: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The sets of twice so many plugs between the halves, as bits; the last one is empty.

        First those that count once, then those that stand for their mirror images as well.
        """
        plugs, mirrored, _ = self._sets[:, self._sets[2] == 2 * pairs]
        once, twice = (
            (plugs == mirrored, plugs < mirrored) if self.equal else (plugs >= 0, plugs < 0)
        )
        return plugs[once], plugs[twice]

    @cached_property
    def _sets(self) -> NDArray[np.int64]:
        """All sets, their mirror images, and how many plugs they have."""
        many = self.words.plugs - 1
        plugs = np.arange(2**many, dtype=np.int64)
        mirrored = np.zeros_like(plugs)
        for plug in range(many):
            mirrored |= (plugs >> plug & 1) << many - 1 - plug
        return np.array([plugs, mirrored, np.bitwise_count(plugs)])


class Tally:
    """A count modulo a prime, in the making: of loops by their weight, y for each dark vertex."""

    def __init__(self, halves: Halves, place: tuple[int, int], table: NDArray[np.int64]) -> None:
        y, prime = place
        self.modulus = Modulus(prime, prime.bit_length(), 2**REACH // prime, y)
        self.halves = halves
        self.table = table
        self.table[:], self.table[0] = 0, 1
        self.top = table
        self.closed = [0, 0]
        self.pieces = np.zeros(PIECES, np.int64)

    def sweep(self, which: int, start: int, stop: int) -> None:
        """Go past some cells from the top (0) or from the other end (1)."""
        cells = (self.halves.top, self.halves.bottom)[which]
        self.closed[which] = compiled(sweep)(
            self.halves.words, self.modulus, cells, start, stop, self.table, self.closed[which]
        )

    def keep(self) -> None:
        """Set the table of the top aside, and go on with that of the other end."""
        self.top = self.table[: motzkin(self.halves.words.plugs - 1)].copy()
        if self.halves.alike:
            self.closed[1] = self.closed[0]
        else:
            self.table[:], self.table[0] = 0, 1

    def meet(self, pairs: int, which: int, start: int, stop: int) -> None:
        """Add the loops through some of the sets of plugs."""
        known = meanders(pairs)
        compiled(meet)(
            self.halves.words,
            self.modulus,
            self.top,
            self.table,
            len(self.halves.top) == len(self.halves.bottom),
            which + 1,
            known.pairings,
            known.starts,
            known.linked,
            self.halves.plugs(pairs)[which],
            start,
            stop,
            np.zeros(2 * len(known.pairings) + 2 * pairs, np.int64),
            self.pieces,
        )

    def loops(self) -> int:
        """The number, once all is done."""
        if self.halves.equal:
            self.closed[1] = self.closed[0]
        # A loop that is closed in one half has no cell of the other inside.
        needed = [bool((half[SIDE::FIELDS] == 1).any()) for half in self._others]
        alone = sum(closed for closed, other in zip(self.closed, needed, strict=True) if not other)
        through = sum(int(piece) << PIECE * k for k, piece in enumerate(self.pieces))
        return (alone + through) % self.modulus.prime

    @property
    def _others(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.halves.bottom, self.halves.top
