"""Slitherlink, with statements: a cell is a face, a number counts its edges on the loop.

The loop runs along the lines between cells. A clue from 0 to 4 is the number of its cell's four
edges that the loop uses; a clue without a number says nothing. With `visits_all` (pzpr's flag
`f`) the loop passes every vertex.

A board may give names to cells, its *places*, and make *statements* about them: a place is
inside, or outside; two places are on the same side of the loop, or on opposite sides. Exactly
`false_statements` of the statements are false. Which ones follows from the loop, so two answers
differ only when their loops do. A statement about one place twice is allowed: "the same side" is
then true and "opposite sides" false whatever the loop. No statements at all say nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, Self

import msgspec

from castlecp import faults
from castlecp.clues import NumberClue
from castlecp.errors import PuzzleError, sized
from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.glyph import Glyph
from castlecp.grammar import Blanks, Cells, Clued, FileForm, Form, Symbols
from castlecp.grid import Face, Lattice, Loop, Symmetry
from castlecp.shape import Checked
from castlecp.taste import Taste, Weights

#: The most characters that the name of a place may have.
MAX_NAME = 40
#: The most places and statements of a board. Each is one more thing that every method weighs: sat
#: and auto settle so many in a fraction of a second, where few numbers stand too; four times as
#: many take them seconds (results/statements.md).
MAX_PLACES = 200
MAX_STATEMENTS = 100


class SlitherClue(NumberClue, frozen=True):
    """A number in a cell, 0 to 4; one without a number says nothing."""

    MOST: ClassVar = 4


class Statement(Checked, frozen=True):
    """That one place is inside or outside, or that two are on the same or on opposite sides."""

    says: Literal["inside", "outside", "same", "opposite"]
    of: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        places = 1 if self.says in ("inside", "outside") else 2
        if len(self.of) != places:
            raise PuzzleError(f"`of` must name {'one place' if places == 1 else 'two places'}")

    def sentence(self) -> str:
        """The statement as words."""
        if self.says in ("inside", "outside"):
            return f"{self.of[0]} is {self.says}"
        sides = "the same side" if self.says == "same" else "opposite sides"
        return f"{self.of[0]} and {self.of[1]} are on {sides}"


def wrong_number(puzzle: Slitherlink, line: Loop) -> Iterator[Fault]:
    """Every number is that of its cell's edges on the line."""
    for clue in puzzle.clues:
        if clue.number is not None:
            seen = edges_around(line, (clue.row, clue.col))
            if seen != clue.number:
                number = f"the line has {seen} of the cell's four edges"
                yield _fault("wrong-number", (clue.row, clue.col), f" ({clue.says()}): {number}")


def vertex_missed(puzzle: Slitherlink, line: Loop) -> Iterator[Fault]:
    """With `visits_all` the line passes every vertex."""
    if puzzle.visits_all:
        for vertex in puzzle.lattice.vertices():
            if vertex not in line.neighbours:
                text = f"The line does not pass {puzzle.point(vertex)}."
                yield Fault("vertex-missed", text, (vertex,))


def number_of_lies(puzzle: Slitherlink, line: Loop) -> Iterator[Fault]:
    """As many statements are false as the board says."""
    if puzzle.statements and line.is_single():
        found = len(puzzle.liars(line))
        if found != puzzle.false_statements:
            wanted = puzzle.false_statements
            text = f"The number of false statements is {found}, where the board says {wanted}."
            yield Fault("false-statements", text)


def edges_around(line: Loop, face: Face) -> int:
    """How many of the four edges of a face are on a line."""
    r, c = face
    around = (
        (r, c, r, c + 1),
        (r + 1, c, r + 1, c + 1),
        (r, c, r + 1, c),
        (r, c + 1, r + 1, c + 1),
    )
    return sum(edge in line.edges for edge in around)


def _short(name: str) -> str:
    return repr(name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}...")


def _fault(name: str, face: Face, rest: str) -> Fault:
    return Fault(name, f"Row {face[0] + 1}, column {face[1] + 1}{rest}.", faces=(face,))


