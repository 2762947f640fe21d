"""The ladder once more, from the definitions: sets, dicts and networkx; no speed, no shared code.

A literal is (edge, True) for on, (edge, False) for off, or (frozenset of two faces, differ);
the outer face is OUTER. `Known` is what is settled. A rule yields groups of literals, in the
order in which the ladder finds them; it raises `Dead` where the board has no answer left.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import networkx

from castlecp.genres.castle import CastleWall
from castlecp.grid import Edge, Face, Vertex

Literal = tuple[Any, bool]

#: The face beyond the border.
OUTER = (-1, -1)


class Dead(Exception):
    """The board has no answer."""


class Known:
    """What is settled: the values of edges, and relations between faces."""

    def __init__(self, puzzle: CastleWall) -> None:
        self.puzzle = puzzle
        self.edges: dict[Edge, bool] = {}
        self.relations: dict[frozenset[Face], bool] = {}
        for clue in puzzle.clues:
            if clue.color != "grey":
                for face in corners(puzzle, (clue.row, clue.col)):
                    inside = clue.color == "white"
                    if face == OUTER and inside:
                        raise Dead
                    if self.relations.setdefault(frozenset({face, OUTER}), inside) != inside:
                        raise Dead

    def copy(self) -> Known:
        other = Known.__new__(Known)
        other.puzzle = self.puzzle
        other.edges, other.relations = dict(self.edges), dict(self.relations)
        return other

    def add(self, literal: Literal) -> None:
        what, value = literal
        if isinstance(what, Edge):
            if self.edges.setdefault(what, value) != value:
                raise Dead
        else:
            self.relations[what] = value

    def sides(self) -> dict[Face, tuple[Face, bool]]:
        """For each face a face it is related to, and whether they differ."""
        graph = networkx.Graph()
        graph.add_nodes_from([OUTER, *self.puzzle.lattice.faces()])
        for edge, value in self.edges.items():
            graph.add_edge(*beside(self.puzzle, edge), differ=value)
        for pair, value in self.relations.items():
            if len(pair) == 2:
                graph.add_edge(*pair, differ=value)
        out: dict[Face, tuple[Face, bool]] = {}
        for start in graph:  # the outer face first
            if start in out:
                continue
            out[start] = (start, False)
            for a, b in networkx.bfs_edges(graph, start):
                out[b] = (start, out[a][1] ^ graph.edges[a, b]["differ"])
        return out

    def relation(self, f: Face, g: Face) -> bool | None:
        """Whether two faces differ; None when that is not known."""
        sides = self.sides()
        return sides[f][1] ^ sides[g][1] if sides[f][0] == sides[g][0] else None


def on_board(puzzle: CastleWall, face: Face) -> Face:
    return face if puzzle.lattice.has_face(face) else OUTER


def beside(puzzle: CastleWall, edge: Edge) -> tuple[Face, Face]:
    first, second = edge.faces
    return on_board(puzzle, first), on_board(puzzle, second)


def corners(puzzle: CastleWall, vertex: Vertex) -> list[Face]:
    r, c = vertex
    return [on_board(puzzle, f) for f in ((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c))]


def around(puzzle: CastleWall, vertex: Vertex) -> list[Edge]:
    r, c = vertex
    near = [Edge(r, c - 1, r, c), Edge(r, c, r, c + 1), Edge(r - 1, c, r, c), Edge(r, c, r + 1, c)]
    return [edge for edge in near if puzzle.lattice.has_edge(edge)]


def split(known: Known, edges: list[Edge]) -> tuple[int, list[Edge]]:
    """How many of the edges are on, and which are open."""
    on = sum(known.edges.get(e, False) for e in edges)
    return on, [e for e in edges if e not in known.edges]


def all_of(edges: list[Edge], value: bool) -> set[Literal]:
    return {(e, value) for e in edges}


def degree(puzzle: CastleWall, known: Known) -> Iterator[set[Literal]]:
    walls = {(clue.row, clue.col) for clue in puzzle.clues}
    for vertex in puzzle.lattice.vertices():
        on, free = split(known, around(puzzle, vertex))
        if vertex in walls:
            if on:
                raise Dead
            yield all_of(free, False)
            continue
        if on > 2 or (on == 1 and not free):
            raise Dead
        if on == 2:
            yield all_of(free, False)
        elif len(free) == 1:
            yield {(free[0], on == 1)}


def exactly(known: Known, edges: list[Edge], number: int) -> set[Literal]:
    on, free = split(known, edges)
    if not on <= number <= on + len(free):
        raise Dead
    if on == number:
        return all_of(free, False)
    return all_of(free, True) if on + len(free) == number else set()


def stretches(puzzle: CastleWall) -> tuple[list[Any], list[Any]]:
    """(edges, number) of every arrow, and of every difference of two neighbouring ones."""
    direct, lines = [], {}
    for clue in puzzle.clues:
        if clue.count is not None:
            edges = list(puzzle.ray(clue))[:-1]
            direct.append((edges, clue.count))
            along = clue.row if clue.arrow in ("left", "right") else clue.col
            lines.setdefault((clue.arrow, along), []).append((edges, clue.count))
    differences = []
    for rays in lines.values():
        for (near, fewer), (far, more) in pairwise(sorted(rays, key=lambda ray: len(ray[0]))):
            differences.append(([e for e in far if e not in near], more - fewer))
    return direct, differences


def arrow(puzzle: CastleWall, known: Known) -> Iterator[set[Literal]]:
    for edges, number in stretches(puzzle)[0]:
        yield exactly(known, edges, number)


def difference(puzzle: CastleWall, known: Known) -> Iterator[set[Literal]]:
    for edges, number in stretches(puzzle)[1]:
        yield exactly(known, edges, number)


def parity_rows(puzzle: CastleWall) -> list[tuple[list[Edge], int]]:
    rows, cols = puzzle.rows, puzzle.cols
    out = [([Edge(r, c, r + 1, c) for c in range(cols)], 0) for r in range(rows - 1)]
    out += [([Edge(r, c, r, c + 1) for r in range(rows)], 0) for c in range(cols - 1)]
    for clue in puzzle.clues:
        if clue.color == "grey":
            continue
        odd = int(clue.color == "white")
        r = clue.row if clue.row < rows - 1 else clue.row - 1
        c = clue.col if clue.col < cols - 1 else clue.col - 1
        if rows > 1:
            out.append(([Edge(r, k, r + 1, k) for k in range(clue.col)], odd))
            out.append(([Edge(r, k, r + 1, k) for k in range(clue.col + 1, cols)], odd))
        if cols > 1:
            out.append(([Edge(k, c, k, c + 1) for k in range(clue.row)], odd))
            out.append(([Edge(k, c, k, c + 1) for k in range(clue.row + 1, rows)], odd))
    return out


def parity(puzzle: CastleWall, known: Known) -> Iterator[set[Literal]]:
    for row, odd in parity_rows(puzzle):
        on, free = split(known, row)
        if not free and on % 2 != odd:
            raise Dead
        if len(free) == 1:
            yield {(free[0], on % 2 != odd)}


def loop(puzzle: CastleWall, known: Known) -> Iterator[set[Literal]]:
    on = [e for e, value in known.edges.items() if value]
    free = [e for e in puzzle.lattice.edges if e not in known.edges]
    if not on:
        if not free:
            raise Dead
        return
    line = networkx.Graph(e.ends for e in on)
    pieces = list(networkx.connected_components(line))
    if any(all(line.degree[v] == 2 for v in piece) for piece in pieces):
        if len(pieces) > 1:
            raise Dead
        yield all_of(free, False)
        return
    room = networkx.Graph(e.ends for e in [*on, *free])
    reach = next(c for c in networkx.connected_components(room) if min(on).ends[0] in c)
    if len(pieces) > 1:
        for e in free:
            a, b = e.ends
            inner = line.degree[a] == 2 if a in line else False
            inner = inner or (b in line and line.degree[b] == 2)
            if not inner and any(a in piece and b in piece for piece in pieces):
                yield {(e, False)}
    if any(not piece <= reach for piece in pieces):
        raise Dead
    yield all_of([e for e in free if e.ends[0] not in reach], False)


def sides(puzzle: CastleWall, known: Known) -> Iterator[set[Literal]]:
    table = known.sides()

    def relation(f: Face, g: Face) -> bool | None:
        return table[f][1] ^ table[g][1] if table[f][0] == table[g][0] else None

    for e in puzzle.lattice.edges:
        value = relation(*beside(puzzle, e))
        if value is not None:
            if e not in known.edges:
                yield {(e, value)}
            elif known.edges[e] != value:
                raise Dead
    for vertex in puzzle.lattice.vertices():
        nw, ne, sw, se = corners(puzzle, vertex)
        on, _ = split(known, around(puzzle, vertex))
        alike, alike_too = relation(nw, se) is False, relation(ne, sw) is False
        new = None
        if alike and alike_too:
            new = (nw, ne, False)
        elif on and alike:
            new = (ne, sw, True)
        elif on and alike_too:
            new = (nw, se, True)
        if new:
            if relation(*new[:2]) == (not new[2]):
                raise Dead
            if relation(*new[:2]) is None:
                yield {(frozenset(new[:2]), new[2])}


def reach(puzzle: CastleWall, known: Known) -> Iterator[set[Literal]]:
    table = known.sides()
    side = {f: table[f][1] if table[f][0] == OUTER else None for f in table}
    for want in (False, True):
        ours = [f for f in side if side[f] is want]
        graph = networkx.MultiGraph()
        graph.add_nodes_from(f for f in side if side[f] in (want, None))
        for e in puzzle.lattice.edges:
            f, g = beside(puzzle, e)
            if f in graph and g in graph and known.edges.get(e) is not True:
                graph.add_edge(f, g, key=e)
        if not ours:
            continue
        start = min(ours) if want else OUTER
        area = networkx.node_connected_component(graph, start)
        if any(f not in area for f in ours):
            raise Dead
        cuts = set(networkx.articulation_points(networkx.Graph(graph)))
        bridges = {frozenset(pair) for pair in networkx.bridges(graph)}
        for f in graph:
            if f not in area:
                yield {(frozenset({f, OUTER}), not want)}
            elif side[f] is None and f in cuts:
                rest = graph.copy()
                rest.remove_node(f)
                left = networkx.node_connected_component(rest, start)
                if any(g not in left for g in ours):
                    yield {(frozenset({f, OUTER}), want)}
        for f, g, e in list(graph.edges(keys=True)):
            if e not in known.edges and f in area and frozenset({f, g}) in bridges:
                rest = graph.copy()
                rest.remove_edge(f, g, key=e)
                left = networkx.node_connected_component(rest, start)
                if any(h not in left for h in ours):
                    yield {(e, False)}


def ray(puzzle: CastleWall, known: Known) -> Iterator[set[Literal]]:
    table = known.sides()
    side = {f: table[f][1] if table[f][0] == OUTER else None for f in table}
    direct, differences = stretches(puzzle)
    for edges, number in direct + differences:
        if not any(e not in known.edges for e in edges):
            continue
        pairs = [beside(puzzle, e) for e in edges]
        turns = []
        for d, e in pairwise(edges):
            (vertex,) = set(d.ends) & set(e.ends)
            turns.append([x for x in around(puzzle, vertex) if x not in (d, e)])
        ways = []
        for colours in product(product((False, True), repeat=2), repeat=len(edges)):
            sets: dict[Any, bool] = {}
            fits = True
            for (f, g), e, (a, b) in zip(pairs, edges, colours, strict=True):
                fits = fits and side[f] in (a, None) and side[g] in (b, None)
                sets[frozenset({f, OUTER})], sets[frozenset({g, OUTER})] = a, b
                sets[e] = a != b
            for outs, ((a, b), (a2, b2)) in zip(turns, pairwise(colours), strict=True):
                fits = fits and not (a == b2 != a2 == b)
                for x in outs:
                    upper = (
                        {a, a2}
                        if set(beside(puzzle, x)) == _upper(pairs, turns, outs, 0)
                        else {b, b2}
                    )
                    sets[x] = len(upper) == 2
            fits = fits and sum(sets[e] for e in edges) == number
            if fits and all(
                known.edges.get(x, v) == v for x, v in sets.items() if isinstance(x, Edge)
            ):
                ways.append(sets)
        if not ways:
            raise Dead
        for what, value in ways[0].items():
            if what != frozenset({OUTER}) and all(way[what] == value for way in ways):
                new = what not in known.edges if isinstance(what, Edge) else _open(side, what)
                if new:
                    yield {(what, value)}


def _upper(pairs: Any, turns: Any, outs: Any, k: int) -> set[Face]:
    i = next(i for i, turn in enumerate(turns) if turn is outs)
    return {pairs[i][k], pairs[i + 1][k]}


def _open(side: dict[Any, Any], pair: frozenset[Any]) -> bool:
    return any(side[f] is None for f in pair if f != OUTER)


RULES = {
    "degree": degree,
    "arrow": arrow,
    "parity": parity,
    "loop": loop,
    "sides": sides,
    "difference": difference,
    "reach": reach,
    "ray": ray,
}


def first(puzzle: CastleWall, known: Known, rungs: list[str]) -> tuple[str, set[Literal]] | None:
    """The first step by the cheap rungs."""
    for name in rungs:
        for group in RULES[name](puzzle, known):
            if group:
                return name, group
    return None


def fixpoint(puzzle: CastleWall, known: Known, rungs: list[str]) -> None:
    while step := first(puzzle, known, rungs):
        for literal in step[1]:
            known.add(literal)


def climb(
    puzzle: CastleWall, rungs: list[str], probing: bool
) -> tuple[list[tuple[str, set[Literal]]], Known | None, bool]:
    """The steps of a ladder, what they settle, and whether the board is alive at the end."""
    known, steps, at = None, [], 0
    edges = puzzle.lattice.edges
    try:
        known = Known(puzzle)
        while True:
            step = first(puzzle, known, rungs)
            if step is None and probing:
                for e in [*edges[at:], *edges[:at]]:
                    for value in (True, False):
                        if step is None and e not in known.edges:
                            trial = known.copy()
                            trial.add((e, value))
                            try:
                                fixpoint(puzzle, trial, rungs)
                            except Dead:
                                step, at = ("probe", {(e, not value)}), edges.index(e)
            if step is None:
                return steps, known, True
            steps.append(step)
            for literal in step[1]:
                known.add(literal)
    except Dead:
        return steps, known, False
