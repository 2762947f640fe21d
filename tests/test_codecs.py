"""Every format reads what it writes, and what others write."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest
from boards import corpus
from hypothesis import given
from hypothesis import strategies as st
from strategies import castle_walls, symmetries

from castlecp import codecs
from castlecp.codecs import url
from castlecp.errors import FormatError, FormatWarning
from castlecp.genres import castle
from castlecp.genres.castle import CastleClue, CastleWall

FORMATS = codecs.names()

#: One board with every kind of clue, written by hand in every format.
PUZZLE = CastleWall(
    3,
    4,
    (
        CastleClue(0, 0, "black", "down", 1),
        CastleClue(0, 3, "grey"),
        CastleClue(1, 1, "white", "left"),
        CastleClue(2, 0, "black", "right", 16),
        CastleClue(2, 2, "black", "up", 256),
        CastleClue(2, 3, "grey", None, 3),
    ),
)
WRITTEN = {
    "board": """castle
B1↓   .     .     G
.     W?←   .     .
B16→  .     B256↑ G3""",
    "json": '{"type":"castle","rows":3,"cols":4,"clues":['
    '{"row":0,"col":0,"color":"black","arrow":"down","number":1},'
    '{"row":0,"col":3,"color":"grey"},'
    '{"row":1,"col":1,"color":"white","arrow":"left"},'
    '{"row":2,"col":0,"color":"black","arrow":"right","number":16},'
    '{"row":2,"col":2,"color":"black","arrow":"up","number":256},'
    '{"row":2,"col":3,"color":"grey","number":3}]}',
    "pzprv3": "\n".join(
        (
            *("pzprv3", "castle", "3", "4"),
            *("2,1,2 . . 0,-,0 ", ". 3,-,1 . . ", "4,16,2 . 1,256,2 0,3,0 "),
            *(["0 0 0 "] * 3 + ["0 0 0 0 "] * 2),
        )
    ),
    "url": "https://puzz.link/p?castle/4/3/221b00.a13.b2910a2-1100003",
}
BARE = "castle/4/3/221b00.a13.b2910a2-1100003"
BLANK = CastleWall(3, 4)


# Puzzles.


def test_every_format_is_tested() -> None:
    """A new file in the folder of formats must be added to the boards written by hand."""
    assert tuple(sorted(WRITTEN)) == FORMATS


@pytest.mark.parametrize("to", FORMATS)
def test_board_written_by_hand(to: str) -> None:
    """A board with every kind of clue reads and writes as a person wrote it down."""
    assert codecs.read(WRITTEN[to]) == PUZZLE
    assert codecs.write(PUZZLE, to) == WRITTEN[to]


@pytest.mark.parametrize("to", FORMATS)
@given(puzzle=castle_walls())
def test_round_trip(to: str, puzzle: CastleWall) -> None:
    """What is written reads as the same puzzle, as text, as bytes and with space around it."""
    text = codecs.write(puzzle, to)
    assert codecs.read(text) == puzzle
    assert codecs.read(f"\ufeff \n{text}\n\n".encode()) == puzzle
    assert codecs.write(codecs.read(text), to) == text


@pytest.mark.parametrize("to", FORMATS)
@given(puzzle=castle_walls(), symmetry=symmetries)
def test_symmetries(to: str, puzzle: CastleWall, symmetry: Any) -> None:
    """A turned board reads back turned, so that no direction or side is mixed up."""
    turned = puzzle.transformed(symmetry)
    assert codecs.read(codecs.write(turned, to)) == turned


@given(puzzle=castle_walls(), chain=st.lists(st.sampled_from(FORMATS), max_size=6))
def test_chain_of_conversions(puzzle: CastleWall, chain: list[str]) -> None:
    """No conversion loses anything, in whatever order."""
    there = puzzle
    for to in chain:
        there = codecs.read(codecs.write(there, to))
    assert there == puzzle


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize(
    "puzzle",
    [
        CastleWall(1, 1),
        CastleWall(1, 9, (CastleClue(0, 8, "black", "left", 0),)),
        CastleWall(9, 1, (CastleClue(0, 0, "black", "down", 0),)),
        CastleWall(6, 10),
        CastleWall(
            5,
            3,
            tuple(CastleClue(r, c, "grey", "up", 15) for r in (0, 4) for c in (0, 2)),
        ),
        *(
            CastleWall(2, 3, (CastleClue(1, 2, "black", "up", n),))
            for n in (15, 16, 255, 256, 4095)
        ),
        CastleWall(2, 2, tuple(CastleClue(r, c, "white") for r in (0, 1) for c in (0, 1))),
    ],
    ids=lambda puzzle: f"{puzzle.rows}x{puzzle.cols}-{len(puzzle.clues)}",
)
def test_awkward_boards(to: str, puzzle: CastleWall) -> None:
    """One row, one column, no clue, only clues, clues in the corners, numbers of each width."""
    assert codecs.read(codecs.write(puzzle, to)) == puzzle


@pytest.mark.parametrize("to", FORMATS)
def test_what_a_format_cannot_say(to: str) -> None:
    """A field that a format has no place for is an error, never dropped."""

    class Marked(CastleWall, frozen=True, tag="castle"):
        mark: str = ""

    assert codecs.write(Marked(3, 4, PUZZLE.clues), to).startswith(WRITTEN[to][:-2])
    if to == "json":
        assert '"mark":"x"' in codecs.write(Marked(3, 4, mark="x"), to)
    else:
        with pytest.raises(FormatError, match="cannot say `mark`"):
            codecs.write(Marked(3, 4, mark="x"), to)


def test_unknown_format() -> None:
    """The formats there are come with the error."""
    with pytest.raises(FormatError, match="unknown format 'penpa'; known: board, json"):
        codecs.write(PUZZLE, "penpa")


# JSON.


def test_question_mark_is_no_number() -> None:
    """`?`, null and nothing mean the same and are written as nothing."""
    head = '{"type":"castle","rows":1,"cols":1,"clues":[{"row":0,"col":0,"color":"grey"'
    texts = [f"{head}{number}}}]}}" for number in ("", ',"number":"?"', ',"number":null')]
    assert [codecs.write(codecs.read(text), "json") for text in texts] == [texts[0]] * 3


def test_json_in_any_order_and_shape() -> None:
    """Keys and clues in any order, on many lines, give the canonical line."""
    value = json.loads(WRITTEN["json"])
    value["clues"] = [dict(reversed(clue.items())) for clue in reversed(value["clues"])]
    text = json.dumps(dict(reversed(value.items())), indent=2)
    assert codecs.write(codecs.read(text), "json") == WRITTEN["json"]


# Addresses.


@pytest.mark.parametrize(
    "address",
    [
        "https://puzz.link/p?{}",
        "http://pzv.jp/p.html?{}",
        "https://puzzle.example/a/b/p?type=editor&{}",
        "puzz.link/p?{}&type=player",
        "p.html?{}/",
        "?{}",
        "{}",
        "{}/",
        " \t{}\n",
    ],
)
@pytest.mark.parametrize("kind", ["castle", "castle_edit", "castle_play"])
def test_addresses(address: str, kind: str) -> None:
    """Any host, path, scheme and other query parts, or none."""
    assert codecs.read(address.format(BARE.replace("castle", kind, 1))) == PUZZLE


@pytest.mark.parametrize("address", [f"https://puzz.link/p?{BARE}", BARE])
@pytest.mark.parametrize(
    "around",
    [
        "<{}>",
        "({})",
        "'{}'",
        '"{}".',
        "`{}`;",
        "\u201c{}\u201d,",
        "*{}*",
        "{}.",
        "{}...",
        "{}/.",
        "{}.)",
        "{}#top",
        "[a board, 4 x 3]({})",
        " [mine]( {} )\n",
    ],
)
def test_addresses_in_prose(address: str, around: str) -> None:
    """Brackets, quotes, a fragment or the end of a sentence are no part of the address."""
    assert codecs.read(around.format(address)) == PUZZLE
    assert codecs.read_source(around.format(address)) == PUZZLE


def test_full_stop_that_is_part_of_the_address() -> None:
    """A last clue without a number ends in one, and another may stand behind it."""
    for end in ("", ".", "...", ".)", ")", "#top", "/"):
        assert codecs.read(f"https://puzz.link/p?castle/2/1/a00.{end}") == CastleWall(
            1, 2, (CastleClue(0, 1, "grey"),)
        )


@pytest.mark.parametrize(
    ("address", "warning"),
    [
        ("castle/v:own/4/3/221b00.a13.b2910a2-1100003", "variant 'own' is ignored"),
        ("castle/x/4/3/221b00.a13.b2910a2-1100003", "flag 'x' is ignored"),
        (BARE + "/200/", "what follows the body"),
        (BARE + "20.z!", "goes on after the last of 12 cells"),
        (BARE.replace("00.", "70."), "colour digit above 2 is read as grey"),
    ],
)
def test_addresses_with_something_odd(address: str, warning: str) -> None:
    """What is left out of account is said."""
    with pytest.warns(FormatWarning, match=warning) as caught:
        assert codecs.read(address) == PUZZLE
    assert len(caught) == 1


def test_body_that_stops_early() -> None:
    """The cells that are not there are blank."""
    with pytest.warns(FormatWarning, match="stops after 4 of 12 cells"):
        puzzle = codecs.read("castle/4/3/221b00.")
    assert puzzle == CastleWall(3, 4, PUZZLE.clues[:2])
    with pytest.warns(FormatWarning, match="stops after 0 of 12 cells"):
        assert codecs.read("castle/4/3") == BLANK


def test_run_of_blanks_past_the_end() -> None:
    """A run of blanks that is longer than the board goes on after its end."""
    with pytest.warns(FormatWarning, match="goes on after the last"):
        assert codecs.read("castle/4/3/m") == BLANK
    assert codecs.read("castle/4/3/l") == BLANK


def test_warned_once() -> None:
    """Twelve odd colour digits give one warning."""
    with pytest.warns(FormatWarning) as caught:
        codecs.read("castle/4/3/" + "90." * 12)
    assert len(caught) == 1


def test_longer_number_than_needed() -> None:
    """A small number in the form of a large one is read, and written shortest."""
    assert url.bare(codecs.read("castle/1/3/260f2-10052-2010")) == "castle/1/3/21f2152710"


def test_slash_after_a_full_stop() -> None:
    """An address that would end in a full stop gets a slash behind it."""
    assert url.bare(CastleWall(1, 1, (CastleClue(0, 0, "grey"),))) == "castle/1/1/00./"
    assert url.bare(CastleWall(1, 2, (CastleClue(0, 0, "grey"),))) == "castle/2/1/00.a"


# pzprv3 files.


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace("\n", "/"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\n\n" + text,
        lambda text: text.replace("pzprv3", "pzprv3.1"),
        lambda text: text.replace(". ", "0,-1,0 "),
        lambda text: text.replace("1,2 ", "1,6 ").replace("-,1 ", "-,5 ").replace("3,0 ", "3,4 "),
        lambda text: "\n".join(text.split("\n")[:7]),
        lambda text: text + '\nTrialData(1)\n1 1 1 \ninfo:{"title": "a/b"}',
        lambda text: "\n".join(line.strip() for line in text.split("\n")),
    ],
)
def test_files_as_players_write_them(change: Any) -> None:
    """Slashes, versions, ticked clues, blanks as -1, and what stands after the board."""
    assert codecs.read(change(WRITTEN["pzprv3"])) == PUZZLE


@pytest.mark.parametrize("newline", ["\n", "/"])
def test_file_of_a_variant(newline: str) -> None:
    """The name of a variant stands before everything."""
    with pytest.warns(FormatWarning, match="variant 'own' is ignored"):
        assert codecs.read(f"v:own\n{WRITTEN['pzprv3']}".replace("\n", newline)) == PUZZLE


def test_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flag letter is a field of the puzzle, in addresses and files alike."""

    class Flagged(CastleWall, frozen=True, tag="castle"):
        full: bool = False

    monkeypatch.setattr(castle, "PUZZLE", Flagged)
    monkeypatch.setattr(castle, "FLAGS", {"f": "full"})
    puzzle = Flagged(3, 4, PUZZLE.clues, full=True)
    assert url.bare(puzzle) == BARE.replace("castle/", "castle/f/")
    for to in ("url", "pzprv3", "json"):
        assert codecs.read(codecs.write(puzzle, to)) == puzzle
        assert codecs.read(WRITTEN[to]) == Flagged(3, 4, PUZZLE.clues)
    with pytest.raises(FormatError, match="cannot say a flag"):
        codecs.write(puzzle, "board")


