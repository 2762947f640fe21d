"""The rules of the genres whose cells are faces once more, as `reference_ladder` has the others.

Every rule is written from its definition: all ways are listed, and what they have in common is
kept. A rule yields groups of literals; it raises `Dead` where the board has no answer left.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from reference_ladder import OUTER, Dead, Known, Literal, around, beside, corners, on_board

from castlecp.genres import Puzzle
from castlecp.grid import STEPS, Edge, Face, Vertex


class KnownFaces(Known):
    """What is settled on a board whose clues say nothing that holds from the start."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.edges: dict[Edge, bool] = {}
        self.relations: dict[frozenset[Face], bool] = {}
        self.freeze()

    def freeze(self) -> None:
        """Work out all relations, which `value` and `relation` then use."""
        self.table = self.sides()

    def relation(self, f: Face, g: Face) -> bool | None:
        (a, x), (b, y) = self.table[f], self.table[g]
        return x ^ y if a == b else None

    def side(self, face: Face) -> bool | None:
        """Whether a face is inside."""
        return self.relation(face, OUTER)

    def value(self, edge: Edge) -> bool | None:
        """Whether an edge is on, by itself or by its faces."""
        if edge in self.edges:
            return self.edges[edge]
        return self.relation(*beside(self.puzzle, edge))


def edges_of(face: Face) -> list[Edge]:
    r, c = face
    return [
        Edge(r, c, r, c + 1),
        Edge(r, c + 1, r + 1, c + 1),
        Edge(r + 1, c, r + 1, c + 1),
        Edge(r, c, r + 1, c),
    ]


def passes(puzzle: Any, known: KnownFaces) -> Iterator[set[Literal]]:
    """The rule DEGREE, with `visits_all` or not."""
    for vertex in puzzle.lattice.vertices():
        edges = around(puzzle, vertex)
        ways = [
            dict(zip(edges, values, strict=True))
            for values in product((False, True), repeat=len(edges))
            if sum(values) in ((2,) if puzzle.visits_all else (0, 2))
        ]
        ways = [w for w in ways if all(known.edges.get(e, v) == v for e, v in w.items())]
        if not ways:
            raise Dead
        yield {(e, v) for e, v in in_common(ways).items() if e not in known.edges}


def in_common(ways: list[dict[Any, bool]]) -> dict[Any, bool]:
    return {x: v for x, v in ways[0].items() if all(way.get(x) == v for way in ways)}


def pattern(puzzle: Any, known: KnownFaces) -> Iterator[set[Literal]]:
    """Every face with a number: the ways to draw its edges, and to complete its corners."""
    number = {(clue.row, clue.col): clue.number for clue in puzzle.clues}
    for face in puzzle.lattice.faces():
        mine = edges_of(face)
        if number.get(face) is None:
            continue
        if all(e in known.edges for e in mine):
            if sum(known.edges[e] for e in mine) != number[face]:
                raise Dead
            continue
        drawn = []
        for values in product((False, True), repeat=4):
            way = dict(zip(mine, values, strict=True))
            if sum(values) != number[face]:
                continue
            if any(known.value(e) not in (None, v) for e, v in way.items()):
                continue
            found = {v: completions(puzzle, known, number, face, v, way) for v in four(face)}
            if all(found.values()) and all(
                neighbour_fits(puzzle, known, number, face, e, way[e], found) for e in mine
            ):
                drawn.append((way, found))
        if not drawn:
            raise Dead
        yield from settled_by(puzzle, known, face, drawn)


def four(face: Face) -> list[Vertex]:
    r, c = face
    return [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]


