"""The fixpoint of the cheap rules, driven by a queue and without reasons.

It settles exactly what single steps with the same rules would settle.
"""

from __future__ import annotations

from castlecp.deduce.board import HEAD, RUNGS, TODO, Board, State
from castlecp.deduce.counts import count_of, row_of
from castlecp.deduce.faces import reach, sides, touching
from castlecp.deduce.line import one_loop, vertex
from castlecp.deduce.patterns import patterns
from castlecp.deduce.rays import rays
from castlecp.deduce.sights import sights
from castlecp.deduce.state import (
    CORNER,
    COUNT,
    DEGREE,
    DIFFERENCE,
    LOOP,
    PARITY,
    PATTERN,
    RAY,
    REACH,
    SIDES,
    SIGHT,
    STATEMENT,
    forget,
    settle,
    take,
    tell,
)
from castlecp.deduce.statements import statements


def wake(board: Board, state: State) -> bool:
    """Look at every vertex, count and row once: the start of a fixpoint from any state."""
    use = state.n[RUNGS]
    if use & DEGREE:
        for v in range(len(board.passed)):
            if not vertex(board, state, v):
                return False
    for k in range(len(board.number)):
        if use & (COUNT if k < board.direct else DIFFERENCE) and not count_of(board, state, k):
            return False
    if use & PARITY:
        for k in range(len(board.odd)):
            if not row_of(board, state, k):
                return False
    if use & SIDES:
        for e in range(len(state.edge)):
            f, g = board.beside[2 * e], board.beside[2 * e + 1]
            value = state.tint[f] ^ state.tint[g]
            if state.root[f] == state.root[g] and not tell(board, state, 2 * e + value):
                return False
    return True


def propagate(board: Board, state: State) -> bool:
    """Settle all that follows from the queue by the rules in `n[RUNGS]`; False when it is dead.

    When it is dead the queue is emptied and what was settled so far stays on the trail.
    """
    n = state.n
    use = n[RUNGS]
    while True:
        if not drain(board, state):
            forget(board, state)
            return False
        alive = True
        if use & LOOP:
            alive = one_loop(board, state)
        if alive and n[TODO] == 0 and use & SIDES:
            alive = sides(board, state)
        if alive and n[TODO] == 0 and use & CORNER:
            alive = touching(board, state)
        if alive and n[TODO] == 0 and use & SIGHT:
            alive = sights(board, state)
        if alive and n[TODO] == 0 and use & PATTERN:
            alive = patterns(board, state)
        if alive and n[TODO] == 0 and use & STATEMENT:
            alive = statements(board, state)
        if alive and n[TODO] == 0 and use & RAY:
            alive = rays(board, state)
        if alive and n[TODO] == 0 and use & REACH:
            alive = reach(board, state)
        if not alive:
            forget(board, state)
            return False
        if n[TODO] == 0:
            return True


def accept(board: Board, state: State, literal: int) -> bool:
    """Settle a literal, unless it is known, and what `drain` finds; False when that is dead."""
    return tell(board, state, literal) and drain(board, state)


def drain(board: Board, state: State) -> bool:
    """Settle the queue and what follows from each of its literals at their own places."""
    n = state.n
    use = n[RUNGS]
    edges = len(state.edge)
    while n[HEAD] < n[TODO]:
        literal = take(board, state)
        e = literal >> 1
        if not settle(board, state, literal):
            return False
        if e >= edges:
            continue
        if use & DEGREE:
            if not vertex(board, state, board.ends[2 * e]):
                return False
            if not vertex(board, state, board.ends[2 * e + 1]):
                return False
        for i in range(board.counted_at[e], board.counted_at[e + 1]):
            k = board.counted[i]
            if use & (COUNT if k < board.direct else DIFFERENCE) and not count_of(board, state, k):
                return False
        if use & PARITY:
            for i in range(board.in_row_at[e], board.in_row_at[e + 1]):
                if not row_of(board, state, board.in_row[i]):
                    return False
    n[HEAD] = n[TODO] = 0
    return True
