"""Banks: JSON lines, addresses, folders, standard input; unreadable boards keep their place."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
import samples
from boards import HERE
from samples import every_genre

from castlecp.bank import entries
from castlecp.errors import CastlecpError, FormatError
from castlecp.genres.castle import CastleWall
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
