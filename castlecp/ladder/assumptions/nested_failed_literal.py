"""Failed literals within failed literals (double probes)."""

from __future__ import annotations

from castlecp.ladder.assumptions import Assumption
from castlecp.propagation.assume import assume, decisions, fail_all, is_open, literal_of, note
from castlecp.propagation.board import Board
from castlecp.propagation.state import AT, LEFT, PLACE, STOP, TRAIL, State
from castlecp.propagation.trail import enqueue, undo


def nested_failed_literal(board: Board, state: State, use: int) -> bool:
    """The first assumption that ends in a conflict by failed literals; place: its literal.

    From the edge or face `n[AT]` on, as in `failed_literal`.
    """
    n, tried = state.n, state.tried
    size = decisions(board, state)
    for i in range(2 * size):
        tried[i] = 0
    for i in range(size):
        k = (n[AT] + i) % size
        for value in (1, 0):
            if not is_open(board, state, k) or tried[2 * k + value] == 1 or n[LEFT] <= 0:
                continue
            n[LEFT] -= 1
            mark, literal = n[TRAIL], literal_of(board, state, 2 * k + value)
            alive = assume(board, state, literal, use)
            alive = alive and fail_all(board, state, use, state.inner, state.gain)
            if n[STOP] == 1:
                return True
            if alive:
                note(board, state, mark, tried, 1)
            undo(board, state, mark)
            if not alive:
                n[AT] = k
                n[PLACE] = literal
                enqueue(board, state, literal ^ 1)
                return True
    return True


RULE = Assumption(nested_failed_literal, within=("failed_literal",), bounded=True)
