"""Answers in every format that carries them: pictures, files, JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import samples
from boards import HERE, corpus
from hypothesis import assume, given
from hypothesis import strategies as st
from samples import every_genre
from strategies import lattices, lines, loops, puzzles, symmetries
from typer.testing import CliRunner

from castlecp import codecs, genres
from castlecp.cli import app, streams
from castlecp.errors import FormatError, FormatWarning
from castlecp.genres.castle import CastleWall
from castlecp.grid import Edge, Lattice, Loop
from castlecp.solver import solve
from castlecp.verdict import Status

LATTICE = Lattice(3, 4)
#: ┌───────┐   ·
#: │       │
#: └───┐   └───┐
#:     │       │
#: ·   └───────┘
LOOP = Loop.around(LATTICE, [(0, 0), (0, 1), (1, 1), (1, 2)])
BLANK = CastleWall(3, 4)


PICTURES = {
    "box": """
┌───────┐   ·
│       │
└───┐   └───┐
    │       │
·   └───────┘
""",
    "ascii": """
+---+---+   .
|       |
+---+   +---+
    |       |
.   +-------+
""",
    "indented": """

      ┌───────┐   #
      │       │
      └───┐   └───┐
          │       │
      #   └───────┘

""",
    "wide": """
┌─────────┐    ·
│         │
└────┐    └────┐
     │         │
·    └─────────┘
""",
    "no vertices": """
 -------
|       |
 ---     ---
    |       |
     -------
""",
    "heavy, with clues and shading": """
