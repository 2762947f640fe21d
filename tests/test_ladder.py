"""The ladder against the plain reference, against brute force, and on certified boards."""

import json
import random
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
import reference_ladder as reference
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from reference_boards import boards, line_of

from castlecp import codecs, ladder
from castlecp.brute import solutions as answers
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import Edge, Loop
from castlecp.kernels import compiled
from castlecp.ladder import climber, climbing, hints
from castlecp.ladder.climber import entries_of
from castlecp.ladder.genres.castle import LADDER
from castlecp.ladder.rules import bit
from castlecp.ladder.wording import Wording
from castlecp.position import Position
from castlecp.propagation import fixpoint as fixpoints
from castlecp.propagation.assume import assume
from castlecp.propagation.bits import bits
from castlecp.propagation.buffers import buffer, zeros
from castlecp.propagation.genres.castle import read
from castlecp.propagation.rules import ray, visibility
from castlecp.propagation.state import HEAD, RULES, TAIL, TRAIL, State, blank
from castlecp.propagation.trail import enqueue, settle, undo

SEED = ["degree", "count", "parity", "loop"]
CHEAP = climbing.CHEAP
NAMES = {rung: rule for rule, rung in LADDER}
CORPUS = Path(__file__).parents[2] / "shared" / "corpus"


def literals_of(reading, literals):
    """Literals as the reference writes them."""
    words = Wording(reading)
    edges = len(reading.lattice.edges)
    out = set()
    for literal in literals:
        if literal < 2 * edges:
            out.add((words.edge(literal >> 1), literal & 1 == 1))
        else:
            f, g = divmod((literal >> 1) - edges, reading.board.outer + 1)
            pair = frozenset({words.face(f) or reference.OUTER, words.face(g) or reference.OUTER})
            out.add((pair, literal & 1 == 1))
    return out


def climb(puzzle, rules, use=climbing.climb):
    reading = read(puzzle)
    board = reading.board
    log = zeros(5 * (len(board.ends) + 2 * board.outer + 2) + 8)
    state = blank(board)
    end = use(board, state, board.given, buffer(map(bit, rules)), log)
    return end, entries_of(list(log)), state, reading


@settings(max_examples=150)
@given(boards(), st.booleans())
def test_five_rungs_step_for_step(puzzle, probing):
    end, log, _, reading = climb(puzzle, SEED + ["failed_literal"] * probing)
    rungs = dict(LADDER)
    mine = [(rungs[rule], literals_of(reading, literals)) for rule, _, _, literals in log]
    steps, _, alive = reference.climb(puzzle, ["degree", "arrow", "parity", "loop"], probing)
    assert mine[: len(steps)] == steps
    assert (end != climbing.CONFLICT) == alive
    assert len(mine) == len(steps) + (not alive)


def knowledge(puzzle, seed, right=0.95):
    """A state and the same knowledge for the reference: some line's edges, most of them right."""
    rng = random.Random(seed)
    reading = read(puzzle)
    try:
        state, known = blank(reading.board), reference.Known(puzzle)
    except reference.Dead:
        reject()
    for literal in reading.board.given:
        settle(reading.board, state, literal)
    line = line_of(puzzle.lattice, rng)
    for number, edge in enumerate(puzzle.lattice.edges):
        if rng.random() < 0.5:
            value = edge in line.edges if rng.random() < right else rng.random() < 0.5
            settle(reading.board, state, 2 * number + value)
            known.add((edge, value))
    return reading, state, known


@settings(max_examples=300)
@given(
    boards(),
    st.integers(0, 10**9),
    st.sampled_from(["degree", "arrow", "parity", "loop", "difference", "reach", "ray"]),
)
def test_a_rule_finds_what_the_reference_finds(puzzle, seed, rung):
    """All findings of one rule at a random state, where the state is not absurd to begin with."""
    reading, state, known = knowledge(puzzle, seed)
    try:
        # Pieces of line mean nothing where lines branch, sides nothing where they contradict.
        list(reference.degree(puzzle, known))
        list(reference.sides(puzzle, known))
    except reference.Dead:
        reject()
    state.n[RULES] = CHEAP & ~bit("sides")
    alive = climbing.apply(reading.board, state, bit(NAMES[rung]), 0)
    found = literals_of(reading, state.queue[: state.n[TAIL]])
    try:
        expected = set().union(*reference.RULES[rung](puzzle, known))
    except reference.Dead:
        assert not alive
    else:
        if any((what, not value) in expected for what, value in expected):
            assert not alive or any((what, not value) in found for what, value in found)
        else:
            assert alive
            assert found == expected


