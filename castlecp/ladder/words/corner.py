"""No two by two faces are checkered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from castlecp.ladder.phrases import told
from castlecp.ladder.reasons import edges_of, minimal
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words


def reason(known: Known, _: int, v: int, literals: Sequence[int]) -> Reason:
    """Sides and relations of the four faces, and an edge between two of them."""
    board, outer = known.board, known.outer
    nw, ne, sw, se = board.corners[4 * v : 4 * v + 4]
    around = [f for f in dict.fromkeys((nw, ne, sw, se)) if f != outer]
    colourings = [
        {**dict(zip(around, sides, strict=True)), outer: 0}
        for sides in product((0, 1), repeat=len(around))
    ]
    fair = [c for c in colourings if c[nw] != c[se] or c[ne] != c[sw] or c[nw] == c[ne]]

    def follows(facts: Sequence[int]) -> bool:
        left = [c for c in fair if all(holds(c, x) for x in facts)]
        return not left or (bool(literals) and all(holds(c, x) for c in left for x in literals))

    def holds(colouring: dict[int, int], literal: int) -> bool:
        f, g = known.faces_of(literal)
        return colouring[f] ^ colouring[g] == literal & 1

    edges = [x for e in edges_of(board, v) for x in known.edge(e)]
    pairs = [x for f, g in ((nw, se), (ne, sw)) for x in known.relation(f, g)]
    more = [x for k, f in enumerate(around) for g in around[:k] for x in known.relation(f, g)]
    sides = [x for f in around for x in known.side(f)]
    candidates = dict.fromkeys([*more, *sides, *edges, *pairs] if not board.by_faces else sides)
    return Reason(minimal(list(candidates), follows))


def sentence(words: Wording, taken: Taken) -> str:
    """No two by two faces are checkered."""
    facts = told(words, taken.reason.literals)
    return f"no two by two is checkered: {facts}, so {told(words, taken.literals)}"


def dead(words: Wording, taken: Taken) -> str:
    """A checkered square."""
    at = words.at_vertex(taken.detail)
    return f"the four {words.squares} around {at} {words.would('are', 'be')} checkered"


def places(words: Wording, _: int, v: int) -> Places:
    """The vertex."""
    return Places(vertices=(words.vertex(v),))


WORDS = Words(sentence, places, dead, reason)
