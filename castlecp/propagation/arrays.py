"""Boards and states as buffers, which kernels take as machine code.

A kernel of this package allocates nothing and calls only kernels. It runs as it is with lists or
buffers; `castlecp.kernels.compiled` gives the same function in machine code, for buffers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from castlecp.grid import Lattice
from castlecp.propagation.board import Board, Grid, board_of, grid_of
from castlecp.propagation.state import State, blank, waiting, widest


def arrays(board: Board) -> tuple[Board, State]:
    """The board and its blank state with buffers of 64-bit integers.

    What depends on the lattice alone is made once; the rest takes tens of microseconds.
    """
    grid, blanks = _lattice_arrays(Lattice(board.rows, board.cols))
    counts, rows = len(board.number), len(board.odd)
    fixed = Board(*grid, *packed(board[len(grid) :]))
    state = State(*_unpacked(blanks, blanks.flat[:]))
    return fixed, state._replace(
        on_in=zeros(counts),
        open_in=_lengths(board.count_at),
        odd_in=zeros(rows),
        open_row=_lengths(board.row_at),
        ways=zeros(widest(board)),
        queue=zeros(waiting(board)),
    )


def zeros(size: int) -> memoryview:
    """A buffer of so many zeros."""
    return memoryview(bytearray(8 * size)).cast("q")


def buffer(numbers: Iterable[int]) -> memoryview:
    """A buffer of these numbers."""
    return memoryview(array("q", numbers))


def packed(fields: Iterable[Any]) -> list[Any]:
    """The fields with buffers where they have lists."""
    pack = _pack(fields)
    return _unpacked(pack, pack.flat)


def _lengths(at: list[int]) -> memoryview:
    return buffer(end - start for start, end in pairwise(at))


@lru_cache(maxsize=64)
def _lattice_arrays(lattice: Lattice) -> tuple[Grid, _Packed]:
    """The buffers of a lattice, and the blank state of the board without clues."""
    bare = board_of(lattice)
    return Grid(*packed(grid_of(lattice))), _pack(blank(bare))


class _Packed(NamedTuple):
    """Lists end to end in one array, and where each lies; other fields as they are."""

    flat: array[int]
    ends: list[slice | Any]


def _pack(fields: Iterable[Any]) -> _Packed:
    flat: list[int] = []
    ends: list[Any] = []
    for value in fields:
        if isinstance(value, list):
            ends.append(slice(len(flat), len(flat) + len(value)))
            flat += value
        else:
            ends.append(value)
    return _Packed(array("q", flat), ends)


def _unpacked(pack: _Packed, flat: array[int]) -> list[Any]:
    view = memoryview(flat)
    return [view[end] if isinstance(end, slice) else end for end in pack.ends]
