"""Counts along a straight stretch together with the faces on both sides of it."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import RULES, UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, enqueue_relation, found_step, side

#: Longer counts than this do not fit the bits of a number.
LONGEST = 60

# The sides of the two faces beside an edge are a number, the first face's lowest: the edge is on
# when they differ. From one edge to the next the sides change by an exclusive or; where they
# differ not both change, for all four edges of a vertex cannot be on.
ON = (0, 1, 1, 0)
CHANGES = (4, 3, 3, 4)


def rays(board: Board, state: State) -> bool:
    """The first count from which something follows; place: the count.

    In a fixpoint only lines with something new since the last look are looked at. Taking back
    makes none new: a search takes back to a state that was a fixpoint.
    """
    step = state.n[RULES] <= 0
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

    Walks along the stretch with the sides of the two faces beside the edge and the set of totals
    that are possible so far, as bits; once forward, once backward. What is the same in every way
    that is left is settled: the edges of the stretch, the edges that leave it, the faces beside
    it. Takes time proportional to the length of the stretch.
    """
    start, number, ways = board.count_at[k], board.number[k], state.ways
    length = board.count_at[k + 1] - start
    if length == 0 or state.open_in[k] == 0 or number > LONGEST:
        return True
    if number < 0:  # two arrows along one line may differ the wrong way round
        return False
    for i in range(length):
        _forward(board, state, k, i)
    for s in range(4):
        ways[8 * length - 4 + s] = ways[8 * length - 8 + s] & (1 << number)
    for i in range(length - 1, -1, -1):
        if i < length - 1 and not _backward(board, state, k, i):
            return False
        if not _in_common(board, state, board.count[start + i], 8 * i + 4):
            return False
    return True


def _forward(board: Board, state: State, k: int, i: int) -> None:
    """The totals with which the i-th edge can be reached, for each colouring beside it."""
    e, ways, most = board.count[board.count_at[k] + i], state.ways, (2 << board.number[k]) - 1
    value = state.edge[e]
    a, b = side(board, state, board.beside[2 * e]), side(board, state, board.beside[2 * e + 1])
    up = down = UNKNOWN
    if i > 0:
        leaving = _leaving(board, board.count[board.count_at[k] + i - 1], e)
        up, down = _value(board, state, leaving), _value(board, state, leaving + 1)
    for s in range(4):
        totals = 0
        if value == 1 - ON[s] or a == 1 - (s & 1) or b == 1 - (s >> 1):
            totals = 0
        elif i == 0:
            totals = 1
        else:
            for d in range(CHANGES[s]):
                if up != 1 - (d & 1) and down != 1 - (d >> 1):
                    totals |= ways[8 * i - 8 + (s ^ d)]
        ways[8 * i + s] = totals << ON[s] & most


def _backward(board: Board, state: State, k: int, i: int) -> bool:
    """Keep the totals of the i-th edge that the ways beyond it need.

    Settles the two edges that leave the stretch there.
    """
    at, ways = board.count_at[k] + i, state.ways
    leaving = _leaving(board, board.count[at], board.count[at + 1])
    up, down = _value(board, state, leaving), _value(board, state, leaving + 1)
    ups = downs = 0
    for t in range(4):
        here, kept = ways[8 * i + t], 0
        for d in range(CHANGES[t] if here != 0 else 0):
            common = here & (ways[8 * i + 12 + (t ^ d)] >> ON[t ^ d])
            if common != 0 and up != 1 - (d & 1) and down != 1 - (d >> 1):
                kept |= common
                ups |= 1 << (d & 1)
                downs |= 1 << (d >> 1)
        ways[8 * i + 4 + t] = kept
    first, second = board.near[leaving], board.near[leaving + 1]
    if first >= 0 and _is_one(ups) and not enqueue(board, state, 2 * first + (ups >> 1)):
        return False
    forced = second >= 0 and _is_one(downs)
    return not forced or enqueue(board, state, 2 * second + (downs >> 1))


def _in_common(board: Board, state: State, e: int, at: int) -> bool:
    """Settle what the colourings beside an edge have in common; they are in `ways` from `at` on."""
    firsts = seconds = values = 0
    for s in range(4):
        if state.ways[at + s] != 0:
            firsts |= 1 << (s & 1)
            seconds |= 1 << (s >> 1)
            values |= 1 << ON[s]
    if values == 0:
        return False
    if values != 3 and not enqueue(board, state, 2 * e + (values >> 1)):
        return False
    a, b, outer = board.beside[2 * e], board.beside[2 * e + 1], board.outer
    if firsts != 3 and not enqueue_relation(board, state, a, outer, firsts >> 1):
        return False
    return seconds == 3 or enqueue_relation(board, state, b, outer, seconds >> 1)


def _leaving(board: Board, d: int, e: int) -> int:
    """Where `Board.near` has the two edges that leave a stretch between two of its edges."""
    v: int = board.ends[2 * d]
    if v != board.ends[2 * e] and v != board.ends[2 * e + 1]:
        v = board.ends[2 * d + 1]
    return 4 * v + (2 if d < board.horizontal else 0)


def _value(board: Board, state: State, at: int) -> int:
    """The value of an edge of `Board.near`; UNKNOWN, too, where there is none."""
    e = board.near[at]
    return int(state.edge[e]) if e >= 0 else UNKNOWN


def _is_one(values: int) -> bool:
    """Whether a set of values has one member."""
    return values == 1 or values == 2


def at(board: Board, state: State, k: int, _: int) -> bool:
    """What follows along a count."""
    return ray(board, state, k)


RULE = Rule(rays, turn=70, at=at)
