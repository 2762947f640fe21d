"""Functions over arrays as machine code, made when first called and kept between runs.

A kernel is a plain function of a castlecp module that allocates nothing and calls only kernels.
`compiled(kernel)` is the same function compiled by numba, which is imported only then.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

from castlecp.native import loaded
from castlecp.native.sources import called

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(kernel: Kernel) -> Kernel:
    """The kernel in machine code, compiled at its first call or read from the cache.

    The kernels it calls are compiled into it. It lets other threads run meanwhile.
    """
    return cast(Kernel, _best(cast(FunctionType, kernel)))


@cache
def _best(kernel: FunctionType) -> Any:
    return loaded(kernel) or _compile(kernel, entry=True)


@cache
def _compile(kernel: FunctionType, entry: bool) -> Any:
    """A kernel as a numba function; only an `entry` is called from Python, and kept on disk."""
    numba: Any = import_module("numba")
    compiled = {name: _compile(other, entry=False) for name, other in called(kernel)}
    scope = {**kernel.__globals__, **compiled}
    copy = FunctionType(kernel.__code__, scope, kernel.__name__, kernel.__defaults__)
    copy.__module__, copy.__qualname__ = kernel.__module__, kernel.__qualname__
    # Kernels allocate nothing: without reference counts they run and compile faster.
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}
    if not entry:
        # Without the conversions from Python objects the compiler has half the work.
        return numba.njit(copy, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)
    folder = cache_folder(_digest(kernel))
    if folder is None:
        return numba.njit(copy, **options)
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
    try:
        return numba.njit(copy, cache=True, **options)
    finally:
        numba.config.CACHE_DIR = before


def _digest(kernel: FunctionType) -> str:
    """Names the texts that a kernel depends on: those of its own and of all kernels it calls.

    With the modules that theirs import by name, for numbers; and kernels that were made have
    their own text. numba looks at the age of the kernel's own file alone, so code kept under
    another name than this could be out of date.
    """
    reached, texts = [kernel], []
    for one in reached:
        reached += [other for _, other in called(one) if other not in reached]
    modules = list(dict.fromkeys(one.__module__ for one in reached))
    for module in modules:
        texts.append(Path(inspect.getfile(sys.modules[module])).read_bytes())
        imported = re.findall(rb"^from (castlecp[.\w]*) import", texts[-1], re.MULTILINE)
        modules += sorted({name.decode() for name in imported} - set(modules))
    made = [one for one in reached if not Path(one.__code__.co_filename).is_file()]
    texts += [inspect.getsource(one).encode() for one in made]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:16]


@cache
def cache_folder(name: str) -> Path | None:
    """A folder for compiled code; None when it can be written nowhere, and nothing is kept.

    It lies in `CASTLECP_CACHE` if that is set, else in NUMBA_CACHE_DIR, else in the user's
    cache folder.
    """
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    wishes = [os.environ.get("CASTLECP_CACHE"), os.environ.get("NUMBA_CACHE_DIR")]
    for root in filter(None, [*wishes, os.path.join(user, "castlecp")]):
        folder = Path(root) / f"kernels-{name}"
        try:
            try:
                folder.mkdir(parents=True)
                _say_so()
            except FileExistsError:
                pass
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    _say_so()
    return None


@cache
def _say_so() -> None:
    """Tell that the compiler is at work; at a terminal over a bar if there is one."""
    if sys.stderr is not None:
        over = "\r\x1b[K" if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" else ""
        sentence = "castlecp: compiling the first time, up to half a minute"
        print(f"{over}{sentence}", file=sys.stderr, flush=True)
