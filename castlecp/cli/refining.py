"""The commands `minimise` and `mend`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from castlecp import codecs
from castlecp.bank import BEGINS, entries
from castlecp.budget import Budget
from castlecp.cli.output import as_json, plural, progress, show, watched, write_file
from castlecp.cli.solving import AsJson, Seconds, Source, Steps
from castlecp.errors import CastlecpError, FormatError
from castlecp.generate.dials import Dial
from castlecp.generate.minimise import Method, Minimised, Weigh, spare, weight
from castlecp.generate.minimise import minimise as reduce
from castlecp.journal import Journal


class _Task(NamedTuple):
    """One board of a bank to minimise."""

    name: str
    puzzle: Any
    options: dict[str, Any]
    seconds: float | None
    steps: int | None


def minimise(
    source: Annotated[str, typer.Argument(help="A board, or a bank with one a line.")],
    method: Annotated[Method, typer.Option(help="How to look; see the README.")] = "core",
    dial: Annotated[
        Dial, typer.Option(help="On the chain a number keeps its colour; on the fork it need not.")
    ] = "chain",
    weigh: Annotated[Weigh, typer.Option(help="What smallest makes least.")] = "clues",
    seed: Annotated[int, typer.Option(help="For the order of the clues.", metavar="S")] = 0,
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
    jobs: Annotated[
        int | None,
        typer.Option(help="Processes for a bank; all cores by default.", min=1, metavar="N"),
    ] = None,
    json: AsJson = False,
) -> None:
    """Take away clues, and pieces of clues, while the solution stays the only one."""
    if _is_bank(source):
        options = {"method": method, "dial": dial, "weigh": weigh, "seed": seed}
        _minimise_bank(source, options, output, seconds, steps, jobs or os.cpu_count() or 1)
        return
    puzzle = codecs.read_source(source)
    budget = Budget(seconds, steps)
    if report:
        _report(puzzle, budget, json)
        return
    bounds = _Bounds()
    with watched(budget, "minimising"):
        made = reduce(puzzle, method, dial, seed=seed, weigh=weigh, budget=budget, watch=bounds)
    if output is not None:
        write_file(output, f"{codecs.write(made.puzzle, 'json')}\n".encode())
    if json:
        as_json(made)
        return
    show_board(made.puzzle)
    before, after = (weight(p, weigh) for p in (puzzle, made.puzzle))
    typer.echo(f"{before} -> {plural(after, weigh.removesuffix('s'))}; {_ending(made, method)}")


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
        self.shown = (-1, -1)

    def __call__(self, lower: int, upper: int) -> None:
        if (lower, upper) != self.shown:
            self.shown = (lower, upper)
            typer.echo(f"castlecp: between {lower} and {upper}", err=True)


def _report(puzzle: Any, budget: Budget, json: bool) -> None:
    """What is not needed."""
    found = spare(puzzle, budget)
    if json:
        as_json([{"clue": clue, "enough": form} for clue, form in found])
        return
    for clue, form in found:
        place = f"row {clue.row + 1}, column {clue.col + 1} ({clue.says()})"
        typer.echo(f"{place}: {'can go' if form is None else f'{form.says()} is enough'}")
    typer.echo(f"{plural(len(found), 'clue')} of {len(puzzle.clues)} can say less, each by itself")


def _is_bank(source: str) -> bool:
    """Whether a source is a folder or a file with a board a line."""
    path = Path(source)
    try:
        return path.is_dir() or (path.suffix == ".jsonl" and path.is_file())
    except OSError:
        return False


def _minimise_bank(
    source: str,
    options: dict[str, Any],
    output: Path | None,
    seconds: float | None,
    steps: int | None,
    jobs: int,
) -> None:
    """Minimise a bank into another; boards that it has already are not done again."""
    from castlecp.generate.batch import spread

    if output is None:
        raise FormatError("a bank is minimised into a bank: say which with -o FILE")
    if source != "-" and output.exists() and output.samefile(source):
        raise FormatError(f"{output} is the bank itself; name another file")
    sizes: dict[tuple[int, int], list[int]] = {}

    def tasks() -> Iterator[_Task]:
        for entry in entries(source):
            if entry.name in done:
                continue
            if isinstance(entry.puzzle, CastlecpError):
                typer.echo(f"castlecp: warning: {entry.puzzle}", err=True)
                continue
            yield _Task(entry.name, entry.puzzle, options, seconds, steps)

    with closing(Journal(output, BEGINS)) as bank:
        done = {entry.name for entry in entries(str(output))}
        for line, size, before, after in progress(spread(_minimise_one, tasks(), jobs), "boards"):
            bank.append(line)
            sums = sizes.setdefault(size, [0, 0, 0])
            sums[:] = (sums[0] + 1, sums[1] + before, sums[2] + after)
    already = f", {len(done)} were there" if done else ""
    total = sum(boards for boards, *_ in sizes.values())
    typer.echo(f"{output}: {plural(total, 'board')}{already}")
    for (rows, cols), (boards, before, after) in sorted(sizes.items()):
        means = f"{before / boards:.1f} -> {after / boards:.1f} clues a board"
        typer.echo(f"{rows} x {cols}: {plural(boards, 'board')}, {means}")


def _minimise_one(task: _Task) -> tuple[bytes, tuple[int, int], int, int]:
    """A line of the new bank, the board's size, and the number of clues before and after."""
    before = len(task.puzzle.clues)
    size = (task.puzzle.rows, task.puzzle.cols)
    try:
        made = reduce(task.puzzle, budget=Budget(task.seconds, task.steps), **task.options)
    except CastlecpError as error:
        record: dict[str, Any] = {"id": task.name, "puzzle": task.puzzle, "error": str(error)}
        return msgspec.json.encode(record) + b"\n", size, before, before
    record = {"id": task.name, **asdict(made), "clues_before": before}
    return msgspec.json.encode(record) + b"\n", size, before, len(made.puzzle.clues)


