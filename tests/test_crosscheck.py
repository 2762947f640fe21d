"""Cross-validation: all methods on the same boards, and what happens when two differ."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import boards
import brute as third
import msgspec
import pytest
import samples
from boards import HERE
from samples import every_genre
from typer.testing import CliRunner

from castlecp import brute, codecs, crosscheck, methods
from castlecp.cli import app
from castlecp.crosscheck import Comparison, Opinion, compare, random_board
from castlecp.errors import FormatError
from castlecp.grid import Lattice
from castlecp.nouns import plural
from castlecp.verdict import Status, Verdict

BOARDS = HERE / "boards"


@pytest.mark.parametrize("size", [(1, 4), (2, 2), (2, 5), (3, 4), (4, 3), (4, 4), (4, 5)])
def test_two_lists_of_all_loops(size: tuple[int, int]) -> None:
    """The package's list of loops and the tests' own, written apart, are the same."""
    assert {loop.edges for loop in brute.loops(Lattice(*size))} == set(third.loops(*size))


def test_brute_is_for_small_boards() -> None:
    """A larger board is refused, not started."""
    with pytest.raises(ValueError, match="too many"):
        brute.solutions(codecs.read("castle/6/6/zj"))


@every_genre
@pytest.mark.parametrize("seed", range(40))
def test_methods_agree(genre: str, seed: int) -> None:
    """Random boards of up to 6 x 6 vertices of all kinds, all methods."""
    puzzle = random_board(genre, (2, 5), (2, 5), 0.2 + 0.1 * (seed % 7), seed)
    comparison = compare(puzzle)
    assert comparison.agreed, codecs.write(puzzle, "url")
    assert {o.method for o in comparison.opinions} >= set(methods.names())
    assert all(opinion.settled for opinion in comparison.opinions)


@every_genre
@pytest.mark.parametrize("seed", range(15))
def test_methods_agree_on_all_that_a_board_can_say(genre: str, seed: int) -> None:
    """Boards of the tests' own making, with whatever they say besides their clues."""
    random = Random(seed)
    make = boards.random_board if seed % 3 == 0 else boards.board_around
    puzzle = make(genre, random, random.randint(3, 5), random.randint(3, 5), 0.6)
    comparison = compare(puzzle)
    assert comparison.agreed, codecs.write(puzzle, "json")
    assert all(opinion.settled for opinion in comparison.opinions)


@every_genre
def test_random_boards_are_of_all_kinds(genre: str) -> None:
    """Unique, ambiguous and impossible boards; the same seed gives the same board."""
    made = [random_board(genre, (2, 5), (2, 6), 0.6, seed) for seed in range(60)]
    assert made == [random_board(genre, (2, 5), (2, 6), 0.6, seed) for seed in range(60)]
    assert {compare(board, only=["sat"]).status for board in made} == {
        "unique",
        "multiple",
        "none",
    }
    assert any(board.rows != board.cols for board in made)
    # Every value that a field of a clue can have is there, places and numbers aside.
    clues = [clue for board in made for clue in board.clues]
    for field, values in samples.of(genre).FIELDS.items():
        assert {getattr(clue, field) for clue in clues} >= values
    assert random_board("castle", (1, 1), (3, 3), 0.6, 1).clues == ()


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted(BOARDS.glob("*/*"))
        if path.name.startswith(("small", "wide", "corners", "statements", "all-points"))
    ],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_mutations_of_certified_boards(path: Path) -> None:
    """One colour swapped, one number off by one, one arrow turned: all methods agree."""
    puzzle = codecs.read_source(str(path))
    random = Random(path.name)
    statuses = set()
    for k, clue in enumerate(puzzle.clues):
        for other in random.sample(list(clue.variations()), min(2, len(list(clue.variations())))):
            clues = (*puzzle.clues[:k], other, *puzzle.clues[k + 1 :])
            mutant = msgspec.structs.replace(puzzle, clues=clues)
            comparison = compare(mutant)
            assert comparison.agreed, codecs.write(mutant, "json")
            statuses.add(comparison.status)
    assert len(statuses) >= 2


def opinion(method: str, loops: str, settled: bool = True, wrong: int = 0) -> Opinion:
    """An opinion with loops named by letters."""
    return Opinion(method, "?", frozenset(frozenset([x]) for x in loops), settled, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("opinions", "agreed"),
    [
        ([opinion("a", "x"), opinion("b", "x")], True),
        ([opinion("a", "x"), opinion("b", "y")], False),
        ([opinion("a", "x"), opinion("b", "")], False),
        ([opinion("a", "x"), opinion("b", "xyz")], False),
        ([opinion("a", "xyz"), opinion("b", "uvw")], True),
        ([opinion("a", "x"), opinion("b", "", settled=False)], True),
        ([opinion("a", "x"), opinion("b", "y", settled=False)], False),
        ([opinion("a", "x", settled=False), opinion("b", "y", settled=False)], True),
        ([opinion("a", "x", wrong=1), opinion("b", "x")], False),
    ],
)
def test_what_counts_as_agreement(opinions: list[Opinion], agreed: bool) -> None:
    """Limit 3: complete sets must be equal, partial ones contained, wrong loops never."""
    assert Comparison(tuple(opinions), 3).agreed is agreed


