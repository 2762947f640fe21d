"""This process: one task after another, each when its result is asked for.

Nothing has to start, and nothing is apart: what a task raises comes up where its result is asked
for, and what takes the process down takes all of it down.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any


class Here:
    """See `castlecp.executors.Executor`."""

    slots = 1

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, Callable[[Any], Any], Any]] = deque()

    def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
        """See `Executor`."""
        self._waiting.append((key, task, argument))

    def finished(self) -> tuple[int, Any]:
        """See `Executor`."""
        key, task, argument = self._waiting.popleft()
        return key, task(argument)

    def close(self) -> None:
        """See `Executor`."""
        self._waiting.clear()


EXECUTOR = Here
