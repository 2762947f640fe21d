"""The commands `certify` and `verify`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from castlecp import bank
from castlecp.cli.options import AsJson, Force, Jobs, Seconds, Steps
from castlecp.cli.output import as_json, aside, progress, tell
from castlecp.cli.streams import write
from castlecp.cli.workers import Cluster, workers
from castlecp.errors import FormatError
from castlecp.nouns import plural

if TYPE_CHECKING:
    from castlecp.certify.banks import Summary
    from castlecp.certify.records import Done


def certify(
    source: Annotated[
        str,
        typer.Argument(
            metavar="BANK",
            help="JSON lines, a text with one address a line, a folder of files, or -.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The certificates file.", metavar="FILE")
    ],
    jobs: Jobs = None,
    fast: Annotated[bool, typer.Option("--fast", help="Verdicts only, no proofs.")] = False,
    grade: Annotated[bool, typer.Option(help="Grade the boards; slow on hard ones.")] = True,
    seconds: Seconds = None,
    steps: Steps = None,
    cluster: Cluster = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Prove every board of a bank unique, or show why not.

    Goes on where a run was ended; tries inconclusive boards again when the budget is larger.
    """
    from castlecp.certify.banks import CHUNK, FAST_CHUNK, certify_bank
    from castlecp.certify.records import STATUSES

    chunk = FAST_CHUNK if fast else CHUNK
    # A solver that does not stop in time is stopped from outside, well after it should have.
    patience = None if seconds is None else 60 + 2 * seconds * chunk

    done = certify_bank(
        source,
        output,
        workers(jobs, cluster, apart=True, patience=patience),
        fast=fast,
        graded=grade,
        seconds=seconds,
        steps=steps,
        force=force,
        tell=tell,
    )
    with closing(done), aside(output):
        summary = _follow(done, "certifying", bank.size(source), json)
        _report(summary, STATUSES, json)
    if summary.counts.get("disagreement"):
        raise typer.Exit(4)
    _refuse_unreadable(summary)
    raise typer.Exit(0 if summary.counts.get("unique", 0) == summary.boards else 1)


def verify(
    source: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A certificates file, a folder of such files, or -."),
    ],
    export: Annotated[
        Path | None,
        typer.Option(help="Write DIMACS and DRAT files to this folder.", metavar="DIR"),
    ] = None,
    seconds: Seconds = None,
    steps: Steps = None,
    max_proof: Annotated[
        int | None,
        typer.Option(
            help="Most lines of a proof; by default 10,000 and 100 for each variable, at most "
            "100,000.",
            min=1,
            metavar="LINES",
        ),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    json: AsJson = False,
) -> None:
    """Check certificates: accepted, or the first reason against each.

    What is too large or takes too long is not checked. --seconds and --steps, lines of the proof,
    are those of each.
    """
    from castlecp.certify.banks import CHUNK, verify_bank
    from castlecp.certify.checking import STATUSES

    if export is not None and cluster is not None:
        raise FormatError("--export writes on this machine: leave out --cluster")
    # What does not end in time is stopped from outside, well after it should have.
    patience = None if seconds is None else 60 + 2 * seconds * CHUNK
    done = verify_bank(
        source,
        workers(jobs, cluster, apart=True, patience=patience),
        export=export,
        seconds=seconds,
        steps=steps,
        max_proof=max_proof,
        tell=_warn,
    )
    with closing(done):
        summary = _follow(done, "checking", bank.size(source), json)
    _report(summary, STATUSES, json)
    _refuse_unreadable(summary)
    accepted, unchecked = (summary.counts.get(x, 0) for x in ("accepted", "not checked"))
    if unchecked and accepted + unchecked == summary.boards:
        raise typer.Exit(3)
    raise typer.Exit(0 if accepted == summary.boards > 0 else 1)


def _warn(sentence: str) -> None:
    tell(f"warning: {sentence}")


def _follow(results: Iterable[Done], what: str, total: int | None, json: bool) -> Summary:
    """Count the results as they come, and name those that need a look."""
    from castlecp.certify.banks import Summary

    summary, started = Summary(), perf_counter()
    for done in progress(results, what, total):
        summary.add(done)
        if done.note and not json:
            write(done.note)
    took = perf_counter() - started
    write(f"{took:.1f} s, {plural(summary.boards / took, 'board')} a second", err=True)
    return summary


def _refuse_unreadable(summary: Summary) -> None:
    """Exit code 2 when nothing could be read."""
    if summary.counts.get("unreadable") == summary.boards:
        raise typer.Exit(2)


def _report(summary: Summary, order: Iterable[str], json: bool) -> None:
    if json:
        from castlecp import wire

        as_json(wire.Sums.of(summary.counts, order, summary.seconds))
        return
    counted = [f"{n:,} {status}" for status in order if (n := summary.counts.get(status))]
    write(f"{plural(summary.boards, 'board')}: {', '.join(counted) or 'none'}")
