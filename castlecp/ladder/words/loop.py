"""The line is one loop."""

from __future__ import annotations

from castlecp.ladder.phrases import number_of
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.rules.loop import CUT_OFF, FINISHED, NO_LINE, SHORT, TWO_LOOPS
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, e: int, why: int, literals: list[int]) -> str:
    """The line is one loop."""
    if why == NO_LINE:
        return "No edge is left for the line."
    if why == TWO_LOOPS:
        return f"The line is closed at {words.at_edge(e)}, but there is more of it elsewhere."
    if why == FINISHED:
        return f"The line is closed at {words.at_edge(e)}: whatever is open is off."
    if why == SHORT:
        edge = words.at_edge(e)
        return f"{edge.capitalize()} would close a piece of the line while another is left out."
    assert why == CUT_OFF
    if not literals:
        return f"{words.at_edge(e).capitalize()} is cut off from another piece of the line."
    away = number_of(len(literals), "open edge")
    return f"The line at {words.at_edge(e)} cannot get to {away}: off."


def places(words: Wording, e: int, _: int) -> Places:
    """The edge, on a board that has any."""
    return Places(edges=(words.edge(e),) if words.lattice.edges else ())


WORDS = Words(sentence, places)
