"""What the censuses share: every loop of a lattice, or many random ones, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from castlecp.counting import Sampler
from castlecp.grid import Lattice


@dataclass(frozen=True)
class Census:
    """Facts of many loops for every cell, each of shape (loops, rows, cols).

    `visited` says whether the loop comes there and `inside` on which side the cell lies if not.
    `numbers` has for each direction what an arrow there would count. `crossings` has what the
    same ray, nudged off its line, crosses.
    """

    lattice: Lattice
    visited: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    numbers: dict[str, NDArray[np.int8]]
    crossings: dict[str, NDArray[np.int8]]

    @classmethod
    def of(cls, sampler: Sampler, numbers: Sequence[int]) -> Census:
        """The facts of the loops with some numbers."""
        right, down = (on.astype(np.int8) for on in sampler.drawn(numbers))
        visited = right | down
        visited[:, :, 1:] |= right[:, :, :-1]
        visited[:, 1:, :] |= down[:, :-1, :]
        # Nothing leads down from the last row or right from the last column, so rays along
        # these lines cross nothing, and indeed no border cell is inside.
        rays = {
            "left": before(right, 2),
            "right": from_here(right, 2),
            "up": before(down, 1),
            "down": from_here(down, 1),
        }
        crossings = {
            "left": before(down, 2),
            "right": from_here(down, 2) - down,
            "up": before(right, 1),
            "down": from_here(right, 1) - right,
        }
        inside = crossings["left"] % 2 == 1
        return cls(sampler.lattice, visited > 0, inside, rays, crossings)

    @classmethod
    def every(cls, lattice: Lattice) -> Census:
        """The facts of all loops of a lattice."""
        sampler = Sampler(lattice)
        return cls.of(sampler, range(sampler.total))


def before(on: NDArray[np.int8], axis: int) -> NDArray[np.int8]:
    """For each place the sum of those before it along an axis."""
    return np.cumsum(on, axis, dtype=np.int8) - on


def from_here(on: NDArray[np.int8], axis: int) -> NDArray[np.int8]:
    """For each place the sum of it and those after it along an axis."""
    return on.sum(axis, dtype=np.int8, keepdims=True) - before(on, axis)
