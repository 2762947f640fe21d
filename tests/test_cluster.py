"""Runs on a Dask cluster: a real scheduler and two workers, one of which is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from deadly import slowly
from test_banks import invoke, unique_boards
from test_executors import COMMANDS, lines_of

from castlecp.errors import CastlecpError
from castlecp.executors import run

distributed = pytest.importorskip("distributed")


@contextmanager
def cluster(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address and the process of a scheduler with workers of one thread each."""
    paths = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s",
    }

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
        with (folder / f"{len(processes)}.log").open("wb") as log:
            return subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)

    processes: list[subprocess.Popen[bytes]] = []
    file = folder / "scheduler.json"
    where = ("--host", "127.0.0.1", "--no-dashboard")
    processes.append(start("dask_scheduler", *where, "--port", "0", "--scheduler-file", str(file)))
    for name in names:
        processes.append(
            start(
                "dask_worker",
                *where,
                *("--scheduler-file", str(file), "--nthreads", "1", "--name", name),
                *("--no-nanny", "--local-directory", str(folder)),
            )
        )
    try:
        with distributed.Client(scheduler_file=str(file), timeout=30) as client:
            client.wait_for_workers(len(names), timeout=30)
            address = client.scheduler.address
        yield address, processes[0]
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    with cluster(tmp_path_factory.mktemp("dask"), "ab") as (address, _):
        yield address


def test_the_same_output(scheduler: str, tmp_path: Path) -> None:
    """A bank certified on the cluster gives the bytes it gives here, and verifies there."""
    source = tmp_path / "bank"
    source.write_text("\n".join([*unique_boards(20), "castle/4/4/p", "castle/4/4/!"]))
    here, there = tmp_path / "here", tmp_path / "there"
    assert invoke("certify", source, "-o", here, "--jobs", "1") == invoke(
        "certify", source, "-o", there, "--cluster", scheduler
    )
    assert here.read_bytes() == there.read_bytes()
    assert invoke("verify", here, "--jobs", "1") == invoke("verify", here, "--cluster", scheduler)
    assert invoke("verify", here, "--cluster", scheduler, "--export", tmp_path / "out") == (2, [])


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "certify"])
def test_every_command(name: str, scheduler: str, tmp_path: Path) -> None:
    """The same bytes as here."""
    source = tmp_path / "bank.jsonl"
    source.write_text("\n".join(unique_boards(4)))
    found = []
    for where in (("--jobs", "1"), ("--cluster", scheduler)):
        output = tmp_path / where[0]
        code, said = invoke(*COMMANDS[name](source, output), *where)
        found.append((code, lines_of(output, "\n".join(said))))
    assert found[0] == found[1]
    assert found[0][0] == 0


def lost(number: int, reason: str) -> str:
    """What would stand for a lost task."""
    return f"{number}: {reason}"


def test_a_worker_is_killed(scheduler: str) -> None:
    """Every result arrives although one of the two workers dies in the middle."""
    from castlecp.executors.cluster import Cluster

    workers = []
    for number, worker in enumerate(run(range(120), slowly, lost, lambda: Cluster(scheduler), 2)):
        workers.append(worker)
        if number == 20:
            assert len(set(workers)) == 2
            os.kill(workers[0], signal.SIGKILL)
    assert len(workers) == 120
    assert all(isinstance(worker, int) for worker in workers)
    assert workers[0] not in workers[-20:]


def test_the_scheduler_is_lost(tmp_path: Path) -> None:
    """One sentence, whatever was under way, and not after minutes."""
    from castlecp.executors.cluster import Cluster

    with cluster(tmp_path, "a") as (address, process):
        results = run(range(1000), slowly, lost, lambda: Cluster(address, patience=1.0))
        next(results)
        process.kill()
        process.wait()
        with pytest.raises(CastlecpError, match=f"^the cluster at {address} is lost"):
            list(results)


def test_nobody_there() -> None:
    """No scheduler at the address is one clear error."""
    from castlecp.executors.cluster import Cluster

    with pytest.raises(CastlecpError, match="no cluster at"):
        Cluster("tcp://127.0.0.1:9", patience=0.3)
