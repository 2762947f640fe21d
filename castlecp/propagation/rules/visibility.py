"""Faces inside that see a number of faces inside, in their row and column, up to the outside."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import OPEN, RULES, State
from castlecp.propagation.trail import conflict, enqueue_relation, found_step, side

#: A face that sees more than this is looked at only once all is settled: its sums do not fit
#: the bits of a number.
LONGEST = 60

#: Rows and columns to the next face in each direction.
DOWN = (-1, 1, 0, 0)
ALONG = (0, 0, -1, 1)


def visible(board: Board, state: State) -> bool:
    """The first sight from which something follows; place: the sight.

    Before that, with place -1, that all sights are inside. In a fixpoint only rows and columns
    with something new are looked at; see `rays`.
    """
    step = state.n[RULES] <= 0
    stale, across = state.stale, board.cols - 1
    if step:
        if not all_inside(board, state):
            return False
        if found_step(state, -1, 0):
            return True
    for k in range(len(board.sight)):
        f = board.sight[k]
        if step or stale[f // across] or stale[board.rows + f % across]:
            if not look(board, state, k):
                return conflict(state, k, 0)
            if found_step(state, k, 0):
                return True
    if not step:
        for line in range(len(stale)):
            stale[line] = 0
    return True


def all_inside(board: Board, state: State) -> bool:
    """All sights are inside; notes the sight that is not."""
    for k in range(len(board.sight)):
        if not enqueue_relation(board, state, board.sight[k], board.outer, 1):
            return conflict(state, k, 0)
    return True


def look(board: Board, state: State, k: int) -> bool:
    """All ways to see so many faces: one by itself, and a stretch of faces in each direction.

    A stretch of a length is possible when no face of it is outside and the next one, if there
    is one, is not inside. The lengths that are possible are sets, as bits; what the four add up
    to is their convolution. Of a direction's lengths those are kept that add up with the others;
    all faces of the shortest are inside, and if it is the only one the face after it is outside.
    """
    f, others, far = board.sight[k], board.seen[k] - 1, state.low
    if not enqueue_relation(board, state, f, board.outer, 1):
        return False
    if others < 0:
        return bool(others == -2)  # which says nothing
    if others > LONGEST:
        possible = others <= board.rows + board.cols - 4
        return bool(possible and (state.n[OPEN] > 0 or sees(board, state, f) == others + 1))
    for d in range(4):
        far[d] = lengths(board, state, f, d, others)
    for d in range(4):
        # The lengths of the other three directions together, and what they leave to this one.
        rest = sums(far[d ^ 1], sums(far[d ^ 2], far[d ^ 3], others), others)
        kept = 0
        for length in range(others + 1):
            if far[d] >> length & 1 and rest >> (others - length) & 1:
                kept |= 1 << length
        if kept == 0:
            return False
        far[4 + d] = kept
    for d in range(4):
        r, c, kept = f // (board.cols - 1), f % (board.cols - 1), far[4 + d]
        while kept & 1 == 0:
            kept >>= 1
            r, c = r + DOWN[d], c + ALONG[d]
            if not enqueue_relation(board, state, r * (board.cols - 1) + c, board.outer, 1):
                return False
        r, c = r + DOWN[d], c + ALONG[d]
        on_board = 0 <= r < board.rows - 1 and 0 <= c < board.cols - 1
        g = r * (board.cols - 1) + c
        if kept == 1 and on_board and not enqueue_relation(board, state, g, board.outer, 0):
            return False
    return True


def lengths(board: Board, state: State, f: int, d: int, most: int) -> int:
    """How many faces can be inside, one after the other, in a direction from a face: a set."""
    across = board.cols - 1
    r, c, out = f // across, f % across, 0
    for length in range(most + 1):
        r, c = r + DOWN[d], c + ALONG[d]
        on_board = 0 <= r < board.rows - 1 and 0 <= c < across
        next_side = side(board, state, r * across + c) if on_board else 0
        if next_side != 1:
            out |= 1 << length
        if next_side == 0:
            break
    return out


def sums(a: int, b: int, most: int) -> int:
    """The sums, up to `most`, of a number of one set and a number of the other."""
    out, everything = 0, (2 << most) - 1
    while a > 0:
        if a & 1:
            out |= b
        a >>= 1
        b = (b << 1) & everything
    return out


def sees(board: Board, state: State, f: int) -> int:
    """How many faces a face sees, where all sides are known; 0 for one outside."""
    across, seen = board.cols - 1, 1
    if side(board, state, f) != 1:
        return 0
    for d in range(4):
        r, c = f // across + DOWN[d], f % across + ALONG[d]
        while (
            0 <= r < board.rows - 1 and 0 <= c < across and side(board, state, r * across + c) == 1
        ):
            seen += 1
            r, c = r + DOWN[d], c + ALONG[d]
    return seen


def all_see(board: Board, state: State) -> bool:
    """Whether every sight is inside and sees its number, where all sides are known."""
    for k in range(len(board.sight)):
        number = sees(board, state, board.sight[k])
        if number == 0 or (board.seen[k] >= 0 and board.seen[k] != number):
            return False
    return True


def at(board: Board, state: State, k: int, _: int) -> bool:
    """What follows from a sight, or that all are inside."""
    return look(board, state, k) if k >= 0 else all_inside(board, state)


RULE = Rule(visible, turn=40, at=at, exact=all_see)
