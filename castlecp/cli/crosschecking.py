"""The command `crosscheck`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from castlecp import bank, codecs, methods
from castlecp.cli.guard import ENDED, FAILED
from castlecp.cli.options import AsJson, Jobs, Seconds, Steps, finite
from castlecp.cli.output import as_json, interruptible, progress
from castlecp.cli.streams import write
from castlecp.cli.workers import Cluster, workers
from castlecp.errors import CastlecpError, Disagreement, FormatError, OutOfBudget
from castlecp.executors import Lost
from castlecp.nouns import plural
from castlecp.outfile import write_file

if TYPE_CHECKING:
    from castlecp.crosscheck import Compared, Comparison

RANGE = re.compile(r"(\d+)(?:\.\.(\d+))?")


def crosscheck(
    source: Annotated[
        str | None,
        typer.Argument(help="A bank: JSON lines, addresses, a folder, or -.", metavar="[BANK]"),
    ] = None,
    seeds: Annotated[
        str | None, typer.Option(help="Random boards of these seeds.", metavar="A..B")
    ] = None,
    rows: Annotated[str, typer.Option(help="Rows of random boards.", metavar="A..B")] = "2..5",
    cols: Annotated[str, typer.Option(help="Columns of random boards.", metavar="A..B")] = "2..5",
    density: Annotated[
        float,
        typer.Option(
            help="Share of free cells with a clue.", min=0.0, max=1.0, callback=finite, metavar="D"
        ),
    ] = 0.5,
    genre: Annotated[str, typer.Option(help="Genre of random boards.", metavar="NAME")] = "castle",
    limit: Annotated[
        int, typer.Option(help="Compare up to this many loops.", min=2, metavar="N")
    ] = 3,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help="Folder for boards with a disagreement.", metavar="DIR"
        ),
    ] = Path(),
    seconds: Seconds = None,
    steps: Steps = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    json: AsJson = False,
) -> None:
    """Ask every method about every board; exit code 4 when two of them disagree.

    --steps are those of each method on each board, 100,000 by default; --seconds those of the run.
    """
    from castlecp.crosscheck import compare_all, random_board

    if (source is None) == (seeds is None):
        raise FormatError("give either a bank or --seeds")
    counts: Counter[str] = Counter()
    unsettled: Counter[str] = Counter()
    unreadable: list[str] = []
    lost: list[str] = []
    disagreements: list[dict[str, str]] = []
    boards: Iterable[bank.Entry]
    if seeds is None:
        boards, total = bank.entries(str(source)), None
    else:
        first, last = _range("--seeds", seeds)
        size = _range("--rows", rows), _range("--cols", cols)
        total = last - first + 1
        boards = (
            bank.Entry(f"{genre}-{seed}", f"seed {seed}", random_board(genre, *size, density, seed))
            for seed in range(first, last + 1)
        )

    def readable() -> Iterator[bank.Entry]:
        for entry in boards:
            if isinstance(entry.puzzle, CastlecpError):
                unreadable.append(str(entry.puzzle))
            else:
                yield entry

    results = compare_all(
        readable(),
        limit,
        workers(jobs, cluster, tasks=total),
        steps=steps,
        seconds=seconds,
        around=interruptible,
    )
    ended: OutOfBudget | None = None

    def in_time() -> Iterator[Compared]:
        nonlocal ended
        try:
            yield from results
        except OutOfBudget as error:
            ended = error

    with closing(results):
        for entry, comparison in progress(in_time(), "crosscheck", total):
            if isinstance(comparison, Lost):
                lost.append(f"{entry.place}: {comparison.reason}")
                continue
            counts[comparison.status] += 1
            unsettled.update(o.method for o in comparison.opinions if not o.settled)
            if not comparison.agreed:
                file = _written(entry, output, {found["file"] for found in disagreements})
                disagreements.append({"place": entry.place, "file": file})
                write(f"{entry.place}: disagreement, see {file}", err=True)
                for line in side_by_side(comparison):
                    write(f"  {line}", err=True)
    if not (counts or unreadable or lost or ended):
        raise FormatError(f"{source}: there is no board")
    if json:
        from castlecp import wire

        as_json(
            wire.Comparisons(
                boards=counts.total(),
                statuses=dict(counts),
                unsettled=dict(unsettled),
                unreadable=tuple(unreadable),
                lost=tuple(lost),
                disagreements=tuple(disagreements),
                timed_out=ended is not None,
            )
        )
    else:
        write(f"{plural(counts.total(), 'board')}, methods: {', '.join(methods.names())}")
        for name in ("unique", "multiple", "none", "inconclusive"):
            write(f"  {name}: {counts[name]:,}")
        for method, number in sorted(unsettled.items()):
            write(f"  out of steps, {method}: {number:,}")
        for sentence in unreadable:
            write(f"  unreadable: {sentence}")
        for sentence in lost:
            write(f"  given up: {sentence}")
        write(f"  disagreements: {len(disagreements)}")
    if disagreements:
        raise Disagreement(f"methods disagree on {plural(len(disagreements), 'board')}")
    if ended is not None:
        raise ended
    raise typer.Exit(FAILED if unreadable else ENDED if lost else 0)


def _written(entry: bank.Entry, folder: Path, taken: Container[str]) -> str:
    """Write a board to a file of its own, that no other board of this run or another has."""
    assert not isinstance(entry.puzzle, CastlecpError)
    content = codecs.write(entry.puzzle, "json").encode() + b"\n"
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", entry.name)
    names = (f"disagreement-{name}{end}.json" for end in chain([""], map("-{}".format, count(2))))
    file = next(
        file
        for file in (folder / name for name in names)
        if str(file) not in taken and (not file.exists() or file.read_bytes() == content)
    )
    write_file(file, content)
    return str(file)


def side_by_side(comparison: Comparison) -> Iterator[str]:
    """A line for each method's verdict."""
    for opinion in comparison.opinions:
        settled = "" if opinion.settled else ", out of steps"
        wrong = f", {plural(opinion.wrong, 'loop')} wrong or twice" if opinion.wrong else ""
        loops = plural(len(opinion.loops), "loop")
        yield f"{opinion.method}: {opinion.status}, {loops}{settled}{wrong}"


def _range(option: str, text: str) -> tuple[int, int]:
    found = RANGE.fullmatch(text)
    if not found or int(found[2] or found[1]) < int(found[1]):
        raise FormatError(f"{option} is a number or A..B, not `{text}`")
    return int(found[1]), int(found[2] or found[1])
