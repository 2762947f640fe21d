"""SIGINT, SIGTERM and SIGHUP end a command alike: an exception where it is, and a clean end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

#: What asks a process to end.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Seconds that code which is not Python may go on after a signal.
PATIENCE = 2.0


class Interrupted(KeyboardInterrupt):
    """A signal asks this process to end; `code` is the exit code that says which."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


def code_of(interrupt: KeyboardInterrupt) -> int:
    """The exit code after an interrupt."""
    return getattr(interrupt, "code", 128 + signal.SIGINT)


def turn_into_exceptions(last_words: Callable[[], None]) -> None:
    """Have these signals raise Interrupted in the main thread; a second one ends at once.

    Solvers and compiled code do not let Python look at signals: where that lasts longer than
    PATIENCE, `last_words` are said and the process ends there. A signal that is ignored, as
    `nohup` has it, stays so.
    """
    taken = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        taken.set()
        for one in handled:
            signal.signal(one, signal.SIG_DFL)
        raise Interrupted(number)

    handled = [number for number in ENDING if signal.getsignal(number) != signal.SIG_IGN]
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    for number in handled:
        signal.signal(number, handle)

    def watch() -> None:
        number = next(n for n in iter(lambda: os.read(ours, 1)[0], None) if n in handled)
        if not taken.wait(PATIENCE):
            last_words()
            os._exit(128 + number)

    threading.Thread(target=watch, daemon=True).start()
