"""The command `generate`."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from castlecp import __version__, genres
from castlecp.bank import BEGINS, is_sealed, sealed
from castlecp.budget import Around
from castlecp.cli.guard import ENDED
from castlecp.cli.options import AsJson, Force, Jobs, Seconds, Seed, Steps
from castlecp.cli.output import aside, progress, show, spoken, tell
from castlecp.cli.streams import write, write_json
from castlecp.cli.workers import Cluster, workers
from castlecp.errors import CastlecpError, FormatError, OutOfBudget
from castlecp.executors import Executor, Lost
from castlecp.generate.batch import boards
from castlecp.generate.board import Made
from castlecp.generate.difficulty import BANDS
from castlecp.generate.layout import Layout, read_pattern, size_of
from castlecp.generate.loops import SOURCES
from castlecp.generate.settings import Settings
from castlecp.journal import Foreign, Journal, unfinished
from castlecp.nouns import plural

Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", help="Write a bank, or to -; what it has stays.", metavar="FILE"
    ),
]


def generate(
    genre: Annotated[str, typer.Argument(help=f"One of {', '.join(genres.names())}.")],
    rows: Annotated[
        int | None,
        typer.Option(help="Rows of cells; 10, or those of the pattern.", metavar="R"),
    ] = None,
    cols: Annotated[
        int | None,
        typer.Option(help="Columns of cells; 10, or those of the pattern.", metavar="C"),
    ] = None,
    difficulty: Annotated[
        str, typer.Option(help=f"One of {', '.join(BANDS)}.", metavar="NAME")
    ] = "normal",
    seed: Seed = 0,
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
    symmetry: Annotated[Layout, typer.Option(help="Of the places of clues.")] = "auto",
    pattern: Annotated[
        Path | None,
        typer.Option(help="A picture of the cells with clues; `.` has none.", metavar="FILE"),
    ] = None,
    no_zero: Annotated[bool, typer.Option("--no-zero", help="No clue says 0.")] = False,
    loop_share: Annotated[
        float | None, typer.Option(help="Of the points, on the loop; 0 to 1.", metavar="SHARE")
    ] = None,
    zeros: Annotated[
        float | None, typer.Option(help="Of the numbers, 0 at most; 0 to 1.", metavar="SHARE")
    ] = None,
    white: Annotated[
        float | None, typer.Option(help="Of the clues, white; 0 to 1.", metavar="SHARE")
    ] = None,
    min_distance: Annotated[
        int, typer.Option(help="Steps from a clue to the next, at least.", min=1, metavar="N")
    ] = 1,
    source: Annotated[
        str, typer.Option(help=f"Of loops: {', '.join(SOURCES)}.", metavar="NAME")
    ] = "shaped",
    seconds: Seconds = None,
    steps: Steps = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Make boards with exactly one solution; the same seed and settings make the same board."""
    genre = genres.REGISTRY.name_of(genre)
    picture = None if pattern is None else _text(pattern)
    high, wide = (10, 10) if picture is None else size_of(picture)
    rows, cols = high if rows is None else rows, wide if cols is None else cols
    cells = None if picture is None else read_pattern(picture, rows, cols)
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
        loop_share=loop_share,
        zeros=zeros,
        white=white,
        min_distance=min_distance,
    )
    maker = _Maker(settings, workers(jobs, cluster, tasks=count), seconds, steps)
    if cluster is not None:
        maker.around = nullcontext  # what is said there is not heard here
    seeds = range(seed, seed + count)
    if output is None:
        _print(maker, seeds, json)
    else:
        _write(maker, seeds, output, force)
    if maker.lost:
        raise typer.Exit(ENDED)


def _print(maker: _Maker, seeds: range, json: bool) -> None:
    """Make boards and show them, or print their lines."""
    # Nodes are for banks: counting them loads a compiler, which a look at one board can spare.
    with closing(maker.boards(seeds, len(seeds), with_nodes=json)) as made:
        for board in made:
            if json:
                write_json(sealed(board).decode().rstrip("\n"))
            else:
                _show(board)
    maker.refuse_none()
    _tell_missing(maker.done, len(seeds))


