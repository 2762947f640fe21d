"""Banks: JSON lines, addresses, folders, standard input; unreadable boards keep their place."""

from __future__ import annotations

import io
import os
import sys
import threading
from contextlib import suppress
from json import dumps
from pathlib import Path

import msgspec
import pytest
import samples
from boards import HERE, LEVELS
from msgspec.structs import replace
from samples import every_genre

from castlecp import bank, codecs
from castlecp.bank import board, entries
from castlecp.errors import CastlecpError, FormatError, FormatWarning
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.genres.cave import Cave, CaveClue
from castlecp.genres.slither import Slitherlink

TEXT = """# a bank
{"id": "a", "type": "castle", "rows": 2, "cols": 3, "clues": []}

castle/3/2/f
{"id": 7, "puzzle": {"type": "castle", "rows": 2, "cols": 2, "clues": []}}
{"id": "b", "type": "slither", "rows": 1, "cols": 2, "clues": [], "visits_all": true}
cave/2/1/3g
{"type": "castle", "rows": 0, "cols": 3}
{"type":
no board
"""


def test_lines(tmp_path: Path) -> None:
    """Names, places, puzzles, and errors with the line."""
    file = tmp_path / "bank.jsonl"
    file.write_text(TEXT)
    found = list(entries(str(file)))
    assert [entry.name for entry in found] == ["a", "4", "7", "b", "7", "8", "9", "10"]
    assert found[0].place == f"{file}, line 2"
    assert [entry.puzzle for entry in found[:5]] == [
        CastleWall(2, 3),
        CastleWall(2, 3),
        CastleWall(2, 2),
        Slitherlink(1, 2, visits_all=True),
        Cave(1, 2, (CaveClue(0, 0, 3),)),
    ]
    for entry in found[5:]:
        assert isinstance(entry.puzzle, CastlecpError)
        assert entry.place in str(entry.puzzle)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"x": ' + "[" * 100_000, "brackets are nested too deeply"),
        ('{"id": 1, "puzzle": ' + "[" * 100_000, "brackets are nested too deeply"),
        ('{"id": 1, "id": 2, "puzzle": {}}', "the key 'id' stands there twice"),
        (
            '{"puzzle": {"type": "castle", "rows": 3, "rows": 4, "cols": 3, "clues": []}}',
            "the key 'rows' stands twice in `puzzle`",
        ),
        ('{"type": "castle", "rows" 3}', "not JSON: expected ':' at character 27"),
        ('{"type":', "not JSON: it ends too early"),
        ("[3]", "it must be an object"),
    ],
)
def test_lines_that_are_no_board(tmp_path: Path, line: str, message: str) -> None:
    """One sentence with file and line."""
    file = tmp_path / "bank.jsonl"
    file.write_text(f"castle/3/2/f\n{line}\n")
    (_, entry) = entries(str(file))
    assert str(entry.puzzle) == f"{file}, line 2: {message}"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads line by line."""

    class Stdin:
        buffer = io.BytesIO(TEXT.encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert len(list(entries("-"))) == 8


@every_genre
def test_folder(genre: str) -> None:
    """Files by name."""
    found = list(entries(str(HERE / "boards" / genre)))
    assert [entry.name for entry in found] == sorted(entry.name for entry in found)
    kind = samples.kind_of(genre)
    assert sum(isinstance(entry.puzzle, kind) for entry in found) == len(found) >= 7


def test_no_such_bank() -> None:
    """A missing file is one clear error."""
    with pytest.raises(FormatError, match="no-such-bank"):
        list(entries("no-such-bank"))


# One board, or several.

LINK = "https://puzz.link/p?castle/2/2/d"
TWO = """# one
castle
. . .
. . .

slither f
. 3
"""


def lines_of(genre: str) -> list[str]:
    """A board as every line that it can be: a bank's, a record of certificates, a certificate."""
    puzzle = codecs.write(samples.blank(genre, 3, 4), "json")
    return [
        puzzle,
        codecs.write(samples.blank(genre, 3, 4), "url"),
        f'{{"id": "x", {puzzle[1:]}',
        f'{{"id": "x", "seed": 3, "puzzle": {puzzle}, "more": [1]}}',
        f'{{"status": "none", "name": "x", "place": "b, line 1", "puzzle": {puzzle}}}',
        f'{{"status": "unique", "name": "x", "place": "y", "certificate": {{"puzzle": {puzzle}}}}}',
        f'{{"format": "castlecp-certificate-1", "puzzle": {puzzle}, "sha256": ""}}',
    ]


