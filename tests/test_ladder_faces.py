"""The ladders of Slitherlink and Cave: plain references, brute force, and certified boards."""

from __future__ import annotations

import random
import re
from itertools import chain
from random import Random
from typing import Any

import msgspec
import pytest
import reference_faces as reference
import reference_ladder as lines
from boards import corpus
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_ladder import literals_of

from castlecp import backtrack as backtracking
from castlecp import codecs, ladder
from castlecp.backtrack import backtrack
from castlecp.brute import loops, solutions
from castlecp.budget import Budget
from castlecp.crosscheck import random_board
from castlecp.genres.cave import Cave, CaveClue
from castlecp.genres.slither import SlitherClue, Slitherlink, Statement
from castlecp.grid import Loop
from castlecp.ladder import climbing, hints, ladder_of
from castlecp.ladder.climber import climbed, entries_of, log_size
from castlecp.ladder.climbing import CHEAP
from castlecp.ladder.rules import assumes, bit
from castlecp.ladder.wording import Wording
from castlecp.position import Position
from castlecp.propagation import fixpoint
from castlecp.propagation import genres as readers
from castlecp.propagation.bits import bits
from castlecp.propagation.genres import cave, slither
from castlecp.propagation.rules import names as rule_names
from castlecp.propagation.state import RULES, TAIL, blank

GENRES = {"slither": slither, "cave": cave}


def with_statements(puzzle: Slitherlink, rng: random.Random) -> Slitherlink:
    """Places and statements, as many of them false as of some loop, or any number."""
    cells = rng.sample(list(puzzle.lattice.faces()), min(4, puzzle.rows * puzzle.cols))
    places = dict(zip("ABCD", cells, strict=False))
    statements = []
    for _ in range(rng.randint(1, 7)):
        says = rng.choice(["inside", "outside", "same", "opposite"])
        names = rng.choices(sorted(places), k=1 if says in ("inside", "outside") else 2)
        statements.append(Statement(says, tuple(names)))
    puzzle = msgspec.structs.replace(puzzle, places=places, statements=tuple(statements))
    lies = rng.choice(
        [len(puzzle.liars(rng.choice(loops(puzzle.lattice)))), rng.randint(0, len(statements))]
    )
    return msgspec.structs.replace(puzzle, false_statements=lies)


