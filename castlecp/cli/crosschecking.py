"""The command `crosscheck`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from castlecp import bank, codecs, methods
from castlecp.cli.output import as_json, finite, plural, progress
from castlecp.cli.solving import AsJson
from castlecp.cli.streams import write
from castlecp.errors import Disagreement, FormatError
from castlecp.outfile import write_file

if TYPE_CHECKING:
    from castlecp.crosscheck import Comparison

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
    steps: Annotated[
        int, typer.Option(help="Steps each method may take on a board.", min=1, metavar="N")
    ] = 100_000,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help="Folder for boards with a disagreement.", metavar="DIR"
        ),
    ] = Path(),
    json: AsJson = False,
) -> None:
    """Ask every method about every board; exit code 4 when two of them disagree."""
    from castlecp.crosscheck import compare, random_board

    if (source is None) == (seeds is None):
        raise FormatError("give either a bank or --seeds")
    counts: Counter[str] = Counter()
    unsettled: Counter[str] = Counter()
    unreadable, disagreements = [], []
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
    for entry in progress(boards, "crosscheck", total):
        if isinstance(entry.puzzle, Exception):
            unreadable.append(str(entry.puzzle))
            continue
        comparison = compare(entry.puzzle, limit, steps)
        counts[comparison.status] += 1
        unsettled.update(o.method for o in comparison.opinions if not o.settled)
        if not comparison.agreed:
            file = output / f"disagreement-{re.sub(r'[^A-Za-z0-9_.-]', '_', entry.name)}.json"
            write_file(file, codecs.write(entry.puzzle, "json").encode() + b"\n")
            disagreements.append({"place": entry.place, "file": str(file)})
            write(f"{entry.place}: disagreement, see {file}", err=True)
            for line in side_by_side(comparison):
                write(f"  {line}", err=True)
    if not counts and not unreadable:
        raise FormatError(f"{source}: there is no board")
    if json:
        from castlecp import wire

        as_json(
            wire.Comparisons(
                boards=counts.total(),
                statuses=dict(counts),
                unsettled=dict(unsettled),
                unreadable=tuple(unreadable),
                disagreements=tuple(disagreements),
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
        write(f"  disagreements: {len(disagreements)}")
    if disagreements:
        raise Disagreement(f"methods disagree on {plural(len(disagreements), 'board')}")
    raise typer.Exit(2 if unreadable else 0)


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
