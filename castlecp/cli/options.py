"""Arguments and options that several commands take: one name, one help and one default each."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

import typer


def finite(value: float | None) -> float | None:
    """The value of an option, unless it is no number that others can be compared with."""
    if value is not None and not isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number.")
    return value


Source = Annotated[
    str, typer.Argument(help="File, URL, board text, or - for standard input.", metavar="SOURCE")
]
Seconds = Annotated[
    float | None,
    typer.Option(
        help="End after so many seconds, with what is known then.",
        min=0.0,
        callback=finite,
        metavar="S",
    ),
]
Steps = Annotated[
    int | None,
    typer.Option(
        help="End after so many steps of search; reproducible.",
        min=0,
        metavar="N",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(help="Processes to work in; all cores by default.", min=1, metavar="N"),
]
Seed = Annotated[int, typer.Option(help="The same seed gives the same result.", metavar="S")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is not of this run.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
