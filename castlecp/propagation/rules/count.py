"""Of a set of edges exactly so many are on."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, found_step


def count_of(board: Board, state: State, k: int) -> bool:
    """Exactly `number[k]` edges of the k-th count are on."""
    on, free, number = state.on_in[k], state.open_in[k], board.number[k]
    if on > number or on + free < number:
        return False
    if free > 0 and (on == number or on + free == number):
        value = 0 if on == number else 1
        for i in range(board.count_at[k], board.count_at[k + 1]):
            e = board.count[i]
            if state.edge[e] == UNKNOWN and not enqueue(board, state, 2 * e + value):
                return False
    return True


def counts(board: Board, state: State) -> bool:
    """The first clue from which something follows; place: the count."""
    return first_of(board, state, 0, board.direct)


def first_of(board: Board, state: State, first: int, end: int) -> bool:
    """The first count, of those from `first` to `end`, from which something follows."""
    for k in range(first, end):
        if not count_of(board, state, k):
            return conflict(state, k, 0)
        if found_step(state, k, 0):
            return True
    return True


def at_edge(board: Board, state: State, e: int) -> bool:
    """The counts that an edge is in."""
    for i in range(board.counted_at[e], board.counted_at[e + 1]):
        k = board.counted[i]
        if k < board.direct and not count_of(board, state, k):
            return False
    return True


def at(board: Board, state: State, k: int, _: int) -> bool:
    """What follows from a count."""
    return count_of(board, state, k)


RULE = Rule(counts, turn=1, at=at, at_edge=at_edge, first=counts, exact=counts)
