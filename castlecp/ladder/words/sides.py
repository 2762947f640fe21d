"""Which faces lie on the same side."""

from __future__ import annotations

from castlecp.ladder.phrases import are
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def sentence(words: Wording, state: State, e: int, v: int, literals: list[int]) -> str:
    """Which faces lie on the same side."""
    board = words.board
    if e >= 0:
        f, g = board.beside[2 * e], board.beside[2 * e + 1]
        differ = state.tint[f] ^ state.tint[g]
        how = "on different sides of the line" if differ else "on the same side of the line"
        known = f"{words.at_face(f)} and {words.at_face(g)} are {how}"
        if not literals:
            return f"{known}, but {words.at_edge(e)} says otherwise."
        return f"{known}, so {words.at_edge(e)} {are(literals)}."
    if v < 0:
        if board.given:
            return (
                "The colours of the clues contradict each other, or a clue on the border is white."
            )
        return "What is known of the two sides of the line contradicts itself."
    place, squares = words.at_vertex(v), words.squares
    if not literals:
        return f"{place}: the line would touch itself here."
    if state.on_at[v] > 0:
        return (
            f"{place}: the line passes here and two {squares} across from each other are on the "
            "same side, so the other two are on different sides."
        )
    return (
        f"{place}: the {squares} across from each other are on the same side both ways; the line "
        "does not touch itself, so all four are on one side."
    )


def places(words: Wording, e: int, v: int) -> Places:
    """The edge, or the vertex; nothing where all that is known contradicts itself."""
    if e >= 0:
        return Places(edges=(words.edge(e),))
    return Places(vertices=(words.vertex(v),) if v >= 0 else ())


WORDS = Words(sentence, places)