def _write(maker: _Maker, seeds: range, output: Path, force: bool) -> None:
    """Make the boards that a bank does not have, and put them into it in the order of seeds."""

    def look(journal: Journal) -> list[int]:
        return list(_seeds_of(journal, maker.settings, seeds))

    with unfinished(output, BEGINS, "bank of castlecp", look, force=force, tell=tell) as (
        journal,
        there,
    ):
        known, last = set(there), there[-1] if there else seeds.start - 1
        left = (seed for seed in seeds if seed not in known)
        # Boards of seeds that are missing among others, by the number of the line they precede.
        between: dict[int, bytes] = {}
        maker.done = len(there)
        with closing(maker.boards(left, len(seeds) - len(there))) as made:
            for board in made:
                if board.seed < last:
                    at = bisect(there, board.seed)
                    between[at] = between.get(at, b"") + sealed(board)
                else:
                    _insert(journal, between)
                    journal.append(sealed(board))
        _insert(journal, between)
        maker.refuse_none()
    with aside(output):
        already = f", {len(there):,} were there" if there else ""
        write(f"{output}: {plural(maker.done, 'board')}{already}")
    _tell_missing(maker.done, len(seeds))


def _insert(journal: Journal, between: dict[int, bytes]) -> None:
    """Put lines before those of some numbers, and forget them."""
    if between:
        lines = {at: between[at] + line for at, line in enumerate(journal) if at in between}
        journal.replace(lines)
        between.clear()


class _Maker:
    """Makes boards until the time is over; counts those that are done, and the seeds lost."""

    def __init__(
        self,
        settings: Settings,
        executor: Callable[[], Executor],
        seconds: float | None,
        steps: int | None,
    ) -> None:
        self.settings, self.executor = settings, executor
        self.seconds, self.steps = seconds, steps
        self.around: Around = spoken
        self.done = self.lost = 0

    def boards(
        self, seeds: Iterable[int], total: int, *, with_nodes: bool = True
    ) -> Generator[Made]:
        """The boards of seeds, with a warning for a seed that has none.

        Raises GivenUp when that is so of the first, and none is done.
        """
        made = boards(
            self.settings,
            seeds,
            self.executor,
            self.seconds,
            steps=self.steps,
            with_nodes=with_nodes,
            around=self.around,
        )
        with closing(made):
            for board in progress(made, "boards", total):
                if isinstance(board, Made):
                    self.done += 1
                    yield board
                elif isinstance(board, Lost):
                    self.lost += 1
                    tell(f"warning: {board.reason}")
                elif self.done or self.lost:
                    tell(f"warning: {board}")
                else:
                    raise board

    def refuse_none(self) -> None:
        """Raises OutOfBudget when no board is done."""
        if not self.done:
            within = "" if self.seconds is None else f" in {self.seconds:g} s"
            raise OutOfBudget(f"no board{within}")


def _tell_missing(done: int, count: int) -> None:
    if done < count:
        tell(f"{plural(done, 'board')} of {count}")


class _Head(msgspec.Struct):
    """What a line of a bank says about how its board was made."""

    seed: int
    settings: Settings
    version: str


def _seeds_of(journal: Journal, settings: Settings, seeds: range) -> Iterator[int]:
    """The seeds of the boards that a bank has.

    Raises Foreign when a board is not of these seeds and settings, or its line was changed.
    """
    last = seeds.start - 1
    for number, line in enumerate(journal, 1):
        try:
            head = msgspec.json.decode(line, type=_Head)
        except (msgspec.DecodeError, UnicodeError, RecursionError, CastlecpError):
            raise Foreign(journal.path, f"has other boards, as line {number} shows") from None
        if not is_sealed(line):
            raise Foreign(journal.path, f"was changed in line {number}", "take that line out")
        if (head.settings, head.version) != (settings, __version__) or head.seed not in seeds:
            raise Foreign(journal.path, f"has other boards, as line {number} shows")
        if head.seed <= last:
            raise Foreign(journal.path, f"has line {number} twice or in the wrong place")
        last = head.seed
        yield head.seed


def _show(board: Any) -> None:
    """A board for people."""
    from castlecp.draw import Picture

    puzzle, grade = board.puzzle, board.grade
    write(
        f"{puzzle.TITLE}, {puzzle.rows} x {puzzle.cols}, {board.settings.difficulty}, "
        f"seed {board.seed}, {plural(len(puzzle.clues), 'clue')}"
    )
    supposed = {0: "nothing to suppose", 1: "one thing to suppose"}
    suppose = supposed.get(grade.suppose, f"{plural(grade.suppose, 'thing')} to suppose")
    steps = plural(grade.steps, "step")
    write(f"exactly one solution; hardest rung: {grade.rung}, {steps}, {suppose}")
    write()
    show(Picture.of(puzzle))
    write()


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeError) as error:
        raise FormatError(f"{path}: {getattr(error, 'strerror', 'not a text')}") from None
