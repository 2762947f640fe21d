"""Two plain ways to count loops, for comparison with castlecp.counting; they share no code.

`by_search` walks along every loop. `by_frontier` is the sweep of castlecp.counting done the other
way round, from each frontier to the next, with labels in tuples and Python's dictionaries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

Cell = tuple[int, int]


def by_search(rows: int, cols: int) -> int:
    """Walk from the first cell of each loop in reading order, its right neighbour first."""
    visited = [[False] * cols for _ in range(rows)]

    def walks(r: int, c: int, start: Cell) -> int:
        """Ways to go on from (r, c) and come to the cell below `start` at last."""
        if (r, c) == (start[0] + 1, start[1]):
            return 1
        visited[r][c] = True
        found = 0
        for there in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):
            on_board = 0 <= there[0] < rows and 0 <= there[1] < cols
            if on_board and there > start and not visited[there[0]][there[1]]:
                found += walks(*there, start)
        visited[r][c] = False
        return found

    corners = [(r, c) for r in range(rows - 1) for c in range(cols - 1)]
    return sum(walks(r, c + 1, (r, c)) for r, c in corners)


def by_frontier(
    rows: int, cols: int, missed: Collection[Cell] = (), inside: Collection[Cell] = ()
) -> Counter[int]:
    """The number of loops by length that miss cells and have some of them inside.

    A state is the labels of the plugs (0 empty, equal for the ends of a strand, numbered by first
    appearance) and the parity of the edges that lead down from the cells so far in the row.
    """
    states: dict[tuple[tuple[int, ...], int], Counter[int]] = {((0,) * (cols + 1), 0): Counter([0])}
    loops: Counter[int] = Counter()
    for r in range(rows):
        states = {((0, *labels[:-1]), 0): ways for (labels, _), ways in states.items()}
        for c in range(cols):
            after: dict[tuple[tuple[int, ...], int], Counter[int]] = {}
            for (labels, odd), ways in states.items():
                for new, edges in moves(labels, r, c, (rows, cols), missed):
                    if (r, c) in inside and not odd:
                        continue
                    grown = Counter({length + edges: many for length, many in ways.items()})
                    if new is None:
                        later = {cell for cell in inside if cell > (r, c)}
                        if not later:
                            loops += grown
                        continue
                    key = (canonical(new), odd ^ (new[c] != 0))
                    after[key] = after.get(key, Counter()) + grown
            states = after
    return loops


def moves(
    labels: tuple[int, ...], r: int, c: int, size: Cell, missed: Collection[Cell]
) -> list[tuple[tuple[int, ...] | None, int]]:
    """The plugs after a cell, None when the loop closes, and the edges that are new there."""
    left, up = labels[c], labels[c + 1]

    def put(down: int, right: int) -> tuple[int, ...]:
        return (*labels[:c], down, right, *labels[c + 2 :])

    below, beside = r + 1 < size[0], c + 1 < size[1]
    if (r, c) in missed:
        return [] if left or up else [(labels, 0)]
    if not left and not up:
        return [(labels, 0)] + ([(put(99, 99), 2)] if below and beside else [])
    if not left or not up:
        through = left or up
        return [(put(through, 0), 1)] * below + [(put(0, through), 1)] * beside
    rest = put(0, 0)
    if left == up:
        return [] if any(rest) else [(None, 0)]
    return [(tuple(left if label == up else label for label in rest), 0)]


def canonical(labels: tuple[int, ...]) -> tuple[int, ...]:
    """The labels numbered by first appearance."""
    names = {0: 0}
    return tuple(names.setdefault(label, len(names)) for label in labels)
