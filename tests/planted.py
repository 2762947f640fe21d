"""`castlecp` with a fault in the tasks of its executor; a program of its own.

PLANTED says which, and names a folder: with `once` the second task kills its process the first
time, with `always` whenever it is tried, and with `hang` every task holds Python's lock for ever.
Workers are started with this file as their main module, so the fault is in them as well.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from castlecp import executors

each = executors.each


def planted(work: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Work on items, of which one may be struck."""
    how, _, where = os.environ["PLANTED"].partition(":")
    strikes = Path(where)
    strike = strikes / str(os.getpid())
    is_second = any(str(getattr(item, "name", None) or item.seed) == "2" for item in items)
    if how == "hang":
        strike.touch()
        ctypes.PyDLL(None).sleep(3600)
    elif is_second and (how == "always" or not any(strikes.iterdir())):
        strike.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return each(work, items)


executors.each = planted

if __name__ == "__main__":
    from castlecp.__main__ import main

    main()
