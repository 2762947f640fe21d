"""Random boards, lines and loops for property tests, mostly not square."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from castlecp.genres.castle import MAX_NUMBER, CastleClue, CastleWall
from castlecp.grid import SYMMETRIES, Lattice, Loop

symmetries = st.sampled_from(SYMMETRIES)

#: Numbers of every width that a format distinguishes, and none.
numbers = st.none() | st.integers(0, 15) | st.integers(16, 255) | st.integers(256, MAX_NUMBER)


@st.composite
def castle_walls(draw: Any, max_side: int = 7) -> CastleWall:
    """Any board, however little sense its clues make; each side is 1 to `max_side` cells."""
    rows = draw(st.integers(1, max_side))
    cols = draw(st.integers(1, max_side))
    places = draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))))
    return CastleWall(rows, cols, tuple(draw(castle_clues(row, col)) for row, col in places))


@st.composite
def castle_clues(draw: Any, row: int, col: int) -> CastleClue:
    """Any clue at that place."""
    return CastleClue(
        row,
        col,
        draw(st.sampled_from(["white", "black", "grey"])),
        draw(st.sampled_from([None, "up", "down", "left", "right"])),
        draw(numbers),
    )


@st.composite
def lattices(draw: Any, max_side: int = 7) -> Lattice:
    """Any lattice on which there is a loop."""
    return Lattice(draw(st.integers(2, max_side)), draw(st.integers(2, max_side)))


@st.composite
def lines(draw: Any, lattice: Lattice) -> Loop:
    """Any set of edges, seldom a loop."""
    edges = st.sampled_from(lattice.edges)
    return Loop(lattice, draw(st.frozensets(edges)) if lattice.edges else frozenset())


@st.composite
def loops(draw: Any, lattice: Lattice) -> Loop:
    """A single loop: a face, and around it others that keep the boundary one loop."""
    faces = list(lattice.faces())
    inside = {draw(st.sampled_from(faces))}
    for face in draw(st.permutations(faces)):
        if Loop.around(lattice, inside | {face}).is_single():
            inside.add(face)
    return Loop.around(lattice, inside)
