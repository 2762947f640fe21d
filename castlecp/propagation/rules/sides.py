"""An edge is on exactly when its two faces lie on different sides of the line.

In a fixpoint the trail keeps this up: with this rule in use, `relate` enqueues the edges that
follow whenever two faces are related.
"""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.rules.corner import touching
from castlecp.propagation.state import RULES, UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, found_step


def sides(board: Board, state: State) -> bool:
    """An edge is on exactly when its faces differ; place: the edge. Then `touching`."""
    edge, root, tint, beside = state.edge, state.root, state.tint, board.beside
    if state.n[RULES] == 0:
        for e in range(len(edge)):
            a, b = beside[2 * e], beside[2 * e + 1]
            if root[a] == root[b]:
                if edge[e] == UNKNOWN:
                    enqueue(board, state, 2 * e + (tint[a] ^ tint[b]))
                    found_step(state, e, -1)
                    return True
                if edge[e] != tint[a] ^ tint[b]:
                    return conflict(state, e, -1)
    return touching(board, state)


def between(board: Board, state: State) -> bool:
    """All edges whose faces are related."""
    for e in range(len(state.edge)):
        f, g = board.beside[2 * e], board.beside[2 * e + 1]
        value = state.tint[f] ^ state.tint[g]
        if state.root[f] == state.root[g] and not enqueue(board, state, 2 * e + value):
            return False
    return True


RULE = Rule(sides, turn=20, first=between, exact=sides)
