"""What a puzzle is: one module a genre, found by the name of its file.

A genre module offers what `Genre` lists: a `Puzzle` with its clue type and its rules as an ordered
list of named faults, the genre's names, and how a cell is written in each text format. Nothing
else in castlecp knows a genre by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal, Protocol, Self, TypeVar

import msgspec

from castlecp import faults
from castlecp.clues import Clue
from castlecp.errors import Lacking, PuzzleError, sized
from castlecp.faults import Fault, FaultFinder
from castlecp.glyph import Glyph
from castlecp.grammar import Form
from castlecp.grid import Lattice, Loop, Symmetry, Vertex
from castlecp.position import Position
from castlecp.registry import Registry
from castlecp.shape import Checked
from castlecp.taste import Taste

T = TypeVar("T")

#: A board has at most this many rows and at most this many columns.
MAX_SIDE = 1000


class Puzzle(Checked, frozen=True, tag_field="type"):
    """A board of `rows` x `cols` cells with clues; the base of every genre.

    Clues are kept in reading order. Raises PuzzleError for a size that is not 1 to MAX_SIDE,
    a clue off the board, two clues in one cell, or
    a field of the wrong type.
    """

    rows: int
    cols: int
    clues: tuple[Clue, ...] = ()

    #: The genre's name for people.
    TITLE: ClassVar[str]
    #: What a cell is on the lattice.
    CELLS: ClassVar[Literal["vertices", "faces"]]
    #: Whether a picture of an answer shades the faces outside the loop.
    SHADES_OUTSIDE: ClassVar[bool] = False
    #: Where a cell with a clue lies as to the loop of any answer.
    CLUES_STAND: ClassVar[Literal["off the loop", "on the loop", "inside", "anywhere"]]
    #: How the loops that boards are made from are weighed, as (take, skip) for an edge on the loop
    #: and off it; None where clues need room beside the loop, and longer loops leave too little.
    TILT: ClassVar[tuple[int, int] | None] = None
    #: What boards of the genre should be like.
    TASTE: ClassVar[Taste] = Taste()
    #: The rules in the order in which a checker names them.
    RULES: ClassVar[Sequence[FaultFinder]]

    #: Those of them, or stricter ones, that find in an unfinished line what stays wrong.
    LASTING: ClassVar[Sequence[FaultFinder]] = (faults.branch, faults.cross)

    def __post_init__(self) -> None:
        super().__post_init__()
        for key, value in (("rows", self.rows), ("cols", self.cols)):
            if not 1 <= value <= MAX_SIDE:
                raise PuzzleError(f"`{key}` is {_short(value)}; it must be from 1 to {MAX_SIDE}")
        clues = tuple(sorted(self.clues, key=lambda clue: (clue.row, clue.col)))
        previous = None
        for clue in clues:
            place = f"row {clue.row}, column {clue.col} (counted from 0)"
            if not (0 <= clue.row < self.rows and 0 <= clue.col < self.cols):
                size = sized(self.rows, self.cols)
                raise PuzzleError(f"a clue at {place} is off the board, which is {size}")
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
        """What the board says besides its clues, as lines to stand beside a picture."""
        yield from ()

    def demands(self) -> dict[str, str]:
        """What the board asks of the loop besides its clues, each thing a name and a sentence.

        The name is that of the field that says it, and the tag of its constraints in a model, which
        do not depend on the clues.
        """
        return {}

    def without(self, demand: str) -> Self:
        """The board without a demand."""
        raise NotImplementedError

    def lessened(self, loop: Loop) -> Iterator[tuple[str, Self]]:
        """The boards of which a demand has one piece less and is still true of a loop.

        Each comes with the piece as words.
        """
        yield from ()

    def findings(self, loop: Loop) -> dict[str, tuple[int, ...]]:
        """What follows from an answer besides its line, by names for JSON."""
        return {}

    def findings_words(self, loop: Loop) -> Iterator[str]:
        """The same as lines to stand below a picture of it."""
        yield from ()

    @classmethod
    def line_of(cls, drawn: Position) -> Loop:
        """The line of a position taken as finished.

        Where the outside is shaded and no line is drawn, it parts the shaded faces from the others.
        """
        if cls.SHADES_OUTSIDE and not drawn.on:
            return Loop.around(drawn.lattice, set(drawn.lattice.faces()) - drawn.outside)
        return drawn.line

    def faults(self, line: Loop) -> Iterator[Fault]:
        """Everything wrong with a line, in the order of the rules."""
        for rule in self.RULES:
            yield from rule(self, line)

    @classmethod
    def true_clues(cls, loop: Loop, cell: tuple[int, int]) -> Sequence[Clue]:
        """The most telling clues that are true of a loop in a cell; none where none can stand."""
        raise NotImplementedError

    def impossible(self) -> Iterator[tuple[Clue, str]]:
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


class Genre(Protocol):
    """What a genre module offers."""

    #: The puzzle; its tag is the genre's id, the name of the file.
    PUZZLE: type[Puzzle]
    #: Further names of the genre besides its id and title, in addresses, files and commands.
    NAMES: Sequence[str]
    #: The letters in addresses and files that set a field of the puzzle.
    FLAGS: Mapping[str, str]
    #: How a cell is written, by the name of the text format.
    FORMS: Mapping[str, Form]


def _other_names(genre: Genre) -> tuple[str, ...]:
    return genre.PUZZLE.TITLE, *genre.NAMES


REGISTRY: Registry[Genre] = Registry.folder("genre", __name__, other_names=_other_names)

#: The ids of all genres, alphabetically.
names = REGISTRY.names


def genre(name: str) -> Genre:
    """The module of a genre, by its id or any other name in any case. Raises Unknown."""
    return REGISTRY[REGISTRY.name_of(name)]


def id_of(puzzle: Puzzle) -> str:
    """The id of a puzzle's genre."""
    return str(puzzle.__struct_config__.tag)


def part_of(puzzle: Puzzle, parts: Registry[T], needing: str) -> T:
    """What a room of the house has for the genre of a puzzle, where `needing` says who needs it.

    Raises Lacking when there is nothing yet.
    """
    name = id_of(puzzle)
    if name not in parts:
        wanted = f"{needing} {parts.home}/{name}.py"
        raise Lacking(f"{puzzle.TITLE} has no {parts.kind} yet: {wanted}")
    return parts[name]


def _short(value: int) -> str:
    if abs(value) < 10**12:
        return str(value)
    return "far too large" if value > 0 else "far below zero"
