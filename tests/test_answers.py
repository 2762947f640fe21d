"""Answers in every format that carries them: pictures, files, JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from boards import corpus
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import castle_walls, lattices, lines, loops, symmetries

from castlecp import codecs
from castlecp.errors import FormatError
from castlecp.genres import castle
from castlecp.genres.castle import CastleWall
from castlecp.grammar import FileForm
from castlecp.grid import Edge, Lattice, Loop

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
        '{"status": "unique", "solutions": [{"inside": [[0,0],[0,1],[1,1],[1,2]]}, {}]}',
        FILE + "1 1 0 \n1 -1 1 \n0 2 1 \n1 0 1 0 \n-1 1 0 1",
        FILE + "1 1 0 \n1 0 1 \n0 1 1 \n1 0 1 0 \n0 1 0 1 \nTrialData(1)\n1 1 1 ",
        (FILE + "1 1 0 \n1 0 1 \n0 1 1 \n1 0 1 0 \n0 1 0 1 \n").replace("\n", "/"),
    ],
)
def test_answers_as_people_write_them(text: str) -> None:
    """JSON of several shapes; files with marks, other clues, and more behind the answer."""
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


@pytest.mark.parametrize("to", ["board", "json", "pzprv3"])
@given(data=st.data(), lattice=lattices(), symmetry=symmetries)
def test_round_trip_of_loops(to: str, data: Any, lattice: Lattice, symmetry: Any) -> None:
    """A loop that is written reads back, turned or not."""
    loop = data.draw(loops(lattice)).transformed(symmetry)
    puzzle = CastleWall(loop.lattice.rows, loop.lattice.cols)
    assert codecs.read_answer(codecs.write_answer(puzzle, loop, to), puzzle) == loop


@pytest.mark.parametrize("to", ["board", "json", "pzprv3"])
@given(data=st.data(), puzzle=castle_walls())
def test_round_trip_of_lines(to: str, data: Any, puzzle: CastleWall) -> None:
    """Any line that keeps off the clues reads back, also where clues make a picture wide."""
    line = data.draw(lines(puzzle.lattice))
    clues = {(clue.row, clue.col) for clue in puzzle.clues}
    kept = frozenset(edge for edge in line.edges if not clues.intersection(edge.ends))
    line = Loop(puzzle.lattice, kept)
    assume(len(clues) < puzzle.rows * puzzle.cols)
    assert codecs.read_answer(codecs.write_answer(puzzle, line, to), puzzle) == line


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


def test_other_genres_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers of edges in the other order, behind colours, and shading instead of edges."""
    head = "pzprv3\ncastle\n3\n4\n" + ". . . . \n" * 3
    edges = "1 0 1 0 \n0 1 0 1 \n" + "1 1 0 \n1 0 1 \n0 1 1 "
    colours = "2 0 1 \n0 0 0 \n"
    cell = castle.PZPRV3.cell

    monkeypatch.setattr(castle, "PZPRV3", FileForm(cell, ("colours", "vertical", "horizontal")))
    assert codecs.write_answer(BLANK, LOOP, "pzprv3") == head + edges
    assert codecs.read_answer(head + edges, BLANK) == LOOP
    newer = head.replace("pzprv3", "pzprv3.1")
    assert codecs.read_answer(newer + colours + edges, BLANK) == LOOP

    monkeypatch.setattr(castle, "PZPRV3", FileForm(cell, ("shading",)))
    assert codecs.write(BLANK, "pzprv3") == head + ". . . \n. . . "
    assert codecs.write_answer(BLANK, LOOP, "pzprv3") == head + ". . # \n# . . "
    assert codecs.read_answer(head + "+ . # \n# . + \n-1 0 \n", BLANK) == LOOP
    with pytest.raises(FormatError, match="line 8, word 1: 'x' is none of"):
        codecs.read_answer(head + "x . # \n", BLANK)


def test_source_of_an_answer(tmp_path: Path) -> None:
    """An answer comes from the same places."""
    text = codecs.write_answer(BLANK, LOOP, "board")
    file = tmp_path / "answer.txt"
    file.write_text(text, encoding="utf-8")
    assert codecs.read_answer_source(str(file), BLANK) == LOOP
    assert codecs.read_answer_source(text, BLANK) == LOOP


def test_published_answers() -> None:
    """Published answers read as right ones, and are written as they were, byte for byte."""
    boards = {record["id"]: record["url"] for record in corpus("castle")}
    answers = [record for record in corpus("answers") if record["kind"] == "castle"]
    assert answers
    for record in answers:
        puzzle, text = codecs.read(boards[record["id"]]), record["file_text"]
        assert codecs.read(text) == puzzle
        loop = codecs.read_answer(text, puzzle)
        assert loop.is_single()
        assert not list(puzzle.faults(loop))
        assert codecs.write_answer(puzzle, loop, "pzprv3") + "\n" == text
        for to in ("board", "json"):
            assert codecs.read_answer(codecs.write_answer(puzzle, loop, to), puzzle) == loop
