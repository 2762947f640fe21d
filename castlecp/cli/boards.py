"""The commands `check`, `convert` and `draw`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from castlecp import bank, codecs
from castlecp.budget import Budget
from castlecp.checker import check as faults_of
from castlecp.cli.options import AsJson, Seconds, Source, Steps
from castlecp.cli.output import (
    as_json,
    findings_of,
    picture_kind,
    refuse_input_twice,
    remark,
    say,
    show,
    watched,
)
from castlecp.cli.streams import write, write_json
from castlecp.errors import FormatError
from castlecp.genres import Puzzle
from castlecp.outfile import is_stdout, write_file
from castlecp.position import Position


def check(
    source: Source,
    answer: Annotated[
        str,
        typer.Argument(
            help="A pzprv3 file, JSON with edges, or a picture of the line.", metavar="ANSWER"
        ),
    ],
    so_far: Annotated[
        bool,
        typer.Option("--so-far", help="It is unfinished: say what no more drawing can mend."),
    ] = False,
    seconds: Seconds = None,
    steps: Steps = None,
    json: AsJson = False,
) -> None:
    """Judge an answer: correct, or everything that is wrong with it and where."""
    refuse_input_twice(source, answer)
    puzzle = bank.board(source)
    if so_far:
        position = codecs.read_position_source(answer, puzzle)
        _check_so_far(puzzle, position, Budget(seconds, steps), json)
    line = codecs.read_answer_source(answer, puzzle)
    faults = faults_of(puzzle, line)
    if json:
        from castlecp import wire

        as_json(wire.Judgement.of(puzzle, line, faults))
        raise typer.Exit(1 if faults else 0)
    if not faults:
        write("correct")
    else:
        from castlecp.draw import Picture

        vertices = [vertex for fault in faults for vertex in fault.vertices]
        faces = [face for fault in faults for face in fault.faces]
        picture = Picture.of(puzzle, [line]).highlight(vertices=vertices, faces=faces)
        show(picture, numbers=True)
        write()
        for fault in faults:
            write(f"{fault.name}: {fault.sentence}")
    say(findings_of(puzzle, [line]))
    raise typer.Exit(1 if faults else 0)


def _check_so_far(puzzle: Puzzle, position: Position, budget: Budget, json: bool) -> NoReturn:
    from castlecp.ladder import check_so_far

    with watched(budget, "checking"):
        faults = check_so_far(puzzle, position, budget)
    if json:
        from castlecp import wire

        as_json(wire.SoFar(faults=tuple(map(wire.Mistake.of, faults))))
    elif not faults:
        write("nothing is wrong so far")
    else:
        from castlecp.draw import Picture

        vertices = [vertex for fault in faults for vertex in fault.vertices]
        faces = [face for fault in faults for face in fault.faces]
        show(Picture.at(puzzle, position).highlight(vertices=vertices, faces=faces), numbers=True)
        write()
        for fault in faults:
            write(f"{fault.name}: {fault.sentence}")
    raise typer.Exit(1 if faults else 0)


def convert(
    source: Source,
    drawn: Annotated[
        str | None,
        typer.Argument(
            help="An answer, or what is drawn so far, to be written instead.", metavar="[ANSWER]"
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            help=f"One of {', '.join(codecs.names())}; else as FILE ends.", metavar="FORMAT"
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write to this file, or -.", metavar="FILE"),
    ] = None,
) -> None:
    """Write a board in another format; what the format cannot say is an error.

    With an ANSWER that is written: lines, crosses, and faces that are marked. Of the formats that
    carry one, pzprv3 has the board beside it, and a picture has it too.
    """
    refuse_input_twice(source, drawn)
    if to is None:
        if output is None or is_stdout(output):
            raise FormatError(f"say --to {', '.join(codecs.names())}, or -o FILE with such an end")
        to = codecs.format_of(output)
    puzzle = bank.board(source)
    if drawn is None:
        text = codecs.write(puzzle, to)
    else:
        text = codecs.write_position(puzzle, codecs.read_position_source(drawn, puzzle), to)
    if output is None:
        write_json(text)
    else:
        write_file(output, f"{text}\n".encode())


def draw(
    source: Source,
    answers: Annotated[
        list[str] | None,
        typer.Argument(help="Up to two answers, drawn over each other.", metavar="[ANSWER]..."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Write to FILE.svg or FILE.png, or as SVG to -.", metavar="FILE"
        ),
    ] = None,
    numbers: Annotated[
        bool | None, typer.Option(help="Number the rows and columns from 1.")
    ] = None,
) -> None:
    """Draw a board, with an answer or two: in the terminal, or as SVG or PNG."""
    from castlecp import draw as pictures

    answers = answers or []
    refuse_input_twice(source, *answers)
    kind = None if output is None else picture_kind(output, ".svg", ".png")
    puzzle = bank.board(source)
    remark(puzzle)
    if len(answers) > 2:
        raise FormatError(f"a picture shows at most two answers, not {len(answers)}")
    drawn = [codecs.read_position_source(answer, puzzle) for answer in answers]
    loops = [puzzle.line_of(position) for position in drawn]
    words = [*puzzle.words(), *findings_of(puzzle, loops)]
    picture = pictures.Picture.of(puzzle, loops)
    if len(drawn) == 1 and drawn[0] != Position.of(drawn[0].line):
        picture = pictures.Picture.at(puzzle, replace(drawn[0], on=loops[0].edges))
    picture = replace(picture, caption="\n".join(words))
    if output is None:
        show(picture, numbers=numbers)
        say(words)
    elif kind == ".svg":
        write_file(output, pictures.to_svg(picture, numbers=bool(numbers)).encode())
    else:
        write_file(output, pictures.to_png(picture, numbers=bool(numbers)))
