"""The command `loops`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, TypedDict

import typer

from castlecp.budget import Budget
from castlecp.cli.options import AsJson, Seconds, Seed, Steps
from castlecp.cli.output import as_json, show, watched
from castlecp.cli.streams import write
from castlecp.errors import FormatError, sized
from castlecp.genres import Puzzle
from castlecp.glyph import Glyph
from castlecp.grid import Lattice, Loop, Vertex

Fill = Literal["white", "black", "grey"]

Side = Annotated[int, typer.Option(help="Cells from border to border.", min=1, metavar="N")]
Cells = Annotated[
    list[str] | None, typer.Option(help="A cell as ROW,COLUMN from 1; repeat it.", metavar="R,C")
]


class Marked(Puzzle, frozen=True):
    """A lattice with boxes at some vertices: what loops that no puzzle asks for are drawn on."""

    boxes: tuple[tuple[Vertex, Fill], ...] = ()

    TITLE: ClassVar = "Loops"
    CELLS: ClassVar = "vertices"

    @property
    def lattice(self) -> Lattice:
        """One vertex a cell."""
        return Lattice(self.rows, self.cols)

    def glyphs(self) -> dict[tuple[int, int], Glyph]:
        """The boxes."""
        return {vertex: Glyph("", fill) for vertex, fill in self.boxes}


class Named(TypedDict):
    """The cells named by the options of that name."""

    blocked: list[Vertex]
    inside: list[Vertex]
    outside: list[Vertex]


def loops(
    rows: Side,
    cols: Side,
    by_length: Annotated[
        bool, typer.Option("--by-length", help="How many of each length, and the mean.")
    ] = False,
    blocked: Cells = None,
    inside: Cells = None,
    outside: Cells = None,
    sample: Annotated[
        int | None, typer.Option(help="Draw N random loops instead.", min=1, metavar="N")
    ] = None,
    tilt: Annotated[
        str,
        typer.Option(
            help="What an edge off the loop weighs against one on it; 3/2 gives short loops.",
            metavar="SKIP/TAKE",
        ),
    ] = "1/1",
    seed: Seed = 0,
    seconds: Seconds = None,
    steps: Steps = None,
    json: AsJson = False,
) -> None:
    """Count the loops of a board without clues, exactly, or draw some at random.

    They miss the cells named as blocked, inside or outside, and have the latter on that side.
    """
    from castlecp.counting import Sampler, count, count_by_length

    lattice = Lattice(rows, cols)
    named = Named(
        blocked=_cells(lattice, blocked),
        inside=_cells(lattice, inside),
        outside=_cells(lattice, outside),
    )
    for r, c in set(named["inside"]) & set(named["outside"]):
        raise FormatError(f"cell {r + 1},{c + 1} cannot lie both inside and outside")
    skip, take = _ratio(tilt)
    if sample is None and skip != take:
        raise FormatError("`--tilt` is for `--sample`: it changes which loops are likely")
    if sample is not None and by_length:
        raise FormatError("`--by-length` counts loops and `--sample` draws some: ask for one")
    budget = Budget(seconds, steps)
    with watched(budget, "counting" if sample is None else "drawing"):
        if sample is not None:
            drawn = Sampler(lattice, take, skip, **named, budget=budget).samples(
                seed, sample, budget
            )
            if json:
                from castlecp import wire

                as_json(wire.LoopSample(loops=tuple(map(wire.Line.of, drawn))))
            else:
                _show(lattice, named, drawn)
        elif by_length:
            lengths = count_by_length(lattice, **named, budget=budget)
            if json:
                from castlecp import wire

                as_json(wire.LoopCount(count=str(sum(lengths.values())), by_length=_texts(lengths)))
            else:
                _report(lattice, lengths)
        else:
            number = count(lattice, **named, budget=budget)
            if json:
                # As text: most readers of JSON would round the number.
                from castlecp import wire

                as_json(wire.LoopCount(count=str(number)))
            else:
                write(f"{number:,}")


def _cells(lattice: Lattice, texts: list[str] | None) -> list[Vertex]:
    """Cells of an option, from 0. Raises FormatError."""
    cells = []
    for text in texts or []:
        match = re.fullmatch(r"(\d+),(\d+)", text)
        if match is None:
            raise FormatError(f"`{text}` is not a cell: row,column from 1, such as 2,3")
        cell = (int(match[1]) - 1, int(match[2]) - 1)
        if not lattice.has_vertex(cell):
            size = sized(lattice.rows, lattice.cols)
            raise FormatError(f"cell {text} is not on a board {size}")
        cells.append(cell)
    return cells


def _ratio(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None:
        raise FormatError(f"`{text}` is not a tilt: two whole numbers such as 3/2")
    return int(match[1]), int(match[2])


def _texts(lengths: dict[int, int]) -> dict[str, str]:
    return {str(length): str(many) for length, many in lengths.items()}


def _report(lattice: Lattice, lengths: dict[int, int]) -> None:
    total = sum(lengths.values())
    wide = max(6, len(f"{max(lengths.values(), default=0):,}"))
    write(f"length  {'loops':>{wide}}")
    for length, many in lengths.items():
        write(f"{length:6}  {many:{wide},}")
    write()
    write(f"{total:,} in all")
    if total:
        mean = sum(length * many for length, many in lengths.items()) / total
        share = mean / (lattice.rows * lattice.cols)
        write(f"mean length {mean:.2f}, {share:.1%} of the cells")


def _show(lattice: Lattice, named: Named, drawn: Iterable[Loop]) -> None:
    """Each loop with the cells named as boxes: blocked grey, inside white, outside black."""
    from castlecp.draw import Picture

    fills: dict[Fill, list[Vertex]] = {
        "grey": named["blocked"],
        "white": named["inside"],
        "black": named["outside"],
    }
    boxes = tuple((vertex, fill) for fill, vertices in fills.items() for vertex in vertices)
    board = Marked(lattice.rows, lattice.cols, boxes=boxes)
    for at, loop in enumerate(drawn):
        if at:
            write()
        show(Picture.of(board, [loop]))
