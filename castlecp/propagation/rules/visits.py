"""Of a set of vertices the line passes exactly so many."""

from __future__ import annotations

from castlecp.propagation.board import ALWAYS, NEVER, Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, found_step


def can_pass(board: Board, state: State, v: int) -> bool:
    """Whether the line can pass a vertex, by what is known of its edges."""
    on, free = state.on_at[v], state.open_at[v]
    return bool(on <= 2 <= on + free and board.passed[v] != NEVER)


def can_miss(board: Board, state: State, v: int) -> bool:
    """Whether the line can leave a vertex out, by what is known of its edges."""
    return bool(state.on_at[v] == 0 and board.passed[v] != ALWAYS)


def visit(board: Board, state: State, k: int) -> bool:
    """The vertices of the k-th set of which it is open whether the line passes them.

    When as many as it passes are certain it misses the open ones; when it needs all of them it
    passes them, and has both edges on where only two are left.
    """
    first, end, number = board.visit_at[k], board.visit_at[k + 1], board.visits[k]
    least = most = 0
    for i in range(first, end):
        passes = can_pass(board, state, board.visit[i])
        misses = can_miss(board, state, board.visit[i])
        if not (passes or misses):
            return False
        least += not misses
        most += passes
    if not least <= number <= most:
        return False
    if least < number < most:
        return True
    value = 0 if least == number else 1
    for i in range(first, end):
        v = board.visit[i]
        if can_pass(board, state, v) and can_miss(board, state, v):
            if value == 1 and state.open_at[v] > 2:
                continue
            for j in range(4 * v, 4 * v + 4):
                e = board.near[j]
                is_open = e >= 0 and state.edge[e] == UNKNOWN
                if is_open and not enqueue(board, state, 2 * e + value):
                    return False
    return True


def visits(board: Board, state: State) -> bool:
    """The first visit count from which something follows; place: the visit count."""
    for k in range(len(board.visits)):
        if not visit(board, state, k):
            return conflict(state, k, 0)
        if found_step(state, k, 0):
            return True
    return True


def at_edge(board: Board, state: State, e: int) -> bool:
    """The visit counts that the two ends of an edge are in."""
    if len(board.visited_at) > 0:
        for end in range(2 * e, 2 * e + 2):
            v = board.ends[end]
            for i in range(board.visited_at[v], board.visited_at[v + 1]):
                if not visit(board, state, board.visited[i]):
                    return False
    return True


def at(board: Board, state: State, k: int, _: int) -> bool:
    """What follows from a visit count."""
    return visit(board, state, k)


RULE = Rule(visits, turn=5, at=at, at_edge=at_edge, first=visits, exact=visits)
