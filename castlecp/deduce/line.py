"""Rules about the line itself: what every genre with one closed loop has in common."""

from __future__ import annotations

from castlecp.deduce.board import (
    ALWAYS,
    CLOSED,
    NEVER,
    ON,
    OPEN,
    PIECES,
    UNKNOWN,
    Board,
    State,
)
from castlecp.deduce.state import dead, stop, tell


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
        if e >= 0 and state.edge[e] == UNKNOWN and not tell(board, state, 2 * e + value):
            return False
    return True


def degree(board: Board, state: State) -> bool:
    """The first vertex from which something follows; place: the vertex."""
    for v in range(len(board.passed)):
        if not vertex(board, state, v):
            return dead(state, v, 0)
        if stop(state, v, 0):
            return True
    return True


def is_loop(board: Board, state: State) -> bool:
    """Whether the edges that are on, two or none at every vertex, are one loop: walks along it."""
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
        return n[OPEN] > 0 or dead(state, 0, NO_LINE)
    start = 0
    while edge[start] != 1:
        start += 1
    if n[CLOSED] > 0:
        if n[PIECES] > 1:
            return dead(state, start, TWO_LOOPS)
        for e in range(edges):
            if edge[e] == UNKNOWN:
                tell(board, state, 2 * e)
        stop(state, start, FINISHED)
        return True
    if n[PIECES] > 1:
        mate, on_at = state.mate, state.on_at
        for e in range(edges):
            a, b = ends[2 * e], ends[2 * e + 1]
            if edge[e] == UNKNOWN and on_at[a] == 1 and on_at[b] == 1 and mate[a] == b:
                tell(board, state, 2 * e)
                if stop(state, e, SHORT):
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
                return dead(state, e, CUT_OFF)
            tell(board, state, 2 * e)
    stop(state, start, CUT_OFF)
    return True
