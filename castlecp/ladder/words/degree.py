"""Two edges or none at a vertex."""

from __future__ import annotations

from castlecp.ladder.phrases import are, rest
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.board import ALWAYS, NEVER
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, v: int, _: int, literals: list[int]) -> str:
    """Two edges or none at a vertex."""
    place, on, free = words.at_vertex(v), state.on_at[v], state.open_at[v]
    if words.board.passed[v] == NEVER:
        if not literals:
            return f"{place}: the line never enters a clue, but here it would."
        return f"{place}: the line never enters a clue, so {rest(free)} {are(literals)}."
    if not literals:
        if on > 2:
            return f"{place}: {on} edges meet here, but the line neither branches nor crosses."
        if words.board.passed[v] == ALWAYS and on == 0:
            return f"{place}: the line passes everywhere, but it cannot pass here."
        return f"{place}: the line ends here, with no way on."
    if on == 2:
        return f"{place}: the line already passes here, so {rest(free)} {are(literals)}."
    if on == 1:
        return f"{place}: the line comes in and has only one way on."
    if len(literals) == 2:
        return f"{place}: the line passes everywhere, and here there is only one way."
    return f"{place}: only one edge is left, and the line cannot end here, so it is off."


def places(words: Wording, vertex: int, _: int) -> Places:
    """The vertex."""
    return Places(vertices=(words.vertex(vertex),))


WORDS = Words(sentence, places)