┏━━━━━━━┓   B1↓
┃ 3   1 ┃░░░
┗━━━┓   ┗━━━┓
░░░ ┃     0 ┃
B2↓ ┗━━━━━━━┛
""",
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_pictures_as_people_draw_them(name: str, newline: str) -> None:
    """Only the characters between vertices count, whatever the style and the place."""
    assert codecs.read_answer(PICTURES[name].replace("\n", newline), BLANK) == LOOP


#: A file up to its board, which has clues of its own.
FILE = "pzprv3\ncastle\n3\n4\n" + "0,-,0 . . . \n" * 3


@pytest.mark.parametrize(
    "text",
    [
        '{"edges": [[0,0,0,1],[0,1,0,2],[1,2,0,2],[0,0,1,0],[1,0,1,1],[1,2,1,3],[1,1,2,1],'
        '[1,3,2,3],[2,1,2,2],[2,3,2,2],[0,0,0,1]], "engine": null}',
        '{"inside": [[0,0],[0,1],[1,1],[1,2],[0,0]]}',
        '{"status": "unique", "solutions": [{"inside": [[0,0],[0,1],[1,1],[1,2]]}]}',
        FILE + "1 1 0 \n1 -1 1 \n0 2 1 \n1 0 1 0 \n-1 1 0 1",
        FILE + "1 1 0 \n1 0 1 \n0 1 1 \n1 0 1 0 \n0 1 0 1 \nTrialData(1)\n1 1 1 ",
        (FILE + "1 1 0 \n1 0 1 \n0 1 1 \n1 0 1 0 \n0 1 0 1 \n").replace("\n", "/"),
    ],
)
def test_answers_as_people_write_them(text: str) -> None:
    """JSON of several shapes; files with marks, other clues, and more behind the answer."""
    assert codecs.read_answer(text, BLANK) == LOOP


def test_the_first_of_several_solutions() -> None:
    """Counts, and that there are more is said."""
    text = '{"solutions": [{"inside": [[0,0],[0,1],[1,1],[1,2]]}, {"inside": [[0,0]]}]}'
    with pytest.warns(FormatWarning, match="there are 2 solutions; the first of them is taken"):
        assert codecs.read_answer(text, BLANK) == LOOP


def test_top_row_without_vertices() -> None:
    """Blank lines belong to the picture as far as it needs them."""
    low = Loop.around(Lattice(3, 3), [(1, 0)])
    text = "\n\n+---+\n|   |\n+---+\n"
    assert codecs.read_answer(text, CastleWall(3, 3)) == low
    assert codecs.read_answer(text + "\n\n", CastleWall(3, 3)) == low


def test_nothing_drawn() -> None:
    """An empty drawing is an answer, if a wrong one."""
    nothing = Loop(LATTICE, frozenset())
    for text in (FILE, FILE + "0 0 0 \n", FILE[:18], '{"edges": []}', '{"inside": []}'):
        assert codecs.read_answer(text, BLANK) == nothing
    rows = ["·   ·   ·   ·"] * 3
    assert codecs.read_answer("\n\n".join(rows), BLANK) == nothing


@every_genre
@given(data=st.data(), lattice=lattices(), symmetry=symmetries)
def test_round_trip_of_loops(genre: str, data: Any, lattice: Lattice, symmetry: Any) -> None:
    """A loop that is written reads back, turned or not."""
    loop = data.draw(loops(lattice)).transformed(symmetry)
    puzzle = samples.blank(genre, loop.lattice.rows, loop.lattice.cols)
    for to in ("board", "json", "pzprv3"):
        assert codecs.read_answer(codecs.write_answer(puzzle, loop, to), puzzle) == loop


@every_genre
@given(data=st.data())
def test_round_trip_of_lines(genre: str, data: Any) -> None:
    """Any line that keeps off clues on its vertices reads back, also where clues widen a picture.

    A file of shading draws the borders of faces and no other lines.
    """
    puzzle = data.draw(puzzles(genre))
    line = data.draw(lines(puzzle.lattice))
    if puzzle.CELLS == "vertices":
        clues = {(clue.row, clue.col) for clue in puzzle.clues}
        assume(len(clues) < puzzle.rows * puzzle.cols)
        kept = frozenset(edge for edge in line.edges if not clues.intersection(edge.ends))
        line = Loop(puzzle.lattice, kept)
    shading = "shading" in genres.genre(genre).FORMS["pzprv3"].layers
    for to in ("board", "json", "pzprv3"):
        if to == "pzprv3" and shading:
            line = Loop.around(puzzle.lattice, line.inside)
        # A file has clues too, and says no more than those.
        plain = puzzle if to != "pzprv3" else type(puzzle)(puzzle.rows, puzzle.cols, puzzle.clues)
        assert codecs.read_answer(codecs.write_answer(plain, line, to), puzzle) == line


def test_addresses_carry_no_answer() -> None:
    """Neither way."""
    with pytest.raises(FormatError, match="address carries no answer"):
        codecs.write_answer(BLANK, LOOP, "url")


def test_answer_as_json() -> None:
    """Sorted edges, upper or left end first, and the faces inside."""
    square = Loop(Lattice(2, 2), frozenset(Lattice(2, 2).edges))
    text = codecs.write_answer(CastleWall(2, 2), square, "json")
    assert json.loads(text) == {
        "edges": [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 1, 1], [1, 0, 1, 1]],
        "inside": [[0, 0]],
    }
    assert Edge(0, 0, 0, 1) in square.edges


#: The loop above in files of genres whose cells are faces.
SLITHER = """pzprv3{}
slither
2
3
. 2 .
. . -
{}1 0 1 0
0 1 0 1
1 1 0
1 0 1
0 1 1
"""
CAVE = "pzprv3\ncave\n2\n3\n. 2 . \n. . - \n{}"


@pytest.mark.parametrize(
    ("genre", "text"),
    [
        ("slither", SLITHER.format("", "")),
        ("slither", SLITHER.format(".1", "2 0 1\n0 0 0\n")),
        ("slither", SLITHER.format("", "").replace("\n. 2", "\nf\n. 2").replace(" 0 ", " -1 ")),
        ("slither", SLITHER.format("", "").replace("1 1 0\n", "1 2 0\n").replace("\n", "/")),
        ("cave", CAVE.format(". . # \n# . . ")),
        ("cave", CAVE.format("+ . # \n# . + \n-1 0 \n0 -1 \n0 -1 0 ")),
        ("cave", CAVE.format(". + # \n# + . \nTrialData(1)\n# # # ").replace("\n", "/")),
    ],
)
def test_files_of_genres_on_faces(genre: str, text: str) -> None:
    """Vertical edges first, colours before them in the newer version; shading, and marks."""
    puzzle = samples.blank(genre, 3, 4)
    assert codecs.read_answer(text, puzzle) == LOOP
    assert codecs.read_answer(codecs.write_answer(puzzle, LOOP, "pzprv3"), puzzle) == LOOP


def test_files_as_pzpr_writes_them() -> None:
    """Blanks behind every word; what is not there is not drawn, and in a cave not shaded."""
    slither, cave = samples.blank("slither", 2, 3), samples.blank("cave", 2, 3)
    assert codecs.write(slither, "pzprv3") == ("pzprv3\nslither\n1\n2\n. . \n0 0 0 \n0 0 \n0 0 ")
    assert codecs.write(cave, "pzprv3") == "pzprv3\ncave\n1\n2\n. . \n. . "
    everything = Loop.around(cave.lattice, cave.lattice.faces())
    assert codecs.read_answer("pzprv3\ncave\n1\n2\n. . ", cave) == everything
    nothing = Loop(cave.lattice, frozenset())
    assert codecs.read_answer("pzprv3\ncave\n1\n2\n. . \n# # ", cave) == nothing
    assert codecs.read_answer("pzprv3\nslither\n1\n2\n. . ", slither) == nothing


def test_source_of_an_answer(tmp_path: Path) -> None:
    """An answer comes from the same places."""
    text = codecs.write_answer(BLANK, LOOP, "board")
    file = tmp_path / "answer.txt"
    file.write_text(text, encoding="utf-8")
    assert codecs.read_answer_source(str(file), BLANK) == LOOP
    assert codecs.read_answer_source(text, BLANK) == LOOP


def without_colours(text: str) -> str:
    """A file of pzpr's newer version as the older one writes it."""
    version, *lines = text.split("\n")
    if version == "pzprv3":
        return text
    rows = int(lines[1])
    board = 3 + lines[3].isalpha()
    return "\n".join(["pzprv3", *lines[: board + rows], *lines[board + 2 * rows :]])


