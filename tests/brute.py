"""The third opinion: all loops by drawing edges row by row, and the rules read off the picture.

The rules of a genre are in its sample, `obeys`.

Plain on purpose. It shares nothing with castlecp but the puzzle types: no sides, no clauses, no
propagation. `loops` is exponential; up to 5 x 5 vertices it takes a second.
"""

from __future__ import annotations

from functools import cache

import samples

from castlecp.genres import Puzzle, id_of
from castlecp.grid import Edge


@cache
def loops(rows: int, cols: int) -> tuple[frozenset[Edge], ...]:
    """Every single loop of a lattice of `rows` x `cols` vertices."""
    found = []
    edges: list[Edge] = []
    degree = [[0] * (cols + 1) for _ in range(rows + 1)]

    def draw(r: int, c: int) -> None:
        if r == rows:
            if edges and one_piece(edges):
                found.append(frozenset(edges))
            return
        following = (r, c + 1) if c + 1 < cols else (r + 1, 0)
        for right in (0, 1) if c + 1 < cols else (0,):
            for down in (0, 1) if r + 1 < rows else (0,):
                if degree[r][c] + right + down not in (0, 2):
                    continue
                new = [Edge(r, c, r, c + 1)] * right + [Edge(r, c, r + 1, c)] * down
                edges.extend(new)
                degree[r][c + 1] += right
                degree[r + 1][c] += down
                draw(*following)
                degree[r][c + 1] -= right
                degree[r + 1][c] -= down
                del edges[len(edges) - len(new) :]

    draw(0, 0)
    return tuple(found)


def one_piece(edges: list[Edge]) -> bool:
    """Whether edges of degree two everywhere are one loop: walk it and count."""
    steps: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for r1, c1, r2, c2 in edges:
        steps.setdefault((r1, c1), []).append((r2, c2))
        steps.setdefault((r2, c2), []).append((r1, c1))
    start = here = edges[0][:2]
    before, length = None, 0
    while True:
        onward = [there for there in steps[here] if there != before]
        before, here, length = here, onward[0], length + 1
        if here == start:
            return length == len(edges)


def obeys(puzzle: Puzzle, loop: frozenset[Edge]) -> bool:
    """Whether a loop obeys everything that the board says."""
    return bool(samples.of(id_of(puzzle)).obeys(puzzle, loop))


def is_inside(loop: frozenset[Edge], row: int, col: int) -> bool:
    """Whether a face is inside: a ray to the left crosses the loop an odd number of times."""
    return sum((row, k, row + 1, k) in loop for k in range(col + 1)) % 2 == 1


def solutions(puzzle: Puzzle) -> set[frozenset[Edge]]:
    """All solutions."""
    more = 0 if puzzle.CELLS == "vertices" else 1
    return {loop for loop in loops(puzzle.rows + more, puzzle.cols + more) if obeys(puzzle, loop)}
