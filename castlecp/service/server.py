"""One server process: it listens, says so in a line, and stops when it is asked to."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn
import uvloop

from castlecp.errors import CastlecpError
from castlecp.service.app import create
from castlecp.service.forks import end_forks
from castlecp.service.limits import Limits
from castlecp.service.metrics import log
from castlecp.service.protocol import within

#: Seconds that answers under way have to end once the server is to stop.
GRACE = 2


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises CastlecpError when it cannot, with the reason."""
    where = f"{host}:{port}"
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        # Who was here before may have connections that are not forgotten yet.
        return socket.create_server(address[:2], family=family, backlog=2_048)
    except OverflowError:
        raise CastlecpError(f"{port} is no port") from None
    except OSError as error:
        # What Python adds to the system's words says the address once more.
        reason = (error.strerror or str(error)).partition(" (while")[0]
        raise CastlecpError(f"cannot listen on {where}: {reason}") from None


def address_of(held: socket.socket) -> str:
    """The address of a socket, for browsers."""
    host, port = held.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Server(uvicorn.Server):
    """uvicorn's, but the loop hears of signals, and nothing is raised again at the end."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        for number in numbers:
            loop.add_signal_handler(number, self._stop)
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)

    def _stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


class _Lines(logging.Handler):
    """What libraries log, as lines of JSON like all others."""

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        log(
            logger=record.name,
            level=record.levelname.lower(),
            message=record.getMessage()[:200],
            **({"fault": kind} if kind else {}),
        )


def run(
    held: socket.socket,
    limits: Limits,
    workers: int,
    data: Path,
    *,
    cluster: str | None = None,
    base_url: str | None = None,
    trusted_proxy: str | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve on a socket until a signal comes."""
    _many_files()
    url = base_url or address_of(held)
    logger = logging.getLogger("uvicorn")
    logger.handlers, logger.propagate = [_Lines(logging.WARNING)], False
    config = uvicorn.Config(
        create(limits, workers, url, data, cluster),
        loop="uvloop",
        http=within(limits.body_seconds),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=trusted_proxy is not None,
        forwarded_allow_ips=trusted_proxy,
        limit_concurrency=limits.connections,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GRACE,
    )
    logger.setLevel(logging.WARNING)
    say(f"castlecp listens on {url}")
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_Server(config).serve(sockets=[held]))
    finally:
        end_forks()


def _many_files() -> None:
    """Have as many open files, connections included, as the system lets this process have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))


def data_folder() -> Path:
    """Where a service keeps what is to stay: where systemd says, or among the user's data."""
    said = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if said:
        return Path(said)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "castlecp"


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
