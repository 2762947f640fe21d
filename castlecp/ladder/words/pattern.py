"""All ways to draw the edges of a face."""

from __future__ import annotations

from castlecp.ladder.phrases import settled
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, f: int, _: int, literals: list[int]) -> str:
    """All ways to draw the edges of a face."""
    place = words.at_face(f)
    fits = "its edges, with its corners and the numbers around it"
    if not literals:
        return f"{place}: there is no way left to draw {fits}."
    across = {}  # the edge of the face beyond which another face is
    board = words.board
    for e in board.rim[board.rim_at[f] : board.rim_at[f + 1]]:
        across[board.beside[2 * e] + board.beside[2 * e + 1] - f] = words.at_edge(e)
    said = []
    for literal in literals:
        if literal >= 2 * len(state.edge):
            a, b = words.faces_of(literal)
            if a in across and b in across:
                how = "exactly one is on" if literal & 1 else "both or none are on"
                said.append(f"of {across[a]} and {across[b]} {how}")
                continue
        said.append(settled(words, [literal]))
    return f"{place}: in every way to draw {fits}, {'; '.join(said)}."


def places(words: Wording, f: int, _: int) -> Places:
    """The face."""
    return Places(faces=words.faces([f]))


WORDS = Words(sentence, places)
