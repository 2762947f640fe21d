"""Work that kills its worker, and workers that are to end.

Apart from the tests so that a new worker has little to import.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def doubled(number: int) -> int:
    """Fails in its own way on some numbers."""
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 14:
        os._exit(3)
    if number == 15:
        raise ValueError("not this one")
    if number == 16:
        time.sleep(60)
    return 2 * number


def once(path: str) -> str:
    """Kills its worker the first time."""
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path


def slowly(number: int) -> int:
    """Takes a while, and says who did it."""
    time.sleep(0.025)
    return os.getpid()


def members(group: int) -> list[str]:
    """The processes of a process group, as /proc knows them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, pgrp, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(pgrp) == group and state != "Z":
                found.append(entry.name)
    return found


def wait_for_the_end(group: int) -> None:
    """Wait until a process group has no process; fails when it lives on."""
    deadline = time.monotonic() + 20
    while left := members(group):
        assert time.monotonic() < deadline, f"workers outlive the run: {left}"
        time.sleep(0.05)
