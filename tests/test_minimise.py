"""Minimising: the loop stays the only one, nothing more can go, and smallest means smallest."""

from __future__ import annotations

from itertools import combinations
from random import Random

import brute
import pytest
import samples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import every_genre
from typer.testing import CliRunner

from castlecp.budget import Budget, Progress
from castlecp.cli import app
from castlecp.errors import CastlecpError
from castlecp.generate.dials import Dials, forms, rank, weaker
from castlecp.generate.loops import grow, tilted
from castlecp.generate.minimise import Method, minimise, spare, weight
from castlecp.generate.rivals import Rivals, bits
from castlecp.genres import Puzzle
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import Lattice, Loop
from castlecp.solver import solve
from castlecp.verdict import Status

METHODS = ("greedy", "core", "smallest")


def full_board(
    rows: int, cols: int, seed: int, most: int | None = None, genre: str = "castle"
) -> Puzzle:
    """A unique board on `rows` x `cols` vertices with a clue in every cell where one can be.

    Or in `most` of them.
    """
    blank = samples.blank(genre, rows, cols)
    for k in range(1000):
        random = Random(f"{seed} {k}")
        loop = (grow if k % 2 else tilted)(Lattice(rows, cols), random)
        told = truths(blank, loop)
        clues = [random.choice(clues) for clues in told if clues]
        if most is not None:
            clues = random.sample(clues, min(most, len(clues)))
        puzzle = replace(blank, clues=tuple(clues))
        if solve(puzzle).status is Status.UNIQUE:
            return puzzle
    raise AssertionError("no unique board")


def truths(blank: Puzzle, loop: Loop) -> list[list]:
    """What each cell can truly say of a loop."""
    cells = ((r, c) for r in range(blank.rows) for c in range(blank.cols))
    return [list(blank.true_clues(loop, cell)) for cell in cells]


seeds = st.integers(0, 10**6)
dials = pytest.mark.parametrize("dial", ["chain", "fork"])


def test_forms() -> None:
    """The fork has every weaker form, the chain those that say all that the next one says."""
    clue = CastleClue(1, 2, "white", "up", 1)
    arrow, colour = CastleClue(1, 2, "grey", "up", 1), CastleClue(1, 2, "white")
    wall = CastleClue(1, 2, "grey")
    assert forms(clue, "fork") == [clue, arrow, colour, wall]
    assert forms(clue, "chain") == [clue, colour, wall]
    assert forms(arrow, "chain") == forms(arrow, "fork") == [arrow, wall]
    assert forms(clue, "whole") == [clue]
    assert weaker(wall) == []
    assert [rank(x) for x in (wall, colour, arrow, clue)] == [1, 2, 2, 3]


@every_genre
@given(rows=st.integers(3, 4), cols=st.integers(3, 5), seed=seeds, data=st.data())
@settings(max_examples=30)
def test_rivals(genre: str, rows: int, cols: int, seed: int, data: st.DataObject) -> None:
    """A set of clues has a rival exactly when another loop obeys it, which then does."""
    random = Random(seed)
    loop = grow(Lattice(rows, cols), random)
    blank = samples.blank(genre, rows, cols)
    told = truths(blank, loop)
    clues = [random.choice((clue, *weaker(clue))) for group in told for clue in group]
    clues = list(dict.fromkeys(clues))
    others = [other for other in brute.loops(rows, cols) if other != loop.edges]
    with Rivals(blank, loop, clues) as rivals:
        for _ in range(3):
            chosen = data.draw(st.integers(0, (1 << len(clues)) - 1))

            def obey(other: frozenset, k: int) -> bool:
                return brute.obeys(replace(blank, clues=(clues[k],)), other)

            expected = any(all(obey(other, k) for k in bits(chosen)) for other in others)
            violated = rivals.find(chosen, Budget())
            assert (violated is not None) == expected
            if violated is not None:
                assert not violated & chosen
            if violated is not None and rivals.last is not None:
                breaks = [k for k in range(len(clues)) if not obey(rivals.last.edges, k)]
                assert sum(1 << k for k in breaks) == rivals.known[-1]


@dials
@pytest.mark.parametrize("method", METHODS)
@every_genre
@given(rows=st.integers(3, 5), cols=st.integers(4, 6), seed=seeds)
@settings(max_examples=6)
def test_fixed_point(
    genre: str, dial: str, method: Method, rows: int, cols: int, seed: int
) -> None:
    """Unique with the same loop; and with any clue gone or in a weaker form it is not unique."""
    puzzle = full_board(rows, cols, seed, genre=genre)
    made = minimise(puzzle, method, dial, seed=seed)
    assert made.settled
    assert solve(made.puzzle).loops == solve(puzzle).loops
    assert solve(made.puzzle).status is Status.UNIQUE
    standing = {(clue.row, clue.col): clue for clue in puzzle.clues}
    for clue in made.puzzle.clues:
        assert clue in forms(standing[clue.row, clue.col], dial)
        others = [other for other in made.puzzle.clues if other != clue]
        for form in forms(standing[clue.row, clue.col], dial):
            if form in weaker(clue):
                less = replace(puzzle, clues=(*others, form))
                assert solve(less).status is Status.MULTIPLE
        assert solve(replace(puzzle, clues=tuple(others))).status is Status.MULTIPLE
    assert minimise(puzzle, method, dial, seed=seed) == made


