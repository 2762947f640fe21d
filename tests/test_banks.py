"""Runs over banks: order, resuming, workers that die, planted faults, both commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import samples
from boards import HERE
from deadly import wait_for_the_end
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from castlecp import bank
from castlecp.certify import banks, making, records
from castlecp.certify.banks import Summary, certify_bank
from castlecp.certify.certificate import Certificate, pack
from castlecp.certify.records import Done
from castlecp.cli import app, certifying
from castlecp.codecs import json as puzzle_json
from castlecp.errors import CastlecpError, Disagreement, FormatWarning
from castlecp.executors import Lost
from castlecp.generate.loops import grow
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import Lattice
from castlecp.journal import Foreign, Journal, unfinished
from castlecp.session import Session
from castlecp.verdict import Status

AMBIGUOUS = "castle/4/4/p"  # no clue at all
UNREADABLE = "castle/4/4/!"


@cache
def unique_boards(number: int) -> tuple[str, ...]:
    """Different small boards of all genres in turn, each with one solution, as JSON."""
    random, boards = Random(1), []
    lattice = Lattice(5, 5)
    with Session(lattice) as session:
        while len(boards) < number:
            blank = samples.blank(samples.NAMES[len(boards) % len(samples.NAMES)], 5, 5)
            loop = grow(lattice, random)
            cells = ((r, c) for r in range(blank.rows) for c in range(blank.cols))
            clues = [blank.true_clues(loop, cell) for cell in cells]
            puzzle = replace(blank, clues=[random.choice(some) for some in clues if some])
            if session.status(puzzle) is Status.UNIQUE:
                boards.append(puzzle_json.write(puzzle))
    return tuple(boards)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A bank with boards of every kind."""
    file = tmp_path / "bank.jsonl"
    corner = CastleWall(3, 3, (CastleClue(0, 0, "white"),))
    none = '{"id": "corner", "puzzle": ' + puzzle_json.write(corner) + "}"
    lines = [*unique_boards(30)]
    lines[3:3] = [AMBIGUOUS, "", "# nothing", UNREADABLE]
    lines[20:20] = [none, "{", '{"type": "castle"}']
    file.write_text("\n".join(lines) + "\n")
    return file


def invoke(*arguments: str | Path) -> tuple[int, list[str]]:
    """Exit code and output of a command."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.exit_code, result.stdout.splitlines()


class Here:
    """An executor that does tasks at once, and the newest first."""

    slots = 3

    def __init__(self) -> None:
        self.results: list[tuple[int, Any]] = []
        self.most = 0

    def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
        self.results.append((key, task(argument)))

    def finished(self) -> tuple[int, Any]:
        return self.results.pop()

    def close(self) -> None: ...


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that start no processes, which takes seconds."""
    monkeypatch.setattr(certifying, "workers", lambda *_, **__: Here)


# The commands.


@pytest.mark.usefixtures("here")
def test_mixed(mixed: Path, tmp_path: Path) -> None:
    """Every board gets its line in order; what is not unique is named; verify agrees."""
    output = tmp_path / "out.jsonl"
    code, said = invoke("certify", mixed, "-o", output, "--jobs", "2")
    assert code == 1
    assert said[-1] == "35 boards: 30 unique, 1 multiple, 1 none, 3 unreadable"
    assert said[0].startswith(f"multiple: {mixed}, line 4: two solutions that differ in ")
    kinds = [line.split(":")[0] for line in said[1:-1]]
    assert kinds == ["unreadable", "none", "unreadable", "unreadable"]
    assert all("line" in line for line in said[:-1])
    records = [json.loads(line) for line in output.read_text().splitlines()]
    assert [record["name"] for record in records] == [e.name for e in bank.entries(str(mixed))]
    two = next(record for record in records if record["status"] == "multiple")["solutions"]
    assert two[0] != two[1]

    code, said = invoke("verify", output, "--jobs", "2")
    assert code == 1
    assert said[-1] == "35 boards: 30 accepted, 1 multiple, 4 unproved"


