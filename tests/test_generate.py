"""Boards from seeds: certified, the same everywhere, as hard as asked for, or an honest no."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import msgspec
import pytest
from boards import HERE
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from castlecp import bank, codecs
from castlecp.backtrack import backtrack
from castlecp.checker import check
from castlecp.cli import app
from castlecp.errors import CastlecpError, Disagreement, FormatError, PuzzleError
from castlecp.executors import run as run_tasks
from castlecp.executors.local import Local
from castlecp.generate.batch import boards
from castlecp.generate.board import GivenUp, Made, make
from castlecp.generate.difficulty import BANDS, measure, rungs
from castlecp.generate.layout import SYMMETRY, fits, orbits, read_pattern, size_of
from castlecp.generate.loops import SOURCES
from castlecp.generate.settings import Settings
from castlecp.genres.castle import CastleWall
from castlecp.grid import Edge, Loop
from castlecp.solver import solve
from castlecp.verdict import Status

#: The bands of growing difficulty.
GRADED = [name for name in BANDS if name != "full"]


def castle(rows: int, cols: int, **more: Any) -> Settings:
    return Settings(genre="castle", rows=rows, cols=cols, **more)


def certify(made: Made) -> int:
    """The loop obeys the rules, and an independent search finds no other; its nodes."""
    loop = Loop(made.puzzle.lattice, frozenset(Edge(*edge) for edge in made.solution["edges"]))
    assert check(made.puzzle, loop) == []
    found = backtrack(made.puzzle)
    assert found.exact
    assert [one.edges for one in found.loops] == [loop.edges]
    assert made.status == "unique"
    return found.nodes


PERMANENT = [json.loads(line) for line in (HERE / "permanent.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_permanent_boards_rise(size: int) -> None:
    """Boards of every band, as `scripts/campaign` found them: in their bands, which rise."""
    measured: dict[str, list[float]] = {key: [] for key in ("nodes", "suppose", "rung")}
    order = rungs(CastleWall(size, size))
    for name in GRADED:
        held = [line for line in PERMANENT if (line["size"], line["difficulty"]) == (size, name)]
        assert [line["seed"] for line in held] == list(range(1, len(PERMANENT) // 16 + 1))
        held = [line for line in held if line["digest"] is not None]
        assert len(held) >= 0.9 * len(PERMANENT) / 16
        low, high = BANDS[name].suppose
        assert all(low <= line["suppose"] <= high for line in held)
        for line in held:
            line["rung"] = order.index(line["rung"])
        for key, means in measured.items():
            means.append(mean(line[key] for line in held))
    for key, means in measured.items():
        assert means == sorted(means), (key, means)
    assert measured["suppose"][1:] == sorted(set(measured["suppose"][1:]))


def test_permanent_boards() -> None:
    """Each seed gives the very board it gave; every day others are made again and certified."""
    today = Random(date.today().toordinal())
    for size in (6, 8, 10, 12):
        for name in GRADED:
            held = [
                line for line in PERMANENT if (line["size"], line["difficulty"]) == (size, name)
            ]
            for line in today.sample([line for line in held if line["digest"]], 3):
                made = make(castle(size, size, difficulty=name), line["seed"])
                assert (
                    sha256(msgspec.json.encode(made.puzzle)).hexdigest()[:16] == line["digest"]
                ), line
                certify(made)


@given(
    rows=st.integers(4, 9),
    cols=st.integers(4, 9),
    seed=st.integers(0, 10**6),
    name=st.sampled_from(["full", "easy", "normal"]),
    source=st.sampled_from(sorted(SOURCES)),
    symmetry=st.sampled_from(["auto", *sorted(SYMMETRY)]),
    no_zero=st.booleans(),
)
@settings(max_examples=20)
def test_settings_are_kept(
    rows: int, cols: int, seed: int, name: str, source: str, symmetry: Any, no_zero: bool
) -> None:
    """Whatever is asked for holds on the board, and the board is certified."""
    if not fits(symmetry, rows, cols):
        cols = rows
    wanted = castle(rows, cols, difficulty=name, source=source, symmetry=symmetry, no_zero=no_zero)
    try:
        made = make(wanted, seed)
    except GivenUp:
        assert symmetry != "none" or no_zero or min(rows, cols) == 4
        return
    certify(made)
    cells = {(clue.row, clue.col) for clue in made.puzzle.clues}
    turn = SYMMETRY["none" if symmetry == "auto" else symmetry]
    assert {turn.cell(cell, rows, cols) for cell in cells} == cells
    assert not (no_zero and any(clue.number == 0 for clue in made.puzzle.clues))
    assert measure(made.puzzle) == made.grade


@pytest.mark.parametrize(
    ("more", "holds"),
    [
        ({"max_rung": "loop"}, lambda made, order: order.index(made.grade.rung) <= 3),
        (
            {"min_rung": "probe"},
            lambda made, order: order.index(made.grade.rung) >= order.index("probe"),
        ),
        ({"max_steps": 60}, lambda made, order: made.grade.steps <= 60),
        ({"min_clues": 18}, lambda made, order: len(made.puzzle.clues) >= 18),
        ({"max_clues": 9}, lambda made, order: len(made.puzzle.clues) <= 9),
        (
            {"difficulty": "full"},
            lambda made, order: all(c.number is not None for c in made.puzzle.clues),
        ),
    ],
    ids=["max_rung", "min_rung", "max_steps", "min_clues", "max_clues", "full"],
)
def test_limits(more: dict[str, Any], holds: Any) -> None:
    """Each limit holds on every board, and matters: without it some board breaks it."""
    order = rungs(CastleWall(7, 8))
    assert order[3] == "loop"
    limited = [make(castle(7, 8, **more), seed) for seed in range(1, 9)]
    assert all(holds(made, order) for made in limited)
    assert not all(holds(make(castle(7, 8), seed), order) for seed in range(1, 13))


def test_pattern() -> None:
    """The clues stand where the picture says, all of them and no others."""
    picture = """
        . X . . . . . X .
        X . . . X . . . X
        . . X . . . X . .
        . . . . X . . . .
        . . X . . . X . .
        X . . . X . . . X
        . X . . . . . X .
    """
    cells = read_pattern(picture, 7, 9)
    assert len(cells) == 15
    for symmetry in ("none", "turn", "mirror"):
        made = make(castle(7, 9, pattern=cells, symmetry=symmetry), 1)
        certify(made)
        assert tuple((clue.row, clue.col) for clue in made.puzzle.clues) == cells
    with pytest.raises(CastlecpError, match="symmetry"):
        castle(7, 9, pattern=cells[1:], symmetry="turn")


@pytest.mark.parametrize("text", ["", "...\n...", "X..\nX", "XX\nXX\nXX"])
def test_bad_pattern(text: str) -> None:
    """A picture of another size, or of nothing."""
    with pytest.raises(FormatError, match="pattern"):
        read_pattern(text, 2, 3)


def test_orbits() -> None:
    """Cells and their images together; those whose image is not there are left out."""
    cells = [(0, 0), (0, 1), (1, 1), (2, 3), (2, 2)]
    assert orbits(cells, "none", 3, 4) == [((r, c),) for r, c in sorted(cells)]
    assert orbits(cells, "turn", 3, 4) == [((0, 0), (2, 3)), ((0, 1), (2, 2))]
    assert orbits([(1, 1), (0, 2), (0, 0)], "mirror", 2, 3) == [((0, 0), (0, 2)), ((1, 1),)]


@pytest.mark.parametrize("status", [Status.MULTIPLE, Status.INCONCLUSIVE, Status.NONE])
def test_a_last_proof_that_differs(status: Status, monkeypatch: pytest.MonkeyPatch) -> None:
    """No board is given out that the solver of its own does not find unique, with its loop."""

    def differs(*args: Any, **more: Any) -> Any:
        return replace(solve(*args, **more), status=status)

    monkeypatch.setattr("castlecp.generate.board.solve", differs)
    with pytest.raises(Disagreement, match=f"{status.value} after the board was proved unique"):
        make(castle(4, 5), 1)


@pytest.mark.parametrize("name", BANDS.names())
def test_same_bytes(name: str) -> None:
    """For any number of jobs, alone or after other boards."""
    wanted = castle(7, 6, difficulty=name)
    alone = [msgspec.json.encode(make(wanted, seed)) for seed in (3, 4, 5)]
    assert [msgspec.json.encode(made) for made in boards(wanted, [3, 4, 5])] == alone
    assert [
        msgspec.json.encode(made) for made in boards(wanted, [5, 4, 3], partial(Local, 2))
    ] == alone[::-1]
    assert len(set(alone)) == 3


def test_known_board() -> None:
    """One seed, so that a change of what seeds give is noticed: they are a promise of a version."""
    made = make(castle(5, 6, difficulty="easy"), 1)
    assert (
        codecs.write(made.puzzle, "url") == "https://puzz.link/p?castle/6/5/244n221b220e242212212c"
    )


#: Every edge ends in one of these cells.
CHEQUERS = tuple((r, c) for r in range(5) for c in range(r % 2, 5, 2))


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (castle(2, 2, difficulty="expert"), "too easy"),
        (castle(6, 7, max_clues=0), "needs more clues"),
        (castle(5, 6, min_clues=30), "too few cells"),
        (castle(6, 6, max_steps=3), "too hard"),
        (castle(5, 5, pattern=CHEQUERS), "the way"),
        (castle(6, 6, pattern=((0, 0),)), "do not tell"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_impossible(wanted: Settings, reason: str) -> None:
    """Ends, with the reason."""
    with pytest.raises(GivenUp, match=reason):
        make(wanted, 1)


def test_no_such_settings() -> None:
    """What can be known at once is said at once."""
    with pytest.raises(PuzzleError, match="no loop"):
        make(castle(1, 5), 1)
    for more, sentence in (
        (
            {"difficulty": "evil"},
            "unknown difficulty 'evil'; known: full, easy, normal, hard, ex",
        ),
        ({"difficulty": "Expert"}, "did you mean expert?"),
        ({"source": "sea"}, "unknown source of loops 'sea'; known: grow, ring, shaped, tilted"),
        ({"max_rung": "up"}, "unknown rung 'up'; known: degree"),
        ({"max_rung": "arrow", "min_rung": "loop"}, "`loop` is harder than `arrow`"),
        ({"max_clues": 3, "min_clues": 4}, "4 clues are more than 3"),
        ({"max_steps": -1}, "cannot take -1 steps"),
    ):
        with pytest.raises(CastlecpError, match=sentence):
            castle(6, 6, **more)
    with pytest.raises(PuzzleError):
        castle(0, 6)


def run(*arguments: str) -> Any:
    """A command, in this process unless it is said otherwise: others take a second to start."""
    if arguments[0] in ("generate", "minimise") and "--jobs" not in arguments:
        arguments = (*arguments, "--jobs", "1")
    return CliRunner().invoke(app, arguments)


def test_command_generate(tmp_path: Path) -> None:
    """A bank that can be read back, and is the same for the same command."""
    file, again = tmp_path / "bank.jsonl", tmp_path / "again.jsonl"
    command = ["generate", "castle", "--rows", "5", "--cols", "7", "--seed", "4", "--count", "3"]
    result = run(*command, "-o", str(file))
    assert (result.exit_code, result.stdout) == (0, f"{file}: 3 boards\n")
    run(*command, "-o", str(again), "--jobs", "2")
    assert file.read_bytes() == again.read_bytes()
    found = list(bank.entries(str(file)))
    assert [entry.name for entry in found] == [f"castle-5x7-normal-{k}" for k in (4, 5, 6)]
    assert all(len(solve(entry.puzzle).loops) == 1 for entry in found)
    assert run(*command, "--json").stdout.encode() == file.read_bytes()


def test_command_generate_ends(tmp_path: Path) -> None:
    """Impossible settings are exit code 2 and a sentence; when time is up, what is done stays."""
    for command in (
        "castle --rows 1 --cols 5",
        "castle --rows 2 --cols 2 --difficulty expert --count 50",
        "castle --rows 5 --cols 5 --max-clues 0",
        "wall",
        f"castle --pattern {tmp_path}/none",
        f"castle --rows 4 --cols 4 -o {tmp_path}/none/bank.jsonl",
    ):
        result = run("generate", *command.split())
        assert result.exit_code == 2
        assert result.stderr.startswith("castlecp: ")
    result = run("generate", "castle", "--count", "100000", "--seconds", "1", "--json")
    assert result.exit_code == 0
    assert "boards of 100000" in result.stderr


def test_a_long_search_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """While no board is found, tries and reasons are told, and once more at the end."""
    monkeypatch.setattr("castlecp.cli.output.STREAM", 0.02)
    run = CliRunner().invoke(
        app, ["generate", "castle", "--rows", "6", "--cols", "6", "--max-clues", "1"]
    )
    assert run.exit_code == 2
    assert run.stdout == ""
    *so_far, end = run.stderr.splitlines()
    reasons = r"\d+ x a (loop|board) that [a-z ]+"
    told = rf"castlecp: \d+ s: seed 0, try \d+ of 400(: {reasons}(; {reasons})*)?"
    assert len(so_far) >= 2
    assert all(re.fullmatch(told, line) for line in so_far), so_far
    assert "x a board that needs more clues" in so_far[-1]
    assert re.search(rf"no such board for seed 0 in 400 tries: {reasons}(; {reasons})*$", end)


def test_command_generate_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was interrupted or killed goes on, and the bank has its name when it is whole."""
    whole, file, part = (tmp_path / name for name in ("whole", "bank.jsonl", "bank.jsonl.part"))
    command = ["generate", "castle", "--rows", "5", "--cols", "6", "--count", "5", "-o"]
    run(*command, str(whole))
    lines = whole.read_bytes().splitlines(keepends=True)

    def interrupted(*arguments: Any, **options: Any) -> Any:
        yield from islice(boards(*arguments, **options), 2)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("castlecp.cli.generating.boards", interrupted)
        result = run(*command, str(file))
    assert result.exit_code == 130
    assert f"what is done is in {part}; run this again to go on" in result.stderr
    assert not file.exists()
    assert part.read_bytes() == b"".join(lines[:2])
    part.write_bytes(b"".join(lines[:3]) + lines[3][:40])
    for other in (["--cols", "7"], ["--seed", "2"], ["--count", "2"], ["--minimal"]):
        result = run(*command, str(file), *other)
        assert (result.exit_code, result.stderr.count("has other boards")) == (2, 1)
    assert run(*command, str(file)).stdout == f"{file}: 5 boards, 3 were there\n"
    assert file.read_bytes() == whole.read_bytes()
    assert not part.exists()
    part.write_bytes(b'{"id":"of somebody else"}\n')
    file.unlink()
    assert run(*command, str(file)).exit_code == 2
    assert part.read_bytes() == b'{"id":"of somebody else"}\n'


