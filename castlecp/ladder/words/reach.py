"""Inside and outside hang together."""

from __future__ import annotations

from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, place: int, want: int, literals: list[int]) -> str:
    """Inside and outside hang together."""
    side, other = words.reading.sides[want], words.reading.sides[1 - want]
    outer = words.board.outer
    if place > outer:
        edge = words.at_edge(place - outer - 1)
        return f"Only across {edge} can two parts of the {side} connect, so it is off."
    face = words.at_face(place)
    if not literals:
        return f"The {side} falls apart: {face} cannot connect to the rest of it."
    if literals[0] & 1 == want:
        return f"Only through {face} can two parts of the {side} connect, so it is {side}."
    return f"{face} cannot connect to the {side}, so it is {other}."


def places(words: Wording, place: int, _: int) -> Places:
    """The edge or the face that is settled."""
    outer = words.board.outer
    if place > outer:
        return Places(edges=(words.edge(place - outer - 1),))
    face = words.face(place)
    return Places(faces=(face,) if face else ())


WORDS = Words(sentence, places)
