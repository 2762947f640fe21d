"""Files of pzpr players: a head, a line a row, and behind the board the drawn answer.

    pzprv3          or pzprv3.1, and before it perhaps `v:` with the name of a variant
    castle
    8               rows
    10              columns
    . . 3,1,2 . ... the board, a word a cell
    0 1 1 0 ...     the layers of the answer, as the genre lists them

In the layers of edges 1 or more is a line and -1 a cross, in that of shading `#` is outside and
`+` inside. Version pzprv3.1 has a layer of colours for genres whose outside is not shaded: 1 is
inside, 2 outside, as pzprjs takes them when it outlines what is coloured.

A `/` may stand for every newline. A file that ends before its board is a blank one, with a
FormatWarning; one that ends within it is an error; rows missing from the answer have nothing drawn
in them. What follows (trial answers, info, history) is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Any, NamedTuple

import msgspec

from castlecp.cells import blank_of, cell_of, clues_of, flags_of, form_of, genre_of, words_of
from castlecp.errors import FormatError, sized
from castlecp.genres import Puzzle, genre
from castlecp.grammar import FileForm, Layer
from castlecp.grid import Edge, Face, Lattice, Loop
from castlecp.nouns import plural
from castlecp.position import Position
from castlecp.texts import count_of, quoted, warn

ABOUT = ABOUT_ANSWER = "a pzprv3 file"
ENDING = ".pzprv3"

_FIRST = re.compile(r"\s*(v:[^\n/]*[\n/]\s*)?pzprv")
_AFTERWARDS = re.compile(r"TrialData|info:|history:|https?://|\s*[{\[]")


def looks_like(text: str) -> bool:
    """Whether the text begins with `pzprv`, a variant's line aside."""
    return bool(_FIRST.match(text))


answer_looks_like = looks_like

#: For each layer: by how much its rows and words are fewer than those of the lattice.
_FEWER: dict[Layer, tuple[int, int]] = {
    "horizontal": (0, 1),
    "vertical": (1, 0),
    "shading": (1, 1),
    "colours": (1, 1),
}


#: The layers of faces.
_FACES: frozenset[Layer] = frozenset({"shading", "colours"})
_SHADES = {"#": False, "+": True, ".": None}
#: For each layer: how nothing, on or inside, and off or outside are written.
_SIGNS: dict[Layer, tuple[str, str, str]] = {
    "horizontal": ("0", "1", "-1"),
    "vertical": ("0", "1", "-1"),
    "shading": (".", "+", "#"),
    "colours": ("0", "1", "2"),
}


class _File(NamedTuple):
    """A file as far as its board: what it is about, and the lines behind the head."""

    version: str
    blank: Puzzle
    lines: list[str]
    #: The number of the first of those lines, from 1.
    first: int


def read(text: str) -> Puzzle:
    """The puzzle. Raises FormatError, or PuzzleError for a size that is not allowed."""
    file = _file(text)
    rows, cols = file.blank.rows, file.blank.cols
    form = form_of(genre_of(file.blank)[1], "pzprv3", FileForm, ABOUT)
    if not file.lines:
        warn("the file ends before the board; all cells are left blank")
    elif len(file.lines) < rows:
        raise FormatError(
            f"the board has {plural(rows, 'row')}, but the file ends after {len(file.lines)}"
        )
    known: dict[str, Any] = {}
    cells = []
    for number, line in enumerate(file.lines[:rows], start=file.first):
        for position, word in enumerate(_words(line, cols, number), start=1):
            if word not in known:
                known[word] = cell_of(form.cell, word, f"line {number}, word {position}")
            cells.append(known[word])
    return msgspec.structs.replace(file.blank, clues=clues_of(cells, cols))


def write(puzzle: Puzzle) -> str:
    """The file, with nothing drawn. Raises FormatError for what it cannot say."""
    return _write(puzzle, Position(puzzle.lattice))


def read_answer(text: str, puzzle: Puzzle) -> Loop:
    """The line drawn in the file. Raises FormatError for another genre or size."""
    return puzzle.line_of(read_position(text, puzzle))


def read_position(text: str, puzzle: Puzzle) -> Position:
    """All that is drawn in the file. Raises FormatError for another genre or size."""
    file = _file(text)
    kind, module = genre_of(puzzle)
    other = genre_of(file.blank)[0]
    if other != kind:
        raise FormatError(f"the answer is to a puzzle of the genre {other}, not {kind}")
    if (file.blank.rows, file.blank.cols) != (puzzle.rows, puzzle.cols):
        other, mine = (sized(board.rows, board.cols) for board in (file.blank, puzzle))
        raise FormatError(f"the answer is to a puzzle {other}, not {mine}")
    form = form_of(module, "pzprv3", FileForm, ABOUT)
    lattice = puzzle.lattice
    drawn = list(enumerate(file.lines, start=file.first))[puzzle.rows :]
    lines = list(takewhile(lambda line: not _AFTERWARDS.match(line[1]), drawn))
    on: set[Edge] = set()
    off: set[Edge] = set()
    inside: set[Face] = set()
    outside: set[Face] = set()
    for layer in form.layers:
        if layer == "colours" and file.version == "pzprv3":
            continue
        rows, cols = _size(layer, lattice)
        marks = _marks(layer, lines[:rows], cols)
        lines = lines[rows:]
        if layer in _FACES:
            inside |= {place for place, mark in marks if mark}
            outside |= {place for place, mark in marks if not mark}
        else:
            on |= {_edge(layer, place) for place, mark in marks if mark}
            off |= {_edge(layer, place) for place, mark in marks if not mark}
    return Position(lattice, frozenset(on), frozenset(off), frozenset(inside), frozenset(outside))


