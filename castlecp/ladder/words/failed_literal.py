"""An assumption that ends in a conflict."""

from __future__ import annotations

from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Taken, Words


def sentence(words: Wording, taken: Taken) -> str:
    """An assumption that dies."""
    ends = taken.ends or "the easier rules would end in a contradiction"
    return f"if {words.supposed_of(taken.place)}, {ends}, so {words.opposite_of(taken.place)}"


def places(words: Wording, literal: int, _: int) -> Places:
    """What is assumed."""
    return words.assumed(literal)


WORDS = Words(sentence, places, effort=16)
