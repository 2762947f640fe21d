"""Mending: the fewest changes, each set of them proved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, count, islice
from pathlib import Path
from random import Random
from typing import Any

import brute
import pytest
import samples
from boards import board_around, random_board
from msgspec.structs import replace
from samples import every_genre
from typer.testing import CliRunner

from castlecp import codecs
from castlecp.cli import app
from castlecp.errors import CastlecpError, OutOfBudget, Unfit
from castlecp.generate import mend as library
from castlecp.generate.dials import weaker
from castlecp.generate.mend import apply, mend
from castlecp.genres import Puzzle
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import Lattice, Loop
from castlecp.solver import solve
from castlecp.verdict import Status


def random_drafts(genre: str, rows: int, cols: int, kind: Status) -> Iterator[Puzzle]:
    """Boards of clues with several solutions, or none, on `rows` x `cols` vertices."""
    for k in count():
        random = Random(k)
        if kind is Status.MULTIPLE:
            puzzle = board_around(genre, random, rows, cols, 0.25)
        else:
            puzzle = random_board(genre, random, rows, cols, 0.35)
        puzzle = type(puzzle)(puzzle.rows, puzzle.cols, puzzle.clues)
        if puzzle.clues and solve(puzzle).status is kind:
            yield puzzle


@cache
def drafts(genre: str, rows: int, cols: int, kind: Status) -> list[Puzzle]:
    """Six of them."""
    return list(islice(random_drafts(genre, rows, cols, kind), 6))


def one_change_more(puzzle: Puzzle, loop: frozenset) -> list[Puzzle]:
    """Every board with one clue that is true of a loop and says more than the draft."""
    standing = {(clue.row, clue.col): clue for clue in puzzle.clues}
    line = Loop(puzzle.lattice, loop)
    out = []
    for cell in ((r, c) for r in range(puzzle.rows) for c in range(puzzle.cols)):
        for full in puzzle.true_clues(line, cell):
            for form in (full, *weaker(full)):
                before = standing.get(cell)
                if before is None or before in weaker(form):
                    others = tuple(clue for clue in puzzle.clues if clue != before)
                    out.append(replace(puzzle, clues=(*others, form)))
    return out


@every_genre
@pytest.mark.parametrize("k", range(6))
def test_more(genre: str, k: int) -> None:
    """Each way leaves the loop that is meant alone, and one change less does not for any loop."""
    puzzle = drafts(genre, 4, 5, Status.MULTIPLE)[k]
    try:
        found = mend(puzzle, most=4)
    except CastlecpError:
        assert all(
            len(brute.solutions(board)) > 1
            for loop in brute.solutions(puzzle)
            for board in one_change_more(puzzle, loop)
        )
        return
    assert found.kind == "more"
    assert found.changes
    for changes in found.changes:
        assert len(changes) == len(found.changes[0])
        assert brute.solutions(apply(puzzle, changes)) == {found.loop.edges}
    if len(found.changes[0]) > 1 and found.all_tried:
        for loop in brute.solutions(puzzle):
            boards = one_change_more(puzzle, loop)
            assert all(len(brute.solutions(board)) > 1 for board in boards)


@every_genre
def test_the_answer_that_is_meant(genre: str) -> None:
    """With an answer given the ways lead to it, where any clues do."""
    led = 0
    for puzzle in drafts(genre, 4, 5, Status.MULTIPLE):
        for loop in sorted(brute.solutions(puzzle), key=sorted)[:4]:
            answer = Loop(puzzle.lattice, loop)
            try:
                found = mend(puzzle, answer, most=2)
            except CastlecpError:
                continue
            led += 1
            for changes in found.changes:
                assert brute.solutions(apply(puzzle, changes)) == {loop}
    assert led >= 3


@every_genre
@pytest.mark.parametrize("k", range(6))
def test_fewer(genre: str, k: int) -> None:
    """Each way leaves a solution, and dropping one clue less does not."""
    puzzle = drafts(genre, 3, 5, Status.NONE)[k]
    found = mend(puzzle, most=4)
    assert found.kind == "fewer"
    for changes in found.changes:
        assert brute.solutions(apply(puzzle, changes))
    for kept in combinations(puzzle.clues, len(puzzle.clues) - len(found.changes[0]) + 1):
        assert not brute.solutions(replace(puzzle, clues=kept))


@every_genre
def test_nothing_to_mend(genre: str) -> None:
    """A unique board."""
    assert mend(samples.blank(genre, 2, 2)).kind == "unique"


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


@pytest.mark.parametrize("idle", [{"number": 3}, {"arrow": "right"}], ids=["number", "arrow"])
def test_what_says_nothing_changes_nothing(idle: dict[str, Any]) -> None:
    """Numbers without an arrow, and arrows without a number: the same ways, for any answer."""
    ways = 0
    for puzzle in drafts("castle", 4, 5, Status.MULTIPLE):
        bare = replace(
            puzzle, clues=tuple(replace(clue, arrow=None, number=None) for clue in puzzle.clues)
        )
        loud = replace(bare, clues=tuple(replace(clue, **idle) for clue in bare.clues))
        for edges in sorted(brute.solutions(bare), key=sorted)[:3]:
            answer = Loop(puzzle.lattice, edges)
            try:
                wanted = mend(bare, answer, most=1)
            except Unfit:
                continue
            found = mend(loud, answer, most=1)
            assert len(found.changes[0]) == len(wanted.changes[0])
            assert brute.solutions(apply(loud, found.changes[0])) == {edges}
            ways += any(change.before is not None for change in found.changes[0])
    assert ways >= 2


def test_a_number_without_arrow_is_remarked(tmp_path: Path) -> None:
    """A loop that the solver takes is an answer; the number is told on standard error."""
    loud = CastleWall(4, 4, (CastleClue(0, 0, "black", None, 3),))
    draft, answer = tmp_path / "draft.json", tmp_path / "answer.json"
    draft.write_text(codecs.write(loud, "json"))
    loop = Loop.around(loud.lattice, [(1, 1)])
    answer.write_text(codecs.write_answer(loud, loop, "json"))
    run = CliRunner().invoke(app, ["mend", str(draft), "--answer", str(answer)])
    assert (run.exit_code, run.stderr.count("has no arrow and says nothing")) == (0, 1), run.output


def no_time(*_: object) -> None:
    """The search for the fewest, when the budget is spent."""
    raise OutOfBudget("the time is spent")


@every_genre
def test_enough_when_the_budget_ends(genre: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes that leave exactly one solution, none of which can be spared, and a bound."""
    told = 0
    for puzzle in drafts(genre, 4, 5, Status.MULTIPLE):
        if not puzzle.clues:
            continue
        try:
            fewest = mend(puzzle, most=1)
        except CastlecpError:
            continue
        with monkeypatch.context() as patch:
            patch.setattr(library, "_more", no_time)
            try:
                found = mend(puzzle)
            except OutOfBudget:  # one clue a cell, by all that it can say, may not be enough
                continue
        told += 1
        (changes,) = found.changes
        assert brute.solutions(apply(puzzle, changes)) == {found.loop.edges}
        for k in range(len(changes)):
            fewer = changes[:k] + changes[k + 1 :]
            assert len(brute.solutions(apply(puzzle, fewer))) > 1
        assert found.least == 1 <= len(fewest.changes[0]) <= len(changes)
        assert fewest.least == len(fewest.changes[0])
    assert told >= 2


@every_genre
def test_a_draft_without_clues_asks_for_an_answer(genre: str) -> None:
    """No clue says what is meant."""
    with pytest.raises(Unfit, match="give an answer"):
        mend(samples.blank(genre, 4, 5))


@pytest.mark.parametrize("way", [1, 2])
def test_a_way_is_applied(way: int, tmp_path: Path) -> None:
    """What is written is the board of that way, and its address is shown."""
    source, file = "slither/2/2/i3", tmp_path / "mended.json"
    result = CliRunner().invoke(app, ["mend", source, "--apply", str(way), "-o", str(file)])
    assert result.exit_code == 0, result.output
    found = mend(codecs.read(source))
    boards = [apply(codecs.read(source), changes) for changes in found.changes]
    assert codecs.read(file.read_text()) == codecs.read(codecs.write(boards[way - 1], "json"))
    shown = [codecs.read(line.strip()) for line in result.stdout.split("\n") if "slither/" in line]
    assert list(map(brute.solutions, shown)) == list(map(brute.solutions, boards))
    beyond = CliRunner().invoke(app, ["mend", source, "--apply", "99"])
    assert (beyond.exit_code, "there is no way 99" in beyond.stderr) == (2, True)
