"""A set of vertices of which the line passes so many."""

from __future__ import annotations

from castlecp.ladder.phrases import number_of
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.rules.visits import can_miss, can_pass
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, k: int, _: int, literals: list[int]) -> str:
    """A number of visited vertices that is reached or can only just be reached."""
    board, said, one = words.board, words.reading.visits[k], words.points
    inside = board.visit[board.visit_at[k] : board.visit_at[k + 1]]
    certain = sum(not can_miss(board, state, v) for v in inside)
    left = sum(can_pass(board, state, v) and can_miss(board, state, v) for v in inside)
    number = board.visits[k]
    if not literals:
        text = f"needs {number_of(number, f'visited {one}')}, but has {certain}, and {left} open."
    elif literals[0] & 1:
        more = number_of(number - certain, f"more visited {one}")
        those = "it" if left == 1 else "them"
        text = f"needs {more} and only {left} can be, so the line passes {those}."
    else:
        others = "the other open one" if left == 1 else f"the other {left} open ones"
        has = number_of(number, f"visited {one}")
        text = f"already has its {has}, so the line passes by {others}."
    return words.said(said, f"{said.words} {text}")


def places(words: Wording, k: int, _: int) -> Places:
    """The clues and the vertices."""
    board = words.board
    inside = map(words.vertex, board.visit[board.visit_at[k] : board.visit_at[k + 1]])
    told = words.told(words.reading.visits[k].clues, ())
    return Places(vertices=(*told.vertices, *inside), faces=told.faces)


WORDS = Words(sentence, places)
