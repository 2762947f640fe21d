"""Random boards, lines and loops for property tests, mostly not square."""

from __future__ import annotations

from typing import Any

import samples
from hypothesis import strategies as st
from msgspec.structs import replace

from castlecp.genres import Puzzle
from castlecp.grid import SYMMETRIES, Lattice, Loop
from castlecp.position import Position

symmetries = st.sampled_from(SYMMETRIES)


@st.composite
def puzzles(draw: Any, genre: str, max_side: int = 7, *, clues_only: bool = False) -> Puzzle:
    """Any board, however little sense its clues make; each side is 1 to `max_side` cells.

    `clues_only` boards say nothing besides their clues, so every format can say them.
    """
    rows, cols = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    cells = draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))))
    clues = tuple(draw(samples.of(genre).clues(*cell)) for cell in sorted(cells))
    puzzle = samples.kind_of(genre)(rows, cols, clues)
    return puzzle if clues_only else draw(samples.of(genre).more(puzzle))


@st.composite
def puzzles_and_lines(draw: Any, genre: str, max_side: int = 4) -> tuple[Puzzle, Loop]:
    """A small board with few clues, and any edges or the border of any faces."""
    puzzle = draw(puzzles(genre, max_side))
    puzzle = replace(puzzle, clues=puzzle.clues[:6])
    faces = list(puzzle.lattice.faces())
    if faces and draw(st.booleans()):
        line = Loop.around(puzzle.lattice, draw(st.sets(st.sampled_from(faces))))
    else:
        line = draw(lines(puzzle.lattice))
    return puzzle, line


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


@st.composite
def positions(draw: Any, puzzle: Puzzle) -> Position:
    """Any marks on edges and faces, each one way at most."""
    signs = st.sampled_from((None, None, True, False))
    lattice = puzzle.lattice
    edges = {edge: draw(signs) for edge in lattice.edges}
    faces = {face: draw(signs) for face in lattice.faces()}
    return Position(
        lattice,
        frozenset(edge for edge, sign in edges.items() if sign),
        frozenset(edge for edge, sign in edges.items() if sign is False),
        frozenset(face for face, sign in faces.items() if sign),
        frozenset(face for face, sign in faces.items() if sign is False),
    )
