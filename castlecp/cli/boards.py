"""The commands `check`, `convert` and `draw`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from castlecp import codecs
from castlecp.checker import check as faults_of
from castlecp.cli.output import as_json, remark, show, write_file
from castlecp.cli.solving import AsJson, Source
from castlecp.errors import FormatError


def check(
    source: Source,
    answer: Annotated[
        str, typer.Argument(help="A pzprv3 file, JSON with edges, or a picture of the line.")
    ],
    json: AsJson = False,
) -> None:
    """Judge an answer: correct, or everything that is wrong with it and where."""
    puzzle = codecs.read_source(source)
    line = codecs.read_answer_source(answer, puzzle)
    faults = faults_of(puzzle, line)
    if json:
        as_json({"correct": not faults, "faults": faults})
    elif not faults:
        typer.echo("correct")
    else:
        from castlecp.draw import Picture

        vertices = [vertex for fault in faults for vertex in fault.vertices]
        faces = [face for fault in faults for face in fault.faces]
        picture = Picture.of(puzzle, [line]).highlight(vertices=vertices, faces=faces)
        show(picture, numbers=True)
        typer.echo()
        for fault in faults:
            typer.echo(f"{fault.name}: {fault.sentence}")
    raise typer.Exit(1 if faults else 0)


def convert(
    source: Source,
    to: Annotated[str, typer.Option(help=f"One of {', '.join(codecs.names())}.", metavar="FORMAT")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this file.", metavar="FILE")
    ] = None,
) -> None:
    """Write a board in another format; what the format cannot say is an error."""
    text = codecs.write(codecs.read_source(source), to)
    if output is None:
        typer.echo(text)
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
        typer.Option("-o", "--output", help="Write to FILE.svg or FILE.png.", metavar="FILE"),
    ] = None,
    numbers: Annotated[
        bool | None, typer.Option(help="Number the rows and columns from 1.")
    ] = None,
) -> None:
    """Draw a board, with an answer or two: in the terminal, or as SVG or PNG."""
    from castlecp import draw as pictures

    puzzle = codecs.read_source(source)
    remark(puzzle)
    answers = answers or []
    if len(answers) > 2:
        raise FormatError(f"a picture shows at most two answers, not {len(answers)}")
    loops = [codecs.read_answer_source(answer, puzzle) for answer in answers]
    picture = pictures.Picture.of(puzzle, loops)
    if output is None:
        show(picture, numbers=numbers)
    elif output.suffix == ".svg":
        write_file(output, pictures.to_svg(picture, numbers=bool(numbers)).encode())
    elif output.suffix == ".png":
        write_file(output, pictures.to_png(picture, numbers=bool(numbers)))
    else:
        raise FormatError(f"{output}: a picture is written as .svg or .png")