@st.composite
def puzzles(draw: st.DrawFn, genre: str | None = None) -> Any:
    """A small board: true clues about a loop, or some of them changed, or with statements."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    genre = genre or draw(st.sampled_from(sorted(GENRES)))
    rows, cols = draw(st.sampled_from([(1, 3), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4)]))
    size = (rows, rows), (cols, cols)
    puzzle = random_board(genre, *size, rng.uniform(0.1, 1), rng.randrange(2**32))
    if genre == "slither":
        if draw(st.booleans()):
            puzzle = with_statements(puzzle, rng)
        if draw(st.integers(0, 5)) == 0:
            puzzle = msgspec.structs.replace(puzzle, visits_all=True)
    return puzzle


def knowledge(puzzle: Any, seed: int, right: float = 0.97) -> Any:
    """A state and the same for the reference: edges, sides or relations as a loop has them."""
    rng = random.Random(seed)
    reading = readers.of(puzzle).read(puzzle)
    board, state = reading.board, blank(reading.board)
    known = reference.KnownFaces(puzzle)
    lattice, edges = puzzle.lattice, puzzle.lattice.edges
    line = rng.choice(solutions(puzzle) or loops(lattice))
    share = rng.random()
    for number, edge in enumerate(edges if not board.by_faces else ()):
        if rng.random() < share:
            value = edge in line.edges if rng.random() < right else rng.random() < 0.5
            assume(fixpoint.accept(board, state, 2 * number + value))
            known.edges[edge] = value
    faces = list(lattice.faces())
    for number, face in enumerate(faces):
        if rng.random() < (share if board.by_faces else 0.2):
            other = rng.choice(faces) if not board.by_faces and rng.random() < 0.7 else None
            inside = (face in line.inside) != (other in line.inside if other else False)
            value = inside if rng.random() < right else not inside
            g = faces.index(other) if other else board.outer
            literal = 2 * (len(edges) + number * (board.outer + 1) + g) + value
            if other == face:
                continue
            assume(fixpoint.accept(board, state, literal))
            known.relations[frozenset({face, other or lines.OUTER})] = value
    known.freeze()
    for edge in edges if board.by_faces else ():
        if (value := known.value(edge)) is not None:
            known.edges[edge] = value
    # Sides mean nothing where they contradict one another.
    said = [(lines.beside(puzzle, edge), value) for edge, value in known.edges.items()]
    said += [(tuple(pair), value) for pair, value in known.relations.items()]
    assume(all(known.relation(*pair) == value for pair, value in said))
    return reading, state, known


REFERENCES = {
    ("slither", "degree"): reference.passes,
    ("slither", "pattern"): reference.pattern,
    ("slither", "statement"): reference.statement,
    ("cave", "visibility"): reference.count,
    ("cave", "corner"): reference.corner,
    ("cave", "reach"): lines.reach,
}


@pytest.mark.parametrize(("genre", "rule"), REFERENCES)
def test_a_rule_finds_what_the_reference_finds(genre: str, rule: str) -> None:
    """All findings of one rule at a random state."""
    seen = {"dead": 0, "something": 0}

    # Always the same boards, so that there are always some of each kind.
    @settings(max_examples=400, derandomize=True)
    @given(puzzles(genre), st.integers(0, 10**9))
    def check(puzzle: Any, seed: int) -> None:
        reading, state, known = knowledge(puzzle, seed)
        state.n[RULES] = CHEAP & ~bit("sides")
        alive = climbing.apply(reading.board, state, bit(rule), 0)
        found = literals_of(reading, state.queue[: state.n[TAIL]])
        try:
            expected = set().union(*REFERENCES[genre, rule](puzzle, known))
        except reference.Dead:
            seen["dead"] += 1
            assert not alive or (rule in ("statement", "corner") and found)
            return
        if any((what, not value) in expected for what, value in expected):
            assert not alive or any((what, not value) in found for what, value in found)
            return
        seen["something"] += bool(expected)
        assert alive
        assert found == expected

    check()
    assert seen["something"] > 10
    assert seen["dead"] > 0


@settings(max_examples=250)
@given(puzzles(), st.data())
def test_fixpoint_is_where_single_steps_end(puzzle: Any, data: st.DataObject) -> None:
    """The queue settles what steps settle, and dies when they die."""
    cheap = [rule for rule, _ in ladder_of(puzzle) if not assumes(rule)]
    rules = [rule for rule in cheap if rule in ("degree", "sides") or data.draw(st.booleans())]
    reading = readers.of(puzzle).read(puzzle)
    board, stepped, state = reading.board, blank(reading.board), blank(reading.board)
    log = [0] * log_size(board)
    end = climbing.climb(board, stepped, board.given, list(map(bit, rules)), log)
    state.n[RULES] = bits(rules)
    alive = fixpoint.wake(board, state) and fixpoint.propagate(board, state)
    assert alive == (end != climbing.CONFLICT)
    if alive:
        assert state.edge == stepped.edge
        sides = [
            [f == g or s.root[f] == s.root[g] for f in s.root]
            for s in (state, stepped)
            for g in s.root
        ]
        assert sides[: len(sides) // 2] == sides[len(sides) // 2 :]


@settings(max_examples=200)
@given(puzzles())
def test_every_step_holds_in_every_answer(puzzle: Any) -> None:
    """The whole ladder, against all answers by brute force; nothing is settled twice."""
    answers, done = solutions(puzzle), set()
    steps = ladder.explain(puzzle)
    for step in chain.from_iterable(step.steps for step in steps):
        assert not done & {*step.on, *step.off}
        done |= {*step.on, *step.off}
        for loop in answers:
            assert set(step.on) <= loop.edges
            assert not set(step.off) & loop.edges
            for f, g, differ in step.relations:
                assert ((f in loop.inside) != (g in loop.inside)) == differ
        if not (step.on or step.off or step.relations):
            assert answers == []
            assert step is steps[-1].steps[-1]
        if step.assumed:
            assert (step.chain[-1].on, step.chain[-1].relations) == ((), ())
    grade = ladder.grade(puzzle)
    assert grade.steps == sum(len(step.steps) for step in steps)
    if grade.finished:
        assert len(answers) == 1
    assert not grade.contradiction or answers == []


@settings(max_examples=200)
@given(puzzles(), st.sets(st.sampled_from(rule_names())), st.sampled_from([None, 0, 3]))
def test_every_set_of_rules_gives_the_same_loops(
    puzzle: Any, rules: set[str], patience: Any
) -> None:
    """Any rules of any genre, probing or not."""
    found = backtrack(puzzle, limit=None, rules=rules, patience=patience)
    assert found.exact
    assert len(found.loops) == len(set(found.loops))
    assert set(found.loops) == set(solutions(puzzle))


@settings(max_examples=60)
@given(puzzles())
def test_compiled_and_plain_searches_agree(puzzle: Any) -> None:
    """The same loops after the same nodes."""
    fast = backtrack(puzzle, limit=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backtracking, "compiled", lambda kernel: kernel)
        assert backtrack(puzzle, limit=None) == fast


@settings(max_examples=60)
@given(puzzles())
def test_compiled_and_plain_climbs_agree(puzzle: Any) -> None:
    """The same steps from lists and from buffers, whatever the clues are."""
    board = readers.of(puzzle).read(puzzle).board
    rules = [rule for rule, _ in ladder_of(puzzle)]
    log = [0] * log_size(board)
    end = climbing.climb(board, blank(board), [], list(map(bit, rules)), log)
    assert climbed(board, [], rules, Budget()) == (end, entries_of(log))


def certified(genre: str, most: int) -> list[tuple[str, Any, Loop | None]]:
    """The corpus's boards up to a size, with the answer where there is exactly one."""
    boards = {
        line["id"]: codecs.read(line["url"])
        for line in corpus(genre)
        if max(line["width"], line["height"]) <= most
    }
    answers = {
        line["id"]: codecs.codec("pzprv3").read_answer(line["file_text"], boards[line["id"]])
        for line in corpus("answers")
        if line["id"] in boards
    }
    return [(name, puzzle, answers.get(name)) for name, puzzle in boards.items()]


