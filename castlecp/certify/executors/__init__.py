"""Where tasks run: processes on this machine (`local`) or a Dask cluster (`cluster`).

An executor knows nothing of boards. It is given tasks, each under a key of the caller's, and
hands back one result after another as they come. A task that dies with its worker is no
exception but a result: `Lost`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Lost:
    """What is left of a task that crashed, or whose worker died."""

    reason: str


class Executor(Protocol):
    """See above."""

    @property
    def slots(self) -> int:
        """How many tasks should be under way so that no worker waits."""

    def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
        """Have `task(argument)` done somewhere; both are pickled."""

    def finished(self) -> tuple[int, Any]:
        """The key and the result, or Lost, of a task that has ended; waits for one."""

    def close(self) -> None:
        """Stop everything, also what is under way."""
