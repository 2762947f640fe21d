"""The commands `explain`, `grade` and `hint`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import brute
import pytest
from boards import HERE, board_around, random_board
from samples import NAMES, every_genre
from typer.testing import CliRunner, Result

from castlecp import Budget, codecs, ladder
from castlecp.cli import app
from castlecp.genres.slither import SlitherClue, Slitherlink
from castlecp.grid import Loop
from castlecp.ladder import assess
from castlecp.ladder.climber import Climber
from castlecp.ladder.climbing import CONFLICT
from castlecp.ladder.rules import assumes
from castlecp.solver import solve

BOARDS = HERE / "boards" / "castle"
UNIQUE = str(BOARDS / "small-6x6.json")
AMBIGUOUS = str(BOARDS / "ambiguous-6x6.txt")
#: Boards of every genre that a person can solve.
SMALL = [
    path
    for path in sorted(BOARDS.parent.glob("*/*"))
    if path.name.startswith(("small", "wide", "statements", "all-points", "answered"))
]


def run(*args: str, stdin: str | None = None) -> Result:
    """A command's result."""
    return CliRunner().invoke(app, list(args), input=stdin)


def test_explain_says_how_it_ends() -> None:
    """Numbered steps to the solution; an ambiguous board ends before."""
    lines = run("explain", UNIQUE).stdout.splitlines()
    assert lines[0].startswith("  1. degree: 7 clues leave no choice: ")
    assert lines[-1] == f"solved in {len(lines) - 1} steps"
    assert "edges are settled" in run("explain", AMBIGUOUS).stdout.splitlines()[-1]


@pytest.mark.parametrize("board", ["contradiction-6x6.txt", "row-1x5.url"])
def test_explain_a_board_without_solution(board: str) -> None:
    """The last step is the contradiction, and nothing is said to be solved."""
    source = str(BOARDS / board)
    lines = run("explain", source).stdout.splitlines()
    taken = "1 step" if len(lines) == 2 else f"{len(lines) - 1} steps"
    assert lines[-1] == f"there is no solution, as {taken} show{'s' * (len(lines) == 2)}"
    told = json.loads(run("explain", source, "--json").stdout)
    assert (told["finished"], told["contradiction"]) == (False, True)
    assert json.loads(run("explain", AMBIGUOUS, "--json").stdout)["contradiction"] is False


def test_explain_as_json_is_sound() -> None:
    """What the steps settle, together, is the solution."""
    told = json.loads(run("explain", UNIQUE, "--json").stdout)
    assert told["finished"] is True
    (loop,) = solve(codecs.read_source(UNIQUE)).loops
    on, off = drawn_by(told)
    assert on == loop.edges
    assert not on & off
    probes = [step for step in told["steps"] if step["rung"] == "probe"]
    assert all(step["chain"] and step["assumed"] for step in probes)


def drawn_by(told: Any) -> tuple[set[Any], set[Any]]:
    """The edges on and off that an explanation in JSON settles."""
    steps = [one for step in told["steps"] for one in (step, *step["then"])]
    on, off = ({tuple(edge) for step in steps for edge in step[name]} for name in ("on", "off"))
    return on, off


@every_genre
@pytest.mark.parametrize("seed", range(20))
def test_steps_are_true_of_every_answer(genre: str, seed: int) -> None:
    """Of all that brute force finds, for boards with one answer, several and none."""
    random = Random(seed)
    make = random_board if seed % 4 == 0 else board_around
    puzzle = make(genre, random, random.randint(2, 5), random.randint(2, 5), 0.6)
    answers = [Loop(puzzle.lattice, edges) for edges in brute.solutions(puzzle)]
    for step in ladder.explain(puzzle, detail=True):
        assert step.sentence.endswith(".")
        assert set(step.edges) <= set(puzzle.lattice.edges)
        assert all(map(puzzle.lattice.has_vertex, step.vertices))
        assert all(map(puzzle.lattice.has_face, step.faces))
        for loop in answers:
            assert set(step.on) <= loop.edges
            assert not set(step.off) & loop.edges
            for one, other, differ in step.relations:
                sides = [face in loop.inside for face in (one, other)]
                assert (sides[0] != sides[1]) == differ
    graded = ladder.grade(puzzle)
    assert graded.finished <= (len(answers) == 1)
    assert graded.contradiction <= (not answers)


