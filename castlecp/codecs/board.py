"""Text that a person can type: the genre's name, then a line a row, the cells parted by blanks.

    castle
    # a comment
    B1v .   .   .
    .   .   W?< .
    .   G   .   B3>

How a cell is written is the genre's business; a full stop is a blank cell everywhere. Flags stand
behind the name: `slither f`. Empty lines and lines that begin with `#` count for nothing; all rows
have the same number of cells. Where every cell is one character the blanks between may be left out.

An answer is a picture of the lattice, in box-drawing characters or in plain ASCII:

    ┌───┐   #       +---+   #
    │   │           |   |
    │   └───┐       |   +---+
    │       │       |       |
    └───────┘       +---+---+

Vertex (r, c) stands in line 2r, column 4c. The three characters between two vertices of a row
are a line or they are not, and so is the one character between two vertices of a column. What
the vertices show, and a face or a clue that reaches into the room between vertices, says
nothing; but where a clue lies on the line, as in a wrong answer, the line may begin behind it.
What else a player has drawn is in the picture too: `×`, or `x`, in the middle of an edge is a
cross, a face with `░` or `#` is shaded, as outside, and one with `+` is marked as inside.

A picture may be wider, its vertices 5 to 12 columns apart, and it may be indented. It may stand
between other lines, parted from them by empty ones, as in what `castlecp solve` prints; it then
shows something at every vertex. Two answers laid over each other are none.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import msgspec

from castlecp.cells import blank_of, cell_of, clues_of, flags_of, form_of, genre_of, words_of
from castlecp.errors import FormatError, PuzzleError, sized
from castlecp.genres import Puzzle, genre
from castlecp.grammar import Grammar, Mismatch
from castlecp.grid import Edge, Face, Lattice, Loop
from castlecp.nouns import plural
from castlecp.picture import Picture
from castlecp.picture.text import render
from castlecp.position import Position

ABOUT = "a board in text with the genre in its first line"
ENDING = ".txt"
ABOUT_ANSWER = "a picture of the loop in text"

_ACROSS = frozenset("─━═-")
_DOWN = frozenset("│┃║|")
_CROSS = frozenset("×✕xX")
_SHADE = frozenset("░▒▓#")
#: Comments, then the name of a genre, letters as flags, and something in a line below.
_FIRST = re.compile(
    r"(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*(?!pzprv)[A-Za-z]\w*(?:[ \t]+[a-z])*[ \t]*\r?\n\s*\S"
)
#: What no picture has, but other formats and sentences do.
_NEVER = re.compile(r'[{"/:,]')
#: A line that is drawn, and not a dash between words.
_STROKE = re.compile(r"[─━═│┃║]|\+--|--\+|---")
#: The same, or a cross between two vertices.
_SIGN = re.compile(_STROKE.pattern + r"|[·.] ?[×✕xX] ?[·.]")
#: What stands at a vertex only.
_JOINT = re.compile(r"[·+○●◍o*]|(?![─━═│┃║╌╎])[\u2500-\u257f]")
#: How the second of two answers over each other is drawn, or named where a stream is plain.
_OVERLAID = re.compile(r"[╌╎]|only in the second")
_COMMON = "in every answer"
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
    words = _unpacked([(number, line.split()) for number, line in rows], form)
    cols = len(words[0][1])
    blank = blank_of(kind, len(words), cols, "".join(flags))
    known: dict[str, Any] = {}
    cells = []
    for number, row in words:
        if len(row) != cols:
            raise FormatError(
                f"line {number} has {plural(len(row), 'cell')}, the first row has {cols}"
            )
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
    if re.match(r"\s*(pzprv3|v:|[{\[])", text):
        return False
    if _NEVER.search(text):
        lines = text.split("\n")
        return any(_SIGN.search(line) and not _NEVER.search(line) for line in lines)
    signs = _ACROSS | _DOWN | frozenset("·.+#")
    return any(character in signs for character in text)


def read_answer(text: str, puzzle: Puzzle) -> Loop:
    """The line in a picture. Raises FormatError for a wrong size and for half an edge.

    Of several pictures, or of two answers in one, none is chosen: that is an error too.
    """
    if _COMMON in text and not _OVERLAID.search(text):
        raise FormatError("this shows what several answers have in common; give one answer")
    line = _read(text, puzzle, marks=False).line
    if puzzle.SHADES_OUTSIDE and not line.edges:
        drawn = _read(text, puzzle, marks=True)
        return puzzle.line_of(drawn) if drawn.outside else line
    return line


def read_position(text: str, puzzle: Puzzle) -> Position:
    """All that is drawn in a picture, or what `solve --forced` shows. Raises as `read_answer`."""
    return _read("\n".join("" if _COMMON in x else x for x in text.split("\n")), puzzle, marks=True)


def _read(text: str, puzzle: Puzzle, *, marks: bool) -> Position:
    """The line, with `marks` all else too, of the one picture in a text. Raises FormatError."""
    if looks_like(text) and text.split()[0] == genre_of(puzzle)[0]:
        raise FormatError("this is a board, not a picture of an answer")
    if _OVERLAID.search(text):
        raise FormatError("two answers are laid over each other here; give one by itself")
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
    clues = {cell for cell, glyph in puzzle.glyphs().items() if glyph.shape == "box"}
    if puzzle.CELLS == "faces":
        clues = set()
    if len(lines) > height:
        found = _among(lines, lattice, clues, marks)
        if found is not None:
            return found
    if len(lines) != height:
        size = sized(lattice.rows, lattice.cols)
        raise FormatError(
            f"a picture of a lattice {size} has {plural(height, 'line')}, this one {len(lines)}"
        )
    return _picture(lines, lattice, clues, marks)


def _among(
    lines: list[tuple[int, str]], lattice: Lattice, clues: set[tuple[int, int]], marks: bool
) -> Position | None:
    """The one picture among other lines; None when there is no picture.

    Raises FormatError when there are several.
    """
    height = 2 * lattice.rows - 1
    found: dict[int, Position] = {}
    for start in range(len(lines) - height + 1):
        end = start + height
        before = lines[start - 1][1] if start else ""
        behind = lines[end][1] if end < len(lines) else ""
        if (not before or re.fullmatch(r"solution \d+", before)) and not behind:
            try:
                found[start] = _picture(lines[start:end], lattice, clues, marks, strict=True)
            except FormatError:
                continue
    whole = [
        loop
        for start, loop in found.items()
        if not any(_STROKE.search(line) for _, line in lines[:start] + lines[start + height :])
    ]
    if len(set(whole)) == 1:
        return whole[0]
    if len(found) > 1:
        raise FormatError("there are several pictures; give one by itself")
    return None


def _picture(
    lines: list[tuple[int, str]],
    lattice: Lattice,
    clues: set[tuple[int, int]],
    marks: bool,
    *,
    strict: bool = False,
) -> Position:
    """What a picture shows. Raises FormatError; a strict one shows each vertex."""
    indent = min((len(line) - len(line.lstrip()) for _, line in lines if line), default=0)
    errors = []
    for shift in dict.fromkeys((0, indent)):
        moved = [(number, line[shift:]) for number, line in lines]
        for spacing in _SPACINGS:
            try:
                if strict:
                    _refuse_words(moved, lattice, spacing)
                return _drawn(moved, lattice, spacing, clues, marks)
            except FormatError as error:
                errors.append(error)
            except PuzzleError as error:
                errors.append(FormatError(str(error)))
    raise errors[0]


def write_answer(puzzle: Puzzle, loop: Loop) -> str:
    """The picture that the terminal shows, without colours."""
    return render(Picture.of(puzzle, [loop]))


def write_position(puzzle: Puzzle, position: Position) -> str:
    """The picture with crosses, shading and marks."""
    return render(Picture.at(puzzle, position))


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that count, each with its number from 1."""
    return [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]


