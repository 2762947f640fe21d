"""Spawned processes on this machine, each with a pipe of its own.

Nothing is shared between workers, neither a queue nor a lock, so one may be killed at any
moment and takes no more with it than the task it had. (The pools of the standard library give
up when a worker dies; those that do not share a queue, and a worker killed while it is idle or
holds the lock stops them.)
"""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Any

from castlecp.executors import Lost

#: What a worker says when it has a task and all that it imports.
BEGUN = "begun"

Task = tuple[int, Callable[[Any], Any], Any]


class Local:
    """`jobs` processes, as many as there are cores by default; see `castlecp.executors.Executor`.

    Each starts with the first task that needs it. A task that has not ended after `patience`
    seconds is killed: no solver can be trusted to stop when it is told to. None waits for ever.
    """

    def __init__(self, jobs: int | None = None, patience: float | None = None) -> None:
        self.patience = patience
        self._waiting: deque[Task] = deque()
        self._workers = [_Worker() for _ in range(jobs or _cores())]

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
        self.process: SpawnProcess | None = None

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        with _deaf_to_interrupts():
            self.process.start()
        theirs.close()

    def begin(self, task: Task) -> None:
        """Hand a task to the process, or to a new one if there is none, or it died while idle."""
        if self.process is None or not self.process.is_alive():
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
            assert self.process is not None
            self.process.join()
            return self.lose(f"its worker died ({_end(self.process.exitcode)})")
        if message == BEGUN:
            self._since = monotonic()
            return None
        assert self.task is not None
        key, self.task = self.task[0], None
        return key, message

    def lose(self, reason: str) -> tuple[int, Any]:
        """Give the task up, and the process with it."""
        assert self.task is not None
        key, self.task = self.task[0], None
        self.kill()
        return key, Lost(reason)

    def kill(self) -> None:
        """End the process, if there is one."""
        if self.process is None:
            return
        self.process.kill()
        self.process.join()
        self.pipe.close()
        self.process = None


def _cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Have a process that starts now not hear of Ctrl-C, which goes to the whole group.

    Its parent hears of it and decides what it means.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(code: int | None) -> str:
    """An exit code in words."""
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


def _serve(pipe: connection.Connection) -> None:
    """What a worker does: tasks, until nobody is there to ask."""
    follow_parent()
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


def follow_parent() -> None:
    """End this process, whatever it is doing, when the one that started it is gone.

    Solvers may hold Python's lock for as long as they like. So the system is asked to send a
    signal when the other end of the parent's pipe closes, and a thread waits for the same where
    pipes send none.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    pipe = parent.sentinel
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)

    def wait() -> None:
        connection.wait([pipe])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


EXECUTOR = Local
