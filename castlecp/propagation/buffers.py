"""Buffers of 64-bit integers, which kernels take as they are and as machine code."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import accumulate, pairwise


def zeros(size: int) -> memoryview:
    """A buffer of so many zeros."""
    return memoryview(bytearray(8 * size)).cast("q")


def buffer(numbers: Iterable[int]) -> memoryview:
    """A buffer of these numbers."""
    return memoryview(array("q", numbers))


def rooms(*sizes: int) -> list[memoryview]:
    """Buffers of so many zeros each, one after the other in memory."""
    ends = list(accumulate(sizes, initial=0))
    whole = zeros(ends[-1])
    return [whole[start:end] for start, end in pairwise(ends)]
