"""What kinds of clue data say, once more from the definitions, and random boards of all kinds.

`holds` says whether all data are true of a loop. `table` and `visits` are the rules of those
names as `reference_ladder` has the others: all ways are listed, and what they have in common is
kept; they raise `Dead` where no way is left. Data are the arguments of `board_of`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from hypothesis import strategies as st
from reference_ladder import Dead, Literal

from castlecp.brute import loops
from castlecp.grid import STEPS, Edge, Lattice, Loop, Vertex
from castlecp.propagation.board import ALWAYS, MAYBE, NEVER

Data = dict[str, Any]


def around(lattice: Lattice, vertex: Vertex) -> list[Edge]:
    r, c = vertex
    near = [Edge(r, c - 1, r, c), Edge(r, c, r, c + 1), Edge(r - 1, c, r, c), Edge(r, c, r + 1, c)]
    return [edge for edge in near if lattice.has_edge(edge)]


def sees(loop: Loop, face: tuple[int, int]) -> int:
    """How many faces inside a face inside sees; 0 for one outside."""
    if face not in loop.inside:
        return 0
    seen = 1
    for step in STEPS.values():
        here = (face[0] + step[0], face[1] + step[1])
        while here in loop.inside:
            seen += 1
            here = (here[0] + step[0], here[1] + step[1])
    return seen


def holds(data: Data, loop: Loop) -> bool:
    """Whether all that the data say is so."""
    lattice = loop.lattice
    on = [edge in loop.edges for edge in lattice.edges]
    at = [vertex in loop.neighbours for vertex in lattice.vertices()]
    faces = list(lattice.faces())
    inside = [face in loop.inside for face in faces] + [False]
    rims = [sum(e in loop.edges for e in lattice.edges if face in e.faces) for face in faces]
    false = sum((inside[f] != inside[g]) != differ for f, g, differ in data.get("claims", ()))
    return (
        all(
            said in (MAYBE, ALWAYS if passed else NEVER)
            for said, passed in zip(data.get("passed") or [MAYBE] * len(at), at, strict=True)
        )
        and all(sum(on[e] for e in edges) == n for edges, n in data.get("counts", ()))
        and all(sum(on[e] for e in edges) % 2 == odd for edges, odd in data.get("rows", ()))
        and all(inside[face] == side for face, side in data.get("given", ()))
        and all(n in (-1, rim) for n, rim in zip(data.get("around", ()), rims, strict=False))
        and all(inside[f] and n in (-1, sees(loop, faces[f])) for f, n in data.get("sights", ()))
        and false == data.get("lies", 0)
        and all(
            any(
                all(w == (e >= 0 and on[e]) for e, w in zip(edges, way, strict=True))
                for way in ways
            )
            for edges, ways in data.get("tables", ())
        )
        and all(sum(at[v] for v in inside_) == n for inside_, n in data.get("visits", ()))
    )


@st.composite
def boards(draw: st.DrawFn, kinds: tuple[str, ...]) -> tuple[Lattice, Data]:
    """A small lattice and data of some kinds, each most often true of one and the same loop."""
    sizes = [(2, 2), (2, 4), (4, 2), (3, 3), (3, 4), (4, 3), (3, 5), (4, 4)]
    rng = random.Random(draw(st.integers(0, 2**32)))
    lattice = Lattice(*draw(st.sampled_from(sizes)))
    loop = rng.choice(loops(lattice))
    data: Data = {}
    for kind in draw(st.sets(st.sampled_from(kinds), min_size=1)):
        data |= MADE[kind](rng, lattice, loop, rng.random() < 0.85)
    data["by_faces"] = draw(st.booleans())
    return lattice, data


def some(rng: random.Random, size: int, most: int) -> list[int]:
    """A few numbers below a size."""
    return rng.sample(range(size), rng.randint(1, min(size, most)))


def made_tables(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    """Tables of edges near each other, some of them off the board."""
    edges, out = lattice.edges, []
    for _ in range(rng.randint(1, 5)):
        vertex = rng.choice(list(lattice.vertices()))
        near = sorted(edges, key=lambda e: abs(e.r1 - vertex[0]) + abs(e.c1 - vertex[1]))
        members = [edges.index(e) for e in near[: rng.randint(1, 7)]]
        members.insert(rng.randrange(len(members) + 1), -1)
        rng.shuffle(members)
        ways = [way for way in product((0, 1), repeat=len(members)) if rng.random() < 0.3]
        if true:
            ways.append(tuple(int(e >= 0 and edges[e] in loop.edges) for e in members))
        out.append((members, ways))
    return {"tables": out}


def made_visits(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    vertices, out = list(lattice.vertices()), []
    for _ in range(rng.randint(1, 4)):
        members = some(rng, len(vertices), 5)
        number = sum(vertices[v] in loop.neighbours for v in members)
        out.append((members, number if true else rng.randint(0, len(members))))
    return {"visits": out}


def made_counts(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    out = []
    for _ in range(rng.randint(1, 4)):
        members = some(rng, len(lattice.edges), 6)
        number = sum(lattice.edges[e] in loop.edges for e in members)
        out.append((members, number if true else rng.randint(0, len(members))))
    return {"counts": out, "direct": rng.randint(0, len(out))}


def made_rows(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    counts = made_counts(rng, lattice, loop, true)["counts"]
    return {"rows": [(members, number % 2) for members, number in counts]}


def made_passed(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    passed = []
    for vertex in lattice.vertices():
        so = ALWAYS if vertex in loop.neighbours else NEVER
        passed.append(rng.choice([MAYBE, so if true else rng.choice([ALWAYS, NEVER])]))
    return {"passed": passed}


def made_given(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    faces = list(lattice.faces())
    return {
        "given": [
            (f, (faces[f] in loop.inside) if true else rng.random() < 0.5)
            for f in some(rng, len(faces), 3)
        ]
    }


def made_around(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    around = []
    for face in lattice.faces():
        number = sum(e in loop.edges for e in lattice.edges if face in e.faces)
        around.append(rng.choice([-1, number if true else rng.randint(0, 3)]))
    return {"around": around}


def made_sights(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    faces = list(lattice.faces())
    inside = [f for f in range(len(faces)) if faces[f] in loop.inside or not true]
    return {
        "sights": [
            (f, rng.choice([-1, sees(loop, faces[f]) if true else rng.randint(1, 4)]))
            for f in rng.sample(inside, rng.randint(1, min(3, len(inside))))
        ]
    }


def made_claims(rng: random.Random, lattice: Lattice, loop: Loop, true: bool) -> Data:
    faces = list(lattice.faces())
    claims = []
    for _ in range(rng.randint(1, 5)):
        f = rng.randrange(len(faces))
        g = rng.choice([x for x in range(len(faces) + 1) if x != f])
        claims.append((f, g, rng.randint(0, 1)))
    inside = [face in loop.inside for face in faces] + [False]
    lies = sum((inside[f] != inside[g]) != differ for f, g, differ in claims)
    return {"claims": claims, "lies": lies if true else rng.randint(0, len(claims))}


MADE = {
    "passed": made_passed,
    "counts": made_counts,
    "rows": made_rows,
    "given": made_given,
    "around": made_around,
    "sights": made_sights,
    "claims": made_claims,
    "tables": made_tables,
    "visits": made_visits,
}


def table(lattice: Lattice, data: Data, known: dict[Edge, bool]) -> Iterator[set[Literal]]:
    for members, ways in data.get("tables", ()):
        drawn = []
        for way in ways:
            here = dict(zip(members, map(bool, way), strict=True))
            off = here.pop(-1, False)
            values = {lattice.edges[e]: value for e, value in here.items()}
            if not off and all(known.get(e, v) == v for e, v in values.items()):
                drawn.append(values)
        if not drawn:
            raise Dead
        yield {
            (e, v)
            for e, v in drawn[0].items()
            if e not in known and all(values[e] == v for values in drawn)
        }


def visits(lattice: Lattice, data: Data, known: dict[Edge, bool]) -> Iterator[set[Literal]]:
    """Every vertex in itself; what is settled is about those that are open in themselves."""
    vertices = list(lattice.vertices())
    for members, number in data.get("visits", ()):
        each = []
        for v in members:
            said = (data.get("passed") or [MAYBE] * len(vertices))[v]
            edges = around(lattice, vertices[v])
            each.append(
                [
                    dict(zip(edges, values, strict=True))
                    for values in product((False, True), repeat=len(edges))
                    if sum(values) in {MAYBE: (0, 2), NEVER: (0,), ALWAYS: (2,)}[said]
                    and all(known.get(e, v) == v for e, v in zip(edges, values, strict=True))
                ]
            )
        all_ways = [
            ways for ways in product(*each) if sum(any(way.values()) for way in ways) == number
        ]
        if not all_ways:
            raise Dead
        out: set[Literal] = set()
        for k, alone in enumerate(each):
            if len({any(way.values()) for way in alone}) == 2:
                here = [ways[k] for ways in all_ways]
                out |= {
                    (e, v)
                    for e, v in here[0].items()
                    if e not in known and all(way[e] == v for way in here)
                }
        yield out