def test_unknown_method() -> None:
    """Names are those of engines and the backtracker."""
    with pytest.raises(FormatError, match="magic"):
        methods.solve(codecs.read("castle/3/3/i"), "magic")


def test_command_on_seeds() -> None:
    """The summary of random boards, as text and as JSON."""
    args = ["crosscheck", "--seeds", "1..20", "--rows", "2..4", "--cols", "3..5"]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 0
    assert "20 boards" in result.stdout
    assert "disagreements: 0" in result.stdout
    summary = json.loads(CliRunner().invoke(app, [*args, "--json"]).stdout)
    assert summary["boards"] == sum(summary["statuses"].values()) == 20
    assert summary["disagreements"] == []


@every_genre
def test_command_on_a_folder(genre: str) -> None:
    """All boards of ours."""
    result = CliRunner().invoke(app, ["crosscheck", str(BOARDS / genre), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["statuses"]["unique"] >= 4


def test_command_on_a_bank(tmp_path: Path) -> None:
    """An unreadable board is named and gives exit code 2."""
    bank = tmp_path / "bank.txt"
    bank.write_text("castle/3/3/i\ncastle/3/x/i\n")
    result = CliRunner().invoke(app, ["crosscheck", str(bank)])
    assert result.exit_code == 2
    assert "line 2" in result.stdout
    for args in ([], [str(bank), "--seeds", "1..2"], ["--seeds", "2..1"], ["--seeds", "x"]):
        assert CliRunner().invoke(app, ["crosscheck", *args]).exit_code == 2


def test_the_same_loop_twice_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that counts its one loop again disagrees, with itself if with nobody else."""
    honest = methods.solve

    def doubled(puzzle, method, **options) -> Verdict:
        (loop,) = honest(puzzle, method, **options).loops
        return Verdict(Status.MULTIPLE, (loop, loop), True, False, method)

    monkeypatch.setattr(crosscheck.methods, "solve", doubled)
    comparison = compare(codecs.read_source(str(BOARDS / "castle" / "small-6x6.json")))
    assert {opinion.wrong for opinion in comparison.opinions} == {1}
    assert not comparison.agreed


def test_disagreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that lies is found: exit code 4, the verdicts side by side, the board as a file."""
    honest = methods.solve

    def lying(puzzle, method, **options) -> Verdict:
        verdict = honest(puzzle, method, **options)
        if method == "cpsat" and verdict.status is Status.UNIQUE:
            return Verdict(Status.NONE, (), True, False, "cpsat")
        return verdict

    monkeypatch.setattr(crosscheck.methods, "solve", lying)
    board = str(BOARDS / "castle" / "small-6x6.json")
    bank = tmp_path / "bank.jsonl"
    bank.write_text(Path(board).read_text())
    arguments = ["crosscheck", str(bank), "-o", str(tmp_path), "--jobs", "1"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 4
    assert "cpsat: none, 0 loops" in result.stderr
    assert "sat: unique, 1 loop" in result.stderr
    reproduced = tmp_path / "disagreement-1.json"
    assert reproduced.read_text() == Path(board).read_text()
    # Boards of one name have a file each, and the same ones when they are checked again; a file
    # that has another board stays.
    other = tmp_path / "disagreement-a_b-2.json"
    other.write_text("something else")
    line = Path(board).read_text().strip()
    bank.write_text("".join(f'{{"id": "{name}", "puzzle": {line}}}\n' for name in ("a b", "a/b")))
    for _ in range(2):
        result = CliRunner().invoke(app, [*arguments, "--json"])
        assert result.exit_code == 4
        files = [Path(found["file"]) for found in json.loads(result.stdout)["disagreements"]]
        assert [file.name for file in files] == [f"disagreement-a_b{n}.json" for n in ("", "-3")]
        assert {file.read_text() for file in files} == {reproduced.read_text()}
        assert other.read_text() == "something else"


def test_the_time_is_over() -> None:
    """What was compared is shown, and none of what was under way."""
    result = CliRunner().invoke(
        app, ["crosscheck", "--seeds", "1..1000000", "--seconds", "0.5", "--jobs", "1", "--json"]
    )
    data = json.loads(result.stdout)
    assert (result.exit_code, data["timed_out"]) == (3, True)
    assert f"the time is spent after {plural(data['boards'], 'board')}" in result.stderr
    done = CliRunner().invoke(app, ["crosscheck", "--seeds", "1..3", "--seconds", "60", "--json"])
    assert (done.exit_code, json.loads(done.stdout)["timed_out"]) == (0, False)
