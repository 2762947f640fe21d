"""All ways to draw the edges of a face."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product

from castlecp.grid import Edge
from castlecp.ladder.phrases import given, listed, most_of, number_of, told
from castlecp.ladder.reasons import minimal
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.ladder.words.degree import EVERYWHERE
from castlecp.propagation.board import ALWAYS, NEVER
from castlecp.propagation.rules.pattern import ALONG, DIAGONAL, DOWN, RIM, SLOTS


class Around:
    """A face, the eight faces around it, and all ways to draw the edges between them.

    A way is a number with a bit for each of the twelve edges, in the order of `edges`, that is on,
    and then one for each of the faces, in the order of `faces`, that is inside. At the corners of
    the face the line has two edges or none.
    """

    def __init__(self, known: Known, f: int) -> None:
        board, across, rim = known.board, known.board.cols - 1, known.board.rim_at[f]
        self.known, self.face = known, f
        edges = [board.rim[rim + RIM[i]] for i in range(4)]
        beyond = [sum(known.faces_of(2 * e)) - f for e in edges]
        corners = [(f // across + DOWN[i]) * board.cols + f % across + ALONG[i] for i in range(4)]
        edges += [
            board.near[4 * v + SLOTS[4 * i + j]] for i, v in enumerate(corners) for j in (2, 3)
        ]
        self.faces = [
            f,
            *beyond,
            *(board.corners[4 * v + DIAGONAL[i]] for i, v in enumerate(corners)),
        ]
        self.edges = edges
        self.numbered = {
            g: board.around[g] for g in self.faces[1:] if g != known.outer and board.around[g] >= 0
        }
        # For a face with a number: which of its edges the ways draw, as the bits of which an odd
        # number is on, and the edges further off.
        self.mine: dict[int, tuple[list[int], list[int]]] = {}
        self.far: dict[tuple[int, int], int] = {}
        for g in (f, *self.numbered):
            here, others = [], []
            for e in board.rim[board.rim_at[g] : board.rim_at[g + 1]]:
                mask = self.mask(e)
                if mask:
                    here.append(mask)
                else:
                    others.append(e)
                    one, other = known.faces_of(2 * e)
                    self.far[min(one, other), max(one, other)] = e
            self.mine[g] = here, others
        self.everywhere = [board.passed[v] == ALWAYS for v in corners]
        self.never = [board.passed[v] == NEVER for v in corners]
        self.ways = list(self._ways())

    def _ways(self) -> Iterator[int]:
        faces, outer = self.faces, self.known.outer
        for inner in product((0, 1), repeat=4):
            choices = []
            for i in range(4):
                a, b = inner[i], inner[(i + 1) % 4]
                first, second = self.edges[4 + 2 * i] >= 0, self.edges[5 + 2 * i] >= 0
                choices.append(
                    [
                        (x, y)
                        for x, y in product((0, 1), repeat=2)
                        if a + b + x + y in (0, 2)
                        and not (self.never[i] and a + b + x + y)
                        and x <= first
                        and y <= second
                    ]
                )
            for outers in product(*choices):
                for side in (0, 1):
                    sides = [side, *(side ^ x for x in inner)]
                    sides += [sides[1 + i] ^ outers[i][0] for i in range(4)]
                    of = {outer: 0}
                    if all(of.setdefault(g, s) == s for g, s in zip(faces, sides, strict=True)):
                        drawn = [*inner, *(x for pair in outers for x in pair), *sides]
                        yield sum(bit << k for k, bit in enumerate(drawn))

    def mask(self, e: int) -> int:
        """The bits of ways of which an odd number is on where an edge is; 0 of one further off."""
        if e in self.edges:
            return 1 << self.edges.index(e)
        return self._mask_of(*self.known.faces_of(2 * e))

    def _mask_of(self, f: int, g: int) -> int:
        mask = 0
        for face in (f, g):
            if face != self.known.outer:
                if face not in self.faces:
                    return 0
                mask ^= 1 << 12 + self.faces.index(face)
        return mask

    def bits(self, literal: int) -> tuple[int, int]:
        """What a literal says of ways: of which bits an odd number is on, or not; 0 for none."""
        if literal < 2 * self.known.edges:
            return self.mask(literal >> 1), literal & 1
        return self._mask_of(*self.known.faces_of(literal)), literal & 1

    def value(self, literal: int) -> tuple[int, int]:
        """What a literal that says nothing of ways says of an edge further off."""
        if literal < 2 * self.known.edges:
            return literal >> 1, literal & 1
        f, g = self.known.faces_of(literal)
        return self.far[min(f, g), max(f, g)], literal & 1

    def left(self, facts: Sequence[int]) -> list[int]:
        """The ways that facts leave: literals, -1 - f for the number of f, and EVERY."""
        said = {x: self.bits(x) for x in facts if x >= 0}
        near = [(m, v) for m, v in said.values() if m]
        far = dict(self.value(x) for x, (m, _) in said.items() if not m)
        ways = [w for w in self.ways if all((w & m).bit_count() & 1 == v for m, v in near)]
        for g in [-1 - x for x in facts if x < 0 and x != EVERY]:
            here, others = self.mine[g]
            number = self.known.board.around[g]
            least = number - sum(far.get(e, 1) for e in others)
            most = number - sum(far.get(e, 0) for e in others)
            ways = [w for w in ways if least <= sum((w & m).bit_count() & 1 for m in here) <= most]
        if EVERY in facts:
            passed = [
                1 << i | 1 << (i + 1) % 4 | 3 << 4 + 2 * i for i in range(4) if self.everywhere[i]
            ]
            ways = [w for w in ways if all(w & corner for corner in passed)]
        return ways


#: Stands for the rule that the line passes everywhere, among facts.
EVERY = -(1 << 40)


def reason(known: Known, f: int, _: int, literals: Sequence[int]) -> Reason:
    """Numbers at the face and around it, edges, and relations of the faces there."""
    board = known.board
    if f not in known.kept:
        known.kept[f] = Around(known, f)
    here: Around = known.kept[f]
    rims = [board.rim[board.rim_at[g] : board.rim_at[g + 1]] for g in here.mine]
    edges = [e for e in dict.fromkeys([*chain(*rims), *here.edges]) if e >= 0]
    edges.sort(key=here.edges.__contains__)
    a, d = here.faces[1:5], here.faces[5:]
    pairs = [(f, d[i]) for i in range(4)] + [(a[i], a[(i + 1) % 4]) for i in range(4)]
    relations = [x for one, other in pairs for x in known.relation(one, other)]
    for e in edges:
        if known.state.edge[e] < 0:
            near = here.mask(e)
            relations += known.relation(*known.faces_of(2 * e)) if near else known.between(e)
    told = dict.fromkeys([*relations, *(x for e in edges for x in known.edge(e))])
    every = [EVERY] if any(here.everywhere) else []
    candidates = [*told, *every, *(-1 - g for g in (*here.numbered, f))]
    goal = [here.bits(x) for x in literals]

    def follows(facts: Sequence[int]) -> bool:
        ways = here.left(facts)
        return not ways or (
            bool(goal) and all((w & m).bit_count() & 1 == v for w in ways for m, v in goal)
        )

    if not follows(candidates):  # what was found contradicts what is known of other pairs
        pairs = list(combinations(dict.fromkeys(here.faces), 2))
        candidates = [*(x for pair in pairs for x in known.relation(*pair)), *candidates]
    facts = minimal(list(dict.fromkeys(candidates)), follows)
    faces = [-1 - x for x in facts if x < 0 and x != EVERY]
    clues = tuple(divmod(g, board.cols - 1) for g in sorted(faces))
    rules = (EVERYWHERE,) if EVERY in facts else ()
    return Reason(tuple(x for x in facts if x >= 0), clues, rules)


def sentence(words: Wording, taken: Taken) -> str:
    """All ways to draw the edges of a face."""
    board, f = words.board, taken.place
    mine = divmod(f, board.cols - 1)
    others = words.at_cells(clue for clue in taken.reason.clues if clue != mine)
    own = set(board.rim[board.rim_at[f] : board.rim_at[f + 1]])
    across = {board.beside[2 * e] + board.beside[2 * e + 1] - f: e for e in own}
    edges = 2 * words.lattice.number_of_edges
    rest, parts = [], []
    sides: tuple[list[Edge], list[Edge]] = ([], [])
    for literal in taken.literals:
        a, b = words.faces_of(literal) if literal >= edges else (-1, -1)
        if literal < edges and literal >> 1 in own:
            sides[literal & 1].append(words.edge(literal >> 1))
        elif a in across and b in across:
            pair = listed(words.sides_of(mine, map(words.edge, (across[a], across[b]))))
            how = "one of" if literal & 1 else "both or none of"
            parts.append(f"a line on {how} {pair}")
        else:
            rest.append(literal)
    out, on = (words.sides_of(mine, value) for value in sides)
    runs = [f"a line on {listed(on)}"] if on else []
    runs += [f"{'not' if on else 'no line'} on {listed(out, 'or')}"] if out else []
    rest_told = [told(words, rest)] if rest else []
    parts = [*([", ".join(runs)] if runs else []), *rest_told, *parts]
    if words.most < 2 and len(parts) > 2:
        parts = [*parts[:2], f"{len(parts) - 2} more"]
    others = most_of(words, others)
    if words.most == 0 and len(others) > 1:
        others = [number_of(len(taken.reason.clues) - 1, "number")]
    by = f" with {listed(others)}" if others else ""
    by += ", where the line passes every point" if taken.reason.rules else ""
    facts = given(words, taken.reason.literals)
    return f"{words.at_face(f)}{by}{facts}, so {'; '.join(parts)}"


def dead(words: Wording, taken: Taken) -> str:
    """No way is left."""
    return (
        f"{words.at_face(taken.place)} {words.would('has', 'have')} no way left to draw its edges"
    )


def places(words: Wording, f: int, _: int) -> Places:
    """The face."""
    return Places(faces=words.faces([f]))


WORDS = Words(sentence, places, dead, reason)