@pytest.mark.parametrize("genre", GENRES)
def test_the_corpus(genre: str) -> None:
    """Every step agrees with the certified answer, the ladder finishes, the search finds it."""
    boards = certified(genre, 14)
    assert len(boards) > 50
    for name, puzzle, answer in boards:
        found = backtrack(puzzle, budget=Budget(steps=20_000))
        assert found.ended != "budget", name
        if answer is None:
            assert len(found.loops) != 1, name
            continue
        assert found.loops == (answer,), name
        steps = ladder.explain(puzzle, chains=False, detail=True)
        for step in steps:
            assert set(step.on) <= answer.edges, name
            assert not set(step.off) & answer.edges, name
            for f, g, differ in step.relations:
                assert ((f in answer.inside) != (g in answer.inside)) == differ, name
        settled = {edge for step in steps for edge in (*step.on, *step.off)}
        assert settled == set(puzzle.lattice.edges), name


def slitherlink(text: str, **more: Any) -> Slitherlink:
    """A board from a picture of its numbers."""
    rows = text.split()
    clues = [
        SlitherClue(r, c, int(sign))
        for r, row in enumerate(rows)
        for c, sign in enumerate(row)
        if sign != "."
    ]
    return Slitherlink(len(rows), len(rows[0]), tuple(clues), **more)


def first_by(puzzle: Any, rung: str) -> Any:
    return next(step for step in ladder.explain(puzzle, detail=True) if step.rung == rung)


