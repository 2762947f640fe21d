"""Pictures show the board, the lines and the highlights, in the terminal, as SVG and as PNG."""

import re
import struct
import subprocess
import sys
import textwrap
import time
import unicodedata
import zlib
from random import Random
from typing import ClassVar
from xml.etree import ElementTree

import pytest
import samples
from hypothesis import given
from hypothesis import strategies as st

from castlecp import codecs
from castlecp.draw import Layer, Picture, svg, to_png, to_svg, to_terminal
from castlecp.genres import Puzzle
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.genres.cave import Cave, CaveClue
from castlecp.genres.slither import SlitherClue, Slitherlink
from castlecp.glyph import Glyph
from castlecp.grid import Edge, Lattice, Loop
from castlecp.picture import text as terminal

#: A board of 3 x 4 with a right answer and with two answers.
BOARD = CastleWall(
    rows=3,
    cols=4,
    clues=(
        CastleClue(0, 3, "grey"),
        CastleClue(1, 3, "black", "left", 0),
        CastleClue(2, 0, "black", "up", 1),
    ),
)
LATTICE = BOARD.lattice
SMALL = Loop.around(LATTICE, [(0, 0)])
WIDE = Loop.around(LATTICE, [(0, 0), (0, 1)])


class Faces(Puzzle, frozen=True, tag="faces"):
    """A genre of faces, as small as one can be."""

    TITLE: ClassVar = "Faces <&>"
    CELLS: ClassVar = "faces"
    SHADES_OUTSIDE: ClassVar = True

    @property
    def lattice(self):
        return Lattice(self.rows + 1, self.cols + 1)

    def glyphs(self):
        return {(0, 0): Glyph("3"), (1, 2): Glyph("12")}


FACES = Faces(2, 3)


def lines_of(text):
    """The lines of a text written with the margin of this file."""
    return textwrap.dedent(text).strip("\n").split("\n")


def read_picture(text, rows, cols, spacing=4, dashes="─━╌"):
    """The edges of a terminal picture, by looking where its docstring says they are."""
    grid = [line.ljust(spacing * cols) for line in text.split("\n")[: 2 * rows - 1]]
    edges = set()
    for r in range(rows):
        for c in range(cols):
            between = grid[2 * r][spacing * c + 1 : spacing * (c + 1)]
            if c + 1 < cols and between and set(between) <= set(dashes):
                edges.add(Edge(r, c, r, c + 1))
            if r + 1 < rows and grid[2 * r + 1][spacing * c] in "│┃╎":
                edges.add(Edge(r, c, r + 1, c))
    return frozenset(edges)