def test_command_generate_and_what_is_there(tmp_path: Path) -> None:
    """A bank of the same settings goes on; whatever else is there is refused without --force."""
    whole, file = tmp_path / "whole", tmp_path / "bank.jsonl"
    command = ["generate", "slither", "--rows", "4", "--cols", "5", "--seed", "3", "-o"]
    assert run(*command, str(whole), "--count", "6").exit_code == 0
    lines = whole.read_bytes().splitlines(keepends=True)
    assert run(*command, str(file), "--count", "4").exit_code == 0
    assert file.read_bytes() == b"".join(lines[:4])
    result = run(*command, str(file), "--count", "4")
    assert result.stdout == f"{file}: 4 boards, 4 were there\n"
    result = run(*command, str(file), "--count", "6", "--jobs", "2")
    assert result.stdout == f"{file}: 6 boards, 4 were there\n"
    assert file.read_bytes() == whole.read_bytes()
    # A line that is missing is made again, in its place; one that was changed is named.
    for left in (lines[1:], lines[:1] + lines[3:5], lines[5:]):
        file.write_bytes(b"".join(left))
        assert run(*command, str(file), "--count", "6").exit_code == 0
        assert file.read_bytes() == whole.read_bytes()
    changed = lines[2].replace(b'"tries":', b'"tries":1')
    assert changed != lines[2]
    for content, why in (
        (b"".join([*lines[:2], changed, *lines[3:]]), "was changed in line 3; take that line out"),
        (b"".join([*lines[:2], *lines[1:]]), "has line 3 twice or in the wrong place"),
        (b"".join(reversed(lines)), "has line 2 twice or in the wrong place"),
        (b"a letter\n", "is no bank of castlecp"),
    ):
        file.write_bytes(content)
        result = run(*command, str(file), "--count", "6")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"castlecp: {file} {why}")
        assert file.read_bytes() == content
        result = run(*command, str(file), "--count", "6", "--force")
        assert result.stdout == f"{file}: 6 boards\n"
        assert file.read_bytes() == whole.read_bytes()
    assert run(*command, "-", "--count", "6").stdout_bytes == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bank.jsonl", "whole"]


