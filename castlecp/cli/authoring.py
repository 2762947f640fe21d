"""The commands `author verify` and `author prune`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from castlecp import codecs
from castlecp.budget import Budget
from castlecp.cli.options import AsJson, Seconds, Seed, Steps
from castlecp.cli.output import as_json, progress, tell, watched
from castlecp.cli.streams import visible, write, write_json
from castlecp.nouns import plural
from castlecp.outfile import is_stdout, write_file

if TYPE_CHECKING:
    from castlecp import wire
    from castlecp.author.verify import Report

Levels = Annotated[
    str,
    typer.Argument(metavar="LEVELS", help="A file of levels, a folder of such files, or -."),
]


def verify(
    source: Levels, seconds: Seconds = None, steps: Steps = None, json: AsJson = False
) -> None:
    """Prove that each level has one solution, the loop of its mask, and no idle statements.

    A level that cannot be read is named, and the others are proved. Exit code 1 when a level fails
    or cannot be read, 2 when none can, 3 when none fails but the budget of one ended.
    """
    from castlecp.author.levels import Level, entries
    from castlecp.author.verify import verify as report_on

    levels: list[Level] = []
    unreadable: list[str] = []
    for entry in entries(source):
        if isinstance(entry, Level):
            levels.append(entry)
        else:
            unreadable.append(str(entry))
            tell(unreadable[-1])
    if not levels:
        raise typer.Exit(2)
    rows = [_row(level.name, level.puzzle) for level in levels]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    verdicts: Counter[str] = Counter()
    reports = (report_on(level, Budget(seconds, steps)) for level in levels)
    found = []
    for row, report in zip(rows, progress(reports, "levels", len(levels)), strict=True):
        verdicts[report.verdict] += 1
        if json:
            found.append(report_of(report))
        else:
            _show(row, widths, report)
    if json:
        from castlecp import wire

        as_json(
            wire.Levels(levels=tuple(found), verdicts=dict(verdicts), unreadable=tuple(unreadable))
        )
    else:
        counts = [*verdicts.items(), *([("unreadable", len(unreadable))] if unreadable else [])]
        counted = ", ".join(f"{number} {verdict}" for verdict, number in counts)
        write(f"{plural(len(levels) + len(unreadable), 'level')}: {counted}")
    wrong = verdicts["failed"] or unreadable
    raise typer.Exit(1 if wrong else 3 if verdicts["inconclusive"] else 0)


def prune(
    source: Annotated[str, typer.Argument(metavar="LEVEL", help="A file of one level or more.")],
    floor: Annotated[int, typer.Option(help="Keep at least N clues.", min=0, metavar="N")] = 8,
    seed: Seed = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this file.", metavar="FILE")
    ] = None,
    seconds: Seconds = None,
    steps: Steps = None,
) -> None:
    """Drop clues in a seeded order while the solution stays the only one; print the level."""
    from castlecp.author import levels as files
    from castlecp.author.prune import prune as pruned

    levels = files.load(source)
    budget = Budget(seconds, steps)
    with watched(budget, "pruning"):
        made = [pruned(level, floor, seed, budget) for level in levels]
    text = files.write(made)
    if output is None:
        write_json(text.rstrip("\n"))
    else:
        write_file(output, text.encode())
    for before, after in zip(levels, made, strict=True):
        had, has = len(before.puzzle.clues), len(after.puzzle.clues)
        dropped = f"{had - has} of {plural(had, 'clue')} dropped, {has} left"
        write(f"{after.name}: {dropped}", err=output is None or is_stdout(output))


def boards(source: Levels) -> None:
    """Print the boards of levels, one a line, for all other commands."""
    from castlecp.author.levels import load

    for level in load(source):
        write_json(codecs.write(level.puzzle, "json"))


def report_of(report: Report) -> wire.Level:
    """A report on a level, for JSON."""
    level = report.level
    from castlecp import wire

    return wire.Level(
        name=level.name,
        verdict=report.verdict,
        status=report.status.value,
        clues=len(level.puzzle.clues),
        seconds=report.seconds,
        faults=tuple(map(wire.Mistake.of, report.faults)),
        idle=report.idle,
        spare=report.spare,
        failures=tuple(report.failures()),
        remarks=tuple(report.remarks()),
        findings=level.puzzle.findings(level.loop),
    )


def _row(name: str, puzzle: Any) -> tuple[str, str, str, str]:
    """What is known of a level before it is looked at."""
    size = f"{puzzle.rows} x {puzzle.cols}"
    said = visible("; ".join(puzzle.demands().values()))
    return visible(name), size, plural(len(puzzle.clues), "clue"), said


def _show(row: tuple[str, ...], widths: list[int], report: Report) -> None:
    """A level's line of the table, and below it what is wrong or could be better."""
    columns = [text.ljust(width) for text, width in zip(row, widths, strict=True) if width]
    time = f"{report.seconds:.3f} s"
    write("  ".join([report.verdict.ljust(len("inconclusive")), *columns, time]))
    for sentence in report.failures():
        write(f"  {sentence}")
    for sentence in report.remarks():
        write(f"  remark: {sentence}")
