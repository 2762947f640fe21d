"""Random loops: each source takes a lattice and a source of randomness, and gives one loop."""

from __future__ import annotations

from random import Random

from castlecp.grid import Face, Lattice, Loop

#: The eight faces around a face, in a circle; orthogonal neighbours at odd places.
RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))


def grow(lattice: Lattice, random: Random, cover: float = 0.5) -> Loop:
    """A loop around a region that grows and shrinks by simple points.

    A face is a simple point when flipping it keeps the region in one piece and without a hole:
    around it the circle of eight faces changes sides exactly twice, and an orthogonal neighbour
    is on the side it would go to (the 3 x 3 test of digital topology, Rosenfeld 1979). So every
    step on the way is one loop, and nothing global is ever checked. `cover` is the share of
    faces inside at which growing gives way to random flips. Raises ValueError for a lattice
    without faces.
    """
    rows, cols = lattice.rows - 1, lattice.cols - 1
    if rows < 1 or cols < 1:
        raise ValueError(f"a lattice of {lattice.rows} x {lattice.cols} vertices has no loop")
    inside = {(random.randrange(rows), random.randrange(cols))}
    most = max(1, round(cover * rows * cols))
    for _ in range(40 * rows * cols):
        face = (random.randrange(rows), random.randrange(cols))
        joining = face not in inside
        if len(inside) >= most if joining else len(inside) == 1 or random.random() < 0.5:
            continue
        if is_simple_point(face, inside):
            inside ^= {face}
    return Loop.around(lattice, inside)


def is_simple_point(face: Face, inside: set[Face]) -> bool:
    """Whether flipping a face keeps the inside one piece without a hole; see `grow`."""
    r, c = face
    around = [(r + i, c + j) in inside for i, j in RING]
    target = face not in inside
    changes = sum(around[k] != around[k - 1] for k in range(8))
    return changes == 2 and any(around[k] == target for k in (1, 3, 5, 7))
