"""The commands `minimise` and `mend`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from castlecp import codecs
from castlecp.bank import BEGINS, entries, items
from castlecp.budget import Budget
from castlecp.cli.output import (
    as_json,
    aside,
    findings_of,
    plural,
    progress,
    refuse_input_twice,
    say,
    show,
    watched,
)
from castlecp.cli.solving import AsJson, Seconds, Source, Steps
from castlecp.codecs import url
from castlecp.errors import CastlecpError, FormatError
from castlecp.generate.dials import Dial
from castlecp.generate.minimise import Method, Minimised, Weigh, spare, weight
from castlecp.generate.minimise import minimise as reduce
from castlecp.journal import Journal
from castlecp.outfile import write_file


class _Task(NamedTuple):
    """One board of a bank to minimise."""

    name: str
    place: str
    puzzle: Any
    options: dict[str, Any]
    seconds: float | None
    steps: int | None


class _Less(NamedTuple):
    """A line of the new bank, the board's size, the clues before and after, and what failed."""

    line: bytes
    size: tuple[int, int]
    before: int
    after: int
    failure: str = ""


def minimise(
    source: Annotated[
        str, typer.Argument(help="A board, or a bank with one a line.", metavar="SOURCE")
    ],
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
        if report:
            raise FormatError("--report is of one board, and this is a bank")
        options = {"method": method, "dial": dial, "weigh": weigh, "seed": seed}
        _minimise_bank(source, options, output, seconds, steps, jobs or os.cpu_count() or 1, json)
        return
    if report and output is not None:
        raise FormatError("--report changes nothing, so there is nothing to write with -o")
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
    with aside(output):
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
    """Whether a source is a folder, or a file with a board a line."""
    path = Path(source)
    try:
        if not path.is_file():
            return path.is_dir()
        if path.suffix == ".jsonl":
            return True
        first = [item.text for item in islice(items(source), 2)]
    except OSError:
        return False
    return len(first) == 2 and all(isinstance(text, bytes) and _is_line(text) for text in first)


def _is_line(text: bytes) -> bool:
    """Whether a line is a whole board: an address or a JSON object."""
    line = text.decode(errors="replace").strip()
    return url.looks_like(line) or (line.startswith("{") and line.endswith("}"))


def _minimise_bank(
    source: str,
    options: dict[str, Any],
    output: Path | None,
    seconds: float | None,
    steps: int | None,
    jobs: int,
    json: bool,
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
            yield _Task(entry.name, entry.place, entry.puzzle, options, seconds, steps)

    with closing(Journal(output, BEGINS, "bank of castlecp")) as bank:
        done = {entry.name for entry in entries(str(output))}
        for less in progress(spread(_minimise_one, tasks(), jobs), "boards"):
            bank.append(less.line)
            if less.failure:
                typer.echo(f"castlecp: warning: {less.failure}", err=True)
            sums = sizes.setdefault(less.size, [0, 0, 0])
            sums[:] = (sums[0] + 1, sums[1] + less.before, sums[2] + less.after)
    if json:
        _sums_json(sizes, len(done))
        return
    already = f", {len(done)} were there" if done else ""
    total = sum(boards for boards, *_ in sizes.values())
    typer.echo(f"{output}: {plural(total, 'board')}{already}")
    for (rows, cols), (boards, before, after) in sorted(sizes.items()):
        means = f"{before / boards:.1f} -> {after / boards:.1f} clues a board"
        typer.echo(f"{rows} x {cols}: {plural(boards, 'board')}, {means}")


def _sums_json(sizes: dict[tuple[int, int], list[int]], already: int) -> None:
    keys = ("rows", "cols", "boards", "clues_before", "clues_after")
    sums = [dict(zip(keys, (*size, *some), strict=True)) for size, some in sorted(sizes.items())]
    as_json({"boards": sum(one["boards"] for one in sums), "already": already, "sizes": sums})


def _minimise_one(task: _Task) -> _Less:
    """A board minimised, or left as it is when that fails."""
    before = len(task.puzzle.clues)
    size = (task.puzzle.rows, task.puzzle.cols)
    try:
        made = reduce(task.puzzle, budget=Budget(task.seconds, task.steps), **task.options)
    except CastlecpError as error:
        record: dict[str, Any] = {"id": task.name, "puzzle": task.puzzle, "error": str(error)}
        line = msgspec.json.encode(record) + b"\n"
        return _Less(line, size, before, before, f"{task.place}: {error}")
    record = {"id": task.name, **asdict(made), "clues_before": before}
    return _Less(msgspec.json.encode(record) + b"\n", size, before, len(made.puzzle.clues))


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

    refuse_input_twice(source, answer)
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

    loops = [] if loop is None else [loop]
    show(Picture.of(puzzle, loops))
    say([*puzzle.words(), *findings_of(puzzle, loops)])
    typer.echo()