class Slitherlink(Puzzle, frozen=True, tag="slither", omit_defaults=True):
    """A Slitherlink board. Raises PuzzleError for statements about places that are not there."""

    clues: tuple[SlitherClue, ...] = ()
    visits_all: bool = False
    places: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    statements: tuple[Statement, ...] = ()
    false_statements: int = 0

    TITLE: ClassVar = "Slitherlink"
    CELLS: ClassVar = "faces"
    CLUES_STAND: ClassVar = "anywhere"
    TASTE: ClassVar = Taste(
        Weights(turn=113, straight=88, within=77, rim=125),
        loop=81,
        clues=42,
        symmetric=70,
        mix=(11, 27, 34, 27),
        apart=10,
    )
    #: Then the loop passes five vertices in six, as on boards by hand.
    TILT: ClassVar = (4, 3)
    #: pzprjs's order; what it does not know comes last.
    RULES: ClassVar = (
        faults.no_loop,
        faults.branch,
        faults.cross,
        wrong_number,
        faults.several_loops,
        faults.dead_end,
        vertex_missed,
        number_of_lies,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for key, most in (("places", MAX_PLACES), ("statements", MAX_STATEMENTS)):
            if len(getattr(self, key)) > most:
                raise PuzzleError(f"`{key}` are {len(getattr(self, key))}; at most {most} may be")
        named: dict[tuple[int, int], str] = {}
        for name, (row, col) in self.places.items():
            if not (name.isprintable() and 1 <= len(name) <= MAX_NAME):
                wanted = f"must have 1 to {MAX_NAME} characters, all printable"
                raise PuzzleError(f"`places`: the name {_short(name)} {wanted}")
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                size = sized(self.rows, self.cols)
                raise PuzzleError(f"`places`: {name!r} is off the board, which is {size}")
            if (row, col) in named:
                raise PuzzleError(f"`places`: {named[row, col]!r} and {name!r} are the same cell")
            named[row, col] = name
        for number, statement in enumerate(self.statements):
            for name in statement.of:
                if name not in self.places:
                    where = f"`statements[{number}].of` names {_short(name)}"
                    raise PuzzleError(f"{where}, which is no place of the board")
        if not 0 <= self.false_statements <= len(self.statements):
            most = len(self.statements)
            raise PuzzleError(
                f"`false_statements` must be from 0 to {most}, the statements there are"
            )

    def __hash__(self) -> int:
        said = (self.visits_all, *sorted(self.places.items()), self.statements)
        return hash((self.rows, self.cols, self.clues, said, self.false_statements))

    @property
    def lattice(self) -> Lattice:
        """One face a cell."""
        return Lattice(self.rows + 1, self.cols + 1)

    def glyphs(self) -> dict[tuple[int, int], Glyph]:
        """Numbers, with a letter for a place: `3(a)`."""
        texts = {(clue.row, clue.col): clue.says() for clue in self.clues}
        tags = self._letters()
        cells = texts | dict.fromkeys(tags, "")
        return {cell: Glyph(texts.get(cell, ""), tag=tags.get(cell, "")) for cell in cells}

    def words(self) -> Iterator[str]:
        """The places, the statements, and what the board demands."""
        letters = self._letters()
        for name, (r, c) in self.places.items():
            yield f"({letters[r, c]}) {name}: row {r + 1}, column {c + 1}"
        for number in range(len(self.statements)):
            yield self._numbered(number)
        yield from self.demands().values()

    def demands(self) -> dict[str, str]:
        """That so many statements are false, and that the loop passes every point."""
        said = {}
        if self.statements:
            false, all_ = self.false_statements, len(self.statements)
            verb = "is" if false == 1 else "are"
            said["statements"] = f"exactly {false} of {all_} statements {verb} false"
        if self.visits_all:
            said["visits_all"] = "the loop passes every point"
        return said

    def without(self, demand: str) -> Self:
        """The board without its statements, or one whose loop need not pass every point."""
        if demand == "statements":
            return msgspec.structs.replace(self, statements=(), false_statements=0)
        return msgspec.structs.replace(self, visits_all=False)

    def lessened(self, loop: Loop) -> Iterator[tuple[str, Self]]:
        """Each statement left out; one fewer is false where it is a lie."""
        liars = self.liars(loop)
        for number in range(len(self.statements)) if len(self.statements) > 1 else ():
            rest = self.statements[:number] + self.statements[number + 1 :]
            false = len(liars) - (number in liars)
            less = msgspec.structs.replace(self, statements=rest, false_statements=false)
            yield f"statement {self._numbered(number)}", less

    def findings(self, loop: Loop) -> dict[str, tuple[int, ...]]:
        """The statements that are false, by number from 0."""
        return {"false_statements": tuple(self.liars(loop))} if self.statements else {}

    def findings_words(self, loop: Loop) -> Iterator[str]:
        """Who lies."""
        for number in self.liars(loop):
            yield f"false: {self._numbered(number)}"

    def liars(self, loop: Loop) -> list[int]:
        """The statements that are false of a loop, by number from 0."""
        false = []
        for number, statement in enumerate(self.statements):
            sides = [self.places[name] in loop.inside for name in statement.of]
            true = {
                "inside": sides[0],
                "outside": not sides[0],
                "same": sides[0] == sides[-1],
                "opposite": sides[0] != sides[-1],
            }
            if not true[statement.says]:
                false.append(number)
        return false

    @classmethod
    def true_clues(cls, loop: Loop, cell: tuple[int, int]) -> list[SlitherClue]:
        """The number of the cell's edges."""
        return [SlitherClue(*cell, edges_around(loop, cell))]

    def remarks(self) -> Iterator[str]:
        """Places of which no statement speaks, and statements made twice."""
        spoken = {name for statement in self.statements for name in statement.of}
        for name in self.places:
            if name not in spoken:
                yield f"no statement is about the place {name!r}"
        for statement, times in Counter(self.statements).items():
            if times > 1:
                yield f"the statement that {statement.sentence()} is made {times} times"

    def transformed(self, symmetry: Symmetry) -> Self:
        """The puzzle turned or mirrored."""
        places = {
            name: symmetry.cell(cell, self.rows, self.cols) for name, cell in self.places.items()
        }
        blank = msgspec.structs.replace(self, places={}, statements=(), false_statements=0)
        turned = Puzzle.transformed(blank, symmetry)
        return msgspec.structs.replace(
            turned,
            places=places,
            statements=self.statements,
            false_statements=self.false_statements,
        )

    def _numbered(self, number: int) -> str:
        """A statement as it stands in the list, counted from 1."""
        return f"{number + 1}. {self.statements[number].sentence()}"

    def _letters(self) -> dict[tuple[int, int], str]:
        """A letter for each place, in their order; further ones have two."""
        names = [
            chr(97 + k) if k < 26 else chr(96 + k // 26) + chr(97 + k % 26) for k in range(702)
        ]
        return dict(zip(self.places.values(), names, strict=False))


PUZZLE = Slitherlink

#: Other names of the genre.
NAMES = ("slitherlink",)
#: The letters in addresses and files that set a field of the puzzle.
FLAGS: Mapping[str, str] = {"f": "visits_all"}


def _numbers(signs: str) -> Symbols[Any]:
    return Symbols(
        f"a number `{signs[0]}`-`{signs[-1]}`",
        {sign: SlitherClue(0, 0, number) for number, sign in enumerate(signs)},
    )


_UNKNOWN = SlitherClue(0, 0)

#: `7` is 2 and one blank cell, `c` is 2 and two blank cells, `.` a clue without a number.
_URL = Cells(
    Blanks("ghijklmnopqrstuvwxyz"),
    Clued(_numbers("abcde"), blanks=2),
    Clued(_numbers("56789"), blanks=1),
    Clued(_numbers("01234")),
    Clued(Symbols("`.`", {".": _UNKNOWN})),
)

_CELL = {str(number): SlitherClue(0, 0, number) for number in range(5)}

#: `3`, or `-` for a clue without a number.
_PZPRV3 = FileForm(
    cell=Symbols("a number 0-4, `-` or `.`", {".": None, "-": _UNKNOWN, **_CELL}),
    layers=("colours", "vertical", "horizontal"),
)

#: `3`, or `?` for a clue without a number. A blank cell may be the dot that pictures have.
_BOARD = Symbols("a number 0-4, `?` or `.`", {".": None, "·": None, "?": _UNKNOWN, **_CELL})

FORMS: Mapping[str, Form] = {"url": _URL, "pzprv3": _PZPRV3, "board": _BOARD}
