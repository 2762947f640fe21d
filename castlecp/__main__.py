"""`castlecp` and `python -m castlecp`: what must stand before the command line can be loaded.

Whatever happens here or later ends in one sentence, and in an exit code that says nothing false:
none but a verdict is 0 or 1.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn


def main() -> None:
    """The entry point: open streams, signals as exceptions, and then the command line."""
    _open_streams()
    # Linear algebra is not done here; its threads take address space at once.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from castlecp.signals import turn_into_exceptions

        turn_into_exceptions(lambda: _say("interrupted"))
        from castlecp.cli import main as command_line
    except KeyboardInterrupt as interrupt:
        _end("interrupted", getattr(interrupt, "code", 130))
    except MemoryError:
        _end("there is not enough memory to begin", 2)
    except Exception as error:
        _end(f"cannot begin: {error}", 2)
    command_line()


def _open_streams() -> None:
    """See that 0, 1 and 2 are open, or a file would get the number and what is meant for it."""
    closed = [stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)]
    for _ in range(sum(closed)):
        os.open(os.devnull, os.O_RDWR)  # the lowest free number
    if closed[0]:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if closed[2]:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if closed[1]:
        _end("standard output is closed", 2)


def _say(sentence: str) -> None:
    """Say it with as little as can be done where nothing else can."""
    with suppress(OSError):
        os.write(2, f"castlecp: {sentence}\n".encode("ascii", "backslashreplace"))


def _end(sentence: str, code: int) -> NoReturn:
    _say(sentence)
    os._exit(code)


if __name__ == "__main__":
    main()
