"""Assuming something, and looking what a fixpoint makes of it.

What is assumed is an edge, on or off, or on a board `by_faces` a face, inside or outside. These
*options* are numbered like the literals of edges: 2 * edge + value, or 2 * face + side.
"""

from __future__ import annotations

from castlecp.kernels import Array
from castlecp.propagation.board import Board
from castlecp.propagation.fixpoint import propagate
from castlecp.propagation.state import LEFT, MORE, MOST, RULES, SPENT, STOP, TRAIL, UNKNOWN, State
from castlecp.propagation.trail import enqueue, undo


def decisions(board: Board, state: State) -> int:
    """How many edges, or faces, there are to assume something of."""
    return board.outer if board.by_faces else len(state.edge)


def is_open(board: Board, state: State, k: int) -> bool:
    """Whether the k-th of them is not settled."""
    if board.by_faces:
        return bool(state.root[k] != board.outer)
    return bool(state.edge[k] == UNKNOWN)


def literal_of(board: Board, state: State, option: int) -> int:
    """The literal of an option."""
    if board.by_faces:
        pair = (option >> 1) * (board.outer + 1) + board.outer
        return 2 * (len(state.edge) + pair) + (option & 1)
    return option


def spend(state: State) -> None:
    """Count a step or an assumption, and stop when there may be no more."""
    n = state.n
    n[SPENT] += 1
    if n[SPENT] >= n[MOST]:
        n[STOP] = 1


def assume(board: Board, state: State, literal: int, use: int) -> bool:
    """Settle a literal and all that follows by the rules `use`; False on a conflict.

    The caller takes it back, and looks at `n[STOP]`: what follows may not all be settled then.
    """
    spend(state)
    before = state.n[RULES]
    state.n[RULES] = use
    alive = enqueue(board, state, literal) and propagate(board, state)
    state.n[RULES] = before
    return alive


def note(board: Board, state: State, mark: int, memo: Array, sign: int) -> None:
    """Write a sign at the options that were settled since the trail was `mark` long.

    On a board `by_faces` also at those that were settled before.
    """
    if board.by_faces:
        for f in range(board.outer):
            if state.root[f] == board.outer:
                memo[2 * f + state.tint[f]] = sign
    else:
        for t in range(mark, state.n[TRAIL]):
            if state.trail[t] >= 0:
                memo[state.trail[t]] = sign


def fail_all(board: Board, state: State, use: int, memo: Array, gain: Array) -> bool:
    """The fixpoint of `use` and of failed literals; False on a conflict.

    Starts from a fixpoint of `use` and settles what it finds. `gain[option]` is left as the
    number of literals that the assumption settled when it was last tried.
    """
    n = state.n
    size = decisions(board, state)
    for i in range(2 * size):
        memo[i] = 0
    left, k = size, 0
    while left > 0 and n[LEFT] > 0 and n[STOP] == 0:
        for value in (1, 0):
            if not is_open(board, state, k) or memo[2 * k + value] == 1:
                continue
            n[LEFT] -= 1
            mark, literal = n[TRAIL], literal_of(board, state, 2 * k + value)
            alive = assume(board, state, literal, use)
            if alive:
                gain[2 * k + value] = n[TRAIL] - mark
                note(board, state, mark, memo, 1)
                undo(board, state, mark)
                continue
            undo(board, state, mark)
            n[LEFT] += n[MORE]
            n[MORE] = 0
            if not assume(board, state, literal ^ 1, use):
                return False
            left = size + 1
            for i in range(2 * size):
                memo[i] = 0
        k = (k + 1) % size
        left -= 1
    return True
