"""Tasks on executors: order, room, workers and parents that die, and that for every command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from boards import HERE
from deadly import doubled, once, wait_for_the_end
from test_banks import Here, invoke, unique_boards

from castlecp.executors import EXECUTORS, run
from castlecp.executors.local import Local


def twice(number: int) -> int:
    """Work that never fails."""
    return 2 * number


def lost(item: object, reason: str) -> str:
    """What stands for an item whose worker died twice."""
    return f"{item}: {reason}"


@pytest.fixture
def local() -> Iterator[Local]:
    """Two workers."""
    executor = Local(2, patience=1.0)
    yield executor
    executor.close()


def test_names() -> None:
    """The folder has all of them, and no more."""
    assert EXECUTORS.names() == ("cluster", "here", "local")
    assert EXECUTORS["local"] is Local


@pytest.mark.parametrize("chunk", [1, 7])
def test_workers_that_die(local: Local, chunk: int) -> None:
    """The tasks that kill are lost with a reason each; all others are done, in order."""
    results = list(run(range(30), doubled, lost, lambda: local, chunk))
    assert results == [
        *(2 * number for number in range(13)),
        "13: its worker died (SIGKILL)",
        "14: its worker died (exit code 3)",
        "15: ValueError: not this one",
        "16: it was stopped after 1 s",
        *(2 * number for number in range(17, 30)),
    ]


def test_a_second_try(local: Local, tmp_path: Path) -> None:
    """What dies once is tried again and done."""
    paths = [str(tmp_path / str(number)) for number in range(3)]
    assert list(run(paths, once, lost, lambda: local)) == paths


def test_idle_workers_that_die(local: Local) -> None:
    """A worker killed while it has nothing to do is replaced, and nothing is lost."""
    for _ in range(2):
        for number in range(4):
            local.submit(number, doubled, number)
        assert sorted(local.finished() for _ in range(4)) == [(n, 2 * n) for n in range(4)]
        for worker in local._workers:
            assert worker.process is not None
            worker.process.kill()
            worker.process.join()


@pytest.mark.parametrize("executor", [Here, EXECUTORS["here"]])
def test_items_are_taken_as_there_is_room(executor: Callable[[], Here]) -> None:
    """Of many items never more than a window is held, whatever the order of results."""
    taken = given = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(1, 20_001):
            taken = number
            yield number

    for given, result in enumerate(run(items(), twice, lost, executor, 4), 1):
        assert result == 2 * given
        assert taken - given < 4 * executor.slots * 8 + 8
    assert given == 20_000


def test_nothing_to_do_starts_nothing() -> None:
    """No item, no executor; and one that was begun is closed with the results."""
    assert list(run([], twice, lost, lambda: pytest.fail("no work"))) == []
    closed = []
    executor = Here()
    executor.close = lambda: closed.append(True)  # type: ignore[method-assign]
    results = run([1, 2, 3], twice, lost, lambda: executor)
    assert next(results) == 2
    results.close()
    assert closed == [True]


# Every command.


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of four boards."""
    file = tmp_path_factory.mktemp("source") / "bank.jsonl"
    file.write_text("\n".join(unique_boards(4)))
    return file


#: The arguments of each command with tasks, without those for where they run.
COMMANDS: dict[str, Callable[[Path, Path], list[str]]] = {
    "certify": lambda bank, out: ["certify", str(bank), "-o", str(out), "--no-grade"],
    "generate": lambda bank, out: [
        *("generate", "slither", "--rows", "4", "--cols", "5", "--count", "4", "-o", str(out))
    ],
    "minimise": lambda bank, out: ["minimise", str(bank), "-o", str(out)],
    "crosscheck": lambda bank, out: ["crosscheck", str(bank), "-o", str(out), "--json"],
}
every_command = pytest.mark.parametrize("name", COMMANDS)


