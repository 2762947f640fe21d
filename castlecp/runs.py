"""Runs over banks whose results are sealed lines of another bank, in the same order.

What a line says of its board, its settings and its version is how a run that was ended knows where
to go on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from hashlib import sha256
from itertools import tee
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from castlecp import __version__, bank
from castlecp.bank import BEGINS, is_sealed, sealed
from castlecp.errors import CastlecpError, FormatError
from castlecp.executors import Executor, run
from castlecp.genres import Puzzle
from castlecp.journal import Foreign, Journal, unfinished


class Task(NamedTuple):
    """One board of a bank, and how it is to be worked on."""

    name: str
    place: str
    puzzle: Puzzle
    settings: dict[str, Any]

    def line(self, kind: str, made: dict[str, Any], **more: Any) -> bytes:
        """A line about the board; `kind` is its format."""
        record = {
            "format": kind,
            "id": self.name,
            "of": digest(self.puzzle),
            "settings": self.settings,
            "version": __version__,
        }
        return sealed(record | made | more)


class Result(NamedTuple):
    """A line of the new bank; whether it was `there`, and why its board failed, if it did."""

    line: bytes
    failure: str = ""
    there: bool = False


class _Head(msgspec.Struct):
    """What a line says of its board."""

    format: str
    id: str
    of: str
    settings: dict[str, Any]
    version: str
    error: str | None = None


def digest(puzzle: Puzzle) -> str:
    """The SHA-256 of a puzzle."""
    return sha256(msgspec.json.encode(puzzle)).hexdigest()


def run_bank(
    source: str,
    items: Iterator[bank.Item],
    output: Path,
    kind: str,
    work: Callable[[Task], Result],
    lost: Callable[[Task, str], Result],
    settings: dict[str, Any],
    executor: Callable[[], Executor],
    *,
    force: bool = False,
    tell: Callable[[str], None] = lambda _: None,
    unreadable: Callable[[bank.Entry], None] = lambda _: None,
) -> Generator[Result]:
    """The results for a bank's boards in order, also written to `output`.

    Results that are there come first. Boards that cannot be read are told to `unreadable` and
    left out. Raises CastlecpError as `unfinished` does, and FormatError when there is no board.
    """
    bank.refuse_within(source, output)
    tasks = _tasks(items, settings, unreadable)

    def look(journal: Journal) -> int:
        # The bank may come through a pipe, and be needed from its beginning when this fails.
        nonlocal tasks
        mine, tasks = tee(tasks)
        number = sum(1 for _ in _lines_there(journal, mine, kind))
        tasks = mine
        return number

    with unfinished(output, BEGINS, "bank of castlecp", look, force=force, tell=tell) as (
        journal,
        there,
    ):
        for line in journal if there else ():
            yield Result(line, there=True)
        number = there
        with closing(run(tasks, work, lost, executor)) as results:
            for result in results:
                number += 1
                journal.append(result.line)
                yield result
        if not number:
            raise FormatError(f"{source}: there is no board that can be read")


def _tasks(
    items: Iterator[bank.Item], settings: dict[str, Any], unreadable: Callable[[bank.Entry], None]
) -> Iterator[Task]:
    for entry in (item.entry() for item in items):
        if isinstance(entry.puzzle, CastlecpError):
            unreadable(entry)
        else:
            yield Task(entry.name, entry.place, entry.puzzle, settings)


def _lines_there(journal: Journal, tasks: Iterator[Task], kind: str) -> Iterator[bytes]:
    """The lines of an earlier run. Raises Foreign when they are not of these boards."""
    for number, text in enumerate(journal, 1):
        try:
            line = msgspec.json.decode(text, type=_Head)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Foreign(journal.path, f"has other boards, as line {number} shows") from None
        if line.format != kind:
            raise Foreign(journal.path, f"has other boards, as line {number} shows")
        task = next(tasks, None)
        if task is None or (line.id, line.of) != (task.name, digest(task.puzzle)):
            raise Foreign(journal.path, f"has the boards of another bank, as line {number} shows")
        if (line.settings, line.version) != (task.settings, __version__):
            raise Foreign(journal.path, f"was made with other options, as line {number} shows")
        if not is_sealed(text):
            raise Foreign(journal.path, f"was changed in line {number}")
        yield text
