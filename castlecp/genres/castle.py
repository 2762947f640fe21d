"""Castle Wall: a cell is a vertex, the loop avoids every clue.

A white clue lies inside the loop, a black one outside, a grey one says neither. An arrow with
a number counts the loop's edges on the ray from the clue to the border: horizontal edges for
left and right, vertical ones for up and down. Other clues do not block the ray. A number
without an arrow says nothing, and neither does an arrow without a number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal, Self

import msgspec

from castlecp import faults
from castlecp.clues import Clue, next_numbers, settle_number
from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.glyph import ARROWS, FILLS, Glyph
from castlecp.grammar import (
    Blanks,
    Cells,
    Clued,
    End,
    Fields,
    FileForm,
    Form,
    Number,
    OneOf,
    Prefixed,
    Symbols,
    Tolerant,
)
from castlecp.grid import STEPS, Direction, Edge, Lattice, Loop, Symmetry
from castlecp.nouns import plural
from castlecp.taste import Taste, Weights

#: The largest number every text format can write.
MAX_NUMBER = 4095


class CastleClue(Clue, frozen=True):
    """A clue cell. `number` "?" is the same as no number, and the colour "gray" the same as "grey".

    Raises PuzzleError for a number that is not 0 to MAX_NUMBER.
    """

    color: Literal["white", "black", "grey", "gray"]
    arrow: Direction | None = None
    number: int | Literal["?"] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.color == "gray":
            msgspec.structs.force_setattr(self, "color", "grey")
        settle_number(self, MAX_NUMBER)

    @property
    def count(self) -> int | None:
        """The number of edges the clue counts on its ray; None when it counts nothing."""
        return self.number if isinstance(self.number, int) and self.arrow else None

    def says(self) -> str:
        """What the clue says, as words."""
        if self.arrow:
            return f"{self.color}, {'?' if self.number is None else self.number} {self.arrow}"
        return self.color if self.number is None else f"{self.color}, {self.number} with no arrow"

    def glyph(self) -> Glyph:
        """A box in the clue's colour; an arrow that counts nothing has a question mark."""
        number = self.number if self.number is not None or not self.arrow else "?"
        fill = "grey" if self.color == "gray" else self.color
        return Glyph("" if number is None else str(number), fill, self.arrow)

    def weaker(self) -> Iterator[Self]:
        """What the clue could say less: the number alone, the colour alone, a bare wall."""
        if self.color != "grey":
            if self.arrow:
                yield msgspec.structs.replace(self, color="grey")
            yield msgspec.structs.replace(self, arrow=None, number=None)
        yield msgspec.structs.replace(self, color="grey", arrow=None, number=None)

    def stripped(self) -> Self:
        """Without a number that has no arrow, and without an arrow that has no number."""
        if self.count is not None:
            return self
        return msgspec.structs.replace(self, arrow=None, number=None)

    def variations(self) -> Iterator[Self]:
        """Clues one small change away: another colour, a number off by one, a turned arrow."""
        for color in ("white", "black", "grey"):
            if color != self.color:
                yield msgspec.structs.replace(self, color=color)
        yield from next_numbers(self, MAX_NUMBER)
        if self.arrow:
            for arrow in STEPS:
                if arrow != self.arrow:
                    yield msgspec.structs.replace(self, arrow=arrow)

    def transformed(self, symmetry: Symmetry, rows: int, cols: int) -> Self:
        """The clue on the turned or mirrored board."""
        turned = Clue.transformed(self, symmetry, rows, cols)
        arrow = symmetry.direction(self.arrow) if self.arrow else None
        return msgspec.structs.replace(turned, arrow=arrow)


def clue_crossed(puzzle: CastleWall, line: Loop) -> Iterator[Fault]:
    """The line enters no clue cell."""
    for clue in puzzle.clues:
        if (clue.row, clue.col) in line.neighbours:
            yield _fault("clue-crossed", clue, "the line enters the cell")


def too_many(puzzle: CastleWall, line: Loop) -> Iterator[Fault]:
    """No arrow sees more edges than its number."""
    for clue, wanted, count in _seen(puzzle, line):
        if count > wanted:
            yield _fault("too-many", clue, f"the line has {plural(count, 'edge')} on the ray")


def too_few(puzzle: CastleWall, line: Loop) -> Iterator[Fault]:
    """No arrow sees fewer edges than its number."""
    for clue, wanted, count in _seen(puzzle, line):
        if count < wanted:
            yield _fault("too-few", clue, f"the line has {plural(count, 'edge')} on the ray")


