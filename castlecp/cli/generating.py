"""The command `generate`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from castlecp import genres
from castlecp.cli.output import new_file, plural, progress, show
from castlecp.cli.solving import AsJson
from castlecp.errors import FormatError
from castlecp.generate.difficulty import BANDS
from castlecp.generate.layout import Layout, read_pattern
from castlecp.generate.loops import SOURCES

Jobs = Annotated[int, typer.Option(help="Processes to work in.", min=1, metavar="N")]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Write a bank to this file.", metavar="FILE"),
]


def generate(
    genre: Annotated[str, typer.Argument(help=f"One of {', '.join(genres.names())}.")],
    rows: Annotated[int, typer.Option(help="Rows of cells.", metavar="R")] = 10,
    cols: Annotated[int, typer.Option(help="Columns of cells.", metavar="C")] = 10,
    difficulty: Annotated[
        str, typer.Option(help=f"One of {', '.join(BANDS)}.", metavar="NAME")
    ] = "normal",
    seed: Annotated[int, typer.Option(help="Of the first board.", metavar="S")] = 1,
    count: Annotated[
        int, typer.Option(help="Boards, of this seed and the following.", min=1, metavar="N")
    ] = 1,
    output: Output = None,
    max_rung: Annotated[
        str | None, typer.Option(help="The hardest rung that may be needed.", metavar="RUNG")
    ] = None,
    min_rung: Annotated[
        str | None, typer.Option(help="A rung that must be needed.", metavar="RUNG")
    ] = None,
    max_steps: Annotated[
        int | None, typer.Option(help="Steps of a person, at most.", metavar="N")
    ] = None,
    min_clues: Annotated[int, typer.Option(help="Clues, at least.", min=0, metavar="N")] = 0,
    max_clues: Annotated[
        int | None, typer.Option(help="Clues, at most.", min=0, metavar="N")
    ] = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="No clue can be taken away.")] = False,
    symmetry: Annotated[Layout, typer.Option(help="Of the places of clues.")] = "none",
    pattern: Annotated[
        Path | None,
        typer.Option(help="A picture of the cells with clues; `.` has none.", metavar="FILE"),
    ] = None,
    no_zero: Annotated[bool, typer.Option("--no-zero", help="No clue says 0.")] = False,
    source: Annotated[
        str, typer.Option(help=f"Of loops: {', '.join(SOURCES)}.", metavar="NAME")
    ] = "tilted",
    max_time: Annotated[
        float | None, typer.Option(help="End after S seconds with what is done.", metavar="S")
    ] = None,
    jobs: Jobs = 1,
    json: AsJson = False,
) -> None:
    """Make boards with exactly one solution; the same seed and settings make the same board."""
    from castlecp.generate.batch import boards
    from castlecp.generate.board import Made, Settings

    if genre not in genres.names():
        raise FormatError(f"unknown genre `{genre}`; known: {', '.join(genres.names())}")
    cells = None if pattern is None else read_pattern(_text(pattern), rows, cols)
    settings = Settings(
        genre=genre,
        rows=rows,
        cols=cols,
        difficulty=difficulty,
        source=source,
        max_rung=max_rung,
        min_rung=min_rung,
        max_steps=max_steps,
        min_clues=min_clues,
        max_clues=max_clues,
        minimal=minimal,
        symmetry=symmetry,
        pattern=cells,
        no_zero=no_zero,
    )
    done = 0
    # Nodes are for banks: counting them loads a compiler, which a look at one board can spare.
    kept = json or output is not None
    made = boards(settings, range(seed, seed + count), jobs, max_time, with_nodes=kept)
    with nullcontext() if output is None else new_file(output) as bank:
        for board in progress(made, "boards", count):
            if not isinstance(board, Made):
                if not done:
                    raise board
                typer.echo(f"castlecp: warning: {board}", err=True)
                continue
            done += 1
            if bank is not None:
                bank.write(msgspec.json.encode(board) + b"\n")
                bank.flush()
            elif json:
                typer.echo(msgspec.json.encode(board).decode())
            else:
                _show(board)
    if output is not None:
        typer.echo(f"{output}: {plural(done, 'board')}")
    if done < count:
        typer.echo(f"castlecp: {plural(done, 'board')} of {count}", err=True)


def _show(board: Any) -> None:
    """A board for people."""
    from castlecp.draw import Picture

    puzzle, grade = board.puzzle, board.grade
    typer.echo(
        f"{puzzle.TITLE}, {puzzle.rows} x {puzzle.cols}, {board.settings.difficulty}, "
        f"seed {board.seed}, {plural(len(puzzle.clues), 'clue')}"
    )
    supposed = {0: "nothing to suppose", 1: "one thing to suppose"}
    suppose = supposed.get(grade.suppose, f"{grade.suppose} things to suppose")
    typer.echo(f"exactly one solution; hardest rung: {grade.rung}, {grade.steps} steps, {suppose}")
    typer.echo()
    show(Picture.of(puzzle))
    typer.echo()


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeError) as error:
        raise FormatError(f"{path}: {getattr(error, 'strerror', 'not a text')}") from None
