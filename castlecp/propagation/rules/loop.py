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
    n = state.n
    if n[ON] == 0:
        return n[OPEN] > 0 or conflict(state, 0, NO_LINE)
    start = _first_on(state)
    if n[CLOSED] > 0:
        if not closed(board, state):
            return conflict(state, start, TWO_LOOPS)
        found_step(state, start, FINISHED)
        return True
    if n[PIECES] > 1:
        for e in range(len(state.edge)):
            if shuts(board, state, e):
                enqueue(board, state, 2 * e)
                if found_step(state, e, SHORT):
                    return True
    cut = cut_off(board, state, start)
    if cut >= 0:
        return conflict(state, cut, CUT_OFF)
    found_step(state, start, CUT_OFF)
    return True


def _first_on(state: State) -> int:
    """The first edge that is on; there is one."""
    start = 0
    while state.edge[start] != 1:
        start += 1
    return start


def closed(board: Board, state: State) -> bool:
    """Where a piece is closed nothing else is on."""
    if state.n[PIECES] > 1:
        return False
    for e in range(len(state.edge)):
        if state.edge[e] == UNKNOWN:
            enqueue(board, state, 2 * e)
    return True


def shuts(board: Board, state: State, e: int) -> bool:
    """Whether an edge that is not settled would close a piece."""
    a, b = board.ends[2 * e], board.ends[2 * e + 1]
    on_at = state.on_at
    return bool(state.edge[e] == UNKNOWN and on_at[a] == 1 and on_at[b] == 1 and state.mate[a] == b)


def cut_off(board: Board, state: State, start: int) -> int:
    """There is no line that the line at an edge cannot reach: an edge there that is on, or -1."""
    edge, ends = state.edge, board.ends
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
    for e in range(len(edge)):
        if mark[ends[2 * e]] == 0 and edge[e] != 0:
            if edge[e] == 1:
                return e
            enqueue(board, state, 2 * e)
    return -1


def branches(board: Board, state: State) -> bool:
    """Whether the line branches, which is for the rule `degree`."""
    most = 0
    for v in range(len(board.passed)):
        most = max(most, state.on_at[v])
    return bool(most > 2)


def at(board: Board, state: State, e: int, why: int) -> bool:
    """What follows for one of the reasons above; a conflict is noted where it is."""
    n = state.n
    if why == NO_LINE:
        return bool(n[ON] > 0 or n[OPEN] > 0)
    if n[ON] == 0 or branches(board, state):  # there are no pieces to speak of
        return True
    if why == SHORT:
        if n[PIECES] > 1 and shuts(board, state, e):
            enqueue(board, state, 2 * e)
        return True
    if why == CUT_OFF:
        cut = UNKNOWN if n[CLOSED] > 0 else cut_off(board, state, _first_on(state))
        return cut < 0 or conflict(state, cut, CUT_OFF)
    return n[CLOSED] == 0 or closed(board, state) or conflict(state, e, TWO_LOOPS)


RULE = Rule(one_loop, turn=10, at=at, exact=is_loop)