@pytest.mark.parametrize(
    ("picture", "on", "off"),
    [
        # Threes beside each other diagonally: the four edges away from the corner between them.
        ("..... .3... ..3.. ..... .....", "a2 l2 b3 r3", ""),
        # The same with a two between them.
        ("...... .3.... ..2... ...3.. ......", "a2 l2 b4 r4", ""),
        # In a corner of the board: a three, a one, and a two.
        ("3.... ..... .....", "a1 l1", ""),
        ("1.... ..... .....", "", "a1 l1"),
        # Two threes beside each other: the outer two of three parallels.
        ("..... ..... .33.. ..... .....", "L R", ""),
    ],
)
def test_what_a_slitherlink_solver_knows(picture: str, on: str, off: str) -> None:
    """The patterns of the books are found without supposing anything."""
    puzzle = slitherlink(picture)
    rules = ["count", "degree", "pattern"]
    steps = ladder.explain(puzzle, rules, detail=True)
    drawn = {edge for step in steps for edge in step.on}
    crossed = {edge for step in steps for edge in step.off}
    threes = [(clue.row, clue.col) for clue in puzzle.clues]
    names = {}
    for k, (r, c) in enumerate(threes):
        top, right, bottom, left = reference.edges_of((r, c))
        for letter, edge in zip("arbl", (top, right, bottom, left), strict=True):
            names[f"{letter}{r + 1}"] = edge
        names["L" if k == 0 else "R"] = left if k == 0 else right
    assert {names[x] for x in on.split()} <= drawn
    assert {names[x] for x in off.split()} <= crossed


def test_a_two_in_a_corner_of_the_board() -> None:
    """The line passes the two points beside the corner, and goes on along the border."""
    rules = ["count", "degree", "pattern"]
    steps = ladder.explain(slitherlink("2.... ..... ....."), rules, detail=True)
    drawn = {tuple(edge) for step in steps for edge in step.on}
    assert {(0, 1, 0, 2), (1, 0, 2, 0)} <= drawn


def test_statements_in_words() -> None:
    """Numbers of false statements, and which statements follow."""
    places = {"pharmacy": (0, 0), "bakery": (2, 2), "court": (0, 2)}
    says = [("inside", "pharmacy"), ("same", "pharmacy", "bakery"), ("outside", "court")]
    said = tuple(Statement(what, tuple(of)) for what, *of in says)  # type: ignore[arg-type]
    board = Slitherlink(3, 3, (), places=places, statements=said)
    step = first_by(board, "statement")
    assert step.sentence == (
        "Exactly 0 of 3 statements are false, so these are true: pharmacy is "
        "inside, pharmacy and bakery are on the same side and court is outside."
    )
    assert {(f, differ) for f, _, differ in step.relations} >= {((0, 0), True), ((0, 2), False)}
    all_false = msgspec.structs.replace(board, false_statements=3)
    assert "are false: pharmacy is inside" in first_by(all_false, "statement").sentence
    # One of the first two is false, as they contradict each other, so the third is true.
    said = (Statement("inside", ("court",)), Statement("outside", ("court",)), said[0])
    one = Slitherlink(3, 3, (), places=places, statements=said, false_statements=1)
    step = first_by(one, "statement")
    assert step.relations == (((0, 0), None, True),)
    assert "true: pharmacy is inside" in step.sentence
    none = msgspec.structs.replace(one, false_statements=0)
    assert ladder.grade(none).contradiction


def test_the_words_for_places() -> None:
    """Cells by row and column from 1, points and edges by a cell that they touch."""
    puzzle = slitherlink("3.. ... ..2")
    reading = Wording(slither.read(puzzle))
    assert reading.at_face(0) == "row 1, column 1 (3)"
    assert reading.at_vertex(0) == "the top left of row 1, column 1"
    assert reading.at_vertex(15) == "the bottom right of row 3, column 3"
    words = {reading.at_edge(e) for e in range(len(puzzle.lattice.edges))}
    assert len(words) == len(puzzle.lattice.edges)
    assert "the edge below row 3, column 2" in words
    assert "the edge right of row 1, column 3" in words


