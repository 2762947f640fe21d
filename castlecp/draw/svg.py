"""Pictures as SVG: every letter is an outline, so no font is needed to show them.

One cell is UNIT user units wide. Where cells are vertices they are squares around the vertices,
and the line runs through their middles; where they are faces the vertices are dots, unless the
outside is shaded, and small pale ones beside a line. A cell's tag stands in its corner. The edges
of a layer are one path of class `edges STYLE`, with one move for each edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

import drawsvg

from castlecp.draw import lettering
from castlecp.glyph import Glyph
from castlecp.grid import Edge
from castlecp.nouns import plural
from castlecp.picture import Layer, Picture, Style

UNIT = 40
#: The radius of a circle in a cell.
CIRCLE = 13
#: The radius of a dot, and of one beside a line, where bold ones would look like dirt.
DOT, PALE_DOT = 2.5, 1.5
#: The size of a tag's letters.
TAG = 13
MARGIN = 12
#: The room for numbers along the margin, and for one line of the legend.
NUMBERS = 20
LEGEND = 24
#: The size of letters there, and the least width of a caption.
TEXT = 14
CAPTION = 360

INK = "#1c1c1c"
GRID = "#d4d4d4"
QUIET = "#767676"
SHADE = "#bdbdbd"
PALE = "#b0b0b0"
LABEL = "#e4dcf2"
RING = "#c2187c"

#: Colour, width and dashes of a style. The colours are apart for every kind of colour vision,
#: and dashes fit an edge so that they meet at a vertex.
STROKES: dict[Style, tuple[str, float, str | None]] = {
    "line": ("#137a52", 5, None),
    "common": ("#8c8c8c", 5, None),
    "first": ("#0062b8", 6, "5 10 10 10 5 0"),
    "second": ("#d55e00", 6, "0.01 9.98"),
    "off": ("#9a9a9a", 1.5, None),
    "out": ("#d55e00", 3, None),
    "blank": ("none", 0, None),
}
#: The styles that draw an edge from end to end.
LINES = ("line", "common", "first", "second")
#: Fill, border, its width, and the colour of the text.
BOXES = {
    "white": ("#ffffff", INK, 3, INK),
    "black": (INK, INK, 3, "#ffffff"),
    "grey": ("#c9c9c9", "#8c8c8c", 1.5, INK),
}
#: Degrees from an arrow to the right.
TURNS = {"right": 0, "down": 90, "left": 180, "up": 270}
#: An arrow to the right, 20 long and 9 wide, around the origin.
ARROW = "M-10-1.4H2V-4.5L10 0 2 4.5V1.4H-10Z"


def render(picture: Picture, *, numbers: bool) -> str:
    """The picture as a document; `castlecp.draw.to_svg` says what the arguments mean."""
    sheet = _Sheet(picture, numbers)
    return _document(sheet.width, sheet.height, sheet.title(), sheet.description(), sheet.parts())


def render_page(pictures: Sequence[Picture], columns: int, *, numbers: bool) -> str:
    """Several pictures on one page, in reading order."""
    sheets = [_Sheet(picture, numbers) for picture in pictures]
    width = max(sheet.width for sheet in sheets)
    parts: list[drawsvg.DrawingElement] = []
    top = 0
    for start in range(0, len(sheets), columns):
        row = sheets[start : start + columns]
        for k, sheet in enumerate(row):
            group = drawsvg.Group(transform=f"translate({k * width} {top})")
            group.extend(sheet.parts())
            parts.append(group)
        top += max(sheet.height for sheet in row)
    about = f"{plural(len(sheets), 'picture')}. " + " ".join(
        sheet.description() for sheet in sheets
    )
    across = width * min(columns, len(sheets))
    return _document(across, top, sheets[0].title(), about, parts)


def _document(
    width: int, height: int, title: str, about: str, parts: Iterable[drawsvg.DrawingElement]
) -> str:
    drawing = drawsvg.Drawing(width, height, role="img")
    drawing.append_title(title)
    drawing.append(drawsvg.Raw(f"<desc>{escape(about)}</desc>"))
    # White, whatever the page around it is.
    drawing.append(drawsvg.Rectangle(0, 0, width, height, fill="#ffffff"))
    drawing.extend(parts)
    document: str = drawing.as_svg()
    return document


class _Sheet:
    """One picture being drawn: where things are, and the elements for them."""

    def __init__(self, picture: Picture, numbers: bool) -> None:
        self.picture = picture
        self.puzzle = picture.puzzle
        self.numbers = numbers
        self.left = self.top = MARGIN + (NUMBERS if numbers else 0)
        at_vertices = self.puzzle.CELLS == "vertices"
        #: From the corner of the board to vertex (0, 0) and to the middle of face (0, 0).
        self.to_vertex = UNIT / 2 if at_vertices else 0.0
        self.to_face = UNIT if at_vertices else UNIT / 2
        self.to_cell = UNIT / 2
        legend = picture.legend
        room = [50 + TEXT * lettering.width(layer.label) for layer in legend]
        board_width, board_height = UNIT * self.puzzle.cols, UNIT * self.puzzle.rows
        caption_width = max(board_width, CAPTION) if picture.caption else 0
        self.width = round(self.left + max([board_width, caption_width, *room]) + MARGIN)
        self.below = self.top + board_height + MARGIN
        self.caption = [
            part for line in picture.caption.split("\n") for part in _wrapped(line, caption_width)
        ]
        lines = LEGEND * (len(legend) + len(self.caption))
        self.height = round(self.below + (lines + MARGIN / 2 if lines else 0))

    def title(self) -> str:
        """What the board is."""
        return f"{self.puzzle.TITLE}, {self.puzzle.rows} x {self.puzzle.cols}"

    def parts(self) -> Iterator[drawsvg.DrawingElement]:
        """The elements of the picture, the lowest first."""
        yield from self.shading()
        yield from self.grid()
        yield from self.boxes()
        yield from (self.edges(layer) for layer in self.picture.layers if layer.edges)
        yield from self.pluses()
        yield from self.words()
        yield from self.rings()
        yield from self.margin()
        y = self.below + LEGEND / 2
        for layer in self.picture.legend:
            yield from self.legend(layer, y)
            y += LEGEND
        for line in self.caption:
            wide = TEXT * lettering.width(line)
            yield from self.text(line, MARGIN + wide / 2, y, wide, TEXT)
            y += LEGEND

    def description(self) -> str:
        """What there is to see, in words."""
        parts = [f"A board with {_count(len(self.puzzle.clues), 'clue')}"]
        for layer in self.picture.layers:
            label = f" {layer.label}" if layer.label else " drawn as a line"
            parts.append(_count(len(layer.edges), "edge") + label)
        if self.picture.marked:
            parts.append(_count(len(self.picture.marked), "face") + " marked as inside")
        places = len(self.picture.vertices) + len(self.picture.faces)
        if places:
            parts.append(_count(places, "highlighted place"))
        caption = f" {self.picture.caption}" if self.picture.caption else ""
        return "; ".join(parts) + "." + caption

    def shading(self) -> Iterator[drawsvg.DrawingElement]:
        """Grey faces."""
        for r, c in sorted(self.picture.shaded):
            x, y = self.at(r, c, self.to_face - UNIT / 2)
            yield drawsvg.Rectangle(x, y, UNIT, UNIT, fill=SHADE)

    def pluses(self) -> Iterator[drawsvg.DrawingElement]:
        """A plus near the corner of each face that is marked as inside, clear of its clue."""
        if self.picture.marked:
            path = ""
            for r, c in sorted(self.picture.marked):
                x, y = self.at(r, c, self.to_face - UNIT / 2 + 8)
                path += f"M{x - 4:g} {y:g}h8m-4-4v8"
            yield drawsvg.Path(path, fill="none", stroke=QUIET, stroke_width=1.5, class_="inside")

    def grid(self) -> Iterator[drawsvg.DrawingElement]:
        """Thin lines between cells, in a frame; dots where a line is drawn from point to point."""
        rows, cols = self.puzzle.rows, self.puzzle.cols
        size = UNIT * cols, UNIT * rows
        for r in range(rows + 1):
            yield drawsvg.Rectangle(self.left, self.top + UNIT * r - 0.5, size[0], 1, fill=GRID)
        for c in range(cols + 1):
            yield drawsvg.Rectangle(self.left + UNIT * c - 0.5, self.top, 1, size[1], fill=GRID)
        if self.puzzle.CELLS == "vertices" or self.puzzle.SHADES_OUTSIDE:
            frame = {"fill": "none", "stroke": QUIET, "stroke_width": 2}
            yield drawsvg.Rectangle(self.left, self.top, *size, **frame)
            return
        lined = any(layer.edges for layer in self.picture.layers if layer.style in LINES)
        radius, fill = (PALE_DOT, PALE) if lined else (DOT, INK)
        for r, c in self.puzzle.lattice.vertices():
            x, y = self.at(r, c, self.to_vertex)
            yield drawsvg.Circle(x, y, radius, fill=fill)

    def boxes(self) -> Iterator[drawsvg.DrawingElement]:
        """The boxes of clues, one in the border's colour and one inside it, and the circles."""
        for (r, c), glyph in self.puzzle.glyphs().items():
            if glyph.shape == "circle":
                x, y = self.at(r, c, self.to_cell)
                fill = {"white": "white", "black": INK}.get(glyph.fill or "", SHADE)
                ring = {"stroke": INK, "stroke_width": 2.5, "class_": f"clue {glyph.fill}"}
                yield drawsvg.Circle(x, y, CIRCLE, fill=fill, **ring)
            elif glyph.fill:
                fill, border, thick, _ = BOXES[glyph.fill]
                name = f"clue {glyph.fill}"
                yield self.square(r, c, 2, rx=4, fill=border, class_=name)
                if fill != border:
                    yield self.square(r, c, 2 + thick, rx=4 - thick / 2, fill=fill)

    def square(self, row: int, col: int, inset: float, **style: Any) -> drawsvg.DrawingElement:
        """A square in a cell."""
        x, y = self.at(row, col, inset)
        return drawsvg.Rectangle(x, y, UNIT - 2 * inset, UNIT - 2 * inset, **style)

    def edges(self, layer: Layer) -> drawsvg.DrawingElement:
        """One layer."""
        part = self.cross if layer.style in ("off", "out") else self.segment
        return _stroke(layer.style, "".join(map(part, sorted(layer.edges))))

    def segment(self, edge: Edge) -> str:
        """An edge as a part of a path."""
        x, y = self.at(edge.r1, edge.c1, self.to_vertex)
        return f"M{x:g} {y:g}" + (f"h{UNIT}" if edge.r1 == edge.r2 else f"v{UNIT}")

    def cross(self, edge: Edge) -> str:
        """A small cross on the middle of an edge as a part of a path."""
        x, y = self.at((edge.r1 + edge.r2) / 2, (edge.c1 + edge.c2) / 2, self.to_vertex)
        return _cross(x, y)

    def words(self) -> Iterator[drawsvg.DrawingElement]:
        """The texts and arrows of clues."""
        for (r, c), glyph in self.puzzle.glyphs().items():
            if glyph.shape == "box":
                x, y = self.at(r, c, self.to_cell)
                # A tag takes the corner, and what the cell says makes room.
                aside = 4 if glyph.tag else 0
                yield from self.glyph(glyph, x + aside, y + aside)
                if glyph.tag:
                    yield from self.tag(glyph.tag, *self.at(r, c, 3.5))

    def glyph(self, glyph: Glyph, x: float, y: float) -> Iterator[drawsvg.DrawingElement]:
        """A glyph's text and arrow around a middle: a level arrow above, an upright one beside."""
        colour = BOXES[glyph.fill][3] if glyph.fill else INK
        if glyph.arrow in ("left", "right"):
            yield from self.text(glyph.text, x, y + 6, 27, 18, colour)
            yield _arrow(glyph.arrow, x, y - 9, colour)
        elif glyph.arrow:
            # The arrow is 9 wide, and 2 units lie between the two.
            wide = min(16, 18 * lettering.width(glyph.text))
            yield from self.text(glyph.text, x - 5.5, y, wide, 18, colour)
            yield _arrow(glyph.arrow, x + 1 + wide / 2, y, colour)
        else:
            room = 27 if self.puzzle.CELLS == "vertices" else 23
            yield from self.text(glyph.text, x, y, room, 22, colour)

    def tag(self, text: str, x: float, y: float) -> Iterator[drawsvg.DrawingElement]:
        """What a cell is called, in a box with its corner there."""
        wide = TAG * lettering.width(text) + 5
        yield drawsvg.Rectangle(x, y, round(wide, 2), TAG + 2, rx=2.5, fill=LABEL, class_="tag")
        yield from self.text(text, x + wide / 2, y + TAG / 2 + 0.5, wide, TAG)

    def text(
        self, text: str, x: float, y: float, room: float, size: float, colour: str = INK
    ) -> Iterator[drawsvg.DrawingElement]:
        """A text around a middle, smaller than `size` when it is wider than `room`."""
        width = lettering.width(text)
        size = min(size, room / width) if width else size
        start = x - size * width / 2
        base = y + size * lettering.DIGIT_HEIGHT / 2
        for character in text:
            letter = _letter(character)
            if letter is not None:
                move = f"translate({start:.2f} {base:.2f}) scale({size / lettering.SIZE:.3f})"
                yield drawsvg.Use(letter, 0, 0, transform=move, fill=colour)
            start += size * lettering.advance(character)

    def rings(self) -> Iterator[drawsvg.DrawingElement]:
        """A ring around each highlighted place: the cell, or a round where no cell is."""
        at_vertices = self.puzzle.CELLS == "vertices"
        cells = self.picture.vertices if at_vertices else self.picture.faces
        others = self.picture.faces if at_vertices else self.picture.vertices
        pen = {"fill": "none", "stroke": RING, "stroke_width": 3.5, "class_": "ring"}
        for r, c in sorted(cells):
            # Where cells are faces, the line may run along their sides.
            yield self.square(r, c, 0 if at_vertices else 6, rx=7, **pen)
        for r, c in sorted(others):
            x, y = self.at(r, c, self.to_face if at_vertices else self.to_vertex)
            yield drawsvg.Circle(x, y, 11, **pen)

    def margin(self) -> Iterator[drawsvg.DrawingElement]:
        """The numbers of rows and columns."""
        if self.numbers:
            middle = MARGIN + NUMBERS / 2 - 4
            for c in range(self.puzzle.cols):
                x, _ = self.at(0, c, self.to_cell)
                yield from self.text(str(c + 1), x, middle, UNIT - 8, 13, QUIET)
            for r in range(self.puzzle.rows):
                _, y = self.at(r, 0, self.to_cell)
                yield from self.text(str(r + 1), middle, y, NUMBERS, 13, QUIET)

    def legend(self, layer: Layer, y: float) -> Iterator[drawsvg.DrawingElement]:
        """A sample of a style and what it means."""
        x = MARGIN
        if layer.style in ("off", "out"):
            yield _stroke(layer.style, _cross(x + 20, y))
        elif layer.style == "blank":
            yield from self.text("blank", x + 20, y, 40, 13, QUIET)
        else:
            yield _stroke(layer.style, f"M{x} {y:g}h40")
        wide = TEXT * lettering.width(layer.label)
        yield from self.text(layer.label, x + 50 + wide / 2, y, wide, TEXT)

    def at(self, row: float, col: float, offset: float) -> tuple[float, float]:
        """x and y of a place that many cells and `offset` units from the board's corner."""
        return self.left + UNIT * col + offset, self.top + UNIT * row + offset


def _stroke(style: Style, path: str) -> drawsvg.DrawingElement:
    colour, thick, dashes = STROKES[style]
    return drawsvg.Path(
        path,
        fill="none",
        stroke=colour,
        stroke_width=thick,
        stroke_linecap="round",
        stroke_dasharray=dashes,
        class_=f"edges {style}",
    )


def _cross(x: float, y: float) -> str:
    return f"M{x - 3:g} {y - 3:g}l6 6m-6 0l6-6"


def _arrow(direction: str, x: float, y: float, fill: str) -> drawsvg.DrawingElement:
    move = f"translate({x:.4g} {y:g}) rotate({TURNS[direction]})"
    return drawsvg.Path(ARROW, transform=move, fill=fill)


@cache
def _letter(character: str) -> drawsvg.DrawingElement | None:
    """The outline of a letter, which drawsvg puts once into a picture that uses it."""
    outline = lettering.outline(character)
    return drawsvg.Path(outline, id=f"letter-{ord(character):x}") if outline else None


def _wrapped(text: str, room: float) -> list[str]:
    """A text in lines of at most `room` units, as far as its words allow."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and TEXT * lettering.width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
