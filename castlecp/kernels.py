"""Kernels: functions over integers and flat arrays that allocate nothing and call only kernels.

`compiled(kernel)` is the same function as machine code. That was made when castlecp was
installed (`castlecp.native`); where it was not, numba makes it when it is first called, and
without numba the kernel runs as plain Python.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType
from typing import Any, TypeVar, cast

from castlecp.native import loaded
from castlecp.native.sources import called

#: A flat array of 64-bit integers, and ones of unsigned integers of 32 and 8 bits.
Array = Any
Array32 = Any
Array8 = Any

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(kernel: Kernel) -> Kernel:
    """The kernel in machine code, for arrays that are buffers; other threads run meanwhile.

    Where there is none the kernel itself, and standard error is told once.
    """
    return cast(Kernel, _best(cast(FunctionType, kernel)))


@cache
def _best(kernel: FunctionType) -> Any:
    made = loaded(kernel)
    if made:
        return made
    if find_spec("numba"):
        _say("castlecp: no compiled kernels, so numba compiles them now, up to a minute each run")
        return _by_numba(kernel)
    _say("castlecp: no compiled kernels and no numba; plain Python takes many times as long")
    return lambda *args: kernel(*_each(memoryview, args))


def _by_numba(kernel: FunctionType) -> Any:
    numpy, made = import_module("numpy"), _jit(kernel)
    return lambda *args: made(*_each(numpy.asarray, args))


@cache
def _jit(kernel: FunctionType) -> Any:
    numba: Any = import_module("numba")
    scope = {**kernel.__globals__, **{name: _jit(other) for name, other in called(kernel)}}
    copy = FunctionType(kernel.__code__, scope, kernel.__name__, kernel.__defaults__)
    # Kernels allocate nothing: without reference counts they run and compile faster.
    return numba.njit(copy, error_model="numpy", nogil=True, _nrt=False)


def _each(form: Callable[[Any], Any], values: tuple[Any, ...]) -> list[Any]:
    """The arguments of a call with their arrays, also those of records, in another form."""
    return [
        type(value)(*_each(form, value))
        if isinstance(value, tuple)
        else value
        if isinstance(value, int)
        else form(value)
        for value in values
    ]


@cache
def _say(text: str) -> None:
    """Say it once on standard error."""
    print(text, file=sys.stderr)
