"""The line crosses a row an even, or odd, number of times."""

from __future__ import annotations

from castlecp.ladder.phrases import are
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, k: int, _: int, literals: list[int]) -> str:
    """The line crosses a row an even, or odd, number of times."""
    kind = "odd" if words.board.odd[k] else "even"
    text = f"{words.reading.rows[k]} the line crosses an {kind} number of times"
    so_far = "odd" if state.odd_in[k] else "even"
    if not literals:
        return f"{text}, but the number is {so_far} and nothing is open."
    return f"{text}; it is {so_far} so far and one edge is open, so it {are(literals)}."


def places(words: Wording, k: int, _: int) -> Places:
    """The edges of the row."""
    board = words.board
    members = board.row[board.row_at[k] : board.row_at[k + 1]]
    return Places(edges=tuple(map(words.edge, members)))


WORDS = Words(sentence, places)
