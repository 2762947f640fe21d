"""A count with the faces beside it."""

from __future__ import annotations

from castlecp.ladder.phrases import number_of
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, k: int, _: int, literals: list[int]) -> str:
    """A count with the faces beside it."""
    place, number = words.at_count(k), words.board.number[k]
    where = (
        "along the stretch between them"
        if len(words.reading.tellers[k]) > 1
        else f"along {words.reading.counted}"
    )
    what = f"{number_of(number, 'edge')} {where}, with the squares on both sides of it"
    if not literals:
        return f"{place}: there is no way left to place {what}."
    return f"{place}: every way to place {what}, has this in common."


def places(words: Wording, k: int, _: int) -> Places:
    """The clue, or the two clues, and the edges that are counted."""
    board = words.board
    return words.told(
        words.reading.tellers[k], board.count[board.count_at[k] : board.count_at[k + 1]]
    )


WORDS = Words(sentence, places)
