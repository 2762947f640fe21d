"""A server of its own, for tests: started, asked, and ended with all of its processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from castlecp.service.limits import Limits

#: Tests ask more often than people do.
PLENTY = {
    f"CASTLECP_{name.upper()}_{key.upper()}": "1000000"
    for name, bound in msgspec.to_builtins(Limits()).items()
    if isinstance(bound, dict)
    for key in ("rate", "burst", "at_once")
    if (name, key) != ("jobs", "at_once")
}


def children(pid: int) -> list[int]:
    """All processes below a process."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            if parent == pid:
                found += [int(entry.name), *children(int(entry.name))]
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def until(holds: Any, seconds: float = 10.0) -> float:
    """Wait until something holds; how long it took."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, "it did not come about"
        time.sleep(0.005)
    return time.monotonic() - began


class Server:
    """`castlecp serve` on a free port."""

    def __init__(self, log: Path, *options: str, **limits: Any) -> None:
        self.log = log
        said = {f"CASTLECP_{name}": str(value) for name, value in limits.items()}
        self.data = log.parent / "data"
        command = [sys.executable, "-m", "castlecp", "serve", "--port", "0"]
        command += ["--data", str(self.data), *options]
        with log.open("ab") as err:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=err, env={**os.environ, **PLENTY, **said}
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        found = re.fullmatch(r"castlecp listens on (http://\S+)\n", line)
        assert found, (line, log.read_text())
        self.url = found[1]
        self.http = httpx.Client(base_url=f"{self.url}/api/v1", timeout=60)

    def wait(self) -> Server:
        """It, once it is ready."""
        until(lambda: httpx.get(f"{self.url}/readyz").status_code == 200, 120)
        return self

    def ask(self, question: str, **asked: Any) -> httpx.Response:
        """The answer to a question, as JSON."""
        return self.http.post(f"/{question}", json=asked, headers={"accept": "application/json"})

    def events(self, question: str, **asked: Any) -> list[tuple[str, Any]]:
        """The events of a stream, its comments left out."""
        headers = {"accept": "text/event-stream"}
        with self.http.stream("POST", f"/{question}", json=asked, headers=headers) as answer:
            assert answer.headers["content-type"] == "text/event-stream", answer.read()
            return list(read_events(answer.iter_lines()))

    @property
    def metrics(self) -> dict[str, float]:
        """What was counted, by name and labels."""
        text = httpx.get(f"{self.url}/metrics").text
        lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in lines}

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines of its log."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    @property
    def pids(self) -> list[int]:
        """Its processes."""
        return [self.process.pid, *children(self.process.pid)]

    def end(self, number: int = signal.SIGTERM) -> int:
        """Ask it to stop; its exit code."""
        self.process.send_signal(number)
        try:
            return self.process.wait(10)
        finally:
            self.close()

    def close(self) -> None:
        """Let go of what it has open here."""
        self.http.close()
        assert self.process.stdout is not None
        self.process.stdout.close()


def read_events(lines: Any) -> Any:
    """Names and data of events."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@contextmanager
def serving(log: Path, *options: str, **limits: Any) -> Any:
    """A server that is ready; afterwards none of its processes is left."""
    server = Server(log, *options, **limits)
    try:
        yield server.wait()
    finally:
        pids = server.pids
        if server.process.poll() is None:
            server.end()
        server.close()
        until(lambda: not any(map(alive, pids)), 5)
