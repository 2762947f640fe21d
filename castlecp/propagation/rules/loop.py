"""The line is one closed loop."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import CLOSED, ON, OPEN, PIECES, UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, found_step


def is_loop(board: Board, state: State) -> bool:
    """Whether the edges that are on are one loop: walks along it.

    Every edge is settled and every vertex has two or none, which is for the rule `degree`.
    """
    edge, start, length = state.edge, 0, 1
    while start < len(edge) and edge[start] != 1:
        start += 1
    if start == len(edge):
        return False
    e, v = start, board.ends[2 * start]
    while True:
        i = 4 * v
        while board.near[i] < 0 or board.near[i] == e or edge[board.near[i]] != 1:
            i += 1
        e = board.near[i]
        if e == start:
            return bool(length == state.n[ON])
        v = board.ends[2 * e] + board.ends[2 * e + 1] - v
        length += 1


# The detail of `one_loop`: why the edges are settled.
NO_LINE, TWO_LOOPS, FINISHED, SHORT, CUT_OFF = range(5)


def one_loop(board: Board, state: State) -> bool:
    """The line is one loop; place: an edge, or a vertex of the line, detail: one of the above.

    There is a line. When a piece is closed nothing else is on. An edge that would close a piece
    while another piece exists is off. All pieces can reach each other, and where they cannot
    reach there is no line.
    """
    edge, n, ends = state.edge, state.n, board.ends
    edges = len(edge)
    if n[ON] == 0:
        return n[OPEN] > 0 or conflict(state, 0, NO_LINE)
    start = 0
    while edge[start] != 1:
        start += 1
    if n[CLOSED] > 0:
        if n[PIECES] > 1:
            return conflict(state, start, TWO_LOOPS)
        for e in range(edges):
            if edge[e] == UNKNOWN:
                enqueue(board, state, 2 * e)
        found_step(state, start, FINISHED)
        return True
    if n[PIECES] > 1:
        mate, on_at = state.mate, state.on_at
        for e in range(edges):
            a, b = ends[2 * e], ends[2 * e + 1]
            if edge[e] == UNKNOWN and on_at[a] == 1 and on_at[b] == 1 and mate[a] == b:
                enqueue(board, state, 2 * e)
                if found_step(state, e, SHORT):
                    return True
    mark, stack, near = state.mark, state.stack, board.near
    for v in range(len(board.passed)):
        mark[v] = 0
    stack[0] = ends[2 * start]
    mark[stack[0]] = 1
    height = 1
    while height > 0:
        height -= 1
        v = stack[height]
        for i in range(4 * v, 4 * v + 4):
            e = near[i]
            if e >= 0 and edge[e] != 0:
                w = ends[2 * e] + ends[2 * e + 1] - v
                if mark[w] == 0:
                    mark[w] = 1
                    stack[height] = w
                    height += 1
    for e in range(edges):
        if mark[ends[2 * e]] == 0 and edge[e] != 0:
            if edge[e] == 1:
                return conflict(state, e, CUT_OFF)
            enqueue(board, state, 2 * e)
    found_step(state, start, CUT_OFF)
    return True


RULE = Rule(one_loop, turn=10, exact=is_loop)
