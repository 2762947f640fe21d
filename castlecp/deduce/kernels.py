"""Kernels: one text, run as ordinary Python or compiled.

A kernel is a plain function over the arrays of `board` that allocates nothing and calls only
kernels. Called as it is, with lists, it answers for one board of ordinary size before numba
would even be imported; `compiled` gives the same function in machine code, for batches, large
boards and searches. Importing this module imports neither numba nor numpy.

Compiled code is kept in a folder named after the text of all kernels, so a changed kernel is
never answered by old code; where no such folder can be written the code is compiled anew in
each process.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast

from castlecp.deduce.board import Board, Grid, State, blank, board_of, grid_of
from castlecp.grid import Lattice

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


@cache
def compiled(kernel: Kernel) -> Kernel:
    """The kernel in machine code, compiled at its first call or read from the cache.

    The kernels it calls are compiled with it, whatever modules they are from.
    """
    return cast(Kernel, _compile(cast(FunctionType, kernel), entry=True))


@cache
def _compile(kernel: FunctionType, entry: bool) -> Any:
    """A kernel as a numba function; only an `entry` can be called from Python and is cached."""
    numba: Any = import_module("numba")
    scope = {"__builtins__": __builtins__, "__name__": kernel.__module__}
    for name in kernel.__code__.co_names:
        if name in kernel.__globals__:
            value = kernel.__globals__[name]
            scope[name] = _compile(value, entry=False) if _is_kernel(value) else value
    copy = FunctionType(kernel.__code__, scope, kernel.__name__, kernel.__defaults__)
    copy.__module__, copy.__qualname__ = kernel.__module__, kernel.__qualname__
    # Kernels allocate nothing: without reference counts they run and compile in half the time.
    options: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
    if not entry:
        # Without the conversions from Python objects the compiler has half the work.
        return numba.njit(copy, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)
    folder = cache_folder()
    if folder is None:
        return numba.njit(copy, **options)
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
    try:
        return numba.njit(copy, cache=True, **options)
    finally:
        numba.config.CACHE_DIR = before


def _is_kernel(value: object) -> bool:
    return isinstance(value, FunctionType) and value.__module__.startswith("castlecp.")


@cache
def cache_folder() -> Path | None:
    """Where compiled code is kept; None when it can be written nowhere.

    In `CASTLECP_CACHE` or else NUMBA_CACHE_DIR when set, else in the user's cache folder.
    """
    here = Path(__file__).parent
    texts = [*sorted(here.glob("*.py")), here.parent / "backtrack.py"]
    digest = hashlib.sha256()
    for text in texts:
        if text.is_file():
            digest.update(text.read_bytes())
    tries = [os.environ.get("CASTLECP_CACHE"), os.environ.get("NUMBA_CACHE_DIR")]
    caches = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
    tries.append(os.path.join(caches or os.path.expanduser("~/.cache"), "castlecp"))
    for root in tries:
        if root is None:
            continue
        folder = Path(root) / f"kernels-{digest.hexdigest()[:16]}-{sys.version_info[1]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def arrays(board: Board) -> tuple[Board, State]:
    """The board and its blank state with numpy arrays, for compiled kernels.

    What depends on the lattice alone is made once; the rest takes tens of microseconds.
    """
    import numpy

    grid, blanks = _lattice_arrays(Lattice(board.rows, board.cols))
    clues = _packed_arrays(board[len(grid) :])
    fixed = Board(*grid, *clues)
    longest = (
        max(board.count_at[k + 1] - board.count_at[k] for k in range(len(board.number)))
        if board.number
        else 0
    )
    counts, rows = len(board.number), len(board.odd)
    zeros = numpy.zeros(counts + rows + 8 * longest, numpy.int64)
    state = State(*_packed_arrays(blanks))
    return fixed, state._replace(
        on_in=zeros[:counts],
        open_in=numpy.diff(fixed.count_at),
        odd_in=zeros[counts : counts + rows],
        open_row=numpy.diff(fixed.row_at),
        ways=zeros[counts + rows :],
    )


@lru_cache(maxsize=64)
def _lattice_arrays(lattice: Lattice) -> tuple[Grid, _Packed]:
    """The arrays of a lattice, and the blank state of the board without clues."""
    bare = board_of(lattice)
    return Grid(*_packed_arrays(grid_of(lattice))), _pack(blank(bare))


class _Packed(NamedTuple):
    """Lists end to end in one array, and where each ends; None where a field is no list."""

    flat: Any
    ends: list[tuple[int, int] | Any]


def _pack(fields: Iterable[Any]) -> _Packed:
    import numpy

    flat: list[int] = []
    ends: list[Any] = []
    for value in fields:
        if isinstance(value, list):
            ends.append((len(flat), len(flat) + len(value)))
            flat += value
        else:
            ends.append(value)
    return _Packed(numpy.array(flat, numpy.int64), ends)


def _packed_arrays(fields: Iterable[Any] | _Packed) -> list[Any]:
    """The fields with fresh arrays where they have lists."""
    pack = _pack(fields) if not isinstance(fields, _Packed) else fields
    flat = pack.flat.copy() if pack is fields else pack.flat
    return [flat[x[0] : x[1]] if isinstance(x, tuple) else x for x in pack.ends]
