"""Runs over banks: what they give is what the commands give, whoever was killed meanwhile."""

from __future__ import annotations

import json
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from running import Server, alive, read_events, serving, until

import castlecp
from castlecp import bank, codecs, wire
from castlecp.generate.minimise import minimise
from castlecp.ladder import assess
from castlecp.service.questions import BOARD

SECOND = "slither/2/2/dg"
THIRD = {"type": "slither", "rows": 3, "cols": 3, "clues": [{"row": 1, "col": 1, "number": 0}]}
BANK = f"{BOARD}\n{SECOND}\n# a remark\n\n{json.dumps(THIRD)}\n"
#: Of a bank that takes some seconds.
LONG = "\n".join(f"{BOARD}" for _ in range(60))


def post(server: Any, kind: str, content: str | bytes = BANK, **query: Any) -> tuple[str, Any]:
    """A job that has begun, and what it is asked with."""
    answer = server.http.post(f"/jobs/{kind}", content=content, params=query)
    assert answer.status_code == 202, answer.text
    told = answer.json()
    assert answer.headers["location"] == f"/api/v1/jobs/{told['id']}"
    return told["id"], {"authorization": f"Bearer {told['secret']}"}


def get(server: Any, job: tuple[str, Any], path: str = "") -> httpx.Response:
    return server.http.get(f"/jobs/{job[0]}{path}", headers=job[1])


def ended(server: Any, job: tuple[str, Any], seconds: float = 60) -> dict[str, Any]:
    until(lambda: get(server, job).json()["state"] not in ("waiting", "running"), seconds)
    return dict(get(server, job).json())


def test_certificates_of_a_bank(server: Any, tmp_path: Path) -> None:
    """The results are the file that `castlecp certify` writes, and `castlecp verify` takes."""
    job = post(server, "certify", graded="false")
    # Results stream while there are none yet, and end with the job.
    lines = get(server, job, "/results").text.splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["unique", "multiple", "multiple"]
    told = ended(server, job)
    assert (told["state"], told["boards"], told["done"]) == ("done", 3, 3)
    assert told["statuses"] == {"unique": 1, "multiple": 2}
    assert told["until"] > time.time()
    (tmp_path / "bank.jsonl").write_text(BANK)
    command = [sys.executable, "-m", "castlecp", "certify", "bank.jsonl", "-o", "x.jsonl"]
    subprocess.run([*command, "--no-grade"], cwd=tmp_path, capture_output=True)
    assert (tmp_path / "x.jsonl").read_text().splitlines() == lines


def test_smaller_boards_of_a_bank(server: Any) -> None:
    job = post(server, "minimise", seed=5, method="greedy")
    told = ended(server, job)
    assert told["statuses"] == {"done": 1, "failed": 2}
    first, *others = get(server, job, "/results").content.splitlines(keepends=True)
    assert bank.is_sealed(first)
    less = minimise(castlecp.read(BOARD), "greedy", seed=5)
    assert codecs.read(first) == less.puzzle
    assert ["unique" in json.loads(line)["error"] for line in others] == [True, True]


def test_grades_of_a_bank(server: Any) -> None:
    job = post(server, "grade", BANK + "nothing\n")
    assert ended(server, job)["statuses"] == {"done": 3, "unreadable": 1}
    first = json.loads(get(server, job, "/results").text.splitlines()[0])
    expected = wire.Grade.of(assess(castlecp.read(BOARD)))
    assert first["grade"] == json.loads(wire.encode(expected))
    assert codecs.read(json.dumps(first)) == castlecp.read(BOARD)


def test_how_far_it_is(server: Any) -> None:
    job = post(server, "grade")
    with server.http.stream("GET", f"/jobs/{job[0]}/events", headers=job[1]) as answer:
        *news, last = read_events(answer.iter_lines())
    assert last[0] == "done"
    assert last[1]["state"] == "done"
    assert all(name == "progress" for name, _ in news)
    assert "secret" not in last[1] or last[1]["secret"] is None


def test_a_job_belongs_to_who_has_its_secret(server: Any) -> None:
    name, _ = post(server, "grade")
    for headers in ({}, {"authorization": "Bearer x"}, {"authorization": "Basic x"}):
        for path in ("", "/events", "/results"):
            assert get(server, (name, headers), path).status_code == 401
        assert server.http.delete(f"/jobs/{name}", headers=headers).status_code == 401
    assert get(server, ("none", {})).status_code == 404
    assert server.http.post("/jobs/nothing", content=BANK).status_code == 404


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "there is no board"),
        ("# nothing\n", "there is no board"),
        ("castle/99/99/\n", "bank.jsonl, line 1: a board of 9,801 cells, and 2,500 are taken here"),
    ],
)
def test_banks_that_are_none(content: str, reason: str, server: Any) -> None:
    told = ended(server, post(server, "minimise", content))
    assert (told["state"], told["reason"]) == ("failed", reason)


@pytest.mark.parametrize("query", [{"method": "x"}, {"nothing": "1"}, {"steps": "-1"}])
def test_options_that_are_none(query: dict[str, str], server: Any) -> None:
    answer = server.http.post("/jobs/minimise", content=BANK, params=query)
    assert answer.status_code == 422
    assert "the query" in answer.json()["detail"]


def test_who_cancels_ends_it(server: Any) -> None:
    job = post(server, "certify", LONG)
    until(lambda: get(server, job).json()["done"] > 0, 30)
    below = [pid for pid in server.pids if pid != server.process.pid]
    told = server.http.delete(f"/jobs/{job[0]}", headers=job[1]).json()
    assert told["state"] == "cancelled"
    assert get(server, job).status_code == 404
    assert not (server.data / "jobs" / job[0]).exists()
    until(lambda: sum(map(alive, below)) < len(below), 5)


