"""What a model says of a puzzle: each clue for itself, and rules whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import NAMES
from strategies import puzzles

from castlecp.clues import NumberClue
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Lattice, Loop
from castlecp.model import Model
from castlecp.registry import Registry
from castlecp.session import Session, conflicting_clues
from castlecp.solver import solve
from castlecp.verdict import Status


def said(model: Model, puzzle: Puzzle) -> dict[object, tuple[object, ...]]:
    """The facts and counts by who says them."""
    model.withdraw()
    model.post(puzzle)
    speakers = {one.clue for one in (*model.facts, *model.counts)}
    return {
        who: (
            [fact for fact in model.facts if fact.clue == who],
            [count for count in model.counts if count.clue == who],
        )
        for who in speakers
    }


@given(st.sampled_from(NAMES).flatmap(lambda genre: puzzles(genre, 5)))
def test_each_clue_speaks_for_itself(puzzle: Puzzle) -> None:
    """And demands do without clues: a session tells a solver of each once."""
    model = Model(puzzle.lattice)
    whole = said(model, puzzle)
    parts = said(model, replace(puzzle, clues=()))
    for clue in puzzle.clues:
        alone = said(model, replace(puzzle, clues=(clue,)))
        parts |= {who: facts for who, facts in alone.items() if who == clue}
    assert parts == whole
    assert whole.keys() <= {None, *puzzle.clues, *puzzle.demands()}


class Number(NumberClue, frozen=True):
    """How many edges of the board's region are on the loop."""

    MOST: ClassVar = 9


class Trial(Puzzle, frozen=True, tag="trial"):
    """A genre whose clues are about a region of the board, and with a rule that nobody says."""

    clues: tuple[Number, ...] = ()
    region: tuple[tuple[int, int, int, int], ...] = ()

    TITLE: ClassVar = "Trial"
    CELLS: ClassVar = "vertices"
    CLUES_STAND: ClassVar = "anywhere"
    RULES: ClassVar = ()

    @property
    def lattice(self) -> Lattice:
        return Lattice(self.rows, self.cols)

    @classmethod
    def true_clues(cls, loop: Loop, cell: tuple[int, int]) -> Sequence[Number]:
        return ()


def post(puzzle: Trial, model: Model) -> None:
    """The loop does not pass the last corner, and numbers count edges of the region."""
    edge = Edge(puzzle.rows - 2, puzzle.cols - 1, puzzle.rows - 1, puzzle.cols - 1)
    model.require(-model.edge(edge))
    region = [model.edge(Edge(*edge)) for edge in puzzle.region]
    for clue in puzzle.clues:
        assert isinstance(clue.number, int)
        model.exactly(clue.number, region, clue=clue)


@pytest.fixture(autouse=True)
def trial(monkeypatch: pytest.MonkeyPatch, request: Any) -> None:
    """The models, with that of the trial besides."""
    from castlecp import model

    known = {name: model.MODELS[name] for name in model.MODELS}
    table = {**known, "trial": SimpleNamespace(post=post)}
    monkeypatch.setattr(model, "MODELS", Registry.table("model", table))


#: All edges above and below the upper left cell, and those around the upper right one.
ABOVE, BESIDE = ((0, 0, 0, 1), (1, 0, 1, 1)), ((0, 1, 0, 2), (0, 2, 1, 2))


def test_a_session_takes_the_board_of_each_puzzle() -> None:
    """The same clue says another thing where the board has another region."""
    boards = [
        Trial(2, 3, (Number(0, 0, 2),), region=ABOVE),
        Trial(2, 3, (Number(0, 0, 2),), region=BESIDE),
        Trial(3, 3, (Number(0, 0, 2),), region=ABOVE),
        Trial(3, 3, (Number(0, 0, 2),), region=BESIDE),
    ]
    for pair in (boards[:2], boards[2:]):
        with Session(pair[0].lattice) as session:
            for board in (*pair, *pair):
                assert session.status(board) is solve(board).status
    assert solve(boards[0]).status is Status.UNIQUE
    assert solve(boards[1]).status is Status.NONE


def test_rules_that_nobody_says_hold_in_a_session() -> None:
    """And contradict clues without being named."""
    board = Trial(2, 3)
    with Session(board.lattice) as session:
        session.status(board)
        assert session.status(board) is solve(board).status is Status.UNIQUE
    clue = Number(0, 0, 2)
    assert conflicting_clues(Trial(2, 3, (clue,), region=BESIDE)) == (clue,)
