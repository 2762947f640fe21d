"""Rules about the faces: a loop parts them into one inside and one outside."""

from __future__ import annotations

from castlecp.deduce.board import RUNGS, TODO, UNKNOWN, Board, State
from castlecp.deduce.state import dead, side, stop, tell, tell_relation


def sides(board: Board, state: State) -> bool:
    """An edge is on exactly when its faces differ; place: the edge. Then `touching`."""
    edge, root, tint, beside = state.edge, state.root, state.tint, board.beside
    if state.n[RUNGS] == 0:
        for e in range(len(edge)):
            a, b = beside[2 * e], beside[2 * e + 1]
            if root[a] == root[b]:
                if edge[e] == UNKNOWN:
                    tell(board, state, 2 * e + (tint[a] ^ tint[b]))
                    stop(state, e, -1)
                    return True
                if edge[e] != tint[a] ^ tint[b]:
                    return dead(state, e, -1)
    return touching(board, state)


def touching(board: Board, state: State) -> bool:
    """The line does not touch itself at a vertex; place: -1, detail: the vertex.

    When both diagonal pairs of the four faces around it are alike all four are alike; when the
    line passes the vertex and one diagonal pair is alike, the other differs.
    """
    root, tint = state.root, state.tint
    for v in range(len(board.passed)):
        nw, ne = board.corners[4 * v], board.corners[4 * v + 1]
        sw, se = board.corners[4 * v + 2], board.corners[4 * v + 3]
        alike = root[nw] == root[se] and tint[nw] == tint[se]
        alike_too = root[ne] == root[sw] and tint[ne] == tint[sw]
        if alike and alike_too:
            if not _tell(board, state, nw, ne, 0):
                return dead(state, -1, v)
        elif state.on_at[v] > 0:
            if alike and not _tell(board, state, ne, sw, 1):
                return dead(state, -1, v)
            if alike_too and not _tell(board, state, nw, se, 1):
                return dead(state, -1, v)
        if stop(state, -1, v):
            return True
    return True


def _tell(board: Board, state: State, f: int, g: int, differ: int) -> bool:
    """`tell_relation`, as the side of the one face where that of the other is known."""
    if state.root[f] == board.outer:
        return tell_relation(board, state, g, board.outer, state.tint[f] ^ differ)
    if state.root[g] == board.outer:
        return tell_relation(board, state, f, board.outer, state.tint[g] ^ differ)
    return tell_relation(board, state, f, g, differ)


def reach(board: Board, state: State) -> bool:
    """Inside is connected, and so is outside with what lies beyond the border.

    Place: the face (or the edge, counted after the faces) that is settled; detail: the side.
    """
    for want in (0, 1):
        if not connect(board, state, want):
            return False
        if state.n[RUNGS] == 0 and state.n[TODO] > 0:
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
                tell_relation(board, state, up, outer, want)
                if stop(state, up, want):
                    return True
            if low[f] > order[up] and edge[came[f]] == UNKNOWN:
                tell(board, state, 2 * came[f])
                if stop(state, outer + 1 + came[f], want):
                    return True
    for f in range(outer + 1):
        if order[f] == 0 and (root[f] != outer or tint[f] == want):
            if root[f] == outer:
                return dead(state, f, want)
            tell_relation(board, state, f, outer, 1 - want)
            if stop(state, f, want):
                return True
    return True
