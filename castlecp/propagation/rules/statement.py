"""Claims about the sides of faces, of which a given number is false."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.state import State
from castlecp.propagation.trail import conflict, enqueue_relation, found_step, related


def statements(board: Board, state: State) -> bool:
    """What follows from the number of false claims; place: -1, or the claim that decides.

    Claims that are open stand and fall together, or one against the other, when the relation
    of their faces is the same but for what is known; so there are groups of them of which
    either so many or so many are false. A group whose one choice makes too many or too few
    false claims, whatever the others are, takes the other.
    """
    claim, group = board.claim, state.ways
    claims = len(claim) // 3
    least = most = 0
    for k in range(claims):
        group[k] = k
        known = related(state, claim[3 * k], claim[3 * k + 1])
        if known >= 0:
            group[k] = -1
            least += known != claim[3 * k + 2]
            most += known != claim[3 * k + 2]
            continue
        for j in range(k):
            if group[j] == j and _bound(board, state, j, k) >= 0:
                group[k] = j
                break
    for k in range(claims):
        if group[k] == k:
            if_true, if_false = _false(board, state, k, 0), _false(board, state, k, 1)
            least += min(if_true, if_false)
            most += max(if_true, if_false)
    if not least <= board.lies <= most:
        return conflict(state, 0, 0)
    for k in range(claims):
        if group[k] == k:
            if_true, if_false = _false(board, state, k, 0), _false(board, state, k, 1)
            gap = abs(if_true - if_false)
            if gap > min(board.lies - least, most - board.lies):
                fewer = gap > board.lies - least
                is_true = (if_true < if_false) == fewer
                differ = claim[3 * k + 2] if is_true else 1 - claim[3 * k + 2]
                if not enqueue_relation(board, state, claim[3 * k], claim[3 * k + 1], differ):
                    return conflict(state, 0, 0)
    found_step(state, 0, 0)
    return True


def so_many_false(board: Board, state: State) -> bool:
    """Whether so many claims are false, where all sides are known."""
    claim, false = board.claim, 0
    for k in range(len(claim) // 3):
        false += related(state, claim[3 * k], claim[3 * k + 1]) != claim[3 * k + 2]
    return bool(false == board.lies)


def _bound(board: Board, state: State, j: int, k: int) -> int:
    """Whether two open claims stand or fall against each other: 1 or 0; -1 independent."""
    claim, root, tint = board.claim, state.root, state.tint
    a, b, c, d = claim[3 * j], claim[3 * j + 1], claim[3 * k], claim[3 * k + 1]
    if (root[a] == root[c] and root[b] == root[d]) or (root[a] == root[d] and root[b] == root[c]):
        against = tint[a] ^ tint[b] ^ tint[c] ^ tint[d] ^ claim[3 * j + 2] ^ claim[3 * k + 2]
        return int(against)
    return -1


def _false(board: Board, state: State, leader: int, value: int) -> int:
    """How many claims of a group are false when its first is (1) or is not (0)."""
    group, false = state.ways, 0
    for k in range(leader, len(board.claim) // 3):
        if group[k] == leader:
            false += value if k == leader else value ^ _bound(board, state, leader, k)
    return false


def at(board: Board, state: State, _: int, __: int) -> bool:
    """What follows from all claims."""
    return statements(board, state)


RULE = Rule(statements, turn=60, at=at, exact=so_many_false)