def black_inside(puzzle: CastleWall, line: Loop) -> Iterator[Fault]:
    """Black clues lie outside."""
    for clue in _off_the_line(puzzle, line):
        if clue.color == "black" and (clue.row, clue.col) in line.inside:
            yield _fault("black-inside", clue, "the cell is inside the loop")


def white_outside(puzzle: CastleWall, line: Loop) -> Iterator[Fault]:
    """White clues lie inside."""
    for clue in _off_the_line(puzzle, line):
        if clue.color == "white" and (clue.row, clue.col) not in line.inside:
            yield _fault("white-outside", clue, "the cell is outside the loop")


def number_without_arrow(puzzle: CastleWall, line: Loop) -> Iterator[Fault]:
    """Every number has an arrow."""
    for clue in puzzle.clues:
        if clue.arrow is None and clue.number is not None:
            yield _fault("number-without-arrow", clue, "the number counts nothing", about="puzzle")


def _seen(puzzle: CastleWall, line: Loop) -> Iterator[tuple[CastleClue, int, int]]:
    """Every clue that counts, its number, and the number of edges the line has on its ray."""
    # Where the edges along each row and each column begin: a ray is then one binary search.
    along: dict[tuple[str, int], list[int]] = defaultdict(list)
    for r1, c1, r2, _ in line.edges:
        if r1 == r2:
            along["row", r1].append(c1)
        else:
            along["column", c1].append(r1)
    for starts in along.values():
        starts.sort()
    for clue in puzzle.clues:
        if clue.count is not None:
            if clue.arrow in ("left", "right"):
                starts, here = along["row", clue.row], clue.col
            else:
                starts, here = along["column", clue.col], clue.row
            before = bisect_left(starts, here)
            seen = before if clue.arrow in ("left", "up") else len(starts) - before
            yield clue, clue.count, seen


def _off_the_line(puzzle: CastleWall, line: Loop) -> Iterator[CastleClue]:
    """The clues that have a side: none when the line has loose ends, else those it avoids."""
    if line.has_sides:
        for clue in puzzle.clues:
            if (clue.row, clue.col) not in line.neighbours:
                yield clue


def _fault(
    name: str, clue: CastleClue, sentence: str, about: Literal["line", "puzzle"] = "line"
) -> Fault:
    text = f"Row {clue.row + 1}, column {clue.col + 1} ({clue.says()}): {sentence}."
    return Fault(name, text, ((clue.row, clue.col),), about=about)


class CastleWall(Puzzle, frozen=True, tag="castle"):
    """A Castle Wall board."""

    clues: tuple[CastleClue, ...] = ()

    TITLE: ClassVar = "Castle Wall"
    CELLS: ClassVar = "vertices"
    CLUES_STAND: ClassVar = "off the loop"
    TASTE: ClassVar = Taste(
        Weights(turn=81, straight=85, within=108, rim=118),
        loop=68,
        clues=19,
        silent=35,
        symmetric=40,
        mix=(6, 23, 24, 17, 13, 9, 8),
        apart=300,
        white=47,
    )
    #: pzprjs's order, with the clue cells it leaves to its editor put after the crossing.
    RULES: ClassVar = (
        faults.no_loop,
        faults.branch,
        faults.cross,
        clue_crossed,
        too_many,
        too_few,
        faults.dead_end,
        faults.several_loops,
        black_inside,
        white_outside,
        number_without_arrow,
    )
    LASTING: ClassVar = (faults.branch, faults.cross, clue_crossed, too_many)

    @property
    def lattice(self) -> Lattice:
        """One vertex a cell."""
        return Lattice(self.rows, self.cols)

    def ray(self, clue: CastleClue) -> tuple[Edge, ...]:
        """The edges a clue's arrow counts, from the border in."""
        return self.lattice.ray((clue.row, clue.col), clue.arrow) if clue.arrow else ()

    @classmethod
    def true_clues(cls, loop: Loop, cell: tuple[int, int]) -> list[CastleClue]:
        """All that a clue in this cell could truly say of a loop, one for each arrow."""
        if cell in loop.neighbours:
            return []
        color: Literal["white", "black"] = "white" if cell in loop.inside else "black"
        rays = ((arrow, loop.lattice.ray(cell, arrow)) for arrow in STEPS)
        return [
            CastleClue(*cell, color, arrow, sum(edge in loop.edges for edge in ray))
            for arrow, ray in rays
            if ray
        ]

    def impossible(self) -> Iterator[tuple[CastleClue, str]]:
        """White clues on the border, and numbers beyond their ray."""
        for clue in self.clues:
            on_border = clue.row in (0, self.rows - 1) or clue.col in (0, self.cols - 1)
            if clue.color == "white" and on_border:
                yield clue, "a cell on the border is never inside the loop"
            # The first edge of the ray touches the clue itself, where the loop never is.
            room = max(len(self.ray(clue)) - 1, 0)
            if clue.count is not None and clue.count > room:
                yield clue, f"the ray has room for at most {plural(room, 'edge')}"

    def remarks(self) -> Iterator[str]:
        """Numbers without an arrow."""
        for clue in self.clues:
            if clue.arrow is None and clue.number is not None:
                place = f"row {clue.row + 1}, column {clue.col + 1}"
                yield f"the number {clue.number} at {place} has no arrow and says nothing"


