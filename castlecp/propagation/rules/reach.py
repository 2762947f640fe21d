"""A loop parts the faces into one inside and one outside, each of one piece."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import RULES, TAIL, UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, enqueue_relation, found_step, side


def reach(board: Board, state: State) -> bool:
    """Inside is connected, and so is outside with what lies beyond the border.

    Place: the face (or the edge, counted after the faces) that is settled; detail: the side.
    """
    for want in (0, 1):
        if not connect(board, state, want):
            return False
        if state.n[RULES] == 0 and state.n[TAIL] > 0:
            return True
    return True


def connect(board: Board, state: State, want: int) -> bool:
    """What follows when all faces of side `want` connect across edges that are off.

    A face that alone joins two known ones has the side, an edge that alone does is off (lowest
    points of a depth-first search, Hopcroft and Tarjan 1973), and a face that no known one
    reaches has the other side.
    """
    edge, root, tint, beside = state.edge, state.root, state.tint, board.beside
    rim, rim_at, outer = board.rim, board.rim_at, board.outer
    order, low, known, at, stack = state.order, state.low, state.mark, state.seen, state.stack
    came = state.came
    start = outer
    if want == 1:
        start = 0
        while start < outer and side(board, state, start) != 1:
            start += 1
        if start == outer:
            return True
    for f in range(outer + 1):
        order[f] = 0
        at[f] = rim_at[f]
    order[start] = low[start] = clock = 1
    known[start] = 1
    came[start] = -1
    stack[0] = start
    height = 1
    while height > 0:
        f = stack[height - 1]
        if at[f] < rim_at[f + 1]:
            e = rim[at[f]]
            at[f] += 1
            if edge[e] == 1 or e == came[f]:
                continue
            g = beside[2 * e] + beside[2 * e + 1] - f
            if order[g] > 0:
                low[f] = min(low[f], order[g])
            elif root[g] != outer or tint[g] == want:
                clock += 1
                order[g] = low[g] = clock
                known[g] = 1 if root[g] == outer else 0
                came[g] = e
                stack[height] = g
                height += 1
            continue
        height -= 1
        if height == 0:
            break
        up = stack[height - 1]
        low[up] = min(low[up], low[f])
        known[up] += known[f]
        if known[f] > 0 and low[f] >= order[up]:
            if root[up] != outer:
                if not enqueue_relation(board, state, up, outer, want):
                    return conflict(state, up, want)
                if found_step(state, up, want):
                    return True
            if low[f] > order[up] and edge[came[f]] == UNKNOWN:
                if not enqueue(board, state, 2 * came[f]):
                    return conflict(state, outer + 1 + came[f], want)
                if found_step(state, outer + 1 + came[f], want):
                    return True
    for f in range(outer + 1):
        if order[f] == 0 and (root[f] != outer or tint[f] == want):
            if root[f] == outer:
                return conflict(state, f, want)
            if not enqueue_relation(board, state, f, outer, 1 - want):
                return conflict(state, f, want)
            if found_step(state, f, want):
                return True
    return True


def at(board: Board, state: State, _: int, want: int) -> bool:
    """What follows for a side."""
    return connect(board, state, want)


RULE = Rule(reach, turn=80, at=at)
