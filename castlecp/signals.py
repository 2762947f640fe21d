"""SIGINT, SIGTERM and SIGHUP end a command alike: what searches is cancelled, and it ends cleanly.

Where nothing can be cancelled, or does not end, an exception comes up where the command is.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, process_time
from types import FrameType

#: What asks a process to end.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Seconds of processor time that a command has to end by itself once its search is cancelled,
#: and of wall time.
GRACE, LONGEST_GRACE = 0.1, 2.0
#: Seconds of processor time, and of wall time, that code which is not Python may go on.
PATIENCE, LONGEST_PATIENCE = 0.15, 2.0
#: Seconds until an exception that was lost on its way comes up again.
AGAIN = 0.01

#: What is to be cancelled, and the signal that came, if one did: a process has one of each.
_cancels: list[Callable[[], object]] = []
_came: list[int] = []


class Interrupted(KeyboardInterrupt):
    """A signal asks this process to end; `code` is the exit code that says which."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


def code_of(interrupt: KeyboardInterrupt) -> int:
    """The exit code after an interrupt."""
    return getattr(interrupt, "code", 128 + signal.SIGINT)


@contextmanager
def cancelling(cancel: Callable[[], object]) -> Iterator[None]:
    """While this lasts, a signal calls `cancel`, also while code that is not Python runs.

    The command may then end by itself and say what it knows; if it does not within its grace, an
    exception ends it.
    """
    _cancels.append(cancel)
    try:
        yield
    finally:
        _cancels.remove(cancel)


def ended() -> int | None:
    """The exit code of a signal that came while something could be cancelled; no grace is left."""
    if not _came:
        return None
    signal.setitimer(signal.ITIMER_PROF, 0.0)
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    return 128 + _came[0]


def turn_into_exceptions(last_words: Callable[[], None]) -> None:
    """Have these signals cancel, or raise Interrupted in the main thread; a second one kills.

    Where code that is not Python neither stops nor lets Python look for longer than PATIENCE,
    `last_words` are said and the process ends there. A signal that is ignored, as `nohup` has it,
    stays so.
    """
    taken = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        taken.set()
        for one in handled:
            signal.signal(one, signal.SIG_DFL)
        if not _cancels:
            raise Interrupted(number)
        _came.append(number)

        def late(_: int, frame: FrameType | None) -> None:
            signal.signal(signal.SIGPROF, signal.SIG_IGN)
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            raise Interrupted(number)

        signal.signal(signal.SIGPROF, late)
        signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_PROF, GRACE)
        signal.setitimer(signal.ITIMER_REAL, LONGEST_GRACE)
        cancel()

    def cancel() -> None:
        for one in list(_cancels):
            one()

    usual = sys.unraisablehook

    def lost(fault: sys.UnraisableHookArgs) -> None:
        """A callback of C, or a destructor, swallowed the exception: it comes up again soon."""
        if not isinstance(interrupt := fault.exc_value, Interrupted):
            usual(fault)
            return

        def again(_: int, frame: FrameType | None) -> None:
            raise interrupt

        signal.signal(signal.SIGALRM, again)
        signal.setitimer(signal.ITIMER_REAL, AGAIN)

    sys.unraisablehook = lost
    handled = [number for number in ENDING if signal.getsignal(number) != signal.SIG_IGN]
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    for number in handled:
        signal.signal(number, handle)

    def watch() -> None:
        number = next(n for n in iter(lambda: os.read(ours, 1)[0], None) if n in handled)
        spent, began = process_time(), monotonic()
        cancel()
        while not taken.wait(0.01):
            if process_time() - spent > PATIENCE or monotonic() - began > LONGEST_PATIENCE:
                last_words()
                os._exit(128 + number)

    threading.Thread(target=watch, daemon=True).start()
