"""Every way a command can end, as one sentence and an exit code.

0 and 1 are verdicts, and are given by commands alone. Everything else that a command can end with
passes through here: also errors in its options, signals, and what nobody foresaw.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from traceback import extract_tb
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from castlecp import signals
from castlecp.cli.streams import spell, visible, write
from castlecp.errors import Cancelled, CastlecpError, Disagreement, OutOfBudget, TooLarge, Unfit

#: The exit codes that no verdict has, and that say what ended a command.
FAILED, ENDED, DISAGREED, FAULT, PIPE = 2, 3, 4, 70, 141

#: What an error of a kind means; the first that fits.
KINDS: tuple[tuple[type[BaseException], int], ...] = (
    (Unfit, 1),
    (OutOfBudget, ENDED),
    (TooLarge, ENDED),
    (Disagreement, DISAGREED),
    (CastlecpError, FAILED),
)


class Guarded(TyperGroup):
    """The commands; none of them ends in a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit."""
        words = sys.argv[1:] if args is None else list(args)

        def run() -> None:
            with self.make_context(prog_name or "castlecp", words) as context:
                self.invoke(context)

        spell()
        sys.exit(ended(run))


def ended(run: Callable[[], object]) -> int:
    """The exit code of a command, once what it printed is out and its sentence is said."""

    def uncancelled() -> None:
        try:
            run()
        finally:
            if signals.ended() is not None:
                raise Cancelled("interrupted")

    code = _sentenced(uncancelled)
    # What is still in a buffer may not get out either, and Python would say so after the end.
    flushed = _sentenced(sys.stdout.flush)
    return flushed or _sentenced(sys.stderr.flush) or code


def _sentenced(run: Callable[[], object]) -> int:
    try:
        return _exit_code(run)
    except BaseException as error:
        try:
            return _end(error)
        except BrokenPipeError as closed:
            return _end(closed)
        except OSError:
            _drop_output()
            return FAILED


def _exit_code(run: Callable[[], object]) -> int:
    try:
        run()
    except typer.Exit as done:
        return done.exit_code
    return 0


def _end(error: BaseException) -> int:
    """Say what happened; the exit code."""
    if isinstance(error, BrokenPipeError):
        _drop_output()
        return PIPE
    if isinstance(error, TyperException):
        _show_usage(error)
        return FAILED
    sentence, code = _judged(error)
    if isinstance(error, OSError):
        _drop_output()
    write(f"castlecp: {sentence}", err=True)
    return code


def _judged(error: BaseException) -> tuple[str, int]:
    if isinstance(error, Cancelled):
        return "interrupted", signals.ended() or 130
    for kind, code in KINDS:
        if isinstance(error, kind):
            return str(error), code
    if isinstance(error, typer.Abort):
        return "interrupted", 130
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", signals.code_of(error)
    if isinstance(error, MemoryError):
        return "the memory is spent", ENDED
    if isinstance(error, OverflowError):
        return f"a number is too large: {error}", FAILED
    if isinstance(error, ImportError):
        return f"a part cannot be loaded: {error}", FAILED
    if isinstance(error, OSError):
        about = error.strerror or str(error) or type(error).__name__
        return f"{error.filename or 'cannot read or write'}: {about}", FAILED
    return f"a fault of castlecp itself, {_where(error)}{_named(error)}", FAULT


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _where(error: BaseException) -> str:
    """The line of castlecp in which an error came up."""
    here = Path(__file__).parent.parent
    lines = [at for at in extract_tb(error.__traceback__) if here in Path(at.filename).parents]
    if not lines:
        return ""
    return f"in {Path(lines[-1].filename).relative_to(here.parent)}, line {lines[-1].lineno}: "


def _show_usage(error: TyperException) -> None:
    """An error in the words of a command, below how it is used."""
    shown, message = StringIO(), error.format_message()
    error.show(file=shown)  # type: ignore[attr-defined]
    text = shown.getvalue().rstrip("\n")
    if text.endswith(f"Error: {message}"):
        text = text.removesuffix(message) + visible(message)
    for line in text.split("\n"):
        write(line, err=True)


def _drop_output() -> None:
    """Send what can no longer be written nowhere, or Python would try again at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):  # it need not be a stream of the system
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