@pytest.mark.usefixtures("here")
def test_all_unique(tmp_path: Path) -> None:
    """Exit code 0 for both commands; a folder is a bank; --json sums up."""
    boards = tmp_path / "boards"
    boards.mkdir()
    for number, board in enumerate(unique_boards(3)):
        (boards / f"{number}.json").write_text(board)
    output = tmp_path / "out.jsonl"
    code, said = invoke("certify", boards, "-o", output, "--jobs", "1", "--json")
    assert code == 0
    summed = json.loads(said[-1])
    statuses = summed["statuses"]
    assert (summed["boards"], statuses["unique"], statuses["disagreement"]) == (3, 3, 0)
    assert set(summed["seconds"]) == {"search", "proof", "second opinions", "grade", "check"}
    assert invoke("verify", output, "--jobs", "1") == (0, ["3 boards: 3 accepted"])


@pytest.mark.usefixtures("here")
def test_standard_input(tmp_path: Path) -> None:
    """A bank may come through a pipe."""
    output = tmp_path / "out.jsonl"
    text = "\n".join(unique_boards(3))
    result = CliRunner().invoke(app, ["certify", "-", "-o", str(output), "--jobs", "1"], input=text)
    assert (result.exit_code, result.stdout) == (0, "3 boards: 3 unique\n")
    assert len(output.read_bytes().splitlines()) == 3


@pytest.mark.usefixtures("here")
def test_no_boards_and_no_bank(tmp_path: Path) -> None:
    """An empty bank, one that cannot be read and a missing one: exit code 2, and no file."""
    empty = tmp_path / "empty"
    empty.touch()
    assert invoke("certify", empty, "-o", tmp_path / "a") == (2, [])
    assert not (tmp_path / "a").exists()
    assert invoke("certify", tmp_path / "gone", "-o", tmp_path / "b")[0] == 2
    assert invoke("verify", tmp_path / "gone")[0] == 2
    assert invoke("verify", empty) == (2, [])
    assert invoke("certify", empty, "-o", tmp_path / "no" / "b")[0] == 2


@pytest.mark.parametrize("options", [(), ("--fast",), ("--fast", "--steps", "2")])
def test_same_bytes_for_any_number_of_jobs(
    options: tuple[str, ...], mixed: Path, tmp_path: Path
) -> None:
    """One process or three: the same file."""
    files = []
    for jobs in ("1", "3"):
        output = tmp_path / f"out-{jobs}"
        invoke("certify", mixed, "-o", output, "--jobs", jobs, *options)
        files.append(output.read_bytes())
    assert files[0] == files[1]
    assert files[0].count(b"\n") == 35


def test_planted_faults(tmp_path: Path) -> None:
    """Five ambiguous boards among a thousand are named exactly, with two solutions each."""
    lines = [*unique_boards(50)] * 20
    places = sorted(Random(7).sample(range(1000), 5))
    for place in places:
        lines[place] = AMBIGUOUS
    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text("\n".join(lines))
    code, said = invoke("certify", source, "-o", output, "--fast", "--jobs", "2")
    assert (code, said[-1]) == (1, "1,000 boards: 995 unique, 5 multiple")
    assert [line.split(", line ")[1].split(":")[0] for line in said[:-1]] == [
        str(place + 1) for place in places
    ]
    code, said = invoke("verify", output, "--jobs", "1")
    assert (code, said[-1]) == (1, "1,000 boards: 5 multiple, 995 unproved")


@pytest.mark.usefixtures("here")
def test_budget_of_a_board(tmp_path: Path) -> None:
    """A hard board is inconclusive, with the reason, and the others are not."""
    hard = (HERE / "boards" / "castle" / "large-20x20.json").read_text().strip()
    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text("\n".join([unique_boards(1)[0], hard]))
    code, said = invoke("certify", source, "-o", output, "--steps", "20", "--jobs", "1")
    assert code == 1
    assert said == [
        f"inconclusive: {source}, line 2: the steps are spent",
        "2 boards: 1 unique, 1 inconclusive",
    ]


# Verifying files.


def tampered(line: str, change: Callable[[dict[str, Any]], None]) -> str:
    """A line with something changed."""
    record = json.loads(line)
    change(record)
    return json.dumps(record)