def completions(
    puzzle: Any, known: KnownFaces, number: Any, face: Face, vertex: Vertex, way: dict[Edge, bool]
) -> list[dict[Edge, bool]]:
    """The values of all edges at a vertex of the face that fit what is known there."""
    edges = around(puzzle, vertex)
    outer = [e for e in edges if e not in way]
    opposite = order(puzzle, face, vertex)[-1]
    out = []
    for values in product((False, True), repeat=len(outer)):
        here = {e: way[e] for e in edges if e in way} | dict(zip(outer, values, strict=True))
        on = sum(here.values())
        if on not in ((2,) if puzzle.visits_all else (0, 2)):
            continue
        if any(known.value(e) not in (None, v) for e, v in here.items()):
            continue
        # Walk around the vertex: which of its faces differ from the first.
        inside = walk(puzzle, vertex, here)
        if any(
            known.relation(f, g) not in (None, inside[f] != inside[g])
            for f in inside
            for g in inside
        ):
            continue
        if number.get(opposite) is not None:
            others = [known.value(e) for e in edges_of(opposite) if e not in outer]
            known_on = sum(values) + others.count(True)
            if not known_on <= number[opposite] <= known_on + others.count(None):
                continue
        out.append(here)
    return out


def order(puzzle: Any, face: Face, vertex: Vertex) -> list[Face]:
    """The faces around a vertex, the given one first and the one diagonally opposite last."""
    r, c = vertex
    places = [(r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)]
    places.sort(key=lambda f: abs(f[0] - face[0]) + abs(f[1] - face[1]))
    return [on_board(puzzle, f) for f in places]


def walk(puzzle: Any, vertex: Vertex, here: dict[Edge, bool]) -> dict[Face, bool]:
    """Whether the faces around a vertex differ from its upper left one.

    Where two of them are the same face, beyond the border, the even number of edges at the
    vertex makes them agree.
    """
    nw, ne, sw, se = corners(puzzle, vertex)
    r, c = vertex
    up, left = here.get(Edge(r - 1, c, r, c), False), here.get(Edge(r, c - 1, r, c), False)
    right = here.get(Edge(r, c, r, c + 1), False)
    return {nw: False, ne: up, sw: left, se: up ^ right}


def neighbour_fits(
    puzzle: Any, known: KnownFaces, number: Any, face: Face, edge: Edge, value: bool, found: Any
) -> bool:
    """Whether both ends of an edge allow the number of the face beyond it."""
    beyond = next((f for f in beside(puzzle, edge) if f != OUTER and f != face), None)
    if beyond is None or number.get(beyond) is None:
        return True
    rest = [e for e in edges_of(beyond) if e != edge]
    ends = [[e for e in rest if v in e.ends] for v in edge.ends]
    (far,) = [e for e in rest if not set(e.ends) & set(edge.ends)]
    allowed = {True, False} if known.value(far) is None else {known.value(far)}
    return any(
        value + a[ends[0][0]] + b[ends[1][0]] + z == number[beyond]
        for a in found[edge.ends[0]]
        for b in found[edge.ends[1]]
        for z in allowed
    )


def settled_by(puzzle: Any, known: KnownFaces, face: Face, drawn: Any) -> Iterator[set[Literal]]:
    """What all ways to draw a face have in common."""
    for e in edges_of(face):
        values = {way[e] for way, _ in drawn}
        if len(values) == 1 and e not in known.edges:
            yield {(e, values.pop())}
    for vertex in four(face):
        met = [here for _, found in drawn for here in found[vertex]]
        for e, value in in_common(met).items():
            if e not in edges_of(face) and e not in known.edges:
                yield {(e, value)}
        mine, a, b, opposite = order(puzzle, face, vertex)
        for f, g in ((a, b), (mine, opposite)):
            walks = [walk(puzzle, vertex, here) for here in met]
            yield related(known, f, g, {w[f] != w[g] for w in walks})
    top, right, bottom, left = edges_of(face)
    for e, d in ((top, bottom), (left, right)):
        f, g = ((set(beside(puzzle, x)) - {face}).pop() for x in (e, d))
        yield related(known, f, g, {way[e] != way[d] for way, _ in drawn})


