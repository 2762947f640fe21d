"""What a puzzle is: one module a genre, found by the name of its file.

A genre module defines a `Puzzle` subclass named by `PUZZLE`, its clue type, its rules as an
ordered list of named faults, and how a cell is written in each text format. Nothing else in
castlecp knows a genre by name.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Literal, Protocol, Self

import msgspec

from castlecp.errors import PuzzleError
from castlecp.faults import Fault, FaultFinder
from castlecp.glyph import Glyph
from castlecp.grid import Lattice, Loop, Symmetry, Vertex

#: A board has at most this many rows and at most this many columns.
MAX_SIDE = 1000


class Clue(Protocol):
    """What the core knows of a clue: where it stands and what it says."""

    @property
    def row(self) -> int: ...  # noqa: D102

    @property
    def col(self) -> int: ...  # noqa: D102

    def says(self) -> str:
        """What the clue says, as words: `black, 3 down`."""

    def glyph(self) -> Glyph:
        """How the clue looks in a picture."""

    def weaker(self) -> Iterable[Self]:
        """Clues for the same cell that say less, the more telling first."""

    def variations(self) -> Iterable[Self]:
        """Clues one small change away."""

    def transformed(self, symmetry: Symmetry, rows: int, cols: int) -> Self:
        """The clue on the turned or mirrored board of `rows` x `cols` cells."""


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """A board of `rows` x `cols` cells with clues; the base of every genre.

    Clues are kept in reading order. Raises PuzzleError for a size that is not 1 to MAX_SIDE,
    a clue off the board, or two clues in one cell.
    """

    rows: int
    cols: int
    clues: tuple[Any, ...] = ()

    #: The genre's name for people.
    TITLE: ClassVar[str]
    #: What a cell is on the lattice.
    CELLS: ClassVar[Literal["vertices", "faces"]]
    #: Whether a picture of an answer shades the faces outside the loop.
    SHADES_OUTSIDE: ClassVar[bool] = False
    #: Whether clues stand inside the loop only.
    CLUES_INSIDE: ClassVar[bool] = False
    #: How the loops that boards are made from are weighed, as (take, skip) for an edge on the loop
    #: and off it; None where clues need room beside the loop, and longer loops leave too little.
    TILT: ClassVar[tuple[int, int] | None] = None
    #: The rules in the order in which a checker names them.
    RULES: ClassVar[Sequence[FaultFinder]]

    def __post_init__(self) -> None:
        for key, value in (("rows", self.rows), ("cols", self.cols)):
            if not 1 <= value <= MAX_SIDE:
                raise PuzzleError(f"`{key}` is {_short(value)}; it must be from 1 to {MAX_SIDE}")
        clues = tuple(sorted(self.clues, key=lambda clue: (clue.row, clue.col)))
        previous = None
        for clue in clues:
            place = f"row {clue.row}, column {clue.col} (counted from 0)"
            if not (0 <= clue.row < self.rows and 0 <= clue.col < self.cols):
                size = f"{self.rows} x {self.cols}"
                raise PuzzleError(f"a clue at {place} is off the board of {size} cells")
            if previous == (clue.row, clue.col):
                raise PuzzleError(f"two clues at {place}")
            previous = (clue.row, clue.col)
        msgspec.structs.force_setattr(self, "clues", clues)

    @property
    def lattice(self) -> Lattice:
        """The lattice on which the loop runs."""
        raise NotImplementedError

    def point(self, vertex: Vertex) -> str:
        """A vertex in words; where cells are faces, points have rows and columns of their own."""
        words = f"row {vertex[0] + 1}, column {vertex[1] + 1}"
        return words if self.CELLS == "vertices" else f"the point in {words} of the points"

    def glyphs(self) -> dict[tuple[int, int], Glyph]:
        """What pictures show in the cells."""
        return {(clue.row, clue.col): clue.glyph() for clue in self.clues}

    def words(self) -> Iterator[str]:
        """What the board says besides its clues, as lines to stand below a picture."""
        yield from ()

    def findings(self, loop: Loop) -> dict[str, Any]:
        """What follows from an answer besides its line, by names for JSON."""
        return {}

    def findings_words(self, loop: Loop) -> Iterator[str]:
        """The same as lines to stand below a picture."""
        yield from ()

    def faults(self, line: Loop) -> Iterator[Fault]:
        """Everything wrong with a line, in the order of the rules."""
        for rule in self.RULES:
            yield from rule(self, line)

    @classmethod
    def true_clues(cls, loop: Loop, cell: tuple[int, int]) -> Sequence[Any]:
        """The most telling clues that are true of a loop in a cell; none where none can stand."""
        raise NotImplementedError

    def impossible(self) -> Iterator[tuple[Any, str]]:
        """Clues that no loop can satisfy whatever the others say, each with the reason."""
        yield from ()

    def remarks(self) -> Iterator[str]:
        """Sentences about what is legal but probably not meant."""
        yield from ()

    def transformed(self, symmetry: Symmetry) -> Self:
        """The puzzle turned or mirrored."""
        rows, cols = symmetry.size(self.rows, self.cols)
        clues = tuple(clue.transformed(symmetry, self.rows, self.cols) for clue in self.clues)
        return msgspec.structs.replace(self, rows=rows, cols=cols, clues=clues)


@cache
def names() -> tuple[str, ...]:
    """The ids of all genres, alphabetically."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def genre(name: str) -> Any:
    """The module of a genre. Raises KeyError for an unknown id."""
    if name not in names():
        raise KeyError(name)
    return import_module(f"{__name__}.{name}")


def _short(value: int) -> str:
    if abs(value) < 10**12:
        return str(value)
    return "far too large" if value > 0 else "far below zero"
