"""What the process of a job does: a run over a bank, as the command makes it.

It goes on where it was ended, by the journal of its results, and says by lines of JSON in its pipe
how far it is. It ends with the server.
"""

from __future__ import annotations

import json
import os
import signal
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from castlecp import bank
from castlecp.errors import CastlecpError, FormatError, FormatWarning
from castlecp.executors import EXECUTORS, Executor
from castlecp.executors.local import follow_parent

#: The bank of a job, and its results, in the folder of the job.
BANK, RESULTS = "bank.jsonl", "results.jsonl"


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run to make: what is done with each board, and how.

    `options` are those of the command. Each board has `seconds` and at most `cells`.
    """

    kind: str
    options: dict[str, Any]
    seconds: float
    cells: int
    processes: int
    cluster: str | None = None

    def executor(self) -> Executor:
        """Where its boards are worked on."""
        if self.cluster is not None:
            return EXECUTORS["cluster"](self.cluster)
        # What does not stop in time is stopped from outside, well after it should have.
        return EXECUTORS["local"](self.processes, 60 + 20 * self.seconds)


def work(pipe: Connection, folder: str, run: Run) -> None:
    """Make the run in its folder; say its boards, each status, and in the end `ended`."""
    follow_parent()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.nice(15)
    warnings.simplefilter("ignore", FormatWarning)
    os.chdir(folder)  # so that results name the bank and no folder of the server

    def say(key: str, value: Any) -> None:
        pipe.send_bytes(json.dumps({key: value}).encode())

    reason = None
    try:
        say("boards", _boards(run))
        with closing(_results(run)) as results:
            for status in results:
                say("status", status)
    except CastlecpError as error:
        reason = str(error)
    except OSError as error:
        reason = error.strerror or type(error).__name__
    except MemoryError:
        reason = "the memory is spent"
    say("ended", reason)


def _boards(run: Run) -> int:
    """How many boards the bank has. Raises FormatError for none, and for one that is too large."""
    number = 0
    for item in bank.items(BANK):
        number += 1
        puzzle = item.entry().puzzle
        if not isinstance(puzzle, CastlecpError) and puzzle.rows * puzzle.cols > run.cells:
            cells = f"{puzzle.rows * puzzle.cols:,} cells, and {run.cells:,} are taken here"
            raise FormatError(f"{item.place}: a board of {cells}")
    if not number:
        raise FormatError("there is no board")
    return number


def _results(run: Run) -> Generator[str]:
    """What became of each board, in order."""
    made = _MAKERS[run.kind](run)
    with closing(made):
        yield from made


def _certified(run: Run) -> Generator[str]:
    from castlecp.certify.banks import certify_bank

    done = certify_bank(BANK, Path(RESULTS), run.executor, seconds=run.seconds, **run.options)
    with closing(done):
        for one in done:
            yield one.status


def _minimised(run: Run) -> Generator[str]:
    from castlecp.generate.banks import minimise_bank

    settings = {"steps": None, **run.options, "seconds": run.seconds}
    skipped: list[bank.Entry] = []
    done = minimise_bank(
        BANK, bank.items(BANK), Path(RESULTS), settings, run.executor, unreadable=skipped.append
    )
    with closing(done):
        yield from _stati(done, skipped)


def _graded(run: Run) -> Generator[str]:
    from castlecp.grading import grade_bank

    settings = {"steps": None, **run.options, "seconds": run.seconds}
    skipped: list[bank.Entry] = []
    done = grade_bank(BANK, Path(RESULTS), settings, run.executor, unreadable=skipped.append)
    with closing(done):
        yield from _stati(done, skipped)


def _stati(done: Iterator[Any], skipped: list[bank.Entry]) -> Generator[str]:
    for one in done:
        failed = msgspec.json.decode(one.line, type=_Error).error is not None
        yield "failed" if failed else "done"
    for _ in skipped:
        yield "unreadable"


class _Error(msgspec.Struct):
    """Why a line has no result, if it has none."""

    error: str | None = None


_MAKERS: dict[str, Callable[[Run], Generator[str]]] = {
    "certify": _certified,
    "minimise": _minimised,
    "grade": _graded,
}
