"""Where the tasks of a command run: its options `--jobs` and `--cluster`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from castlecp.errors import FormatError
from castlecp.executors import EXECUTORS, Executor

Cluster = Annotated[
    str | None,
    typer.Option(help="Run on the Dask scheduler at this address.", metavar="ADDRESS"),
]


def workers(
    jobs: int | None,
    cluster: str | None,
    *,
    tasks: int | None = None,
    apart: bool = False,
    patience: float | None = None,
) -> Callable[[], Executor]:
    """What starts them. One job, and the only one of `tasks`, is done in this process.

    With `apart` it is not, so that no task takes the run down with it; a process that takes
    longer than `patience` seconds is stopped then. Raises FormatError for both options at once.
    """
    if cluster is not None:
        if jobs is not None:
            raise FormatError("give either --jobs or --cluster")
        return lambda: EXECUTORS["cluster"](cluster)
    if not apart and 1 in (jobs, tasks):
        return EXECUTORS["here"]
    return lambda: EXECUTORS["local"](jobs, patience)
