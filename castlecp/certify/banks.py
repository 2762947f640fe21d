"""Runs over banks: make a certificates file, or check one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, tee
from pathlib import Path
from time import monotonic

import msgspec

from castlecp import bank
from castlecp.certify import checking, making, records
from castlecp.certify.certificate import encode
from castlecp.certify.records import Done
from castlecp.errors import CastlecpError, FormatError
from castlecp.executors import Executor, run
from castlecp.journal import Foreign, Journal, unfinished

#: Boards of a task with proofs, and without: a task should take longer than handing it out.
CHUNK, FAST_CHUNK = 8, 64

#: How every record begins, and that of a unique board; what stands in it when there is a proof.
BEGINS = b'{"status":"'
UNIQUE = BEGINS + b'unique",'
PROVED = b'"certificate":{'
#: What stands in a certificate without a grade, among its last so many bytes.
UNGRADED, TAIL = b'"grade":null', 1000

#: Seconds after which records that were made anew are put into the file.
RENEW = 60.0


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
    force: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Generator[Done]:
    """Certify every board of a bank and write the records to a file, in the bank's order.

    Records of an earlier run that are already in the file come first; the run goes on where it
    ended, and boards that a smaller budget left open are tried again, of which `tell` is told.
    `fast` makes no proofs, `graded` asks for grades, seconds and steps are the budget of each
    board. `executor` starts one when there is something to do. Raises CastlecpError when the bank
    cannot be read or has no board, and when the file cannot be written or, without `force`, is of
    another bank or was made in another way.
    """
    bank.refuse_within(source, output)
    items = bank.items(source)

    def look(journal: Journal) -> dict[int, bank.Item]:
        # The bank may come through a pipe, and be needed from its beginning when this fails.
        nonlocal items
        mine, items = tee(items)
        again = _open_boards(journal, mine, fast, graded, seconds, steps)
        items = mine
        return again

    with unfinished(output, BEGINS, "certificates file", look, force=force, tell=tell) as (
        journal,
        again,
    ):
        if again:
            boards = "board is" if len(again) == 1 else "boards are"
            tell(f"{len(again):,} inconclusive {boards} tried again, with a larger budget")
        left = [*again.values(), *islice(items, 1)]
        if not left:
            if not any(journal):
                raise FormatError(f"{source}: there is no board")
            yield from map(Done.again, journal)
            return
        work = partial(making.certify_item, fast=fast, graded=graded, seconds=seconds, steps=steps)
        lost = partial(making.lost, seconds=seconds, steps=steps)
        size = FAST_CHUNK if fast else CHUNK
        with closing(run(chain(left, items), work, lost, executor, size)) as results:
            yield from _earlier(journal, again, results)
            for done in results:
                journal.append(done.line)
                yield done


def _open_boards(
    journal: Journal,
    items: Iterator[bank.Item],
    fast: bool,
    graded: bool,
    seconds: float | None,
    steps: int | None,
) -> dict[int, bank.Item]:
    """The boards that a smaller budget left open, by the numbers of their lines from 0.

    Takes as many boards from the bank as there are lines. Raises Foreign for a line that is no
    record, and for records that are of another bank or made in another way.
    """
    again: dict[int, bank.Item] = {}
    line, item, number = b"", None, 0
    for number, line in enumerate(journal, 1):
        item = next(items, None)
        if not bank.is_sealed(line):
            _record(line, number, journal.path)
            raise Foreign(journal.path, f"was changed in line {number}")
        if not line.startswith(UNIQUE):
            record = _record(line, number, journal.path)
            if record.is_open(seconds, steps):
                again[number - 1] = _same(record, item, journal.path)
            continue
        if item is None or b'"place":' + msgspec.json.encode(item.place) not in line:
            raise Foreign(journal.path, f"has another bank in line {number}")
        if (PROVED in line) == fast:
            raise _otherwise(journal.path, "--fast", not fast)
        if not fast and (UNGRADED in line[-TAIL:]) == graded:
            raise _otherwise(journal.path, "--no-grade", graded)
    if line:
        _same(_record(line, number, journal.path), item, journal.path)
    return again


def _otherwise(path: Path, option: str, given: bool) -> Foreign:
    return Foreign(path, f"was made {'with' if given else 'without'} {option}", "go on in that way")


def _record(line: bytes, number: int, path: Path) -> records.Record:
    """The record in a line of a file. Raises Foreign."""
    try:
        return records.read(line)
    except CastlecpError:
        raise Foreign(path, f"has no record in line {number}") from None


def _same(record: records.Record, item: bank.Item | None, output: Path) -> bank.Item:
    """The board. Raises Foreign when a record is not of that board."""
    if item is not None:
        with making.quiet():
            name, place, puzzle = item.entry()
        readable = not isinstance(puzzle, CastlecpError)
        board = encode(puzzle if readable else None)
        if (name, place, board) == (record.name, record.place, encode(record.board)):
            return item
    raise Foreign(output, "has records of another bank")


def _earlier(
    journal: Journal, again: Mapping[int, bank.Item], results: Iterator[Done]
) -> Iterator[Done]:
    """What the lines that are there say; for those of `again`, the next result takes their place.

    In the file this happens every now and then, as it writes the whole file, and when this ends.
    """
    fresh: dict[int, bytes] = {}
    renewed = monotonic()
    try:
        for number, line in enumerate(journal):
            if number not in again:
                yield Done.again(line)
                continue
            done = next(results)
            fresh[number] = done.line
            if monotonic() - renewed >= RENEW:
                journal.replace(fresh)
                fresh.clear()
                renewed = monotonic()
            yield done
    finally:
        if fresh:
            journal.replace(fresh)


def verify_bank(
    source: str,
    executor: Callable[[], Executor],
    *,
    export: Path | None = None,
    seconds: float | None = None,
    steps: int | None = None,
    max_proof: int | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Generator[Done]:
    """Check every record of a certificates file; `export` is a folder for DIMACS and DRAT.

    Each has the seconds and steps, and its proof may have `max_proof` lines (see `verify`).

    `tell` is told in the end when lines have the same board. Raises CastlecpError when the file
    cannot be read or has no line.
    """
    if export is not None:
        checking.prepare(export)
    places: deque[str] = deque()

    def items() -> Iterator[bank.Item]:
        for item in bank.items(source):
            places.append(item.place)
            yield item

    first: dict[str, str] = {}
    twice: list[str] = []
    number = 0
    work = partial(
        checking.verify_item, export=export, seconds=seconds, steps=steps, max_proof=max_proof
    )
    with closing(run(items(), work, checking.lost, executor, CHUNK)) as results:
        for done in results:
            number += 1
            place = places.popleft()
            if done.board and (before := first.setdefault(done.board, place)) != place:
                twice.append(f"{place} has the board of {before}")
            yield done
    if not number:
        raise FormatError(f"{source}: there is no board")
    if twice:
        more = len(twice) - 1
        have = "1 more line has" if more == 1 else f"{more:,} more lines have"
        tell(twice[0] + (f", and {have} one of an earlier line" if more else ""))