@every_genre
def test_a_line_is_a_board(genre: str, tmp_path: Path) -> None:
    """By itself, in a file with comments, and as one of a bank."""
    puzzle, file = samples.blank(genre, 3, 4), tmp_path / "file"
    lines = lines_of(genre)
    for line in lines:
        assert board(line) == puzzle
        file.write_text(f"# a comment\n\n{line}\n")
        assert board(str(file)) == puzzle
        assert [entry.puzzle for entry in entries(line)] == [puzzle]
    file.write_text("\n".join(lines))
    found = list(entries(str(file)))
    assert [entry.puzzle for entry in found] == [puzzle] * len(lines)
    assert [entry.name for entry in found] == ["1", "2", "x", "x", "x", "x", "7"]


def test_texts_with_several_boards(tmp_path: Path) -> None:
    """Links, boards in text and pzprv3 files, one behind the other; one is wanted: a sentence."""
    file = tmp_path / "file"
    pzprv3 = codecs.write(CastleWall(2, 3), "pzprv3")
    castle, slither = CastleWall(2, 3), codecs.read("slither\n. 3\n")
    for text, puzzles, where in (
        (
            f"{LINK}\n\n{LINK}\n",
            [CastleWall(2, 2)] * 2,
            "2 boards where one is wanted, in lines 1, 3",
        ),
        (TWO, [castle, replace(slither, visits_all=True)], "in lines 2, 6"),
        (f"{pzprv3}\n{pzprv3}\ncastle\n. . .\n. . .", [castle] * 3, "3 boards"),
    ):
        file.write_text(text)
        assert [entry.puzzle for entry in entries(str(file))] == puzzles
        with pytest.raises(FormatError, match=f"^{file}: .*{where}"):
            board(str(file))
        with pytest.raises(FormatError, match=where):
            board(text)


def test_one_board_over_many_lines(tmp_path: Path) -> None:
    """JSON with line ends, and a pzprv3 file, are one board each."""
    puzzle = CastleWall(3, 4, (CastleClue(1, 1, "white", "up", 0),))
    for text in (
        dumps(msgspec.to_builtins(puzzle), indent=1),
        codecs.write(puzzle, "pzprv3"),
        codecs.write(puzzle, "board"),
    ):
        file = tmp_path / "file"
        file.write_text(f"\n{text}\n")
        assert board(str(file)) == puzzle
        assert [entry.puzzle for entry in entries(str(file))] == [puzzle]


def test_wrong_kinds() -> None:
    """What is no board is called what it is."""
    level = next(LEVELS.glob("*.json"))
    for source, sentence in (
        (str(level), "this is a level; `castlecp author boards` prints its board"),
        ('{"status": "unreadable", "name": "1", "place": "2"}', "this record has no board"),
    ):
        with pytest.raises(FormatError, match=sentence):
            board(source)


def test_folders_are_walked(tmp_path: Path) -> None:
    """All boards of all files, by name; what is none is passed over, with a warning."""
    (tmp_path / "b").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.url").write_text("castle/2/2/d")
    (tmp_path / "a.jsonl").write_text(
        f'{{"id": "n", "puzzle": {codecs.write(Cave(2, 2), "json")}}}\n{LINK}'
    )
    (tmp_path / "b" / "one.txt").write_text(f"{LINK}\n")
    (tmp_path / "c.jsonl.part").write_text(LINK)
    (tmp_path / "d.json").write_text('{"type": "castle", "rows": ')
    (tmp_path / "manifest.json").write_text('{"method": "by hand",\n "files": {}}')
    (tmp_path / "notes.md").write_text("# Boards\n\nThese are mine.\n")
    with pytest.warns(FormatWarning, match="passed over") as told:
        found = list(entries(str(tmp_path)))
    assert [str(warning.message).split(" has ")[0] for warning in told] == [
        str(tmp_path / "manifest.json"),
        str(tmp_path / "notes.md"),
    ]
    assert [entry.name for entry in found] == ["n", "a-2", "one", "d"]
    assert found[1].place == f"{tmp_path}/a.jsonl, line 2"
    assert found[2].place == f"{tmp_path}/b/one.txt"
    assert isinstance(found[3].puzzle, FormatError)


def test_lines_that_never_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source is read up to a stated limit, and no further."""
    fifo, written = tmp_path / "fifo", 0
    os.mkfifo(fifo)

    def write() -> None:
        nonlocal written
        with suppress(BrokenPipeError), fifo.open("wb", buffering=0) as file:
            while written < 10**8:
                written += file.write(bytes(2**16))

    monkeypatch.setattr(bank, "LONGEST", 10**6)
    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(FormatError, match=f"^{fifo}, line 1: more than 1 MB in a line"):
        list(entries(str(fifo)))
    writer.join(20)
    assert not writer.is_alive()
    assert written < 2 * 10**6
    file = tmp_path / "file"
    file.write_text("castle\n" + ". . .\n" * 200_000)
    with pytest.raises(FormatError, match="more than 1 MB, not one board a line"):
        list(entries(str(file)))