def mend(
    source: Source,
    answer: Annotated[
        str | None, typer.Option(help="The solution that is meant.", metavar="ANSWER")
    ] = None,
    most: Annotated[int, typer.Option(help="Show up to N ways.", min=1, metavar="N")] = 5,
    seconds: Seconds = None,
    steps: Steps = None,
    json: AsJson = False,
) -> None:
    """The fewest changes of clues that leave exactly one solution."""
    from castlecp.generate import mend as library

    puzzle = codecs.read_source(source)
    meant = None if answer is None else codecs.read_answer_source(answer, puzzle)
    budget = Budget(seconds, steps)
    with watched(budget, "mending"):
        found = library.mend(puzzle, meant, most=most, budget=budget)
    if json:
        as_json(
            {
                "kind": found.kind,
                "all_tried": found.all_tried,
                "edges": sorted(found.loop.edges) if found.loop else None,
                "changes": found.changes,
            }
        )
        return
    if found.kind == "unique":
        typer.echo("exactly one solution: nothing to mend")
        return
    number = plural(len(found.changes[0]), "change")
    if found.kind == "more":
        verb = "leaves" if len(found.changes[0]) == 1 else "leave"
        typer.echo(f"{number} {verb} exactly one solution; ways, the least telling first:")
    else:
        typer.echo(f"no solution; without {number[0]} of the clues there is one:")
    for k, way in enumerate(found.changes, 1):
        typer.echo(f"{k}. " + "; ".join(_change_text(change) for change in way))
    if not found.all_tried:
        typer.echo(f"only the first {library.LOOPS} solutions were tried as the one that is meant")
    if found.kind == "more":
        typer.echo()
        show_board(library.apply(puzzle, found.changes[0]), found.loop)


def _change_text(change: Any) -> str:
    clue = change.now or change.before
    place = f"row {clue.row + 1}, column {clue.col + 1}"
    if change.now is None:
        return f"drop {place} ({clue.says()})"
    if change.before is None:
        return f"put {clue.says()} at {place}"
    return f"{place}: {change.now.says()} instead of {change.before.says()}"


def show_board(puzzle: Any, loop: Any = None) -> None:
    """A board for people, with its loop if given."""
    from castlecp.draw import Picture

    show(Picture.of(puzzle, [] if loop is None else [loop]))
    typer.echo()