def pixels(png):
    """Width, height and a function from x and y to the colour (red, green, blue) of a PNG."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) == (8, 6)
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    data = zlib.decompress(data)
    rows, before = [], bytes(4 * width)
    for y in range(height):
        method, *raw = data[y * (4 * width + 1) : (y + 1) * (4 * width + 1)]
        row = bytearray(raw)
        for k in range(4 * width):
            left = row[k - 4] if k >= 4 else 0
            corner = before[k - 4] if k >= 4 else 0
            guess = left + before[k] - corner
            near = min((left, before[k], corner), key=lambda v, guess=guess: abs(guess - v))
            row[k] = (row[k] + [0, left, before[k], (left + before[k]) // 2, near][method]) % 256
        rows.append(row)
        before = row
    return width, height, lambda x, y: tuple(rows[y][4 * x : 4 * x + 3])


def elements(text, name):
    """The elements of an SVG document with that name."""
    return list(ElementTree.fromstring(text).iter(f"{{http://www.w3.org/2000/svg}}{name}"))


def drawn_edges(text):
    """The edges in an SVG picture of a castle board: style -> places (x, y, h or v)."""
    styles = {}
    for path in elements(text, "path"):
        kind, _, style = path.get("class", "").partition(" ")
        # A sample of the legend has the same class and lies below the board.
        if kind == "edges" and style not in styles:
            found = re.findall(r"M([\d.]+) ([\d.]+)([hv])40", path.get("d"))
            assert len(found) == path.get("d").count("M")
            styles[style] = found
    return styles


def as_edges(found):
    """Places of `drawn_edges` as edges."""
    edges = set()
    for x, y, way in found:
        c, r = (float(x) - svg.MARGIN - 20) / 40, (float(y) - svg.MARGIN - 20) / 40
        assert (r, c) == (int(r), int(c))
        edges.add(Edge(int(r), int(c), int(r) + (way == "v"), int(c) + (way == "h")))
    return frozenset(edges)


# In the terminal


def test_a_board():
    """The board alone: clues, dots, and the numbers of rows and columns."""
    assert to_terminal(Picture.of(BOARD)).split("\n") == lines_of(
        """
           1   2   3   4
        1  ·   ·   ·   G
        2  ·   ·   ·   B0←
        3  B1↑ ·   ·   ·
        """
    )


def test_an_answer():
    """With a line there is no margin, so that the picture can be read back."""
    assert to_terminal(Picture.of(BOARD, [WIDE])).split("\n") == lines_of(
        """
        ┌───────┐   G
        │       │
        └───────┘   B0←

        B1↑ ·   ·   ·
        """
    )


def test_two_answers():
    """Edges of both, of the first and of the second differ in their characters."""
    assert to_terminal(Picture.of(BOARD, [WIDE, SMALL])).split("\n") == lines_of(
        """
        ┌───┮━━━┓   G
        │   ╎   ┃
        └───┶━━━┛   B0←

        B1↑ ·   ·   ·

        ─── in both   ━━━ only in the first   ╌╌╌ only in the second
        """
    )


def test_forced_edges():
    """On, off and undecided are three things to see, also behind the text of a clue."""
    on, off = SMALL.edges & WIDE.edges, frozenset(LATTICE.edges) - SMALL.edges - WIDE.edges
    text = to_terminal(Picture.forced(BOARD, on, off))
    assert text.split("\n") == lines_of(
        """
        ┌───╴   · × G
        │           ×
        └───╴   · × B0←
        ×   ×   ×   ×
        B1↑×· × · × ·

        ─── in every answer   × in no answer   blank in some answers
        """
    )


def test_highlights():
    """Highlighted places stand in brackets, clues and vertices alike."""
    picture = Picture.of(BOARD, [SMALL]).highlight([(1, 3), (2, 0)], [(0, 0)])
    assert to_terminal(picture).split("\n") == lines_of(
        """
        [┌]───┐    ·    G
         │    │
         └────┘    ·   [B0←]

        [B1↑] ·    ·    ·
        """
    )


def test_lines_through_clues():
    """The line shows before the clue that it wrongly goes through, in brackets or not."""
    clues = (CastleClue(0, 1, "grey"), CastleClue(1, 0, "black", "up", 12))
    puzzle = CastleWall(2, 3, (*clues, CastleClue(1, 2, "white", "left")))
    wrong = Loop.around(puzzle.lattice, [(0, 0)])
    assert to_terminal(Picture.of(puzzle, [wrong])).split("\n") == lines_of(
        """
        ┌─────┐G    ·
        │     │
        └B12↑─┘     W?←
        """
    )
    marked = Picture.of(puzzle, [wrong]).highlight([(1, 0), (1, 2)])
    assert to_terminal(marked).split("\n") == lines_of(
        """
         ┌──────┐G     ·
         │      │
        [└B12↑]─┘     [W?←]
        """
    )
    outside = Loop.around(puzzle.lattice, [(0, 1)])
    off = Picture.forced(puzzle, [], outside.edges)
    assert "G" in to_terminal(off).split("\n")[0][:6]
    assert "·G" not in to_terminal(off)


def test_wide_clues_widen_the_whole_picture():
    """A clue of five characters puts six columns between vertices everywhere."""
    puzzle = CastleWall(2, 3, (CastleClue(0, 2, "black", "down", 123),))
    loop = Loop.around(puzzle.lattice, [(0, 0)])
    text = to_terminal(Picture.of(puzzle, [loop]))
    assert text.split("\n") == ["┌─────┐     B123↓", "│     │", "└─────┘     ·"]
    assert (len(text.split("\n")[2]) - 1) // (puzzle.cols - 1) == 6
    assert read_picture(text, 2, 3, spacing=6) == loop.edges


def test_cells_that_are_faces():
    """Numbers stand in the faces, and what lies outside is shaded for one line only."""
    loop = Loop.around(FACES.lattice, [(0, 0), (0, 1)])
    assert to_terminal(Picture.of(FACES, [loop])).split("\n") == lines_of(
        """
        ┌───────┐   ·
        │ 3     │░░░
        └───────┘   ·
         ░░░ ░░░ 12░
        ·   ·   ·   ·
        """
    )
    marked = to_terminal(Picture.of(FACES).highlight([(0, 0)], [(2, 3)]))
    assert marked.split("\n") == [
        "     1    2    3",
        "   ·    ·    ·    ·",
        "1   [3]",
        "   ·    ·    ·    ·",
        "2              12",
        "   ·    ·    ·   [·]",
    ]
    assert "░" not in to_terminal(Picture.of(FACES, [loop, loop]))


#: A cave with a number of three digits and one in a wall, and a slither with three places.
CAVE = Cave(2, 4, (CaveClue(0, 0, 123), CaveClue(0, 3, 12), CaveClue(1, 1)))
SLITHER = Slitherlink(
    2,
    4,
    (SlitherClue(0, 0, 3), SlitherClue(0, 2, 0), SlitherClue(1, 3)),
    places={"quay": (0, 0), "mill": (1, 1), "old harbour": (1, 3)},
)


def test_a_cave() -> None:
    """Walls are shaded, clues are read in them too, and every column is as wide as the widest."""
    loop = Loop.around(CAVE.lattice, [(0, 0), (0, 1), (1, 1)])
    assert to_terminal(Picture.of(CAVE, [loop])).split("\n") == lines_of(
        """
        ┌───────┐   ·   ·
        │123    │░░░ 12░
        └───┐   │   ·   ·
         ░░░│ ? │░░░ ░░░
        ·   └───┘   ·   ·
        """
    )
    assert to_terminal(Picture.of(CAVE)).split("\n") == [
        "     1   2   3   4",
        "   ·   ·   ·   ·   ·",
        "1   123         12",
        "   ·   ·   ·   ·   ·",
        "2        ?",
        "   ·   ·   ·   ·   ·",
    ]


def test_a_slither_with_places() -> None:
    """A place is a letter in brackets, behind the number; highlights leave room for both."""
    loop = Loop.around(SLITHER.lattice, [(0, 0), (0, 1), (1, 1)])
    assert to_terminal(Picture.of(SLITHER, [loop])).split("\n") == lines_of(
        """
        ┌─────────┐    ·    ·
        │3(a)     │ 0
        └────┐    │    ·    ·
             │(b) │     ?(c)
        ·    └────┘    ·    ·
        """
    )
    marked = to_terminal(Picture.of(SLITHER, [loop]).highlight(faces=[(0, 0), (1, 3)]))
    assert marked.split("\n") == lines_of(
        """
        ┌─────────────┐      ·      ·
        │[3(a)]       │  0
        └──────┐      │      ·      ·
               │ (b)  │       [?(c)]
        ·      └──────┘      ·      ·
        """
    )


def test_tags_and_clues_in_svg() -> None:
    """A tag is a box of its own in a corner, which no clue has, and the clue makes room."""
    bare = Slitherlink(SLITHER.rows, SLITHER.cols, SLITHER.clues)
    tagged, untagged = (to_svg(Picture.of(puzzle)) for puzzle in (SLITHER, bare))
    assert tagged.count('class="tag"') == len(SLITHER.places) == 3
    assert untagged.count('class="tag"') == 0


def test_dots_beside_a_line_are_pale() -> None:
    """Bold where there is nothing else, else so small that they do not look like dirt."""
    loop = Loop.around(SLITHER.lattice, [(0, 0), (0, 1), (1, 1)])
    off = Picture.forced(SLITHER, (), loop.edges)
    points = SLITHER.lattice.rows * SLITHER.lattice.cols
    for picture, dot in (
        (Picture.of(SLITHER), f'r="{svg.DOT}" fill="{svg.INK}"'),
        (off, f'r="{svg.DOT}" fill="{svg.INK}"'),
        (Picture.of(SLITHER, [loop]), f'r="{svg.PALE_DOT}" fill="{svg.PALE}"'),
    ):
        drawn = to_svg(picture)
        assert drawn.count(dot) == drawn.count("<circle") == points
    assert svg.PALE_DOT < svg.DOT


@given(data=st.data())
@pytest.mark.parametrize("puzzle", [CAVE, SLITHER], ids=["cave", "slither"])
def test_pictures_of_faces_can_be_read(puzzle, data):
    """Whatever is shaded, written and marked, the line is read back; in the SVG it is there too."""
    faces = st.sets(st.sampled_from(list(puzzle.lattice.faces())))
    loop = Loop.around(puzzle.lattice, data.draw(faces))
    picture = Picture.of(puzzle, [loop])
    assert codecs.read_answer(to_terminal(picture), puzzle) == loop
    styles = drawn_edges(to_svg(picture.highlight(faces=data.draw(faces))))
    shown = {
        Edge(int(y), int(x), int(y) + (way == "v"), int(x) + (way == "h"))
        for x, y, way in (
            ((float(x) - svg.MARGIN) / 40, (float(y) - svg.MARGIN) / 40, way)
            for x, y, way in styles.get("line", [])
        )
    }
    assert shown == loop.edges


@pytest.mark.parametrize("genre", samples.NAMES)
@pytest.mark.parametrize("size", [(1, 1), (1, 7), (7, 1), (2, 3)])
def test_small_boards_of_every_genre(genre, size):
    """All pictures of boards with a single cell, row or column, with every cell marked."""
    puzzle = samples.kind_of(genre)(*size)
    clue = samples.of(genre).clue(Random(2), puzzle, (0, 0))
    puzzle = type(puzzle)(*size, (clue,))
    cells = [(r, c) for r in range(size[0]) for c in range(size[1])]
    faces = list(puzzle.lattice.faces())
    loops = [[], [Loop.around(puzzle.lattice, faces)], [Loop.around(puzzle.lattice, faces)] * 2]
    for drawn in loops:
        picture = Picture.of(puzzle, drawn)
        for shown in (picture, picture.highlight(cells)):
            text = to_terminal(shown, numbers=True)
            assert str(clue.glyph()) in text
            assert text.count("[") == (len(cells) if shown is not picture else 0)
            letters = clue.glyph().text + "".join(layer.label for layer in shown.legend)
            assert len(elements(to_svg(shown), "use")) == len(letters.replace(" ", ""))
            assert to_png(shown)


@pytest.mark.parametrize("rows", [1, 2])
def test_small_boards(rows):
    """A board of one row or one cell has no edges or no faces and is drawn all the same."""
    for cols in (1, 2):
        picture = Picture.of(CastleWall(rows, cols))
        assert to_terminal(picture, numbers=False) == "\n".join(["·   ·"[: 4 * cols - 3]] * rows)
        assert to_svg(picture)
        assert to_png(picture)


def test_joints_are_what_unicode_calls_them():
    """Each joint has the arms of its index, by the names of the characters."""
    weights = {"LIGHT": 1, "HEAVY": 2}
    ways = {
        "UP": terminal.UP,
        "DOWN": terminal.DOWN,
        "LEFT": terminal.LEFT,
        "RIGHT": terminal.RIGHT,
        "HORIZONTAL": terminal.LEFT + terminal.RIGHT,
        "VERTICAL": terminal.UP + terminal.DOWN,
    }
    assert len(terminal.JOINTS) == len(set(terminal.JOINTS)) == 81
    for index, joint in enumerate(terminal.JOINTS[1:], start=1):
        halves = unicodedata.name(joint).removeprefix("BOX DRAWINGS ").split(" AND ")
        total, weight = 0, 0
        for words in map(str.split, halves):
            weight = next((weights[word] for word in words if word in weights), weight)
            total += sum(weight * ways[word] for word in words if word in ways)
        assert total == index


def test_colour_only_adds_colour():
    """Without its colours a picture is the picture without colours, and only then has none."""
    pictures = [
        Picture.of(BOARD),
        Picture.of(BOARD, [WIDE, SMALL]).highlight([(1, 3)]),
        Picture.forced(BOARD, SMALL.edges, WIDE.edges - SMALL.edges),
        Picture.of(FACES, [Loop.around(FACES.lattice, [(0, 0)])]),
    ]
    for picture in pictures:
        plain, coloured = to_terminal(picture), to_terminal(picture, colour=True)
        assert "\x1b" not in plain
        assert coloured != plain
        assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


@st.composite
def boards_and_loops(draw):
    """A board with any clues and the borders of two sets of faces."""
    lattice = Lattice(draw(st.integers(2, 6)), draw(st.integers(2, 6)))
    sides = st.sets(st.sampled_from(list(lattice.faces())), min_size=1)
    loops = [Loop.around(lattice, draw(sides)) for _ in range(2)]
    taken = loops[0].neighbours.keys() | loops[1].neighbours.keys()
    free = sorted(set(lattice.vertices()) - taken)
    places = draw(st.sets(st.sampled_from(free))) if free else ()
    numbers = st.sampled_from([0, 7, 12, 345, 4095])
    clues = tuple(CastleClue(r, c, "black", "up", draw(numbers)) for r, c in places)
    return CastleWall(lattice.rows, lattice.cols, clues), loops


@given(boards_and_loops())
def test_terminal_pictures_can_be_read(case):
    """A small reader of its own, and the package's, find the line that was drawn."""
    puzzle, (loop, other) = case
    picture = Picture.of(puzzle, [loop])
    text = to_terminal(picture)
    step = terminal.spacing(picture)
    assert read_picture(text, puzzle.rows, puzzle.cols, step) == loop.edges
    assert codecs.read_answer(text, puzzle) == loop
    for dashes, edges in (
        ("─", loop.edges & other.edges),
        ("━", loop.edges - other.edges),
        ("╌", other.edges - loop.edges),
    ):
        both = to_terminal(Picture.of(puzzle, [loop, other]))
        level = {edge for edge in edges if edge.r1 == edge.r2}
        found = read_picture(both, puzzle.rows, puzzle.cols, step, dashes)
        assert {edge for edge in found if edge.r1 == edge.r2} == level


