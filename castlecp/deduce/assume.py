"""Rules that assume something and look what the cheap rules make of it.

What is assumed is an edge, on or off, or on a board `by_faces` a face, inside or outside. These
*options* are numbered like the literals of edges: 2 * edge + value, or 2 * face + side.
"""

from __future__ import annotations

from castlecp.deduce.board import AT, PLACE, RUNGS, TODO, TRAIL, UNKNOWN, Array, Board, State
from castlecp.deduce.propagate import propagate
from castlecp.deduce.state import tell, undo


def choices(board: Board, state: State) -> int:
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


def assume(board: Board, state: State, literal: int, use: int) -> bool:
    """Settle a literal and all that follows by the rules `use`; False when that is dead.

    The caller takes it back.
    """
    before = state.n[RUNGS]
    state.n[RUNGS] = use
    alive = tell(board, state, literal) and propagate(board, state)
    state.n[RUNGS] = before
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


def probe(board: Board, state: State, use: int) -> bool:
    """The first assumption that is dead, from the edge or face `n[AT]` on; place: its literal.

    An edge is assumed on, then off. What an assumption that lives has settled would live as
    well, because it settles no more than that assumption did; it is not tried again.
    """
    n, memo = state.n, state.memo
    size = choices(board, state)
    for i in range(2 * size):
        memo[i] = 0
    for i in range(size):
        k = (n[AT] + i) % size
        for value in (1, 0):
            if not is_open(board, state, k) or memo[2 * k + value] == 1:
                continue
            mark, literal = n[TRAIL], literal_of(board, state, 2 * k + value)
            alive = assume(board, state, literal, use)
            if alive:
                note(board, state, mark, memo, 1)
            undo(board, state, mark)
            if not alive:
                n[AT] = k
                n[PLACE] = literal
                tell(board, state, literal ^ 1)
                return True
    return True


def probe_all(board: Board, state: State, use: int, memo: Array, gain: Array) -> bool:
    """The fixpoint of `use` and probes; False when the board is dead.

    Starts from a fixpoint of `use` and settles what it finds. `gain[option]` is left as the
    number of literals that the assumption settled when it was last tried.
    """
    n = state.n
    size = choices(board, state)
    for i in range(2 * size):
        memo[i] = 0
    left, k = size, 0
    while left > 0:
        for value in (1, 0):
            if not is_open(board, state, k) or memo[2 * k + value] == 1:
                continue
            mark, literal = n[TRAIL], literal_of(board, state, 2 * k + value)
            alive = assume(board, state, literal, use)
            if alive:
                gain[2 * k + value] = n[TRAIL] - mark
                note(board, state, mark, memo, 1)
                undo(board, state, mark)
                continue
            undo(board, state, mark)
            if not assume(board, state, literal ^ 1, use):
                return False
            left = size + 1
            for i in range(2 * size):
                memo[i] = 0
        k = (k + 1) % size
        left -= 1
    return True


def fork(board: Board, state: State, use: int) -> bool:
    """The first edge or face of which both assumptions settle another in the same way.

    Place: the literal of the first. For use after `probe` has found nothing, so that neither
    assumption is dead.
    """
    n, memo = state.n, state.memo
    size = choices(board, state)
    for i in range(2 * size):
        memo[i] = 0
    for i in range(size):
        k = (n[AT] + i) % size
        if not is_open(board, state, k):
            continue
        mark = n[TRAIL]
        assume(board, state, literal_of(board, state, 2 * k + 1), use)
        note(board, state, mark, memo, k + 1)
        undo(board, state, mark)
        assume(board, state, literal_of(board, state, 2 * k), use)
        found = common(board, state, mark, memo, k + 1)
        undo(board, state, mark)
        for t in range(found):
            tell(board, state, literal_of(board, state, state.inner[t]))
        if n[TODO] > 0:
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


def double_probe(board: Board, state: State, use: int) -> bool:
    """The first assumption that is dead by the cheap rules and probes; place: its literal.

    From the edge or face `n[AT]` on, as in `probe`.
    """
    n, tried = state.n, state.tried
    size = choices(board, state)
    for i in range(2 * size):
        tried[i] = 0
    for i in range(size):
        k = (n[AT] + i) % size
        for value in (1, 0):
            if not is_open(board, state, k) or tried[2 * k + value] == 1:
                continue
            mark, literal = n[TRAIL], literal_of(board, state, 2 * k + value)
            alive = assume(board, state, literal, use)
            alive = alive and probe_all(board, state, use, state.inner, state.gain)
            if alive:
                note(board, state, mark, tried, 1)
            undo(board, state, mark)
            if not alive:
                n[AT] = k
                n[PLACE] = literal
                tell(board, state, literal ^ 1)
                return True
    return True
