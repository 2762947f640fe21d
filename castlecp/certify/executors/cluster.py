"""A Dask cluster: the same tasks on as many machines as its scheduler has workers on.

Needs `castlecp[cluster]` here and castlecp on every worker. When a worker dies, Dask gives its
tasks to others; one that takes down several workers is lost. Start workers with one thread
each: solvers hold Python's lock.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from castlecp.certify.executors import Lost
from castlecp.errors import CastlecpError


class Cluster:
    """The workers of the scheduler at an address; see `castlecp.certify.executors.Executor`.

    Raises CastlecpError when Dask is not installed or nobody answers within `patience` seconds.
    """

    def __init__(self, address: str, patience: float = 10.0) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise CastlecpError("a cluster needs `pip install castlecp[cluster]`") from None
        try:
            self._client: Any = distributed.Client(
                address, timeout=patience, set_as_default=False, direct_to_workers=False
            )
            self._client.wait_for_workers(1, timeout=patience)
        except Exception as error:  # what is no scheduler may answer anything
            raise CastlecpError(f"no cluster at {address}: {error}") from None
        self._done: Any = distributed.as_completed(loop=self._client.loop)
        self._keys: dict[str, int] = {}

    @property
    def slots(self) -> int:
        """Three tasks a thread, those of workers that join later included."""
        return 3 * max(1, int(sum(self._client.nthreads().values())))

    def submit(self, key: int, task: Callable[[Any], Any], argument: Any) -> None:
        """See `Executor`."""
        future = self._client.submit(task, argument, pure=False)
        self._keys[future.key] = key
        self._done.add(future)

    def finished(self) -> tuple[int, Any]:
        """See `Executor`."""
        future = next(self._done)
        key = self._keys.pop(future.key)
        try:
            return key, future.result()
        except Exception as error:
            return key, Lost(f"{type(error).__name__}: {error}")
        finally:
            future.release()

    def close(self) -> None:
        """See `Executor`."""
        self._done.clear()
        self._client.close()
