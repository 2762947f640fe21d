"""What may go wrong while a question is answered: workers die, clients go, memory ends."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from running import alive, children, serving, until

from castlecp.service.lanes import Lane
from castlecp.service.limits import Limits
from castlecp.service.problems import BUSY, DEADLINE, LOST, Refused
from castlecp.service.questions import BOARD, Tell
from castlecp.service.worker import Answer, Event, Task

ENDLESS = {"board": "cave/20/20/", "limit": 10_000}


def work(task: Task, limits: Limits, tell: Tell) -> Answer | None:
    """What a worker of these tests does: what its task says."""
    if task.question == "pid":
        return Answer(200, str(os.getpid()).encode())
    if task.question == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if task.question == "die once":
        path = Path(task.body.decode())
        if not path.exists():
            path.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Answer(200, b"alive")
    if task.question == "sleep":
        time.sleep(60)
    if task.question == "eat":
        held = []
        try:
            while True:
                held.append(bytearray(1 << 24))
        except MemoryError:
            return Answer(200, str(len(held)).encode())
    if task.question == "talk":
        for _ in range(200):
            tell("board", b"x" * 100_000)
    return None


def in_lane(test: Callable[[Lane, list[str]], Any], patience: float = 10, **more: Any) -> Any:
    """Run a test with a lane of two workers and a spare."""

    async def run() -> Any:
        killed: list[str] = []
        limits = Limits(patience=patience)
        options = {"waiting": 1, "spares": 1, "work": work, "killed": killed.append, **more}
        lane = Lane("test", 2, limits, **options)
        try:
            await lane.start()
            assert lane.is_ready
            return await test(lane, killed)
        finally:
            pids = lane.pids
            await lane.stop()
            for _ in range(1000):
                if not any(map(alive, pids)):
                    break
                await asyncio.sleep(0.005)
            assert not any(map(alive, pids))

    return asyncio.run(run())


async def pid_of(lane: Lane) -> int:
    answer = await lane.ask(Task("pid", b""), 10)
    assert answer
    return int(answer.content)


def test_a_worker_that_dies_costs_one_more_try(tmp_path: Path) -> None:
    async def test(lane: Lane, killed: list[str]) -> None:
        answer = await lane.ask(Task("die once", str(tmp_path / "x").encode()), 10)
        assert answer == Answer(200, b"alive")
        with pytest.raises(Refused) as caught:
            await lane.ask(Task("die", b""), 10)
        assert caught.value.kind is LOST
        assert killed == ["died"] * 3
        assert await pid_of(lane)

    in_lane(test)


def test_an_idle_worker_that_dies_is_no_loss() -> None:
    async def test(lane: Lane, killed: list[str]) -> None:
        for pid in lane.pids:
            os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.1)
        assert await pid_of(lane)

    in_lane(test)


def test_a_deadline_ends_the_worker() -> None:
    async def test(lane: Lane, killed: list[str]) -> None:
        pids, began = set(lane.pids), time.monotonic()
        with pytest.raises(Refused) as caught:
            await lane.ask(Task("sleep", b""), 0.2)
        assert caught.value.kind is DEADLINE
        assert time.monotonic() - began < 10
        (gone,) = pids - set(lane.pids)
        while alive(gone):
            await asyncio.sleep(0.005)
        assert killed == ["deadline"]
        assert await pid_of(lane)

    in_lane(test)


def test_who_goes_takes_the_worker_along() -> None:
    async def test(lane: Lane, killed: list[str]) -> None:
        asked = asyncio.create_task(lane.ask(Task("sleep", b""), 60))
        await asyncio.sleep(0.05)
        pids, began = set(lane.pids), time.monotonic()
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        (gone,) = pids - set(lane.pids)
        while alive(gone):
            await asyncio.sleep(0.001)
        assert time.monotonic() - began < 5
        assert killed == ["client gone"]
        assert lane.held.busy == 0

    in_lane(test)


def test_a_full_queue_is_said_at_once() -> None:
    async def test(lane: Lane, killed: list[str]) -> None:
        asked = [asyncio.create_task(lane.ask(Task("sleep", b""), 60)) for _ in range(3)]
        await asyncio.sleep(0.1)
        assert lane.held[:2] == (1, 2)
        with pytest.raises(Refused) as caught:
            await lane.ask(Task("pid", b""), 10)
        assert caught.value.kind is BUSY
        with pytest.raises(Refused, match="no worker was free within"):
            await asked[2]
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert lane.held[:2] == (0, 0)

    in_lane(test, patience=0.5)


def test_memory_has_an_end() -> None:
    async def test(lane: Lane, killed: list[str]) -> None:
        answer = await lane.ask(Task("eat", b""), 30)
        assert answer
        assert 4 <= int(answer.content) <= 16

    in_lane(test, memory=1 << 28)


def test_a_slow_reader_holds_its_worker_and_no_memory() -> None:
    """What nobody reads is not written: of 20 MB the server holds next to nothing."""

    async def test(lane: Lane, killed: list[str]) -> None:
        frames = lane.frames(Task("talk", b"", listens=True), 1.0)
        assert isinstance(await anext(frames), Event)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        await asyncio.sleep(0.7)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4_000
        # Its deadline ends the worker although nobody reads.
        await asyncio.sleep(0.5)
        assert killed == ["deadline"]
        assert lane.held.busy == 0
        with pytest.raises(Refused):
            async for _ in frames:
                pass

    in_lane(test)


def busy(server: Any, lane: str = "slow") -> float:
    return float(server.metrics[f'castlecp_busy{{lane="{lane}"}}'])


def test_a_client_that_goes_ends_its_search(tmp_path: Path) -> None:
    """Of a question, and of a stream, whose reader may be slow besides."""
    with serving(tmp_path / "log", "--workers", "1") as server:
        large = {"genre": "cave", "rows": 30, "cols": 30, "difficulty": "expert"}
        for path, body in (("count", ENDLESS), ("generate", large)):
            before = set(server.pids)
            content = httpx.Request("POST", server.url, json=body).read()
            head = (
                f"POST /api/v1/{path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
                f"content-length: {len(content)}\r\n\r\n"
            )
            host, port = server.url.removeprefix("http://").split(":")
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(head.encode() + content)
                until(lambda: busy(server) == 1)
            until(lambda before=before: not all(map(alive, before)), 5)
            until(lambda: busy(server) == 0)
            kinds = server.metrics
            assert kinds['castlecp_kills_total{lane="slow",reason="client gone"}'] >= 1
        assert server.ask("solve", board=BOARD).status_code == 200


def test_workers_that_are_killed_while_they_work(tmp_path: Path) -> None:
    """The question is asked once more; whoever asks next notices nothing."""
    with serving(tmp_path / "log", "--workers", "1") as server, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(server.ask, "count", **ENDLESS, seconds=2)
        until(lambda: busy(server) == 1)
        time.sleep(0.3)
        os.kill(max(children(server.process.pid), key=_spent), signal.SIGKILL)
        assert answer.result().json()["kind"] == "timed out"
        assert server.ask("solve", board=BOARD).status_code == 200


def _spent(pid: int) -> int:
    """The processor time of a worker; none for what only starts workers."""
    if "forkserver" not in Path(f"/proc/{pid}/cmdline").read_text() or children(pid):
        return 0
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


def test_a_server_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    with serving(tmp_path / "log", "--workers", "1") as server, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(server.ask, "count", **ENDLESS)
        until(lambda: busy(server) == 1)
        pids = server.pids
        server.process.kill()
        with pytest.raises(httpx.HTTPError):
            answer.result()
        until(lambda: not any(map(alive, pids)), 5)


def test_many_slow_clients(tmp_path: Path) -> None:
    """200 that send a byte now and then keep nobody from an answer, and are let go."""
    with serving(tmp_path / "log", "--workers", "1", BODY_SECONDS=2) as server:
        host, port = server.url.removeprefix("http://").split(":")
        head = b"POST /api/v1/solve HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        slow = [socket.create_connection((host, int(port))) for _ in range(200)]
        for connection in slow:
            connection.sendall(head + b"content-length: 1000\r\n\r\n{")
        # Some say not even what they want.
        mute = [socket.create_connection((host, int(port))) for _ in range(50)]
        for connection in mute[::2]:
            connection.sendall(head)
        began = time.monotonic()
        assert server.ask("solve", board=BOARD).status_code == 200
        assert time.monotonic() - began < 5
        for connection in slow:
            connection.settimeout(10)
            assert connection.recv(12) == b"HTTP/1.1 408"
            connection.close()
        for connection in mute:
            connection.settimeout(10)
            with suppress(ConnectionResetError):
                assert connection.recv(1) == b""
            connection.close()


@pytest.mark.parametrize("piece", [b"x: " + b"y" * 1000 + b"\r\n", b"y" * 1000])
@pytest.mark.parametrize("before", [b"", b"transfer-encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n"])
def test_a_head_without_end_is_dropped(piece: bytes, before: bytes, server: Any) -> None:
    """Also one that comes behind the body, as trailers do."""
    host, port = server.url.removeprefix("http://").split(":")
    head = b"POST /api/v1/solve HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    with socket.create_connection((host, int(port))) as connection:
        connection.settimeout(10)
        connection.sendall(head + before)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            connection.sendall(piece * 20_000)
    assert server.ask("solve", board=BOARD).status_code == 200


@pytest.mark.parametrize(
    "request_line",
    [
        b"\x00\xff",
        b"GET / HTTP/9.9",
        b"GET /%00%ff HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
        b"GET http://elsewhere/none HTTP/1.1",
        b"CONNECT x:1 HTTP/1.1",
        b"GET /../../etc HTTP/1.1",
        b"POST /api/v1/solve HTTP/1.1\r\ncontent-length: +5",
        b"POST /api/v1/solve HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nZZ",
    ],
)
def test_what_is_hardly_http(request_line: bytes, server: Any) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.settimeout(10)
        connection.sendall(request_line + b"\r\nhost: x\r\n\r\n")
        assert connection.recv(12) in (b"HTTP/1.1 400", b"HTTP/1.1 404")
