"""Rules first, then a model of what they leave: the same verdicts as by a model of everything."""

from __future__ import annotations

from itertools import product
from random import Random

import brute
import pytest
import samples
from boards import board_around, corpus_boards, random_board
from samples import every_genre

from castlecp import auto
from castlecp.backtrack import Glance, look
from castlecp.budget import Budget
from castlecp.checker import check
from castlecp.engines.sat import Sat
from castlecp.genres.castle import CastleWall
from castlecp.grid import Lattice
from castlecp.model import FALSE, TRUE, Known, Model
from castlecp.solver import decided, solve
from castlecp.verdict import Status

#: Searches that end at once, before, within and after probes.
GLANCES = [
    Glance(1, 0, 0, 0),
    Glance(1, 1, 1, 2),
    Glance(2, 1, 5, 20),
    Glance(5, 4, 9, 0),
    Glance(3, 5, 100, 300),
    auto.GLANCE,
]


@every_genre
@pytest.mark.parametrize("glance", GLANCES)
@pytest.mark.parametrize("seed", range(12))
def test_all_loops_wherever_the_search_ends(
    genre: str, glance: Glance, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What few nodes leave, the engine finds: every loop once, as brute force has them."""
    random = Random(100 * sum(glance) + seed)
    make = random_board if seed % 3 == 0 else board_around
    sizes = random.randint(2, 4), random.randint(2, 5)
    share = () if seed % 3 == 0 else (random.choice((0.1, 0.3, 0.6)),)
    puzzle = make(genre, random, *sizes, *share)
    monkeypatch.setattr(auto, "GLANCE", glance)
    verdict = auto.solve(puzzle, limit=10_000)
    assert verdict.exact
    found = [loop.edges for loop in verdict.loops]
    assert len(found) == len(set(found))
    assert set(found) == brute.solutions(puzzle)
    assert verdict.engine in ("rules", "rules+sat", "sat")


@pytest.mark.parametrize("glance", [Glance(1, 0, 0, 0), Glance(1, 1, 20, 40), Glance(10, 0, 0, 0)])
@pytest.mark.parametrize("genre", ["castle", "cave", "slither"])
def test_public_boards_by_what_rules_leave(genre: str, glance: Glance) -> None:
    """An engine that is told what few nodes have settled finds the one loop of public boards."""
    left = 0
    for id_, puzzle, _ in corpus_boards(genre)[::12]:
        first = look(puzzle, 2, glance, Budget())
        if not first.exact and not first.loops:
            left += 1
            known = Known(first.edges, first.sides)
            told = decided(puzzle, Sat, "sat", 2, Budget(), known)
            alone = solve(puzzle, "sat")
            assert told.status is alone.status, id_
            assert told.status is not Status.UNIQUE or told.loops == alone.loops, id_
    assert left > 0 or glance.nodes > 1 or glance.tried


def test_a_found_loop_is_not_found_again() -> None:
    """Loops that the nodes found come first, and the engine's are others."""
    puzzle = CastleWall(4, 4)
    verdict = auto.solve(puzzle, limit=1_000)
    assert (verdict.engine, len(set(verdict.loops)), verdict.exact) == ("rules+sat", 213, True)
    assert verdict.loops[:2] == auto.solve(puzzle).loops


@every_genre
def test_budgets_end_it(genre: str) -> None:
    """Without a step or a second nothing is known; with few steps the same each time."""
    puzzle = samples.blank(genre, 6, 6)
    for budget in (Budget(steps=0), Budget(seconds=0)):
        verdict = auto.solve(puzzle, budget=budget)
        assert (verdict.status, verdict.timed_out) == (Status.INCONCLUSIVE, True)
    few = [auto.solve(puzzle, limit=10_000, budget=Budget(steps=70)) for _ in range(2)]
    assert few[0] == few[1]
    assert few[0].timed_out
    assert few[0].stats["steps"] >= 70
    assert not any(check(puzzle, loop) for loop in few[0].loops)


def test_constants_in_what_is_said() -> None:
    """XOR, AND and totals of known literals need no variable, and mean the same."""
    lattice = Lattice(3, 4)
    model = Model(lattice, known=Known([-1] * len(lattice.edges), [1, 0, -1, -1, -1, -1]))
    before = model.variables
    x = model.side((0, 2))
    assert [model.side((0, 0)), model.side((0, 1))] == [TRUE, FALSE]
    assert [model.xor(TRUE, x), model.xor(x, FALSE), model.xor(TRUE, FALSE)] == [-x, x, TRUE]
    assert [model.both(TRUE, x), model.both(x, FALSE), model.both(TRUE, TRUE)] == [x, FALSE, TRUE]
    assert model.total([TRUE, x], [TRUE, FALSE], 4) == [TRUE, TRUE, x, FALSE]
    assert model.total([TRUE, x], [TRUE, FALSE], 2) == [TRUE, TRUE]
    assert model.variables == before
    model.require(x, TRUE)
    assert model.facts == []


def test_base_clauses_leave_nothing_out() -> None:
    """With the units, what is left of the base has the same assignments as all of it."""
    lattice = Lattice(3, 3)
    for values in product((-1, 0, 1), repeat=4):
        model = Model(lattice, known=Known([-1] * len(lattice.edges), values))
        units = [(unit,) for unit in model.units]
        some, every = [*units, *model.base_clauses()], [*units, *model.base.clauses]
        assert _assignments(some, model.variables) == _assignments(every, model.variables)


def _assignments(clauses: list, variables: int) -> set[tuple[bool, ...]]:
    return {
        bits
        for bits in product((False, True), repeat=variables)
        if all(any(bits[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
    }
