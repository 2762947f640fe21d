"""Hints in three degrees, and the move that made a mistake."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from boards import HERE
from hypothesis import given
from hypothesis import strategies as st
from samples import every_genre
from strategies import positions, puzzles
from typer.testing import CliRunner

from castlecp import bank, codecs, next_step
from castlecp.cli import app
from castlecp.errors import FormatError
from castlecp.genres.castle import CastleWall
from castlecp.grid import Edge, Lattice, Loop
from castlecp.ladder import DEGREES, in_degree
from castlecp.position import Move, Position
from castlecp.solver import solve


def unique(genre: str) -> tuple[str, Any, Loop]:
    """A board of the genre with exactly one solution, where it is, and its solution."""
    path = next((HERE / "boards" / genre).glob("small-*"))
    puzzle = bank.board(str(path))
    (loop,) = solve(puzzle).loops
    return str(path), puzzle, loop


@every_genre
def test_each_degree_says_more(genre: str) -> None:
    """Along the whole way: only places; then the sentence; then what to draw."""
    _, puzzle, loop = unique(genre)
    position = Position(puzzle.lattice)
    for _ in range(200):
        step = next_step(puzzle, position, loop)
        if step is None:
            break
        where, why, do = (in_degree(puzzle, step, degree) for degree in DEGREES)
        assert do == step
        assert why.sentence == step.sentence
        assert why.facts == step.facts
        assert where.sentence.startswith("Look at ")
        assert where.sentence != step.sentence
        assert not where.facts
        assert where.assumed is None
        for less in (where, why):
            assert not less.settles
            assert (less.then, less.chain) == ((), ())
            assert (less.vertices, less.edges, less.faces) == (
                step.vertices,
                step.edges,
                step.faces,
            )
        beyond = {f for f, g, side in step.relations if f and g is None and not side}
        position = Position(
            puzzle.lattice, position.on | set(step.on), outside=position.outside | beyond
        )
    assert puzzle.line_of(position) == loop


@every_genre
def test_degrees_on_the_command_line(genre: str) -> None:
    """Places; the sentence; the sentence and the board with what is to be drawn."""
    source, puzzle, loop = unique(genre)
    step = next_step(puzzle, Position(puzzle.lattice), loop)
    assert step is not None
    told = [CliRunner().invoke(app, ["hint", source, "--degree", d]).stdout for d in DEGREES]
    assert told[0] == f"{step.rung}: {in_degree(puzzle, step, 'where').sentence}\n"
    assert told[1] == f"{step.rung}: {step.sentence}\n"
    assert told[2].startswith(f"{told[1]}\n")
    drawn = codecs.read_position(told[2].split("\n\n", 1)[1], puzzle)
    assert drawn.on == set(step.on)
    assert CliRunner().invoke(app, ["hint", source]).stdout == told[2]
    assert CliRunner().invoke(app, ["hint", source, "--degree", "all"]).exit_code == 2


@every_genre
def test_the_move_that_made_a_mistake(genre: str) -> None:
    """The earliest wrong move that is still there, by number; without moves there is none."""
    source, puzzle, loop = unique(genre)
    lattice = puzzle.lattice
    wrong, again, later = sorted(set(lattice.edges) - loop.edges)[:3]
    cross, right = sorted(loop.edges)[:2]
    moves = [
        Move(on=frozenset({again})),
        Move(on=frozenset({right})),
        Move(blank=frozenset({again})),
        Move(off=frozenset({cross})),
        Move(on=frozenset({wrong, later})),
        Move(on=frozenset({again})),
    ]
    position = Position.after(lattice, moves)
    assert position == Position(
        lattice, frozenset({right, wrong, again, later}), frozenset({cross})
    )
    if not puzzle.SHADES_OUTSIDE:
        step = next_step(puzzle, position, loop)
        assert step is not None
        assert (step.rung, step.move, step.on) == ("mistake", 4, (cross,))
        assert step.sentence.startswith("Move 4 is wrong: ")
        assert "which move 4 drew" in in_degree(puzzle, step, "where").sentence
        text = json.dumps(
            {
                "moves": [
                    {"on": [again]},
                    {"on": [right]},
                    {"blank": [again]},
                    {"off": [cross]},
                    {"on": [later, wrong]},
                    {"on": [again]},
                ]
            }
        )
        told = CliRunner().invoke(app, ["hint", source, "-", "--json"], input=text)
        assert json.loads(told.stdout)["step"]["move"] == 4
        without = next_step(puzzle, replace(position, moves=()), loop)
        assert without is not None
        assert without.move is None
    inside, outside = min(loop.inside), min(set(lattice.faces()) - loop.inside)
    shaded = [Move(outside=frozenset({outside})), Move(outside=frozenset({inside}))]
    step = next_step(puzzle, Position.after(lattice, shaded), loop)
    assert step is not None
    assert (step.move, step.relations) == (2, ((inside, None, True),))


@given(data=st.data())
@every_genre
def test_moves_make_the_position(genre: str, data: st.DataObject) -> None:
    """Whatever is drawn, in two moves, and with something drawn and taken away in between."""
    puzzle = data.draw(puzzles(genre, 4))
    one, other = data.draw(positions(puzzle)), data.draw(positions(puzzle))
    keys = ("on", "off", "inside", "outside")
    first, last = (Move(*(getattr(x, key) for key in keys)) for x in (other, one))
    gone = frozenset(thing for thing, _ in first.marks)
    moves = (first, Move(blank=gone), last)
    position = Position.after(puzzle.lattice, moves)
    assert position == one
    for mark in last.marks:
        assert position.made(mark) == 3
    text = json.dumps(
        {"moves": [{key: sorted(getattr(move, key)) for key in (*keys, "blank")} for move in moves]}
    )
    read = codecs.read_position(text, puzzle)
    assert (read, read.moves) == (position, moves)


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ([{"on": [[0, 0, 5, 5]]}], "`moves[0].on[0]` is no edge"),
        ([{}, {"blank": [[0, 0]], "off": []}, {"blank": [[9, 9]]}], "`moves[2].blank[0]` is no"),
        ([{"blank": [[0, 0], [1]]}], "`moves[0].blank[1]` is neither an edge nor a face"),
        ([{"on": [[0, 0, 0, 1]], "off": [[0, 1, 0, 0]]}], "`moves[0]` draws [0, 0, 0, 1] in two"),
        ([{"in": []}], "moves[0]"),
    ],
)
def test_bad_moves(moves: Any, words: str) -> None:
    """One sentence with the place."""
    with pytest.raises(FormatError) as error:
        codecs.read_position(json.dumps({"moves": moves}), CastleWall(3, 3))
    assert words in str(error.value)


def test_moves_and_what_they_drew() -> None:
    """Not both."""
    with pytest.raises(FormatError, match="not both"):
        codecs.read_position('{"moves": [], "on": []}', CastleWall(3, 3))


def test_a_position_does_not_depend_on_its_moves() -> None:
    """Equal when the same is drawn."""
    lattice = Lattice(2, 2)
    edge = frozenset({Edge(0, 0, 0, 1)})
    assert Position.after(lattice, [Move(on=edge)]) == Position(lattice, edge)
