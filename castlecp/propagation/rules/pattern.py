"""The number of a face's edges together with its corners and with the numbers around it."""

from __future__ import annotations

from castlecp.propagation.board import ALWAYS, NEVER, Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import RULES, UNKNOWN, State
from castlecp.propagation.trail import conflict, enqueue, enqueue_relation, found_step, related

# The edges of a face in a circle are top, right, bottom, left; corner i lies between edges i
# and i + 1. From the face's upper left vertex it lies so many rows and columns on:
DOWN = (0, 1, 1, 0)
ALONG = (1, 1, 0, 0)
#: At each corner, where `Board.near` has edge i, edge i + 1, and then the two *outer* edges,
#: which part the face diagonally opposite from the neighbours across edge i and edge i + 1.
SLOTS = (0, 3, 2, 1, 2, 0, 1, 3, 1, 2, 3, 0, 3, 1, 0, 2)
#: Where `Board.corners` has the face diagonally opposite.
DIAGONAL = (1, 3, 2, 0)
#: Where the edges of a face are among its `Board.rim`.
RIM = (0, 3, 1, 2)

# What happens at a corner is a number below 16, with a bit for each of the four edges in the
# order of SLOTS; these have two edges or none. A set of such numbers is a bit for each.
MEETINGS = (0, 3, 5, 6, 9, 10, 12)
#: The sets in which a bit is on, or two bits differ.
FIRST_OUTER, SECOND_OUTER = 0xF0F0, 0xFF00
EDGES_DIFFER, ACROSS_DIFFER = 0x6666, 0x5A5A
ALL = 0xFFFF


def patterns(board: Board, state: State) -> bool:
    """The first face with a number from which something follows; place: the face.

    In a fixpoint only faces with something new at or around them are looked at; see `rays`.
    """
    step = state.n[RULES] <= 0
    for f in range(len(board.around)):
        if board.around[f] >= 0 and (step or _news(board, state, f)):
            if not pattern(board, state, f):
                return conflict(state, f, 0)
            if found_step(state, f, 0):
                return True
    if not step:
        for f in range(len(board.around)):
            state.moved[f] = 0
    return True


def pattern(board: Board, state: State, f: int) -> bool:
    """All ways to draw the edges of a face with a number.

    A way fits when its corners can be completed, each in itself, with two edges or none at the
    vertex, in agreement with what is known of edges and relations and with the number of the
    face diagonally opposite; and when for each neighbour across an edge the corners at that edge
    can be completed in agreement with its number. What all ways have in common is settled:
    edges, and relations between the faces on both sides of edges. So threes beside each other
    diagonally, also with twos between, and numbers in corners of the board are all one rule.
    """
    across, number = board.cols - 1, board.around[f]
    edges, fits, could, rim = state.stack, state.low, state.seen, board.rim_at[f]
    known = values = settled = 0
    for i in range(4):
        e = board.rim[rim + RIM[i]]
        value = _value(board, state, e)
        if value != UNKNOWN:
            known |= 1 << i
            values |= value << i
        settled += state.edge[e] != UNKNOWN
        edges[i], edges[4 + i] = e, board.beside[2 * e] + board.beside[2 * e + 1] - f
    if settled == 4:
        return bool(_bits(values) == number)
    for i in range(4):
        fits[i] = _meetings(board, state, f, i)
    for i in range(10):
        could[i] = 0
    for way in range(16):
        if (way ^ values) & known or _bits(way) != number:
            continue
        if _fits(board, state, way):
            for i in range(4):
                could[i] |= 1 << (way >> i & 1)
                could[4 + i] |= fits[i] & _chosen(way, i)
            for i in range(2):
                could[8 + i] |= 1 << ((way >> i ^ way >> (i + 2)) & 1)
    if could[0] == 0:
        return False
    top = f // across * board.cols + f % across
    for i in range(4):
        e, met = edges[i], could[4 + i]
        if could[i] != 3 and not enqueue(board, state, 2 * e + (could[i] >> 1)):
            return False
        v = top + DOWN[i] * board.cols + ALONG[i]
        for j in range(2):
            e = board.near[4 * v + SLOTS[4 * i + 2 + j]]
            value = _common(met, SECOND_OUTER if j else FIRST_OUTER)
            if e >= 0 and value >= 0 and not enqueue(board, state, 2 * e + value):
                return False
        a, b, d = edges[4 + i], edges[4 + (i + 1) % 4], board.corners[4 * v + DIAGONAL[i]]
        value = _common(met, EDGES_DIFFER)
        if value >= 0 and not enqueue_relation(board, state, a, b, value):
            return False
        value = _common(met, ACROSS_DIFFER)
        if value >= 0 and not enqueue_relation(board, state, f, d, value):
            return False
    for i in range(2):
        if could[8 + i] != 3 and not enqueue_relation(
            board, state, edges[4 + i], edges[6 + i], could[8 + i] >> 1
        ):
            return False
    return True


