"""Every format reads what it writes, and what others write."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest
import samples
import samples.castle
from boards import corpus
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import every_genre
from strategies import puzzles, symmetries

from castlecp import codecs, genres
from castlecp.codecs import url
from castlecp.errors import FormatError, FormatWarning
from castlecp.genres import Puzzle
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.genres.cave import Cave
from castlecp.genres.slither import SlitherClue, Slitherlink
from castlecp.grid import Loop

FORMATS = codecs.names()

PUZZLE, WRITTEN = samples.castle.WRITTEN[0]
BARE = "castle/4/3/221b00.a13.b2910a2-1100003"
BLANK = CastleWall(3, 4)


# Puzzles.


@every_genre
def test_every_genre_and_format_is_tested(genre: str) -> None:
    """A new genre needs a module of samples, a new format a text in each of them."""
    (puzzle, texts), *_ = samples.of(genre).WRITTEN
    assert tuple(sorted(texts)) == FORMATS
    assert (puzzle.rows, puzzle.cols) == (3, 4)


@pytest.mark.parametrize("to", FORMATS)
@every_genre
def test_board_written_by_hand(genre: str, to: str) -> None:
    """A board with every kind of clue reads and writes as a person wrote it down."""
    for puzzle, texts in samples.of(genre).WRITTEN:
        if to in texts:
            assert codecs.read(texts[to]) == puzzle
            assert codecs.write(puzzle, to) == texts[to]
        else:
            with pytest.raises(FormatError, match="cannot say"):
                codecs.write(puzzle, to)


def written(puzzle: Puzzle, to: str) -> str | None:
    """The text of a board; None when the format refuses what the board says beside its clues."""
    try:
        return codecs.write(puzzle, to)
    except FormatError as error:
        reason = str(error)
    assert to != "json"
    assert re.search("cannot say `[a-z_]+`$", reason)
    return None


@every_genre
@given(data=st.data())
def test_round_trip(genre: str, data: st.DataObject) -> None:
    """What is written reads as the same puzzle, as text, as bytes and with space around it."""
    puzzle = data.draw(puzzles(genre))
    for to in FORMATS:
        text = written(puzzle, to)
        if text is not None:
            assert codecs.read(text) == puzzle
            assert codecs.read(f"\ufeff \n{text}\n\n".encode()) == puzzle
            assert codecs.write(codecs.read(text), to) == text


@every_genre
@given(data=st.data(), symmetry=symmetries)
def test_symmetries(genre: str, data: st.DataObject, symmetry: Any) -> None:
    """A turned board reads back turned, so that no direction or side is mixed up."""
    turned = data.draw(puzzles(genre)).transformed(symmetry)
    for to in FORMATS:
        text = written(turned, to)
        assert text is None or codecs.read(text) == turned


@every_genre
@given(data=st.data(), chain=st.lists(st.sampled_from(FORMATS), max_size=6))
def test_chain_of_conversions(genre: str, data: st.DataObject, chain: list[str]) -> None:
    """No conversion loses anything, in whatever order."""
    puzzle = there = data.draw(puzzles(genre, clues_only=True))
    for to in chain:
        there = codecs.read(codecs.write(there, to))
    assert there == puzzle


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize(
    "puzzle",
    [puzzle for genre in samples.NAMES for puzzle in samples.of(genre).AWKWARD],
    ids=lambda puzzle: f"{puzzle.TITLE}-{puzzle.rows}x{puzzle.cols}-{len(puzzle.clues)}",
)
def test_awkward_boards(to: str, puzzle: Puzzle) -> None:
    """One row, one column, no clue, only clues, clues in the corners, numbers of each width."""
    assert codecs.read(codecs.write(puzzle, to)) == puzzle


@pytest.mark.parametrize("to", FORMATS)
@every_genre
def test_what_a_format_cannot_say(genre: str, to: str) -> None:
    """A field that a format has no place for is an error, never dropped."""
    (puzzle, texts), *_ = samples.of(genre).WRITTEN
    kind = samples.kind_of(genre)
    config = {"frozen": True, "tag": genre, "omit_defaults": True}
    marked = msgspec.defstruct("Marked", [("mark", str, "")], bases=(kind,), **config)
    assert codecs.write(marked(3, 4, puzzle.clues), to).startswith(texts[to][:-2])
    if to == "json":
        assert '"mark":"x"' in codecs.write(marked(3, 4, mark="x"), to)
    else:
        with pytest.raises(FormatError, match="cannot say `mark`"):
            codecs.write(marked(3, 4, mark="x"), to)


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
@every_genre
def test_addresses(genre: str, address: str) -> None:
    """Any host, path, scheme and other query parts, or none; every name of the genre."""
    for puzzle, texts in samples.of(genre).WRITTEN:
        if "url" in texts:
            body = texts["url"].split("?")[1].removeprefix(genre)
            for name in (genre, *genres.genre(genre).NAMES):
                for kind in (name, f"{name}_edit", f"{name}_play"):
                    assert codecs.read(address.format(kind + body)) == puzzle


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


@every_genre
def test_addresses_with_something_odd(genre: str) -> None:
    """What is left out of account is said."""
    sample = samples.of(genre)
    for address, warning in sample.ODD:
        with pytest.warns(FormatWarning, match=warning) as caught:
            assert codecs.read(address) == sample.WRITTEN[0][0]
        assert len(caught) == 1


@pytest.mark.parametrize("to", ["board", "pzprv3"])
@every_genre
def test_names_of_genres(genre: str, to: str) -> None:
    """Every name that others have for a genre is read, and its id is written."""
    for puzzle, texts in samples.of(genre).WRITTEN:
        for name in genres.genre(genre).NAMES:
            if to in texts:
                assert codecs.read(texts[to].replace(genre, name, 1)) == puzzle


def test_the_names_used_in_the_wild() -> None:
    """Those of pzpr, of penpa and of the sites that write such addresses."""
    names = {"slitherlink": "slither", "bag": "cave", "corral": "cave"}
    for name, genre in names.items():
        assert codecs.read(f"{name}/2/2/j") == samples.kind_of(genre)(2, 2)


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


def test_one_cell_short() -> None:
    """A body that lacks only its last cell is said to stop early."""
    with pytest.warns(FormatWarning, match="stops after 3 of 4 cells"):
        assert codecs.read("slither/4/1/i").rows == 1


def test_percent_encoded() -> None:
    """Slashes and the question mark of a whole address as `%2F` and `%3F`; Cave's own `%` stays."""
    for address in ("https://puzz.link/p%3Fslither%2F1%2F1%2F4", "https://a/p?slither%2F1%2F1%2F4"):
        assert codecs.read(address) == codecs.read("slither/1/1/4")
    cave = codecs.read("cave/4/1/5-10=000%2f0")
    assert codecs.read("https://puzz.link/p?" + url.bare(cave)) == cave