PUZZLE = CastleWall

#: Other names of the genre.
NAMES: tuple[str, ...] = ()
#: The letters in addresses and files that set a field of the puzzle.
FLAGS: Mapping[str, str] = {}

_NO_NUMBER = Symbols("`.`", {".": None})

_COLOR_DIGITS = {"0": "grey", "1": "white", "2": "black"}
_URL_COLOR = Tolerant(
    Symbols("a colour digit 0-2", _COLOR_DIGITS),
    Symbols("a colour digit 0-9", dict.fromkeys("3456789", "grey")),
    "a clue with a colour digit above 2 is read as grey",
)
_ARROW_DIGITS = {"0": None, "1": "up", "2": "down", "3": "left", "4": "right"}
_URL_ARROW = Symbols("an arrow digit 0-4", _ARROW_DIGITS)
_URL_FAR_ARROW = Symbols(
    "an arrow digit 5-9", {str(int(digit) + 5): arrow for digit, arrow in _ARROW_DIGITS.items()}
)

#: `228` is black, down, 8; `20.` black and no more; `2712` black, down, 18; `2-13e3` 995, up.
_URL = Cells(
    Blanks("abcdefghijklmnopqrstuvwxyz"),
    *(
        Clued(Fields(CastleClue, color=_URL_COLOR, arrow=arrow, number=number))
        for arrow, number in (
            (_URL_ARROW, Number(16, 1)),
            (_URL_ARROW, _NO_NUMBER),
            (_URL_FAR_ARROW, Number(16, 2)),
            (Prefixed("-", _URL_ARROW), Number(16, 3)),
        )
    ),
)

#: A player ticks clues off, which adds 4 to the colour.
_TICKED_DIGITS = {str(int(digit) + 4): color for digit, color in _COLOR_DIGITS.items()}

#: `2,8,2` is down, 8, black; `0,-,0` a grey wall. A number of -1 is no clue at all.
_PZPRV3 = FileForm(
    cell=OneOf(
        Symbols("`.`", {".": None, **{f"{a},-1,{c}": None for a in "01234" for c in "0123456"}}),
        Fields(
            CastleClue,
            arrow=_URL_ARROW,
            number=Prefixed(",", OneOf(Number(), Symbols("`-`", {"-": None}))),
            color=Prefixed(",", Symbols("a colour 0-2 or 4-6", _COLOR_DIGITS | _TICKED_DIGITS)),
        ),
    ),
    layers=("horizontal", "vertical"),
)

_LETTERS = {letter: color for color, letter in FILLS.items()}
_LETTER = Symbols(
    "`W`, `B` or `G`", _LETTERS | {letter.lower(): color for letter, color in _LETTERS.items()}
)
_SIGN = Symbols(
    "an arrow",
    {sign: arrow for arrow, sign in ARROWS.items()}
    | {"^": "up", "v": "down", "<": "left", ">": "right"},
)

#: `B8↓` or `B8v` is black, 8 down; `W?<` white with an arrow and no number; `G` a grey wall.
#: Letters may be small, and a blank cell the dot that pictures have for it.
_BOARD = OneOf(
    Symbols("`.`", {".": None, "·": None}),
    Fields(
        CastleClue,
        color=_LETTER,
        number=OneOf(Number(), Symbols("`?`", {"?": None, "": None})),
        arrow=_SIGN,
    ),
    Fields(
        CastleClue,
        color=_LETTER,
        number=OneOf(Number(), Symbols("`?`", {"": None, "?": None})),
        arrow=End(),
    ),
)

FORMS: Mapping[str, Form] = {"url": _URL, "pzprv3": _PZPRV3, "board": _BOARD}
