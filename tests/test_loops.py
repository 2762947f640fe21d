"""Random loops, and the true clues about them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import mean
from typing import Any

import brute
import networkx
import pytest
import samples
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import every_genre
from strategies import lattices

from castlecp import counting
from castlecp.budget import Budget
from castlecp.checker import check
from castlecp.errors import Cancelled, PuzzleError
from castlecp.generate.loops import (
    CLEAR,
    SOURCES,
    TILTS,
    Wish,
    chain,
    grow,
    is_counted,
    tilt_for,
    tilted,
)
from castlecp.genres import MAX_SIDE
from castlecp.genres.castle import CastleWall
from castlecp.grid import Lattice, Loop

sources = pytest.mark.parametrize(
    "source", [SOURCES[name] for name in SOURCES], ids=SOURCES.names()
)


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
    loop = source(lattice, Random(seed), Wish(winding=winding, clear=clear))
    assert loop.is_single()
    assert loop == source(lattice, Random(seed), Wish(winding=winding, clear=sorted(clear)))


@sources
def test_a_source_needs_faces(source) -> None:
    """A line of vertices has no loop."""
    with pytest.raises(PuzzleError, match="5 wide, 1 high"):
        source(Lattice(1, 5), Random(0))


@sources
def test_a_source_keeps_clear(source) -> None:
    """Loops that are asked to avoid some vertices do so far more often than others."""
    lattice, clear = Lattice(7, 9), [(0, 4), (3, 2), (3, 6), (5, 4)]

    def touched(loop: Loop) -> bool:
        return not set(clear).isdisjoint(loop.neighbours)

    asked = sum(touched(source(lattice, Random(k), Wish(clear=clear))) for k in range(40))
    unasked = sum(touched(source(lattice, Random(k))) for k in range(40))
    assert asked < unasked / 2


@sources
def test_sources_differ_by_seed(source) -> None:
    """Twenty seeds give at least fifteen loops."""
    assert len({source(Lattice(6, 8), Random(k)).edges for k in range(20)}) >= 15


@given(lattices(8), st.integers(0, 10**6), st.floats(0.1, 0.9))
def test_grow_covers(lattice: Lattice, seed: int, cover: float) -> None:
    """No more faces are inside than asked for, and one at least."""
    inside = grow(lattice, Random(seed), cover=cover).inside
    faces = (lattice.rows - 1) * (lattice.cols - 1)
    assert 1 <= len(inside) <= max(1, round(cover * faces))


def counted(lattice: Lattice, random: Random, take: int, skip: int) -> Loop:
    """`tilted` as it is where it counts."""
    assert is_counted(lattice)
    return tilted(lattice, random, Wish(tilt=(take, skip)))


@pytest.mark.parametrize(("draw", "near"), [(counted, 0.5), (chain, 0.8)], ids=["counted", "chain"])
def test_loops_follow_their_weights(draw: Callable[..., Loop], near: float) -> None:
    """On 4 x 5 vertices the mean length is near that of all 1,049 loops by their weights."""
    every = brute.loops(4, 5)
    for take, skip in ((1, 2), (2, 3), (1, 1)):
        weights = [(take / skip) ** len(loop) for loop in every]
        lengths = [len(loop) * w for loop, w in zip(every, weights, strict=True)]
        expected = sum(lengths) / sum(weights)
        drawn = [len(draw(Lattice(4, 5), Random(k), take, skip).edges) for k in range(400)]
        assert mean(drawn) == pytest.approx(expected, abs=near)


def test_what_is_counted() -> None:
    """Up to a product that grows with both sides, turned or not; larger lattices have the chain."""
    for rows, cols, expected in (
        (2, 2, True),
        (12, 13, True),
        (12, 14, False),
        (13, 13, False),
        (10, 43, True),
        (10, 44, False),
        (8, 141, True),
        (2, 1001, True),
    ):
        assert is_counted(Lattice(rows, cols)) == is_counted(Lattice(cols, rows)) == expected
    large = Lattice(14, 13)
    assert tilted(large, Random(1)) == chain(large, Random(1), *tilt_for(large))


def test_tilted_keeps_clear_for_certain() -> None:
    """No loop of many enters the vertices, where there are others; where not, some do."""
    clear = [(0, 4), (3, 2), (3, 6), (5, 4), (70, 70)]
    for seed in range(50):
        loop = tilted(Lattice(7, 9), Random(seed), Wish(clear=clear))
        assert loop.neighbours.keys().isdisjoint(clear)
    lattice = Lattice(4, 5)
    every, none = (tilted(lattice, Random(1), Wish(clear=c)) for c in (set(lattice.vertices()), ()))
    assert every == none


def test_a_sampler_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when no loop keeps clear, which is tried first."""
    made = []

    def make(*args: Any, **named: Any) -> counting.Sampler:
        made.append(args)
        return sampler(*args, **named)

    sampler = counting.Sampler
    monkeypatch.setattr(counting, "Sampler", make)
    lattice = Lattice(3, 7)
    for seed in range(5):
        tilted(lattice, Random(seed), Wish(clear=set(lattice.vertices()), tilt=(5, 7)))
    assert len(made) == 2


