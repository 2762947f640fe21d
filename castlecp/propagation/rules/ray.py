"""Counts along a straight stretch together with the faces on both sides of it."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import RULES, UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, enqueue_relation, found_step, side

#: Longer counts than this do not fit the bits of a number.
LONGEST = 60


def rays(board: Board, state: State) -> bool:
    """The first count from which something follows; place: the count.

    In a fixpoint only lines with something new since the last look are looked at. Taking back
    makes none new: a search takes back to a state that was a fixpoint.
    """
    step = state.n[RULES] == 0
    for k in range(len(board.number)):
        line = board.line[k]
        if line >= 0 and (step or state.stale[line]):
            if not ray(board, state, k):
                return conflict(state, k, 0)
            if found_step(state, k, 0):
                return True
    if not step:
        for line in range(len(state.stale)):
            state.stale[line] = 0
    return True


def ray(board: Board, state: State, k: int) -> bool:
    """All ways to place `number[k]` edges on a straight stretch and colour the faces beside it.

    Walks along the stretch with the sides of the two faces beside the edge (four states) and
    the set of totals that are possible so far, as bits; once forward, once backward. All four
    edges of a vertex cannot be on, so both sides never change where they differ. What is
    the same in every way that is left is settled: the edges of the stretch, the edges that
    leave it, the faces beside it. Takes time proportional to the length of the stretch.
    """
    start, end, number = board.count_at[k], board.count_at[k + 1], board.number[k]
    length = end - start
    if length == 0 or state.open_in[k] == 0 or number > LONGEST:
        return True
    if number < 0:  # two arrows along one line may differ the wrong way round
        return False
    count, beside, ends, edge, ways = board.count, board.beside, board.ends, state.edge, state.ways
    # The edges that leave the stretch: up and down, or left and right.
    turn = 2 if count[start] < board.horizontal else 0
    most = (2 << number) - 1
    for i in range(length):
        e = count[start + i]
        a, b = side(board, state, beside[2 * e]), side(board, state, beside[2 * e + 1])
        up = down = UNKNOWN
        if i > 0:
            v = _shared(ends, count[start + i - 1], e)
            up, down = (
                _value(state, board.near[4 * v + turn]),
                _value(state, board.near[4 * v + turn + 1]),
            )
        for s in range(4):
            at = 8 * i + s
            ways[at] = 0
            on = (s & 1) ^ (s >> 1)
            if edge[e] == 1 - on or a == 1 - (s & 1) or b == 1 - (s >> 1):
                continue
            if i == 0:
                ways[at] = 1 << on
                continue
            totals = 0
            for d in range(4 if s == 0 or s == 3 else 3):  # d: which of the two sides change
                if up != 1 - (d & 1) and down != 1 - (d >> 1):
                    totals |= ways[8 * i - 8 + (s ^ d)] << on
            ways[at] = totals & most
    for s in range(4):
        ways[8 * length - 4 + s] = ways[8 * length - 8 + s] & (1 << number)
    for i in range(length - 1, -1, -1):
        e = count[start + i]
        if i < length - 1:
            v = _shared(ends, e, count[start + i + 1])
            p, q = board.near[4 * v + turn], board.near[4 * v + turn + 1]
            up, down = _value(state, p), _value(state, q)
            ups = downs = 0
            for t in range(4):
                here, totals = ways[8 * i + t], 0
                if here != 0:
                    for d in range(4 if t == 0 or t == 3 else 3):
                        if up != 1 - (d & 1) and down != 1 - (d >> 1):
                            s = t ^ d
                            on = (s & 1) ^ (s >> 1)
                            common = here & (ways[8 * i + 12 + s] >> on)
                            if common != 0:
                                totals |= common
                                ups |= 1 << (d & 1)
                                downs |= 1 << (d >> 1)
                ways[8 * i + 4 + t] = totals
            if p >= 0 and (ups == 1 or ups == 2) and not enqueue(board, state, 2 * p + (ups >> 1)):
                return False
            forced = downs == 1 or downs == 2
            if q >= 0 and forced and not enqueue(board, state, 2 * q + (downs >> 1)):
                return False
        firsts = seconds = values = 0
        for s in range(4):
            if ways[8 * i + 4 + s] != 0:
                firsts |= 1 << (s & 1)
                seconds |= 1 << (s >> 1)
                values |= 1 << ((s & 1) ^ (s >> 1))
        if values == 0:
            return False
        if values != 3 and not enqueue(board, state, 2 * e + (values >> 1)):
            return False
        a, b = beside[2 * e], beside[2 * e + 1]
        if firsts != 3 and not enqueue_relation(board, state, a, board.outer, firsts >> 1):
            return False
        if seconds != 3 and not enqueue_relation(board, state, b, board.outer, seconds >> 1):
            return False
    return True


def _shared(ends: list[int], d: int, e: int) -> int:
    """The vertex that two neighbouring edges of a stretch share."""
    v = ends[2 * d]
    return v if v == ends[2 * e] or v == ends[2 * e + 1] else ends[2 * d + 1]


def _value(state: State, e: int) -> int:
    """The value of an edge; UNKNOWN, too, where there is none."""
    return state.edge[e] if e >= 0 else UNKNOWN


RULE = Rule(rays, turn=70)
