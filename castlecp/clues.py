"""What clues have in common: where they stand, and what a number says, whatever it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Literal, Self

import msgspec

from castlecp.errors import PuzzleError
from castlecp.glyph import Glyph
from castlecp.grid import Symmetry
from castlecp.shape import Checked


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


class Clue(Checked, frozen=True, omit_defaults=True):
    """What the core knows of a clue: where it stands and what it says; the base of every genre's.

    Rows and columns count from 0. Raises PuzzleError for a field of the wrong type.
    """

    row: int
    col: int

    def says(self) -> str:
        """What the clue says, as words: `black, 3 down`."""
        raise NotImplementedError

    def glyph(self) -> Glyph:
        """How the clue looks in a picture."""
        raise NotImplementedError

    def weaker(self) -> Iterable[Self]:
        """Clues for the same cell that say less, the more telling first."""
        return ()

    def stripped(self) -> Self:
        """The clue without what says nothing in it."""
        return self

    def variations(self) -> Iterable[Self]:
        """Clues one small change away."""
        return ()

    def transformed(self, symmetry: Symmetry, rows: int, cols: int) -> Self:
        """The clue on the turned or mirrored board of `rows` x `cols` cells."""
        row, col = symmetry.cell((self.row, self.col), rows, cols)
        return msgspec.structs.replace(self, row=row, col=col)


class NumberClue(Clue, frozen=True):
    """A cell with a number, or with "?", which is the same as none.

    Raises PuzzleError for a number that is not 0 to MOST.
    """

    number: int | Literal["?"] | None = None

    MOST: ClassVar[int]

    def __post_init__(self) -> None:
        super().__post_init__()
        settle_number(self, self.MOST)

    def says(self) -> str:
        """What the clue says, as words."""
        return "?" if self.number is None else str(self.number)

    def glyph(self) -> Glyph:
        """The number."""
        return Glyph(self.says())

    def variations(self) -> Iterator[Self]:
        """A number that is one more or less."""
        return next_numbers(self, self.MOST)
