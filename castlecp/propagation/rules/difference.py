"""Two counts of which one contains the other: exactly so many edges of the rest are on."""

from __future__ import annotations

from castlecp.propagation.board import Board
from castlecp.propagation.rules import Rule
from castlecp.propagation.rules.count import at, count_of, first_of
from castlecp.propagation.state import State


def differences(board: Board, state: State) -> bool:
    """The first difference from which something follows; place: its number among the counts."""
    return first_of(board, state, board.direct, len(board.number))


def at_edge(board: Board, state: State, e: int) -> bool:
    """The differences that an edge is in."""
    for i in range(board.counted_at[e], board.counted_at[e + 1]):
        k = board.counted[i]
        if k >= board.direct and not count_of(board, state, k):
            return False
    return True


RULE = Rule(differences, turn=2, at=at, at_edge=at_edge, first=differences, exact=differences)
