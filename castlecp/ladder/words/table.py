"""All ways in which a few edges can be on or off."""

from __future__ import annotations

from castlecp.ladder.phrases import settled
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, _: State, k: int, __: int, literals: list[int]) -> str:
    """What a table's ways have in common."""
    said = words.reading.tables[k]
    if not literals:
        return words.said(said, f"there is no way left {said.words}.")
    return words.said(said, f"in every way {said.words}, {settled(words, literals)}.")


def places(words: Wording, k: int, _: int) -> Places:
    """The clues and the table's edges."""
    board = words.board
    members = board.table[board.table_at[k] : board.table_at[k + 1]]
    return words.told(words.reading.tables[k].clues, members)


WORDS = Words(sentence, places)
