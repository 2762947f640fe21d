"""Grade every board of a bank."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from castlecp import bank, wire
from castlecp.budget import Budget
from castlecp.errors import CastlecpError
from castlecp.executors import Executor
from castlecp.ladder import assess
from castlecp.runs import Result, Task, run_bank

#: The name of a line about a board that was graded.
FORMAT = "castlecp-graded-1"


def grade_bank(
    source: str,
    output: Path,
    settings: dict[str, Any],
    executor: Callable[[], Executor],
    *,
    force: bool = False,
    tell: Callable[[str], None] = lambda _: None,
    unreadable: Callable[[bank.Entry], None] = lambda _: None,
) -> Generator[Result]:
    """The grades of a bank's boards; `settings` are the `seconds` and `steps` of each.

    A line has the `puzzle`, and its `grade` or an `error`. Raises what `run_bank` does.
    """
    return run_bank(
        source,
        bank.items(source),
        output,
        FORMAT,
        _grade_one,
        _failed,
        settings,
        executor,
        force=force,
        tell=tell,
        unreadable=unreadable,
    )


def _grade_one(task: Task) -> Result:
    try:
        found = assess(task.puzzle, Budget(**task.settings))
    except CastlecpError as error:
        return _failed(task, str(error))
    if found.ended is not None:
        return _failed(task, str(found.ended))
    return Result(task.line(FORMAT, {"puzzle": task.puzzle, "grade": wire.Grade.of(found)}))


def _failed(task: Task, reason: str) -> Result:
    line = task.line(FORMAT, {"puzzle": task.puzzle}, error=reason)
    return Result(line, f"{task.place}: {reason}")
