"""Kinds of clue data, whether a genre uses them or not: rules, search, ladder and words."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
import reference_data as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_ladder import Dead

from castlecp.brute import loops
from castlecp.genres.slither import SlitherClue
from castlecp.grid import STEPS, Edge, Lattice, Loop
from castlecp.kernels import compiled
from castlecp.ladder import climbing
from castlecp.ladder.climber import Climber
from castlecp.ladder.rules import bit
from castlecp.ladder.steps import steps_of
from castlecp.propagation import fixpoint
from castlecp.propagation.bits import bits
from castlecp.propagation.board import ALWAYS, MAYBE, Board, board_of
from castlecp.propagation.buffers import rooms
from castlecp.propagation.reading import Reading, Said
from castlecp.propagation.rules import names
from castlecp.propagation.search import ENDED, FOUND, is_answer, search
from castlecp.propagation.state import RULES, TAIL, State, blank
from castlecp.propagation.trail import clear, settle

KINDS = tuple(reference.MADE)
LOCAL = ("tables", "visits", "passed")


def searched(board: Board, state: State, rules: set[str], patience: int, use: Any = search) -> Any:
    """The lines that the backtracker finds, as the values of all edges."""
    used = rules if board.by_faces and "loop" not in rules else rules | {"degree"}
    edges = len(state.edge)
    run, *rest = rooms(8, edges, edges, edges)
    out = []
    while (end := use(bits(used), patience, 1 << 40, board, state, run, *rest)) != ENDED:
        assert end == FOUND
        out.append(tuple(map(int, state.edge)))
    return out


def true_lines(lattice: Lattice, data: reference.Data) -> set[tuple[int, ...]]:
    return {
        tuple(int(edge in loop.edges) for edge in lattice.edges)
        for loop in loops(lattice)
        if reference.holds(data, loop)
    }


@settings(max_examples=250)
@given(reference.boards(KINDS), st.sets(st.sampled_from(names())), st.sampled_from([-1, 0, 3]))
def test_search_finds_what_is_true(
    drawn: tuple[Lattice, reference.Data], rules: set[str], patience: int
) -> None:
    """Data of all kinds together, by every set of rules: a full board is decided by all."""
    lattice, data = drawn
    board = board_of(lattice, **data)
    found = searched(board, blank(board), rules, patience)
    assert len(found) == len(set(found))
    assert set(found) == true_lines(lattice, data)


@settings(max_examples=30)
@given(reference.boards(LOCAL))
def test_search_finds_the_same_compiled(drawn: tuple[Lattice, reference.Data]) -> None:
    lattice, data = drawn
    board = board_of(lattice, **data)
    rules = {"degree", "loop", "sides", "table", "visits"}
    plain = searched(board, blank(board), rules, -1)
    assert searched(board, blank(board), rules, -1, compiled(search)) == plain


@settings(max_examples=300)
@given(reference.boards(KINDS), st.integers(0, 2**32))
def test_a_full_board_is_an_answer_when_all_data_hold(
    drawn: tuple[Lattice, reference.Data], seed: int
) -> None:
    """Any line, most often a loop: whatever does not hold is seen by some rule's `exact`."""
    lattice, data = drawn
    rng = random.Random(seed)
    line = rng.choice(loops(lattice)).edges
    if rng.random() < 0.3:
        line ^= {rng.choice(lattice.edges)}
    board = board_of(lattice, **data)
    state = blank(board)
    for number, edge in enumerate(lattice.edges):
        settle(board, state, 2 * number + (edge in line))
    clear(board, state)
    loop = Loop(lattice, line)
    so = loop in loops(lattice) and reference.holds({**data, "given": ()}, loop)
    assert is_answer(board, state) == so


@pytest.mark.parametrize("rule", ["table", "visits"])
def test_a_rule_finds_what_the_reference_finds(rule: str) -> None:
    seen = {"dead": 0, "something": 0}
    kinds = ("tables",) if rule == "table" else ("visits", "passed")

    # Always the same boards, so that there are always some of each kind.
    @settings(max_examples=400, derandomize=True)
    @given(reference.boards(kinds), st.integers(0, 2**32))
    def check(drawn: tuple[Lattice, reference.Data], seed: int) -> None:
        lattice, data = drawn
        rng, share = random.Random(seed), random.Random(seed).random()
        line = rng.choice(loops(lattice))
        board = board_of(lattice, **{**data, "by_faces": False})
        state, known = blank(board), {}
        for number, edge in enumerate(lattice.edges):
            if rng.random() < share:
                known[edge] = edge in line.edges if rng.random() < 0.97 else rng.random() < 0.5
                settle(board, state, 2 * number + known[edge])
        state.n[RULES] = bits(names()) & ~bit("sides")
        alive = climbing.apply(board, state, bit(rule), 0)
        found = {(lattice.edges[x >> 1], x & 1 == 1) for x in state.queue[: state.n[TAIL]]}
        try:
            expected = set().union(*getattr(reference, rule)(lattice, data, known))
        except Dead:
            seen["dead"] += 1
            assert not alive
            return
        if any((edge, not value) in expected for edge, value in expected):
            assert not alive
            return
        seen["something"] += bool(expected)
        assert alive
        assert found == expected

    check()
    assert seen["something"] > 30
    assert seen["dead"] > 10


