"""Inside and outside hang together."""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.ladder.phrases import listed, told
from castlecp.ladder.reasons import minimal
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words

#: The rules of the game, of outside and inside.
ONE_PIECE = ("outside is one piece", "inside is one piece")


def reason(known: Known, place: int, want: int, literals: Sequence[int]) -> Reason:
    """Two faces of one side, and what parts them as soon as the step were otherwise."""
    outer = known.outer
    face, edge = (place, -1) if place <= outer else (-1, place - outer - 1)
    joins = bool(literals) and (edge >= 0 or literals[0] & 1 == want)
    wall = {face} if joins and face >= 0 else set()
    blocked = {edge} if edge >= 0 else set()
    sides = [known.side(f) or ([0] if f == outer else []) for f in range(outer + 1)]
    on = {e for e in range(known.edges) if known.state.edge[e] == 1}
    shut = {f for f in range(outer + 1) if sides[f] and sides[f][0] & 1 != want}
    ends = [f for f in range(outer + 1) if sides[f] and sides[f][0] & 1 == want]
    if want == 0:
        ends = [outer, *ends[:-1]]  # which is known without a reason
    if not joins and face >= 0:
        ends = [face, *(f for f in ends if f != face)]

    def part(start: int, shut: set[int], on: set[int]) -> set[int]:
        seen, here = {start}, [start]
        while here:
            f = here.pop()
            for e in known.board.rim[known.board.rim_at[f] : known.board.rim_at[f + 1]]:
                g = sum(known.faces_of(2 * e)) - f
                if g not in seen and g not in shut and e not in on:
                    seen.add(g)
                    here.append(g)
        return seen

    # The parts that faces of this side make; the smallest has the shortest wall around it.
    parts: list[set[int]] = []
    for f in ends:
        if f not in wall and not any(f in one for one in parts):
            parts.append(part(f, shut | wall, on | blocked))
    mine = parts[0] if not joins and face >= 0 else min(parts, key=len)
    if not joins and len(parts) > 1:
        mine = min(parts[0], min(parts[1:], key=len), key=len)
    one, other = (
        next(f for f in ends if f in mine),
        next(f for f in ends if f not in mine and f not in wall),
    )
    if not joins and face >= 0 and face not in (one, other):
        one, other = (face, other) if face in mine else (one, face)
    bars: dict[int, int] = {}
    for f in sorted(mine):
        for e in known.board.rim[known.board.rim_at[f] : known.board.rim_at[f + 1]]:
            g = sum(known.faces_of(2 * e)) - f
            if g in mine or e in blocked:
                continue
            if e in on and (g not in shut or not known.board.by_faces):
                bars.update(
                    (x, e) for x in (known.relation(f, g) if known.board.by_faces else [2 * e + 1])
                )
            elif g in shut:
                bars.update((x, -1 - g) for x in known.side(g))

    def follows(facts: Sequence[int]) -> bool:
        shutting = (
            wall | ({outer} if want else set()) | {-1 - bars[x] for x in facts if bars[x] < 0}
        )
        return other not in part(one, shutting, blocked | {bars[x] for x in facts if bars[x] >= 0})

    # A line that a face beyond it makes needless goes first.
    facts = minimal(sorted(bars, key=lambda x: bars[x] < 0), follows)
    asked = [x for f in (one, other) if f != face or not literals for x in known.side(f)]
    return Reason((*asked, *facts), (), (ONE_PIECE[want],))


def sentence(words: Wording, taken: Taken) -> str:
    """Inside and outside hang together."""
    place, want, outer = taken.place, taken.detail, words.board.outer
    ends, wall = _parted(words, taken)
    side = words.reading.sides[want]
    past = told(words, wall)
    so = f": {past}, so" if past else ", so"
    if place > outer:
        here = words.runs([place - outer - 1])[0]
        return f"with a line {here}, {side} {listed(ends)} could not connect{so} there is none"
    face = words.at_face(place)
    if taken.literals[0] & 1 == want:
        return f"{side} {listed(ends)} connect only through {face}{so} it is {side}"
    return f"{face} cannot connect to {side} {ends[0]}{so} it is {words.reading.sides[1 - want]}"


def _parted(words: Wording, taken: Taken) -> tuple[list[str], tuple[int, ...]]:
    """What is to connect, and what is in its way."""
    want, edges = taken.detail, 2 * words.lattice.number_of_edges
    ends = [x for x in taken.reason.literals if x >= edges and x & 1 == want]
    names = [words.at_face(words.faces_of(x)[0]) for x in ends]
    parts = taken.place <= words.board.outer and taken.literals and taken.literals[0] & 1 != want
    if len(names) < (1 if parts else 2):
        names.append("the border")
    return names, tuple(x for x in taken.reason.literals if x not in ends)


def dead(words: Wording, taken: Taken) -> str:
    """What should hang together falls apart."""
    ends, _ = _parted(words, taken)
    side = words.reading.sides[taken.detail]
    return f"{side} {listed(ends)} {words.would('cannot', 'not')} connect"


def places(words: Wording, place: int, _: int) -> Places:
    """The edge or the face that is settled."""
    outer = words.board.outer
    if place > outer:
        return Places(edges=(words.edge(place - outer - 1),))
    face = words.face(place)
    return Places(faces=(face,) if face else ())


WORDS = Words(sentence, places, dead, reason, effort=4)
