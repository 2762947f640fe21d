"""Banks: JSON lines, addresses, folders, standard input; unreadable boards keep their place."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from boards import HERE

from castlecp.bank import entries
from castlecp.errors import CastlecpError, FormatError
from castlecp.genres.castle import CastleWall

TEXT = """# a bank
{"id": "a", "type": "castle", "rows": 2, "cols": 3, "clues": []}

castle/3/2/f
{"id": 7, "puzzle": {"type": "castle", "rows": 2, "cols": 2, "clues": []}}
{"type": "castle", "rows": 0, "cols": 3}
{"type":
no board
"""


def test_lines(tmp_path: Path) -> None:
    """Names, places, puzzles, and errors with the line."""
    file = tmp_path / "bank.jsonl"
    file.write_text(TEXT)
    found = list(entries(str(file)))
    assert [entry.name for entry in found] == ["a", "4", "7", "6", "7", "8"]
    assert found[0].place == f"{file}, line 2"
    assert [entry.puzzle for entry in found[:3]] == [
        CastleWall(2, 3),
        CastleWall(2, 3),
        CastleWall(2, 2),
    ]
    for entry in found[3:]:
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
    assert len(list(entries("-"))) == 6


def test_folder() -> None:
    """Files by name."""
    found = list(entries(str(HERE / "boards" / "castle")))
    assert [entry.name for entry in found] == sorted(entry.name for entry in found)
    assert sum(isinstance(entry.puzzle, CastleWall) for entry in found) == len(found) >= 8


def test_no_such_bank() -> None:
    """A missing file is one clear error."""
    with pytest.raises(FormatError, match="no-such-bank"):
        list(entries("no-such-bank"))
