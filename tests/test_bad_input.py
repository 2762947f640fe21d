"""Input that cannot be read: one clear sentence with the place, and nothing but our errors."""

from __future__ import annotations

import io
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
import samples
from hypothesis import given
from hypothesis import strategies as st
from samples import every_genre
from strategies import puzzles

from castlecp import codecs, genres, texts
from castlecp.errors import FormatError, PuzzleError
from castlecp.genres import castle
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.genres.cave import Cave
from castlecp.grammar import Blanks, Cells, FileForm, OneOf, Symbols
from castlecp.grid import Loop

FORMATS = codecs.names()
BLANK = CastleWall(3, 4)
SQUARE = Loop.around(BLANK.lattice, [(1, 1)])


def refusal(read: Callable[..., object], *arguments: object) -> str:
    """The message with which a reader refuses; it must be one short line."""
    with pytest.raises((FormatError, PuzzleError)) as caught:
        read(*arguments)
    message = str(caught.value)
    assert "\n" not in message
    assert message.isprintable()
    assert len(message) < 400
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    return message


def survives(read: Callable[..., object], *arguments: object) -> None:
    """Whatever comes in, only our errors come out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read(*arguments)
        except (FormatError, PuzzleError) as error:
            message = str(error)
        else:
            return
    assert "\n" not in message
    assert len(message) < 400


def board(**fields: Any) -> str:
    """A JSON board; a field that is None is left out."""
    whole = {"type": "castle", "rows": 3, "cols": 4, "clues": [], **fields}
    return json.dumps({key: value for key, value in whole.items() if value is not None})


def clue(**fields: Any) -> str:
    """A JSON board with one good clue and a second one as given."""
    first = {"row": 0, "col": 0, "color": "grey"}
    return board(clues=[first, {"row": 1, "col": 2, "color": "black", **fields}])


def slither(**fields: Any) -> str:
    """A JSON board with two places and a statement about them, changed."""
    whole = {
        "type": "slither",
        "clues": [{"row": 0, "col": 0, "number": 3}],
        "places": {"quay": [0, 1], "mill": [2, 3]},
        "statements": [{"says": "same", "of": ["quay", "mill"]}],
    }
    return board(**{**whole, **fields})


def statement(**fields: Any) -> str:
    """The same with a second statement."""
    return slither(statements=[{"says": "inside", "of": ["mill"]}, fields])


def cave(**fields: Any) -> str:
    """A JSON board with one clue."""
    return board(type="cave", clues=[{"row": 0, "col": 0, **fields}])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON: it ends too early"),
        ('{"type":\n "castle", oops}', "not JSON: .* at line 2, column 12"),
        ('{"type": "castle"} {', "not JSON: .* at character 2"),
        ("[]", "it must be an object"),
        ("[" * 100_000, "brackets are nested too deeply"),
        ('{"type": ' + "[" * 100_000, "brackets are nested too deeply"),
        ('{"x": ' + "[" * 100_000, "brackets are nested too deeply"),
        (board(type=None), "the key `type` is missing"),
        (board(type="sudoku"), "unknown genre 'sudoku'; known: castle"),
        (board(type=3), "`type` must be a string"),
        (board(rows=None), "the key `rows` is missing"),
        (board(rows=0), "`rows` is 0; it must be from 1 to 1000"),
        (board(rows=-1), "`rows` is -1; it must be from 1 to 1000"),
        (board(cols=10**9), "`cols` is 1000000000; it must be from 1 to 1000"),
        (board(cols=10**30), "`cols` is far too large; it must be"),
        (board(cols=1).replace("1", "1" + "0" * 5000), "the number at `cols` is out of range"),
        (board(rows="3"), "`rows` must be a whole number"),
        (board(rows=3.5), "`rows` must be a whole number"),
        (board(rows=True), "`rows` must be a whole number"),
        (board(size=3), "unknown key 'size'"),
        (board(**{"a\nb": 3}), r"unknown key 'a\\nb'"),
        (board(clues={}), "`clues` must be an array"),
        (board(clues=[3]), r"`clues\[0\]` must be an object"),
        (clue(colour="red"), r"unknown key 'colour' in `clues\[1\]`"),
        (clue(color="red"), r'`clues\[1\]\.color` must be "black" or "gray" or "grey" or "white"'),
        (clue(color=None), r'`clues\[1\]\.color` must be "black" or "gray" or "grey" or "white"'),
        (clue(arrow="north"), r'`clues\[1\]\.arrow` must be "down" or "left" or "right" or "up"'),
        (clue(number="3"), r'`clues\[1\]\.number` must be a whole number or "\?"'),
        (clue(number=1.5), r'`clues\[1\]\.number` must be a whole number or "\?"'),
        (clue(number=True), r'`clues\[1\]\.number` must be a whole number or "\?"'),
        (clue(number=-1), r"`clues\[1\]\.number` must be from 0 to 4095"),
        (clue(number=4096), r"`clues\[1\]\.number` must be from 0 to 4095"),
        (clue(number=10**30), r"`clues\[1\]\.number`"),
        (
            clue(row=3),
            r"row 3, column 2 \(counted from 0\) is off the board, which is 4 wide, 3 high",
        ),
        (clue(col=-1), r"row 1, column -1 \(counted from 0\) is off the board"),
        (clue(row=0, col=0), r"two clues at row 0, column 0"),
        (clue(color="\ud800"), "not JSON"),
        (board()[:-1] + ', "rows": 3}', "the key 'rows' stands there twice"),
        (board()[:-1] + ', "r\\u006fws": 3}', "the key 'rows' stands there twice"),
        (clue()[:-3] + ', "col": 3}]}', r"the key 'col' stands twice in `clues\[1\]`"),
        (board(type="slitherlink"), '`type` must be "slither"'),
        (
            slither(places={"quay": [0, 1]}),
            r"`statements\[0\]\.of` names 'mill', which is no place",
        ),
        (
            slither(places={"quay": [3, 1]}),
            "`places`: 'quay' is off the board, which is 4 wide",
        ),
        (
            slither(places={"quay": [0, -1]}),
            "`places`: 'quay' is off the board, which is 4 wide",
        ),
        (slither(places={"quay": [10**9, 0]}), "`places`: 'quay' is off the board"),
        (slither(places={"a": [0, 0], "b": [0, 0]}), "`places`: 'a' and 'b' are the same cell"),
        (slither(places={"": [0, 0]}), "`places`: the name '' must have 1 to 40 characters"),
        (slither(places={"a\nb": [0, 0]}), r"`places`: the name 'a\\nb' must have 1 to 40"),
        (slither(places={"x" * 5000: [0, 0]}), "`places`: the name 'x{40}...' must have 1 to 40"),
        (slither(places={"quay": [0]}), "`places.*` must be an array of 2 whole numbers"),
        (slither(places={"quay": [0, 1, 2]}), "`places.*` must be an array of 2 whole numbers"),
        (slither(places={"quay": [0, 1.5]}), "`places.*` must be a whole number"),
        (slither(places={"quay": [10**30, 1]}), "`places.*"),
        (slither(places={"quay": None}), "`places.*` must be an array of 2 whole numbers"),
        (slither(places=[[0, 1]]), "`places` must be an object"),
        (slither(statements={}), "`statements` must be an array"),
        (slither(statements=["quay is inside"]), r"`statements\[0\]` must be an object"),
        (statement(says="inside", of=["quay", "mill"]), r"`statements\[1\]\.of` .* one place$"),
        (statement(says="inside", of=[]), r"`statements\[1\]\.of` must name one place$"),
        (statement(says="same", of=["quay"]), r"`statements\[1\]\.of` must name two places$"),
        (statement(says="opposite", of=["quay"] * 3), r"`statements\[1\]\.of` must name two"),
        (
            statement(says="same", of=["quay", "x" * 5000]),
            r"`statements\[1\]\.of` names 'x{40}\.\.\.",
        ),
        (statement(says="same", of=["quay", 3]), r"`statements\[1\]\.of\[1\]` must be a string"),
        (statement(says="same", of="quay"), r"`statements\[1\]\.of` must be an array"),
        (statement(says="near", of=["quay"]), r"`statements\[1\]\.says` must be \"inside\" or"),
        (statement(of=["quay"]), r"the key `says` is missing in `statements\[1\]`"),
        (statement(says="inside"), r"the key `of` is missing in `statements\[1\]`"),
        (statement(says="inside", of=["quay"], by="me"), r"unknown key 'by' in `statements\[1\]`"),
        (slither(false_statements=2), "`false_statements` must be from 0 to 1, the statements"),
        (slither(false_statements=-1), "`false_statements` must be from 0 to 1"),
        (slither(false_statements=10**30), "`false_statements`"),
        (slither(false_statements="1"), "`false_statements` must be a whole number"),
        (
            slither(statements=[{"says": "inside", "of": ["quay"]}] * 101),
            "`statements` are 101; at most 100 may be",
        ),
        (
            slither(rows=20, cols=20, places={f"p{k}": divmod(k, 20) for k in range(201)}),
            "`places` are 201; at most 200 may be",
        ),
        (slither(visits_all=1), "`visits_all` must be true or false"),
        (slither(lies=1), "unknown key 'lies'"),
        (
            slither(clues=[{"row": 0, "col": 0, "number": 5}]),
            r"`clues\[0\]\.number` .* from 0 to 4",
        ),
        (slither(clues=[{"row": 0, "col": 0, "number": -1}]), r"`clues\[0\]\.number` .* 0 to 4"),
        (slither(clues=[{"row": 0, "col": 0, "color": "grey"}]), "unknown key 'color'"),
        (slither(clues=[{"row": 3, "col": 0}]), "off the board, which is 4 wide, 3 high"),
        (cave(number=-1), r"`clues\[0\]\.number` must be from 0 to 1126351"),
        (cave(number=2_000_000), r"`clues\[0\]\.number` must be from 0 to 1126351"),
        (cave(number="3"), r'`clues\[0\]\.number` must be a whole number or "\?"'),
        (cave(arrow="up"), r"unknown key 'arrow' in `clues\[0\]`"),
        (cave(row=3), "off the board, which is 4 wide, 3 high"),
        (board(type="cave", places={}), "unknown key 'places'"),
    ],
)
def test_json(text: str, message: str) -> None:
    """The key at fault is named by its path."""
    with pytest.raises(FormatError, match=f"^a.json: .*{message}"):
        codecs.read(text, "a.json")
    refusal(codecs.read, text)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("castle/4/3/b2X0j", "character 3 of the body is 'X' where there should be an arrow digit"),
        ("castle/4/3/b!", "character 2 of the body is '!' where there should be a run of blanks"),
        (
            "castle/4/3/b22\u0663j",
            "character 4 of the body is '\u0663' where there should be a digit",
        ),
        ("castle/4/3/b22Fj", "character 4 of the body is 'F' where there should be a digit"),
        ("castle/4/3/b2-5fffj", "character 4 of the body is '5' where there should be an arrow"),
        ("castle/4/3/b2", "the body ends after character 2, in the middle of a clue"),
        ("castle/4/3/b22", "the body ends after character 3, in the middle of a clue"),
        ("castle/4/3/b271", "the body ends after character 4, in the middle of a clue"),
        ("castle/4/3/b2-11f", "the body ends after character 6, in the middle of a clue"),
        ("slither/4/3/a4.dg1!", "character 7 of the body is '!' where there should be a run"),
        ("slither/4/3/f", "character 1 of the body is 'f' where there should be a run"),
        ("slither/4/3/A", "character 1 of the body is 'A' where there should be a run"),
        ("slither/3/a", "the height is 'a', which is no whole number"),
        ("slither/f/4", "the address ends before width and height"),
        ("cave/4/3/.g5-1", "the body ends after character 5, in the middle of a clue; a digit"),
        ("cave/4/3/.g5-1g", "character 6 of the body is 'g' where there should be a digit 0-9"),
        ("cave/4/3/.g$0000", "the body ends after character 7, in the middle of a clue"),
        ("cave/4/3/^", "character 1 of the body is '\\^' where there should be a run of blanks"),
        ("castle/6/6/k3h6j2l7g3g2h3n", "character 3 of the body is 'h'"),
        ("https://puzz.link/p?sudoku/9/9/g1", "unknown genre 'sudoku'; known: castle"),
        ("https://puzz.link/", r"the address has no `\?`"),
        ("https://puzz.link/p?", "unknown genre ''"),
        ("https://puzz.link/p?castle", "the address ends before width and height"),
        ("https://puzz.link/p?castle/4", "the address ends before width and height"),
        ("castle/4x/3/l", "the width is '4x', which is no whole number"),
        ("castle/4/three/l", "the height is 'three', which is no whole number"),
        ("castle/-4/3/l", "the width is '-4', which is no whole number"),
        ("castle/4/3.5/l", "the height is '3.5', which is no whole number"),
        ("castle/\u0664/3/l", "the width is '\u0664', which is no whole number"),
        ("castle/0/3/l", "`cols` is 0; it must be from 1 to 1000"),
        ("castle/4/1001/l", "`rows` is 1001; it must be from 1 to 1000"),
        ("castle/1000000000/3/l", "the width is too large, a number of 10 digits"),
        ("castle/" + "9" * 10_000 + "/3/l", "the width is too large, a number of 10,000 digits"),
    ],
)
@pytest.mark.filterwarnings("ignore::castlecp.errors.FormatWarning")
def test_addresses(address: str, message: str) -> None:
    """The place in the body is counted from 1."""
    with pytest.raises((FormatError, PuzzleError), match=f"^input: {message}"):
        codecs.read(address)
    refusal(codecs.read, address)


FILE = "pzprv3\ncastle\n3\n4\n. 2,1,2 . . \n. . . . \n0,-,0 . . . \n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pzprv3", "the file ends at line 1; the genre is missing"),
        ("pzprv3\ncastle\n3", "the file ends at line 3; the number of columns is missing"),
        ("v:own/pzprv3", "the file ends at line 2; the genre is missing"),
        (FILE.replace("v3", "v4"), "unknown version 'pzprv4'; known: pzprv3, pzprv3.1"),
        (FILE.replace("castle", "moonsun"), "unknown genre 'moonsun'; known: castle"),
        (FILE.replace("3\n4", "3\nfour"), "the number of columns in line 4 is 'four'"),
        (FILE.replace("3\n4", "0\n4"), "`rows` is 0"),
        (FILE.replace("3\n4", "3\n1000000000"), "the number of columns in line 4 is too large"),
        (FILE.replace("3\n4", "4\n4"), "the board has 4 rows, but the file ends after 3"),
        (FILE.replace("3\n4", "3\n5"), "line 5 has 4 words where there should be 5"),
        (FILE.replace("0,-,0 ", ""), "line 7 has 3 words where there should be 4"),
        (FILE.replace("2,1,2", "x"), "line 5, word 2: 'x' is no cell"),
        (FILE.replace("2,1,2", "2,1,3"), "line 5, word 2: '2,1,3' is no cell; a colour"),
        (FILE.replace("2,1,2", "2,1.5,2"), "line 5, word 2: '2,1.5,2' is no cell"),
        (FILE.replace("2,1,2", "2,4096,2"), "line 5, word 2: `number` must be from 0 to 4095"),
        (FILE.replace("2,1,2", f"2,{'9' * 5000},2"), "line 5, word 2: '2,9"),
        (FILE.replace("2,1,2", "2,-2,2"), "line 5, word 2: '2,-2,2' is no cell"),
        ("pzprv3\nslither\n1\n2\n. 5 ", "line 5, word 2: '5' is no cell; a number 0-4, `-` or"),
        ("pzprv3\nslither\n1\n2\nf\n. 33 ", "line 6, word 2: '33' is no cell; the end should"),
        ("pzprv3\nslither\n2\n2\nf\n. . ", "the board has 2 rows, but the file ends after 1"),
        ("pzprv3\ncave\n1\n2\n. -1 ", "line 5, word 2: '-1' is no cell; the end should"),
        ("pzprv3\ncave\n1\n2\n. 9999999 ", "line 5, word 2: `number` must be from 0 to"),
        ("pzprv3\ncave\n1\n2\n. # ", "line 5, word 2: '#' is no cell; .* a digit or `-` should"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "/"])
@pytest.mark.filterwarnings("ignore::castlecp.errors.FormatWarning")
def test_files(text: str, message: str, newline: str) -> None:
    """The line is counted from 1, the word in it as well."""
    text = text.replace("\n", newline)
    with pytest.raises((FormatError, PuzzleError), match=f"^input: {message}"):
        codecs.read(text)
    refusal(codecs.read, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("castle\n. . .\n\n. . \n", "line 4 has 2 cells, the first row has 3"),
        ("castle\n. . .\n. . . .", "line 3 has 4 cells, the first row has 3"),
        ("castle\n. X .", "line 2, cell 2: 'X' is no cell; .* at its character 1"),
        ("castle\n. Bx .", "line 2, cell 2: 'Bx' is no cell; an arrow or the end should"),
        ("castle\n. B1vv .", "line 2, cell 2: 'B1vv' is no cell; the end should .* character 4"),
        ("castle\n. B4096v .", "line 2, cell 2: `number` must be from 0 to 4095"),
        ("castle\n. B-1v .", "line 2, cell 2: 'B-1v' is no cell"),
        ("castle\n. B1.5v .", "line 2, cell 2: 'B1.5v' is no cell"),
        ("castle\n. B\u0661v .", "line 2, cell 2: 'B\u0661v' is no cell"),
        ("castle\n. B" + "1" * 5000 + "v .", "line 2, cell 2: 'B1111"),
        ("sudoku\n. . .", "unknown genre 'sudoku'; known: castle"),
        ("castle\n# nothing", "the board has no rows"),
        ("castle\n" + ". " * 1001, "`cols` is 1001"),
        ("castle\n" + ".\n" * 1001, "`rows` is 1001"),
        ("slither f\n. . .\n. .", "line 3 has 2 cells, the first row has 3"),
        ("slither\n. 5 .", "line 2, cell 2: '5' is no cell; a number 0-4, `\\?` or `.` should"),
        ("slither\n. 3a .", "line 2, cell 2: '3a' is no cell; the end should .* character 2"),
        ("cave\n. -3 .", "line 2, cell 2: '-3' is no cell"),
        ("cave\n. 3? .", "line 2, cell 2: '3\\?' is no cell; the end should .* character 2"),
        ("cave\n. 1234567 .", "line 2, cell 2: `number` must be from 0 to 1126351"),
    ],
)
def test_boards(text: str, message: str) -> None:
    """The line is counted from 1, the cell in it as well."""
    with pytest.raises((FormatError, PuzzleError), match=f"^input: {message}"):
        codecs.read(text)
    refusal(codecs.read, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the text is empty"),
        (" \n\t", "the text is empty"),
        (b"\xef\xbb\xbf", "the text is empty"),
        (b"\x89PNG\r\n\x1a\n", "not UTF-8 text: byte 1 is 0x89"),
        (board().encode("utf-16"), "not UTF-8 text: byte 1 is 0xff"),
        (b'{"type": "\xe9"}', "not UTF-8 text: byte 11 is 0xe9"),
        (b"castle\n. . \0", "not a text: character 12 is NUL"),
        ("castle\n\ud800", "not Unicode text: character 8 is half of a pair"),
        ("hello", "this is no puzzle; a puzzle is a board in text"),
        ("castle", "this is no puzzle; a puzzle is a board in text"),
        (". . .\n. . .", "this is no puzzle; a puzzle is a board in text"),
        ("┌───┐\n│   │\n└───┘", "this is no puzzle; a puzzle is a board in text"),
    ],
)
def test_texts(text: str | bytes, message: str) -> None:
    """What is no text, or none of the formats."""
    assert message in refusal(codecs.read, text)
    if not message.startswith("this"):
        assert message in refusal(codecs.read_answer, text, BLANK)


def test_too_much_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a limit, for texts and for files."""
    monkeypatch.setattr(texts, "MAX_BYTES", 10)
    for text in (board(), board().encode()):
        assert "of text" in refusal(codecs.read, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "this is no answer; an answer is a picture"),
        ("castle/4/3/l", "this is no answer; an answer is a picture"),
        ("castle\n. . . .\n" * 2, "this is a board, not a picture of an answer"),
        ("+---+\n|   |\n+---+", "a picture of a lattice 4 wide, 3 high has 5 lines, this one 3"),
        (
            "+---+\n|   |\n+---+\n.\n.\n.\n.",
            "a picture of a lattice 4 wide, 3 high has 5 lines, this one 7",
        ),
        ("+---+\n|   |\n+-- +\n\n.", "line 3: half an edge in columns 2 to 4"),
        ("\n" + "+---+---+---+ -\n" * 5, "line 2: half an edge in columns 14 to 16"),
        ("+---+\n| |\n+---+\n\n.", "line 2: column 3 is below no vertex"),
        ("+---+\n|   |\n+---+---+---+---+\n\n.", "line 3 of the picture is wider than 13"),
        ("\n" + "+---+---+---+---\n" * 5, "line 2 of the picture is wider than 13"),
        ("[]", "it must be an object"),
        ("{}", "none of the keys `edges`, `inside`, `solutions` and `on` is there"),
        ('{"solutions": []}', "`solutions` is empty"),
        ('{"solutions": [{}]}', "none of the keys"),
        (
            '{"edges": [[0,0,0,1],[0,0,1,1]]}',
            r"`edges\[1\]` is no edge of a lattice 4 wide, 3",
        ),
        ('{"edges": [[0,3,0,4]]}', r"`edges\[0\]` is no edge"),
        ('{"solutions": [{"edges": [[2,0,3,0]]}]}', r"`solutions\[0\].edges\[0\]` is no edge"),
        ('{"inside": [[0,0],[2,0]]}', r"`inside\[1\]` is no face of a lattice 4 wide, 3 high"),
        ('{"edges": [], "edges": []}', "the key 'edges' stands there twice"),
        (
            '{"solutions": [{}, {"x": [0, {"a": 1, "a": 1}], "edges": []}]}',
            r"the key 'a' stands twice in `solutions\[1\].x\[1\]`",
        ),
        (
            '{"x": {"a\\nb": [{"a": {"a": 1, "a": 2}, "a": 3}]}, "y": {"c": 1, "c": 1}}',
            r"the key 'a' stands twice in `x\.'a\\nb'\[0\]`",
        ),
        ('{"edges": [[0,0,1]]}', r"`edges\[0\]` must be an array of 4 whole numbers"),
        ('{"edges": [[0,0,0,1.5]]}', r"`edges\[0\]\[3\]` must be a whole number"),
        ('{"edges": 3}', "`edges` must be an array"),
        (
            FILE.replace("3\n4", "4\n3"),
            "the answer is to a puzzle 3 wide, 4 high, not 4 wide, 3",
        ),
        (FILE + "0 0 \n", "line 8 has 2 words where there should be 3"),
        (FILE + "0 0 x \n", "line 8, word 3: 'x' is no whole number"),
        (FILE + "0 0 0 \n" * 3 + "0 0 0 \n", "line 11 has 3 words where there should be 4"),
    ],
)
def test_answers(text: str, message: str) -> None:
    """An answer must fit the board and say every edge wholly or not at all."""
    with pytest.raises(FormatError, match=f"^mine: {message}"):
        codecs.read_answer(text, BLANK, "mine")
    refusal(codecs.read_answer, text, BLANK)


