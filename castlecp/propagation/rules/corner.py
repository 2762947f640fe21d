"""The line does not touch itself: the four faces around a vertex are not checkered."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import State
from castlecp.propagation.trail import conflict, enqueue_relation, found_step


def touching(board: Board, state: State) -> bool:
    """The line does not touch itself at a vertex; place: -1, detail: the vertex.

    When both diagonal pairs of the four faces around it are alike all four are alike; when the
    line passes the vertex and one diagonal pair is alike, the other differs.
    """
    for v in range(len(board.passed)):
        if not around(board, state, v):
            return conflict(state, -1, v)
        if found_step(state, -1, v):
            return True
    return True


def around(board: Board, state: State, v: int) -> bool:
    """The line does not touch itself at this vertex."""
    root, tint = state.root, state.tint
    nw, ne = board.corners[4 * v], board.corners[4 * v + 1]
    sw, se = board.corners[4 * v + 2], board.corners[4 * v + 3]
    alike = root[nw] == root[se] and tint[nw] == tint[se]
    alike_too = root[ne] == root[sw] and tint[ne] == tint[sw]
    if alike and alike_too:
        return differ_or_not(board, state, nw, ne, 0)
    if state.on_at[v] > 0:
        if alike and not differ_or_not(board, state, ne, sw, 1):
            return False
        if alike_too and not differ_or_not(board, state, nw, se, 1):
            return False
    return True


def differ_or_not(board: Board, state: State, f: int, g: int, differ: int) -> bool:
    """`enqueue_relation`, as the side of the one face where that of the other is known."""
    if state.root[f] == board.outer:
        return enqueue_relation(board, state, g, board.outer, state.tint[f] ^ differ)
    if state.root[g] == board.outer:
        return enqueue_relation(board, state, f, board.outer, state.tint[g] ^ differ)
    return enqueue_relation(board, state, f, g, differ)


def at(board: Board, state: State, _: int, v: int) -> bool:
    """What follows around a vertex."""
    return around(board, state, v)


RULE = Rule(touching, turn=30, at=at)
