"""Work that kills its worker; apart from the tests so that a new worker has little to import."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path


def doubled(numbers: Sequence[int]) -> list[int]:
    """Fails in its own way on some numbers."""
    for number in numbers:
        if number == 13:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 14:
            os._exit(3)
        if number == 15:
            raise ValueError("not this one")
        if number == 16:
            time.sleep(60)
    return [2 * number for number in numbers]


def once(paths: Sequence[str]) -> list[str]:
    """Kills its worker the first time."""
    for path in map(Path, paths):
        if not path.exists():
            path.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return list(paths)


def slowly(numbers: Sequence[int]) -> list[int]:
    """Takes a while, and says who did it."""
    time.sleep(0.05)
    return [os.getpid() for _ in numbers]