@pytest.mark.parametrize("kind", ["cave", "corral", "slitherlink"])
def test_answer_to_another_genre(kind: str) -> None:
    """A file's own genre must be that of the puzzle."""
    genre = genres.genre(kind).PUZZLE.__struct_config__.tag
    message = refusal(codecs.read_answer, FILE.replace("castle", kind), BLANK)
    assert f"the answer is to a puzzle of the genre {genre}, not castle" in message
    with pytest.raises(FormatError, match=f"unknown genre 'x'; known: {', '.join(samples.NAMES)}"):
        codecs.read("x/4/3/l")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pzprv3\ncave\n2\n2\n. . \n. . \n# + \n. x ", "line 8, word 2: 'x' is none of `#`, `\\+`"),
        ("pzprv3\ncave\n2\n2\n. . \n. . \n# ", "line 7 has 1 word where there should be 2"),
        ("pzprv3\ncave\n2\n3\n. . . \n. . . \n", "to a puzzle 3 wide, 2 high, not 2 wide, 2 high"),
        (
            "+---+   .\n|   |\n+---+   .",
            "a picture of a lattice 3 wide, 3 high has 5 lines, this",
        ),
        ('{"inside": [[0, 2]]}', r"`inside\[0\]` is no face of a lattice 3 wide, 3 high"),
    ],
)
def test_answers_by_shading(text: str, message: str) -> None:
    """A cave's answer is a word a cell."""
    with pytest.raises(FormatError, match=message):
        codecs.read_answer(text, Cave(2, 2))


