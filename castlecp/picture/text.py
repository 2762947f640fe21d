"""Pictures as text.

Vertex (r, c) stands in text row 2r and text column S * c, where the spacing S is 4, or more
where a clue is wider than three characters (see `spacing`); S is the same all over a picture,
and (length of the line - 1) / (columns of vertices - 1) on every line that ends in a vertex
without a clue. A horizontal edge is the S - 1 characters between two vertices, a vertical edge
the one character between two rows. A vertex is a box-drawing character with an arm for each
edge drawn at it, or `·` without one. Where cells are vertices, a clue is written over its
vertex and to the right, as `B12↓`, and a circle over its vertex alone; where they are faces, in
the middle of its face.

A cross stands in the middle of its edge, or behind a clue that lies there; a shaded face is filled,
and a face marked as inside has a plus in its middle, or behind its clue.

Margins with numbers, and the brackets around highlighted places, shift the whole picture to
the right; a picture with a line has no margin unless it is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from operator import itemgetter

from castlecp.grid import Vertex
from castlecp.picture import Layer, Picture, Style

#: The horizontal and vertical character of a style, and its weight at a vertex.
LINES: dict[Style, tuple[str, str, int]] = {
    "line": ("─", "│", 1),
    "common": ("─", "│", 1),
    "first": ("━", "┃", 2),
    "second": ("╌", "╎", 1),
    "off": ("×", "×", 0),
    "out": ("✕", "✕", 0),
    "blank": (" ", " ", 0),
}

#: A vertex by its arms, as digits in base 3 (0 none, 1 light, 2 heavy): up + 3 right + 9 down
#: + 27 left.
JOINTS = "·╵╹╶└┖╺┕┗╷│╿┌├┞┍┝┡╻╽┃┎┟┠┏┢┣╴┘┚─┴┸╼┶┺┐┤┦┬┼╀┮┾╄┒┧┨┰╁╂┲╆╊╸┙┛╾┵┹━┷┻┑┥┩┭┽╃┯┿╇┓┪┫┱╅╉┳╈╋"
UP, RIGHT, DOWN, LEFT = 1, 3, 9, 27

COLOURS: dict[str, str] = {
    "line": "32",
    "common": "90",
    "first": "34",
    "second": "33",
    "off": "90",
    "out": "33",
    "white": "30;107",
    "black": "97;40",
    "grey": "30;47",
    "shade": "90",
    "margin": "90",
    "mark": "1;35",
}


def spacing(picture: Picture) -> int:
    """The text columns from one vertex to the next: 4, or as many as the widest clue needs.

    Brackets around highlighted places need room too.
    """
    moved = _crossed(picture)
    if picture.puzzle.CELLS == "faces":
        moved = set(picture.marked | picture.shaded)
    widest = max(
        (len(str(glyph)) + (cell in moved) for cell, glyph in picture.puzzle.glyphs().items()),
        default=0,
    )
    return max(4, widest + 1 + (2 if picture.faces else 1 if picture.vertices else 0))


def render(picture: Picture, *, colour: bool = False, numbers: bool | None = None) -> str:
    """The picture as lines of text without a final newline.

    `colour` adds ANSI colours and changes nothing else. `numbers` puts the numbers of rows and
    columns, from 1, along the margin; None means: unless the picture has lines, so that a
    picture of an answer can be read back.
    """
    if numbers is None:
        numbers = not picture.layers
    puzzle = picture.puzzle
    step = spacing(picture)
    if numbers:
        step = max(step, len(str(puzzle.cols)) + 1)
    text = _Text()
    _edges(text, picture, step)
    _cells(text, picture, step)
    _marks(text, picture, step)
    rows = list(range(2 * puzzle.lattice.rows - 1))
    if puzzle.CELLS == "vertices" and not picture.layers:
        rows = rows[::2]  # nothing is drawn between the rows
    left = text.left()
    if numbers:
        left = _numbers(text, picture, step, left)
        rows.insert(0, -1)
    lines = [text.line(row, left, colour) for row in rows]
    if picture.legend:
        lines += ["", _legend(picture.legend, colour)]
    return "\n".join(lines)


class _Text:
    """Characters with colours on an endless sheet: row -> column -> character and colour."""

    def __init__(self) -> None:
        self.rows: defaultdict[int, dict[int, tuple[str, str]]] = defaultdict(dict)

    def put(self, row: int, col: int, text: str, colour: str = "") -> None:
        """Write `text` but its blanks from a place on; `colour` is a key of COLOURS or ""."""
        for k, character in enumerate(text):
            if character != " ":
                self.rows[row][col + k] = character, colour

    def left(self) -> int:
        """The first column with a character."""
        return min(min(row) for row in self.rows.values())

    def line(self, row: int, left: int, colour: bool) -> str:
        """One line of the sheet from column `left` to its last character."""
        characters = self.rows[row]
        span = range(left, max(characters, default=left - 1) + 1)
        cells = [characters.get(col, (" ", "")) for col in span]
        runs = (
            _paint("".join(character for character, _ in run), name if colour else "")
            for name, run in groupby(cells, key=itemgetter(1))
        )
        return "".join(runs)


def _paint(text: str, colour: str) -> str:
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if colour in COLOURS else text


def _edges(text: _Text, picture: Picture, step: int) -> None:
    """The edges of all layers, and a joint or a dot at every vertex."""
    arms = dict.fromkeys(picture.puzzle.lattice.vertices(), 0)
    styles: dict[Vertex, str] = {}
    words = {}
    if picture.puzzle.CELLS == "vertices":
        crossed = _crossed(picture)
        words = {
            cell: len(str(glyph)) + (cell in crossed)
            for cell, glyph in picture.puzzle.glyphs().items()
        }
    for layer in picture.layers:
        across, down, weight = LINES[layer.style]
        across = across * (step - 1) if weight else across.center(step - 1)
        for r1, c1, r2, c2 in layer.edges:
            if r1 == r2:
                shown = across
                if not weight and words.get((r1, c1), 0) > step // 2:
                    shown = across.strip().rjust(step - 1)
                text.put(2 * r1, step * c1 + 1, shown, layer.style)
                out, back = RIGHT, LEFT
            else:
                text.put(2 * r1 + 1, step * c1, down, layer.style)
                out, back = DOWN, UP
            if weight:
                arms[r1, c1] += weight * out
                arms[r2, c2] += weight * back
                styles[r1, c1] = styles[r2, c2] = layer.style
    for (r, c), index in arms.items():
        text.put(2 * r, step * c, JOINTS[index], styles.get((r, c), ""))


def _cells(text: _Text, picture: Picture, step: int) -> None:
    """Shading and clues."""
    for r, c in picture.shaded:
        text.put(2 * r + 1, step * c + 1, "░" * (step - 1), "shade")
    glyphs = picture.puzzle.glyphs()
    filled = {} if picture.puzzle.CELLS == "vertices" else glyphs
    for r, c in picture.marked:
        at = step - 1 if (r, c) in filled else step // 2
        text.put(2 * r + 1, step * c + at, "+", "shade")
    crossed = _crossed(picture)
    for (r, c), glyph in glyphs.items():
        shown = str(glyph)
        if picture.puzzle.CELLS == "vertices":
            text.put(2 * r, step * c + ((r, c) in crossed), shown, glyph.fill or "")
        else:
            text.put(2 * r + 1, _middle(c, shown, step), shown, glyph.fill or "")


def _crossed(picture: Picture) -> set[Vertex]:
    """The vertices with a box, which belongs off the line, that a line goes through."""
    if picture.puzzle.CELLS != "vertices":
        return set()
    drawn = (layer.edges for layer in picture.layers if LINES[layer.style][2])
    boxes = {cell for cell, glyph in picture.puzzle.glyphs().items() if glyph.shape == "box"}
    return {end for edges in drawn for edge in edges for end in edge.ends} & boxes


def _marks(text: _Text, picture: Picture, step: int) -> None:
    """Brackets around the highlighted places and what stands there."""
    glyphs = picture.puzzle.glyphs()
    at_vertices = picture.puzzle.CELLS == "vertices"
    crossed = _crossed(picture)
    for r, c in picture.vertices:
        shown = str(glyphs.get((r, c), "·")) if at_vertices else "·"
        text.put(2 * r, step * c - 1, "[", "mark")
        text.put(2 * r, step * c + len(shown) + ((r, c) in crossed), "]", "mark")
    for r, c in picture.faces:
        shown = " " if at_vertices else str(glyphs.get((r, c), " "))
        start = _middle(c, shown, step)
        text.put(2 * r + 1, start - 1, "[", "mark")
        text.put(2 * r + 1, start + len(shown), "]", "mark")


def _numbers(text: _Text, picture: Picture, step: int, left: int) -> int:
    """The numbers of rows and columns, from 1; returns the new left end of the picture."""
    puzzle = picture.puzzle
    vertices = puzzle.CELLS == "vertices"
    width = len(str(puzzle.rows))
    for c in range(puzzle.cols):
        shown = str(c + 1)
        text.put(-1, step * c if vertices else _middle(c, shown, step), shown, "margin")
    for r in range(puzzle.rows):
        row = 2 * r if vertices else 2 * r + 1
        text.put(row, left - 2 - width, str(r + 1).rjust(width), "margin")
    return left - 2 - width


def _middle(col: int, shown: str, step: int) -> int:
    """The text column where `shown` begins to stand in the middle of a face."""
    return step * col + 1 + (step - 1 - len(shown)) // 2


def _legend(layers: list[Layer], colour: bool) -> str:
    samples = []
    for layer in layers:
        across, _, weight = LINES[layer.style]
        sample = across * 3 if weight else across
        shown = _paint(sample, layer.style if colour else "") if sample.strip() else "blank"
        samples.append(f"{shown} {layer.label}")
    return "   ".join(samples)
