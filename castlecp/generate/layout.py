"""Where clues may stand: symmetric layouts, and patterns drawn as pictures."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Literal

from castlecp.errors import FormatError
from castlecp.grid import Symmetry
from castlecp.nouns import plural

#: Half a turn, a mirror that swaps left and right, a quarter turn, a mirror that swaps rows and
#: columns, or nothing; "auto" is one of them for some of the boards.
Layout = Literal["auto", "none", "turn", "mirror", "quarter", "diagonal"]

#: What a layout stays the same under.
SYMMETRY: dict[Layout, Symmetry] = {
    "none": Symmetry(False, False, False),
    "turn": Symmetry(True, True, False),
    "mirror": Symmetry(False, True, False),
    "quarter": Symmetry(True, False, True),
    "diagonal": Symmetry(False, False, True),
}
#: How often "auto" takes each where it takes one, about as people do.
USUAL: dict[Layout, int] = {"turn": 10, "mirror": 3, "quarter": 4, "diagonal": 1}

Cell = tuple[int, int]
Group = tuple[Cell, ...]


def fits(layout: Layout, rows: int, cols: int) -> bool:
    """Whether a board can have the layout: some need as many rows as columns."""
    return layout == "auto" or rows == cols or not SYMMETRY[layout].transpose


def drawn(random: Random, symmetric: int, rows: int, cols: int) -> Layout:
    """What "auto" stands for on a board, `symmetric` times in a hundred a symmetry."""
    usual = {name: weight for name, weight in USUAL.items() if fits(name, rows, cols)}
    if random.randrange(100) >= symmetric:
        return "none"
    at = random.randrange(sum(usual.values()))
    for name, weight in usual.items():
        at -= weight
        if at < 0:
            return name
    return "none"


def orbits(cells: Iterable[Cell], layout: Layout, rows: int, cols: int) -> list[Group]:
    """The cells in groups that belong together, in order, without groups that are not whole."""
    free, symmetry = set(cells), SYMMETRY[layout]
    groups: list[Group] = []
    for cell in sorted(free):
        group, other = [cell], symmetry.cell(cell, rows, cols)
        while other != cell:
            group.append(other)
            other = symmetry.cell(other, rows, cols)
        if min(group) == cell and free.issuperset(group):
            groups.append(tuple(sorted(group)))
    return groups


def scattered(
    random: Random, layout: Layout, rows: int, cols: int, cells: int, apart: int = 1
) -> list[Cell]:
    """Some cells in whole groups of a layout, about so many, as far apart as there is room.

    No two are nearer than `apart` steps.
    """
    chosen: list[Cell] = []
    every = [(r, c) for r in range(rows) for c in range(cols)]
    groups = orbits(every, layout, rows, cols)
    for least in range(max(2, apart), apart - 1, -1):
        for group in random.sample(groups, len(groups)):
            if len(chosen) >= cells:
                return chosen
            near = [
                (a, b)
                for k, a in enumerate(group)
                for b in (*chosen, *group[:k])
                if abs(a[0] - b[0]) + abs(a[1] - b[1]) < least
            ]
            if not near and group[0] not in chosen:
                chosen += group
    return chosen


def size_of(text: str) -> tuple[int, int]:
    """The rows of a picture, and the columns of its first, as `read_pattern` counts them."""
    lines = _lines(text)
    return len(lines), len(lines[0]) if lines else 0


def _lines(text: str) -> list[str]:
    """The lines of a picture without blanks between its cells."""
    lines = [line for line in text.splitlines() if line.strip()]
    if any(" " in line.strip() for line in lines):
        lines = ["".join(line.split()) for line in lines]
    return [line.strip() for line in lines]


def read_pattern(text: str, rows: int, cols: int) -> tuple[Cell, ...]:
    """The cells of a picture that is to hold a clue: `.` and blanks hold none, all else does.

    Raises FormatError when the picture is not `rows` lines of `cols` characters, counted
    without blanks between them, or marks no cell.
    """
    lines = _lines(text)
    if len(lines) != rows or any(len(line) != cols for line in lines):
        raise FormatError(
            f"a pattern for this board is {plural(rows, 'line')} of {plural(cols, 'cell')}"
        )
    cells = [(r, c) for r, line in enumerate(lines) for c, sign in enumerate(line) if sign != "."]
    if not cells:
        raise FormatError("the pattern has no clue")
    return tuple(cells)
