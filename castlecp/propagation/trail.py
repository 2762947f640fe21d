"""Settling what follows, and taking it back: the bookkeeping under every rule.

Kernels: plain functions over the arrays of `board`, see `kernels`.

The relations between faces are a union-find with parity: an edge that is on says that its two
faces lie on different sides, one that is off that they lie on the same side. Faces whose
relation is known share a root, and each knows directly whether it differs from the root; when
two roots are joined the smaller group is renamed, which makes looking up and taking back
cheap. All of degree parity, the parity of gaps and the parity of coloured clues is in it: the
value of an edge follows from the others by sums modulo 2 exactly when its faces share a root.
"""

from __future__ import annotations

from castlecp.propagation.bits import bit
from castlecp.propagation.board import Board
from castlecp.propagation.state import (
    CLOSED,
    DETAIL,
    HEAD,
    LAYER,
    ON,
    OPEN,
    PIECES,
    PLACE,
    RULES,
    TAIL,
    TOLD,
    TRAIL,
    UNKNOWN,
    State,
)

#: The rule by which edges follow from faces.
SIDES = bit("sides")


def enqueue(board: Board, state: State, literal: int) -> bool:
    """Put a literal in the queue unless it is known; False when its opposite is known or waits."""
    edges = len(state.edge)
    if literal < 2 * edges:
        e, value = literal >> 1, literal & 1
        known = state.edge[e]
        if known == UNKNOWN:
            known = state.due[e]
        if known != UNKNOWN:
            return bool(known == value)
        state.due[e] = value
    else:
        pair = (literal >> 1) - edges
        f, g = pair // (board.outer + 1), pair % (board.outer + 1)
        if state.root[f] == state.root[g]:
            return bool(state.tint[f] ^ state.tint[g] == literal & 1)
        if g == board.outer:
            if state.due[edges + f] != UNKNOWN:
                return bool(state.due[edges + f] == literal & 1)
            state.due[edges + f] = literal & 1
    state.queue[state.n[TAIL]] = literal
    state.n[TAIL] += 1
    return True


def side(board: Board, state: State, face: int) -> int:
    """The side of a face: 1 inside, 0 outside, -1 unknown."""
    return state.tint[face] if state.root[face] == board.outer else UNKNOWN


def enqueue_relation(board: Board, state: State, f: int, g: int, differ: int) -> bool:
    """`tell` that two faces differ (1) or are alike (0)."""
    pair = len(state.edge) + f * (board.outer + 1) + g
    return enqueue(board, state, 2 * pair + differ)


def found_step(state: State, place: int, detail: int) -> bool:
    """Whether a rule is to stop: it told something and single steps are taken.

    Then the place and detail of the reason are noted; in a LAYER those of all that it told.
    """
    n = state.n
    if n[RULES] == LAYER:
        while n[TOLD] < n[TAIL]:
            state.source[2 * n[TOLD]] = place
            state.source[2 * n[TOLD] + 1] = detail
            n[TOLD] += 1
    elif n[RULES] == 0 and n[TAIL] > 0:
        n[PLACE] = place
        n[DETAIL] = detail
        return True
    return False


def conflict(state: State, place: int, detail: int) -> bool:
    """Note where the contradiction is; always False."""
    state.n[PLACE] = place
    state.n[DETAIL] = detail
    return False


def clear(board: Board, state: State) -> None:
    """Empty the queue."""
    n = state.n
    while n[HEAD] < n[TAIL]:
        dequeue(board, state)
    n[HEAD] = n[TAIL] = 0


