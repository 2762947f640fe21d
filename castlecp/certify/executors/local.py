"""Spawned processes on this machine, each with a pipe of its own.

Nothing is shared between workers, neither a queue nor a lock, so one may be killed at any
moment and takes no more with it than the task it had. (The pools of the standard library give
up when a worker dies; those that do not share a queue, and a worker killed while it is idle or
holds the lock stops them.)
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import connection
from time import monotonic
from typing import Any

from castlecp.certify.executors import Lost

#: What a worker says when it has a task and all that it imports.
BEGUN = "begun"

Task = tuple[int, Callable[[Any], Any], Any]


class Local:
    """`jobs` processes; see `castlecp.certify.executors.Executor`.

    A task that has not ended after `patience` seconds is killed: no solver can be trusted to
    stop when it is told to. None waits for ever.
    """

    def __init__(self, jobs: int, patience: float | None = None) -> None:
        self.patience = patience
        self._waiting: deque[Task] = deque()
        self._workers = [_Worker() for _ in range(jobs)]

    @property
    def slots(self) -> int:
        """Two tasks a worker: one under way, one waiting."""
        return 2 * len(self._workers)

    def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
        """See `Executor`."""
        self._waiting.append((key, task, argument))
        self._hand_out()

    def _hand_out(self) -> None:
        for worker in self._workers:
            if self._waiting and worker.task is None:
                worker.begin(self._waiting.popleft())

    def finished(self) -> tuple[int, Any]:
        """See `Executor`."""
        while True:
            self._hand_out()
            busy = {worker.pipe: worker for worker in self._workers if worker.task is not None}
            for pipe in connection.wait(list(busy), timeout=None if self.patience is None else 0.1):
                worker = busy[pipe]  # type: ignore[index]
                result = worker.hear()
                if result is not None:
                    return result
            for worker in busy.values():
                if self.patience is not None and worker.seconds > self.patience:
                    return worker.lose(f"it was stopped after {self.patience:g} s")

    def close(self) -> None:
        """See `Executor`."""
        for worker in self._workers:
            worker.kill()


class _Worker:
    """One process at a time; a new one when it dies."""

    def __init__(self) -> None:
        self.task: Task | None = None
        self._since: float | None = None
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def begin(self, task: Task) -> None:
        """Hand a task to the process, or to a new one if it died while it was idle."""
        if not self.process.is_alive():
            self.kill()
            self._start()
        self.task, self._since = task, None
        with suppress(OSError):  # it died this moment, which `hear` will find
            self.pipe.send(task[1:])

    @property
    def seconds(self) -> float:
        """How long the task has been running; imports before it do not count."""
        return 0.0 if self._since is None else monotonic() - self._since

    def hear(self) -> tuple[int, Any] | None:
        """What the process says: key and result of the task, or None when it only begins."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            return self.lose(f"its worker died ({_end(self.process.exitcode)})")
        if message == BEGUN:
            self._since = monotonic()
            return None
        assert self.task is not None
        key, self.task = self.task[0], None
        return key, message

    def lose(self, reason: str) -> tuple[int, Any]:
        """Give the task up, and start a new process."""
        assert self.task is not None
        key, self.task = self.task[0], None
        self.kill()
        self._start()
        return key, Lost(reason)

    def kill(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _end(code: int | None) -> str:
    """An exit code in words."""
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


def _serve(pipe: connection.Connection) -> None:
    """What a worker does: tasks, until nobody is there to ask."""
    # Ctrl-C goes to the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()
    try:
        while True:
            task, argument = pipe.recv()
            pipe.send(BEGUN)
            try:
                result = task(argument)
            except BaseException as error:  # CP-SAT's early stops look like Ctrl-C
                result = Lost(f"{type(error).__name__}: {error}")
            pipe.send(result)
    except (EOFError, OSError):
        return


def _follow_parent() -> None:
    """End this process, whatever it is doing, when the one that started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
