"""An assumption that ends in a conflict."""

from __future__ import annotations

from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, literal: int, _: int, literals: list[int]) -> str:
    """An assumption that dies."""
    about, value, other = words.of(literal)
    return f"If {about} were {value}, the easier rules would end in a contradiction: it is {other}."


def places(words: Wording, literal: int, _: int) -> Places:
    """What is assumed."""
    return words.assumed(literal)


WORDS = Words(sentence, places)
