"""One budget ends everything: by time, by steps, from another thread, and by Ctrl-C."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from endless import (
    BLANK,
    BOARDS,
    LONG,
    SEARCHES,
    SPARSE,
    cancelled_soon,
    dense,
    interrupted,
    pigeons,
)
from test_cli import run
from test_options import commands

from castlecp import Budget, counting, read
from castlecp.budget import Progress
from castlecp.errors import Cancelled, OutOfBudget
from castlecp.generate.minimise import minimise
from castlecp.grid import Lattice
from castlecp.ladder import explain, grade

#: Commands that only read, write or draw one board.
SHORT = {"convert", "draw", "author boards", "schema"}

#: Commands that go on until they are told to stop; tests/service holds how they do.
ENDLESS = {"serve"}

#: Seconds of processor time after which work that should have ended goes on; without an end it
#: would take minutes. `scripts/bench_cancel` measures how soon each ends.
TOO_LONG = 5.0


def test_every_command_is_long_or_short() -> None:
    """A new command is put into one of the tables above."""
    assert {name for name, _ in commands()} == set(LONG) | SHORT | ENDLESS


def test_long_commands_take_seconds_and_steps() -> None:
    """All of them, and `test_options` holds that they are the same in each."""
    for name, command in commands():
        options = {option for param in command.params for option in param.opts}
        if name in LONG:
            assert {"--seconds", "--steps"} <= options, name


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_a_command(name: str, tmp_path: Path) -> None:
    """With exit code 130 and one sentence."""
    took, code, errors = interrupted(name, tmp_path)
    assert code == 130, errors
    assert errors.count("castlecp: interrupted") == 1
    assert "Traceback" not in errors
    assert took is None or took < TOO_LONG


@pytest.mark.parametrize("name", SEARCHES)
def test_cancel_from_another_thread(name: str) -> None:
    """A search ends, and says that it was cancelled or that it is not done."""
    dense(), pigeons()
    took, made = cancelled_soon(SEARCHES[name])
    assert took < TOO_LONG
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


def test_samples_are_cancelled_one_by_one() -> None:
    """Those that are drawn but not given out yet do not come any more."""
    budget = Budget()
    samples = counting.Sampler(Lattice(4, 5)).samples(1, 100, budget)
    next(samples)
    budget.cancel()
    with pytest.raises(Cancelled):
        next(samples)


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
    assert time.process_time() - started < TOO_LONG


def test_a_watcher_is_told() -> None:
    """What is spent, the phase, and the bounds as they move."""
    seen: list[Progress] = []
    board = read((BOARDS / "wide-5x9.json").read_text())
    minimise(board, "smallest", budget=Budget(watch=seen.append))
    assert seen[-1].steps >= seen[0].steps
    bounds = [(far.lower, far.upper) for far in seen if far.lower is not None]
    assert bounds
    assert all(lower <= upper for lower, upper in bounds if upper is not None)
