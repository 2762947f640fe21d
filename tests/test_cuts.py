"""Cuts: found exactly when a candidate is no single loop, and sound by the graph argument."""

from __future__ import annotations

from itertools import product

import brute
from hypothesis import assume, given
from hypothesis import strategies as st

from castlecp.budget import Budget
from castlecp.cuts import Separator, is_sound, separations
from castlecp.grid import Face, Lattice, Loop
from castlecp.model import Model


def assignment_of(model: Model, inside: set[Face]) -> list[int]:
    """The literals of a picture."""
    loop = Loop.around(model.lattice, inside)
    values = {1}
    values |= {model.side(face) for face in inside}
    values |= {model.edge(edge) for edge in loop.edges}
    return [v if v in values else -v for v in range(1, model.variables + 1)]


def checkered(loop: Loop) -> bool:
    """Whether two corners of a picture touch."""
    return any(len(ends) == 4 for ends in loop.neighbours.values())


@st.composite
def pictures(draw: st.DrawFn) -> tuple[Lattice, set[Face]]:
    """Mostly non-square lattices with some faces inside and no corner contact."""
    rows, cols = draw(st.integers(2, 9)), draw(st.integers(2, 9))
    lattice = Lattice(rows, cols)
    inside: set[Face] = set()
    for face in lattice.faces():
        if draw(st.booleans()) and not checkered(Loop.around(lattice, inside | {face})):
            inside.add(face)
    assume(inside)
    return lattice, inside


@given(pictures())
def test_cuts_are_sound_and_violated(picture: tuple[Lattice, set[Face]]) -> None:
    """Every cut follows from the loop rule, and rules the candidate out."""
    lattice, inside = picture
    model = Model(lattice)
    candidate = assignment_of(model, inside)
    cuts = separations(lattice, candidate)
    assert (not cuts) == Loop.around(lattice, inside).is_single()
    for cut in cuts:
        assert is_sound(lattice, cut)
        assert all(candidate[abs(x) - 1] != x for x in cut)


@given(pictures())
def test_weaker_separations_are_unsound(picture: tuple[Lattice, set[Face]]) -> None:
    """A cut that forgets one of the faces it needs is refused by the independent check."""
    lattice, inside = picture
    for cut in separations(lattice, assignment_of(Model(lattice), inside)):
        for literal in cut:
            shorter = [x for x in cut if x != literal]
            if is_sound(lattice, shorter):
                truth = [set(Loop(lattice, edges).inside) for edges in small(lattice)]
                assert all(holds(lattice, shorter, loop) for loop in truth)


@given(st.data())
def test_candidates_of_one_search(data: st.DataObject) -> None:
    """What a search has seen before changes which faces cuts speak of, and nothing else."""
    lattice, first = data.draw(pictures())
    model, separator = Model(lattice), Separator(lattice)
    for inside in (first, *(first - {face} for face in sorted(first))):
        if not inside or checkered(Loop.around(lattice, inside)):
            continue
        candidate = assignment_of(model, inside)
        cuts = separator.cuts(candidate, Budget())
        assert len(cuts) == len(separations(lattice, candidate))
        for cut in cuts:
            assert is_sound(lattice, cut)
            assert all(candidate[abs(x) - 1] != x for x in cut)


@given(pictures())
def test_walls_seen_from_a_piece_are_tight(picture: tuple[Lattice, set[Face]]) -> None:
    """Of the wall around the main piece, or around the exterior, no face can be spared."""
    lattice, inside = picture
    for cut in separations(lattice, assignment_of(Model(lattice), inside))[1::2]:
        wall = cut[2:] if cut[0] < 0 else cut[1:]
        assert not any(is_sound(lattice, [x for x in cut if x != spared]) for spared in wall)


def small(lattice: Lattice) -> tuple[frozenset, ...]:
    """All loops of a lattice small enough to list, else none."""
    return brute.loops(lattice.rows, lattice.cols) if lattice.rows * lattice.cols <= 20 else ()


def holds(lattice: Lattice, cut: list[int], inside: set[Face]) -> bool:
    """Whether a clause over sides holds of a set of inside faces."""
    cols = lattice.cols - 1
    return any((divmod(abs(x) - 2, cols) in inside) == (x > 0) for x in cut)


def test_soundness_against_all_loops() -> None:
    """On 3 x 4 vertices the check of a cut says exactly what all 40 loops say, for pairs."""
    lattice = Lattice(3, 4)
    loops = [set(Loop(lattice, edges).inside) for edges in brute.loops(3, 4)]
    variables = range(2, 8)
    for signs in product((-1, 0, 1), repeat=6):
        cut = [sign * v for sign, v in zip(signs, variables, strict=True) if sign]
        if is_sound(lattice, cut):
            assert all(holds(lattice, cut, loop) for loop in loops), cut


def test_refused() -> None:
    """Faces off the lattice, a face on both sides, no faces at all."""
    lattice = Lattice(4, 4)
    for cut in ([], [1], [99, -2, -3], [2, -2], [-2, -3, -4, -5], [2, 3]):
        assert not is_sound(lattice, cut)


def test_rings_are_cut() -> None:
    """A loop in the hole of a loop: pieces inside and a pocket, cut from both sides."""
    lattice = Lattice(6, 6)
    ring = {(r, c) for r in range(5) for c in range(5) if {r, c} & {0, 4}}
    cuts = separations(lattice, assignment_of(Model(lattice), ring | {(2, 2)}))
    assert len(cuts) == 4
    assert all(is_sound(lattice, cut) for cut in cuts)


@given(st.data())
def test_holes_are_cut(data: st.DataObject) -> None:
    """A rectangle with a hole, anywhere on a board: one pocket, cut from both sides."""
    lattice = Lattice(data.draw(st.integers(5, 9)), data.draw(st.integers(5, 9)))
    spans = []
    for faces in (lattice.rows - 1, lattice.cols - 1):
        places = st.lists(st.integers(0, faces), min_size=4, max_size=4, unique=True)
        spans.append(sorted(data.draw(places)))
    (top, first, last, bottom), (left, begin, end, right) = spans
    outer = {(r, c) for r in range(top, bottom) for c in range(left, right)}
    hole = {(r, c) for r in range(first, last) for c in range(begin, end)}
    candidate = assignment_of(Model(lattice), outer - hole)
    cuts = separations(lattice, candidate)
    assert len(cuts) == 2
    for cut in cuts:
        assert is_sound(lattice, cut)
        assert all(candidate[abs(x) - 1] != x for x in cut)
