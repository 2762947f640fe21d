"""The commands `solve` and `count`."""

from __future__ import annotations

from typing import Annotated

import typer

from castlecp import bank, methods
from castlecp.budget import Budget
from castlecp.cli.options import AsJson, Seconds, Source, Steps
from castlecp.cli.output import (
    as_json,
    edges_text,
    findings_of,
    remark,
    say,
    show,
    watched,
)
from castlecp.cli.streams import write
from castlecp.genres import Puzzle
from castlecp.nouns import plural
from castlecp.verdict import Status, Verdict

METHODS = methods.names()
EXIT_CODES = {Status.UNIQUE: 0, Status.MULTIPLE: 1, Status.NONE: 1, Status.INCONCLUSIVE: 3}

Engine = Annotated[str, typer.Option(help=f"Who solves: {', '.join(METHODS)}.", metavar="NAME")]


def solve(
    source: Source,
    engine: Engine = "auto",
    limit: Annotated[
        int, typer.Option(help="Look for at most this many solutions.", min=2, metavar="N")
    ] = 2,
    seconds: Seconds = None,
    steps: Steps = None,
    forced: Annotated[
        bool, typer.Option("--forced", help="Show what all solutions agree on.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Solve a board: exactly one solution, several, none (and why), or inconclusive."""
    puzzle = _puzzle(source, engine)
    budget = Budget(seconds, steps)
    with watched(budget, "searching"):
        verdict = methods.solve(
            puzzle, engine, limit=limit, budget=budget, forced=forced, conflict=True
        )
    if json:
        from castlecp import wire

        as_json(wire.Verdict.of(puzzle, verdict))
    else:
        _report(puzzle, verdict)
    raise typer.Exit(EXIT_CODES[verdict.status])


def count(
    source: Source,
    engine: Engine = "auto",
    limit: Annotated[
        int, typer.Option(help="Stop counting at this many.", min=1, metavar="N")
    ] = 10_000,
    seconds: Seconds = None,
    steps: Steps = None,
    json: AsJson = False,
) -> None:
    """Count the solutions of a board: exactly, at least, or as far as the budget went."""
    puzzle = _puzzle(source, engine)
    budget = Budget(seconds, steps)
    with watched(budget, "counting"):
        verdict = methods.solve(puzzle, engine, limit=limit, budget=budget)
    found = len(verdict.loops)
    kind = "timed out" if verdict.timed_out else "exact" if verdict.exact else "at least"
    if json:
        from castlecp import wire

        as_json(wire.Count.of(verdict))
    else:
        prefix = {"exact": "", "at least": "at least ", "timed out": "timed out: at least "}
        write(f"{'at least ' if budget.cancelled else prefix[kind]}{found}")
    raise typer.Exit(3 if verdict.timed_out else 0)


def _puzzle(source: str, engine: str) -> Puzzle:
    methods.REGISTRY[engine]  # raises for an unknown one before anything is read
    puzzle = bank.board(source)
    remark(puzzle)
    return puzzle


def _report(puzzle: Puzzle, verdict: Verdict) -> None:
    from castlecp.draw import Picture

    write(f"{puzzle.TITLE}, {puzzle.rows} x {puzzle.cols}, {plural(len(puzzle.clues), 'clue')}")
    write(_headline(verdict))
    say(puzzle.words())
    loops, forced = verdict.loops, verdict.forced
    if verdict.status is Status.NONE:
        _report_conflict(puzzle, verdict)
        return
    if forced is not None and verdict.status is not Status.UNIQUE:
        write()
        show(Picture.forced(puzzle, forced.on, forced.off))
        counts = (len(forced.on), len(forced.off), len(forced.undecided))
        write()
        write("in every solution {}, in no solution {}, undecided {}".format(*counts))
        if forced.unsettled:
            write(f"not settled in time: {plural(len(forced.unsettled), 'edge')}")
    elif len(loops) == 2:
        write()
        show(Picture.of(puzzle, loops))
        say(findings_of(puzzle, loops))
    else:
        for number, loop in enumerate(loops, 1):
            write()
            if len(loops) > 1:
                write(f"solution {number}")
            show(Picture.of(puzzle, [loop]))
            say(findings_of(puzzle, [loop]))
        if not loops:
            write()
            show(Picture.of(puzzle))
    differ = verdict.differ
    if differ:
        write()
        write(f"they differ in {plural(len(differ), 'edge')}: {edges_text(differ)}")


def _headline(verdict: Verdict) -> str:
    found, stats = len(verdict.loops), verdict.stats
    took = [verdict.engine, plural(int(stats["steps"]), "step"), f"{stats['seconds']:.3f} s"]
    if stats["rounds"]:
        took.insert(1, plural(int(stats["rounds"]), "round"))
    spent = ", ".join(took)
    if verdict.status is Status.UNIQUE:
        how = "a second solve" if stats["rounds"] else "a search to its end"
        return f"exactly one solution, proved by {how} ({spent})"
    if verdict.status is Status.NONE:
        return f"no solution ({spent})"
    if verdict.status is Status.INCONCLUSIVE:
        known = "one solution is known, others are not ruled out" if found else "none is known"
        return f"inconclusive, the budget is spent: {known} ({spent})"
    least = "exactly" if verdict.exact else "at least"
    late = ", the budget is spent" if verdict.timed_out else ""
    return f"not unique: {least} {plural(found, 'solution')}{late} ({spent})"


def _report_conflict(puzzle: Puzzle, verdict: Verdict) -> None:
    from castlecp.draw import Picture

    conflict, reasons, demands = verdict.conflict, dict(puzzle.impossible()), puzzle.demands()
    clues = [part for part in conflict or () if not isinstance(part, str)]
    write()
    show(Picture.of(puzzle).highlight((clue.row, clue.col) for clue in clues))
    write()
    if conflict is None:
        write("the budget was spent before the clues at fault were found")
        return
    noun = "clue" if len(clues) == len(conflict) else "demand"
    if not conflict:
        write("a board of this size has no loop at all")
    elif len(conflict) > 1:
        number = plural(len(conflict), noun)
        write(f"these {number} contradict each other, and none can be spared:")
    else:
        write(f"this {noun} alone leaves no solution:")
    for clue in clues:
        reason = f": {reasons[clue]}" if clue in reasons else ""
        write(f"  row {clue.row + 1}, column {clue.col + 1} ({clue.says()}){reason}")
    for part in conflict:
        if isinstance(part, str):
            write(f"  {demands[part]}")
