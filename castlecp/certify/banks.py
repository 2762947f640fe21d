"""Runs over banks: make a certificates file, or check one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from castlecp import bank
from castlecp.certify import checking, making, records
from castlecp.certify.batch import run
from castlecp.certify.certificate import encode
from castlecp.certify.executors import Executor
from castlecp.certify.records import Done
from castlecp.errors import CastlecpError
from castlecp.journal import Journal

#: Boards of a task with proofs, and without: a task should take longer than handing it out.
CHUNK, FAST_CHUNK = 8, 64

#: How every record begins.
BEGINS = b'{"status":"'


@dataclass
class Summary:
    """How many boards came to what, and the seconds that each part of the work took."""

    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, done: Done) -> None:
        """Count one more."""
        self.counts[done.status] = self.counts.get(done.status, 0) + 1
        for part, seconds in done.seconds.items():
            self.seconds[part] = self.seconds.get(part, 0.0) + seconds

    @property
    def boards(self) -> int:
        """How many there were."""
        return sum(self.counts.values())


def certify_bank(
    source: str,
    output: Path,
    executor: Callable[[], Executor],
    *,
    fast: bool = False,
    graded: bool = True,
    seconds: float | None = None,
    steps: int | None = None,
) -> Iterator[Done]:
    """Certify every board of a bank and write the records to a file, in the bank's order.

    Records of an earlier run that are already in the file come first; the run goes on where it
    ended. `fast` makes no proofs, `graded` asks for grades, seconds and steps are the budget of
    each board. `executor` is called when there is something to do. Raises CastlecpError when the
    bank cannot be read, or the file cannot be written or is of another bank.
    """
    if source != "-" and output.exists() and output.samefile(source):
        raise CastlecpError(f"{output} is the bank itself; name another file")
    journal = Journal(output, BEGINS)
    try:
        number, last = 0, b""
        for number, last in enumerate(journal, 1):  # noqa: B007
            yield Done.again(last)
        items = bank.items(source)
        if number:
            _compare(last, next(islice(items, number - 1, None), None), fast, output)
        first = next(items, None)
        if first is None:
            return
        held = executor()
        try:
            work = partial(
                making.certify_items, fast=fast, graded=graded, seconds=seconds, steps=steps
            )
            left = (item for part in ((first,), items) for item in part)
            size = FAST_CHUNK if fast else CHUNK
            for done in run(left, work, making.lost, held, size):
                journal.append(done.line)
                yield done
        finally:
            held.close()
    finally:
        journal.close()


def _compare(last: bytes, item: bank.Item | None, fast: bool, output: Path) -> None:
    """Raises CastlecpError unless a record is of that board and was made in the same way."""
    record = records.read(last)
    if item is not None:
        with making.quiet():
            name, place, puzzle = item.entry()
        readable = not isinstance(puzzle, CastlecpError)
        board = encode(puzzle if readable else None)
        if (name, place, board) == (record.name, record.place, encode(record.board)):
            if record.status == "unique" and (record.certificate is None) != fast:
                how = "without" if fast else "with"
                raise CastlecpError(f"{output} was made {how} --fast before; finish it that way")
            return
    raise CastlecpError(f"{output} has records of another bank; name another file")


def verify_bank(
    source: str, executor: Callable[[], Executor], *, export: Path | None = None
) -> Iterator[Done]:
    """Check every record of a certificates file; `export` is a folder for DIMACS and DRAT.

    Raises CastlecpError when the file cannot be read.
    """
    if export is not None:
        checking.prepare(export)
    held = executor()
    try:
        work = partial(checking.verify_items, export=export)
        yield from run(bank.items(source), work, checking.lost, held, CHUNK)
    finally:
        held.close()
