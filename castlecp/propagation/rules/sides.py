"""An edge is on exactly when its two faces lie on different sides of the line.

In a fixpoint the trail keeps this up: with this rule in use, `relate` enqueues the edges that
follow whenever two faces are related.
"""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.rules.corner import around, touching
from castlecp.propagation.state import RULES, UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, found_step, related


def sides(board: Board, state: State) -> bool:
    """An edge is on exactly when its faces differ; place: the edge. Then `touching`."""
    if state.n[RULES] <= 0:
        for e in range(len(state.edge)):
            if not beside(board, state, e):
                return conflict(state, e, -1)
            if found_step(state, e, -1):
                return True
    return touching(board, state)


def beside(board: Board, state: State, e: int) -> bool:
    """This edge is on exactly when its faces differ."""
    value = related(state, board.beside[2 * e], board.beside[2 * e + 1])
    return value == UNKNOWN or enqueue(board, state, 2 * e + value)


def between(board: Board, state: State) -> bool:
    """All edges whose faces are related."""
    for e in range(len(state.edge)):
        f, g = board.beside[2 * e], board.beside[2 * e + 1]
        value = state.tint[f] ^ state.tint[g]
        if state.root[f] == state.root[g] and not enqueue(board, state, 2 * e + value):
            return False
    return True


def at(board: Board, state: State, e: int, v: int) -> bool:
    """What follows of an edge, or around a vertex."""
    return beside(board, state, e) if e >= 0 else around(board, state, v)


RULE = Rule(sides, turn=20, at=at, first=between, exact=sides)