def _refuse_words(lines: list[tuple[int, str]], lattice: Lattice, spacing: int) -> None:
    """Raises FormatError for lines that are no picture, or one that is cut above or below."""
    places = [spacing * c for c in range(lattice.cols)]
    for index, (number, line) in enumerate(lines):
        if index % 2:
            if not _ACROSS.isdisjoint(line):
                raise FormatError(f"line {number}: an edge stands between two rows")
        elif any(line[at : at + 1].strip() == "" for at in places):
            raise FormatError(f"line {number} shows not every vertex")


def _unpacked(
    words: list[tuple[int, list[str]]], form: Grammar[Any]
) -> list[tuple[int, list[str]]]:
    """The cells of rows that are written without blanks; other rows as they are.

    Raises FormatError where it cannot be told where a cell ends.
    """
    packed = [row[0] for _, row in words]
    if any(len(row) != 1 for _, row in words) or all(_is_cell(form, row) for row in packed):
        return words
    if len(packed[0]) == 1 or any(len(row) != len(packed[0]) for row in packed):
        return words
    signs = [_is_cell(form, sign) for sign in "".join(packed)]
    joined = any(_is_cell(form, a + b) for row in packed for a, b in pairwise(row))
    if all(signs) and not joined:
        return [(number, list(row[0])) for number, row in words]
    if len(packed) > 1 and any(signs):
        raise FormatError(f"line {words[0][0]}: put blanks between cells")
    return words