def test_clue_that_a_format_cannot_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clue without a text is named by what it says."""
    nothing = OneOf(Symbols("`.`", {".": None}))
    puzzle = CastleWall(3, 4, (CastleClue(1, 2, "black", "down", 3),))
    forms = {
        "board": nothing,
        "pzprv3": FileForm(nothing, ("horizontal", "vertical")),
        "url": Cells(Blanks("abcdefghijkl")),
    }
    monkeypatch.setattr(castle, "FORMS", forms)
    for to in forms:
        with pytest.raises(FormatError, match="cannot say a clue that is black, 3 down"):
            codecs.write(puzzle, to)


# Sources.


def test_sources_that_are_not_there(tmp_path: Path) -> None:
    """A missing file, a directory, a file that may not be read."""
    missing = str(tmp_path / "no such board.json")
    assert refusal(codecs.read_source, missing) == f"{missing!r}: no such file"
    for name in (missing, "gone.txt", "tests/boards/gone.json", "a-b/gone+1.pzprv3"):
        assert refusal(codecs.read_answer_source, name, BLANK) == f"{name!r}: no such file"
    message = refusal(codecs.read_answer_source, "gone-1", BLANK)
    assert message.startswith("'gone-1': no such file, and not itself a picture of the loop")
    assert "genre" not in message
    assert refusal(codecs.read_source, str(tmp_path)) == f"{tmp_path}: a directory, not a file"
    for source in ("", "x" * 5000, "a\0b", "castle/board.json", "a/b/c/d.json", "board", "-x"):
        assert "no such file" in refusal(codecs.read_source, source)
        assert "no such file" in refusal(codecs.read_answer_source, source, BLANK)


def test_the_file_is_named(tmp_path: Path) -> None:
    """A message begins with the name of the file."""
    file = tmp_path / "bad.txt"
    file.write_bytes(b"\xff")
    assert refusal(codecs.read_source, str(file)) == f"{file}: not UTF-8 text: byte 1 is 0xff"
    file.write_text("castle\n. .\n.\n")
    assert refusal(codecs.read_source, str(file)).startswith(f"{file}: line 3 has 1 cell")
    assert refusal(codecs.read_answer_source, str(file), BLANK).startswith(f"{file}: this is")


def test_bad_text_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a name too."""

    class Standard:
        buffer: ClassVar = io.BytesIO(b"\0")

    monkeypatch.setattr(sys, "stdin", Standard)
    assert refusal(codecs.read_source, "-").startswith("standard input: not a text")