LADDER = tuple((rule, rule) for rule in ("degree", "table", "visits", "loop", "sides", "reach"))
LADDER += (("failed_literal", "probe"),)


def read(lattice: Lattice, data: reference.Data, **more: Any) -> Reading:
    """The data as a genre with cells at vertices would have them."""
    board = board_of(lattice, **data)
    more.setdefault("tables", [Said((), "to draw the line here")] * len(data.get("tables", ())))
    more.setdefault("visits", [Said((), "the region")] * len(data.get("visits", ())))
    return Reading(lattice, board, [], [], "vertices", **more)


@settings(max_examples=150)
@given(reference.boards(LOCAL))
def test_every_step_holds_in_every_answer(drawn: tuple[Lattice, reference.Data]) -> None:
    """A ladder on tables and visit counts, with what the sentences count."""
    lattice, data = drawn
    data = {**data, "by_faces": False}
    answers = true_lines(lattice, data)
    number = {edge: k for k, edge in enumerate(lattice.edges)}
    for step in steps_of(Climber(read(lattice, data), LADDER, None)):
        assert step.sentence[0].isupper()
        assert step.sentence.endswith(".")
        for line in answers:
            assert all(line[number[edge]] for edge in step.on)
            assert not any(line[number[edge]] for edge in step.off)
        if not (step.on or step.off or step.relations):
            assert not answers


@settings(max_examples=100)
@given(reference.boards(LOCAL), st.sets(st.sampled_from(["table", "visits", "loop", "sides"])))
def test_fixpoint_is_where_single_steps_end(
    drawn: tuple[Lattice, reference.Data], more: set[str]
) -> None:
    lattice, data = drawn
    board = board_of(lattice, **{**data, "by_faces": False})
    rules = ["degree", *sorted(more)]
    stepped, state = blank(board), blank(board)
    log = [0] * 4000
    end = climbing.climb(board, stepped, [], list(map(bit, rules)), log)
    state.n[RULES] = bits(rules)
    alive = fixpoint.wake(board, state) and fixpoint.propagate(board, state)
    assert alive == (end != climbing.CONFLICT)
    assert not alive or state.edge == stepped.edge


def explained(reading: Reading, rule: str) -> Any:
    """The first step by a rule."""
    steps = steps_of(Climber(reading, LADDER, None))
    return next(step for step in steps if step.rung == rule)


def test_tables_and_visits_in_words() -> None:
    """What clues ask, with the clues; what a rule of the game asks, without."""
    lattice = Lattice(3, 4)
    clue = SlitherClue(0, 1, 2)
    top = [lattice.edges.index(Edge(0, c, 0, c + 1)) for c in range(3)]
    data = {"tables": [(top, [(1, 1, 0), (1, 1, 1)])]}
    asked = Said((clue,), "to go straight on")
    step = explained(read(lattice, data, tables=[asked]), "table")
    assert step.sentence == "Row 1, column 2: a line along row 1, columns 1 to 3."
    assert step.vertices == ((0, 1),)
    assert len(step.edges) == 3
    none = {"tables": [(top, [])]}
    assert explained(read(lattice, none), "table").sentence == (
        "There is no way to draw the line here."
    )
    around = (
        "along row 1, columns 1 to 2, column 1, rows 1 to 2, row 1, columns 3 to 4 {} column 4, "
        "rows 1 to 2"
    )
    for number, text in (
        (0, f"needs 0 visited cells, so no line {around.format('or')}."),
        (2, f"needs 2 visited cells, so a line {around.format('and')}."),
        (3, "cannot have 3 visited cells."),
    ):
        corners = {"visits": [([0, 3], number)]}
        assert explained(read(lattice, corners), "visits").sentence == f"The region {text}"


