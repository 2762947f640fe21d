"""The third opinion: all loops by drawing edges row by row, and the rules read off the picture.

Plain on purpose. It shares nothing with castlecp but the puzzle types: no sides, no clauses, no
propagation. `loops` is exponential; up to 5 x 5 vertices it takes a second.
"""

from __future__ import annotations

from functools import cache

from castlecp.genres.castle import CastleWall
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


def obeys(puzzle: CastleWall, loop: frozenset[Edge]) -> bool:
    """Whether a loop obeys the clues."""
    on_loop = {cell for r1, c1, r2, c2 in loop for cell in ((r1, c1), (r2, c2))}
    for clue in puzzle.clues:
        if (clue.row, clue.col) in on_loop:
            return False
        # A ray just above the clue's row, to the left: it crosses vertical edges only.
        inside = sum((clue.row - 1, k, clue.row, k) in loop for k in range(clue.col)) % 2 == 1
        if (clue.color == "white" and not inside) or (clue.color == "black" and inside):
            return False
        if clue.arrow is None or clue.number is None:
            continue
        seen = 0
        for r1, c1, r2, c2 in loop:
            horizontal = r1 == r2
            seen += {
                "left": horizontal and r1 == clue.row and c2 <= clue.col,
                "right": horizontal and r1 == clue.row and c1 >= clue.col,
                "up": not horizontal and c1 == clue.col and r2 <= clue.row,
                "down": not horizontal and c1 == clue.col and r1 >= clue.row,
            }[clue.arrow]
        if seen != clue.number:
            return False
    return True


def solutions(puzzle: CastleWall) -> set[frozenset[Edge]]:
    """All solutions."""
    return {loop for loop in loops(puzzle.rows, puzzle.cols) if obeys(puzzle, loop)}
