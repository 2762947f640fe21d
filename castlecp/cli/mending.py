"""The command `mend`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from castlecp import bank, codecs
from castlecp.budget import Budget
from castlecp.cli.options import AsJson, Seconds, Source, Steps
from castlecp.cli.output import (
    as_json,
    aside,
    refuse_input_twice,
    remark,
    show_board,
    watched,
)
from castlecp.cli.streams import write
from castlecp.codecs import url
from castlecp.errors import FormatError
from castlecp.nouns import plural
from castlecp.outfile import write_file


def mend(
    source: Source,
    answer: Annotated[
        str | None, typer.Option(help="The solution that is meant.", metavar="ANSWER")
    ] = None,
    most: Annotated[int, typer.Option(help="Show up to N ways.", min=1, metavar="N")] = 5,
    apply: Annotated[
        int | None, typer.Option(help="Make the changes of this way.", min=1, metavar="N")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write the mended board as JSON.", metavar="FILE"),
    ] = None,
    seconds: Seconds = None,
    steps: Steps = None,
    json: AsJson = False,
) -> None:
    """The fewest changes of clues that leave exactly one solution."""
    from castlecp.generate import mend as library

    refuse_input_twice(source, answer)
    puzzle = bank.board(source)
    meant = None if answer is None else codecs.read_answer_source(answer, puzzle)
    budget = Budget(seconds, steps)
    with watched(budget, "mending"):
        found = library.mend(puzzle, meant, most=max(most, apply or 1), budget=budget)
    if apply is not None and apply > max(len(found.changes), 1):
        raise FormatError(f"there is no way {apply}: {plural(len(found.changes), 'way')} found")
    way = found.changes[(apply or 1) - 1] if found.changes else ()
    if output is not None:
        write_file(output, f"{codecs.write(library.apply(puzzle, way), 'json')}\n".encode())
    remark(puzzle)
    with aside(output):
        if json:
            from castlecp import wire

            as_json(wire.Mended.of(puzzle, found))
        else:
            _show_mending(puzzle, found, way)


def _show_mending(puzzle: Any, found: Any, way: Any) -> None:
    """The ways to mend a board, each with an address, and the board of one of them."""
    from castlecp.generate import mend as library

    if found.kind == "unique":
        write("exactly one solution: nothing to mend")
        return
    if found.kind == "more":
        number = plural(len(found.changes[0]), "change")
        verb = "leaves" if len(found.changes[0]) == 1 else "leave"
        if found.least < len(found.changes[0]):
            least = "is" if found.least == 1 else "are"
            of = "" if found.all_tried else " for the solutions tried"
            write(
                f"{number} {verb} exactly one solution; at least {found.least} {least} needed{of}:"
            )
        else:
            write(f"{number} {verb} exactly one solution; ways, the least telling first:")
    else:
        write(f"no solution; without {len(found.changes[0])} of the clues there is one:")
    for k, changes in enumerate(found.changes, 1):
        write(f"{k}. " + "; ".join(_change_text(change) for change in changes))
        with suppress(FormatError):  # addresses cannot say everything
            write(f"   {url.bare(library.apply(puzzle, changes))}")
    if not found.all_tried:
        write(f"only the first {library.LOOPS} solutions were tried as the one that is meant")
    if found.kind == "more":
        write()
        show_board(library.apply(puzzle, way), found.loop)


def _change_text(change: Any) -> str:
    clue = change.now or change.before
    place = f"row {clue.row + 1}, column {clue.col + 1}"
    if change.now is None:
        return f"drop {place} ({clue.says()})"
    if change.before is None:
        return f"put {clue.says()} at {place}"
    return f"{place}: {change.now.says()} instead of {change.before.says()}"