def _meetings(board: Board, state: State, f: int, i: int) -> int:
    """What can happen at corner i of a face, as a set."""
    across, edges = board.cols - 1, state.stack
    v = (f // across + DOWN[i]) * board.cols + f % across + ALONG[i]
    first, second = board.near[4 * v + SLOTS[4 * i + 2]], board.near[4 * v + SLOTS[4 * i + 3]]
    d = board.corners[4 * v + DIAGONAL[i]]
    values = known = 0
    for j in range(4):
        value = _value(board, state, board.near[4 * v + SLOTS[4 * i + j]])
        if value != UNKNOWN:
            known |= 1 << j
            values |= value << j
    differ = related(state, edges[4 + i], edges[4 + (i + 1) % 4])
    opposite = related(state, f, d)
    least, most = 0, 2
    if d < board.outer and board.around[d] >= 0:
        least = most = board.around[d]
        for k in range(board.rim_at[d], board.rim_at[d + 1]):
            e = board.rim[k]
            if e != first and e != second:
                value = _value(board, state, e)
                least -= value != 0
                most -= value == 1
    out = 0
    for meeting in MEETINGS:
        outer = _bits(meeting >> 2)
        if (
            (meeting ^ values) & known == 0
            and (board.passed[v] != ALWAYS if meeting == 0 else board.passed[v] != NEVER)
            and differ != 1 - ((meeting ^ meeting >> 1) & 1)
            and opposite != 1 - ((meeting ^ meeting >> 2) & 1)
            and least <= outer <= most
        ):
            out |= 1 << meeting
    return out


def _fits(board: Board, state: State, way: int) -> bool:
    """Whether the corners and the neighbours of a face allow a way to draw its edges."""
    edges, fits = state.stack, state.low
    for i in range(4):
        if fits[i] & _chosen(way, i) == 0:
            return False
    for i in range(4):
        a = edges[4 + i]
        if a < board.outer and board.around[a] >= 0:
            # The neighbour's edges: this one, an outer edge at each end, and the one beyond.
            before = fits[i - 1 & 3] & _chosen(way, i - 1 & 3)
            after = fits[i] & _chosen(way, i)
            far = _value(board, state, board.rim[board.rim_at[a] + RIM[i]])
            least = most = way >> i & 1
            least += (before & (ALL ^ SECOND_OUTER) == 0) + (after & (ALL ^ FIRST_OUTER) == 0)
            most += (before & SECOND_OUTER != 0) + (after & FIRST_OUTER != 0)
            if not least + (far == 1) <= board.around[a] <= most + (far != 0):
                return False
    return True


def _chosen(way: int, i: int) -> int:
    """The set of what happens at corner i when the face's edges are drawn that way."""
    return 0x1111 << ((way >> i & 1) + 2 * (way >> (i + 1 & 3) & 1))


def _common(met: int, where: int) -> int:
    """1 when all of a set lies in another, 0 when none does, else -1."""
    return 1 if met & (ALL ^ where) == 0 else 0 if met & where == 0 else UNKNOWN


def _bits(number: int) -> int:
    """How many of the four lowest bits are on."""
    return (number & 1) + (number >> 1 & 1) + (number >> 2 & 1) + (number >> 3 & 1)


def _value(board: Board, state: State, e: int) -> int:
    """The value of an edge, also where only its faces are known; 0 where there is none."""
    if e < 0:
        return 0
    value: int = state.edge[e]
    return value if value >= 0 else related(state, board.beside[2 * e], board.beside[2 * e + 1])


def _news(board: Board, state: State, f: int) -> bool:
    """Whether there is something new at a face or the eight around it."""
    across, moved = board.cols - 1, state.moved
    r, c = f // across, f % across
    for y in range(max(r - 1, 0), min(r + 2, board.rows - 1)):
        for x in range(max(c - 1, 0), min(c + 2, across)):
            if moved[y * across + x]:
                return True
    return False


def at(board: Board, state: State, f: int, _: int) -> bool:
    """What follows around a face."""
    return pattern(board, state, f)


RULE = Rule(patterns, turn=50, at=at, exact=patterns)