def related(known: KnownFaces, f: Face, g: Face, values: set[bool]) -> set[Literal]:
    """The literal of a relation that has only one value."""
    if len(values) != 1:
        return set()
    (value,) = values
    if known.relation(f, g) is None:
        return {(frozenset({f, g}), value)}
    if known.relation(f, g) != value:
        raise Dead
    return set()


def statement(puzzle: Any, known: KnownFaces) -> Iterator[set[Literal]]:
    """Statements in groups that stand or fall together; all ways to choose for the others."""
    groups: dict[Any, list[tuple[frozenset[Face], bool, int]]] = {}
    certain = 0
    for said in puzzle.statements:
        places = [puzzle.places[name] for name in said.of]
        f, g = (places[0], OUTER) if len(places) == 1 else places
        wanted = said.says in ("inside", "opposite")
        if known.relation(f, g) is not None:
            certain += known.relation(f, g) != wanted
            continue
        (a, x), (b, y) = known.table[f], known.table[g]
        groups.setdefault(frozenset({a, b}), []).append((frozenset({f, g}), wanted ^ x ^ y, x ^ y))
    costs = {
        key: [sum(wanted != value for _, wanted, _ in members) for value in (False, True)]
        for key, members in groups.items()
    }
    totals = [certain + sum(choice) for choice in product(*costs.values())]
    if not min(totals) <= puzzle.false_statements <= max(totals):
        raise Dead
    for key, members in groups.items():
        rest = [costs[other] for other in costs if other != key]
        fits = []
        for value in (False, True):
            sums = [certain + costs[key][value] + sum(choice) for choice in product(*rest)]
            fits.append(min(sums) <= puzzle.false_statements <= max(sums))
        if not any(fits):
            raise Dead
        if not all(fits):
            pair, _, shift = members[0]
            yield {(pair, fits[1] ^ bool(shift))}


def count(puzzle: Any, known: KnownFaces) -> Iterator[set[Literal]]:
    """The rung of Cave: all ways to split a clue's number into four stretches."""
    for clue in puzzle.clues:
        face = (clue.row, clue.col)
        if known.side(face) is False:
            raise Dead
        told = {face: True}
        if clue.number is not None:
            rays = [stretches(puzzle, known, face, step) for step in STEPS.values()]
            ways = [
                {f: side for part in parts for f, side in part.items()}
                for parts in product(*rays)
                if sum(sum(part.values()) for part in parts) == clue.number - 1
            ]
            if not ways:
                raise Dead
            told |= in_common(ways)
        yield {(frozenset({f, OUTER}), v) for f, v in told.items() if known.side(f) is None}


def stretches(
    puzzle: Any, known: KnownFaces, face: Face, step: tuple[int, int]
) -> list[dict[Face, bool]]:
    """The ways to see in a direction: some faces inside, and the next one outside."""
    ways: list[dict[Face, bool]] = []
    seen: dict[Face, bool] = {}
    here = face
    while True:
        here = (here[0] + step[0], here[1] + step[1])
        if not puzzle.lattice.has_face(here):
            return [*ways, seen]
        if known.side(here) is not True:
            ways.append({**seen, here: False})
        if known.side(here) is False:
            return ways
        seen = {**seen, here: True}


def corner(puzzle: Any, known: KnownFaces) -> Iterator[set[Literal]]:
    """No two by two faces are checkered: the fourth of three that would be is the same as one."""
    for r in range(1, puzzle.rows):
        for c in range(1, puzzle.cols):
            faces = [(r - 1, c - 1), (r - 1, c), (r, c), (r, c - 1)]
            sides = [known.side(f) for f in faces]
            for checkered in ([False, True, False, True], [True, False, True, False]):
                agree = [a == b for a, b in zip(sides, checkered, strict=True)]
                if all(agree):
                    raise Dead
                if sum(agree) == 3 and None in sides:
                    k = sides.index(None)
                    yield {(frozenset({faces[k], OUTER}), not checkered[k])}