def test_command_generate_makes_nothing(tmp_path: Path) -> None:
    """No time is exit code 3, what is no time or number of steps 2; no file is left."""
    for options, code, sentence in (
        ("--seconds 0", 3, "no board in 0 s"),
        ("--seconds -1", 2, "'--seconds': -1.0 is not in the range"),
        ("--seconds nan", 2, "'--seconds': nan is not a finite number"),
        ("--max-steps -1", 2, "'--max-steps': -1 is not in the range"),
        ("--rows 2 --cols 2 --difficulty expert", 2, "too easy"),
    ):
        result = run("generate", "castle", *options.split(), "-o", str(tmp_path / "bank.jsonl"))
        assert result.exit_code == code
        assert sentence in result.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []
    result = run("generate", "castle", "-o", str(tmp_path))
    assert result.exit_code == 2
    assert "irectory" in result.stderr


def test_command_minimise_bank(tmp_path: Path) -> None:
    """Every board of a bank, in order; a run that was stopped goes on."""
    source, target = tmp_path / "bank.jsonl", tmp_path / "small.jsonl"
    run("generate", "castle", "--rows", "6", "--cols", "6", "--count", "6", "--difficulty", "full",
        "-o", str(source))  # fmt: skip
    command = ["minimise", str(source), "--method", "smallest", "-o", str(target)]
    assert run(*command).exit_code == 0
    whole = target.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 6
    target.write_bytes(b"".join(lines[:2]) + lines[2][:40])
    assert "6 boards, 2 were there" in run(*command).stdout
    assert target.read_bytes() == whole
    for entry, before in zip(bank.entries(str(target)), bank.entries(str(source)), strict=True):
        assert entry.name == before.name
        assert solve(entry.puzzle).loops == solve(before.puzzle).loops
        assert len(entry.puzzle.clues) <= len(before.puzzle.clues)


