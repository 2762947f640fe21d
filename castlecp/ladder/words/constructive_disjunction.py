"""What follows either way."""

from __future__ import annotations

from castlecp.ladder.phrases import told
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Taken, Words


def sentence(words: Wording, taken: Taken) -> str:
    """What follows either way."""
    about, value, other = words.of(taken.place)
    settled = told(words, taken.literals)
    return f"whether {about} is {value} or {other}, the easier rules lead to the same: {settled}"


def places(words: Wording, literal: int, _: int) -> Places:
    """What is assumed."""
    return words.assumed(literal)


WORDS = Words(sentence, places, effort=64)