def test_penpa_is_named() -> None:
    """An address of another program is called what it is."""
    with pytest.raises(FormatError, match=r"Penpa\+, which castlecp does not read yet"):
        codecs.read("https://swaroopg92.github.io/penpa-edit/#m=solve&p=abc")


def test_warned_once() -> None:
    """Twelve odd colour digits give one warning."""
    with pytest.warns(FormatWarning) as caught:
        codecs.read("castle/4/3/" + "90." * 12)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ("castle/1/3/260f2-10052-2010", "castle/1/3/21f2152710"),
        ("cave/4/1/-05+010=000%000", "cave/4/1/5-10=000%000"),
        ("cave/4/1/@000%fd0*0000$00000", "cave/4/1/%000*0000*0000$00000"),
        ("slither/6/1/1gg1gg", "slither/6/1/bb"),
        ("slither/5/1/0g71", "slither/5/1/57b"),
        ("slither/5/1/..a", "slither/5/1/..a"),
    ],
)
@pytest.mark.filterwarnings("ignore::castlecp.errors.FormatWarning")
def test_longer_than_needed(read: str, written: str) -> None:
    """What others write at greater length, or with other letters, is read and written shortest."""
    assert url.bare(codecs.read(read)) == written


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


#: A board of the samples, all points to be passed, in a file of pzpr's version 3.1: with a layer of
#: colours, which is no part of an answer, and an answer and its trial behind it.
COLOURED = """pzprv3.1
slither
3
4
f
0 . . 4
- 3 . .
. 1 2 .
0 2 1 0
0 1 1 0
2 0 0 0
"""
DRAWN = """0 0 0 1 1
0 1 1 0 0
-1 0 0 0 0
0 0 -1 1
0 1 0 1
0 1 0 0
0 0 0 -1
"""


