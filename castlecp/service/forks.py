"""Processes of the service: forked by a server of forks that has `castlecp.service.warm` loaded."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any


def forked(
    target: Callable[..., None], *arguments: Any, name: str, daemon: bool | None = None
) -> tuple[ForkServerProcess, socket.socket]:
    """A process that calls `target` with its end of a socket and the arguments, and our end.

    Ours does not block. Raises OSError and EOFError.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["castlecp.service.warm"])
    ours, theirs = socket.socketpair()
    pipe = Connection(theirs.detach())
    try:
        process = context.Process(target=target, args=(pipe, *arguments), name=name, daemon=daemon)
        process.start()
    except BaseException:
        ours.close()
        raise
    finally:
        pipe.close()
    ours.setblocking(False)
    return process, ours


def forgotten(forking: asyncio.Future[tuple[ForkServerProcess, socket.socket]]) -> None:
    """End a process that nobody waits for any more."""
    if not forking.cancelled() and not forking.exception():
        process, ours = forking.result()
        process.kill()
        ours.close()


def end_forks() -> None:
    """End the server of forks at once: while it warms up it would hear of nothing else."""
    from multiprocessing import forkserver

    pid = getattr(forkserver._forkserver, "_forkserver_pid", None)
    if pid is not None:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