@pytest.mark.usefixtures("here")
def test_verify_names_what_is_wrong(tmp_path: Path) -> None:
    """Tampered, truncated and senseless lines, each with its reason."""
    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text("\n".join([*unique_boards(4), AMBIGUOUS]))
    invoke("certify", source, "-o", output, "--jobs", "1")
    *unique, multiple = output.read_text().splitlines()

    def swap(record: dict[str, Any]) -> None:
        record["certificate"]["puzzle"]["clues"].pop()

    def second(record: dict[str, Any]) -> None:
        record["solutions"] = json.loads(multiple)["solutions"][:1]

    def puzzle(record: dict[str, Any]) -> None:
        record["puzzle"] = record["certificate"]["puzzle"]

    def status(record: dict[str, Any]) -> None:
        record["status"] = "none"

    def twice(record: dict[str, Any]) -> None:
        record["solutions"] = record["solutions"][:1] * 2

    def open_loop(record: dict[str, Any]) -> None:
        record["solutions"][0].pop()

    lines = [
        unique[0],
        tampered(unique[1], swap),
        tampered(unique[2], status),
        tampered(multiple, twice),
        tampered(multiple, open_loop),
        tampered(unique[0], second),
        tampered(unique[0], puzzle),
        json.dumps(json.loads(unique[3])["certificate"]),
        "[]",
        unique[3][: len(unique[3]) // 2],
        unique[3].replace('"certificate":{', '"certificate":{"loop":[],'),
        unique[3].replace('"status":', '"status":"unique","status":'),
    ]
    file = tmp_path / "tampered"
    file.write_text("\n".join(lines))
    code, said = invoke("verify", file, "--jobs", "2")
    assert code == 1
    reasons = " ".join(said)
    for reason in (
        "digest does not match",
        "a board that is none cannot have a certificate",
        "two solutions, which are not there",
        "not one closed loop",
        "not a line of a certificates file",
        "line 6): beside the certificate stands a puzzle or a solution of its own",
        "line 7): beside the certificate stands a puzzle or a solution of its own",
        "line 11: the key 'loop' stands twice in `certificate`",
        "line 12: the key 'status' stands there twice",
    ):
        assert reason in reasons
    assert said[-1] == "12 boards: 2 accepted, 8 rejected, 2 unreadable"


@pytest.mark.usefixtures("here")
def test_verify_does_not_check_what_is_too_large(tmp_path: Path) -> None:
    """Exit code 3 unless something else is wrong; more solutions than two are none."""
    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text("\n".join([*unique_boards(2), AMBIGUOUS]))
    invoke("certify", source, "-o", output, "--no-grade")
    first, second, multiple = output.read_text().splitlines()

    def bomb(record: dict[str, Any]) -> None:
        wrong = msgspec.convert(record["certificate"], Certificate)
        packed = pack("1 0\n" * 2_000_000 + "0\n")
        record["certificate"] = msgspec.to_builtins(replace(wrong, proof=packed).sealed())

    def beside(record: dict[str, Any]) -> None:
        record["puzzle"] = json.loads(unique_boards(2)[1])

    def more(record: dict[str, Any]) -> None:
        record["solutions"] *= 2

    file = tmp_path / "file"
    file.write_text("\n".join([first, tampered(second, bomb)]))
    code, said = invoke("verify", file)
    assert (code, said[-1]) == (3, "2 boards: 1 accepted, 1 not checked")
    assert said[0].startswith(f"not checked: {file}, line 2: the proof has more than ")
    code, said = invoke("verify", file, "--seconds", "0")
    assert (code, said[-1]) == (3, "2 boards: 2 not checked")
    file.write_text("\n".join([tampered(second, bomb), tampered(first, beside)]))
    code, said = invoke("verify", file)
    assert (code, said[-1]) == (1, "2 boards: 1 not checked, 1 rejected")
    file.write_text(tampered(multiple, more))
    assert invoke("verify", file)[1][-1] == "1 board: 1 rejected"


@pytest.mark.usefixtures("here")
def test_verify_remarks_on_boards_that_are_there_twice(tmp_path: Path) -> None:
    """They are counted as they stand, and said to be the same."""
    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text("\n".join([*unique_boards(3), AMBIGUOUS]))
    invoke("certify", source, "-o", output, "--no-grade")

    def remarks(text: str, sums: str) -> list[str]:
        output.write_text(text)
        result = CliRunner().invoke(app, ["verify", str(output)])
        assert result.stdout.splitlines()[-1] == sums
        return [line for line in result.stderr.splitlines() if "castlecp:" in line]

    lines = output.read_text().splitlines(keepends=True)
    assert remarks("".join(lines), "4 boards: 3 accepted, 1 multiple") == []
    once = f"castlecp: warning: {output}, line 6 has the board of {output}, line 2"
    text = "".join([*lines[:3], "\n", lines[3], lines[1]])
    assert remarks(text, "5 boards: 4 accepted, 1 multiple") == [once]
    text += lines[3] + json.dumps(json.loads(lines[0])["certificate"])
    more = f"{once}, and 2 more lines have one of an earlier line"
    assert remarks(text, "7 boards: 5 accepted, 2 multiple") == [more]


@pytest.mark.usefixtures("here")
def test_export(tmp_path: Path) -> None:
    """Exported formulas and proofs check with another program's reading of them."""
    import dratify

    source, output, folder = tmp_path / "bank", tmp_path / "out", tmp_path / "proofs"
    source.write_text("\n".join(unique_boards(3)))
    invoke("certify", source, "-o", output, "--jobs", "1")
    assert invoke("verify", output, "--export", folder, "--jobs", "1")[0] == 0
    assert "drat-trim" in (folder / "README.txt").read_text()
    for number in "123":
        text = (folder / f"{number}.cnf").read_text()
        proof = (folder / f"{number}.drat").read_text()
        formula = dratify.parse_dimacs(text)
        assert dratify.check_proof(formula, proof).ok
        loop = json.loads(output.read_text().splitlines()[int(number) - 1])["certificate"]["loop"]
        named = {
            int(words[2]): tuple(map(int, words[3:]))
            for words in map(str.split, text.splitlines())
            if words[:2] == ["c", "edge"]
        }
        last = text.splitlines()[-1].split()[:-1]
        assert sorted(named[-int(x)] for x in last) == sorted(map(tuple, loop))


# Resuming.


@pytest.mark.usefixtures("here")
def test_resumes_after_any_byte(mixed: Path, tmp_path: Path) -> None:
    """Wherever the file of an earlier run ends, going on completes it to the same bytes."""
    whole = tmp_path / "whole"
    code, said = invoke("certify", mixed, "-o", whole, "--jobs", "1")
    content = whole.read_bytes()
    output, part = tmp_path / "out", tmp_path / "out.part"
    for end in (0, 1, content.index(b"\n"), content.index(b"\n") + 1, len(content) // 2):
        for file in (part, output):
            if file == part or content[:end].count(b"\n"):
                file.write_bytes(content[:end])
                assert invoke("certify", mixed, "-o", output, "--jobs", "1") == (code, said)
                assert output.read_bytes() == content
                assert not part.exists()
                output.unlink()
    # A finished run has nothing left to do, and starts no worker.
    for file in (part, output):
        file.write_bytes(content)
        done = list(certify_bank(str(mixed), output, executor=lambda: pytest.fail("no work")))
        assert len(done) == 35
        assert output.read_bytes() == content
        assert not part.exists()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("fast", [(), ("--fast",)])
@pytest.mark.parametrize("already", [0, 4, 9])
def test_larger_budget(fast: tuple[str, ...], already: int, tmp_path: Path) -> None:
    """Boards that a smaller budget left open are tried again, and the file is as made at once."""
    source, output, fresh = tmp_path / "bank", tmp_path / "out", tmp_path / "fresh"
    source.write_text("\n".join([*unique_boards(6), AMBIGUOUS, UNREADABLE, AMBIGUOUS]))

    def certify(file: Path, *budget: str) -> Result:
        command = ["certify", source, "-o", file, "--no-grade", *fast, *budget]
        return CliRunner().invoke(app, [str(argument) for argument in command])

    assert "8 inconclusive" in certify(output, "--steps", "0").stdout
    open_lines = output.read_bytes().splitlines(keepends=True)
    output.write_bytes(b"".join(open_lines[:already]))
    output.chmod(0o640)
    whole = certify(fresh, "--steps", "3")
    again = certify(output, "--steps", "3")
    assert (again.exit_code, again.stdout) == (whole.exit_code, whole.stdout)
    assert output.read_bytes() == fresh.read_bytes()
    assert output.stat().st_mode & 0o777 == 0o640
    number = min(already, 8)
    assert (f"{number} inconclusive boards are tried again" in again.stderr) == bool(number)
    # With no more than that budget there is nothing to do; with no limit all is settled.
    for budget in (("--steps", "3"), ("--steps", "2"), ("--steps", "3", "--seconds", "9")):
        assert "tried again" not in certify(output, *budget).stderr
    assert output.read_bytes() == fresh.read_bytes()
    assert certify(output).stdout.endswith("9 boards: 6 unique, 2 multiple, 1 unreadable\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bank", "fresh", "out"]


@pytest.mark.parametrize("every", [60.0, 0.0])
def test_larger_budget_ended(every: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that tries boards again and is ended keeps what it had, and all other lines."""
    monkeypatch.setattr(banks, "RENEW", every)
    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text("\n".join(unique_boards(6)))
    list(certify_bank(str(source), output, Here, fast=True, steps=0))
    results = certify_bank(str(source), output, Here, fast=True, steps=1000)
    for _ in range(4):
        next(results)
    with pytest.raises(CastlecpError, match="another process"):
        next(certify_bank(str(source), output, Here, fast=True))
    results.close()
    assert not output.exists()
    part = tmp_path / "out.part"
    records = [json.loads(line) for line in part.read_text().splitlines()]
    assert [record["status"] for record in records] == ["unique"] * 4 + ["inconclusive"] * 2
    assert [record["name"] for record in records] == list("123456")
    assert [record.get("steps") for record in records] == [None] * 4 + [0] * 2


def test_worker_that_died_under_a_budget(tmp_path: Path) -> None:
    """Its board is tried again with a larger one, and only then."""

    class Deadly(Here):
        def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
            self.results.append((key, Lost("gone")))

    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text(unique_boards(1)[0])
    for budget, executor, status in (
        (5.0, Deadly, "inconclusive"),
        (5.0, lambda: pytest.fail("no work"), "inconclusive"),
        (6.0, Deadly, "inconclusive"),
        (None, Here, "unique"),
    ):
        done = list(certify_bank(str(source), output, executor, fast=True, seconds=budget))
        assert [one.status for one in done] == [status]


def test_killed_and_started_again(tmp_path: Path) -> None:
    """Kill -9 in the middle of a run: no worker stays, nothing is lost and nothing twice."""
    source, output, part = (tmp_path / name for name in ("bank", "out", "out.part"))
    source.write_text("\n".join(unique_boards(50) * 6))
    command = [sys.executable, "-m", "castlecp", "certify", source, "-o", output, "--jobs", "2"]
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    while not part.exists() or part.stat().st_size < 20_000:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    wait_for_the_end(process.pid)
    assert not output.exists()
    before = part.read_bytes()
    assert 0 < before.count(b"\n") < 300
    assert invoke("certify", source, "-o", output, "--jobs", "2")[1] == ["300 boards: 300 unique"]
    names = [json.loads(line)["name"] for line in output.read_text().splitlines()]
    assert names == [str(number) for number in range(1, 301)]
    assert output.read_bytes().startswith(before[: before.rindex(b"\n") + 1])


@pytest.mark.usefixtures("here")
def test_another_bank(mixed: Path, tmp_path: Path) -> None:
    """A file of another bank, or one made without proofs, is not gone on with."""
    output = tmp_path / "out"
    other = tmp_path / "other"
    other.write_text("\n".join([*unique_boards(2), AMBIGUOUS]))

    def refusal(bank: Path, *options: str) -> str:
        before = output.read_bytes()
        result = CliRunner().invoke(app, ["certify", str(bank), "-o", str(output), *options])
        assert (result.exit_code, result.stdout) == (2, "")
        assert output.read_bytes() == before
        return result.stderr

    invoke("certify", other, "-o", output, "--fast")
    assert "another bank" in refusal(mixed)
    assert "made with --fast" in refusal(other)
    output.unlink()
    invoke("certify", other, "-o", output, "--no-grade")
    assert "another bank" in refusal(mixed, "--fast")
    assert "made without --fast" in refusal(other, "--fast")
    lines = output.read_bytes().splitlines(keepends=True)
    output.write_bytes(lines[0] + b'{"status":"oops"}\n' + lines[2])
    assert f"{output} has no record in line 2" in refusal(other, "--no-grade")
    output.write_bytes(lines[0] + lines[0] + lines[2])
    assert f"{output} has another bank in line 2" in refusal(other, "--no-grade")
    output.write_bytes(b"".join(lines))
    assert "made with --no-grade" in refusal(other)
    other.write_text(unique_boards(1)[0])
    assert "another bank" in refusal(other, "--no-grade")
    output.write_text("something else\n")
    assert "name another" in refusal(other, "--no-grade")
    output.write_bytes(lines[0].rstrip())
    assert "is no certificates file" in refusal(other, "--no-grade")
    # What is refused is replaced with --force, when all is done; a part likewise.
    for name in ("out", "out.part"):
        (tmp_path / name).write_text("something else\n")
        assert invoke("certify", other, "-o", output, "--force") == (0, ["1 board: 1 unique"])
        assert output.read_bytes().startswith(b'{"status":"unique"')
        assert not (tmp_path / "out.part").exists()
        output.unlink()


@pytest.mark.usefixtures("here")
def test_force_and_a_pipe(tmp_path: Path) -> None:
    """A bank on standard input is read from its beginning, whatever was in the file."""
    output = tmp_path / "out"
    text = "\n".join(unique_boards(3))
    command = ["certify", "-", "-o", str(output), "--fast"]
    assert CliRunner().invoke(app, command, input=text).exit_code == 0
    lines = output.read_bytes()
    output.write_bytes(lines.replace(b"line 2", b"line 7"))
    assert CliRunner().invoke(app, command, input=text).exit_code == 2
    assert CliRunner().invoke(app, [*command, "--force"], input=text).exit_code == 0
    assert output.read_bytes() == lines


def test_resuming_costs_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is done nothing is done again: one board and one record are read, the last."""
    board = unique_boards(1)[0]
    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text(f"{board}\n" * 1_000)
    done = making.certify_item(next(bank.items(str(source))))
    with output.open("wb") as file:
        for number in range(1, 1_001):
            line = done.line.replace(b'"name":"1"', b'"name":"%d"' % number)
            file.write(sealed_again(line.replace(b', line 1"', b', line %d"' % number)))
    read: list[str] = []

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            read.append(function.__qualname__)
            return function(*arguments)

        return call

    monkeypatch.setattr(bank.Item, "entry", counted(bank.Item.entry))
    monkeypatch.setattr(records, "read", counted(records.read))
    summary = Summary()
    for one in certify_bank(str(source), output, executor=lambda: pytest.fail("no work")):
        summary.add(one)
    assert summary.counts == {"unique": 1_000}
    assert sorted(read) == ["Item.entry", "read"]


def sealed_again(line: bytes) -> bytes:
    """A line that was changed, with the digest that it would have."""
    return bank.sealed(replace(msgspec.json.decode(line, type=records.Record), digest=""))


@pytest.mark.parametrize("honest", [False, True])
def test_a_changed_line_is_not_gone_on_with(tmp_path: Path, honest: bool) -> None:
    """Another status, or another solution: whatever a line says, it says as it was written."""
    source, output = tmp_path / "bank", tmp_path / "out"
    source.write_text("\n".join(unique_boards(3)) + "\n")
    list(certify_bank(str(source), output, Here, fast=True))
    whole = output.read_bytes()
    first, second, _ = whole.splitlines(keepends=True)
    changed = second.replace(b'"status":"unique"', b'"status":"none"')
    output.with_name("out.part").write_bytes(first + (second if honest else changed))
    output.unlink()
    if honest:
        list(certify_bank(str(source), output, Here, fast=True))
        assert output.read_bytes() == whole
    else:
        with pytest.raises(Foreign, match="was changed in line 2"):
            list(certify_bank(str(source), output, Here, fast=True))
        assert not output.exists()


def nothing(journal: Journal) -> list[bytes]:
    """A look at lines that finds no fault."""
    return list(journal)


def test_journal(tmp_path: Path) -> None:
    """A line without an end is cut off, however long; two writers are one too many."""
    path, part = tmp_path / "journal", tmp_path / "journal.part"
    part.write_bytes(b"one\ntwo\n" + b"x" * 200_000)
    with unfinished(path, b"on", "list", nothing) as (journal, there):
        assert there == [b"one\n", b"two\n"]
        with pytest.raises(CastlecpError, match=f"{part}: another process"):
            Journal(path, b"on", "list")
        journal.append(b"three\n")
        assert not path.exists()
    assert path.read_bytes() == b"one\ntwo\nthree\n"
    assert not part.exists()
    with pytest.raises(CastlecpError, match="irectory"):
        Journal(tmp_path, b"", "list")


def test_journal_goes_on_with_a_whole_file(tmp_path: Path) -> None:
    """It is a part while it is added to, keeps its mode, and stays as it was when nothing is."""
    path, part = tmp_path / "journal", tmp_path / "journal.part"
    path.write_bytes(b"one\n")
    path.chmod(0o600)
    with unfinished(path, b"one", "list", nothing) as (journal, _):
        with pytest.raises(CastlecpError, match="another process"):
            Journal(path, b"one", "list")
        assert not part.exists()
    with unfinished(path, b"one", "list", nothing) as (journal, _):
        journal.append(b"two\n")
        assert (part.read_bytes(), path.exists()) == (b"one\ntwo\n", False)
        with pytest.raises(CastlecpError, match="another process"):
            Journal(path, b"one", "list")
    assert path.read_bytes() == b"one\ntwo\n"
    assert path.stat().st_mode & 0o777 == 0o600


def taken(path: Path, look: Callable[[Journal], Any]) -> None:
    """Take what is there, of which nothing is to be taken."""
    with unfinished(path, b"one", "list", look):
        pytest.fail("refused")


def test_journal_refuses(tmp_path: Path) -> None:
    """What is of something else is left as it is, or replaced when that is asked for."""
    path, part = tmp_path / "journal", tmp_path / "journal.part"

    def refuses(journal: Journal) -> None:
        if any(journal):
            raise Foreign(journal.path, "is not mine")

    for name, content, look, why in (
        (path, b"y" * 100_000, nothing, "is no list; name another file"),
        (path, b"one without an end", nothing, "is no list"),
        (part, b"y" * 100_000, nothing, "is no list"),
        (path, b"one\n", refuses, "is not mine"),
        (part, b"one\n", refuses, "is not mine"),
    ):
        name.write_bytes(content)
        path.touch()
        path.chmod(0o600)
        with pytest.raises(Foreign, match=f"^{name} {why}"):
            taken(path, look)
        assert name.read_bytes() == content
        with pytest.raises(KeyError), unfinished(path, b"one", "list", look, force=True):
            raise KeyError
        assert path.read_bytes() == (content if name == path else b"")
        with unfinished(path, b"one", "list", look, force=True) as (journal, _):
            journal.append(b"one new\n")
        assert path.read_bytes() == b"one new\n"
        assert path.stat().st_mode & 0o777 == 0o600
        assert list(tmp_path.iterdir()) == [path]
        path.unlink()
    path.write_bytes(b"one\n")
    part.write_bytes(b"one\ntwo\n")
    with pytest.raises(Foreign, match=f"^{path} is there, and so is journal.part"):
        taken(path, nothing)
    with unfinished(path, b"one", "list", nothing, force=True) as (journal, there):
        assert there == [b"one\n", b"two\n"]
    assert path.read_bytes() == b"one\ntwo\n"


def test_journal_through_links_and_into_streams(tmp_path: Path) -> None:
    """A link stays one; a FIFO gets the lines as they are written."""
    (tmp_path / "far").mkdir()
    link, target, fifo = tmp_path / "link", tmp_path / "far" / "target", tmp_path / "fifo"
    link.symlink_to("far/target")
    told: list[str] = []

    def ended() -> None:
        with unfinished(link, b"o", "list", nothing, tell=told.append) as (journal, _):
            journal.append(b"one\n")
            raise KeyError

    with pytest.raises(KeyError):
        ended()
    assert told == [f"what is done is in {target}.part; run this again to go on"]
    with unfinished(link, b"o", "list", nothing) as (journal, there):
        journal.append(b"over\n")
    assert there == [b"one\n"]
    assert (link.is_symlink(), target.read_bytes()) == (True, b"one\nover\n")
    os.mkfifo(fifo)
    with fifo.open("r+b", buffering=0) as reader:
        with unfinished(fifo, b"o", "list", nothing) as (journal, there):
            journal.append(b"one\n")
            assert reader.read(100) == b"one\n"
        assert there == []
    assert fifo.is_fifo()


# Workers that die.


def test_a_board_that_kills_its_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads inconclusive with the reason, and the run goes on."""

    class Deadly(Here):
        def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
            deadly = any(item.name == "2" for item in argument)
            self.results.append((key, Lost("its worker died") if deadly else task(argument)))

    source = tmp_path / "bank"
    source.write_text("\n".join(unique_boards(5)))
    done = list(certify_bank(str(source), tmp_path / "out", Deadly))
    assert [one.status for one in done] == ["unique", "inconclusive", *["unique"] * 3]
    record = msgspec.json.decode(done[1].line)
    assert (record["name"], record["reason"]) == ("2", "its worker died")
    assert record["puzzle"] == json.loads(unique_boards(5)[1])


def test_disagreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods that differ are a status of their own, and exit code 4."""
    from castlecp.certify import second

    monkeypatch.setattr(certifying, "workers", lambda *_, **__: Here)

    def differs(*_: object) -> None:
        raise Disagreement("CP-SAT says otherwise")

    monkeypatch.setattr(second, "cpsat", differs)
    source = tmp_path / "bank"
    source.write_text("\n".join(unique_boards(2)))
    code, said = invoke("certify", source, "-o", tmp_path / "out")
    assert (code, said[-1]) == (4, "2 boards: 2 disagreement")


def test_records_of_earlier_runs() -> None:
    """A line says the same when it is read again; another line is an error."""
    with pytest.raises(CastlecpError, match="not a line"):
        Done.again(b"{}\n")


@pytest.mark.usefixtures("here")
def test_sources_of_another_kind(tmp_path: Path) -> None:
    """A bank is no file of certificates, certificates are a bank, and what cannot be read is 2."""
    source, output, again = tmp_path / "bank", tmp_path / "out", tmp_path / "again"
    source.write_text("\n".join([*unique_boards(2), AMBIGUOUS]))
    code, said = invoke("verify", source)
    assert (code, said[-1]) == (2, "3 boards: 3 unreadable")
    assert said[0] == f"unreadable: {source}, line 1: a board of a bank; certify the bank first"
    assert invoke("certify", source, "-o", output, "--fast")[0] == 1
    code, said = invoke("certify", output, "-o", again, "--fast")
    assert (code, said[-1]) == (1, "3 boards: 2 unique, 1 multiple")
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.v1.jsonl").write_bytes(output.read_bytes())
    (folder / "manifest.json").write_text('{"files": 1}')
    with pytest.warns(FormatWarning, match="manifest.json has no board"):
        assert invoke("verify", folder)[1][-1] == "3 boards: 1 multiple, 2 unproved"
    assert (
        "own files"
        in CliRunner().invoke(app, ["certify", str(folder), "-o", str(folder / "out")]).stderr
    )
    source.write_text(f"{UNREADABLE}\n{UNREADABLE}\n")
    code, said = invoke("certify", source, "-o", tmp_path / "none")
    assert (code, said[-1]) == (2, "2 boards: 2 unreadable")
