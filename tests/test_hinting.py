"""Hints and judgements of what a player has drawn, crosses and marked faces included."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import brute
import pytest
import samples
from boards import HERE
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import every_genre
from strategies import positions, puzzles
from typer.testing import CliRunner

from castlecp import bank, check_so_far, codecs, next_step, wire
from castlecp.cli import app
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.genres.cave import Cave, CaveClue
from castlecp.genres.slither import SlitherClue, Slitherlink
from castlecp.grid import Edge, Loop
from castlecp.position import Position
from castlecp.solver import solve

CASTLE = HERE / "boards" / "castle" / "small-6x6.json"


def unique(genre: str) -> tuple[Any, Loop]:
    """A board of the genre with exactly one solution, and that."""
    path = next((HERE / "boards" / genre).glob("small-*"))
    puzzle = bank.board(str(path))
    (loop,) = solve(puzzle).loops
    return puzzle, loop


@every_genre
def test_hints_of_one_who_marks_everything(genre: str) -> None:
    """They say nothing twice and nothing false, and end with the solution."""
    puzzle, loop = unique(genre)
    lattice = puzzle.lattice
    outside = frozenset(lattice.faces()) - loop.inside
    position = Position(
        lattice,
        off=frozenset({min(set(lattice.edges) - loop.edges)}),
        inside=frozenset({min(loop.inside)}),
        outside=frozenset({min(outside)}) if outside else frozenset(),
    )
    for _ in range(2 * len(lattice.edges)):
        step = next_step(puzzle, position, loop)
        if step is None:
            break
        on, off = set(step.on), set(step.off)
        sides = [(f, side) for f, g, side in step.relations if f and g is None]
        inside = {f for f, side in sides if side}
        beyond = {f for f, side in sides if not side}
        assert step.rung != "mistake"
        assert on <= loop.edges
        assert off.isdisjoint(loop.edges)
        assert inside <= loop.inside
        assert beyond.isdisjoint(loop.inside)
        assert not (on & position.on)
        assert not (off & position.off)
        assert not (inside & position.inside)
        assert not (beyond & position.outside)
        drawn = (position.on | on, position.off | off)
        if puzzle.SHADES_OUTSIDE:
            drawn = (position.on, position.off)
        after = Position(lattice, *drawn, position.inside | inside, position.outside | beyond)
        assert after != position
        position = after
    assert puzzle.line_of(position) == loop


@every_genre
@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_mark_is_a_mistake(genre: str, seed: int) -> None:
    """Of an edge, a cross, and faces on either side; the hint says what is true."""
    puzzle, loop = unique(genre)
    lattice, random = puzzle.lattice, Random(seed)
    outside = sorted(set(lattice.faces()) - loop.inside)
    wrong_edge = random.choice(sorted(set(lattice.edges) - loop.edges))
    wrong_cross = random.choice(sorted(loop.edges))
    wrong_inside, wrong_outside = random.choice(outside), random.choice(sorted(loop.inside))
    step = next_step(puzzle, Position(lattice, off=frozenset({wrong_cross})), loop)
    assert step is not None
    assert (step.rung, step.on, step.off) == ("mistake", (wrong_cross,), ())
    assert step.sentence.endswith("is on the loop.")
    step = next_step(puzzle, Position(lattice, on=frozenset({wrong_edge})), loop)
    assert step is not None
    assert (step.rung, step.on, step.off) == ("mistake", (), (wrong_edge,))
    step = next_step(puzzle, Position(lattice, inside=frozenset({wrong_inside})), loop)
    assert step is not None
    assert (step.rung, step.relations) == ("mistake", ((wrong_inside, None, False),))
    step = next_step(puzzle, Position(lattice, outside=frozenset({wrong_outside})), loop)
    assert step is not None
    assert (step.rung, step.relations) == ("mistake", ((wrong_outside, None, True),))
    read = wire.decode(wire.encode(wire.Hint(step=wire.Step.of(step))))
    assert read == wire.Hint(step=wire.Step.of(step))


def test_a_cross_is_known_and_not_said_again() -> None:
    """The first hint for one who crosses is a cross; once that is drawn, another comes."""
    puzzle, loop = unique("castle")
    some = min(set(puzzle.lattice.edges) - loop.edges)
    first = next_step(puzzle, Position(puzzle.lattice, off=frozenset({some})), loop)
    assert first is not None
    assert first.off
    assert some not in first.off
    drawn = Position(puzzle.lattice, frozenset(first.on), frozenset({some, *first.off}))
    second = next_step(puzzle, drawn, loop)
    assert second is not None
    assert set(first.off).isdisjoint(second.off)


@every_genre
@given(data=st.data())
def test_what_is_wrong_so_far_cannot_be_mended(genre: str, data: st.DataObject) -> None:
    """No loop of all there are obeys the rules and has what is drawn."""
    puzzle = data.draw(puzzles(genre, 3))
    puzzle = replace(puzzle, clues=puzzle.clues[:3])
    position = data.draw(positions(puzzle))
    faults = check_so_far(puzzle, position)
    lattice = puzzle.lattice
    for edges in brute.loops(lattice.rows, lattice.cols):
        if faults and position.on <= edges and position.off.isdisjoint(edges):
            inside = Loop(lattice, edges).inside
            fits = position.inside <= inside and position.outside.isdisjoint(inside)
            assert not (fits and samples.of(genre).obeys(puzzle, edges)), faults


@every_genre
def test_what_is_right_so_far(genre: str) -> None:
    """Any part of the solution, marks included."""
    puzzle, loop = unique(genre)
    lattice, random = puzzle.lattice, Random(1)
    outside = set(lattice.faces()) - loop.inside

    def some(things: Any) -> frozenset[Any]:
        return frozenset(thing for thing in sorted(things) if random.random() < 0.5)

    for _ in range(5):
        drawn = (loop.edges, set(lattice.edges) - loop.edges, loop.inside, outside)
        assert check_so_far(puzzle, Position(lattice, *map(some, drawn))) == []
    assert check_so_far(puzzle, Position(lattice)) == []


@pytest.mark.parametrize(
    ("puzzle", "position", "name", "words"),
    [
        (
            CastleWall(3, 3),
            {"on": frozenset({Edge(0, 0, 0, 1)}), "off": frozenset({Edge(0, 0, 1, 0)})},
            "degree",
            "the line has no way out",
        ),
        (
            CastleWall(3, 3, (CastleClue(1, 1, "grey"),)),
            {"on": frozenset({Edge(0, 1, 1, 1)})},
            "clue-crossed",
            "the line enters the cell",
        ),
        (
            Slitherlink(2, 2, (SlitherClue(0, 0, 3),)),
            {"off": frozenset({Edge(0, 0, 0, 1), Edge(0, 0, 1, 0)})},
            "count",
            "row 1, column 1 (3) has fewer than 3 edges",
        ),
        (
            Cave(2, 2, (CaveClue(0, 0, 2),)),
            {"outside": frozenset({(0, 0)})},
            "visibility",
            "row 1, column 1 (2) cannot see 2 cells",
        ),
    ],
    ids=["castle", "castle-clue", "slither", "cave"],
)
def test_each_kind_of_mark_can_be_wrong(
    puzzle: Any, position: dict[str, Any], name: str, words: str
) -> None:
    """A fault with its name and a sentence."""
    (fault,) = check_so_far(puzzle, Position(puzzle.lattice, **position))
    assert fault.name == name
    assert words in fault.sentence


def test_the_clues_can_be_at_fault() -> None:
    """A board without a solution is not the player's fault."""
    puzzle = Slitherlink(1, 1, (SlitherClue(0, 0, 3),))
    (fault,) = check_so_far(puzzle, Position(puzzle.lattice))
    assert fault.about == "puzzle"


