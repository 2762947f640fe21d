"""Of a row of edges an even, or an odd, number is on."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, found_step


def row_of(board: Board, state: State, k: int) -> bool:
    """An even (or odd) number of the k-th row's edges is on."""
    free = state.open_row[k]
    if free == 0:
        return bool(state.odd_in[k] == board.odd[k])
    if free == 1:
        for i in range(board.row_at[k], board.row_at[k + 1]):
            e = board.row[i]
            if state.edge[e] == UNKNOWN:
                return enqueue(board, state, 2 * e + (state.odd_in[k] ^ board.odd[k]))
    return True


def parities(board: Board, state: State) -> bool:
    """The first row from which something follows; place: the row."""
    for k in range(len(board.odd)):
        if not row_of(board, state, k):
            return conflict(state, k, 0)
        if found_step(state, k, 0):
            return True
    return True


def at_edge(board: Board, state: State, e: int) -> bool:
    """The rows that an edge is in."""
    for i in range(board.in_row_at[e], board.in_row_at[e + 1]):
        if not row_of(board, state, board.in_row[i]):
            return False
    return True


def at(board: Board, state: State, k: int, _: int) -> bool:
    """What follows from a row."""
    return row_of(board, state, k)


RULE = Rule(parities, turn=3, at=at, at_edge=at_edge, first=parities, exact=parities)
