"""What is known of the loop: the data that rules read and the trail changes."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from castlecp.kernels import Array, compiled
from castlecp.propagation.board import Board
from castlecp.propagation.buffers import rooms

# What `State.n` holds.
TRAIL = 0  # entries on the trail
TAIL = 1  # literals in the queue
HEAD = 2  # literals taken from the queue
ON = 3  # edges on
OPEN = 4  # edges not settled
PIECES = 5  # pieces of line
CLOSED = 6  # pieces that are closed
RULES = 7  # the rules that the fixpoint uses, as bits; 0 while single steps are taken, or LAYER
PLACE = 8  # the place of the reason of the last step, or of the contradiction
DETAIL = 9  # a second number of that reason
AT = 10  # the literal at which the next probe begins
LEFT = 11  # assumptions that the rules dearer than single probes may still make
STOP = 12  # 1 when all is to end as soon as it can; other threads may write it
SPENT = 13  # assumptions and steps of the ladder so far
MOST = 14  # how many there may be: after so many, `STOP` is set
MORE = 15  # assumptions that are added to `LEFT` once one of them settles something
SHORTEST = 16  # 1 where of all assumptions that die one with the shortest chain is to be taken
TOLD = 17  # literals in the queue of which `found_step` has noted the place
N = 18

#: What `n[RULES]` is while all that single steps find is taken, with the place of each.
LAYER = -1

UNKNOWN = -1


class State(NamedTuple):
    """What is known of the loop, and how it came to be known.

    A literal is a number: 2 * edge + 1 says that the edge is on, 2 * edge that it is off, and
    2 * (edges + f * (faces + 1) + g) + p that the sides of the faces f and g differ (p = 1) or
    are the same (p = 0). The side of a face is its relation to the outer face.
    """

    edge: Array  # 1 on, 0 off, -1 unknown
    on_at: Array  # at each vertex, how many edges are on
    open_at: Array  # at each vertex, how many edges are unknown
    mate: Array  # for an end of a piece of line the other end; for an unused vertex itself
    on_in: Array  # in each count, how many edges are on
    open_in: Array
    odd_in: Array  # in each row, the parity of the edges that are on
    open_row: Array
    root: Array  # of each face: the face that stands for all whose relation to it is known
    tint: Array  # whether its side differs from that of its root
    follow: Array  # the next face with the same root, in a circle
    size: Array  # of a root: how many faces it stands for
    trail: Array  # what was settled, in order: literals of edges, and -1 - root for joined roots
    queue: Array  # literals that follow and are not settled yet
    due: Array  # the value that waits for an edge, then for the side of a face; -1 for none
    n: Array  # single numbers, see TRAIL and the names after it
    mark: Array  # scratch
    order: Array  # scratch
    low: Array  # scratch
    seen: Array  # scratch
    stack: Array  # scratch
    stale: Array  # of each row, then each column: whether `rays` or `sights` is to look again
    moved: Array  # 1 a face: whether `patterns` is to look at it, and around it, again
    ways: Array  # scratch, 8 an edge of the longest count, 1 a claim
    came: Array  # scratch, one a face
    memo: Array  # scratch of probes, one a literal of an edge
    gain: Array  # how much a probe settled, one a literal of an edge
    tried: Array  # scratch of probes within which others are made
    inner: Array  # the same as memo for probes within probes
    source: Array  # of each literal in the queue its place and detail, in a LAYER
    chain: Array  # the log of a chain, see `castlecp.ladder.shortest`
    kept: Array  # its links that are kept
    used: Array  # scratch, the same


def waiting(board: Board) -> int:
    """How many literals may wait.

    An edge waits once, but a relation can be told again and again: at most ten times for each
    face by `patterns`, four times by `sides` and by `corner`, where all rules are asked at once.
    """
    faces, relations = board.outer + 1, 18 if len(board.around) else 8
    return len(board.ends) // 2 + relations * faces + len(board.passed) + len(board.claim)


def widest(board: Board) -> int:
    """The length of `State.ways`."""
    longest = max([end - start for start, end in pairwise(board.count_at)], default=0)
    return max(8 * longest, len(board.claim))


def blank(board: Board) -> State:
    """Nothing known yet."""
    vertices, edges = len(board.passed), len(board.ends) // 2
    faces, counts, rows = board.outer + 1, len(board.number), len(board.odd)
    room = 4 * (edges + faces) + waiting(board) + 9
    scratch = max(vertices, faces, edges, 10) + 1
    sizes = (
        edges,  # edge
        vertices,  # on_at
        vertices,  # open_at
        vertices,  # mate
        counts,  # on_in
        counts,  # open_in
        rows,  # odd_in
        rows,  # open_row
        faces,  # root
        faces,  # tint
        faces,  # follow
        faces,  # size
        edges + faces + 1,  # trail
        waiting(board),  # queue
        edges + faces,  # due
        N,  # n
        scratch,  # mark
        scratch,  # order
        scratch,  # low
        scratch,  # seen
        4 * scratch,  # stack
        board.rows + board.cols,  # stale
        faces,  # moved
        widest(board),  # ways
        scratch,  # came
        2 * edges,  # memo
        2 * edges,  # gain
        2 * edges,  # tried
        2 * edges,  # inner
        2 * waiting(board),  # source
        5 * room,  # chain
        room,  # kept
        room,  # used
    )
    state = State(*rooms(*sizes))
    compiled(begin)(board, state)
    return state


def begin(board: Board, state: State) -> None:
    """Fill in what is not 0 while nothing is known, into a state of zeros."""
    vertices, edges, faces = len(board.passed), len(state.edge), board.outer + 1
    for e in range(edges):
        state.edge[e] = UNKNOWN
    for v in range(vertices):
        state.mate[v] = v
        for i in range(4 * v, 4 * v + 4):
            state.open_at[v] += board.near[i] >= 0
    for k in range(len(state.open_in)):
        state.open_in[k] = board.count_at[k + 1] - board.count_at[k]
    for k in range(len(state.open_row)):
        state.open_row[k] = board.row_at[k + 1] - board.row_at[k]
    for f in range(faces):
        state.root[f] = state.follow[f] = f
        state.size[f] = state.moved[f] = 1
    # The outer face is the heaviest root, so that it is never another face's root's follower.
    state.size[board.outer] = faces + 1
    for i in range(len(state.due)):
        state.due[i] = UNKNOWN
    for i in range(len(state.stale)):
        state.stale[i] = 1
    n = state.n
    n[OPEN] = edges
    n[LEFT] = n[MOST] = 1 << 40


#: What of this module is called from Python.
ENTRIES = (begin,)
