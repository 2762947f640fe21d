"""The command `minimise`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from castlecp import bank, codecs
from castlecp.budget import Budget, Progress
from castlecp.cli.options import AsJson, Force, Jobs, Seconds, Seed, Steps
from castlecp.cli.output import (
    as_json,
    aside,
    interruptible,
    progress,
    show_board,
    tell,
    watched,
)
from castlecp.cli.streams import write
from castlecp.cli.workers import Cluster, workers
from castlecp.errors import CastlecpError, FormatError
from castlecp.executors import Executor
from castlecp.generate.banks import minimise_bank
from castlecp.generate.dials import Dial
from castlecp.generate.minimise import Method, Minimised, Weigh, spare, weight
from castlecp.generate.minimise import minimise as reduce
from castlecp.nouns import plural
from castlecp.outfile import write_file

if TYPE_CHECKING:
    from castlecp import wire


class _Board(msgspec.Struct):
    """What is counted of a board."""

    rows: int
    cols: int
    clues: list[msgspec.Raw] = []


class _Line(msgspec.Struct):
    """What is counted of a line of the new bank."""

    puzzle: _Board
    clues_before: int
    error: str | None = None


def minimise(
    source: Annotated[
        str, typer.Argument(help="A board, or a bank with one a line.", metavar="SOURCE")
    ],
    method: Annotated[Method, typer.Option(help="How to look; see the README.")] = "core",
    dial: Annotated[
        Dial, typer.Option(help="On the chain a number keeps its colour; on the fork it need not.")
    ] = "chain",
    whole: Annotated[
        bool, typer.Option("--whole", help="Take whole clues only: the same as --dial whole.")
    ] = False,
    weigh: Annotated[Weigh, typer.Option(help="What smallest makes least.")] = "clues",
    seed: Seed = 0,
    report: Annotated[
        bool, typer.Option("--report", help="Name what is not needed; change nothing.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write the boards to this bank; what it has stays.",
            metavar="FILE",
        ),
    ] = None,
    seconds: Seconds = None,
    steps: Steps = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Take away clues, and pieces of clues, while the solution stays the only one."""
    dial = "whole" if whole else dial
    found = bank.items(source)
    first = list(islice(found, 2))
    # Of a bank there may be one board, or none yet.
    if len(first) > 1 or source.endswith(".jsonl") or os.path.isdir(source):
        if report:
            raise FormatError("--report is of one board, and this is a bank")
        settings = {
            "method": method,
            "dial": dial,
            "weigh": weigh,
            "seed": seed,
            "seconds": seconds,
            "steps": steps,
        }
        executor = workers(jobs, cluster)
        _minimise_bank(source, chain(first, found), settings, output, executor, force, json)
    if cluster is not None:
        raise FormatError("--cluster is for a bank, and this is one board")
    if report and output is not None:
        raise FormatError("--report changes nothing, so there is nothing to write with -o")
    if not first:
        raise FormatError(f"{source}: there is no board")
    puzzle = first[0].entry().puzzle
    if isinstance(puzzle, CastlecpError):
        raise puzzle
    budget = Budget(seconds, steps, watch=_Bounds())
    if report:
        with watched(budget, "looking for what is spare"):
            _report(puzzle, budget, json)
        return
    with watched(budget, "minimising"):
        made = reduce(puzzle, method, dial, seed=seed, weigh=weigh, budget=budget)
    if output is not None:
        write_file(output, f"{codecs.write(made.puzzle, 'json')}\n".encode())
    with aside(output):
        if json:
            from castlecp import wire

            as_json(wire.Less.of(made))
            return
        show_board(made.puzzle)
        before, after = (weight(p, weigh) for p in (puzzle, made.puzzle))
        write(f"{before} -> {plural(after, weigh.removesuffix('s'))}; {_ending(made, method)}")
        for text in _turned_down(puzzle, made.puzzle):
            write(text)


def _turned_down(before: Any, after: Any) -> Iterator[str]:
    """What became of each clue that is no longer as it was."""
    # By their cells: a board with two clues in one cannot be made.
    left = {(clue.row, clue.col): clue for clue in after.clues}
    for clue in sorted(before.clues, key=lambda clue: (clue.row, clue.col)):
        now = left.get((clue.row, clue.col))
        if now != clue:
            to = "gone" if now is None else now.says()
            yield f"row {clue.row + 1}, column {clue.col + 1}: {clue.says()} -> {to}"


