"""No two by two cells are checkered."""

from __future__ import annotations

from castlecp.ladder.phrases import settled
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, _: int, v: int, literals: list[int]) -> str:
    """No two by two cells are checkered."""
    place = f"the four {words.squares} around {words.at_vertex(v)}"
    if not literals:
        return f"{place} are checkered."
    return f"{place} are not checkered, so {settled(words, literals)}."


def places(words: Wording, _: int, v: int) -> Places:
    """The vertex."""
    return Places(vertices=(words.vertex(v),))


WORDS = Words(sentence, places)