# Boards in text.


def test_board_as_a_person_types_it() -> None:
    """ASCII arrows, comments, empty lines, any blanks between cells."""
    text = """
        # a comment
        castle

        B1v . . G
        # . . .
        .   W<  .   .

        B16> . B256^ G3
    """
    assert codecs.read(text) == PUZZLE
    assert codecs.read(text.replace("W<", "W?<").replace("G\n", "G?\n")) == PUZZLE


def test_board_in_lower_case_and_with_dots_of_a_picture() -> None:
    """Letters of either case, and the dot that pictures show for a blank cell."""
    text = "castle\nb1v . \u00b7 g\n\u00b7 w< \u00b7 \u00b7\nb16> \u00b7 B256^ g3"
    assert codecs.read(text) == PUZZLE
    assert "\u00b7" not in codecs.write(PUZZLE, "board")
    assert codecs.write(PUZZLE, "board").startswith("castle\nB1")


# Sources.


@pytest.mark.parametrize("to", FORMATS)
def test_sources(to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, standard input, and the text itself."""
    text = WRITTEN[to]
    file = tmp_path / "a board.txt"
    file.write_text(text + "\n", encoding="utf-8")
    assert codecs.read_source(str(file)) == PUZZLE
    assert codecs.read_source(text) == PUZZLE

    class Standard:
        buffer: ClassVar = io.BytesIO(text.encode())

    monkeypatch.setattr(sys, "stdin", Standard)
    assert codecs.read_source("-") == PUZZLE


# Cost.


def test_reading_loads_no_solver() -> None:
    """Reading a small board must not wait for large libraries."""
    heavy = ("numpy", "ortools", "networkx", "pysat", "numba", "drawsvg", "rich", "typer")
    code = (
        "import sys; from castlecp import codecs\n"
        f"codecs.read({WRITTEN['json']!r})\n"
        f"print(*[name for name in {heavy!r} if name in sys.modules])"
    )
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("to", FORMATS)
def test_largest_board(to: str) -> None:
    """A board of 1000 x 1000 cells reads in seconds."""
    corners = tuple(CastleClue(r, c, "grey") for r in (0, 999) for c in (0, 999))
    puzzle = CastleWall(1000, 1000, corners)
    text = codecs.write(puzzle, to)
    start = time.perf_counter()
    assert codecs.read(text) == puzzle
    assert time.perf_counter() - start < 5


# Boards of others.


def test_published_addresses() -> None:
    """Published addresses read and are written as they were, byte for byte."""
    for record in corpus("castle"):
        puzzle = codecs.read(record["url"])
        assert url.bare(puzzle) == record["url"], record["id"]
        assert (puzzle.cols, puzzle.rows) == (record["width"], record["height"])
        for to in FORMATS:
            assert codecs.read(codecs.write(puzzle, to)) == puzzle