@pytest.mark.parametrize("board", SMALL, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_commands_on_every_genre(board: Path, tmp_path: Path) -> None:
    """Explanations, pictures, grades and hints of boards of ours."""
    puzzle = codecs.read_source(str(board))
    (loop,) = solve(puzzle).loops
    told = json.loads(run("explain", str(board), "--json").stdout)
    on, off = drawn_by(told)
    assert on <= loop.edges
    assert not off & loop.edges
    assert told["finished"] == (len(on) + len(off) == len(puzzle.lattice.edges))
    assert run("explain", str(board)).stdout.splitlines()[0].startswith("  1. ")
    assert run("explain", str(board), "--step", "1").exit_code == 0
    target = tmp_path / "steps.svg"
    assert run("explain", str(board), "-o", str(target)).exit_code == 0
    assert ElementTree.parse(target)
    graded = json.loads(run("grade", str(board), "--json").stdout)
    assert graded["steps"] == len(told["steps"])
    findings = sum(1 + len(step["then"]) for step in told["steps"])
    assert sum(graded["per_rung"].values()) == findings
    assert graded["guessing"] != told["finished"]
    hint = json.loads(run("hint", str(board), "--json").stdout)["step"]
    assert {tuple(edge) for edge in hint["on"]} <= loop.edges


def test_explain_one_step() -> None:
    """A step as a picture and its sentence; no such step is an error."""
    output = run("explain", UNIQUE, "--step", "5").stdout
    assert "·" in output
    assert "\n5. " in output
    assert run("explain", UNIQUE, "--step", "999").exit_code == 2


def test_explain_as_pictures(tmp_path: Path) -> None:
    """One page with a panel and a caption for every step."""
    target = tmp_path / "steps.svg"
    assert run("explain", UNIQUE, "-o", str(target)).exit_code == 0
    page = ElementTree.parse(target).getroot()
    steps = len(json.loads(run("explain", UNIQUE, "--json").stdout)["steps"])
    panels = [g for g in page.iter() if g.get("transform", "").startswith("translate(") and len(g)]
    assert len(panels) == steps
    assert run("explain", UNIQUE, "-o", str(tmp_path / "steps.gif")).exit_code == 2


def test_grade() -> None:
    """A number, whether there is one solution, hardest rung, chains, moves, nodes."""
    graded = json.loads(run("grade", UNIQUE, "--json").stdout)
    assert (graded["rung"], graded["status"]) == ("probe", "unique")
    assert 1 <= graded["number"] <= 10
    assert (graded["guessing"], graded["settled"]) == (False, 1.0)
    assert graded["suppositions"] == graded["per_rung"]["probe"]
    assert graded["longest_chain"] >= graded["mean_chain"] > 0
    # Something is supposed only where no move is open.
    assert graded["moves"]["least"] == 0 < graded["moves"]["mean"] < graded["moves"]["start"]
    assert 1 <= graded["nodes"]["number"] < graded["weak_nodes"]["number"]
    told = run("grade", UNIQUE).stdout
    assert f"difficulty: {graded['number']:g} of 10\nexactly one solution\n" in told
    assert "needs no guessing" in told


def test_grade_of_what_is_not_unique() -> None:
    """It is said of what is forced, and nobody is told to guess; there is no number."""
    told = run("grade", AMBIGUOUS).stdout
    assert told.startswith("several solutions: ")
    assert "guessing" not in told
    graded = json.loads(run("grade", AMBIGUOUS, "--json").stdout)
    assert (graded["status"], graded["number"], graded["guessing"]) == ("multiple", None, False)
    assert graded["settled"] < 1
    told = run("grade", str(BOARDS / "contradiction-6x6.txt")).stdout
    assert told.startswith("no solution\n")
    assert "the ladder shows that there is no solution" in told


def some_board(genre: str, seed: int) -> Any:
    """A board, as likely as not with an answer."""
    random = Random(seed)
    make = random_board if seed % 4 == 0 else board_around
    return make(genre, random, random.randint(3, 5), random.randint(3, 5), 0.5)


def test_open_moves() -> None:
    """What single applications of rules settle, before each step."""
    zeros = Slitherlink(2, 5, (SlitherClue(0, 0, 0), SlitherClue(0, 3, 0)))
    climber = Climber.of(zeros, ["count"])
    _, log = climber.run(Budget())
    assert [len(entry.literals) for entry in log] == [4, 4]
    assert climber.moves(log) == [8, 4]


@pytest.mark.parametrize("genre", NAMES)
def test_moves_are_open_until_something_is_supposed(genre: str) -> None:
    for seed in range(12):
        puzzle = some_board(genre, seed)
        climber = Climber.of(puzzle)
        end, log = climber.run(Budget())
        if end == CONFLICT:
            continue
        moves = climber.moves(log)
        for entry, number in zip(log, moves, strict=False):
            assert (number == 0) == assumes(entry.rule)


@pytest.mark.parametrize("genre", NAMES)
def test_weak_rules_take_more_nodes(genre: str) -> None:
    """They find the same, with less to see."""
    for seed in range(12):
        puzzle = some_board(genre, seed)
        found = assess(puzzle)
        if found.weak.exact:
            assert found.weak.number >= found.nodes.number // 4
            assert found.status == solve(puzzle, "sat").status.value


def test_hints_lead_to_the_solution() -> None:
    """Following hints from an empty board draws the loop; a wrong edge is named first."""
    puzzle = codecs.read_source(UNIQUE)
    (loop,) = solve(puzzle).loops
    drawn: set[tuple[int, ...]] = set()
    for _ in range(100):
        told = json.loads(run("hint", UNIQUE, "-", "--json", stdin=edges(drawn)).stdout)["step"]
        if told is None:
            break
        new = {tuple(edge) for edge in told["on"]}
        assert new - drawn
        assert new <= loop.edges
        drawn |= new
    assert drawn == loop.edges
    wrong = next(edge for edge in puzzle.lattice.edges if edge not in loop.edges)
    told = json.loads(run("hint", UNIQUE, "-", "--json", stdin=edges({wrong})).stdout)["step"]
    assert (told["rung"], told["off"]) == ("mistake", [list(wrong)])


def edges(drawn: set[tuple[int, ...]]) -> str:
    """A line as an answer."""
    return json.dumps({"edges": sorted(drawn)})


def test_no_hints_for_an_ambiguous_board() -> None:
    """One sentence and exit code 1."""
    result = run("hint", AMBIGUOUS)
    assert result.exit_code == 1
    assert "exactly one solution" in result.stderr


@pytest.mark.parametrize("command", ["explain", "grade"])
def test_no_compiler_for_small_boards(command: str) -> None:
    """`explain` answers before a compiler would be loaded, and so does a short search."""
    program = (
        "import sys\n"
        "from castlecp.cli import app\n"
        f"try: app([{command!r}, {UNIQUE!r}])\n"
        "except SystemExit: pass\n"
        "print('numba' in sys.modules)"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert output.splitlines()[-1] == "False"
