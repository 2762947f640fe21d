"""What `scripts/taste.py` says of boards, against figures counted by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from castlecp import codecs
from castlecp.grid import Lattice, Loop

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import taste


def test_features_of_a_loop() -> None:
    """A loop around an L of four faces on 4 x 5 vertices: ten edges, six turns."""
    loop = Loop.around(Lattice(4, 5), {(0, 0), (1, 0), (2, 0), (2, 1)})
    found = taste.loop_features(loop)
    assert found == pytest.approx(
        {
            "loop": 10 / 20,
            "box": 12 / 20,
            "inside": 4 / 12,
            "turns": 6 / 10,
            "rim": 6 / 14,
            "blocks": 0,
            "longest": 3 / 5,
            "within": 0,
        }
    )
    block = Loop.around(Lattice(4, 5), {(0, 0), (0, 1), (1, 0), (1, 1)})
    found = taste.loop_features(block)
    assert (found["blocks"], found["within"], found["turns"]) == (1 / 4, 1 / 12, 4 / 8)


def test_features_of_clues() -> None:
    """Four clues on 3 x 4 cells; a turn by half swaps the first and the last."""
    board = codecs.read("castle\nW2v . . B0<\n. . . .\nG . . B?>\n")
    found = taste.clue_features(board)
    assert found["clues"] == 4 / 12
    assert found["beside"] == 0
    assert found["symmetric"] == 1
    assert found["border"] == 1
    assert found["silent"] == 2 / 4
    assert (found["number"], found["0s"], found["2s"]) == (1, 1 / 2, 1 / 2)
    assert (found["white"], found["black"]) == (1 / 4, 2 / 4)
    assert found["across"] == 2 / 3
    beside = codecs.read("slither/3/3/237c22")
    assert taste.clue_features(beside)["beside"] > 0


def test_a_published_board_is_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the collection there are none, and no error."""
    monkeypatch.setattr(taste, "SHARED", tmp_path)
    assert taste.published("castle") == []
