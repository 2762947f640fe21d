"""The boards we ship as examples: each has the verdict that its name promises, by every engine."""

from __future__ import annotations

import pytest
from boards import HERE

from castlecp import codecs, engines
from castlecp.checker import check
from castlecp.solver import Status, solve

STATUS = {
    "ambiguous-6x6.txt": Status.MULTIPLE,
    "contradiction-6x6.txt": Status.NONE,
    "row-1x5.url": Status.NONE,
}
BOARDS = sorted((HERE / "boards" / "castle").iterdir())


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.name)
def test_verdict(path) -> None:
    """Unique unless said otherwise; solutions are right and remarks are none."""
    puzzle = codecs.read_source(str(path))
    assert list(puzzle.remarks()) == []
    for name in engines.names():
        verdict = solve(puzzle, name)
        assert verdict.status is STATUS.get(path.name, Status.UNIQUE)
        assert all(check(puzzle, loop) == [] for loop in verdict.loops)


def test_the_shipped_answer() -> None:
    """The pzprv3 file holds the only solution of its board."""
    folder = HERE / "boards" / "castle"
    puzzle = codecs.read_source(str(folder / "first-10x10.json"))
    answer = codecs.read_answer_source(str(folder / "first-10x10.pzprv3"), puzzle)
    assert solve(puzzle).loops == (answer,)
