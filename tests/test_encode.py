"""Counts as clauses: right for every number, whichever way they are written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, product

import pysolvers
import pytest

from castlecp import encode
from castlecp.encode import Counters, clauses_of, simplify
from castlecp.grid import Lattice
from castlecp.model import FALSE, Count, Model


def satisfied(clauses: Sequence[Sequence[int]], assumptions: Sequence[int]) -> bool:
    """Whether clauses hold under assumptions, asked of a solver castlecp does not use."""
    if any(not clause for clause in clauses):
        return False
    solver = pysolvers.glucose421_new()
    for clause in clauses:
        pysolvers.glucose421_add_cl(solver, clause)
    answer = pysolvers.glucose421_solve(solver, list(assumptions), 0)
    pysolvers.glucose421_del(solver)
    return bool(answer)


@pytest.mark.parametrize("plain", [0, 40])
@pytest.mark.parametrize("size", range(7))
def test_clauses_of(size: int, plain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """0, all, out of range and everything between, as plain clauses and as counters."""
    monkeypatch.setattr(encode, "PLAIN", plain)
    encode._template.cache_clear()
    inputs = range(1, size + 1)
    for number in range(-1, size + 2):
        clauses = list(clauses_of(inputs, number, count(size + 1).__next__))
        for bits in product((1, -1), repeat=size):
            values = [bit * x for bit, x in zip(bits, inputs, strict=True)]
            assert satisfied(clauses, values) == (bits.count(1) == number)
    encode._template.cache_clear()


@pytest.mark.parametrize("size", range(6))
def test_counters(size: int) -> None:
    """Assumptions for each prefix and number; prefixes share their counters."""
    new = count(size + 2)
    counters = Counters(new.__next__)
    literals = tuple(range(2, size + 2))
    wanted = {
        (end, number): counters.exactly(literals[:end], number)
        for end in range(size + 1)
        for number in range(-1, end + 2)
    }
    used = next(new)
    counters.exactly(literals, size // 2)
    assert next(new) == used + 1, "a known count needs no new variable"
    for bits in product((1, -1), repeat=size):
        values = [bit * x for bit, x in zip(bits, literals, strict=True)]
        for (end, number), assumptions in wanted.items():
            holds = satisfied([(1,), *counters.clauses], [*values, *assumptions])
            assert holds == (bits[:end].count(1) == number)


def test_simplify_takes_prefixes_off() -> None:
    """A longer count is its prefix and the rest; false literals go."""
    counts = [
        Count((1, 2, 3, 4, 5, 6), 4),
        Count((1, 2), 1),
        Count((1, 2, 3, 4), 2),
        Count((7, 8), 1),
        Count((), 0),
    ]
    short = dict(simplify(counts, {5}))
    assert short == {(1, 2): 1, (3, 4): 1, (6,): 2, (7, 8): 1, (): 0}


def test_simplify_keeps_contradictions() -> None:
    """Two numbers for the same literals leave a count of none that is not 0."""
    assert ((), 1) in simplify([Count((1, 2), 1), Count((1, 2), 2)], set())


def test_simplify_of_no_prefix() -> None:
    """Counts that begin alike and part ways stay as they are."""
    counts = [Count((1, 2, 3), 1), Count((1, 4, 5, 6), 2)]
    assert sorted(simplify(counts, set())) == [((1, 2, 3), 1), ((1, 4, 5, 6), 2)]


def test_totals() -> None:
    """Two ordered lists together, to each number; each pair of lists has literals of its own."""
    model = Model(Lattice(2, 2))
    a, b, c = ([model.new() for _ in range(size)] for size in (2, 3, 3))
    totals = {most: (model.total(a, b, most), model.total(a, c, most)) for most in range(1, 6)}
    again = model.variables
    assert totals == {most: (model.total(a, b, most), model.total(a, c, most)) for most in totals}
    assert model.variables == again, "a known total needs no new variable"
    for i, j, k in product(range(3), range(4), range(4)):
        ordered = zip((a, b, c), (i, j, k), strict=True)
        drawn = [x if at < n else -x for xs, n in ordered for at, x in enumerate(xs)]
        for most, both in totals.items():
            for literals, found in zip(both, (i + j, i + k), strict=True):
                assert len(literals) == most
                right = [x if at < found else -x for at, x in enumerate(literals)]
                assert satisfied(model.definitions, [*drawn, *right])
                for x in right:
                    assert not satisfied(model.definitions, [*drawn, -x])


def test_what_is_false_outright() -> None:
    """Facts of one literal say so; one of several only that not all of them are false."""
    model = Model(Lattice(3, 4))
    model.require(-model.side((0, 0)))
    model.require(model.side((0, 1)), model.side((0, 2)))
    assert model.false() == {FALSE, model.side((0, 0))}