@pytest.mark.parametrize("newline", ["\n", "/"])
def test_a_file_with_colours(newline: str) -> None:
    """pzpr's newer version has one layer more, and trials behind the answer."""
    puzzle = samples.of("slither").WRITTEN[1][0]
    line = Loop.around(puzzle.lattice, [(0, 3), (1, 1)])
    for version, colours in (("pzprv3.1", True), ("pzprv3", False)):
        text = COLOURED.replace("pzprv3.1", version)
        text = text if colours else text[: text.index("0 2 1 0")]
        text = (text + DRAWN + 'TrialData(1)\n1 1 1 1 1\ninfo:{"a": 1}').replace("\n", newline)
        assert codecs.read(text) == puzzle
        assert codecs.read_answer(text, puzzle) == line


def test_a_file_without_a_board() -> None:
    """A player's file that ends before its board is a blank one."""
    for genre in samples.NAMES:
        with pytest.warns(FormatWarning, match="ends before the board"):
            assert codecs.read(f"pzprv3\n{genre}\n2\n3\n") == samples.kind_of(genre)(2, 3)


@pytest.mark.parametrize("newline", ["\n", "/"])
def test_file_of_a_variant(newline: str) -> None:
    """The name of a variant stands before everything."""
    with pytest.warns(FormatWarning, match="variant 'own' is ignored"):
        assert codecs.read(f"v:own\n{WRITTEN['pzprv3']}".replace("\n", newline)) == PUZZLE


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


@pytest.mark.parametrize("genre", ["cave", "slither"])
def test_boards_of_numbers(genre: str) -> None:
    """Comments, empty lines, any blanks between cells, and dots for blank cells."""
    puzzle, texts = samples.of(genre).WRITTEN[0]
    first, *rows = texts["board"].split("\n")
    lines = ["# mine", "", f" {first} ", *(f"\n\t {row.replace(' ', '   ')}\r" for row in rows)]
    assert codecs.read("\n".join(lines)) == puzzle
    assert codecs.read("\n".join(lines).replace(".", "·")) == puzzle


def test_flags_of_a_board() -> None:
    """They stand behind the name; what the genre lacks is said."""
    flagged = Slitherlink(1, 2, visits_all=True)
    for text in ("slither f\n. .", " slither\t f \r\n. .\n", "# f\n\nslitherlink f\n. ."):
        assert codecs.read(text) == flagged
    with pytest.warns(FormatWarning, match="the flag 'x' is ignored"):
        assert codecs.read("slither f x\n. .") == flagged
    with pytest.warns(FormatWarning, match="the flag 'f' is ignored"):
        assert codecs.read("cave f\n. .") == Cave(1, 2)


# Sources.