@given(boards_and_loops())
def test_svg_edges_are_the_line(case):
    """Each edge is one stroke at its place, in the style of its layer."""
    puzzle, (loop, other) = case
    styles = drawn_edges(to_svg(Picture.of(puzzle, [loop])))
    assert {style: as_edges(found) for style, found in styles.items()} == {"line": loop.edges}
    styles = drawn_edges(to_svg(Picture.of(puzzle, [loop, other])))
    expected = {
        "common": loop.edges & other.edges,
        "first": loop.edges - other.edges,
        "second": other.edges - loop.edges,
    }
    shown = {style: as_edges(found) for style, found in styles.items()}
    assert shown == {style: edges for style, edges in expected.items() if edges}


# The description


def test_more_than_two_lines_are_refused():
    """Three lines over each other are no picture."""
    with pytest.raises(ValueError, match="at most two"):
        Picture.of(BOARD, [SMALL, WIDE, SMALL])


def test_a_highlighted_cell_is_a_place_of_the_lattice():
    """Cells are vertices or faces, as the genre says."""
    assert Picture.of(BOARD).highlight([(1, 1)]).vertices == {(1, 1)}
    assert Picture.of(FACES).highlight([(1, 1)]).faces == {(1, 1)}
    both = Picture.of(FACES).highlight([(1, 1)]).highlight([(0, 0)], [(2, 2)])
    assert (both.faces, both.vertices) == ({(1, 1), (0, 0)}, {(2, 2)})
    faces = Picture.of(BOARD).highlight([(1, 1)], faces=[(0, 2)])
    assert (faces.faces, faces.vertices) == ({(0, 2)}, {(1, 1)})


