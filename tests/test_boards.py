"""The boards we ship as examples: each has the verdict that its name promises, by every engine."""

from __future__ import annotations

from pathlib import Path

import pytest
import samples
from boards import HERE
from samples import every_genre

from castlecp import codecs, methods
from castlecp.checker import check
from castlecp.methods import solve
from castlecp.verdict import Status

BOARDS = sorted((HERE / "boards").glob("*/*"))
STATUS = {"ambiguous": Status.MULTIPLE, "contradiction": Status.NONE}


def promised(path: Path) -> Status:
    """The status that a name promises: unique unless said otherwise."""
    no_loop = path.name == samples.of(path.parent.name).NO_LOOP
    return STATUS.get(path.name.split("-")[0], Status.NONE if no_loop else Status.UNIQUE)


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_verdict(path: Path) -> None:
    """The status of the name, right solutions, the genre of the folder, and no remarks."""
    puzzle = codecs.read_source(str(path))
    assert type(puzzle) is samples.kind_of(path.parent.name)
    assert list(puzzle.remarks()) == []
    for name in methods.names():
        verdict = solve(puzzle, name)
        assert verdict.status is promised(path)
        assert all(check(puzzle, loop) == [] for loop in verdict.loops)


@every_genre
def test_there_are_boards_of_every_kind(genre: str) -> None:
    """One of each verdict, not all square, in every format."""
    paths = [path for path in BOARDS if path.parent.name == genre]
    puzzles = [codecs.read_source(str(path)) for path in paths]
    assert {promised(path) for path in paths} == {Status.UNIQUE, *STATUS.values()}
    assert any(puzzle.rows != puzzle.cols for puzzle in puzzles)
    assert any(min(puzzle.rows, puzzle.cols) == 1 for puzzle in puzzles)
    assert any(min(puzzle.rows, puzzle.cols) > 12 for puzzle in puzzles)
    assert {path.suffix for path in paths} == {".json", ".pzprv3", ".txt", ".url"}


@pytest.mark.parametrize(
    "path",
    [path for path in BOARDS if path.suffix == ".pzprv3"],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_the_shipped_answers(path: Path) -> None:
    """The pzprv3 files hold the only solution of their board, and are written as they are."""
    text = path.read_text().rstrip("\n")
    puzzle = codecs.read(text)
    (answer,) = solve(puzzle).loops
    assert codecs.read_answer(text, puzzle) == answer
    assert codecs.write_answer(puzzle, answer, "pzprv3") == text
    also = path.with_suffix(".json")
    assert not also.exists() or codecs.read_source(str(also)) == puzzle


def test_statements_are_needed() -> None:
    """The board with statements has several solutions without them."""
    puzzle = codecs.read_source(str(HERE / "boards" / "slither" / "statements-6x7.json"))
    assert solve(type(puzzle)(puzzle.rows, puzzle.cols, puzzle.clues)).status is Status.MULTIPLE