def test_on_the_command_line(tmp_path: Path) -> None:
    """`hint` takes crosses, `check --so-far` an unfinished position."""
    puzzle, loop = bank.board(str(CASTLE)), unique("castle")[1]
    crossed = Position(puzzle.lattice, off=frozenset({min(loop.edges)}))
    file = tmp_path / "drawn.txt"
    file.write_text(codecs.write_position(puzzle, crossed, "pzprv3"))
    run = CliRunner().invoke
    assert run(app, ["hint", str(CASTLE), str(file)]).stdout.startswith("mistake: ")
    said = json.loads(run(app, ["hint", str(CASTLE), str(file), "--json"]).stdout)
    assert said["format"] == "castlecp-hint-1"
    assert said["step"]["on"] == [list(min(loop.edges))]
    result = run(app, ["check", str(CASTLE), '{"on": []}', "--so-far"])
    assert (result.exit_code, result.stdout) == (0, "nothing is wrong so far\n")
    branch = '{"on": [[0,0,0,1],[0,1,0,2],[0,1,1,1]]}'
    result = run(app, ["check", str(CASTLE), branch, "--so-far"])
    assert result.exit_code == 1
    assert "branch: The line branches at row 1, column 2." in result.stdout
    report = wire.decode(run(app, ["check", str(CASTLE), branch, "--so-far", "--json"]).stdout)
    assert isinstance(report, wire.SoFar)
    assert [fault.name for fault in report.faults][:1] == ["branch"]
