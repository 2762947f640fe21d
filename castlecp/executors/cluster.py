"""A Dask cluster: the same tasks on as many machines as its scheduler has workers on.

Needs `castlecp[cluster]` here and castlecp on every worker. When a worker dies, Dask gives its
tasks to others; one that takes down several workers is lost. Start workers with one thread
each: solvers hold Python's lock.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from castlecp.errors import CastlecpError
from castlecp.executors import Lost

#: Seconds to wait for the scheduler to say goodbye.
CLOSING = 2.0


class Cluster:
    """The workers of the scheduler at an address; see `castlecp.executors.Executor`.

    Raises CastlecpError when Dask is not installed or nobody answers within `patience` seconds.
    """

    def __init__(self, address: str, patience: float = 10.0) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise CastlecpError("a cluster needs `pip install castlecp[cluster]`") from None
        # What it has to say of a lost scheduler is an error here, and one sentence.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._address = address
        try:
            self._client: Any = distributed.Client(
                address, timeout=patience, set_as_default=False, direct_to_workers=False
            )
            self._client.wait_for_workers(1, timeout=patience)
        except Exception as error:  # what is no scheduler may answer anything
            raise CastlecpError(f"no cluster at {address}: {error}") from None
        self._done: Any = distributed.as_completed(loop=self._client.loop)
        self._keys: dict[str, int] = {}

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Raises CastlecpError when the scheduler is gone, whatever Dask makes of it."""
        try:
            yield
        except (Exception, CancelledError) as error:
            about = str(error) or type(error).__name__
            raise CastlecpError(f"the cluster at {self._address} is lost: {about}") from None

    @property
    def slots(self) -> int:
        """Three tasks a thread, those of workers that join later included."""
        with self._reached():
            return 3 * max(1, int(sum(self._client.nthreads().values())))

    def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
        """See `Executor`."""
        with self._reached():
            future = self._client.submit(task, argument, pure=False)
            self._keys[future.key] = key
            self._done.add(future)

    def finished(self) -> tuple[int, Any]:
        """See `Executor`."""
        with self._reached():
            future = next(self._done)
            key = self._keys.pop(future.key)
            if future.status == "error":
                error = future.exception()
                result: Any = Lost(f"{type(error).__name__}: {error}")
            else:
                result = future.result()
            future.release()
            return key, result

    def close(self) -> None:
        """See `Executor`."""
        with suppress(Exception):  # nothing can be done about a scheduler that is gone
            self._done.clear()
            self._client.close(timeout=CLOSING)


EXECUTOR = Cluster
