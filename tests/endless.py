"""Work that goes on for minutes, and how soon it ends: by Ctrl-C or from another thread."""

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

from castlecp import Budget, codecs, counting, read
from castlecp.certify.certificate import Certificate, encode, pack, unpack
from castlecp.certify.formula import Formula
from castlecp.certify.prove import _proof, certify
from castlecp.certify.verify import replay
from castlecp.engines import names
from castlecp.errors import OutOfBudget
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


def state(pid: int) -> tuple[str, float]:
    """The letter of /proc for what a process does, and the seconds that it has taken so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return fields[0], (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupted(name: str, folder: Path) -> tuple[float | None, int, str]:
    """Ctrl-C for a command of LONG that has worked for about a second, with files in `folder`.

    Seconds of processor time that it went on (None where its workers' time is in it too), its exit
    code, and what it said.
    """
    bank = folder / "bank.txt"
    bank.write_text(f"{MANY}\n" * 100_000)
    full = folder / "full.json"
    huge, drawn, proved = folder / "huge.txt", folder / "drawn.json", folder / "proved.jsonl"
    files = {
        "FILE": str(folder / "out.jsonl"),
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
        while state(process.pid)[1] < 1.0 and time.monotonic() < until:
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.05)
            if name in {"certify", "verify", "author verify", "author prune"}:
                until = min(until, time.monotonic() + 3)
        # It stands still while its time is read.
        process.send_signal(signal.SIGSTOP)
        while state(process.pid)[0] not in "TZ":
            time.sleep(0.001)
        spent = state(process.pid)[1]
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        _, errors = process.communicate(timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - spent
    return None if name in {"certify", "verify"} else took, process.returncode, errors


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
def pigeons() -> tuple[Formula, str]:
    """That eight pigeons do not fit into seven holes, and a proof that takes seconds to check."""
    holes = 7
    places = [[pigeon * holes + hole for hole in range(1, holes + 1)] for pigeon in range(8)]
    clauses: list[tuple[int, ...]] = list(map(tuple, places))
    for one, other in combinations(places, 2):
        clauses += [(-a, -b) for a, b in zip(one, other, strict=True)]
    claim = Formula(8 * holes, clauses)
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