def write_answer(puzzle: Puzzle, loop: Loop) -> str:
    """The file with the loop drawn. Raises FormatError for what it cannot say."""
    if puzzle.SHADES_OUTSIDE:
        outside = frozenset(puzzle.lattice.faces()) - loop.inside
        return _write(puzzle, Position(loop.lattice, outside=outside))
    return _write(puzzle, Position.of(loop))


def write_position(puzzle: Puzzle, position: Position) -> str:
    """The file with all that is drawn. Raises FormatError for what it cannot say."""
    return _write(puzzle, position)


def _file(text: str) -> _File:
    """The head of a file, read. Raises FormatError or PuzzleError."""
    text = text.rstrip()
    at = text[: len(text) - len(text.lstrip())].count("\n")
    if "/" in text.lstrip().split("\n", 1)[0]:
        text = text.replace("/", "\n").rstrip()
    lines = text.split("\n")

    def line(what: str) -> str:
        nonlocal at
        if at == len(lines):
            raise FormatError(f"the file ends at line {at}; {what} is missing")
        at += 1
        return lines[at - 1].strip()

    version = line("`pzprv3`")
    if version.startswith("v:"):
        warn(f"the variant {quoted(version[2:])} is ignored")
        version = line("`pzprv3`")
    if version not in ("pzprv3", "pzprv3.1"):
        raise FormatError(f"unknown version {quoted(version)}; known: pzprv3, pzprv3.1")
    kind = genre(line("the genre"))
    rows = count_of(line("the number of rows"), f"number of rows in line {at}")
    cols = count_of(line("the number of columns"), f"number of columns in line {at}")
    flags = ""
    if at < len(lines) and re.fullmatch("[a-z]+", lines[at].strip()):
        flags = line("a flag")
    return _File(version, blank_of(kind, rows, cols, flags), lines[at:], at + 1)


def _words(line: str, count: int, number: int) -> list[str]:
    words = line.split()
    if len(words) != count:
        raise FormatError(
            f"line {number} has {plural(len(words), 'word')} where there should be {count}"
        )
    return words


def _marks(
    layer: Layer, lines: list[tuple[int, str]], cols: int
) -> list[tuple[tuple[int, int], bool]]:
    """The marked places of a layer, and whether the mark is for the line or for its inside.

    An empty line has none.
    """
    found = []
    for r, (number, line) in enumerate(lines):
        for c, word in enumerate(_words(line, cols, number) if line.strip() else ()):
            mark = _mark(layer, word, f"line {number}, word {c + 1}")
            if mark is not None:
                found.append(((r, c), mark))
    return found


def _mark(layer: Layer, word: str, place: str) -> bool | None:
    """What a word says: on or inside, off or outside, or nothing."""
    if layer == "shading":
        if word not in _SHADES:
            raise FormatError(f"{place}: {quoted(word)} is none of `#`, `+` and `.`")
        return _SHADES[word]
    if not re.fullmatch("-?[0-9]+", word):
        raise FormatError(f"{place}: {quoted(word)} is no whole number")
    if not word.strip("-0"):
        return None
    if layer == "colours":
        return {"1": True, "2": False}.get(word)
    return not word.startswith("-")


def _size(layer: Layer, lattice: Lattice) -> tuple[int, int]:
    rows, cols = _FEWER[layer]
    return lattice.rows - rows, lattice.cols - cols


def _edge(layer: Layer, place: tuple[int, int]) -> Edge:
    r, c = place
    return Edge(r, c, r, c + 1) if layer == "horizontal" else Edge(r, c, r + 1, c)


def _write(puzzle: Puzzle, drawn: Position) -> str:
    kind, module = genre_of(puzzle)
    form = form_of(module, "pzprv3", FileForm, ABOUT)
    faces = drawn.inside | drawn.outside
    coloured = "colours" in form.layers and bool(faces)
    if faces and _FACES.isdisjoint(form.layers):
        raise FormatError(f"{ABOUT} of {puzzle.TITLE} cannot say what is inside or outside")
    if (drawn.on or drawn.off) and _FACES.issuperset(form.layers):
        raise FormatError(f"{ABOUT} of {puzzle.TITLE} cannot say lines and crosses, only shading")
    version = "pzprv3.1" if coloured else "pzprv3"
    lines = [version, kind, str(puzzle.rows), str(puzzle.cols), *flags_of(puzzle, ABOUT)]
    lines += map(_line, words_of(puzzle, form.cell, ABOUT))
    for layer in form.layers:
        # Version pzprv3 has no layer of colours.
        if layer != "colours" or coloured:
            rows, cols = _size(layer, puzzle.lattice)
            for r in range(rows):
                lines.append(_line(_word(layer, (r, c), drawn) for c in range(cols)))
    return "\n".join(lines)


def _word(layer: Layer, place: tuple[int, int], drawn: Position) -> str:
    blank, yes, no = _SIGNS[layer]
    if layer in _FACES:
        return yes if place in drawn.inside else no if place in drawn.outside else blank
    edge = _edge(layer, place)
    return yes if edge in drawn.on else no if edge in drawn.off else blank


def _line(words: Iterable[str]) -> str:
    """Words as a line; a space stands behind each, the last as well."""
    return "".join(f"{word} " for word in words)