@settings(max_examples=120)
@given(
    boards(),
    st.sets(st.sampled_from(["count", "parity", "loop", "sides", "difference", "reach", "ray"])),
)
def test_fixpoint_is_where_single_steps_end(puzzle, more):
    """The queue settles what steps settle, and dies when they die; so does the reference."""
    rules = [rule for rule, _ in LADDER if rule == "degree" or rule in more]
    end, _, stepped, reading = climb(puzzle, rules)
    board, state = reading.board, blank(reading.board)
    state.n[RULES] = bits(rules)
    alive = all(enqueue(board, state, literal) for literal in board.given)
    alive = alive and fixpoints.wake(board, state) and fixpoints.propagate(board, state)
    assert alive == (end != climbing.CONFLICT)
    rungs = dict(LADDER)
    try:
        known = reference.Known(puzzle)
        reference.fixpoint(puzzle, known, [rungs[rule] for rule in rules])
    except reference.Dead:
        assert not alive
    else:
        assert alive
        assert state.edge == stepped.edge
        values = {e: known.edges.get(edge, -1) for e, edge in enumerate(puzzle.lattice.edges)}
        assert list(state.edge) == [int(values[e]) for e in range(len(values))]


@settings(max_examples=150)
@given(boards())
def test_every_step_holds_in_every_answer(puzzle):
    """The whole ladder, against all answers by brute force; stuck never means answerless."""
    end, log, state, reading = climb(puzzle, [rule for rule, _ in LADDER])
    loops = answers(puzzle)
    assert (end == climbing.CONFLICT) <= (not loops)
    if end == climbing.FINISHED:
        assert [loop.edges for loop in loops] == [
            {edge for edge, value in zip(puzzle.lattice.edges, state.edge, strict=True) if value}
        ]
    for _, _, _, literals in log:
        for what, value in literals_of(reading, literals):
            for loop in loops:
                if isinstance(what, Edge):
                    assert (what in loop.edges) == value
                else:
                    assert (len({face in loop.inside for face in what}) == 2) == value


@settings(max_examples=100)
@given(boards(), st.integers(0, 10**9))
def test_undo_restores_everything(puzzle, seed):
    reading, state, _ = knowledge(puzzle, seed, right=1.0)
    board, rng, mark = reading.board, random.Random(seed), state.n[TRAIL]
    # Everything but the numbers of `n`, what lies beyond the end of the trail, and scratch.
    kept = State._fields[: State._fields.index("trail")]
    before = {name: list(getattr(state, name)) for name in kept}
    for use in (CHEAP, bits(["degree", "count", "loop"]), bits(["degree", "parity"])):
        for literal in rng.sample(range(2 * len(state.edge)), min(4, 2 * len(state.edge))):
            assume(board, state, literal, use)
            undo(board, state, mark)
            assert {name: list(getattr(state, name)) for name in kept} == before
            assert not any(value >= 0 for value in state.due)
            assert state.n[TAIL] == state.n[HEAD] == 0


