"""Rules about sets of edges: how many of them are on, and whether that is even."""

from __future__ import annotations

from castlecp.deduce.board import UNKNOWN, Board, State
from castlecp.deduce.state import dead, stop, tell


def count_of(board: Board, state: State, k: int) -> bool:
    """Exactly `number[k]` edges of the k-th count are on."""
    on, free, number = state.on_in[k], state.open_in[k], board.number[k]
    if on > number or on + free < number:
        return False
    if free > 0 and (on == number or on + free == number):
        value = 0 if on == number else 1
        for i in range(board.count_at[k], board.count_at[k + 1]):
            e = board.count[i]
            if state.edge[e] == UNKNOWN and not tell(board, state, 2 * e + value):
                return False
    return True


def counts(board: Board, state: State) -> bool:
    """The first clue from which something follows; place: the count."""
    return _counts(board, state, 0, board.direct)


def differences(board: Board, state: State) -> bool:
    """`counts` for the differences of two clues."""
    return _counts(board, state, board.direct, len(board.number))


def _counts(board: Board, state: State, first: int, end: int) -> bool:
    for k in range(first, end):
        if not count_of(board, state, k):
            return dead(state, k, 0)
        if stop(state, k, 0):
            return True
    return True


def row_of(board: Board, state: State, k: int) -> bool:
    """An even (or odd) number of the k-th row's edges is on."""
    free = state.open_row[k]
    if free == 0:
        return bool(state.odd_in[k] == board.odd[k])
    if free == 1:
        for i in range(board.row_at[k], board.row_at[k + 1]):
            e = board.row[i]
            if state.edge[e] == UNKNOWN:
                return tell(board, state, 2 * e + (state.odd_in[k] ^ board.odd[k]))
    return True


def parity(board: Board, state: State) -> bool:
    """The first row from which something follows; place: the row."""
    for k in range(len(board.odd)):
        if not row_of(board, state, k):
            return dead(state, k, 0)
        if stop(state, k, 0):
            return True
    return True
