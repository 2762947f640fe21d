"""The command line: thin. Each command reads, calls the library, prints, and picks an exit code.

Exit codes: 0 unique, correct, all good; 1 none, multiple, wrong; 2 input that cannot be read, or
output that cannot be written; 3 inconclusive; 4 disagreement; 70 a fault of castlecp itself; 129,
130 and 143 interrupted; 141 nobody reads the output. `guard` sees to it.
"""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, Any

import typer

from castlecp import __version__
from castlecp.cli.commands import All
from castlecp.cli.streams import write
from castlecp.errors import FormatWarning

app = typer.Typer(
    name="castlecp",
    cls=All,
    help="Find, prove and draw loop puzzles. SOURCE is a file, a puzz.link-style URL, a board "
    "text, or - for standard input.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        write(f"castlecp {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_version),
    ] = False,
) -> None:
    pass


def main() -> None:
    """The command line, once `castlecp.__main__` has loaded it."""
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        if issubclass(category, FormatWarning):
            write(f"castlecp: warning: {message}", err=True)
        else:
            usual(message, category, *rest, **more)

    warnings.showwarning = show
    warnings.simplefilter("always", FormatWarning)
    sys.set_int_max_str_digits(0)
    app()