@pytest.mark.parametrize("to", FORMATS)
@every_genre
def test_sources(genre: str, to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, standard input, and the text itself."""
    puzzle, texts = samples.of(genre).WRITTEN[0]
    text = texts[to]
    file = tmp_path / "a board.txt"
    file.write_text(text + "\n", encoding="utf-8")
    assert codecs.read_source(str(file)) == puzzle
    assert codecs.read_source(text) == puzzle

    class Standard:
        buffer: ClassVar = io.BytesIO(text.encode())

    monkeypatch.setattr(sys, "stdin", Standard)
    assert codecs.read_source("-") == puzzle


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


@pytest.mark.parametrize(
    ("genre", "to"), [*(("castle", to) for to in FORMATS), ("cave", "url"), ("slither", "url")]
)
@pytest.mark.filterwarnings("ignore:the address has")
def test_largest_board(genre: str, to: str) -> None:
    """A board of 1000 x 1000 cells reads in seconds."""
    clue = samples.of(genre).clue(Random(1), samples.kind_of(genre)(1000, 1000), (0, 0))
    corners = tuple(replace(clue, row=r, col=c) for r in (0, 999) for c in (0, 999))
    puzzle = samples.kind_of(genre)(1000, 1000, corners)
    text = codecs.write(puzzle, to)
    start = time.process_time()
    assert codecs.read(text) == puzzle
    assert time.process_time() - start < 5


# Boards of others.


@every_genre
@pytest.mark.filterwarnings("ignore:the address has")
def test_published_addresses(genre: str) -> None:
    """Published addresses read and are written as they were, byte for byte."""
    for record in corpus(genre):
        puzzle = codecs.read(record["url"])
        assert url.bare(puzzle) == record["url"], record["id"]
        assert (puzzle.cols, puzzle.rows) == (record["width"], record["height"])
        for to in FORMATS:
            assert codecs.read(codecs.write(puzzle, to)) == puzzle


SMALL = "slither\n. 2 .\n3 . ."


@pytest.mark.parametrize(
    "address",
    [
        "https://puzz.link/p?pzprv3/slither/2/3/. 2 . /3 . . /",
        "https://puzz.link/p?pzprv3.1/slither/2/3/.%202%20.%20/3%20.%20.%20/",
        "http://www.kanpen.net/slitherlink.html?problem=2/3/._2_._/3_._._/",
        "http://www.geocities.co.jp/pencil_applet/e/slitherlink.html?problem=2/3/._2_._/3_._._",
        "http://www.kanpen.net/slitherlink.html?pzpr=/3/2/g7d",
        "http://indi.s58.xrea.com/slither/sa/q.html?/3/2/g7d",
        "http://indi.s58.xrea.com/slither/sc/q.html?3/2/g7d",
        "https://puzz.link/p?edit&amp;slither/3/2/g7d",
        "slither\n.2.\n3..",
        "slither\n·2.\n3..\n",
    ],
)
def test_other_ways_to_write_a_board(address: str) -> None:
    """Addresses that pzprjs reads, as in its parser, and rows without blanks."""
    assert codecs.read(address) == codecs.read(SMALL)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VVbb", "an address of Penpa"),
        ("https://tinyurl.com/2p8xyz", "a short address; open it"),
        ("https://kudamono.example/player?W=6x6&L=x", "an address of Kudamono"),
        ("http://www.kanpen.net/slitherlink.html?heyawake=2x3/0", "an address of Kanpen with"),
        ("castle\n.B2\n.G.", "line 2: put blanks between cells"),
        ("cave\n.12\n...", "line 2: put blanks between cells"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    """What it is, or what to do."""
    with pytest.raises(FormatError, match=message):
        codecs.read(text)


def test_a_column_is_no_packed_row() -> None:
    """Rows of one word that is a cell stay rows of one cell."""
    assert codecs.read("cave\n12\n.\n3").cols == 1
    assert codecs.read("castle\nB2v\nG\nW").cols == 1


def test_long_addresses_get_a_remark() -> None:
    """Above 2,000 characters, on writing."""
    puzzle = genres.genre("slither").PUZZLE
    long = puzzle(50, 45, tuple(SlitherClue(r, c, 3) for r in range(50) for c in range(45)))
    with pytest.warns(FormatWarning, match=r"the address has 2,2\d\d characters.*write a file"):
        assert codecs.read(codecs.write(long, "url")) == long
    edge = puzzle(40, 40, tuple(SlitherClue(r, c, 3) for r in range(40) for c in range(40)))
    assert len(codecs.write(edge, "url")) < 2_000
