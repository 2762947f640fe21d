"""The claims of the fourth seed document that can be checked exactly, each in two ways."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from castlecp.backtrack import backtrack
from castlecp.brute import loops
from castlecp.generate.loops import grow
from castlecp.genres.cave import Cave, sees
from castlecp.grid import Lattice, Loop

Cell = tuple[int, int]
Shading = frozenset[Cell]  # the cells of the cave

LEVELS = {
    "count": (["visibility"], None),
    "corner": (["visibility", "corner"], None),
    "bridge": (["visibility", "corner", "reach"], None),
    "probe": (["visibility", "corner", "reach"], 0),
}


def beside(cell: Cell) -> list[Cell]:
    r, c = cell
    return [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]


def spread(start: list[Cell], room: set[Cell]) -> set[Cell]:
    """All cells of `room` that a start reaches through it."""
    seen, todo = set(start), list(start)
    for cell in todo:
        new = [other for other in beside(cell) if other in room and other not in seen]
        seen.update(new)
        todo += new
    return seen


def valid(rows: int, cols: int, cave: Shading) -> bool:
    """The cave is one piece and every wall reaches the border: nothing else is asked."""
    cells = set(product(range(rows), range(cols)))
    walls = cells - cave
    border = [w for w in walls if w[0] in (0, rows - 1) or w[1] in (0, cols - 1)]
    return bool(cave) and spread([min(cave)], set(cave)) == cave and spread(border, walls) == walls


def seen(cave: Shading, cell: Cell) -> int:
    """What a clue in the cave counts."""
    total = 1
    for down, along in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        r, c = cell[0] + down, cell[1] + along
        while (r, c) in cave:
            total, r, c = total + 1, r + down, c + along
    return total


def brute(puzzle: Cave) -> set[Shading]:
    """All answers: cell by cell in reading order, cut off where a clue sees too much or little."""
    rows, cols = puzzle.rows, puzzle.cols
    numbers = {(clue.row, clue.col): clue.number for clue in puzzle.clues}
    cells = list(product(range(rows), range(cols)))
    found = set()

    def draw(k: int, cave: set[Cell]) -> None:
        still = cave | set(cells[k:])
        for cell, number in numbers.items():
            if cell not in still:
                return
            if number is not None:
                least = seen(frozenset(cave), cell) if cell in cave else 1
                if not least <= number <= seen(frozenset(still), cell):
                    return
        if k == len(cells):
            if valid(rows, cols, frozenset(cave)):
                found.add(frozenset(cave))
            return
        draw(k + 1, cave | {cells[k]})
        draw(k + 1, cave)

    draw(0, set())
    return found


def boards() -> Iterator[Cave]:
    """Random true clues about a random cave, dense and thin, some with a number changed."""
    for seed in range(100):
        random = Random(seed)
        rows, cols = random.choice([(3, 3), (3, 4), (4, 3), (4, 4), (4, 5)])
        loop = grow(Lattice(rows + 1, cols + 1), random, cover=random.uniform(0.3, 0.8))
        clues = [
            clue
            for cell in sorted(loop.inside)
            if random.random() < random.choice((0.4, 0.7, 0.85))
            for clue in Cave.true_clues(loop, cell)
        ]
        if clues and seed % 4 == 0:
            clues[0] = next(clues[0].variations())
        yield Cave(rows, cols, tuple(clues))


def test_brute_force_and_the_search_at_each_level() -> None:
    """400 pairs of a board and a level: the same answers."""
    pairs, kinds = 0, set()
    for puzzle in boards():
        expected = brute(puzzle)
        kinds.add(min(len(expected), 2))
        for rules, patience in LEVELS.values():
            search = backtrack(puzzle, limit=None, rules=rules, patience=patience)
            assert search.exact
            assert len(search.loops) == len(expected)
            assert {loop.inside for loop in search.loops} == expected
            pairs += 1
    assert pairs == 400
    assert kinds == {0, 1, 2}


@pytest.mark.parametrize(("size", "number"), [(2, 13), (3, 213), (4, 9349)])
def test_all_boards_of_a_size(size: int, number: int) -> None:
    """Plain enumeration, the search without clues, and a count of loops give the same boards.

    On each the boundary theorem holds: the border of the cave is in one piece, passes no vertex
    twice, and has as many edges as vertices.
    """
    cells = list(product(range(size), repeat=2))
    caves = set()
    for bits in product((0, 1), repeat=size * size):
        cave = frozenset(cell for cell, bit in zip(cells, bits, strict=True) if bit)
        if valid(size, size, cave):
            caves.add(cave)
    assert len(caves) == number
    lattice = Lattice(size + 1, size + 1)
    for cave in caves:
        line = Loop.around(lattice, cave)
        assert len(line.pieces()) == 1
        assert all(len(ends) == 2 for ends in line.neighbours.values())
        assert len(line.neighbours) == len(line.edges)
        assert line.inside == cave
    found = backtrack(Cave(size, size), limit=None)
    assert {loop.inside for loop in found.loops} == caves
    assert len(found.loops) == number
    if size < 4:
        assert {loop.inside for loop in loops(lattice)} == caves


def test_what_a_clue_sees() -> None:
    """The validator's count, written apart, is that of the genre."""
    random = Random(1)
    for _ in range(50):
        loop = grow(Lattice(7, 6), random, cover=random.random())
        for cell in loop.inside:
            assert sees(loop, cell) == seen(loop.inside, cell)
