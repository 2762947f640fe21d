"""The third opinion: all loops by drawing edges row by row, and the rules read off the picture.

Plain on purpose. It shares nothing with castlecp but the puzzle types: no sides, no clauses, no
propagation. `loops` is exponential; up to 5 x 5 vertices it takes a second.
"""

from __future__ import annotations

from functools import cache

from castlecp.genres import Puzzle
from castlecp.genres.castle import CastleWall
from castlecp.genres.cave import Cave
from castlecp.genres.slither import Slitherlink
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
    return OBEYS[type(puzzle)](puzzle, loop)


def obeys_castle(puzzle: CastleWall, loop: frozenset[Edge]) -> bool:
    """No clue on the loop, colours on their sides, and the edges of each ray."""
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


def obeys_slither(puzzle: Slitherlink, loop: frozenset[Edge]) -> bool:
    """The edges of each numbered cell, every point if asked for, and the number of lies."""
    for clue in puzzle.clues:
        if clue.number is not None:
            corners = {(clue.row + down, clue.col + right) for down in (0, 1) for right in (0, 1)}
            sides = [e for e in loop if {(e[0], e[1]), (e[2], e[3])} <= corners]
            if len(sides) != clue.number:
                return False
    # A loop has as many edges as points.
    if puzzle.visits_all and len(loop) != (puzzle.rows + 1) * (puzzle.cols + 1):
        return False
    return len(liars(puzzle, loop)) == puzzle.false_statements


def liars(puzzle: Slitherlink, loop: frozenset[Edge]) -> list[int]:
    """The statements that are false of a loop."""
    false = []
    for number, statement in enumerate(puzzle.statements):
        one, other = (puzzle.places[statement.of[k]] for k in (0, -1))
        true = {
            "inside": is_inside(loop, *one),
            "outside": not is_inside(loop, *one),
            "same": is_inside(loop, *one) == is_inside(loop, *other),
            "opposite": is_inside(loop, *one) != is_inside(loop, *other),
        }
        if not true[statement.says]:
            false.append(number)
    return false


def obeys_cave(puzzle: Cave, loop: frozenset[Edge]) -> bool:
    """Every clue inside, and no edge of the loop between a clue and what it sees."""
    for clue in puzzle.clues:
        r, c = clue.row, clue.col
        if not is_inside(loop, r, c):
            return False
        seen = 1
        # To see the next cell is to look across the edge before it, if that is off the loop.
        left = right = c
        while left > 0 and (r, left, r + 1, left) not in loop:
            left -= 1
        while right + 1 < puzzle.cols and (r, right + 1, r + 1, right + 1) not in loop:
            right += 1
        top = bottom = r
        while top > 0 and (top, c, top, c + 1) not in loop:
            top -= 1
        while bottom + 1 < puzzle.rows and (bottom + 1, c, bottom + 1, c + 1) not in loop:
            bottom += 1
        seen += right - left + bottom - top
        if clue.number is not None and seen != clue.number:
            return False
    return True


def is_inside(loop: frozenset[Edge], row: int, col: int) -> bool:
    """Whether a face is inside: a ray to the left crosses the loop an odd number of times."""
    return sum((row, k, row + 1, k) in loop for k in range(col + 1)) % 2 == 1


OBEYS = {CastleWall: obeys_castle, Slitherlink: obeys_slither, Cave: obeys_cave}


def solutions(puzzle: Puzzle) -> set[frozenset[Edge]]:
    """All solutions."""
    more = 0 if puzzle.CELLS == "vertices" else 1
    return {loop for loop in loops(puzzle.rows + more, puzzle.cols + more) if obeys(puzzle, loop)}