def test_the_legend_names_what_is_there():
    """Two equal lines have nothing that only one has; a single line needs no legend."""
    assert [layer.style for layer in Picture.of(BOARD, [SMALL, SMALL]).legend] == ["common"]
    assert Picture.of(BOARD, [SMALL]).legend == []


@pytest.mark.parametrize(
    ("clue", "text"),
    [
        (CastleClue(0, 0, "black", "down", 12), "B12↓"),
        (CastleClue(0, 0, "white", "left", 0), "W0←"),
        (CastleClue(0, 0, "white", "left"), "W?←"),
        (CastleClue(0, 0, "grey", None, 7), "G7"),
        (CastleClue(0, 0, "grey"), "G"),
    ],
)
def test_clues_as_text(clue, text):
    """What a clue looks like in plain text."""
    assert str(clue.glyph()) == text


# As SVG and PNG


def test_svg_says_what_it_is():
    """A title and a description, escaped; a white ground; nothing from outside, no fonts."""
    loop = Loop.around(FACES.lattice, [(0, 0)])
    text = to_svg(Picture(FACES, (Layer("line", loop.edges, "<on>"),)))
    assert elements(text, "title")[0].text == "Faces <&>, 2 x 3"
    assert "4 edges <on>" in elements(text, "desc")[0].text
    ground = elements(text, "rect")[0]
    assert ground.get("fill") == "#ffffff"
    assert (ground.get("width"), ground.get("height")) == tuple(
        ElementTree.fromstring(text).get(key) for key in ("width", "height")
    )
    assert not elements(text, "text")
    links = {
        value
        for element in ElementTree.fromstring(text).iter()
        for key, value in element.items()
        if key.endswith("href")
    }
    assert links
    assert all(link.startswith("#") for link in links)