@samples.in_corpus("answers")
def test_published_answers(genre: str, name: str) -> None:
    """Published answers read as right ones, and are written as they were, byte for byte."""
    boards = {record["id"]: record["url"] for record in corpus(genre)}
    answers = [record for record in corpus(name) if record["kind"] == genre]
    assert len(answers) >= samples.of(genre).CORPUS[name]
    for record in answers:
        puzzle, text = codecs.read(boards[record["id"]]), record["file_text"]
        assert codecs.read(text) == puzzle
        loop = codecs.read_answer(text, puzzle)
        assert loop.is_single()
        assert not list(puzzle.faults(loop))
        assert codecs.write_answer(puzzle, loop, "pzprv3") + "\n" == without_colours(text)
        for to in ("board", "json"):
            assert codecs.read_answer(codecs.write_answer(puzzle, loop, to), puzzle) == loop


def printed(*arguments: str) -> str:
    """What the command line prints."""
    return CliRunner().invoke(app, list(arguments)).stdout


def plain(text: str) -> str:
    """The same where the encoding of the output has no signs beyond ASCII."""
    return "".join(streams._plain(character) for character in text)


SHIPPED = sorted(path for path in (HERE / "boards").glob("*/*") if path.suffix in (".json", ".txt"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_solve_and_draw_print_is_an_answer(path: Path, tmp_path: Path) -> None:
    """The whole of it, in every encoding; two answers over each other are refused by name."""
    puzzle = codecs.read_source(str(path))
    verdict = solve(puzzle)
    shown = printed("solve", str(path))
    if not verdict.loops:
        return
    if verdict.status is not Status.UNIQUE:
        for text in (shown, plain(shown)):
            with pytest.raises(FormatError, match="two answers are laid over each other"):
                codecs.read_answer(text, puzzle)
        with pytest.raises(FormatError, match="what several answers have in common"):
            codecs.read_answer(printed("solve", str(path), "--forced"), puzzle)
        with pytest.raises(FormatError, match=r"several pictures|laid over"):
            codecs.read_answer(printed("solve", str(path), "--limit", "3"), puzzle)
        return
    file = tmp_path / "answer.txt"
    file.write_text(shown, encoding="utf-8")
    again = printed("draw", str(path), str(file))
    for text in (shown, plain(shown), again, plain(again)):
        assert codecs.read_answer(text, puzzle) == verdict.loops[0]
    assert printed("check", str(path), str(file)).startswith("correct")


@given(data=st.data())
def test_pictures_with_clues_on_the_line(data: Any) -> None:
    """A wrong answer that runs through clues is read as it was drawn, in ASCII too."""
    puzzle = data.draw(puzzles("castle"))
    line = data.draw(lines(puzzle.lattice))
    assume(line.edges)
    text = codecs.write_answer(puzzle, line, "board")
    assert codecs.read_answer(text, puzzle) == line
    assert codecs.read_answer(plain(text), puzzle) == line
