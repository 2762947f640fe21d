"""What follows either way."""

from __future__ import annotations

from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, literal: int, _: int, literals: list[int]) -> str:
    """What follows either way."""
    about, value, other = words.of(literal)
    return f"Whether {about} is {value} or {other}, this follows by the easier rules."


def places(words: Wording, literal: int, _: int) -> Places:
    """What is assumed."""
    return words.assumed(literal)


WORDS = Words(sentence, places)
