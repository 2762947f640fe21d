"""Cave, also Corral and Bag: a cell is a face, and a clue counts the cells it sees.

The loop parts the cave, inside, from the walls, outside. So the cave is one piece, and every
wall is connected to the border through walls. A clue is in the cave; its number counts the cave's
cells that it sees in its row and column, up to the nearest wall each way, and itself. A clue
without a number says only that its cell is in the cave.

A board without any wall is an answer if the clues agree. pzprjs does not accept it (its rule
`brNoShade`); here a loop around everything is a loop like others. A board that is all wall has no
loop and is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Self

import msgspec

from castlecp import faults
from castlecp.clues import NumberClue
from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.grammar import (
    Blanks,
    Cells,
    Clued,
    Fields,
    FileForm,
    Form,
    Number,
    OneOf,
    Prefixed,
    Symbols,
)
from castlecp.grid import STEPS, Face, Lattice, Loop, face_pieces
from castlecp.nouns import plural
from castlecp.taste import Taste, Weights

#: The largest number that an address can write.
MAX_NUMBER = 77_776 + 0xFFFFF


class CaveClue(NumberClue, frozen=True):
    """A cell in the cave, and how many of its cells it sees; without a number, any."""

    MOST: ClassVar = MAX_NUMBER

    def weaker(self) -> Iterator[Self]:
        """A clue without its number still lies in the cave."""
        if self.number is not None:
            yield msgspec.structs.replace(self, number=None)


def cave_divided(puzzle: Cave, line: Loop) -> Iterator[Fault]:
    """The cave is one piece."""
    pieces = face_pieces(set(line.inside)) if line.has_sides else []
    if len(pieces) > 1:
        least = min(pieces, key=len)
        r, c = least[0]
        text = f"The cave is in {len(pieces)} pieces; one is at row {r + 1}, column {c + 1}."
        yield Fault("cave-divided", text, faces=tuple(least))


def wall_enclosed(puzzle: Cave, line: Loop) -> Iterator[Fault]:
    """Every wall is connected to the border."""
    walls = set(puzzle.lattice.faces()) - line.inside if line.has_sides else set()
    for piece in face_pieces(walls):
        if not any(r in (0, puzzle.rows - 1) or c in (0, puzzle.cols - 1) for r, c in piece):
            r, c = piece[0]
            text = f"The wall at row {r + 1}, column {c + 1} is not connected to the border."
            yield Fault("wall-enclosed", text, faces=tuple(piece))


def wrong_number(puzzle: Cave, line: Loop) -> Iterator[Fault]:
    """Every clue is in the cave and sees as many of its cells as it says."""
    for clue in puzzle.clues if line.has_sides else ():
        face = (clue.row, clue.col)
        here = f"Row {clue.row + 1}, column {clue.col + 1} ({clue.says()})"
        seen = sees(line, face)
        if face not in line.inside:
            yield Fault("clue-in-wall", f"{here}: the clue is in a wall.", faces=(face,))
        elif clue.number is not None and seen != clue.number:
            text = f"{here}: the clue sees {seen} {'cell' if seen == 1 else 'cells'}."
            yield Fault("wrong-number", text, faces=(face,))


def sees(line: Loop, face: Face) -> int:
    """How many faces inside a face sees in its row and column, itself included."""
    seen = 1
    for down, right in STEPS.values():
        r, c = face[0] + down, face[1] + right
        while (r, c) in line.inside:
            seen += 1
            r, c = r + down, c + right
    return seen


class Cave(Puzzle, frozen=True, tag="cave"):
    """A Cave board."""

    clues: tuple[CaveClue, ...] = ()

    TITLE: ClassVar = "Cave"
    CELLS: ClassVar = "faces"
    CLUES_STAND: ClassVar = "inside"
    TASTE: ClassVar = Taste(
        Weights(turn=159, straight=165, within=125, rim=99),
        loop=84,
        clues=20,
        symmetric=35,
        mix=(0, 0, 16, 22, 18, 13, 9, 7, 15),
        apart=30,
    )
    SHADES_OUTSIDE: ClassVar = True
    #: Then three cells in five are cave, as on boards by hand.
    TILT: ClassVar = (4, 3)
    #: pzprjs's order behind what can be wrong only with a line that is no border of a region. A
    #: line that crosses or is in pieces is the border of a divided cave or an enclosed wall.
    RULES: ClassVar = (
        faults.no_loop,
        faults.branch,
        faults.dead_end,
        cave_divided,
        wall_enclosed,
        wrong_number,
    )
    #: A line that crosses is here the border of a region, which the ladder judges.
    LASTING: ClassVar = (faults.branch,)

    @property
    def lattice(self) -> Lattice:
        """One face a cell."""
        return Lattice(self.rows + 1, self.cols + 1)

    @classmethod
    def true_clues(cls, loop: Loop, cell: tuple[int, int]) -> list[CaveClue]:
        """How many cells a cell of the cave sees."""
        return [CaveClue(*cell, sees(loop, cell))] if cell in loop.inside else []

    def impossible(self) -> Iterator[tuple[CaveClue, str]]:
        """Numbers that no cell can see."""
        for clue in self.clues:
            if clue.number == 0:
                yield clue, "a clue sees at least its own cell"
            elif isinstance(clue.number, int) and clue.number > self.rows + self.cols - 1:
                most = self.rows + self.cols - 1
                yield clue, f"its row and column have only {plural(most, 'cell')}"


PUZZLE = Cave

#: Other names of the genre.
NAMES = ("bag", "corral")
#: The letters in addresses and files that set a field of the puzzle.
FLAGS: Mapping[str, str] = {}

_NO_NUMBER = Symbols("`.`", {".": None})

#: `a` is 10, `-10` is 16, `+100` is 256; `.` a clue without a number.
_URL = Cells(
    Blanks("ghijklmnopqrstuvwxyz"),
    *(
        Clued(Fields(CaveClue, number=number))
        for number in (
            Number(16, 1),
            Prefixed("-", Number(16, 2)),
            Prefixed("+", Number(16, 3)),
            Prefixed("=", Number(16, 3, more=4096)),
            Prefixed("*", Number(16, 4, more=12_240)),
            Prefixed("$", Number(16, 5, more=77_776)),
            Prefixed("%", Number(16, 3, more=8192)),
            Prefixed("@", Number(16, 3, more=8192)),
            _NO_NUMBER,
        )
    ),
)

#: `5`, or `-` for a clue without a number.
_PZPRV3 = FileForm(
    cell=OneOf(
        Symbols("`.`", {".": None}),
        Fields(CaveClue, number=OneOf(Number(), Symbols("`-`", {"-": None}))),
    ),
    layers=("shading",),
)

#: `5`, or `?` for a clue without a number. A blank cell may be the dot that pictures have.
_BOARD = OneOf(
    Symbols("`.`", {".": None, "·": None}),
    Fields(CaveClue, number=OneOf(Number(), Symbols("`?`", {"?": None}))),
)

FORMS: Mapping[str, Form] = {"url": _URL, "pzprv3": _PZPRV3, "board": _BOARD}
