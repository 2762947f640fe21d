"""What clues with a number have in common, whatever the number counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

import msgspec

from castlecp.errors import PuzzleError
from castlecp.glyph import Glyph
from castlecp.grid import Symmetry


def settle_number(clue: Any, most: int) -> None:
    """Take a new clue's `number` "?" as none. Raises PuzzleError for one off 0 to `most`."""
    if clue.number == "?":
        msgspec.structs.force_setattr(clue, "number", None)
    elif isinstance(clue.number, int) and not 0 <= clue.number <= most:
        raise PuzzleError(f"`number` must be from 0 to {most}")


def next_numbers(clue: Any, most: int) -> Iterator[Any]:
    """The clue with a number that is one less, or one more."""
    if isinstance(clue.number, int):
        for number in (clue.number - 1, clue.number + 1):
            if 0 <= number <= most:
                yield msgspec.structs.replace(clue, number=number)


class NumberClue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A cell with a number, or with "?", which is the same as none.

    Raises PuzzleError for a number that is not 0 to MOST.
    """

    row: int
    col: int
    number: int | Literal["?"] | None = None

    MOST: ClassVar[int]

    def __post_init__(self) -> None:
        settle_number(self, self.MOST)

    def says(self) -> str:
        """What the clue says, as words."""
        return "?" if self.number is None else str(self.number)

    def glyph(self) -> Glyph:
        """The number."""
        return Glyph(self.says())

    def weaker(self) -> Iterator[Self]:
        """A number says all or nothing."""
        yield from ()

    def variations(self) -> Iterator[Self]:
        """A number that is one more or less."""
        return next_numbers(self, self.MOST)

    def transformed(self, symmetry: Symmetry, rows: int, cols: int) -> Self:
        """The clue on the turned or mirrored board."""
        row, col = symmetry.cell((self.row, self.col), rows, cols)
        return msgspec.structs.replace(self, row=row, col=col)
