"""Boards and states as arrays, for compiled kernels.

A kernel of this package allocates nothing and calls only kernels. Called as it is, with lists,
it answers for one board of ordinary size before numba would even be imported;
`castlecp.kernels.compiled` gives the same function in machine code, for batches, large boards and
searches. Importing this module imports neither numba nor numpy.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from castlecp.grid import Lattice
from castlecp.propagation.board import Board, Grid, board_of, grid_of
from castlecp.propagation.state import State, blank, waiting, widest


def arrays(board: Board) -> tuple[Board, State]:
    """The board and its blank state with numpy arrays, for compiled kernels.

    What depends on the lattice alone is made once; the rest takes tens of microseconds.
    """
    import numpy

    grid, blanks = _lattice_arrays(Lattice(board.rows, board.cols))
    clues = packed_arrays(board[len(grid) :])
    fixed = Board(*grid, *clues)
    counts, rows = len(board.number), len(board.odd)
    before = counts + rows + widest(board)
    zeros = numpy.zeros(before + waiting(board), numpy.int64)
    state = State(*packed_arrays(blanks))
    return fixed, state._replace(
        on_in=zeros[:counts],
        open_in=numpy.diff(fixed.count_at),
        odd_in=zeros[counts : counts + rows],
        open_row=numpy.diff(fixed.row_at),
        ways=zeros[counts + rows : before],
        queue=zeros[before:],
    )


@lru_cache(maxsize=64)
def _lattice_arrays(lattice: Lattice) -> tuple[Grid, _Packed]:
    """The arrays of a lattice, and the blank state of the board without clues."""
    bare = board_of(lattice)
    return Grid(*packed_arrays(grid_of(lattice))), _pack(blank(bare))


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


def packed_arrays(fields: Iterable[Any] | _Packed) -> list[Any]:
    """The fields with fresh arrays where they have lists."""
    pack = _pack(fields) if not isinstance(fields, _Packed) else fields
    flat = pack.flat.copy() if pack is fields else pack.flat
    return [flat[x[0] : x[1]] if isinstance(x, tuple) else x for x in pack.ends]