def _ending(made: Minimised, method: Method) -> str:
    if method == "smallest":
        if made.lower == made.upper:
            return "proved smallest"
        return f"a smallest set has {made.lower} to {made.upper}: the budget ended"
    if made.settled:
        return "no clue can be spared or say less"
    return "not all was tried: the budget ended"


class _Bounds:
    """Shows the bounds of a search for a smallest set as they move."""

    def __init__(self) -> None:
        self.shown: tuple[int | None, int | None] = (None, None)

    def __call__(self, far: Progress) -> None:
        if far.lower is not None and (far.lower, far.upper) != self.shown:
            self.shown = (far.lower, far.upper)
            write(f"castlecp: between {far.lower} and {far.upper}", err=True)


def _report(puzzle: Any, budget: Budget, json: bool) -> None:
    """What is not needed."""
    found = spare(puzzle, budget)
    if json:
        from castlecp import wire

        as_json(wire.Spares.of(found))
        return
    for clue, form in found:
        place = f"row {clue.row + 1}, column {clue.col + 1} ({clue.says()})"
        write(f"{place}: {'can go' if form is None else f'{form.says()} is enough'}")
    write(f"{plural(len(found), 'clue')} of {len(puzzle.clues)} can say less, each by itself")


def _minimise_bank(
    source: str,
    items: Iterator[bank.Item],
    settings: dict[str, Any],
    output: Path | None,
    executor: Callable[[], Executor],
    force: bool,
    json: bool,
) -> None:
    """Minimise a bank into another; boards that it has already are not done again."""
    if output is None:
        raise FormatError("a bank is minimised into a bank: say which with -o FILE")
    unreadable: list[str] = []

    def skipped(entry: bank.Entry) -> None:
        unreadable.append(entry.place)
        tell(f"warning: {entry.puzzle}")

    sums, already = _Sums(), 0
    done = minimise_bank(
        source,
        items,
        output,
        settings,
        executor,
        around=interruptible,
        force=force,
        tell=tell,
        unreadable=skipped,
    )
    with closing(done):
        for result in progress(done, "boards"):
            sums.add(msgspec.json.decode(result.line, type=_Line))
            already += result.there
            if result.failure:
                tell(f"warning: {result.failure}")
    with aside(output):
        if json:
            as_json(sums.report(already, len(unreadable)))
        else:
            were_there = f", {already:,} were there" if already else ""
            write(f"{output}: {plural(sums.boards, 'board')}{were_there}")
            for sentence in sums:
                write(sentence)
    raise typer.Exit(1 if sums.failed or unreadable else 0)


class _Sums:
    """How many boards of each size there are, and their clues before and after."""

    def __init__(self) -> None:
        self._sizes: dict[tuple[int, int], list[int]] = {}
        self.failed = 0

    def add(self, line: _Line) -> None:
        """Count one more."""
        self.failed += line.error is not None
        sums = self._sizes.setdefault((line.puzzle.rows, line.puzzle.cols), [0, 0, 0])
        more = (1, line.clues_before, len(line.puzzle.clues))
        sums[:] = map(sum, zip(sums, more, strict=True))

    @property
    def boards(self) -> int:
        """How many there are."""
        return sum(boards for boards, *_ in self._sizes.values())

    def report(self, already: int, unreadable: int) -> wire.Report:
        """For `--json`."""
        from castlecp import wire

        sizes = (
            wire.Size(rows=rows, cols=cols, boards=boards, clues_before=before, clues_after=after)
            for (rows, cols), (boards, before, after) in sorted(self._sizes.items())
        )
        return wire.BankLess(
            boards=self.boards,
            failed=self.failed,
            sizes=tuple(sizes),
            already=already,
            unreadable=unreadable,
        )

    def __iter__(self) -> Iterator[str]:
        """A sentence a size, and one for what failed."""
        for (rows, cols), (boards, before, after) in sorted(self._sizes.items()):
            means = f"{before / boards:.1f} -> {after / boards:.1f} clues a board"
            yield f"{rows} x {cols}: {plural(boards, 'board')}, {means}"
        if self.failed:
            yield f"as they were, for a reason in the bank: {plural(self.failed, 'board')}"
