"""Text that a person can type: the genre's name, then a line a row, the cells parted by blanks.

    castle
    # a comment
    B1v .   .   .
    .   .   W?< .
    .   G   .   B3>

How a cell is written is the genre's business; a full stop is a blank cell everywhere. Flags stand
behind the name: `slither f`. Empty lines and lines that begin with `#` count for nothing; all rows
have the same number of cells.

An answer is a picture of the lattice, in box-drawing characters or in plain ASCII:

    ┌───┐   #       +---+   #
    │   │           |   |
    │   └───┐       |   +---+
    │       │       |       |
    └───────┘       +---+---+

Vertex (r, c) stands in line 2r, column 4c. The three characters between two vertices of a row
are a line or they are not, and so is the one character between two vertices of a column. What
the vertices show, and a face or a clue that reaches into the room between vertices, says
nothing. A picture may be wider, its vertices 5 to 12 columns apart, and it may be indented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from castlecp.codecs import (
    blank_of,
    cell_of,
    clues_of,
    flags_of,
    form_of,
    genre_of,
    words_of,
)
from castlecp.draw import Picture, to_terminal
from castlecp.errors import FormatError
from castlecp.genres import Puzzle, genre
from castlecp.grammar import Grammar
from castlecp.grid import Edge, Lattice, Loop

ABOUT = "a board in text with the genre in its first line"
ABOUT_ANSWER = "a picture of the loop in text"

_ACROSS = frozenset("─━═-")
_DOWN = frozenset("│┃║|")
#: Comments, then the name of a genre, letters as flags, and something in a line below.
_FIRST = re.compile(
    r"(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*(?!pzprv)[A-Za-z]\w*(?:[ \t]+[a-z])*[ \t]*\r?\n\s*\S"
)
#: What no picture has and other formats do.
_NEVER = re.compile(r'[{"/:,]')
#: How far apart the vertices of a row may stand: 4 characters, or more for wide clues.
_SPACINGS = range(4, 13)


def looks_like(text: str) -> bool:
    """Whether the first line is a single name, perhaps with flags, and more lines follow."""
    return bool(_FIRST.match(text))


def read(text: str) -> Puzzle:
    """The puzzle. Raises FormatError, or PuzzleError for a size that is not allowed."""
    (_, first), *rows = _lines(text)
    name, *flags = first.split()
    kind = genre(name)
    form = form_of(kind, "board", Grammar, ABOUT)
    if not rows:
        raise FormatError("the board has no rows")
    words = [(number, line.split()) for number, line in rows]
    cols = len(words[0][1])
    blank = blank_of(kind, len(words), cols, "".join(flags))
    known: dict[str, Any] = {}
    cells = []
    for number, row in words:
        if len(row) != cols:
            raise FormatError(f"line {number} has {len(row)} cells, the first row has {cols}")
        for position, word in enumerate(row, start=1):
            if word not in known:
                known[word] = cell_of(form, word, f"line {number}, cell {position}")
            cells.append(known[word])
    return msgspec.structs.replace(blank, clues=clues_of(cells, cols))


def write(puzzle: Puzzle) -> str:
    """The board, its columns aligned. Raises FormatError for what the cells cannot say."""
    kind, module = genre_of(puzzle)
    form = form_of(module, "board", Grammar, ABOUT)
    first = " ".join([kind, *flags_of(puzzle, ABOUT)])
    rows = words_of(puzzle, form, ABOUT)
    width = max(len(word) for row in rows for word in row)
    return "\n".join([first, *(" ".join(w.ljust(width) for w in row).rstrip() for row in rows)])


def answer_looks_like(text: str) -> bool:
    """Whether the text has signs of a picture and nothing that a picture never has."""
    words = text.split()
    signs = _ACROSS | _DOWN | frozenset("·.+#")
    return (
        words[0] not in ("pzprv3", "pzprv3.1")
        and not _NEVER.search(text)
        and any(character in signs for character in text)
    )


def read_answer(text: str, puzzle: Puzzle) -> Loop:
    """The line in a picture. Raises FormatError for a wrong size and for half an edge."""
    if looks_like(text) and text.split()[0] == genre_of(puzzle)[0]:
        raise FormatError("this is a board, not a picture of an answer")
    lattice = puzzle.lattice
    height = 2 * lattice.rows - 1
    lines = [
        (number, line.rstrip()) for number, line in enumerate(text.expandtabs().split("\n"), 1)
    ]
    # A line may be blank because its vertices are; only surplus ones are not of the picture.
    while len(lines) > height and not lines[-1][1]:
        lines.pop()
    while len(lines) > height and not lines[0][1]:
        lines.pop(0)
    if len(lines) != height:
        size = f"{lattice.rows} x {lattice.cols} vertices"
        raise FormatError(f"a picture of {size} has {height} lines, this one {len(lines)}")
    indent = min((len(line) - len(line.lstrip()) for _, line in lines if line), default=0)
    errors = []
    for shift in dict.fromkeys((0, indent)):
        moved = [(number, line[shift:]) for number, line in lines]
        for spacing in _SPACINGS:
            try:
                return Loop(lattice, frozenset(_edges(moved, lattice, spacing)))
            except FormatError as error:
                errors.append(error)
    raise errors[0]


def write_answer(puzzle: Puzzle, loop: Loop) -> str:
    """The picture that the terminal shows, without colours."""
    return to_terminal(Picture.of(puzzle, [loop]))


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that count, each with its number from 1."""
    return [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]


def _edges(lines: list[tuple[int, str]], lattice: Lattice, spacing: int) -> Iterator[Edge]:
    """The edges of a picture with that spacing. Raises FormatError for a line out of place."""
    end = spacing * (lattice.cols - 1)
    for index, (number, line) in enumerate(lines):
        r, between = divmod(index, 2)
        # A clue at the last vertex is at most as wide as the room for an edge.
        if len(line) > end + spacing - 1:
            raise FormatError(f"line {number} of the picture is wider than {end + 1} characters")
        if between:
            for column, character in enumerate(line):
                if character in _DOWN:
                    if column % spacing or column > end:
                        raise FormatError(f"line {number}: column {column + 1} is below no vertex")
                    yield Edge(r, column // spacing, r + 1, column // spacing)
            continue
        for c in range(lattice.cols):
            room = line[spacing * c + 1 : spacing * (c + 1)]
            drawn = sum(character in _ACROSS for character in room)
            if drawn == spacing - 1 and c + 1 < lattice.cols:
                yield Edge(r, c, r, c + 1)
            elif drawn:
                where = f"columns {spacing * c + 2} to {spacing * (c + 1)}"
                raise FormatError(f"line {number}: half an edge in {where}")
