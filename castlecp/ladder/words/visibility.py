"""All ways to see so many faces."""

from __future__ import annotations

from castlecp.ladder.phrases import number_of, settled
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, k: int, _: int, literals: list[int]) -> str:
    """All ways to see so many faces."""
    if k < 0:
        return f"Every clue is {words.reading.sides[1]}."
    place, number = words.at_count(k), words.board.seen[k]
    if number < 0:
        return f"{place}: the clue cannot be {words.reading.sides[1]}."
    what = f"to see {number_of(number, 'cell')}"
    if not literals:
        return f"{place}: there is no way left {what}."
    return f"{place}: in every way {what}, {settled(words, literals)}."


def places(words: Wording, k: int, _: int) -> Places:
    """The face that sees, or all that do."""
    sights = words.board.sight
    return Places(faces=words.faces([sights[k]] if k >= 0 else sights))


WORDS = Words(sentence, places)
