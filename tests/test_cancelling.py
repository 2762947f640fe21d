"""One budget ends everything: by time, by steps, from another thread, and by Ctrl-C."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from itertools import combinations, repeat, takewhile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from test_cli import run
from test_options import commands

from castlecp import Budget, codecs, counting, read
from castlecp.budget import Progress
from castlecp.certify.certificate import Certificate, encode, pack, unpack
from castlecp.certify.prove import _proof, certify
from castlecp.certify.statement import Statement
from castlecp.certify.verify import replay
from castlecp.engines import names
from castlecp.errors import Cancelled, OutOfBudget
from castlecp.generate.board import make
from castlecp.generate.mend import mend
from castlecp.generate.minimise import minimise
from castlecp.generate.settings import Settings
from castlecp.genres import Puzzle
from castlecp.grid import Lattice
from castlecp.ladder import explain, grade
from castlecp.methods import solve
from castlecp.verdict import Status

#: A board on which the ladder's dear rules go on for minutes.
SPARSE = "castle/24/24/zzzzzzzzzzzzzzzzzzzzzzd"
BLANK = "castle/100/100/" + "z" * 384 + "p"
BLANK_24 = "castle/24/24/20.zzzzzzzzzzzzzzzzzzzzzzc"
FULL = Settings(genre="castle", rows=20, cols=20, difficulty="full")
#: Many solutions, hard to count.
MANY = "castle/20/20/zzzzzzzzzzzzzzzj"

BOARDS = Path(__file__).parent / "boards" / "castle"

#: What a command takes long for; `FILE` is a name that is free.
LONG: dict[str, list[str]] = {
    "solve": ["solve", MANY, "--limit", "10000000"],
    "count": ["count", MANY, "--limit", "10000000"],
    "generate": [
        "generate",
        "castle",
        "--rows",
        "40",
        "--cols",
        "40",
        "--count",
        "9999",
        "--jobs",
        "1",
        "-o",
        "FILE",
    ],
    "minimise": ["minimise", "FULL", "--method", "smallest"],
    "mend": ["mend", BLANK_24],
    "loops": ["loops", "--rows", "18", "--cols", "18"],
    "explain": ["explain", SPARSE],
    "grade": ["grade", SPARSE],
    "hint": ["hint", BLANK],
    "crosscheck": ["crosscheck", "--seeds", "1..100000000", "--jobs", "1"],
    "certify": ["certify", "BANK", "-o", "FILE", "--jobs", "1"],
    "check": ["check", "HUGE", "DRAWN", "--so-far"],
    "verify": ["verify", "PROVED", "--max-proof", "1000000"],
    "author verify": ["author", "verify", "-"],
    "author prune": ["author", "prune", "-"],
}
#: Commands that only read, write or draw one board.
SHORT = {"convert", "draw", "author boards", "schema"}

#: Commands that go on until they are told to stop; tests/service holds how they do.
ENDLESS = {"serve"}

#: Seconds of processor time that an interrupted command may go on.
ALLOWED = 0.2


def test_every_command_is_long_or_short() -> None:
    """A new command is put into one of the tables above."""
    assert {name for name, _ in commands()} == set(LONG) | SHORT | ENDLESS


def test_long_commands_take_seconds_and_steps() -> None:
    """All of them, and `test_options` holds that they are the same in each."""
    for name, command in commands():
        options = {option for param in command.params for option in param.opts}
        if name in LONG:
            assert {"--seconds", "--steps"} <= options, name


def processor_time(pid: int) -> float:
    """Seconds that a process has taken so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_a_command(name: str, tmp_path: Path) -> None:
    """Within ALLOWED, with exit code 130 and one sentence."""
    bank = tmp_path / "bank.txt"
    bank.write_text(f"{MANY}\n" * 100_000)
    full = tmp_path / "full.json"
    huge, drawn, proved = tmp_path / "huge.txt", tmp_path / "drawn.json", tmp_path / "proved.jsonl"
    files = {
        "FILE": str(tmp_path / "out.jsonl"),
        "BANK": str(bank),
        "FULL": str(full),
        "HUGE": str(huge),
        "DRAWN": str(drawn),
        "PROVED": str(proved),
    }
    if "HUGE" in LONG[name]:
        rows = [". " * 100 + "w " + ". " * 99, *[". " * 200] * 199]
        huge.write_text("\n".join(["castle", *rows, ""]))
        drawn.write_text('{"edges": []}')
    if "PROVED" in LONG[name]:
        proved.write_bytes(encode(padded()) + b"\n")
    if "FULL" in LONG[name]:
        full.write_text(codecs.write(dense(), "json"))
    words = [files.get(word, word) for word in LONG[name]]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(
        [sys.executable, "-m", "castlecp", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",  # a picture may end within a sign
        # What is started in the background ignores it, and so would the command.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        until = time.monotonic() + 30
        # What reads from a pipe, or waits for workers, takes no second of its own.
        while processor_time(process.pid) < 1.0 and time.monotonic() < until:
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.05)
            if name in {"certify", "verify", "author verify", "author prune"}:
                until = min(until, time.monotonic() + 3)
        spent = processor_time(process.pid)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert process.returncode == 130, errors
    assert errors.count("castlecp: interrupted") == 1
    assert "Traceback" not in errors
    if name not in {"certify", "verify"}:  # whose workers' time is in it too
        assert took - spent < ALLOWED + 0.1  # the clock of /proc ticks coarsely


@cache
def dense() -> Puzzle:
    """A board with a clue wherever one can stand."""
    return make(FULL, 1).puzzle


def cancelled_soon(work: Callable[[Budget], Any]) -> tuple[float, Any]:
    """Seconds of processor time after `cancel` from another thread, and what came of it."""
    budget, at = Budget(), [0.0]

    def cancel() -> None:
        at[0] = time.process_time()
        budget.cancel()

    timer = threading.Timer(0.5, cancel)
    timer.start()
    try:
        made = work(budget)
    except OutOfBudget as error:
        made = error
    timer.join()
    return time.process_time() - at[0], made


def padded() -> Certificate:
    """A right certificate whose proof says its first line again and again."""
    made = certify(read((BOARDS / "large-20x20.json").read_text()), graded=False).certificate
    assert made is not None
    first, rest = unpack(made.proof).split("\n", 1)
    proof = pack("\n".join([*[first] * 500_000, rest]))
    return msgspec.structs.replace(made, proof=proof).sealed()


@cache
def pigeons() -> tuple[Statement, str]:
    """That eight pigeons do not fit into seven holes, and a proof that takes seconds to check."""
    holes = 7
    places = [[pigeon * holes + hole for hole in range(1, holes + 1)] for pigeon in range(8)]
    clauses: list[tuple[int, ...]] = list(map(tuple, places))
    for one, other in combinations(places, 2):
        clauses += [(-a, -b) for a, b in zip(one, other, strict=True)]
    claim = Statement(8 * holes, clauses)
    *lines, last = _proof(claim, Budget()).splitlines()
    return claim, "\n".join([*[line for line in lines for _ in range(8)], last])


def proved(budget: Budget) -> bool:
    """Whether a board is certified within a budget."""
    return certify(dense(), budget).status is Status.UNIQUE


SEARCHES: dict[str, Callable[[Budget], Any]] = {
    **{
        engine: lambda budget, engine=engine: (
            solve(  # type: ignore[misc]
                read(MANY), engine, limit=10**7, budget=budget
            ).timed_out
        )
        for engine in [*names(), "backtrack"]
    },
    "grade": lambda budget: grade(read(SPARSE), budget=budget),
    "explain": lambda budget: explain(read(SPARSE), budget=budget),
    "count": lambda budget: counting.count(Lattice(16, 16), threads=1, budget=budget),
    "count by length": lambda budget: counting.count_by_length(Lattice(14, 14), budget=budget),
    "samples": lambda budget: list(counting.Sampler(Lattice(9, 9)).samples(1, 10**7, budget)),
    "minimise": lambda budget: minimise(dense(), "smallest", budget=budget).settled or True,
    "make": lambda budget: [make(FULL, seed, budget) for seed in range(10**6)],
    "mend": lambda budget: not mend(read(BLANK_24), budget=budget).all_tried,
    "certify": lambda budget: len(list(takewhile(proved, repeat(budget)))) >= 0,
    "replay": lambda budget: replay(*pigeons(), budget=budget),
    "replay in Python": lambda budget: replay(*pigeons(), "python", budget),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_cancel_from_another_thread(name: str) -> None:
    """A search ends, and says that it was cancelled or that it is not done."""
    dense(), pigeons()
    took, made = cancelled_soon(SEARCHES[name])
    assert took < ALLOWED
    assert made is True or isinstance(made, Cancelled)


def test_cancelled_is_said_and_stays() -> None:
    """In every part, also those with steps of their own."""
    budget = Budget()
    parts = [budget, Budget(parent=budget), budget.aside(5), Budget(parent=budget.aside())]
    for part in parts:
        assert part.slice(3) == 3
    budget.cancel()
    for part in parts:
        with pytest.raises(Cancelled, match="cancelled"):
            part.slice(1)
        with pytest.raises(Cancelled):
            part.look()
    # What begins when all is over is stopped at once.
    stopped = []
    with parts[-1].stopping(lambda: stopped.append(1)):
        pass
    assert stopped == [1]


def test_what_has_ended_is_not_stopped() -> None:
    """Neither by `cancel` nor at the deadline."""
    stopped: list[int] = []
    budget = Budget(seconds=0.05)
    with budget.stopping(lambda: stopped.append(1)):
        pass
    time.sleep(0.1)
    budget.cancel()
    assert not stopped


def test_the_deadline_stops() -> None:
    """In a thread of its own."""
    stopped = threading.Event()
    with Budget(seconds=0.05).stopping(stopped.set):
        assert stopped.wait(10)


def test_deadlines_share_a_thread() -> None:
    """However many there are, each comes in its time, and what is over costs no other its own."""
    before = threading.active_count()
    stopped: list[int] = []
    last = threading.Event()
    with Budget(seconds=60).stopping(lambda: stopped.append(60)):
        for _ in range(100):
            with Budget(seconds=30).stopping(lambda: stopped.append(30)):
                pass
        with Budget(seconds=0.2).stopping(last.set):
            with Budget(seconds=0.1).stopping(lambda: stopped.append(0)):
                assert last.wait(10)
            assert threading.active_count() <= before + 1
    assert stopped == [0]


def test_steps_aside_do_not_count() -> None:
    """Only time and cancelling are shared."""
    budget = Budget(steps=3)
    part = budget.aside(10)
    part.spend(8)
    assert (part.slice(100), budget.slice(100), budget.spent) == (2, 3, 0)


@pytest.mark.parametrize("steps", [1, 7, 40])
def test_steps_end_a_climb_where_they_did(steps: int) -> None:
    """The same steps come each time, and they are the first of those without a budget."""
    puzzle = read((BOARDS / "first-10x10.json").read_text())
    whole = explain(puzzle, chains=False, detail=True)
    found = []
    for _ in range(2):
        with pytest.raises(OutOfBudget, match="the steps are spent") as ended:
            explain(puzzle, chains=False, detail=True, budget=Budget(steps=steps))
        found.append(ended.value.known)
    assert found[0] == found[1] == whole[: len(found[0])]
    with pytest.raises(OutOfBudget) as graded:
        grade(puzzle, budget=Budget(steps=steps))
    assert graded.value.known.steps == len(found[0])


def test_what_is_known_is_shown() -> None:
    """Of an explanation and a grade, with exit code 3."""
    result = run("explain", SPARSE, "--steps", "50")
    assert result.exit_code == 3
    assert "so far" in result.stdout
    result = run("grade", SPARSE, "--steps", "50")
    assert result.exit_code == 3
    assert "hardest rung so far" in result.stdout
    result = run("loops", "--rows", "6", "--cols", "6", "--steps", "10")
    assert result.exit_code == 3
    assert "0 of 18 steps of the sweep are done" in result.stderr


@pytest.mark.parametrize("name", ["grade", "explain", "hint"])
def test_seconds_end_the_ladder(name: str) -> None:
    """Where a single step of it would take minutes."""
    started = time.process_time()
    result = run(name, SPARSE if name != "hint" else BLANK, "--seconds", "0.5")
    assert result.exit_code == 3
    assert time.process_time() - started < 5


def test_a_watcher_is_told() -> None:
    """What is spent, the phase, and the bounds as they move."""
    seen: list[Progress] = []
    board = read((BOARDS / "wide-5x9.json").read_text())
    minimise(board, "smallest", budget=Budget(watch=seen.append))
    assert seen[-1].steps >= seen[0].steps
    bounds = [(far.lower, far.upper) for far in seen if far.lower is not None]
    assert bounds
    assert all(lower <= upper for lower, upper in bounds if upper is not None)
