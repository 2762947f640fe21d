"""At every vertex the line has two edges or none."""

from __future__ import annotations

from castlecp.propagation.board import ALWAYS, NEVER, Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, found_step


def vertex(board: Board, state: State, v: int) -> bool:
    """A vertex has two edges or none; which of these the board may say."""
    on, free, passed = state.on_at[v], state.open_at[v], board.passed[v]
    most = 0 if passed == NEVER else 2
    least = 2 if passed == ALWAYS or on > 0 else 0
    if on > most or on + free < least:
        return False
    if free == 0:
        return True
    if on == most or on + free < 2:
        value = 0
    elif on + free == least:
        value = 1
    else:
        return True
    for i in range(4 * v, 4 * v + 4):
        e = board.near[i]
        if e >= 0 and state.edge[e] == UNKNOWN and not enqueue(board, state, 2 * e + value):
            return False
    return True


def degrees(board: Board, state: State) -> bool:
    """The first vertex from which something follows; place: the vertex."""
    for v in range(len(board.passed)):
        if not vertex(board, state, v):
            return conflict(state, v, 0)
        if found_step(state, v, 0):
            return True
    return True


def at_ends(board: Board, state: State, e: int) -> bool:
    """The two ends of an edge."""
    return vertex(board, state, board.ends[2 * e]) and vertex(board, state, board.ends[2 * e + 1])


def at(board: Board, state: State, v: int, _: int) -> bool:
    """What follows at a vertex."""
    return vertex(board, state, v)


RULE = Rule(degrees, turn=0, at=at, at_edge=at_ends, first=degrees, exact=degrees)
