"""What all commands share: where output goes, and how the library's things look as JSON."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from castlecp import signals
from castlecp.budget import Budget, Progress
from castlecp.cli.streams import write, write_json, write_picture
from castlecp.errors import FormatError
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.nouns import plural
from castlecp.outfile import is_stdout, is_straight, keeping_stdout, named

if TYPE_CHECKING:
    from castlecp import wire

T = TypeVar("T")


def refuse_input_twice(*sources: str | None) -> None:
    """Raises FormatError when more than one source is standard input."""
    if sources.count("-") > 1:
        raise FormatError("standard input can be given only once")


def colour() -> bool:
    """Whether standard output is a terminal that wants colour."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def show(picture: Any, *, numbers: bool | None = None) -> None:
    """Print a picture."""
    from castlecp import draw

    write_picture(draw.to_terminal(picture, colour=colour(), numbers=numbers))


def as_json(report: wire.Report) -> None:
    """Print a report as one line of JSON."""
    write_json(msgspec.json.encode(report).decode())


def say(lines: Iterable[str]) -> None:
    """Print lines below an empty one; nothing when there are none."""
    for number, line in enumerate(lines):
        if number == 0:
            write()
        write(line)


def findings_of(puzzle: Puzzle, lines: Sequence[Loop]) -> Iterator[str]:
    """What follows from one answer, or from each of two; nothing from a line that is no loop."""
    which = ("",) if len(lines) == 1 else ("in the first, ", "in the second, ")
    for name, line in zip(which, lines, strict=False):
        if line.is_single():
            yield from (name + words for words in puzzle.findings_words(line))


def show_board(puzzle: Puzzle, loop: Loop | None = None) -> None:
    """A board for people, with its loop if given."""
    from castlecp.draw import Picture

    loops = [] if loop is None else [loop]
    show(Picture.of(puzzle, loops))
    say([*puzzle.words(), *findings_of(puzzle, loops)])
    write()


def remark(puzzle: Puzzle) -> None:
    """Print to standard error what is legal about a puzzle but probably not meant."""
    for sentence in puzzle.remarks():
        write(f"castlecp: warning: {sentence}", err=True)


def picture_kind(output: Path, *kinds: str) -> str:
    """In which of some kinds a picture is written: as the name ends, and the first into a stream.

    Raises FormatError for a name with another end.
    """
    kind = output.suffix.lower()
    with named(output):
        if not kind and is_straight(output):
            return kinds[0]
    if kind not in kinds:
        raise FormatError(f"{output}: a picture is written as {' or '.join(kinds)}")
    return kind


def tell(sentence: str) -> None:
    """Print a sentence about the run to standard error."""
    write(f"castlecp: {sentence}", err=True)


@contextmanager
def aside(output: Path | None) -> Iterator[None]:
    """Print to standard error while a file is written to standard output, which is for it alone."""
    if not is_stdout(output):
        yield
        return
    with keeping_stdout(), redirect_stdout(sys.stderr):
        yield


@contextmanager
def interruptible(budget: Budget) -> Iterator[None]:
    """Have signals cancel a long search."""
    with signals.cancelling(budget.cancel):
        yield


@contextmanager
def watched(budget: Budget, what: str) -> Iterator[None]:
    """Have signals cancel a long search, and show on a terminal how far it is.

    That is shown from its second second on.
    """
    with interruptible(budget), _shown(budget, what):
        yield


@contextmanager
def _beside(show: Callable[[threading.Event], None]) -> Iterator[None]:
    """Have a thread show something until this is over, which it is told by an event."""
    over = threading.Event()
    thread = threading.Thread(target=show, args=[over], daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _shown(budget: Budget, what: str) -> Iterator[None]:
    if not sys.stderr.isatty():
        yield
        return

    def show(over: threading.Event) -> None:
        if over.wait(1.0):
            return
        from rich.console import Console

        with Console(stderr=True).status(what, spinner="line") as line:
            while not over.wait(0.2):
                line.update(f"{what}: {_told(budget.progress)} (Ctrl-C stops)")

    with _beside(show):
        yield


#: Seconds between two lines about a long search: on a terminal, and on another stream.
TERMINAL, STREAM = 3.0, 10.0


@contextmanager
def spoken(budget: Budget) -> Iterator[None]:
    """Have signals cancel a long search, and say in what phase it is, in a line every few seconds.

    For searches in other processes as well: a bar that is drawn there on the terminal by the
    process that started them stays whole.
    """
    from multiprocessing import parent_process

    terminal = sys.stderr.isatty()
    first = "\r\x1b[K" if terminal and parent_process() else ""

    def show(over: threading.Event) -> None:
        while not over.wait(TERMINAL if terminal else STREAM):
            far = budget.progress
            with suppress(OSError, ValueError):  # nobody listens any more
                sys.stderr.write(first)
                tell(f"{far.seconds:.0f} s: {far.phase}")

    with _beside(show), interruptible(budget):
        yield


def _told(far: Progress) -> str:
    """How far a search is, in words."""
    steps = plural(far.steps, "step")
    if far.total is not None:
        steps = f"{far.steps:,} of {plural(far.total, 'step')}"
    words = [far.phase, f"{far.seconds:.0f} s", steps]
    if far.lower is not None and far.upper is not None:
        words.append(f"between {far.lower:,} and {far.upper:,}")
    elif far.lower is not None:
        words.append(f"at least {far.lower:,}")
    return ", ".join(filter(None, words))


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """The items, with a bar, rate and time left on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (*bars.Progress.get_default_columns(), bars.MofNCompleteColumn())
    with bars.Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


def edges_text(edges: Sequence[Any]) -> str:
    """Edges as pairs of cells, rows and columns from 1: `(1,2)-(1,3)`."""
    return " ".join(f"({a + 1},{b + 1})-({c + 1},{d + 1})" for a, b, c, d in edges)
