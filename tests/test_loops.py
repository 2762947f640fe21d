"""Random loops, and the true clues about them."""

from __future__ import annotations

from random import Random
from statistics import mean

import brute
import pytest
import samples
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import every_genre
from strategies import lattices

from castlecp.checker import check
from castlecp.errors import CastlecpError, PuzzleError
from castlecp.generate.loops import SOURCES, TILTS, exact, grow, tilted
from castlecp.genres import MAX_SIDE
from castlecp.genres.castle import CastleWall
from castlecp.grid import Lattice, Loop

sources = pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)


@sources
@given(
    lattice=lattices(9),
    seed=st.integers(0, 10**6),
    winding=st.floats(0.1, 4.0),
    clear=st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=4),
)
def test_a_source_gives_one_loop(
    source, lattice: Lattice, seed: int, winding: float, clear: set[tuple[int, int]]
) -> None:
    """One simple loop on any lattice, whatever is to be clear; the same for the same seed."""
    loop = source(lattice, Random(seed), winding=winding, clear=clear)
    assert loop.is_single()
    assert loop == source(lattice, Random(seed), winding=winding, clear=sorted(clear))


@sources
def test_a_source_needs_faces(source) -> None:
    """A line of vertices has no loop."""
    with pytest.raises(PuzzleError, match="1 x 5"):
        source(Lattice(1, 5), Random(0))


@sources
def test_a_source_keeps_clear(source) -> None:
    """Loops that are asked to avoid some vertices do so far more often than others."""
    lattice, clear = Lattice(7, 9), [(0, 4), (3, 2), (3, 6), (5, 4)]

    def touched(loop: Loop) -> bool:
        return not set(clear).isdisjoint(loop.neighbours)

    asked = sum(touched(source(lattice, Random(k), clear=clear)) for k in range(40))
    unasked = sum(touched(source(lattice, Random(k))) for k in range(40))
    assert asked < unasked / 2


@sources
def test_sources_differ_by_seed(source) -> None:
    """Twenty seeds give at least fifteen loops."""
    assert len({source(Lattice(6, 8), Random(k)).edges for k in range(20)}) >= 15


@given(lattices(8), st.integers(0, 10**6), st.floats(0.1, 0.9))
def test_grow_covers(lattice: Lattice, seed: int, cover: float) -> None:
    """No more faces are inside than asked for, and one at least."""
    inside = grow(lattice, Random(seed), cover).inside
    faces = (lattice.rows - 1) * (lattice.cols - 1)
    assert 1 <= len(inside) <= max(1, round(cover * faces))


def test_tilted_follows_its_weights() -> None:
    """On 4 x 5 vertices the mean length is near that of all 1,049 loops by their weights."""
    loops = brute.loops(4, 5)
    for take, skip in ((1, 2), (2, 3), (1, 1)):
        weights = [(take / skip) ** len(loop) for loop in loops]
        lengths = [len(loop) * w for loop, w in zip(loops, weights, strict=True)]
        expected = sum(lengths) / sum(weights)
        drawn = [
            len(tilted(Lattice(4, 5), Random(k), tilt=(take, skip), winding=2).edges)
            for k in range(400)
        ]
        assert mean(drawn) == pytest.approx(expected, abs=0.8)


def test_exact_has_a_limit() -> None:
    """On the shorter side; the longer one may be longer."""
    assert exact(Lattice(4, 30), Random(1)).is_single()
    with pytest.raises(CastlecpError, match="up to 12"):
        exact(Lattice(13, 14), Random(1))


def test_exact_keeps_clear_for_certain() -> None:
    """No loop of many enters the vertices."""
    clear = [(0, 4), (3, 2), (3, 6), (5, 4)]
    for seed in range(50):
        loop = exact(Lattice(7, 9), Random(seed), clear=clear)
        assert loop.neighbours.keys().isdisjoint(clear)


def test_every_size_has_a_tilt() -> None:
    """The table goes up to the largest board, and a greater lattice has a lesser weight."""
    assert TILTS[-1][0] >= MAX_SIDE
    weights = [take / skip for _, (take, skip) in TILTS]
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize("size", [(6, 7), (10, 9), (17, 15), (30, 20)])
def test_tilted_visits_about_half(size: tuple[int, int]) -> None:
    """So that as many vertices are left for clues."""
    lattice = Lattice(*size)
    lengths = [len(tilted(lattice, Random(k)).edges) for k in range(15)]
    assert 0.35 < mean(lengths) / (size[0] * size[1]) < 0.6


@every_genre
@pytest.mark.parametrize("seed", range(15))
def test_true_clues_are_true(genre: str, seed: int) -> None:
    """Each clue a cell could carry, and each weaker one, is obeyed; where there is none, none is.

    A weaker clue is another one that no loop breaks which obeys the clue.
    """
    random = Random(seed)
    rows, cols = random.randint(2, 5), random.randint(2, 5)
    blank = samples.blank(genre, rows, cols)
    loop = Loop(blank.lattice, random.choice(brute.loops(rows, cols)))
    others = random.sample(brute.loops(rows, cols), min(40, len(brute.loops(rows, cols))))
    for cell in ((r, c) for r in range(blank.rows) for c in range(blank.cols)):
        clues = blank.true_clues(loop, cell)
        told = [samples.of(genre).clue(random, blank, cell) for _ in range(10)]
        if not clues:
            puzzles = [replace(blank, clues=(clue,)) for clue in told]
            assert not any(brute.obeys(puzzle, loop.edges) for puzzle in puzzles)
        for clue in clues:
            puzzle = replace(blank, clues=(clue,))
            assert check(puzzle, loop) == []
            assert brute.obeys(puzzle, loop.edges)
            for less in clue.weaker():
                assert less != clue
                weaker = replace(blank, clues=(less,))
                assert brute.obeys(weaker, loop.edges)
                assert all(
                    brute.obeys(weaker, other) for other in others if brute.obeys(puzzle, other)
                )


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