def test_bad_address_as_source() -> None:
    """The text itself, cut short, stands for the name."""
    message = refusal(codecs.read_source, "castle/10/10/023b022b023v224!")
    assert message.startswith("'castle/10/10/023b022b...': character 16 of the body is '!'")


@pytest.mark.parametrize(
    "text",
    [
        "castle/1000000000/1000000000/" + "z" * 1000,
        board(rows=10**9, cols=10**9),
        "pzprv3\ncastle\n100000000\n100000000\n. . .\n",
    ],
)
def test_claims_of_a_huge_board(text: str) -> None:
    """A size is refused before anything of that size is made."""
    start = time.perf_counter()
    refusal(codecs.read, text)
    assert time.perf_counter() - start < 5


# Anything at all.


@given(st.text() | st.binary())
def test_any_text(text: str | bytes) -> None:
    """Arbitrary text and arbitrary bytes."""
    for read in (codecs.read, lambda text: codecs.read_answer(text, BLANK)):
        survives(read, text)
    if isinstance(text, str) and text != "-":
        survives(codecs.read_source, text)


ALPHABET = st.sampled_from(" \n/.,-?:{}[]\"'0123456789abfgvxzBWG#│─|+·↓\0\ud800\u0661\ufeff\r\x1c")


@every_genre
@given(data=st.data())
def test_damaged_texts(genre: str, data: st.DataObject) -> None:
    """Well-formed texts with pieces cut out, doubled, swapped and replaced."""
    puzzle = data.draw(puzzles(genre, 5, clues_only=True))
    blank = samples.blank(genre, 3, 4)
    texts = [codecs.write(puzzle, to) for to in FORMATS]
    texts += [codecs.write_answer(blank, SQUARE, to) for to in ("board", "json", "pzprv3")]
    texts.append(codecs.write(data.draw(samples.of(genre).more(puzzle)), "json"))
    text = data.draw(st.sampled_from(texts))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        other = data.draw(st.sampled_from(texts))
        piece = data.draw(
            st.just("")
            | st.just(text[start:end] * 2)
            | st.text(ALPHABET, max_size=4)
            | st.integers().map(str)
            | st.just(other[: end - start])
            | st.just("9" * 5000)
        )
        text = text[:start] + piece + text[end:]
    survives(codecs.read, text)
    survives(codecs.read_answer, text, blank)
    survives(codecs.read_answer, text, puzzle)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["type", "rows", "clues", "row", "edges", "inside", "solutions", "says", "of"]
            ),
            inner,
            max_size=4,
        )
    ),
)


@every_genre
@given(data=st.data(), value=JSON)
def test_any_json(genre: str, data: st.DataObject, value: Any) -> None:
    """JSON of any shape, alone and in the place of a key."""
    fields = samples.kind_of(genre).__struct_fields__
    key = data.draw(st.sampled_from([*fields, "edges", "inside", "solutions"]))
    for whole in (value, {"type": genre, "rows": 2, "cols": 3, "clues": [], key: value}):
        survives(codecs.read, json.dumps(whole))
        survives(codecs.read_answer, json.dumps(whole), BLANK)
