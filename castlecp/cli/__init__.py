"""The command line: thin. Each command reads, calls the library, prints, and picks an exit code.

Exit codes: 0 unique, correct, all good; 1 none, multiple, wrong; 2 input that cannot be read;
3 inconclusive; 4 disagreement; 130 interrupted.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from castlecp import __version__
from castlecp.cli import (
    authoring,
    boards,
    certifying,
    crosschecking,
    explaining,
    generating,
    refining,
    solving,
)
from castlecp.cli.loops import loops
from castlecp.errors import CastlecpError, Disagreement, FormatWarning, OutOfBudget, Unfit

app = typer.Typer(
    name="castlecp",
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
        typer.echo(f"castlecp {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_version),
    ] = False,
) -> None:
    pass


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with every expected failure turned into one sentence and an exit code."""

    @wraps(command)
    def guarded(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except KeyboardInterrupt:
            _fail("interrupted", 130)
        except CastlecpError as error:
            code = {Unfit: 1, OutOfBudget: 3, Disagreement: 4}.get(type(error), 2)
            _fail(str(error), code)
        except BrokenPipeError:
            raise
        except OSError as error:
            _fail(f"cannot write: {error.strerror}", 2)

    return guarded


def _fail(sentence: str, code: int) -> None:
    typer.echo(f"castlecp: {sentence}", err=True)
    raise typer.Exit(code)


for _command in (
    solving.solve,
    solving.count,
    boards.check,
    boards.convert,
    boards.draw,
    generating.generate,
    refining.minimise,
    refining.mend,
    loops,
    explaining.explain,
    explaining.grade,
    explaining.hint,
    crosschecking.crosscheck,
    certifying.certify,
    certifying.verify,
):
    app.command()(_guarded(_command))

author = typer.Typer(help="Levels by hand: prove, prune, use them.", no_args_is_help=True)
author.command()(_guarded(authoring.verify))
author.command()(_guarded(authoring.prune))
author.command()(_guarded(authoring.boards))
app.add_typer(author, name="author")


def main() -> None:
    """The entry point `castlecp`."""
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        if issubclass(category, FormatWarning):
            typer.echo(f"castlecp: warning: {message}", err=True)
        else:
            usual(message, category, *rest, **more)

    warnings.showwarning = show
    warnings.simplefilter("always", FormatWarning)
    sys.set_int_max_str_digits(0)
    app()
