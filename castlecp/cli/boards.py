"""The commands `check`, `convert` and `draw`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from castlecp import bank, codecs
from castlecp.checker import check as faults_of
from castlecp.cli.options import AsJson, Source
from castlecp.cli.output import (
    as_json,
    findings_of,
    picture_kind,
    refuse_input_twice,
    remark,
    say,
    show,
)
from castlecp.cli.streams import write, write_json
from castlecp.errors import FormatError
from castlecp.outfile import is_stdout, write_file


def check(
    source: Source,
    answer: Annotated[
        str,
        typer.Argument(
            help="A pzprv3 file, JSON with edges, or a picture of the line.", metavar="ANSWER"
        ),
    ],
    json: AsJson = False,
) -> None:
    """Judge an answer: correct, or everything that is wrong with it and where."""
    refuse_input_twice(source, answer)
    puzzle = bank.board(source)
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


def convert(
    source: Source,
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
    """Write a board in another format; what the format cannot say is an error."""
    if to is None:
        if output is None or is_stdout(output):
            raise FormatError(f"say --to {', '.join(codecs.names())}, or -o FILE with such an end")
        to = codecs.format_of(output)
    text = codecs.write(bank.board(source), to)
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
    loops = [codecs.read_answer_source(answer, puzzle) for answer in answers]
    words = [*puzzle.words(), *findings_of(puzzle, loops)]
    picture = replace(pictures.Picture.of(puzzle, loops), caption="\n".join(words))
    if output is None:
        show(picture, numbers=numbers)
        say(words)
    elif kind == ".svg":
        write_file(output, pictures.to_svg(picture, numbers=bool(numbers)).encode())
    else:
        write_file(output, pictures.to_png(picture, numbers=bool(numbers)))