def test_counts_of_the_rules_in_words() -> None:
    """What no clue counts has words of its own, whichever way the count runs out."""
    lattice = Lattice(3, 4)
    border = [lattice.edges.index(Edge(*edge)) for edge in ((0, 0, 0, 1), (1, 0, 2, 0))]
    ladder = (("count", "count"), *LADDER)
    for members, number, text in (
        (
            border,
            0,
            "has its 0 edges, so none along row 1, columns 1 to 2 and column 1, rows 2 to 3.",
        ),
        (border, 2, "needs all edges left, so a line along row 1, columns 1 to 2 and column 1, "),
        (border, 3, "has fewer than 3 edges."),
        ([0, 1], 2, "needs all edges left, so a line on columns 1 to 3."),
    ):
        board = board_of(lattice, counts=[(members, number)])
        words = {0: "the border of the region"}
        reading = Reading(lattice, board, [()], [], "vertices", counted=words)
        step = steps_of(Climber(reading, ladder, None))[0]
        assert step.rung == "count"
        assert step.sentence.startswith(f"The border of the region {text}"), step.sentence
        assert not step.vertices


def test_rays_are_for_straight_counts() -> None:
    """A count is along a line when its edges follow one another there, either way."""
    lattice = Lattice(4, 5)
    counts = [[0, 1, 2], [3, 2], [16, 21, 26], [26, 21], [7]]
    assert list(board_of(lattice, counts=[(c, 1) for c in counts]).line) == [0, 0, 4, 4, 1]
    bent = [
        [0, 4, 2],
        [0, 2],
        [0, 1, 5],
        [3, 4],
        [0, 16],
        [2, 1, 3],
        [16, 26],
        [15, 16],
        [2, 9, 1],
        [16, 11],
    ]
    assert set(board_of(lattice, counts=[(c, 1) for c in bent]).line) == {-1}


def test_a_table_is_small() -> None:
    with pytest.raises(ValueError, match="at most 8 edges, this one 9"):
        board_of(Lattice(3, 4), tables=[(range(9), [])])


def circle(lattice: Lattice, vertex: tuple[int, int], black: bool) -> Any:
    """A circle of Masyu as a table: the four edges at a vertex, and the one beyond each."""
    r, c = vertex
    members = []
    for far in (0, 1):
        for dr, dc in STEPS.values():
            ends = sorted([(r + far * dr, c + far * dc), (r + (far + 1) * dr, c + (far + 1) * dc)])
            edge = Edge(*ends[0], *ends[1])
            members.append(lattice.edges.index(edge) if lattice.has_edge(edge) else -1)
    steps, ways = list(STEPS.values()), []
    for way in product((0, 1), repeat=8):
        out = [k for k in range(4) if way[k]]
        if len(out) == 2:
            straight = all(steps[out[0]][i] == -steps[out[1]][i] for i in (0, 1))
            beyond = [way[4 + k] for k in out]
            if (all(beyond) and not straight) if black else (straight and not all(beyond)):
                ways.append(way)
    return members, ways


def follows(loop: Loop, vertex: tuple[int, int], black: bool) -> bool:
    """Whether a loop keeps the rule of a circle: walks two steps either way."""
    if vertex not in loop.neighbours:
        return False

    def turns(v: tuple[int, int]) -> bool:
        (a, b), (c, d) = loop.neighbours[v]
        return a != c and b != d

    beside = [turns(v) for v in loop.neighbours[vertex]]
    return turns(vertex) and not any(beside) if black else not turns(vertex) and any(beside)


@settings(max_examples=100)
@given(st.sampled_from([(3, 3), (3, 4), (4, 3), (4, 4)]), st.integers(0, 2**32))
def test_masyu_is_tables(size: tuple[int, int], seed: int) -> None:
    """Circles true of a loop, or any: the search finds exactly the loops that keep the rules."""
    rng, lattice = random.Random(seed), Lattice(*size)
    vertices, loop = list(lattice.vertices()), rng.choice(loops(lattice))
    true = [(v, b) for v in vertices for b in (False, True) if follows(loop, v, b)]
    circles = dict(rng.sample(true, rng.randint(0, len(true))))
    if rng.random() < 0.3:
        circles[rng.choice(vertices)] = rng.random() < 0.5
    passed = [ALWAYS if v in circles else MAYBE for v in vertices]
    tables = [circle(lattice, v, black) for v, black in circles.items()]
    board = board_of(lattice, passed=passed, tables=tables)
    found = searched(board, blank(board), {"degree", "loop", "sides", "table", "reach"}, -1)
    kept = [x for x in loops(lattice) if all(follows(x, v, b) for v, b in circles.items())]
    assert set(found) == {tuple(int(e in x.edges) for e in lattice.edges) for x in kept}