def begin(arguments: list[str], fault: str, folder: Path) -> subprocess.Popen[str]:
    """Start a command on two jobs with a fault in its tasks."""
    folder.mkdir()
    return subprocess.Popen(
        [sys.executable, str(HERE / "planted.py"), *arguments, "--jobs", "2"],
        env=os.environ | {"PLANTED": f"{fault}:{folder}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def lines_of(output: Path, said: str) -> list[str]:
    """What a command wrote, or what it said when that is all."""
    return output.read_text().splitlines() if output.exists() else said.splitlines()


@every_command
def test_a_worker_that_is_killed(name: str, source: Path, tmp_path: Path) -> None:
    """It costs one retry: the same code and bytes. What kills twice is given up, alone."""
    whole, one, two = (tmp_path / out for out in ("whole", "one", "two"))
    code, said = invoke(*COMMANDS[name](source, whole), "--jobs", "1")
    expected = lines_of(whole, "\n".join(said))

    process = begin(COMMANDS[name](source, one), "once", tmp_path / "strikes-once")
    out, err = process.communicate(timeout=60)
    assert process.returncode == code == 0, err
    assert len(list((tmp_path / "strikes-once").iterdir())) == 1
    assert lines_of(one, out) == expected

    process = begin(COMMANDS[name](source, two), "always", tmp_path / "strikes-always")
    out, err = process.communicate(timeout=60)
    assert len(list((tmp_path / "strikes-always").iterdir())) == 2
    assert "Traceback" not in err
    found = lines_of(two, out)
    reason = "its worker died (SIGKILL)"
    if name == "generate":
        assert process.returncode == 3
        assert f"warning: seed 2 is given up: {reason}" in err
        assert found == [*expected[:2], *expected[3:]]
    elif name == "crosscheck":
        assert process.returncode == 3
        assert json.loads(found[0])["boards"] == json.loads(expected[0])["boards"] - 1 == 3
        assert json.loads(found[0])["lost"] == [f"{source}, line 2: {reason}"]
    else:
        assert process.returncode == 1
        assert f"{source}, line 2: {reason}" in err + out
        assert [found[0], *found[2:]] == [expected[0], *expected[2:]]
        assert reason in found[1]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *((name, number) for name in COMMANDS for number in (signal.SIGKILL, signal.SIGTERM)),
        ("generate", signal.SIGHUP),
        ("generate", signal.SIGINT),
    ],
)
def test_no_worker_outlives_its_parent(
    name: str, number: signal.Signals, source: Path, tmp_path: Path
) -> None:
    """Nor holds its output open, though its work holds Python's lock."""
    process = begin(COMMANDS[name](source, tmp_path / "out"), "hang", tmp_path / "strikes")
    # A task of `certify` has all the boards.
    busy = 1 if name == "certify" else 2
    while len(list((tmp_path / "strikes").iterdir())) < busy:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    wait_for_the_end(process.pid)
    assert out == ""
    if number == signal.SIGKILL:
        assert (process.returncode, err) == (-signal.SIGKILL, "")
    else:
        assert (process.returncode, err) == (128 + number, "castlecp: interrupted\n")


@every_command
def test_same_bytes_for_any_number_of_jobs(name: str, source: Path, tmp_path: Path) -> None:
    """In this process and in two others."""
    found = []
    for jobs in ("1", "2"):
        output = tmp_path / f"out-{jobs}"
        code, said = invoke(*COMMANDS[name](source, output), "--jobs", jobs)
        found.append((code, lines_of(output, "\n".join(said))))
    assert found[0] == found[1]


@every_command
def test_jobs_or_a_cluster(name: str, source: Path, tmp_path: Path) -> None:
    """Not both, and a cluster that is not there is one sentence."""
    command = COMMANDS[name](source, tmp_path / "out")
    assert invoke(*command, "--jobs", "2", "--cluster", "tcp://127.0.0.1:9")[0] == 2
    assert not (tmp_path / "out").exists()
