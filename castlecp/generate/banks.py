"""Minimise every board of a bank into another bank."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from castlecp import bank
from castlecp.budget import Around, Budget
from castlecp.errors import Cancelled, CastlecpError
from castlecp.executors import Executor
from castlecp.generate.minimise import minimise
from castlecp.runs import Result, Task, run_bank

#: The name of a line of a bank that was minimised.
FORMAT = "castlecp-minimised-1"


def minimise_bank(
    source: str,
    items: Iterator[bank.Item],
    output: Path,
    settings: dict[str, Any],
    executor: Callable[[], Executor],
    *,
    around: Around = nullcontext,
    force: bool = False,
    tell: Callable[[str], None] = lambda _: None,
    unreadable: Callable[[bank.Entry], None] = lambda _: None,
) -> Generator[Result]:
    """The boards with fewer clues; `settings` are `minimise`'s, and `seconds` and `steps`.

    `around` as in `generate.batch.boards`. Raises what `run_bank` does.
    """
    return run_bank(
        source,
        items,
        output,
        FORMAT,
        partial(_minimise_one, around=around),
        _as_it_was,
        settings,
        executor,
        force=force,
        tell=tell,
        unreadable=unreadable,
    )


def _minimise_one(task: Task, around: Around = nullcontext) -> Result:
    """A board minimised, or left as it is when that fails."""
    options = dict(task.settings)
    budget = Budget(options.pop("seconds"), options.pop("steps"))
    try:
        with around(budget):
            made = minimise(task.puzzle, budget=budget, **options)
        if budget.cancelled:
            raise Cancelled("cancelled")
    except Cancelled:
        raise
    except CastlecpError as error:
        return _as_it_was(task, str(error))
    return Result(_line(task, asdict(made)))


def _as_it_was(task: Task, reason: str) -> Result:
    """A board that could not be minimised."""
    line = _line(task, {"puzzle": task.puzzle}, error=reason)
    return Result(line, f"{task.place}: {reason}")


def _line(task: Task, made: dict[str, Any], **more: str) -> bytes:
    return task.line(FORMAT, made, clues_before=len(task.puzzle.clues), **more)
