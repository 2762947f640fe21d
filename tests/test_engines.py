"""The contract of an engine, for every engine in the folder."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from castlecp import codecs, engines
from castlecp.budget import Budget
from castlecp.engines import Engine
from castlecp.engines.sat import Sat
from castlecp.errors import OutOfBudget, Unknown
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import Edge, Lattice, Loop
from castlecp.model import Model
from castlecp.solver import Search


@pytest.fixture(params=engines.names())
def kind(request: pytest.FixtureRequest) -> type[Engine]:
    """Every engine's class."""
    return engines.engine(request.param)


@pytest.fixture
def model() -> Model:
    """Two by three faces without a clue."""
    return Model(Lattice(3, 4))


@pytest.fixture
def held(kind: type[Engine], model: Model) -> Iterator[Engine]:
    """An engine that holds the model."""
    engine = kind(model)
    yield engine
    engine.close()


def test_assignments_obey_the_base(held: Engine, model: Model) -> None:
    """Edges are XORs of sides; degrees are even and below four."""
    assignment = held.solve([], Budget())
    assert assignment is not None
    assert all(abs(x) == v for v, x in enumerate(assignment[: model.variables], 1))
    true = {x for x in assignment if x > 0}
    for edge in model.lattice.edges:
        sides = [model.side(face) in true for face in edge.faces]
        assert (model.edge(edge) in true) == (sides[0] != sides[1])
    for vertex in model.lattice.vertices():
        assert sum(x in true for x in model.around(vertex)) in (0, 2)


def test_assumptions_hold_for_one_call(held: Engine, model: Model) -> None:
    """The same solver answers opposite assumptions in turn."""
    x = model.side((0, 1))
    for literal in (x, -x, x):
        assignment = held.solve([literal], Budget())
        assert assignment is not None
        assert literal in assignment


def test_core_is_enough(held: Engine, model: Model) -> None:
    """Failed assumptions have no assignment together, and are among those made."""
    sides = [-model.side(face) for face in model.lattice.faces()]
    edge = model.edge(Edge(0, 0, 0, 1))
    assumptions = [edge, model.side((1, 2)), sides[0]]
    assert held.solve(assumptions, Budget()) is None
    core = held.core()
    assert set(core) <= set(assumptions)
    assert held.solve(core, Budget()) is None
    assert held.solve([], Budget()) is not None


def test_clauses_stay(held: Engine, model: Model) -> None:
    """Adding one clause after another ends in None, for good."""
    sides = [model.side(face) for face in model.lattice.faces()]
    for x in sides:
        assert held.solve([], Budget()) is not None
        held.add([-x])
    assert held.solve([], Budget()) is None
    assert held.solve([], Budget()) is None


def test_the_empty_clause(held: Engine) -> None:
    """It says that there is nothing, and needs no assumption."""
    held.add([])
    assert held.solve([], Budget()) is None
    assert held.core() == []


def test_counts_against_enumeration(kind: type[Engine]) -> None:
    """Each ray and number on 3 x 4 vertices, 0 and the maximum and more included."""
    for (row, col), arrow, number in product(
        ((0, 0), (1, 1), (2, 3), (1, 3)), ("up", "down", "left", "right"), range(4)
    ):
        puzzle = CastleWall(3, 4, (CastleClue(row, col, "grey", arrow, number),))
        held = kind(Model.of(puzzle))
        assignment = held.solve([], Budget())
        held.close()
        model = Model.of(puzzle)
        literals = model.counts[0].literals
        possible = any(sum(values) == number for values in product((0, 1), repeat=len(literals)))
        if not possible:
            assert assignment is None
        elif assignment is not None:
            assert sum(assignment[x - 1] > 0 for x in literals) == number