def test_a_killed_server_goes_on_with_its_jobs(tmp_path: Path) -> None:
    """After kill -9 in the middle nothing is lost, and what was done is not done again."""
    server = Server(tmp_path / "log", "--workers", "1").wait()
    job = post(server, "certify", LONG, graded="false")
    until(lambda: get(server, job).json()["done"] >= 16, 60)
    before = get(server, job).json()["done"]
    pids = server.pids
    server.end(signal.SIGKILL)
    until(lambda: not any(map(alive, pids)), 10)
    part = tmp_path / "data" / "jobs" / job[0] / "results.jsonl.part"
    kept = part.read_bytes()
    assert before <= kept.count(b"\n") < 60
    with serving(tmp_path / "log", "--workers", "1") as again:
        told = ended(again, job)
        assert (told["state"], told["statuses"]) == ("done", {"unique": 60})
        results = get(again, job, "/results").content
        assert results.startswith(kept[: kept.rfind(b"\n") + 1])
        assert results.count(b"\n") == 60
        # A second server leaves them alone, and says so.
        with serving(tmp_path / "other", "--workers", "1", "--data", str(again.data)) as other:
            answer = other.http.post("/jobs/grade", content=BANK)
            assert answer.status_code == 503
            assert answer.json()["detail"] == "another server has the jobs of this folder"


def test_slow_readers_of_results_take_no_memory(tmp_path: Path) -> None:
    """What they do not read stays on the disk, and nobody waits for them."""
    with serving(tmp_path / "log", "--workers", "1") as server:
        job = post(server, "certify", graded="false")
        ended(server, job)
        with (server.data / "jobs" / job[0] / "results.jsonl").open("ab") as file:
            file.write((b"x" * 999 + b"\n") * 50_000)
        before = _memory(server.process.pid)
        host, port = server.url.removeprefix("http://").split(":")
        head = f"GET /api/v1/jobs/{job[0]}/results HTTP/1.1\r\nhost: x\r\n"
        head += f"authorization: {job[1]['authorization']}\r\n\r\n"
        readers = [socket.create_connection((host, int(port))) for _ in range(8)]
        for reader in readers:
            reader.sendall(head.encode())
            assert reader.recv(12) == b"HTTP/1.1 200"
        time.sleep(0.5)
        assert _memory(server.process.pid) - before < 15_000  # kB; one of them asks for 50,000
        assert server.ask("solve", board=BOARD).status_code == 200
        for reader in readers:
            reader.close()


def _memory(pid: int) -> int:
    """The memory of a process, in kB."""
    (line,) = (x for x in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmRSS" in x)
    return int(line.split()[1])


def test_jobs_have_limits(tmp_path: Path) -> None:
    """Of bytes, of jobs, and of time to be kept."""
    said = {"JOBS_BYTES": 10_000, "JOBS_MOST": 3, "JOBS_AN_ADDRESS": 2, "JOBS_HOURS": 1e-9}
    with serving(tmp_path / "log", "--workers", "1", **said) as server:
        large = server.http.post("/jobs/grade", content=b"x" * 20_000)
        assert (large.status_code, large.json()["type"]) == (413, "castlecp:too-large")
        post(server, "certify", LONG)
        second = post(server, "certify", LONG)
        assert get(server, second).json()["state"] == "waiting"
        third = server.http.post("/jobs/grade", content=BANK)
        assert (third.status_code, third.json()["detail"]) == (
            429,
            "2 jobs of yours have not ended",
        )
        assert int(third.headers["retry-after"]) == 60
        assert server.http.delete(f"/jobs/{second[0]}", headers=second[1]).status_code == 200


def test_jobs_on_a_cluster(tmp_path: Path) -> None:
    """The same results from elsewhere; a scheduler that is gone is the reason of a failure."""
    pytest.importorskip("distributed")
    from test_cluster import cluster

    with cluster(tmp_path, ["one"]) as (address, _):
        said = ("--workers", "1", "--cluster", address)
        with serving(tmp_path / "log", *said) as server:
            job = post(server, "minimise", BOARD)
            assert ended(server, job)["statuses"] == {"done": 1}
            (line,) = get(server, job, "/results").content.splitlines()
            assert codecs.read(line) == minimise(castlecp.read(BOARD)).puzzle
    with serving(tmp_path / "log", "--workers", "1", "--cluster", "tcp://127.0.0.1:9") as server:
        told = ended(server, post(server, "minimise", BOARD))
        assert told["state"] == "failed"
        assert told["reason"].startswith("no cluster at tcp://127.0.0.1:9")


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    """Nothing half-written stays, and everything else goes on."""
    with serving(tmp_path / "log", "--workers", "1") as server:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (50_000, 50_000))
        answer = server.http.post("/jobs/grade", content=BOARD + "\n" + "#" * 200_000)
        assert answer.status_code == 507
        assert answer.json()["detail"] == "the bank cannot be stored: File too large"
        assert list((server.data / "jobs").iterdir()) == []
        assert server.ask("solve", board=BOARD).status_code == 200


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    """Without a place for them there are no jobs, and all else is there."""
    (tmp_path / "file").write_text("")
    with serving(tmp_path / "log", "--data", str(tmp_path / "file"), "--workers", "1") as server:
        answer = server.http.post("/jobs/grade", content=BANK)
        assert answer.status_code == 503
        assert "jobs cannot be stored" in answer.json()["detail"]
        assert server.ask("solve", board=BOARD).status_code == 200