def test_cave_in_words() -> None:
    """A person who solves a Cave thinks in cells and never hears of edges."""
    for _, puzzle, answer in certified("cave", 8):
        steps = ladder.explain(puzzle)
        assert not any("edge" in step.sentence for step in steps)
        assert not any("edge" in link.sentence for step in steps for link in step.chain)
        assert not any(link.rung not in RUNGS_OF_CAVE for step in steps for link in step.chain)
        if answer is None:
            continue
        told: dict[Any, bool] = {}
        for step in steps:
            for f, g, inside in step.relations:
                assert g is None
                assert f not in told
                told[f] = inside
            if step.assumed:
                (place, side), (r, c) = step.assumed, step.assumed[0]
                words = f"If row {r + 1}, column {c + 1}"
                assert re.match(
                    rf"{words}( \(.*\))? were {'cave' if side else 'wall'},", step.sentence
                )
                assert told[place] != side
        assert told == {f: f in answer.inside for f in puzzle.lattice.faces()}


def test_hints_on_a_cave_count_no_edges() -> None:
    """Whatever part of the line is drawn: an edge is named where one drawn edge is the matter."""
    random = Random(6)
    rungs = set()
    for _, puzzle, answer in certified("cave", 8):
        for share in range(6) if answer else ():
            drawn = {edge for edge in sorted(answer.edges) if random.random() < share / 5}
            drawn |= {random.choice(puzzle.lattice.edges)} if share == 3 else set()
            step = hints.next_step(puzzle, Position(puzzle.lattice, frozenset(drawn)), answer)
            for told in (step, *step.chain) if step else ():
                rungs.add(told.rung)
                assert "edges" not in told.sentence
                assert told.rung in ("mistake", "solution") or "edge" not in told.sentence
    assert {"mistake", "count"} <= rungs


RUNGS_OF_CAVE = ("supposition", "count", "corner", "bridge")


def test_hints_where_a_player_shades() -> None:
    """A wrong cell first, then walls until all are shaded."""
    _, puzzle, answer = next(board for board in certified("cave", 8) if board[2])
    faces = set(puzzle.lattice.faces())
    shaded: set[Any] = set()
    for _ in faces:
        line = Loop.around(puzzle.lattice, faces - shaded)
        step = hints.next_step(puzzle, Position.of(line), answer)
        if step is None:
            break
        new = {f for f, _, inside in step.relations if not inside}
        assert new - shaded
        assert not new & answer.inside
        assert "wall" in step.sentence
        shaded |= new
    assert faces - shaded == answer.inside
    wrong = min(answer.inside)
    step = hints.next_step(
        puzzle, Position.of(Loop.around(puzzle.lattice, faces - {wrong})), answer
    )
    assert (step.rung, step.relations) == ("mistake", ((wrong, None, True),))
    # A fence that is not closed is a line as in every genre.
    step = hints.next_step(puzzle, Position(puzzle.lattice), answer)
    assert step.on
    assert set(step.on) <= answer.edges


def test_numbers_too_large_for_the_bits_of_a_number() -> None:
    """A sight of more than sixty cells is judged when all is settled."""
    for number, finished in ((70, True), (69, False), (71, False)):
        puzzle = Cave(1, 70, (CaveClue(0, 0, number), CaveClue(0, 69, 70)))
        grade = ladder.grade(puzzle)
        assert grade.contradiction != finished
        assert len(backtrack(puzzle).loops) == finished


def test_rays_leave_face_counts_alone() -> None:
    """Counts around a face run along no line, so the rule "ray" says nothing of them."""
    puzzle = slitherlink("32. .12 2.3")
    assert set(slither.read(puzzle).board.line) == {-1}
    with_rays = ladder.explain(puzzle, ["count", "degree", "ray"])
    assert with_rays == ladder.explain(puzzle, ["count", "degree"])
