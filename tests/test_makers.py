"""Making boards of every genre: what is asked for holds, and minimal means minimal."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import samples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import every_genre
from test_generate import certify

from castlecp.errors import CastlecpError
from castlecp.generate.board import GivenUp, Made, make
from castlecp.generate.difficulty import BANDS, measure, rungs
from castlecp.generate.layout import SYMMETRY, fits, read_pattern
from castlecp.generate.loops import SOURCES, Region, Wish, grow
from castlecp.generate.settings import Settings
from castlecp.genres import genre as module_of
from castlecp.grid import Edge, Face, Lattice, Loop
from castlecp.solver import solve
from castlecp.verdict import Status


def cells_of(made: Made) -> set[tuple[int, int]]:
    return {(clue.row, clue.col) for clue in made.puzzle.clues}


@every_genre
@given(
    rows=st.integers(3, 7),
    cols=st.integers(3, 7),
    seed=st.integers(0, 10**6),
    name=st.sampled_from(["full", "easy", "normal"]),
    source=st.sampled_from(sorted(SOURCES)),
    symmetry=st.sampled_from(["auto", *sorted(SYMMETRY)]),
    no_zero=st.booleans(),
)
@settings(max_examples=12)
def test_settings_are_kept(
    genre: str,
    rows: int,
    cols: int,
    seed: int,
    name: str,
    source: str,
    symmetry: Any,
    no_zero: bool,
) -> None:
    """Whatever is asked for holds on the board, and the board is certified."""
    if not fits(symmetry, rows, cols):
        cols = rows
    asked = Settings(
        genre=genre,
        rows=rows,
        cols=cols,
        difficulty=name,
        source=source,
        symmetry=symmetry,
        no_zero=no_zero,
    )
    try:
        made = make(asked, seed)
    except GivenUp:
        assert symmetry != "none" or no_zero or min(rows, cols) < 5
        return
    certify(made)
    turn = SYMMETRY["none" if symmetry == "auto" else symmetry]
    assert {turn.cell(cell, rows, cols) for cell in cells_of(made)} == cells_of(made)
    assert not (no_zero and any(getattr(clue, "number", None) == 0 for clue in made.puzzle.clues))
    assert measure(made.puzzle) == made.grade


@every_genre
def test_difficulties(genre: str) -> None:
    """Suppositions within the band, and rising; clues are about as many at every level."""
    suppose = []
    for name in [name for name in BANDS if name != "full"]:
        made = [
            make(Settings(genre=genre, rows=7, cols=7, difficulty=name), seed, with_nodes=False)
            for seed in range(1, 9)
        ]
        low, high = BANDS[name].suppose
        assert all(low <= one.grade.suppose <= (high or (0 if high == 0 else 99)) for one in made)
        suppose.append(sum(one.grade.suppose for one in made))
    assert suppose == sorted(set(suppose))


@every_genre
def test_limits(genre: str) -> None:
    """The hardest rung, the easiest one, steps and clues."""
    order = rungs(module_of(genre).PUZZLE(6, 7))

    def boards(**more: Any) -> list[Made]:
        asked = Settings(genre=genre, rows=6, cols=7, **more)
        return [make(asked, seed, with_nodes=False) for seed in range(1, 5)]

    plain = boards()
    assert all(one.grade.rung in order[:3] for one in boards(max_rung=order[2]))
    assert all(one.grade.rung in order[2:] for one in boards(min_rung=order[2]))
    steps = sorted(one.grade.steps for one in plain)[1]
    assert all(one.grade.steps <= steps for one in boards(max_steps=steps))
    most = min(len(one.puzzle.clues) for one in plain)
    assert all(len(one.puzzle.clues) <= most for one in boards(max_clues=most))
    assert all(len(one.puzzle.clues) >= most + 3 for one in boards(min_clues=most + 3))


@every_genre
@pytest.mark.parametrize("difficulty", ["full", "hard"])
def test_minimal(genre: str, difficulty: str) -> None:
    """Without any one of its clues a minimal board has another solution."""
    for seed in range(1, 5):
        asked = Settings(genre=genre, rows=6, cols=7, difficulty=difficulty, minimal=True)
        made = make(asked, seed)
        certify(made)
        for clue in made.puzzle.clues:
            others = tuple(other for other in made.puzzle.clues if other != clue)
            assert solve(replace(made.puzzle, clues=others)).status is Status.MULTIPLE


@every_genre
def test_minimal_and_symmetric(genre: str) -> None:
    """Then no group of clues can go."""
    asked = Settings(genre=genre, rows=6, cols=6, difficulty="full", minimal=True, symmetry="turn")
    made = make(asked, 1)
    turn = SYMMETRY["turn"]
    assert {turn.cell(cell, 6, 6) for cell in cells_of(made)} == cells_of(made)
    for cell in cells_of(made):
        pair = {cell, turn.cell(cell, 6, 6)}
        others = tuple(clue for clue in made.puzzle.clues if (clue.row, clue.col) not in pair)
        assert solve(replace(made.puzzle, clues=others)).status is Status.MULTIPLE


def test_minimal_asks_for_no_other_clues() -> None:
    """A pattern, or a least number of clues, is a contradiction."""
    for more in ({"min_clues": 9}, {"pattern": ((0, 0),)}):
        with pytest.raises(CastlecpError, match="minimal"):
            Settings(genre="castle", rows=6, cols=6, minimal=True, **more)


@pytest.mark.parametrize("genre", [name for name in samples.NAMES if samples.of(name).PATTERN])
@pytest.mark.parametrize("source", ["ring", "tilted"])
def test_patterns(genre: str, source: str) -> None:
    """Clues stand exactly where a picture says: the loop goes around them, and is repaired."""
    cells = read_pattern(samples.of(genre).PATTERN, 6, 8)
    made = make(Settings(genre=genre, rows=6, cols=8, pattern=cells, source=source), 1)
    certify(made)
    assert cells_of(made) == set(cells)


@every_genre
def test_large(genre: str) -> None:
    """A board that takes a repair now and then."""
    made = make(Settings(genre=genre, rows=18, cols=19, difficulty="full"), 1, with_nodes=False)
    assert solve(made.puzzle).status is Status.UNIQUE


# The sources' simple points, by a validator that shares nothing with them.


def is_valid(rows: int, cols: int, inside: set[Face]) -> bool:
    """Whether faces are a cave: in one piece, and the others reach the border; no corners touch."""
    if not inside or reach({min(inside)}, inside) != inside:
        return False
    every = {(r, c) for r in range(-1, rows + 1) for c in range(-1, cols + 1)}
    return reach({(-1, -1)}, every - inside) == every - inside and not any(
        ((r, c) in inside) == ((r + 1, c + 1) in inside) != ((r, c + 1) in inside)
        and ((r, c + 1) in inside) == ((r + 1, c) in inside)
        for r in range(rows - 1)
        for c in range(cols - 1)
    )


def reach(start: set[Face], area: set[Face]) -> set[Face]:
    """What can be reached from some faces by steps to the side."""
    seen, left = set(start), list(start)
    while left:
        r, c = left.pop()
        for face in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if face in area and face not in seen:
                seen.add(face)
                left.append(face)
    return seen


def test_every_configuration_is_one_loop() -> None:
    """1,500 of them: a cave, and its border is one closed line that touches itself nowhere."""
    for seed in range(1500):
        random = Random(seed)
        rows, cols = random.randint(2, 9), random.randint(2, 9)
        loop = grow(Lattice(rows + 1, cols + 1), random, cover=random.uniform(0.2, 0.8))
        assert is_valid(rows, cols, set(loop.inside))
        assert all(len(ends) == 2 for ends in loop.neighbours.values())
        assert len(loop.neighbours) == len(loop.edges)
        assert loop.is_single()


@pytest.mark.parametrize("size", [(3, 3), (5, 7), (8, 6)])
def test_the_stamp(size: tuple[int, int]) -> None:
    """A flip that it accepts gives a cave, and one that it refuses does not, or no face is left."""
    rows, cols = size
    accepted = refused = 0
    for seed in range(60):
        loop = grow(Lattice(rows + 1, cols + 1), Random(seed), cover=0.6)
        inside = set(loop.inside)
        region = Region(loop.lattice, inside)
        for face in loop.lattice.faces():
            simple = region.is_simple(region.place(face))
            assert simple == is_valid(rows, cols, inside ^ {face})
            accepted, refused = accepted + simple, refused + (not simple)
    assert accepted > 100
    assert refused > 100


@pytest.mark.parametrize("name", SOURCES.names())
def test_faces_within(name: str) -> None:
    """A loop that goes around some faces, which others do not, and not around all."""
    lattice, within = Lattice(9, 8), {(0, 0), (4, 4), (7, 2), (7, 6), (0, 6)}
    for seed in range(12):
        loop = SOURCES[name](lattice, Random(seed), Wish(within=within))
        assert loop.is_single()
        assert within <= loop.inside
        assert len(loop.inside) < 50
    free = [within <= SOURCES[name](lattice, Random(seed)).inside for seed in range(12)]
    assert not all(free)


def loop_of(made: Made) -> Loop:
    return Loop(made.puzzle.lattice, frozenset(Edge(*edge) for edge in made.solution["edges"]))


@every_genre
def test_loops_fill_the_board(genre: str) -> None:
    """No answer is a rectangle, or has a bounding box of less than nine tenths of the board."""
    for name in [name for name in BANDS if name != "full"]:
        for seed in range(1, 4):
            asked = Settings(genre=genre, rows=7, cols=8, difficulty=name)
            loop = loop_of(make(asked, seed, with_nodes=False))
            rows, cols = zip(*loop.neighbours, strict=True)
            high, wide = max(rows) - min(rows), max(cols) - min(cols)
            assert (high + 1) * (wide + 1) >= 0.9 * loop.lattice.rows * loop.lattice.cols
            assert len(loop.inside) < high * wide


@every_genre
def test_other_tastes(genre: str) -> None:
    """A share of the points, and clues that are not beside each other."""
    for seed in range(1, 4):
        asked = Settings(genre=genre, rows=7, cols=7, difficulty="full", loop_share=0.7)
        loop = loop_of(make(asked, seed, with_nodes=False))
        lattice = loop.lattice
        assert abs(len(loop.neighbours) / (lattice.rows * lattice.cols) - 0.7) <= 0.05
    made = make(Settings(genre="castle", rows=7, cols=8, min_distance=2, zeros=0.0), 1)
    cells = cells_of(made)
    assert not any({(r, c + 1), (r + 1, c)} & cells for r, c in cells)
    assert all(clue.number != 0 for clue in made.puzzle.clues)
    with pytest.raises(CastlecpError, match="have no colour"):
        Settings(genre="slither", rows=5, cols=5, white=0.5)
    with pytest.raises(CastlecpError, match="as many rows as columns"):
        Settings(genre=genre, rows=5, cols=6, symmetry="quarter")