def test_svg_letters():
    """Every character is an outline that is defined once, and every number is there."""
    clues = (CastleClue(0, 0, "black", "right", 4095), CastleClue(2, 2, "white", "up", 10))
    text = to_svg(Picture.of(CastleWall(3, 3, clues)))
    shapes = {path.get("id"): path for path in elements(text, "path") if path.get("id")}
    assert sorted(shapes) == [f"letter-{ord(digit):x}" for digit in "01459"]
    used = [use.get("{http://www.w3.org/1999/xlink}href")[1:] for use in elements(text, "use")]
    assert [chr(int(name.split("-")[1], 16)) for name in used] == list("409510")


@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
def test_png_arrows_point_their_way(direction):
    """The half of an arrow with its head has more ink than the other."""
    puzzle = CastleWall(1, 1, (CastleClue(0, 0, "black", direction, 1),))
    width, _, colour = pixels(to_png(Picture.of(puzzle)))
    sideways = direction in ("left", "right")
    # The arrow is in the upper third, or in the right half.
    ink = [
        (x if sideways else y)
        for x in range(32, width - 32)
        for y in range(32, width - 32)
        if (y < 58 if sideways else x > width / 2 + 2) and colour(x, y) == (255, 255, 255)
    ]
    farther = sum(at > width / 2 for at in ink)
    assert (farther > len(ink) - farther) is (direction in ("down", "right"))


