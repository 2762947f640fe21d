"""Random small Castle Wall boards for tests: many with no answer, many with several."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from castlecp.brute import loops as all_loops
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import Lattice, Loop

#: Mostly not square; brute force knows all loops of these in no time.
SIZES = [(1, 4), (4, 1), (2, 2), (2, 5), (5, 2), (3, 3), (3, 4), (4, 3), (3, 5), (5, 3), (4, 4)]
SIZES += [(3, 6), (6, 3), (4, 5), (5, 4)]


def line_of(lattice: Lattice, rng: random.Random) -> Loop:
    """A random loop; no line where the lattice has none."""
    loops = all_loops(lattice)
    return rng.choice(loops) if loops else Loop(lattice, frozenset())


@st.composite
def boards(draw: st.DrawFn) -> CastleWall:
    """A board whose clues fit a loop, or all but one do, or none need to."""
    rows, cols = draw(st.sampled_from(SIZES))
    rng = random.Random(draw(st.integers(0, 2**32)))
    bare = CastleWall(rows, cols)
    loop = line_of(bare.lattice, rng)
    kind = draw(st.sampled_from(["true", "true", "one off", "any"]))
    cells = [
        cell for cell in bare.lattice.vertices() if kind == "any" or cell not in loop.neighbours
    ]
    clues = []
    for r, c in rng.sample(
        cells, rng.randint(0, len(cells)) if kind != "any" else min(len(cells), rng.randint(0, 5))
    ):
        arrow = rng.choice(["up", "down", "left", "right", None])
        color = rng.choice(["white", "black", "grey"])
        number = rng.choice([None, *range(4)])
        if kind != "any":
            inside = (
                (min(r, rows - 2), min(c, cols - 2)) in loop.inside
                and 0 < r < rows - 1
                and 0 < c < cols - 1
            )
            color = rng.choice(["white" if inside else "black", "grey"])
            if arrow and number is not None:
                number = sum(edge in loop.edges for edge in bare.lattice.ray((r, c), arrow))
        clues.append(CastleClue(r, c, color, arrow, number))
    if kind == "one off" and clues:
        old = clues.pop()
        other = {"white": "black", "black": "white", "grey": "grey"}[old.color]
        count = None if old.number is None else old.number + 1
        clues.append(CastleClue(old.row, old.col, other, old.arrow, count))
    return CastleWall(rows, cols, tuple(clues))