@pytest.mark.parametrize("number", range(-1, 7))
def test_counts_of_any_literals(kind: type[Engine], model: Model, number: int) -> None:
    """Negated literals and a literal twice count as they are written."""
    faces = list(model.lattice.faces())
    a, b, c = (model.side(face) for face in (faces[0], faces[1], faces[4]))
    literals = (a, -b, a, -c, model.edge(Edge(0, 2, 0, 3)), -model.edge(Edge(1, 1, 1, 2)))
    model.exactly(number, literals)

    def said(inside: set[tuple[int, int]]) -> int:
        """How many of the literals hold."""
        on = Loop.around(model.lattice, inside).edges
        sides = [face in inside for face in (faces[0], faces[1], faces[4])]
        edges = [(0, 2, 0, 3) in on, (1, 1, 1, 2) in on]
        return 2 * sides[0] + (not sides[1]) + (not sides[2]) + edges[0] + (not edges[1])

    candidates = [
        inside
        for values in product((0, 1), repeat=len(faces))
        if (inside := {face for face, value in zip(faces, values, strict=True) if value})
        and all(len(e) == 2 for e in Loop.around(model.lattice, inside).neighbours.values())
    ]
    held = kind(model)
    assignment = held.solve([], Budget())
    held.close()
    assert (assignment is not None) == any(said(inside) == number for inside in candidates)
    if assignment is not None:
        inside = {face for face in faces if assignment[model.side(face) - 1] > 0}
        assert inside in candidates
        assert said(inside) == number


def test_a_fact_that_is_false(kind: type[Engine], model: Model) -> None:
    """A clue that no loop obeys is the empty clause."""
    model.require()
    held = kind(model)
    assert held.solve([], Budget()) is None
    held.close()


def test_budget_is_kept(kind: type[Engine]) -> None:
    """No steps: OutOfBudget, an exception and no answer. Steps spent are recorded."""
    held = kind(Model(Lattice(4, 4)))
    with pytest.raises(OutOfBudget):
        held.solve([], Budget(steps=0))
    with pytest.raises(OutOfBudget):
        held.solve([], Budget(seconds=0))
    outer = Budget(steps=5)
    with pytest.raises(OutOfBudget):
        held.solve([], Budget(steps=0, parent=outer))
    assert outer.spent == 0
    held.close()


def test_time_ends_a_hard_search(kind: type[Engine]) -> None:
    """A clock that runs out amid a search is OutOfBudget, never taken for Ctrl-C."""
    size = 12
    clues = [CastleClue(0, 0, "black"), CastleClue(6, 6, "white")]
    held = kind(Model.of(CastleWall(size, size, tuple(clues))))
    # A loop that visits every other vertex is hard to find.
    for vertex in Lattice(size, size).vertices():
        if vertex not in ((0, 0), (6, 6)):
            held.add(Model(Lattice(size, size)).around(vertex))
    for seconds in (0.05, 0.1, 0.2):
        try:
            held.solve([], Budget(seconds))
        except OutOfBudget:
            continue
    held.close()


def test_unknown_engine() -> None:
    """Names come from the folder."""
    assert {"sat", "cpsat"} <= set(engines.names())
    with pytest.raises(Unknown):
        engines.engine("magic")


def test_auto_hands_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """When its conflicts are spent, CP-SAT takes over, with the clauses added so far."""
    from castlecp import auto

    monkeypatch.setattr(auto, "HANDOVER", 0)
    model = Model(Lattice(3, 4))
    held = auto.Relay(model)
    assert held.name == "sat"
    sides = [model.side(face) for face in model.lattice.faces()]
    held.add([-sides[0]])
    held.add([sides[5]])
    assignment = held.solve([], Budget())
    assert held.name == "cpsat"
    assert assignment is not None
    assert -sides[0] in assignment
    assert sides[5] in assignment
    with pytest.raises(OutOfBudget):
        held.solve([], Budget(steps=0))
    held.close()


@pytest.mark.parametrize("solver", ["minisat22", "glucose41", "maplechrono"])
def test_another_solver_of_pysat_is_a_name(solver: str) -> None:
    """A subclass with the name of another solver is an engine."""

    class Other(Sat):
        name = "other"
        SOLVER = solver

    for text in ("castle/6/6/20.d222b20.m011c20.d212b20.a", "castle/3/3/d20.d", "castle/3/3/i"):
        model = Model.of(codecs.read(text))
        counts = []
        for engine in (Other(model), Sat(model)):
            counts.append(len(list(Search(model, engine, Budget()).all(20))))
            engine.close()
        assert counts[0] == counts[1]