def test_svg_numbers_along_the_margin():
    """With numbers the board has one for each row and column and is as large as before."""
    picture = Picture.of(CastleWall(2, 12))
    plain, numbered = to_svg(picture), to_svg(picture, numbers=True)
    assert not elements(plain, "use")
    assert len(elements(numbered, "use")) == 2 + 9 + 2 * 3
    frames = [
        [r.get("width") for r in elements(text, "rect") if r.get("fill") == "none"]
        for text in (plain, numbered)
    ]
    assert frames == [["480"], ["480"]]


def test_svg_shading():
    """The faces outside a line are grey where the genre says so."""
    loop = Loop.around(FACES.lattice, [(0, 0), (0, 1)])
    grey = [
        ((float(r.get("x")) - svg.MARGIN) / 40, (float(r.get("y")) - svg.MARGIN) / 40)
        for r in elements(to_svg(Picture.of(FACES, [loop])), "rect")
        if r.get("fill") == svg.SHADE
    ]
    assert sorted(grey) == [(0, 1), (1, 1), (2, 0), (2, 1)]


def test_svg_marks_and_crosses():
    """A ring for each highlighted place, and a cross for each edge that is off."""
    picture = Picture.forced(BOARD, [], SMALL.edges).highlight([(1, 3), (2, 0)])
    text = to_svg(picture)
    rings = [rect for rect in elements(text, "rect") if rect.get("class") == "ring"]
    assert len(rings) == 2
    crosses = next(p for p in elements(text, "path") if p.get("class") == "edges off")
    assert crosses.get("d").count("M") == 4
    on_faces = to_svg(Picture.of(FACES).highlight([(0, 0)], [(0, 0), (2, 3)]))
    assert [c.get("class") for c in elements(on_faces, "circle")].count("ring") == 2


def test_layers_differ_without_their_colours():
    """First and second have different dashes, and what both have has none."""
    patterns = [svg.STROKES[style][2] for style in ("common", "first", "second")]
    assert patterns[0] is None
    assert len(set(patterns)) == 3


