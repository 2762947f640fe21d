"""Rules that assume an edge and look what the cheap rules make of it."""

from __future__ import annotations

from castlecp.deduce.board import AT, LEFT, PLACE, RUNGS, TRAIL, UNKNOWN, Array, Board, State
from castlecp.deduce.propagate import propagate
from castlecp.deduce.state import tell, undo


def assume(board: Board, state: State, literal: int, use: int) -> bool:
    """Settle a literal and all that follows by the rules `use`; False when that is dead.

    The caller takes it back.
    """
    before = state.n[RUNGS]
    state.n[RUNGS] = use
    alive = tell(board, state, literal) and propagate(board, state)
    state.n[RUNGS] = before
    return alive


def probe(board: Board, state: State, use: int) -> bool:
    """The first assumption that is dead, from the edge `n[AT]` on; place: its literal.

    An edge is assumed on, then off. What an assumption that lives has settled would live as
    well, because it settles no more than that assumption did; it is not tried again.
    """
    n, edge, memo = state.n, state.edge, state.memo
    edges = len(edge)
    for i in range(2 * edges):
        memo[i] = 0
    for i in range(edges):
        e = (n[AT] + i) % edges
        for value in (1, 0):
            literal = 2 * e + value
            if edge[e] != UNKNOWN or memo[literal] == 1:
                continue
            mark = n[TRAIL]
            alive = assume(board, state, literal, use)
            if alive:
                for t in range(mark, n[TRAIL]):
                    if state.trail[t] >= 0:
                        memo[state.trail[t]] = 1
            undo(board, state, mark)
            if not alive:
                n[AT] = e
                n[PLACE] = literal
                tell(board, state, literal ^ 1)
                return True
    return True


def probe_all(board: Board, state: State, use: int, memo: Array, gain: Array) -> bool:
    """The fixpoint of `use` and probes; False when the board is dead.

    Starts from a fixpoint of `use` and settles what it finds. `gain[literal]` is left as the
    number of literals that the assumption settled when it was last tried.
    """
    n, edge = state.n, state.edge
    edges = len(edge)
    for i in range(2 * edges):
        memo[i] = 0
    left, e = edges, 0
    while left > 0 and n[LEFT] > 0:
        for value in (1, 0):
            literal = 2 * e + value
            if edge[e] != UNKNOWN or memo[literal] == 1:
                continue
            n[LEFT] -= 1
            mark = n[TRAIL]
            alive = assume(board, state, literal, use)
            if alive:
                gain[literal] = n[TRAIL] - mark
                for t in range(mark, n[TRAIL]):
                    if state.trail[t] >= 0:
                        memo[state.trail[t]] = 1
                undo(board, state, mark)
                continue
            undo(board, state, mark)
            if not assume(board, state, literal ^ 1, use):
                return False
            left = edges + 1
            for i in range(2 * edges):
                memo[i] = 0
        e = (e + 1) % edges
        left -= 1
    return True


def fork(board: Board, state: State, use: int) -> bool:
    """The first edge that settles another in the same way whether it is on or off.

    Place: the edge. For use after `probe` has found nothing: neither assumption is dead.
    """
    n, edge, memo = state.n, state.edge, state.memo
    edges = len(edge)
    for i in range(2 * edges):
        memo[i] = 0
    for i in range(edges):
        e = (n[AT] + i) % edges
        if edge[e] != UNKNOWN or n[LEFT] <= 0:
            continue
        n[LEFT] -= 2
        mark = n[TRAIL]
        assume(board, state, 2 * e + 1, use)
        for t in range(mark, n[TRAIL]):
            if state.trail[t] >= 0:
                memo[state.trail[t]] = e + 1
        undo(board, state, mark)
        assume(board, state, 2 * e, use)
        found = 0
        for t in range(mark, n[TRAIL]):
            literal = state.trail[t]
            if literal >= 0 and memo[literal] == e + 1:
                state.inner[found] = literal
                found += 1
        undo(board, state, mark)
        if found > 0:
            n[AT] = n[PLACE] = e
            for t in range(found):
                tell(board, state, state.inner[t])
            return True
    return True


def double_probe(board: Board, state: State, use: int) -> bool:
    """The first assumption that is dead by the cheap rules and probes; place: its literal.

    From the edge `n[AT]` on, as in `probe`.
    """
    n, edge, tried = state.n, state.edge, state.tried
    edges = len(edge)
    for i in range(2 * edges):
        tried[i] = 0
    for i in range(edges):
        e = (n[AT] + i) % edges
        for value in (1, 0):
            literal = 2 * e + value
            if edge[e] != UNKNOWN or tried[literal] == 1 or n[LEFT] <= 0:
                continue
            n[LEFT] -= 1
            mark = n[TRAIL]
            alive = assume(board, state, literal, use)
            alive = alive and probe_all(board, state, use, state.inner, state.gain)
            if alive:
                for t in range(mark, n[TRAIL]):
                    if state.trail[t] >= 0:
                        tried[state.trail[t]] = 1
            undo(board, state, mark)
            if not alive:
                n[AT] = e
                n[PLACE] = literal
                tell(board, state, literal ^ 1)
                return True
    return True
