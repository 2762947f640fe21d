"""Masyu: a cell is a vertex, and the loop passes every circle.

On a white circle the loop runs straight on and turns in a cell just before it or just after it, or
in both. On a black one it turns, and runs straight on in the cells before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal, Self

import msgspec

from castlecp import faults
from castlecp.clues import Clue
from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.glyph import Glyph
from castlecp.grammar import Cells, FileForm, Form, Packed, Symbols
from castlecp.grid import Lattice, Loop, Vertex
from castlecp.taste import Taste, Weights


class Circle(Clue, frozen=True):
    """A circle, white or black."""

    color: Literal["white", "black"]

    def says(self) -> str:
        """What the clue says, as words."""
        return f"{self.color} circle"

    def glyph(self) -> Glyph:
        """The circle."""
        return Glyph(fill=self.color, shape="circle")

    def variations(self) -> Iterator[Self]:
        """A circle of the other colour."""
        other: Literal["white", "black"] = "black" if self.color == "white" else "white"
        yield msgspec.structs.replace(self, color=other)


def is_straight(line: Loop, vertex: Vertex) -> bool:
    """Whether a line has two ends at a vertex, on opposite sides of it."""
    ends = line.neighbours.get(vertex, [])
    return len(ends) == 2 and all(a + b == 2 * at for a, b, at in zip(*ends, vertex, strict=True))


def turns(line: Loop, vertex: Vertex) -> bool:
    """Whether a line has two ends at a vertex, at a right angle."""
    return len(line.neighbours.get(vertex, [])) == 2 and not is_straight(line, vertex)


def white_turns(puzzle: Masyu, line: Loop) -> Iterator[Fault]:
    """The line runs straight on at a white circle."""
    for clue, at in _circles(puzzle, "white"):
        if turns(line, at):
            yield _fault("white-turns", clue, "the line turns on the circle")


def black_straight(puzzle: Masyu, line: Loop) -> Iterator[Fault]:
    """The line turns at a black circle."""
    for clue, at in _circles(puzzle, "black"):
        if is_straight(line, at):
            yield _fault("black-straight", clue, "the line runs straight on the circle")


def turn_beside_black(puzzle: Masyu, line: Loop) -> Iterator[Fault]:
    """The line runs straight on before and after a black circle."""
    for clue, at in _circles(puzzle, "black"):
        ends = line.neighbours.get(at, [])
        if len(ends) == 2 and any(turns(line, end) for end in ends):
            yield _fault("turn-beside-black", clue, "the line turns in the next cell")


def no_turn_beside_white(puzzle: Masyu, line: Loop) -> Iterator[Fault]:
    """The line turns just before a white circle, or just after it."""
    for clue, at in _circles(puzzle, "white"):
        ends = line.neighbours.get(at, [])
        if len(ends) == 2 and all(is_straight(line, end) for end in ends):
            yield _fault("no-turn-beside-white", clue, "the line turns neither before nor after it")


def circle_missed(puzzle: Masyu, line: Loop) -> Iterator[Fault]:
    """The line passes every circle."""
    for clue in puzzle.clues:
        if (clue.row, clue.col) not in line.neighbours:
            yield _fault("circle-missed", clue, "the line does not pass the circle")


def _circles(puzzle: Masyu, color: str) -> Iterator[tuple[Circle, Vertex]]:
    """The circles of one colour and where they are."""
    return ((clue, (clue.row, clue.col)) for clue in puzzle.clues if clue.color == color)


def _fault(name: str, clue: Circle, sentence: str) -> Fault:
    text = f"Row {clue.row + 1}, column {clue.col + 1} ({clue.says()}): {sentence}."
    return Fault(name, text, ((clue.row, clue.col),))


class Masyu(Puzzle, frozen=True, tag="mashu"):
    """A Masyu board."""

    clues: tuple[Circle, ...] = ()

    TITLE: ClassVar = "Masyu"
    CELLS: ClassVar = "vertices"
    CLUES_STAND: ClassVar = "on the loop"
    #: The loop passes nine vertices in ten.
    TASTE: ClassVar = Taste(Weights(turn=200, straight=200), loop=88, clues=22, white=55)
    #: Then the loop passes nine vertices in ten.
    TILT: ClassVar = (2, 1)
    #: The order of pzprjs.
    RULES: ClassVar = (
        faults.no_loop,
        faults.branch,
        faults.cross,
        white_turns,
        black_straight,
        turn_beside_black,
        no_turn_beside_white,
        circle_missed,
        faults.dead_end,
        faults.several_loops,
    )

    @property
    def lattice(self) -> Lattice:
        """One vertex a cell."""
        return Lattice(self.rows, self.cols)

    @classmethod
    def true_clues(cls, loop: Loop, cell: tuple[int, int]) -> list[Circle]:
        """The circle that the loop could pass there, if any."""
        ends = loop.neighbours.get(cell, [])
        if turns(loop, cell):
            return [Circle(*cell, "black")] if all(is_straight(loop, end) for end in ends) else []
        return [Circle(*cell, "white")] if any(turns(loop, end) for end in ends) else []

    def impossible(self) -> Iterator[tuple[Circle, str]]:
        """Circles too near to corners or borders."""
        for clue in self.clues:
            up, down = clue.row, self.rows - 1 - clue.row
            left, right = clue.col, self.cols - 1 - clue.col
            if clue.color == "white" and not (min(up, down) or min(left, right)):
                yield clue, "the loop cannot run straight on in a corner"
            elif clue.color == "black" and (max(up, down) < 2 or max(left, right) < 2):
                yield clue, "the loop needs two steps after its turn on the circle"


PUZZLE = Masyu

#: Other names of the genre.
NAMES = ("masyu",)
#: The letters in addresses and files that set a field of the puzzle.
FLAGS: Mapping[str, str] = {}

_WHITE, _BLACK = Circle(0, 0, "white"), Circle(0, 0, "black")

#: Three cells a character, each a digit in base 3: `i` is 200, a black circle and two blank cells.
_URL = Cells(Packed((None, _WHITE, _BLACK), cells=3))

#: `1` is white, `2` black.
_PZPRV3 = FileForm(
    cell=Symbols("`1`, `2` or `.`", {".": None, "1": _WHITE, "2": _BLACK}),
    layers=("horizontal", "vertical"),
)

#: `W` or `B`, which may be small, or the circle that pictures have.
_BOARD = Symbols(
    "`W`, `B` or `.`",
    {".": None, "·": None}
    | dict.fromkeys(("W", "w", "○", "O", "o"), _WHITE)
    | dict.fromkeys(("B", "b", "●", "*"), _BLACK),
)

FORMS: Mapping[str, Form] = {"url": _URL, "pzprv3": _PZPRV3, "board": _BOARD}
