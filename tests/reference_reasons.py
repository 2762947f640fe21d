"""What each rule says, once more and plainly, to judge what a step says that it leans on.

`follows(puzzle, step, facts)` is whether what a step settles follows, by the meaning of its rule at
its place, from facts. It shares nothing with the ladder but the names of rules. Rules of a place
become clauses over the edges and faces around it, and a solver goes through all ways to draw them;
rules of the whole line are decided by walking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Any

import samples
from pysat.card import CardEnc
from pysat.formula import IDPool
from pysat.solvers import Minisat22

from castlecp.grid import Edge

OUTSIDE = None


class Ways:
    """All ways to draw edges and to put faces inside, as clauses."""

    def __init__(self, puzzle: Any) -> None:
        self.puzzle, self.names = puzzle, IDPool()
        self.clauses: list[list[int]] = []
        self.beside: set[Edge] = set()

    def var(self, what: Any) -> int:
        """The variable of an edge (on) or of a face (inside)."""
        if what is OUTSIDE or (len(what) == 2 and not self.puzzle.lattice.has_face(what)):
            what = "outside"
            self.clauses.append([-self.names.id(what)])
        return self.names.id(what)

    def sides(self, edges: Iterable[Edge]) -> None:
        """Each edge is on exactly when the faces beside it lie on different sides."""
        for edge in edges:
            if edge not in self.beside:
                self.beside.add(edge)
                self.parity([edge, *edge.faces], 0)

    def parity(self, things: Iterable[Any], odd: bool) -> None:
        """Of these an odd, or even, number is on or inside; one after the other."""
        before = self.names.id("outside")
        self.clauses.append([-before])
        for thing in things:
            after, mine = self.names.id(object()), self.var(thing)
            for x, y in product((1, -1), repeat=2):
                # Where one of both is true it is odd so far.
                self.clauses.append([x * before, y * mine, after if x * y < 0 else -after])
            before = after
        self.clauses.append([before if odd else -before])

    def number(self, variables: list[int], *allowed: int) -> None:
        """So many of these are true."""
        for size in range(len(variables) + 1):
            if size not in allowed and len(variables) <= 4:
                for true in combinations(variables, size):
                    self.clauses.append([-x if x in true else x for x in variables])
        if len(variables) > 4:
            (only,) = allowed
            if not 0 <= only <= len(variables):
                self.clauses.append([])
                return
            card = CardEnc.equals(variables, only, vpool=self.names)
            self.clauses += card.clauses

    def degree(self, vertex: tuple[int, int], *allowed: int) -> None:
        """So many edges of a vertex are on."""
        self.number([self.var(edge) for edge in around(self.puzzle, vertex)], *allowed)

    def literal(self, fact: Any) -> int:
        """A variable that is true exactly when a fact of edges and faces is so."""
        if fact.edge is not None:
            return self.var(fact.edge) * (1 if fact.holds else -1)
        return self.relation(fact.face, fact.other, fact.holds)

    def relation(self, f: Any, g: Any, differ: bool) -> int:
        """A variable that is true exactly when two faces lie so."""
        a, b, both = self.var(f), self.var(g), self.names.id(object())
        for x, y in product((1, -1), repeat=2):
            self.clauses.append([x * a, y * b, both if x * y < 0 else -both])
        return both if differ else -both

    def excludes(self, *literals: int) -> bool:
        """Whether there is no way in which these are true."""
        if [] in self.clauses:
            return True
        with Minisat22(self.clauses) as solver:
            return not solver.solve(literals)


def around(puzzle: Any, vertex: tuple[int, int]) -> list[Edge]:
    """The edges at a vertex."""
    r, c = vertex
    near = ((r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c))
    here = [v for v in near if puzzle.lattice.has_vertex(v)]
    return [Edge(*min(v, vertex), *max(v, vertex)) for v in here]


def rim(face: tuple[int, int]) -> list[Edge]:
    """The edges of a face."""
    r, c = face
    return [
        Edge(r, c, r, c + 1),
        Edge(r + 1, c, r + 1, c + 1),
        Edge(r, c, r + 1, c),
        Edge(r, c + 1, r + 1, c + 1),
    ]


def corners(face: tuple[int, int]) -> list[tuple[int, int]]:
    """The vertices of a face."""
    return [(face[0] + down, face[1] + right) for down, right in product((0, 1), repeat=2)]


def clues_say(ways: Ways, facts: Iterable[Any], *kinds: str) -> None:
    """Of what the clues among facts say, that of these kinds."""
    puzzle = ways.puzzle
    said = samples.of(type(puzzle).__module__.rsplit(".", 1)[-1]).says
    clues = {(clue.row, clue.col): clue for clue in puzzle.clues}
    for fact in facts:
        if fact.clue is None:
            continue
        for kind, *what in said(puzzle, clues[fact.clue]):
            if kind not in kinds:
                continue
            if kind == "degree":
                ways.degree(what[0], *what[1])
            elif kind == "count":
                ways.number([ways.var(edge) for edge in what[0]], what[1])
            elif kind == "side":
                ways.clauses.append([ways.var(what[0]) * (1 if what[1] else -1)])
            elif kind == "ways":
                edges, allowed = what
                for values in product((0, 1), repeat=len(edges)):
                    if values not in allowed:
                        signed = zip(edges, (1 - 2 * v for v in values), strict=True)
                        ways.clauses.append([sign * ways.var(edge) for edge, sign in signed])
            elif kind == "sees":
                sees(ways, *what)
            else:
                raise AssertionError(f"no such thing as {kind}")


def sees(ways: Ways, face: tuple[int, int], number: int) -> None:
    """A face inside sees so many inside, itself included."""
    seen = []
    for down, along in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        before, (r, c) = ways.var(face), face
        while ways.puzzle.lattice.has_face((r := r + down, c := c + along)):
            this, here = ways.names.id(object()), ways.var((r, c))
            ways.clauses += [[-this, before], [-this, here], [this, -before, -here]]
            seen.append(this)
            before = this
    ways.clauses.append([ways.var(face)])
    if len(seen) <= 4:
        ways.number(seen, number - 1)
    elif 0 <= number - 1 <= len(seen):
        ways.clauses += CardEnc.equals(seen, number - 1, vpool=ways.names).clauses
    else:
        ways.clauses.append([])


def has(facts: Iterable[Any], rule: str) -> bool:
    """Whether a rule of the line is among facts."""
    return any(fact.rule == rule for fact in facts)


def degree(ways: Ways, step: Any, facts: list[Any]) -> None:
    """Two edges or none at the vertex; a clue, or the game, may want one of these."""
    (vertex,) = step.vertices
    ways.degree(vertex, 0, 2)
    clues_say(ways, facts, "degree")
    if has(facts, "the line passes everywhere"):
        ways.degree(vertex, 2)


def count(ways: Ways, step: Any, facts: list[Any]) -> None:
    """The numbers of the clues."""
    clues_say(ways, facts, "count")


def parity(ways: Ways, step: Any, facts: list[Any]) -> None:
    """The faces that the row of edges parts, and the colour of the clue."""
    ways.sides(step.edges)
    clues_say(ways, facts, "side")


def sides(ways: Ways, step: Any, facts: list[Any]) -> None:
    """The faces beside the edges, or the four around the vertex."""
    edges = [fact.edge for fact in facts if fact.edge] + list(step.edges)
    clues_say(ways, facts, "side")
    ways.sides([*edges, *step.on, *step.off])
    if step.vertices:
        corner(ways, step, facts)


def corner(ways: Ways, step: Any, facts: list[Any]) -> None:
    """The four faces around the vertex are not checkered."""
    (vertex,) = step.vertices
    ways.sides(around(ways.puzzle, vertex))
    r, c = vertex
    a, b, d, e = (ways.var(f) for f in ((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)))
    ways.clauses += [[a, e, -b, -d], [-a, -e, b, d]]


def pattern(ways: Ways, step: Any, facts: list[Any]) -> None:
    """The face and those around it, the corners of the face, and numbers among these."""
    (face,) = step.faces
    for vertex in corners(face):
        allowed = (2,) if has(facts, "the line passes everywhere") else (0, 2)
        ways.degree(vertex, *allowed)
        ways.sides(around(ways.puzzle, vertex))
    for fact in facts:
        ways.sides([fact.edge] if fact.edge else rim(fact.clue) if fact.clue else ())
    clues_say(ways, facts, "count")


def ray(ways: Ways, step: Any, facts: list[Any]) -> None:
    """The stretch, the edges that leave it between its ends, and the faces beside it."""
    ends = [vertex for edge in step.edges for vertex in edge.ends]
    for vertex in {vertex for vertex in ends if ends.count(vertex) == 2}:
        ways.degree(vertex, 0, 2)
        ways.sides(around(ways.puzzle, vertex))
    ways.sides(step.edges)
    clues_say(ways, facts, "count")


def statement(ways: Ways, step: Any, facts: list[Any]) -> None:
    """So many of the statements are false."""
    puzzle, false = ways.puzzle, []
    if has(facts, "so many statements are false"):
        for said in puzzle.statements:
            one, *other = (puzzle.places[name] for name in said.of)
            differ = said.says in ("inside", "opposite")
            false.append(-ways.relation(one, other[0] if other else OUTSIDE, differ))
        ways.clauses += (
            CardEnc.equals(false, puzzle.false_statements, vpool=ways.names).clauses
            if puzzle.false_statements <= len(false)
            else [[]]
        )


def table(ways: Ways, step: Any, facts: list[Any]) -> None:
    """The ways of the clue."""
    clues_say(ways, facts, "ways")


def visibility(ways: Ways, step: Any, facts: list[Any]) -> None:
    """The number of the clue; or that all clues are inside."""
    inside = all(f in {fact.clue for fact in step.facts} for f, _, _ in step.relations)
    clues_say(ways, facts, *(("side",) if step.relations and inside else ("side", "sees")))


def visits(ways: Ways, step: Any, facts: list[Any]) -> None:
    """No genre asks for a number of visits yet."""
    raise AssertionError("no genre asks for a number of visits: say here what it means")


Drawn = tuple[frozenset[Edge], frozenset[Edge]]


def loop(puzzle: Any, facts: list[Any], on: set[Edge], off: set[Edge]) -> bool:
    """Whether no one loop has some edges and not others: they close, or are parted."""
    if not has(facts, "the line is one loop"):
        return False
    if not set(puzzle.lattice.edges) - off:
        return True
    at: dict[Any, list[Any]] = {}
    for edge in set(puzzle.lattice.edges) - off:
        a, b = edge.ends
        at.setdefault(a, []).append(b)
        at.setdefault(b, []).append(a)
    if len(list(grown(on, at))) > 1:
        return True
    lines: dict[Any, list[Any]] = {}
    for edge in on:
        a, b = edge.ends
        lines.setdefault(a, []).append(b)
        lines.setdefault(b, []).append(a)
    drawn = list(grown(on, lines))
    return len(drawn) > 1 and any(all(len(lines[v]) == 2 for v in piece) for piece in drawn)


def grown(on: Iterable[Edge], at: dict[Any, list[Any]]) -> Iterator[set[Any]]:
    """The pieces into which edges fall that are joined by these ways."""
    left = {edge.ends[0] for edge in on}
    while left:
        piece, here = set(), [left.pop()]
        while here:
            vertex = here.pop()
            if vertex not in piece:
                piece.add(vertex)
                here += at.get(vertex, [])
        left -= piece
        yield piece


def reach(puzzle: Any, facts: list[Any], on: set[Edge], pairs: list[tuple[Any, Any, bool]]) -> bool:
    """Whether inside, or outside with what is beyond the border, falls into parts."""
    faces = [*puzzle.lattice.faces(), OUTSIDE]
    side = {OUTSIDE: False} | {f: differ for f, g, differ in pairs if g is OUTSIDE}
    barred = {frozenset(pair) for *pair, differ in pairs if differ}
    for want in (False, True):
        if not has(facts, f"{'inside' if want else 'outside'} is one piece"):
            continue
        free = [f for f in faces if side.get(f, want) == want]
        at: dict[Any, list[Any]] = {f: [] for f in free}
        for edge in puzzle.lattice.edges:
            a, b = (f if puzzle.lattice.has_face(f) else OUTSIDE for f in edge.faces)
            if a in at and b in at and edge not in on and frozenset((a, b)) not in barred:
                at[a].append(b)
                at[b].append(a)
        sure = [f for f in free if f in side]
        seen, here = set(), sure[:1]
        while here:
            face = here.pop()
            if face not in seen:
                seen.add(face)
                here += at[face]
        if not set(sure) <= seen:
            return True
    return False


PLACES: dict[str, Callable[[Ways, Any, list[Any]], None]] = {
    "corner": corner,
    "count": count,
    "degree": degree,
    "difference": count,
    "parity": parity,
    "pattern": pattern,
    "ray": ray,
    "sides": sides,
    "statement": statement,
    "table": table,
    "visibility": visibility,
    "visits": visits,
}
WHOLE = ("loop", "reach")


def follows(puzzle: Any, step: Any, facts: list[Any]) -> bool:
    """Whether what a step settles, or its contradiction, follows from facts by its rule."""
    relations = list(step.relations)
    edges = [(e, True) for e in step.on] + [(e, False) for e in step.off]
    if puzzle.SHADES_OUTSIDE and relations:
        edges = []  # they follow from faces
    if step.rule in WHOLE:
        on = {f.edge for f in facts if f.edge and f.holds}
        off = {f.edge for f in facts if f.edge and not f.holds}
        pairs = [(f.face, f.other, f.holds) for f in facts if f.face]
        if step.rule == "loop":
            if not step.settles:
                return loop(puzzle, facts, on, off)
            return all(
                loop(puzzle, facts, on | ({e} if not v else set()), off | ({e} if v else set()))
                for e, v in edges
            )
        if not step.settles:
            return reach(puzzle, facts, on, pairs)
        return all(reach(puzzle, facts, on | {e}, pairs) for e, v in edges if not v) and all(
            reach(puzzle, facts, on, [*pairs, (f, g, not differ)]) for f, g, differ in relations
        )
    ways = Ways(puzzle)
    ways.names.id("outside")
    PLACES[step.rule](ways, step, facts)
    known = [ways.literal(f) for f in facts if f.edge is not None or f.face is not None]
    if not step.settles:
        return ways.excludes(*known)
    wanted = [ways.var(e) * (1 if v else -1) for e, v in edges]
    wanted += [ways.relation(f, g, differ) for f, g, differ in relations]
    return all(ways.excludes(*known, -want) for want in wanted)
