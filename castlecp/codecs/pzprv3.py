"""Files of pzpr players: a head, a line a row, and behind the board the drawn answer.

    pzprv3          or pzprv3.1, and before it perhaps `v:` with the name of a variant
    castle
    8               rows
    10              columns
    . . 3,1,2 . ... the board, a word a cell
    0 1 1 0 ...     the layers of the answer, as the genre lists them

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

from castlecp.codecs import (
    blank_of,
    cell_of,
    clues_of,
    count_of,
    flags_of,
    form_of,
    genre_of,
    quoted,
    warn,
    words_of,
)
from castlecp.errors import FormatError
from castlecp.genres import Puzzle, genre
from castlecp.grammar import FileForm, Layer
from castlecp.grid import Edge, Lattice, Loop
from castlecp.nouns import plural

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
    return _write(puzzle, None)


def read_answer(text: str, puzzle: Puzzle) -> Loop:
    """The line drawn in the file. Raises FormatError for another genre or size."""
    file = _file(text)
    kind, module = genre_of(puzzle)
    other = genre_of(file.blank)[0]
    if other != kind:
        raise FormatError(f"the answer is to a puzzle of the genre {other}, not {kind}")
    if (file.blank.rows, file.blank.cols) != (puzzle.rows, puzzle.cols):
        sizes = f"{file.blank.rows} x {file.blank.cols}, not {puzzle.rows} x {puzzle.cols}"
        raise FormatError(f"the answer is to a puzzle of {sizes} cells")
    form = form_of(module, "pzprv3", FileForm, ABOUT)
    lattice = puzzle.lattice
    drawn = list(enumerate(file.lines, start=file.first))[puzzle.rows :]
    lines = list(takewhile(lambda line: not _AFTERWARDS.match(line[1]), drawn))
    edges: set[Edge] = set()
    for layer in form.layers:
        if layer == "colours" and file.version == "pzprv3":
            continue
        rows, cols = _size(layer, lattice)
        marked = _marked(layer, lines[:rows], cols)
        lines = lines[rows:]
        if layer == "shading":
            return Loop.around(lattice, set(lattice.faces()) - marked)
        if layer != "colours":
            edges |= {_edge(layer, place) for place in marked}
    return Loop(lattice, frozenset(edges))


def write_answer(puzzle: Puzzle, loop: Loop) -> str:
    """The file with the loop drawn. Raises FormatError for what it cannot say."""
    return _write(puzzle, loop)


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


def _marked(layer: Layer, lines: list[tuple[int, str]], cols: int) -> set[tuple[int, int]]:
    """The places in a layer with a line or a shaded cell; an empty line has none."""
    return {
        (r, c)
        for r, (number, line) in enumerate(lines)
        if line.strip()
        for c, word in enumerate(_words(line, cols, number))
        if _is_mark(layer, word, f"line {number}, word {c + 1}")
    }


def _is_mark(layer: Layer, word: str, place: str) -> bool:
    if layer == "shading":
        if word not in ("#", "+", "."):
            raise FormatError(f"{place}: {quoted(word)} is none of `#`, `+` and `.`")
        return word == "#"
    if not re.fullmatch("-?[0-9]+", word):
        raise FormatError(f"{place}: {quoted(word)} is no whole number")
    # A negative number is a cross: no line here, and no part of the answer.
    return not word.startswith("-") and word.strip("0") != ""


def _size(layer: Layer, lattice: Lattice) -> tuple[int, int]:
    rows, cols = _FEWER[layer]
    return lattice.rows - rows, lattice.cols - cols


def _edge(layer: Layer, place: tuple[int, int]) -> Edge:
    r, c = place
    return Edge(r, c, r, c + 1) if layer == "horizontal" else Edge(r, c, r + 1, c)


def _write(puzzle: Puzzle, loop: Loop | None) -> str:
    kind, module = genre_of(puzzle)
    form = form_of(module, "pzprv3", FileForm, ABOUT)
    lines = ["pzprv3", kind, str(puzzle.rows), str(puzzle.cols), *flags_of(puzzle, ABOUT)]
    lines += map(_line, words_of(puzzle, form.cell, ABOUT))
    for layer in form.layers:
        # Version pzprv3 has no layer of colours.
        if layer != "colours":
            rows, cols = _size(layer, puzzle.lattice)
            for r in range(rows):
                lines.append(_line(_mark(layer, (r, c), loop) for c in range(cols)))
    return "\n".join(lines)


def _mark(layer: Layer, place: tuple[int, int], loop: Loop | None) -> str:
    if layer == "shading":
        return "." if loop is None or place in loop.inside else "#"
    return "1" if loop is not None and _edge(layer, place) in loop.edges else "0"


def _line(words: Iterable[str]) -> str:
    """Words as a line; a space stands behind each, the last as well."""
    return "".join(f"{word} " for word in words)
