"""Failed literals (probes): what is assumed ends in a conflict, so its opposite holds."""

from __future__ import annotations

from castlecp.ladder.assumptions import Assumption
from castlecp.propagation.assume import assume, decisions, is_open, literal_of, note
from castlecp.propagation.board import Board
from castlecp.propagation.state import AT, PLACE, STOP, TRAIL, State
from castlecp.propagation.trail import enqueue, undo


def failed_literal(board: Board, state: State, use: int) -> bool:
    """The first assumption that ends in a conflict; place: its literal.

    Begins at the edge or face `n[AT]`. An edge is assumed on, then off. What an assumption that
    lives has settled would live as well, because it settles no more than that assumption did; it
    is not tried again.
    """
    n, memo = state.n, state.memo
    size = decisions(board, state)
    for i in range(2 * size):
        memo[i] = 0
    for i in range(size):
        k = (n[AT] + i) % size
        for value in (1, 0):
            if not is_open(board, state, k) or memo[2 * k + value] == 1:
                continue
            mark, literal = n[TRAIL], literal_of(board, state, 2 * k + value)
            alive = assume(board, state, literal, use)
            if n[STOP] == 1:
                return True
            if alive:
                note(board, state, mark, memo, 1)
            undo(board, state, mark)
            if not alive:
                n[AT] = k
                n[PLACE] = literal
                enqueue(board, state, literal ^ 1)
                return True
    return True


RULE = Assumption(failed_literal, within=())
