"""Which faces lie on the same side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from castlecp.ladder.phrases import told
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words, corner

#: Faces of a ring that are named besides its first.
NAMED = 3


def reason(known: Known, e: int, v: int, literals: Sequence[int]) -> Reason:
    """What is known of the two faces beside the edge, and the edge; or as at a corner."""
    if e < 0:
        return corner.reason(known, e, v, literals)
    f, g = known.faces_of(2 * e)
    return Reason((*known.relation(f, g), *known.edge(e)))


def sentence(words: Wording, taken: Taken) -> str:
    """Which faces lie on the same side."""
    if taken.place < 0:
        return corner.sentence(words, taken)
    return f"{told(words, taken.reason.literals)}, so {told(words, taken.literals)}"


def dead(words: Wording, taken: Taken) -> str:
    """An edge between faces that says otherwise."""
    if taken.place < 0:
        at = words.at_vertex(taken.detail)
        return f"at {at} the line {words.would('touches', 'touch')} itself"
    off = "no line" if any(x == 2 * taken.place for x in taken.reason.literals) else "a line"
    return f"there {words.would('is', 'be')} {off} between them"


def places(words: Wording, e: int, v: int) -> Places:
    """The edge, or the vertex."""
    if e >= 0:
        return Places(edges=(words.edge(e),))
    return corner.places(words, e, v)


def clash(words: Wording, known: Sequence[int]) -> tuple[str, Places, Reason]:
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
    if not others:  # a clue on the border, or a line around nothing
        if literals[0] not in words.board.given:
            text = f"{words.at_edge(literals[0] >> 1)} has the outside on both sides"
            return text, where, Reason(tuple(literals))
        border = words.reading.givers[list(words.board.given).index(literals[0])]
        text = "a clue on the border has it that everything beyond the border is inside"
        return text, where, Reason((), ((border.row, border.col),))
    if len(others) == 1:
        text = (
            f"{first} and {others[0]} would be on the same side of the line and on different ones"
        )
        return text, where, Reason(tuple(literals))
    more = len(others) - NAMED
    named = [*others[:NAMED], f"{more} more"] if more > 0 else others
    changes = sum(literal & 1 for literal in literals)
    times = "once" if changes == 1 else f"{changes} times"
    text = (
        f"from {first} to {', then '.join(named)} and back the side of the line changes {times}, "
        "but no way round changes it an odd number of times"
    )
    return text, where, Reason(tuple(literals))


def _faces(words: Wording, literal: int) -> tuple[int, int]:
    """The faces that a literal relates, that of an edge those beside it."""
    if literal >= 2 * words.lattice.number_of_edges:
        return words.faces_of(literal)
    e = literal >> 1
    return int(words.board.beside[2 * e]), int(words.board.beside[2 * e + 1])


WORDS = Words(sentence, places, dead, reason, clash)