def senltd(size=None):
    if not (CORPUS / "castle.jsonl").is_file():
        pytest.skip("the corpus (../shared/corpus) is not here")
    puzzles, found = {}, {}
    for line in (CORPUS / "castle.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["id"].startswith(f"castle-senltd-{size or ''}"):
            puzzles[entry["id"]] = codecs.codec("url").read(entry["url"])
    for line in (CORPUS / "answers.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["id"] in puzzles:
            puzzle = puzzles[entry["id"]]
            found[entry["id"]] = codecs.codec("pzprv3").read_answer(entry["file_text"], puzzle)
    return [(puzzles[name], found[name]) for name in puzzles]


def test_explanations_on_the_seed_boards():
    """Every step agrees with the certified answer, and all but a few boards are finished."""
    for puzzle, answer in senltd("8x8")[::3] + senltd("10x10")[:4]:
        for step in ladder.explain(puzzle, detail=True):
            assert set(step.on) <= answer.edges
            assert not set(step.off) & answer.edges
            for f, g, differ in step.relations:
                assert ((f in answer.inside) != (g in answer.inside)) == differ
            assert step.on or step.off or step.relations
            if step.assumed:
                last = step.chain[-1]
                assert (last.on, last.off, last.relations) == ((), (), ())
    assert ladder.grade(puzzle).finished


@pytest.mark.parametrize(
    ("size", "shares"),
    [
        ("6x6", (37.5, 48.3, 52.5, 52.5)),
        ("8x8", (34.8, 45.5, 56.3, 58.0)),
        ("10x10", (31.1, 35.8, 41.4, 41.4)),
    ],
)
def test_shares_of_the_seed_document(size, shares):
    """The median over the boards of the share of all edges that a ladder settles."""
    pairs = senltd(size)
    for k, share in enumerate(shares, start=1):
        settled = [ladder.grade(puzzle, SEED[:k]).settled for puzzle, _ in pairs]
        assert abs(100 * statistics.median(settled) - share) <= 0.051


def test_arrows_that_differ_the_wrong_way_round():
    """A nearer arrow with more edges than a farther one: a contradiction for the ray rule too."""
    clues = (
        CastleClue(2, 4, "grey", "up", 2),
        CastleClue(3, 2, "grey", "right", 0),
        CastleClue(3, 3, "black", "left", None),
        CastleClue(3, 4, "grey", "up", 1),
    )
    puzzle = CastleWall(4, 5, clues)
    assert answers(puzzle) == []
    for rules in (None, ["ray"], ["difference"]):
        assert ladder.grade(puzzle, rules).contradiction


def test_compiled_and_plain_kernels_agree():
    whole = [rule for rule, _ in LADDER]
    for puzzle, _ in senltd("8x8")[:6] + senltd("6x6")[:6]:
        plain = climb(puzzle, whole)
        fast = climb(puzzle, whole, compiled(climbing.climb))
        assert plain[:2] == fast[:2]


@settings(max_examples=60)
@given(boards())
def test_the_numbers_in_sentences(puzzle):
    """What a sentence of the rung arrow counts is so of the edges that the step leans on."""
    for step in ladder.explain(puzzle, chains=False, detail=True):
        if step.rung == "arrow" and (m := re.search(r"has its (\d+) edges?", step.sentence)):
            assert int(m[1]) == sum(fact.holds for fact in step.facts if fact.edge)
            assert not step.on
        elif step.rung == "arrow" and step.on:
            (clue,) = (fact.clue for fact in step.facts if fact.clue)
            said = {(clue.row, clue.col): clue.count for clue in puzzle.clues}
            assert "needs all edges left" in step.sentence
            assert said[clue] == len(step.edges) - sum(1 for fact in step.facts if fact.edge)


def test_hints():
    """A mistake first, then steps that lead to the solution, then nothing."""
    puzzle, answer = senltd("6x6")[0]
    wrong = next(e for e in puzzle.lattice.edges if e not in answer.edges)
    step = hints.next_step(puzzle, Position(puzzle.lattice, frozenset({wrong})), answer)
    assert (step.rung, step.off) == ("mistake", (wrong,))
    line = Loop(puzzle.lattice, frozenset())
    for _ in range(len(answer.edges)):
        step = hints.next_step(puzzle, Position.of(line), answer)
        if step is None:
            break
        assert step.on
        assert set(step.on) <= answer.edges
        line = Loop(puzzle.lattice, line.edges | set(step.on))
    assert line == answer
    assert hints.next_step(puzzle, Position.of(answer)) is None
    with pytest.raises(ValueError, match="exactly one"):
        hints.next_step(CastleWall(3, 3), Position.of(line))


def test_a_board_that_only_the_solution_can_help_with():
    puzzle = CastleWall(3, 3)
    solution = Loop.around(puzzle.lattice, [(0, 0)])
    step = hints.next_step(puzzle, Position(puzzle.lattice), solution)
    assert step.rung == "solution"
    assert set(step.on) <= solution.edges


def test_grade():
    clue = CastleClue(1, 1, "black")
    assert ladder.grade(CastleWall(3, 3, (clue,))).contradiction
    grade = ladder.grade(CastleWall(3, 3, (CastleClue(1, 1, "white"),)))
    assert (grade.rung, grade.finished, grade.settled) == ("parity", True, 1.0)
    assert sum(grade.per_rung.values()) == grade.steps
    assert not ladder.grade(CastleWall(3, 3)).finished


def test_assumptions_are_bounded(monkeypatch):
    """A climb ends where it has made as many, the same in plain Python as compiled."""
    url = "castle/10/10/b22120.b222j233i232i20.234a212p233g232j231d214c211h213e"
    puzzle = codecs.read(url)
    for most, finished in ((0, False), (100, False), (1000, True)):
        fast = ladder.grade(puzzle, assumptions=most)
        with monkeypatch.context() as patch:
            patch.setattr(climber, "compiled", lambda kernel: kernel)
            assert ladder.grade(puzzle, assumptions=most) == fast
        assert fast.finished == finished
    assert ladder.grade(puzzle) == fast


def test_importing_and_explaining_loads_no_compiler():
    code = (
        "import sys; from castlecp import explain; from castlecp.genres.castle import *;"
        "explain(CastleWall(3, 3, (CastleClue(1, 1, 'white'),)));"
        "print([m for m in ('numba', 'numpy', 'networkx') if m in sys.modules])"
    )
    here = Path(__file__).parents[1]
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=here)
    assert out.stdout.strip() == "[]", out.stderr


def test_a_count_fits_the_bits_of_a_number():
    """A set of totals up to the longest count, moved on by one edge, is a number of 64 bits."""
    for rule in (ray, visibility):
        assert (2 << rule.LONGEST) - 1 << 1 < 2**63
