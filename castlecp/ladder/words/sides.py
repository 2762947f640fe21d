"""Which faces lie on the same side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from castlecp.ladder.phrases import are
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State

#: Faces of a ring that are named besides its first.
NAMED = 7


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
    """The edge, or the vertex."""
    if e >= 0:
        return Places(edges=(words.edge(e),))
    return Places(vertices=(words.vertex(v),))


def clash(words: Wording, known: Sequence[int]) -> tuple[str, Places]:
    """Where what is known of sides contradicts itself: a ring of faces, as short as can be.

    From each face of the ring to the next it is known whether the side changes, and on the whole
    way round it would do so an odd number of times.
    """
    import networkx as nx

    # Each face twice, for the two sides it may be on: the literals say what goes with what, and
    # contradict each other where both sides of a face go together.
    graph = nx.Graph()
    for literal in known:
        f, g = _faces(words, literal)
        for p in (0, 1):
            graph.add_edge((f, p), (g, p ^ literal & 1), literal=literal)

    def ring(face: int) -> list[tuple[int, int]]:
        return list(nx.shortest_path(graph, (face, 0), (face, 1)))

    torn = next(
        both for both in nx.connected_components(graph) if any((f, 1 - p) in both for f, p in both)
    )
    last = (f for literal in reversed(known) for f in _faces(words, literal))
    way: list[tuple[int, int]] = []
    shorter = ring(next(f for f in last if (f, 0) in torn))
    while not way or len(shorter) < len(way):
        way = shorter
        shorter = min((ring(f) for f, _ in way), key=len)
    literals = [graph.edges[step]["literal"] for step in pairwise(way)]
    faces = [f for f, _ in way[:-1]]
    where = Places(
        edges=tuple(words.edge(x >> 1) for x in literals if x < 2 * words.lattice.number_of_edges),
        faces=tuple(face for face in map(words.face, faces) if face is not None),
    )
    first, *others = map(words.at_face, faces)
    if not others:  # a clue on the border relates what is beyond it to itself
        return "A clue on the border has it that everything beyond the border is inside.", where
    if len(others) == 1:
        return (
            f"{first} and {others[0]} would be on the same side of the line and on different ones."
        ), where
    more = len(others) - NAMED
    named = [*others[:NAMED], f"{more} more"] if more > 0 else others
    changes = sum(literal & 1 for literal in literals)
    times = "once" if changes == 1 else f"{changes} times"
    return (
        f"From {first} to {', then '.join(named)} and back the side of the line changes {times}, "
        "but no way round changes it an odd number of times."
    ), where


def _faces(words: Wording, literal: int) -> tuple[int, int]:
    """The faces that a literal relates, that of an edge those beside it."""
    if literal >= 2 * words.lattice.number_of_edges:
        return words.faces_of(literal)
    e = literal >> 1
    return int(words.board.beside[2 * e]), int(words.board.beside[2 * e + 1])


WORDS = Words(sentence, places, clash)