def dequeue(board: Board, state: State) -> int:
    """The next literal of the queue, which no longer waits there."""
    literal = state.queue[state.n[HEAD]]
    state.n[HEAD] += 1
    e, edges = literal >> 1, len(state.edge)
    if e < edges:
        state.due[e] = UNKNOWN
    elif (e - edges) % (board.outer + 1) == board.outer:
        state.due[edges + (e - edges) // (board.outer + 1)] = UNKNOWN
    return int(literal)


def related(state: State, f: int, g: int) -> int:
    """Whether two faces differ: 1 or 0, -1 unknown."""
    return state.tint[f] ^ state.tint[g] if state.root[f] == state.root[g] else UNKNOWN


def relate(board: Board, state: State, f: int, g: int, differ: int) -> bool:
    """Record that two faces differ or are alike; False when the opposite is known.

    With the rule SIDES, or on a board `by_faces`, the edges that follow are put in the queue.
    """
    root, tint, follow = state.root, state.tint, state.follow
    if root[f] == root[g]:
        return bool(tint[f] ^ tint[g] == differ)
    if state.size[root[f]] < state.size[root[g]]:
        f, g = g, f
    keep, gone = root[f], root[g]
    flip = tint[f] ^ tint[g] ^ differ
    h = gone
    while True:
        root[h] = keep
        tint[h] ^= flip
        state.moved[h] = 1
        if keep == board.outer:
            touch_face(board, state, h)
        h = follow[h]
        if h == gone:
            break
    state.size[keep] += state.size[gone]
    state.trail[state.n[TRAIL]] = -1 - gone
    state.n[TRAIL] += 1
    if board.by_faces or state.n[RULES] & SIDES:
        edge, due, beside, rim, rim_at = (
            state.edge,
            state.due,
            board.beside,
            board.rim,
            board.rim_at,
        )
        while True:
            for i in range(rim_at[h], rim_at[h + 1]):
                e = rim[i]
                if edge[e] == UNKNOWN:
                    a, b = beside[2 * e], beside[2 * e + 1]
                    if root[a] == root[b]:
                        value = tint[a] ^ tint[b]
                        if due[e] == UNKNOWN:
                            due[e] = value
                            state.queue[state.n[TAIL]] = 2 * e + value
                            state.n[TAIL] += 1
                        elif due[e] != value:
                            follow[keep], follow[gone] = follow[gone], follow[keep]
                            return False
            h = follow[h]
            if h == gone:
                break
    follow[keep], follow[gone] = follow[gone], follow[keep]
    return True


def touch_face(board: Board, state: State, face: int) -> None:
    """Note that the lines beside a face have something new."""
    r, c = face // (board.cols - 1), face % (board.cols - 1)
    stale = state.stale
    stale[r] = stale[r + 1] = stale[board.rows + c] = stale[board.rows + c + 1] = 1


def touch_vertex(board: Board, state: State, v: int) -> None:
    """Note that the lines through a vertex have something new."""
    state.stale[v // board.cols] = state.stale[board.rows + v % board.cols] = 1


def links(state: State, v: int, used: int) -> bool:
    """Whether another edge links the piece at a vertex with so many edges on to another piece.

    It does not where the line branches, nor at the far end of an edge that made a branch: pieces
    are kept up without such edges, so that they can be taken back.
    """
    return used == 0 or (used == 1 and state.mate[v] != v)


def settle(board: Board, state: State, literal: int) -> bool:
    """Record a literal that is not known yet; False when that breaks a rule of the bookkeeping.

    False means: its faces have the opposite relation and edges follow from faces.
    """
    edge, n = state.edge, state.n
    edges = len(edge)
    if literal >= 2 * edges:
        pair = (literal >> 1) - edges
        return relate(
            board, state, pair // (board.outer + 1), pair % (board.outer + 1), literal & 1
        )
    e, value = literal >> 1, literal & 1
    a, b = board.ends[2 * e], board.ends[2 * e + 1]
    f, g = board.beside[2 * e], board.beside[2 * e + 1]
    edge[e] = value
    state.moved[f] = state.moved[g] = 1
    state.trail[n[TRAIL]] = literal
    n[TRAIL] += 1
    n[OPEN] -= 1
    state.open_at[a] -= 1
    state.open_at[b] -= 1
    touch_vertex(board, state, a)
    touch_vertex(board, state, b)
    for i in range(board.counted_at[e], board.counted_at[e + 1]):
        k = board.counted[i]
        state.open_in[k] -= 1
        state.on_in[k] += value
    for i in range(board.in_row_at[e], board.in_row_at[e + 1]):
        k = board.in_row[i]
        state.open_row[k] -= 1
        state.odd_in[k] ^= value
    if value == 1:
        n[ON] += 1
        on_at, mate = state.on_at, state.mate
        used_a, used_b = on_at[a], on_at[b]
        if links(state, a, used_a) and links(state, b, used_b):
            if used_a == 1 and used_b == 1 and mate[a] == b:
                n[CLOSED] += 1
            else:
                far_a, far_b = mate[a], mate[b]
                mate[far_a] = far_b
                mate[far_b] = far_a
                n[PIECES] += 1 - used_a - used_b
        on_at[a] += 1
        on_at[b] += 1
    return relate(board, state, f, g, value) or not (board.by_faces or n[RULES] & SIDES)


def undo(board: Board, state: State, mark: int) -> None:
    """Take back everything on the trail from `mark` on, and empty the queue."""
    clear(board, state)
    edge, n, trail = state.edge, state.n, state.trail
    root, tint, follow = state.root, state.tint, state.follow
    on_at, mate = state.on_at, state.mate
    while n[TRAIL] > mark:
        n[TRAIL] -= 1
        literal = trail[n[TRAIL]]
        if literal < 0:
            gone = -1 - literal
            keep, flip = root[gone], tint[gone]
            follow[keep], follow[gone] = follow[gone], follow[keep]
            state.size[keep] -= state.size[gone]
            h = gone
            while True:
                root[h] = gone
                tint[h] ^= flip
                h = follow[h]
                if h == gone:
                    break
            continue
        e, value = literal >> 1, literal & 1
        a, b = board.ends[2 * e], board.ends[2 * e + 1]
        edge[e] = UNKNOWN
        n[OPEN] += 1
        state.open_at[a] += 1
        state.open_at[b] += 1
        for i in range(board.counted_at[e], board.counted_at[e + 1]):
            k = board.counted[i]
            state.open_in[k] += 1
            state.on_in[k] -= value
        for i in range(board.in_row_at[e], board.in_row_at[e + 1]):
            k = board.in_row[i]
            state.open_row[k] += 1
            state.odd_in[k] ^= value
        if value == 1:
            n[ON] -= 1
            on_at[a] -= 1
            on_at[b] -= 1
            used_a, used_b = on_at[a], on_at[b]
            if links(state, a, used_a) and links(state, b, used_b):
                if used_a == 1 and used_b == 1 and mate[a] == b:
                    n[CLOSED] -= 1
                else:
                    far_a = mate[a] if used_a == 1 else a
                    far_b = mate[b] if used_b == 1 else b
                    mate[far_a] = a
                    mate[far_b] = b
                    n[PIECES] -= 1 - used_a - used_b