def _is_cell(form: Grammar[Any], word: str) -> bool:
    try:
        form.parse(word)
    except (Mismatch, PuzzleError):
        return False
    return True


def _drawn(
    lines: list[tuple[int, str]],
    lattice: Lattice,
    spacing: int,
    clues: set[tuple[int, int]],
    marks: bool,
) -> Position:
    """What a picture with that spacing shows. Raises FormatError for a line out of place.

    A clue at a vertex that the line passes stands where the edge begins. Without `marks` the line
    is all that is looked at.
    """
    on: set[Edge] = set()
    off: set[Edge] = set()
    inside: set[Face] = set()
    outside: set[Face] = set()
    end = spacing * (lattice.cols - 1)
    for index, (number, line) in enumerate(lines):
        r, between = divmod(index, 2)
        # A clue at the last vertex is at most as wide as the room for an edge.
        if len(line) > end + spacing - 1:
            raise FormatError(
                f"line {number} of the picture is wider than {plural(end + 1, 'character')}"
            )
        if between:
            for column, character in enumerate(line):
                c, beside = divmod(column, spacing)
                said = character in _DOWN or (marks and character in "×✕")
                if said and (beside or column > end):
                    raise FormatError(f"line {number}: column {column + 1} is below no vertex")
                if column <= end and not beside and (character in _DOWN or character in _CROSS):
                    (on if character in _DOWN else off).add(Edge(r, c, r + 1, c))
                elif marks and beside and (character in _SHADE or character == "+"):
                    (inside if character == "+" else outside).add((r, c))
            continue
        for c in range(lattice.cols):
            room = line[spacing * c + 1 : spacing * (c + 1)]
            if _JOINT.search(room):
                where = f"columns {spacing * c + 2} to {spacing * (c + 1)}"
                raise FormatError(f"line {number}: a corner between two vertices in {where}")
            if (r, c) in clues and room[-1:] in _ACROSS and " " not in room:
                room = room[-1] * (spacing - 1)
            drawn = sum(character in _ACROSS for character in room)
            if drawn == spacing - 1 and c + 1 < lattice.cols:
                on.add(Edge(r, c, r, c + 1))
            elif drawn:
                where = f"columns {spacing * c + 2} to {spacing * (c + 1)}"
                raise FormatError(f"line {number}: half an edge in {where}")
            elif not _CROSS.isdisjoint(room):
                off.add(Edge(r, c, r, c + 1))
    if not marks:
        return Position(lattice, frozenset(on))
    return Position(lattice, frozenset(on), frozenset(off), frozenset(inside), frozenset(outside))