def test_a_sampler_outlives_the_budget_it_was_made_within() -> None:
    """And what a budget ended is made when it is next asked for."""
    lattice, wish = Lattice(3, 8), Wish(tilt=(5, 7))
    cancelled, budget = Budget(), Budget(steps=0)
    cancelled.cancel()
    with pytest.raises(Cancelled):
        tilted(lattice, Random(0), wish, budget=cancelled)
    loop = tilted(lattice, Random(0), wish, budget=budget)
    budget.cancel()
    assert tilted(lattice, Random(0), wish) == loop


def test_every_size_has_a_tilt() -> None:
    """The table goes up to the largest board, and a greater lattice has a lesser weight."""
    assert tilt_for(Lattice(MAX_SIDE + 1, MAX_SIDE + 1)) == TILTS[-1][1]
    weights = [take / skip for _, (take, skip) in TILTS]
    assert weights == sorted(weights, reverse=True)
    assert tilt_for(Lattice(9, 9), [(0, 0)]) == CLEAR
    assert tilt_for(Lattice(4, 4), [(0, 0)]) == tilt_for(Lattice(4, 4)) == (3, 4)


@pytest.mark.parametrize("size", [(4, 5), (6, 7), (10, 9), (5, 20), (10, 30), (17, 15), (30, 20)])
def test_tilted_visits_about_half(size: tuple[int, int]) -> None:
    """So that as many vertices are left for clues."""
    lattice = Lattice(*size)
    lengths = [len(tilted(lattice, Random(k)).edges) for k in range(60)]
    assert 0.4 < mean(lengths) / (size[0] * size[1]) < 0.6


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
    for clue in CastleWall.true_clues(grow(Lattice(5, 5), Random(1), cover=0.3), (0, 0)):
        for other in clue.variations():
            assert (other.row, other.col) == (clue.row, clue.col)
            fields = zip(
                (clue.color, clue.arrow, clue.number),
                (other.color, other.arrow, other.number),
                strict=True,
            )
            assert sum(mine != theirs for mine, theirs in fields) == 1


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_loops_through_vertices(name: str) -> None:
    """Vertices that are wished for are on most loops of the sources that can weigh them."""
    lattice, wanted = Lattice(8, 9), [(0, 0), (3, 4), (4, 4), (7, 2)]
    loops = [SOURCES[name](lattice, Random(seed), Wish(through=wanted)) for seed in range(20)]
    assert all(loop.is_single() for loop in loops)
    if name != "ring":
        assert sum(loop.neighbours.keys() >= set(wanted) for loop in loops) >= 15


def test_the_graph_of_a_loop() -> None:
    """One cycle of its vertices; of two loops, a component each."""
    for edges in brute.loops(3, 5):
        graph = Loop(Lattice(3, 5), edges).graph()
        assert {frozenset(edge) for edge in graph.edges} == {frozenset(edge.ends) for edge in edges}
        (cycle,) = networkx.simple_cycles(graph)
        assert sorted(cycle) == sorted(graph) == sorted(Loop(Lattice(3, 5), edges).neighbours)
    two = Loop.around(Lattice(3, 6), {(0, 0), (1, 3), (1, 4)})
    pieces = sorted(map(sorted, networkx.connected_components(two.graph())))
    assert pieces == sorted(map(sorted, two.pieces()))
    assert list(map(len, pieces)) == [4, 6]
