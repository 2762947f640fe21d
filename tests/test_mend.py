"""Mending: the fewest changes, each set of them proved."""

from __future__ import annotations

from itertools import combinations
from random import Random

import brute
import pytest
from boards import castle_around, random_castle
from msgspec.structs import replace

from castlecp.errors import CastlecpError
from castlecp.generate.dials import weaker
from castlecp.generate.mend import apply, mend
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import Lattice, Loop
from castlecp.solver import Status, solve


def obeying(puzzle: CastleWall) -> list[frozenset]:
    """The loops that obey the clues."""
    return [loop for loop in brute.loops(puzzle.rows, puzzle.cols) if brute.obeys(puzzle, loop)]


def drafts(rows: int, cols: int, kind: Status) -> list[CastleWall]:
    """Boards with several solutions, or none."""
    found = []
    for k in range(400):
        random = Random(k)
        if kind is Status.MULTIPLE:
            puzzle = castle_around(random, rows, cols, 0.25)
        else:
            puzzle = random_castle(random, rows, cols, 0.35)
        if solve(puzzle).status is kind and len(found) < 6:
            found.append(puzzle)
    return found


def one_change_more(puzzle: CastleWall, loop: frozenset) -> list[CastleWall]:
    """Every board with one clue that is true of a loop and says more than the draft."""
    standing = {(clue.row, clue.col): clue for clue in puzzle.clues}
    line = Loop(Lattice(puzzle.rows, puzzle.cols), loop)
    out = []
    for cell in line.lattice.vertices():
        for full in CastleWall.true_clues(line, cell):
            for form in (full, *weaker(full)):
                before = standing.get(cell)
                if before is None or before in weaker(form):
                    others = tuple(clue for clue in puzzle.clues if clue != before)
                    out.append(replace(puzzle, clues=(*others, form)))
    return out


@pytest.mark.parametrize("puzzle", drafts(4, 5, Status.MULTIPLE))
def test_more(puzzle: CastleWall) -> None:
    """Each way leaves the loop that is meant alone, and one change less does not for any loop."""
    try:
        found = mend(puzzle, most=4)
    except CastlecpError:
        assert all(
            len(obeying(board)) > 1
            for loop in obeying(puzzle)
            for board in one_change_more(puzzle, loop)
        )
        return
    assert found.kind == "more"
    assert found.changes
    for changes in found.changes:
        assert len(changes) == len(found.changes[0])
        assert obeying(apply(puzzle, changes)) == [found.loop.edges]
    if len(found.changes[0]) > 1 and found.all_tried:
        for loop in obeying(puzzle):
            assert all(len(obeying(board)) > 1 for board in one_change_more(puzzle, loop))


@pytest.mark.parametrize("puzzle", drafts(4, 5, Status.MULTIPLE)[:3])
def test_the_answer_that_is_meant(puzzle: CastleWall) -> None:
    """With an answer given the ways lead to it, where any clues do."""
    led = 0
    for loop in obeying(puzzle)[:6]:
        answer = Loop(puzzle.lattice, loop)
        try:
            found = mend(puzzle, answer, most=2)
        except CastlecpError:
            continue
        led += 1
        for changes in found.changes:
            assert obeying(apply(puzzle, changes)) == [loop]
    assert led


@pytest.mark.parametrize("puzzle", drafts(3, 5, Status.NONE))
def test_fewer(puzzle: CastleWall) -> None:
    """Each way leaves a solution, and dropping one clue less does not."""
    found = mend(puzzle, most=4)
    assert found.kind == "fewer"
    for changes in found.changes:
        assert obeying(apply(puzzle, changes))
    for kept in combinations(puzzle.clues, len(puzzle.clues) - len(found.changes[0]) + 1):
        assert not obeying(replace(puzzle, clues=kept))


def test_nothing_to_mend() -> None:
    """A unique board."""
    assert mend(CastleWall(2, 2)).kind == "unique"


def test_impossible() -> None:
    """A size without loops, a wrong answer, and an answer that no clues can tell."""
    with pytest.raises(CastlecpError, match="no loop"):
        mend(CastleWall(1, 5, (CastleClue(0, 0, "grey"),)))
    around = Loop.around(Lattice(3, 3), [(0, 0)])
    with pytest.raises(CastlecpError, match="no solution of the board"):
        mend(CastleWall(3, 3, (CastleClue(0, 0, "grey"),)), around)
    every = Loop.around(Lattice(3, 4), [(0, 0), (0, 1), (1, 1), (0, 2)])
    with pytest.raises(CastlecpError, match="no clues tell"):
        mend(CastleWall(3, 4), every)
