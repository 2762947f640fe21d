"""The plainest opinion: list every loop of a small lattice row by row, and judge each.

No propagation and no clue is looked at before a loop is whole; what judges it is `checker`.
"""

from __future__ import annotations

from functools import lru_cache

from castlecp.genres import Puzzle
from castlecp.grid import Edge, Lattice, Loop

#: Lattices of more vertices have too many loops to list for every board.
MOST_VERTICES = 20


@lru_cache(maxsize=32)
def loops(lattice: Lattice) -> tuple[Loop, ...]:
    """Every loop of a lattice: edges are drawn vertex by vertex so that no degree is 1 or 3."""
    rows, cols = lattice.rows, lattice.cols
    found: list[Loop] = []
    edges: list[Edge] = []

    def draw(r: int, c: int, above: tuple[bool, ...], before: bool) -> None:
        """Draw from vertex (r, c) on; `above` says which columns have an edge coming down."""
        if r == rows:
            loop = Loop(lattice, frozenset(edges))
            if loop.is_single():
                found.append(loop)
            return
        following = (r, c + 1) if c + 1 < cols else (r + 1, 0)
        for right in (False, True) if c + 1 < cols else (False,):
            for down in (False, True) if r + 1 < rows else (False,):
                if above[c] + before + right + down in (0, 2):
                    edges.extend([Edge(r, c, r, c + 1)] * right + [Edge(r, c, r + 1, c)] * down)
                    draw(*following, (*above[:c], down, *above[c + 1 :]), right)
                    del edges[len(edges) - right - down :]

    draw(0, 0, (False,) * cols, False)
    return tuple(found)


def solutions(puzzle: Puzzle) -> list[Loop]:
    """All solutions of a small board. Raises ValueError above MOST_VERTICES vertices."""
    lattice = puzzle.lattice
    if lattice.rows * lattice.cols > MOST_VERTICES:
        raise ValueError(f"{lattice.rows} x {lattice.cols} vertices are too many to list all loops")
    return [
        loop
        for loop in loops(lattice)
        if all(fault.about == "puzzle" for fault in puzzle.faults(loop))
    ]