def test_the_same_bytes_each_time():
    """Also in another process with another hash seed."""
    code = """
        import sys
        from castlecp.draw import Picture, to_png, to_svg
        from castlecp.genres.castle import CastleClue, CastleWall
        from castlecp.grid import Loop
        puzzle = CastleWall(4, 4, (CastleClue(3, 3, "black", "up", 10),))
        loops = [Loop.around(puzzle.lattice, faces) for faces in ([(0, 0), (0, 1)], [(0, 0)])]
        picture = Picture.of(puzzle, loops).highlight([(3, 3), (1, 1), (2, 0)])
        sys.stdout.buffer.write(to_svg(picture, numbers=True).encode() + to_png(picture))
    """
    outputs = {
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            check=True,
            capture_output=True,
            env={"PYTHONHASHSEED": str(seed), "PATH": ""},
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(outputs) == 1


def test_png_shows_boxes_numbers_and_the_line():
    """Pixels at known places: two a unit, the board 12 units from the corner."""
    width, height, colour = pixels(to_png(Picture.of(BOARD, [SMALL]).highlight([(1, 3)])))
    assert (width, height) == (2 * (4 * 40 + 24), 2 * (3 * 40 + 24))

    def middle(r, c):
        return 2 * (svg.MARGIN + 20 + 40 * c), 2 * (svg.MARGIN + 20 + 40 * r)

    def rgb(text):
        return tuple(bytes.fromhex(text[1:]))

    line = rgb(svg.STROKES["line"][0])
    x, y = middle(0, 0)
    assert colour(x, y) == colour(x + 40, y) == colour(x, y + 40) == line
    assert colour(*middle(2, 2)) == (255, 255, 255)
    assert colour(*middle(0, 3)) == rgb(svg.BOXES["grey"][0])
    x, y = middle(2, 0)
    assert colour(x - 32, y) == rgb(svg.BOXES["black"][0])
    # White pixels of the digit and of the arrow, with no system font to draw them.
    inside = [(dx, dy) for dx in range(-32, 33) for dy in range(-32, 33)]
    white = [dx for dx, dy in inside if colour(x + dx, y + dy) == (255, 255, 255)]
    assert sum(dx < 0 for dx in white) > 50
    assert sum(dx > 0 for dx in white) > 50
    x, y = middle(1, 3)
    assert colour(x, y - 40) == rgb(svg.RING)


def test_large_boards_stay_within_bounds():
    """A PNG of the largest board is not larger than a screen or two, and takes no minute."""
    puzzle = CastleWall(1000, 1000, (CastleClue(999, 999, "black", "up", 3),))
    width, height = struct.unpack(">II", to_png(Picture.of(puzzle))[16:24])
    assert 1900 < width == height < 2100


def test_a_board_of_50_is_drawn_at_once():
    """All three pictures of a full 50 x 50 board: about a second here."""
    puzzle = CastleWall(
        50, 50, tuple(CastleClue(r, c, "black", "up", r) for r in range(50) for c in range(25))
    )
    loop = Loop.around(puzzle.lattice, [(r, 26 + c) for r in range(48) for c in range(22)])
    picture = Picture.of(puzzle, [loop])
    start = time.process_time()
    assert to_terminal(picture)
    assert to_png(picture)
    assert time.process_time() - start < 10


def test_libraries_are_loaded_only_where_used():
    """Drawing in the terminal loads neither the SVG nor the PNG library."""
    code = """
        import sys
        from castlecp.draw import Picture, to_terminal
        from castlecp.genres.castle import CastleWall
        to_terminal(Picture.of(CastleWall(2, 2)))
        assert not {"drawsvg", "resvg_py", "ziafont", "numpy"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


class Rounds(Puzzle, frozen=True, tag="rounds"):
    """A genre of circles on the loop."""

    TITLE: ClassVar = "Rounds"
    CELLS: ClassVar = "vertices"
    CLUES_STAND: ClassVar = "on the loop"

    @property
    def lattice(self):
        return Lattice(self.rows, self.cols)

    def glyphs(self):
        return {
            (0, 0): Glyph(fill="black", shape="circle"),
            (0, 1): Glyph(fill="white", shape="circle"),
        }


def test_circles_on_the_loop():
    """The line runs through circles, and the picture of an answer can be read back."""
    puzzle = Rounds(2, 3)
    loop = Loop.around(puzzle.lattice, [(0, 0), (0, 1)])
    text = to_terminal(Picture.of(puzzle, [loop]))
    assert text.split("\n") == ["●───○───┐", "│       │", "└───────┘"]
    assert codecs.read_answer(text, puzzle) == loop
    assert to_terminal(Picture.of(puzzle)).split("\n")[1].split() == ["1", "●", "○", "·"]
    assert to_svg(Picture.of(puzzle, [loop])).count('class="clue ') == 2