def minimised(source: Path, target: Path, *options: str) -> tuple[int, str, str]:
    """Exit code, output and errors of `minimise` with one process."""
    result = run("minimise", str(source), "-o", str(target), *options)
    return result.exit_code, result.stdout, result.stderr


def test_command_minimise_bank_that_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards of one name are all there; what is done stands in a part until all is."""
    source, target, part = (tmp_path / name for name in ("bank", "out", "out.part"))
    boards = ["castle/4/3/12.k", "castle/3/4/12.k", "castle/2/2/d", "slither/2/2/3d"]
    lines = [codecs.write(codecs.read(text), "json") for text in boards]
    source.write_text("".join(f'{{"id": "same", "puzzle": {line}}}\n' for line in lines))
    code, said, _ = minimised(source, target)
    whole = target.read_bytes()
    assert whole.count(b'"id":"same"') == 4

    def interrupted(*arguments: Any, **options: Any) -> Any:
        yield from islice(run_tasks(*arguments, **options), 2)
        raise KeyboardInterrupt

    target.unlink()
    with monkeypatch.context() as patch:
        patch.setattr("castlecp.runs.run", interrupted)
        stopped, _, told = minimised(source, target)
    assert stopped == 130
    assert f"what is done is in {part}; run this again to go on" in told
    assert not target.exists()
    assert part.read_bytes().splitlines() == whole.splitlines()[:2]
    assert "made with other options, as line 1" in minimised(source, target, "--seed", "1")[2]
    assert minimised(source, target)[:2] == (
        code,
        said.replace("boards\n", "boards, 2 were there\n", 1),
    )
    assert target.read_bytes() == whole
    assert not part.exists()


def test_command_minimise_bank_refuses(tmp_path: Path) -> None:
    """A result of other options, of another bank or changed by somebody stays unless forced."""
    source, target = tmp_path / "bank.jsonl", tmp_path / "out"
    source.write_text("castle/2/2/d\nslither/1/1/4\n")
    assert minimised(source, target)[0] == 0
    before = target.read_bytes()
    (first, second) = before.splitlines(keepends=True)

    def refused(why: str, *options: str) -> None:
        there = target.read_bytes()
        code, _, said = minimised(source, target, *options)
        assert (code, why in said) == (2, True), said
        assert target.read_bytes() == there

    refused("was made with other options", "--method", "greedy")
    refused("was made with other options", "--steps", "900000")
    target.write_bytes(second)
    refused("has the boards of another bank, as line 1 shows")
    target.write_bytes(first + second.replace(b'"upper":', b'"upper": '))
    refused("was changed in line 2")
    target.write_bytes(source.read_bytes())
    refused("is no bank of castlecp")
    assert minimised(source, target, "--force")[0] == 0
    assert target.read_bytes() == before
    source.write_text("castle/2/2/d\n")
    refused("has the boards of another bank, as line 2 shows")


def test_command_minimise_bank_says_what_failed(tmp_path: Path) -> None:
    """Exit code 1 when a board has several solutions or cannot be read, 2 when none can."""
    source, target = tmp_path / "bank.jsonl", tmp_path / "out"
    for text, code, lines in (
        ("castle/2/2/d\n", 0, 1),
        ("castle/2/2/d\ncastle/4/4/p\n", 1, 2),
        ("castle/2/2/d\nnothing\n", 1, 1),
        ("castle/2/2/!\ncastle/2/2/?\n", 2, 0),
    ):
        source.write_text(text)
        # The second time, nothing is left to do.
        for _ in range(2):
            assert minimised(source, target)[0] == code
            there = target.read_bytes().count(b"\n") if target.exists() else 0
            assert there == lines
        target.unlink(missing_ok=True)
    assert "there is no board that can be read" in minimised(source, target)[2]
    assert [path.name for path in tmp_path.iterdir()] == ["bank.jsonl"]


def test_command_mend(tmp_path: Path) -> None:
    """The board that is shown has one solution."""
    result = run("mend", "castle/5/4/f10.m", "--json", "--most", "2")
    found = msgspec.json.decode(result.stdout)
    assert found["kind"] == "more"
    assert len(found["changes"]) == 2
    assert run("mend", "castle/2/2/d").stdout.startswith("exactly one solution")
    assert run("mend", "castle/5/1/e").exit_code == 1


def test_a_pattern_gives_the_size() -> None:
    """Rows and columns without blanks between the cells, and without empty lines."""
    assert size_of("\n.X..\n....\n..X.\n\n") == size_of(". X . .\n. . . .\n. . X .") == (3, 4)
    assert size_of("") == (0, 0)
