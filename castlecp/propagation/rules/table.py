"""Of a few edges, all the ways in which they can be on or off."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, found_step


def ways_of(board: Board, state: State, k: int) -> bool:
    """What all ways of the k-th table that are left have in common."""
    first, end = board.table_at[k], board.table_at[k + 1]
    known = values = 0
    for i in range(end - first):
        value = state.edge[board.table[first + i]]
        if value != UNKNOWN:
            known |= 1 << i
            values |= value << i
    left, on, off = 0, -1, -1
    for j in range(board.way_at[k], board.way_at[k + 1]):
        way = board.way[j]
        if (way ^ values) & known == 0:
            left += 1
            on &= way
            off &= ~way
    if left == 0:
        return False
    for i in range(end - first):
        e, forced = board.table[first + i], (on | off) & ~known
        if forced >> i & 1 and not enqueue(board, state, 2 * e + (on >> i & 1)):
            return False
    return True


def tables(board: Board, state: State) -> bool:
    """The first table from which something follows; place: the table."""
    for k in range(len(board.table_at) - 1):
        if not ways_of(board, state, k):
            return conflict(state, k, 0)
        if found_step(state, k, 0):
            return True
    return True


def at_edge(board: Board, state: State, e: int) -> bool:
    """The tables that an edge is in."""
    if len(board.tabled_at) > 0:
        for i in range(board.tabled_at[e], board.tabled_at[e + 1]):
            if not ways_of(board, state, board.tabled[i]):
                return False
    return True


def at(board: Board, state: State, k: int, _: int) -> bool:
    """What follows from a table."""
    return ways_of(board, state, k)


RULE = Rule(tables, turn=4, at=at, at_edge=at_edge, first=tables, exact=tables)
