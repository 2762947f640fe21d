"""Where clues may stand: symmetric layouts, and patterns drawn as pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from castlecp.errors import FormatError
from castlecp.grid import Symmetry
from castlecp.nouns import plural

#: A turn by half, a mirror that swaps left and right, or nothing. Turns by a quarter are left
#: out on purpose: they can draw shapes that nobody wants to print.
Layout = Literal["none", "turn", "mirror"]

SYMMETRY: dict[Layout, Symmetry] = {
    "none": Symmetry(False, False, False),
    "turn": Symmetry(True, True, False),
    "mirror": Symmetry(False, True, False),
}

Cell = tuple[int, int]
Group = tuple[Cell, ...]


def orbits(cells: Iterable[Cell], layout: Layout, rows: int, cols: int) -> list[Group]:
    """The cells in groups that belong together, in order, without groups that are not whole."""
    free = set(cells)
    groups: list[Group] = []
    for cell in sorted(free):
        other = SYMMETRY[layout].cell(cell, rows, cols)
        if other in free and cell <= other:
            groups.append((cell,) if cell == other else (cell, other))
    return groups


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
