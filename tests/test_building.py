"""What is as large as the lattice: made within a budget, and refused beyond memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import samples
from samples import every_genre
from typer.testing import CliRunner

from castlecp import building, engines, methods
from castlecp.backtrack import backtrack
from castlecp.budget import Budget
from castlecp.building import kept, parts, ticks
from castlecp.cli import app
from castlecp.errors import OutOfBudget, TooLarge
from castlecp.generate.loops import SOURCES
from castlecp.grid import Edge, Lattice
from castlecp.model import Model, base
from castlecp.propagation.board import grid_of
from castlecp.session import Live
from castlecp.solver import solve
from castlecp.verdict import Status


class Looks(Budget):
    """A budget of which so many looks may be taken."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.left = most

    def look(self) -> None:
        if not self.left:
            raise OutOfBudget("the looks are spent")
        self.left -= 1


def looks_of(make: Callable[[Budget], object]) -> int:
    """How many looks making something takes."""
    budget = Looks(10**9)
    make(budget)
    return 10**9 - budget.left


def test_kept_does_not_keep_what_was_not_made() -> None:
    """A budget that ends leaves nothing behind: the next one makes the whole."""
    made = []

    @kept(2)
    def twice(number: int, budget: Budget) -> int:
        budget.look()
        made.append(number)
        return 2 * number

    with pytest.raises(OutOfBudget):
        twice(3, Budget(0))
    assert (twice(3), twice(3, Budget(0)), made) == (6, 6, [3])


def test_parts() -> None:
    """All items in their order, and a look before each list of them."""
    items = list(range(2 * building.LOOK + 1))
    assert [x for part in parts(items, Budget()) for x in part] == items
    assert looks_of(lambda budget: list(parts(items, budget))) == 4
    assert list(ticks(len(items), Budget())) == items
    assert looks_of(lambda budget: list(ticks(len(items), budget))) == 3


@pytest.mark.parametrize("rows", [41, 83])
def test_looks_grow_with_the_lattice(rows: int) -> None:
    """A base is looked at for every row, a grid every few thousand vertices."""
    assert looks_of(lambda budget: base(Lattice(rows, 7), budget)) >= rows
    vertices = 307 * rows
    assert looks_of(lambda budget: grid_of(Lattice(rows, 307), budget)) > vertices / building.LOOK


@pytest.mark.parametrize("size", [(1, 1), (1, 4), (4, 1), (2, 2), (3, 5), (6, 3)])
def test_grid_is_that_of_the_lattice(size: tuple[int, int]) -> None:
    """Every array, as the lattice's own edges and faces say."""
    lattice = Lattice(*size)
    grid, edges, faces = grid_of(lattice), list(lattice.edges), list(lattice.faces())
    vertices = list(lattice.vertices())
    number = {edge: e for e, edge in enumerate(edges)}
    face = {place: f for f, place in enumerate(faces)}
    outer = len(faces)
    steps = [
        ((r, c - 1, r, c), (r, c, r, c + 1), (r - 1, c, r, c), (r, c, r + 1, c))
        for r, c in vertices
    ]
    around = [((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)) for r, c in vertices]
    sides = [[face.get(place, outer) for place in edge.faces] for edge in edges]
    rims = [[e for e, two in enumerate(sides) if f in two] for f in range(outer + 1)]
    assert list(grid.near) == [number.get(Edge(*step), -1) for four in steps for step in four]
    assert list(grid.corners) == [face.get(place, outer) for four in around for place in four]
    assert list(grid.ends) == [vertices.index(end) for edge in edges for end in edge.ends]
    assert list(grid.beside) == [f for two in sides for f in two]
    assert [list(grid.rim[i:j]) for i, j in pairwise(grid.rim_at)] == rims
    assert (grid.outer, edges[: grid.horizontal]) == (outer, [e for e in edges if e.r1 == e.r2])


@pytest.mark.parametrize("name", engines.names())
def test_an_engine_is_loaded_within_the_budget(name: str) -> None:
    """The clauses of the base are looked at on their way in."""
    model = Model(Lattice(60, 61))
    kind = engines.engine(name)

    def load(budget: Budget) -> None:
        kind(model, budget).close()

    assert looks_of(load) >= len(model.base.degrees) // building.LOOK
    with pytest.raises(OutOfBudget):
        load(Looks(3))


@pytest.mark.parametrize("source", SOURCES.names())
def test_a_loop_is_drawn_within_the_budget(source: str) -> None:
    """A look every few thousand flips, which change nothing."""
    lattice = Lattice(70, 71)
    draw = SOURCES[source]
    assert looks_of(lambda budget: draw(lattice, Random(1), budget=budget)) >= 2
    with pytest.raises(OutOfBudget):
        draw(lattice, Random(1), budget=Looks(1))


@every_genre
@pytest.mark.parametrize("name", methods.names())
def test_no_time_at_all(genre: str, name: str) -> None:
    """What cannot be built in time is inconclusive, by every method."""
    verdict = methods.solve(samples.blank(genre, 17, 19), name, budget=Budget(0))
    assert (verdict.status, verdict.timed_out) == (Status.INCONCLUSIVE, True)


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of one megabyte."""
    monkeypatch.setattr(building, "memory", lambda: 10**6)


@pytest.mark.usefixtures("little")
@every_genre
def test_refused_by_size(genre: str, tmp_path: Path) -> None:
    """Every command that builds says how much memory it takes and how much there is; exit 3."""
    puzzle = samples.blank(genre, 34, 37)
    for build in (solve, backtrack, Model.of, lambda board: Live(board.lattice)):
        with pytest.raises(TooLarge, match=r"takes about 0\.0 GB of memory"):
            build(puzzle)  # type: ignore[operator]
    file = tmp_path / "board.json"
    file.write_text(json.dumps({"type": genre, "rows": puzzle.rows, "cols": puzzle.cols}))
    for command in ("solve", "count", "mend", "minimise", "hint", "explain", "grade"):
        result = CliRunner().invoke(app, [command, str(file)])
        assert (result.exit_code, result.stdout) == (3, ""), command
        assert "GB of memory" in result.stderr


def test_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The least of what is known limits a process."""
    group = tmp_path / "memory.max"
    monkeypatch.setattr(building, "GROUP", group)
    group.write_text("max\n")
    whole = building.memory()
    assert whole is None or whole > 10**8
    group.write_text("12345\n")
    assert building.memory() == 12345
