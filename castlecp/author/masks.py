"""Masks: which faces are inside, as a picture with `#` inside and `.` outside, one line a row.

The loop is what lies between inside and outside, so that nobody writes down edges. It is one
loop when the inside is one piece without a hole and touches itself nowhere at a corner.
"""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.errors import FormatError
from castlecp.grid import Face, Lattice, Loop, face_pieces
from castlecp.nouns import plural
from castlecp.texts import quoted

INSIDE, OUTSIDE = "#", "."


def cells_of(picture: Sequence[str], signs: str) -> dict[tuple[int, int], str]:
    """The signs of a picture by row and column from 0.

    Raises FormatError for lines of different lengths and for any other sign; places are counted
    from 1.
    """
    if not picture or not picture[0]:
        raise FormatError("the picture is empty")
    for number, line in enumerate(picture, 1):
        if len(line) != len(picture[0]):
            raise FormatError(
                f"row {number} has {plural(len(line), 'sign')}, row 1 has {len(picture[0])}"
            )
    cells = {(r, c): sign for r, line in enumerate(picture) for c, sign in enumerate(line)}
    for cell, sign in cells.items():
        if sign not in signs:
            raise FormatError(f"{_place(cell)} is {quoted(sign)}; it must be {' or '.join(signs)}")
    return cells


def read(mask: Sequence[str]) -> Loop:
    """The loop around the inside of a mask.

    Raises FormatError, with the place, for a mask whose boundary is not one loop.
    """
    cells = cells_of(mask, INSIDE + OUTSIDE)
    inside = {face for face, sign in cells.items() if sign == INSIDE}
    lattice = Lattice(len(mask) + 1, len(mask[0]) + 1)
    if not inside:
        raise FormatError("no face is inside")
    for r, c in cells:
        block = [(r + i, c + j) in inside for i in (0, 1) for j in (0, 1)]
        if block in ([True, False, False, True], [False, True, True, False]):
            first, second = ((r, c + block[1]), (r + 1, c + block[3]))
            raise FormatError(f"{_place(first)} and {_place(second)} touch only at a corner")
    pieces = face_pieces(inside)
    if len(pieces) > 1:
        least = min(pieces, key=len)
        raise FormatError(
            f"the inside is in {len(pieces)} pieces, one of them at {_place(least[0])}"
        )
    for piece in face_pieces(cells.keys() - inside):
        if not any(r in (0, len(mask) - 1) or c in (0, len(mask[0]) - 1) for r, c in piece):
            raise FormatError(f"the inside has a hole at {_place(piece[0])}")
    return Loop.around(lattice, inside)


def write(loop: Loop) -> list[str]:
    """The mask of a loop."""
    rows, cols = loop.lattice.rows - 1, loop.lattice.cols - 1
    return [
        "".join(INSIDE if (r, c) in loop.inside else OUTSIDE for c in range(cols))
        for r in range(rows)
    ]


def _place(cell: Face) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"
