"""The command `generate`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from castlecp import __version__, genres
from castlecp.bank import BEGINS
from castlecp.cli.output import finite, plural, progress, show
from castlecp.cli.solving import AsJson
from castlecp.errors import CastlecpError, FormatError, OutOfBudget
from castlecp.generate.board import Made, Settings
from castlecp.generate.difficulty import BANDS
from castlecp.generate.layout import Layout, read_pattern
from castlecp.generate.loops import SOURCES
from castlecp.journal import Journal

Jobs = Annotated[int, typer.Option(help="Processes to work in.", min=1, metavar="N")]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", help="Write a bank; a run that was stopped goes on.", metavar="FILE"
    ),
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
        int | None, typer.Option(help="Steps of a person, at most.", min=0, metavar="N")
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
        float | None,
        typer.Option(
            help="End after S seconds with what is done.", min=0.0, callback=finite, metavar="S"
        ),
    ] = None,
    jobs: Jobs = 1,
    json: AsJson = False,
) -> None:
    """Make boards with exactly one solution; the same seed and settings make the same board."""
    from castlecp.generate.batch import boards

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
    seeds = range(seed, seed + count)
    with nullcontext() if output is None else _unfinished(output, settings, seeds) as bank:
        there, last = (0, seed - 1) if bank is None else (bank.boards, bank.seed)
        left = range(last + 1, seeds.stop)
        # Nodes are for banks: counting them loads a compiler, which a look at one board can spare.
        kept = json or bank is not None
        made = boards(settings, left, jobs, max_time, with_nodes=kept)
        done = there
        for board in progress(made, "boards", len(left)):
            if not isinstance(board, Made):
                if not done:
                    raise board
                typer.echo(f"castlecp: warning: {board}", err=True)
                continue
            done += 1
            if bank is not None:
                bank.journal.append(msgspec.json.encode(board) + b"\n")
            elif json:
                typer.echo(msgspec.json.encode(board).decode())
            else:
                _show(board)
        if not done:
            raise OutOfBudget(f"no board in {max_time:g} s")
    if output is not None:
        already = f", {there:,} were there" if there else ""
        typer.echo(f"{output}: {plural(done, 'board')}{already}")
    if done < count:
        typer.echo(f"castlecp: {plural(done, 'board')} of {count}", err=True)


class _Head(msgspec.Struct):
    """What a line of a bank says about how its board was made."""

    seed: int
    settings: Settings
    version: str


class _Unfinished(NamedTuple):
    """A bank that is being written, the boards it has and the seed of the last one."""

    journal: Journal
    boards: int
    seed: int


@contextmanager
def _unfinished(output: Path, settings: Settings, seeds: range) -> Iterator[_Unfinished]:
    """A bank under the name FILE.part, which gets its own name when all went well.

    Whatever ends a run before, the next one for the same boards goes on there. Raises
    CastlecpError when it cannot be written or has other boards.
    """
    if output.exists() and not output.is_file():
        raise CastlecpError(f"{output} is not a file")
    part = output.with_name(f"{output.name}.part")
    with closing(Journal(part, BEGINS, "bank of castlecp")) as journal:
        try:
            heads = [msgspec.json.decode(line, type=_Head) for line in journal]
            # The first seed has a board, or there would be no others.
            ours = not heads or (heads[0].seed == seeds.start and heads[-1].seed in seeds)
        except (msgspec.DecodeError, CastlecpError):
            ours = False
        if not (ours and all((h.settings, h.version) == (settings, __version__) for h in heads)):
            raise CastlecpError(f"{part} has other boards; finish them, or delete it")
        try:
            yield _Unfinished(journal, len(heads), heads[-1].seed if heads else seeds.start - 1)
        except BaseException:
            if part.stat().st_size:
                typer.echo(
                    f"castlecp: boards so far are in {part}; run this again to go on", err=True
                )
            else:
                part.unlink()
            raise
        os.replace(part, output)


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
