"""Random loops, and the true clues about them."""

from __future__ import annotations

from random import Random

import brute
import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlecp.checker import check
from castlecp.generate.loops import grow
from castlecp.genres.castle import CastleWall
from castlecp.grid import Lattice


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 10**6), st.floats(0.1, 0.9))
def test_grow_gives_one_loop(rows: int, cols: int, seed: int, cover: float) -> None:
    """One simple loop on any lattice, the same for the same seed."""
    loop = grow(Lattice(rows, cols), Random(seed), cover)
    assert loop.is_single()
    assert loop == grow(Lattice(rows, cols), Random(seed), cover)


def test_grow_needs_faces() -> None:
    """A line of vertices has no loop."""
    with pytest.raises(ValueError, match="1 x 5"):
        grow(Lattice(1, 5), Random(0))


@pytest.mark.parametrize("seed", range(20))
def test_true_clues_are_true(seed: int) -> None:
    """Each clue a cell could carry, and each weaker one, is obeyed; each cell has its arrows."""
    random = Random(seed)
    loop = grow(Lattice(random.randint(2, 7), random.randint(2, 7)), random)
    rows, cols = loop.lattice.rows, loop.lattice.cols
    for cell in loop.lattice.vertices():
        clues = CastleWall.true_clues(loop, cell)
        assert (not clues) == (cell in loop.neighbours)
        for clue in clues:
            for said in (clue, *clue.weaker()):
                puzzle = CastleWall(rows, cols, (said,))
                assert check(puzzle, loop) == []
                assert brute.obeys(puzzle, loop.edges)


def test_variations_differ_in_one_thing() -> None:
    """A variation is another clue in the same cell."""
    for clue in CastleWall.true_clues(grow(Lattice(5, 5), Random(1), 0.3), (0, 0)):
        for other in clue.variations():
            assert (other.row, other.col) == (clue.row, clue.col)
            fields = zip(
                (clue.color, clue.arrow, clue.number),
                (other.color, other.arrow, other.number),
                strict=True,
            )
            assert sum(mine != theirs for mine, theirs in fields) == 1
