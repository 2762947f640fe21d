"""Constructive disjunction (forks): what follows from an assumption and from its opposite."""

from __future__ import annotations

from castlecp.kernels import Array
from castlecp.ladder.assumptions import Assumption
from castlecp.propagation.assume import assume, decisions, is_open, literal_of, note
from castlecp.propagation.board import Board
from castlecp.propagation.state import AT, LEFT, PLACE, STOP, TAIL, TRAIL, State
from castlecp.propagation.trail import enqueue, undo


def constructive_disjunction(board: Board, state: State, use: int) -> bool:
    """The first edge or face of which both assumptions settle another in the same way.

    Place: the literal of the first. For use after `failed_literal` has found nothing, so that
    neither assumption ends in a conflict.
    """
    n, memo = state.n, state.memo
    size = decisions(board, state)
    for i in range(2 * size):
        memo[i] = 0
    for i in range(size):
        k = (n[AT] + i) % size
        if not is_open(board, state, k) or n[LEFT] <= 0:
            continue
        n[LEFT] -= 2
        mark = n[TRAIL]
        assume(board, state, literal_of(board, state, 2 * k + 1), use)
        note(board, state, mark, memo, k + 1)
        undo(board, state, mark)
        assume(board, state, literal_of(board, state, 2 * k), use)
        found = common(board, state, mark, memo, k + 1)
        undo(board, state, mark)
        if n[STOP] == 1:
            return True
        for t in range(found):
            enqueue(board, state, literal_of(board, state, state.inner[t]))
        if n[TAIL] > 0:
            n[AT] = k
            n[PLACE] = literal_of(board, state, 2 * k + 1)
            return True
    return True


def common(board: Board, state: State, mark: int, memo: Array, sign: int) -> int:
    """Put into `state.inner` the options that `note` would sign and that have the sign already.

    Returns how many these are.
    """
    found = 0
    if board.by_faces:
        for f in range(board.outer):
            option = 2 * f + state.tint[f]
            if state.root[f] == board.outer and memo[option] == sign:
                state.inner[found] = option
                found += 1
    else:
        for t in range(mark, state.n[TRAIL]):
            option = state.trail[t]
            if option >= 0 and memo[option] == sign:
                state.inner[found] = option
                found += 1
    return found


RULE = Assumption(constructive_disjunction, bounded=True)