@every_genre
@pytest.mark.parametrize("seed", range(6))
def test_smallest_against_all_subsets(genre: str, seed: int) -> None:
    """No smaller set of clues is unique, by trying each against all loops."""
    rows, cols = ((3, 5), (4, 4), (5, 3))[seed % 3]
    puzzle = full_board(rows, cols, seed, most=9, genre=genre)
    made = minimise(puzzle, "smallest")
    assert made.lower == made.upper == len(made.puzzle.clues)
    assert len(brute.solutions(made.puzzle)) == 1
    for fewer in combinations(puzzle.clues, made.upper - 1):
        assert len(brute.solutions(replace(puzzle, clues=fewer))) > 1


@every_genre
@pytest.mark.parametrize("seed", range(4))
def test_smallest_by_pieces(genre: str, seed: int) -> None:
    """No choice of forms that weighs less is unique, by trying each against all loops."""
    puzzle = full_board(3, 4, seed, most=4, genre=genre)
    made = minimise(puzzle, "smallest", "fork", weigh="pieces")
    assert made.lower == made.upper == weight(made.puzzle, "pieces")
    choices = [()]
    for clue in puzzle.clues:
        choices = [
            (*chosen, *form)
            for chosen in choices
            for form in ((), *((form,) for form in forms(clue, "fork")))
        ]
    boards = [replace(puzzle, clues=chosen) for chosen in choices]
    least = min(weight(board, "pieces") for board in boards if len(brute.solutions(board)) == 1)
    assert made.upper == least


def test_smallest_says_how_far_it_came() -> None:
    """With the budget spent the bounds hold and the board is still unique."""
    puzzle = full_board(9, 10, 1)
    known = minimise(puzzle, "smallest")
    assert known.settled
    gaps = 0
    for steps in range(0, 400, 20):
        made = minimise(puzzle, "smallest", budget=Budget(steps=steps + 40))
        assert made.lower <= known.upper <= made.upper == len(made.puzzle.clues)
        assert solve(made.puzzle).status is Status.UNIQUE
        gaps += made.lower < made.upper and not made.settled
    assert gaps


def test_watch_is_told_the_bounds() -> None:
    """They close in."""
    told: list[tuple[int, int]] = []

    def watch(far: Progress) -> None:
        if far.lower is not None and far.upper is not None:
            told.append((far.lower, far.upper))

    made = minimise(full_board(8, 7, 3), "smallest", budget=Budget(watch=watch))
    lows, highs = zip(*told, strict=True)
    assert list(lows) == sorted(lows)
    assert list(highs) == sorted(highs, reverse=True)
    assert told[-1] == (made.lower, made.upper)


@every_genre
@pytest.mark.parametrize("seed", range(3))
def test_spare(genre: str, seed: int) -> None:
    """What is named can be turned down alone, to that form and no weaker one; the rest cannot."""
    puzzle = full_board(5, 6, seed, genre=genre)
    found = dict(spare(puzzle))
    for clue in puzzle.clues:
        others = tuple(other for other in puzzle.clues if other != clue)
        works = [None] if solve(replace(puzzle, clues=others)).status is Status.UNIQUE else []
        works += [
            form
            for form in reversed(weaker(clue))
            if solve(replace(puzzle, clues=(*others, form))).status is Status.UNIQUE
        ]
        assert found.get(clue, "needed") == (works[0] if works else "needed")


def test_only_unique_boards() -> None:
    """A board with several solutions or none cannot be minimised."""
    with pytest.raises(CastlecpError, match="multiple"):
        minimise(CastleWall(4, 5))
    with pytest.raises(CastlecpError, match="none"):
        spare(CastleWall(1, 5))


def test_dials_at_history() -> None:
    """Turning and refusing: the dials stand where the last change that was made left them."""
    puzzle = full_board(4, 6, 2)
    loop = solve(puzzle).loops[0]
    with Dials(puzzle, loop, puzzle.clues) as dials:
        everything = {i: len(group) for i, group in enumerate(dials.forms)}
        assert not dials.turn(everything, Budget())
        assert dials.puzzle() == puzzle
        changed = next(i for i in everything if dials.turn({i: everything[i]}, Budget()))
        assert len(dials.puzzle().clues) == len(puzzle.clues) - 1
        assert dials.forms[changed][0] not in dials.puzzle().clues


@every_genre
@pytest.mark.parametrize("method", METHODS)
def test_whole_clues(genre: str, method: Method) -> None:
    """What is left is as it was, the loop is the only one, and no clue can be taken away."""
    puzzle = full_board(4, 5, 3, genre=genre)
    made = minimise(puzzle, method, "whole").puzzle
    assert set(made.clues) < set(puzzle.clues)
    assert brute.solutions(made) == brute.solutions(puzzle)
    for clue in made.clues:
        fewer = replace(made, clues=tuple(x for x in made.clues if x != clue))
        assert len(brute.solutions(fewer)) > 1


def test_whole_as_an_option() -> None:
    """Where the chain leaves a wall without its number, or its colour, a whole clue stands."""
    source = "castle/7/5/222244p220220231d231231231241211b240210211"
    for option in (["--whole"], ["--dial", "whole"]):
        result = CliRunner().invoke(app, ["minimise", source, *option])
        assert result.exit_code == 0, result.output
        changed = [line for line in result.stdout.split("\n") if "->" in line and "row" in line]
        assert changed
        assert all(line.endswith("-> gone") for line in changed)
    chain = CliRunner().invoke(app, ["minimise", source]).stdout
    assert any("row" in x and "->" in x and "gone" not in x for x in chain.split("\n"))
