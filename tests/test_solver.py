"""Verdicts: against known counts, against brute force, with every engine."""

from __future__ import annotations

import weakref
from itertools import product
from random import Random

import brute
import pytest
import samples
from boards import board_around, corpus, corpus_boards, random_board
from msgspec.structs import replace
from samples import every_genre

from castlecp import codecs, methods
from castlecp.budget import Budget
from castlecp.checker import check
from castlecp.engines import sat
from castlecp.generate.rivals import Rivals
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.genres.slither import Slitherlink, Statement
from castlecp.grid import SYMMETRIES, Lattice, Loop
from castlecp.methods import solve
from castlecp.model import Model
from castlecp.session import Live, Session, conflicting_clues
from castlecp.solver import Search
from castlecp.sums import line_sums
from castlecp.verdict import Status

ENGINES = [name for name in methods.names() if name != methods.BACKTRACK]

#: Loops of a lattice without clues: OEIS A140517 (squares) and A231829 (rectangles).
UNCLUED = {
    (1, 1): 0,
    (1, 5): 0,
    (2, 1): 0,
    (2, 2): 1,
    (2, 3): 3,
    (5, 2): 10,
    (3, 3): 13,
    (3, 4): 40,
    (3, 5): 108,
    (6, 3): 275,
    (4, 4): 213,
    (4, 5): 1049,
}

#: Solutions of small boards, counted by two public solvers: the rules as used in the wild.
COUNTS = {
    "castle/3/3/d00.d": 1,
    "castle/3/3/d10.d": 1,
    "castle/3/3/d20.d": 0,
    "castle/3/3/d005d": 1,
    "castle/3/3/d02.d": 1,
    "castle/4/4/00.o": 116,
    "castle/4/4/040o": 40,
    "castle/4/4/041o": 46,
    "castle/4/4/042o": 30,
    "castle/4/4/043o": 0,
    "castle/4/4/04.o": 116,
    "castle/4/4/005o": 116,
    "castle/4/4/10.o": 0,
    "castle/4/4/20.o": 116,
    "castle/4/4/e00.j": 43,
    "castle/4/4/e10.j": 28,
    "castle/4/4/e20.j": 15,
    "castle/4/4/e040j": 24,
    "castle/4/4/e041j": 19,
    "castle/4/4/e030j": 43,
    # By hand: a 4 is a loop around one cell; a number is of edges, and the loop is never empty.
    "slither/1/1/4": 1,
    "slither/1/1/0": 0,
    "slither/1/1/.": 1,
    "slither/2/2/g4h": 1,
    "slither/2/2/0i": 1,
    "slither/2/2/.i": 13,
    # All points: a row of two cells; nine points, an odd number; 4 x 4 points (OEIS A003763).
    "slither/f/2/1/h": 1,
    "slither/f/2/2/j": 0,
    "slither/f/3/3/o": 6,
    # Of 13 caves of 2 x 2 cells (two cells that touch at a corner are none) 7 have a given cell.
    "cave/2/2/j": 13,
    "cave/2/2/.i": 7,
    "cave/2/2/3i": 2,
    "cave/2/2/1i": 1,
    "cave/2/2/4i": 0,
    "cave/1/1/1": 1,
    "cave/3/1/2h": 1,
    "cave/3/1/3h": 1,
    "cave/3/1/0h": 0,
    "cave/3/1/-ffh": 0,
    "cave/3/1/1g1": 0,
}

UNIQUE = (
    "castle/10/10/023b022b023v224c032f044p113c044b014w214b014b014e",
    "castle/10/10/f00.g231g141d141b022d042g241d212b112d141g042d022b241d241g131g00.f",
    "cave/6/6/k3h6j2l7g3g2h3n",
)


@pytest.fixture(params=ENGINES)
def name(request: pytest.FixtureRequest) -> str:
    """Every engine by name."""
    return request.param


@every_genre
@pytest.mark.parametrize("size", UNCLUED)
def test_unclued_lattices(genre: str, name: str, size: tuple[int, int]) -> None:
    """A board without clues has as many solutions as the lattice has loops."""
    if name == "cpsat" and UNCLUED[size] > 100:
        pytest.skip("enumeration by solving again takes minutes")
    puzzle = samples.blank(genre, *size)
    if puzzle.lattice != Lattice(*size):
        pytest.skip("no board of this genre has so small a lattice")
    verdict = solve(puzzle, name, limit=2_000)
    assert (len(verdict.loops), verdict.exact) == (UNCLUED[size], True)
    assert len(set(verdict.loops)) == len(verdict.loops)


@every_genre
def test_five_by_five(genre: str) -> None:
    """All 9,349 loops of 5 x 5 vertices, and each of them a loop."""
    verdict = solve(samples.blank(genre, 5, 5), "sat", limit=10_000)
    assert {loop.edges for loop in verdict.loops} == set(brute.loops(5, 5))


@pytest.mark.filterwarnings("ignore::castlecp.errors.FormatWarning")
@pytest.mark.parametrize("body", COUNTS)
def test_counts(name: str, body: str) -> None:
    """Grey, no arrow, `?`, zero, a number beyond its ray, white on the border."""
    verdict = solve(codecs.read(body), name, limit=200)
    assert (len(verdict.loops), verdict.exact) == (COUNTS[body], True)


@pytest.mark.parametrize("url", UNIQUE)
def test_known_unique(name: str, url: str) -> None:
    """Some published boards have one solution, and it is right."""
    puzzle = codecs.read(url)
    verdict = solve(puzzle, name)
    assert verdict.status is Status.UNIQUE
    assert check(puzzle, verdict.loops[0]) == []


@every_genre
@pytest.mark.parametrize("seed", range(40))
def test_against_brute_force(genre: str, name: str, seed: int) -> None:
    """Random boards up to 5 x 5, with and without solutions: the same set of loops."""
    random = Random(seed)
    rows, cols = random.randint(2, 5), random.randint(2, 5)
    make = random_board if seed % 3 == 0 else board_around
    puzzle = make(genre, random, rows, cols, random.choice((0.2, 0.5, 0.9)))
    truth = brute.solutions(puzzle)
    limit = 12 if name == "cpsat" else 300
    verdict = solve(puzzle, name, limit=limit)
    found = {loop.edges for loop in verdict.loops}
    assert len(found) == len(verdict.loops) == min(len(truth), limit)
    assert found <= truth
    assert verdict.exact == (len(truth) < limit)


@pytest.mark.parametrize(
    ("said", "false", "loops"),
    [
        # Of the 13 loops on 2 x 2 cells 7 have a inside, 7 have b inside, 3 both and 2 neither.
        ((), 0, 13),
        (("inside a",), 0, 7),
        (("inside a",), 1, 6),
        (("outside a",), 0, 6),
        (("same ab",), 0, 5),
        (("opposite ba",), 0, 8),
        (("opposite ba",), 1, 5),
        (("inside a", "inside b"), 0, 3),
        (("inside a", "inside b"), 1, 8),
        (("inside a", "inside b"), 2, 2),
        (("inside a", "inside a"), 1, 0),
        (("inside a", "outside a"), 1, 13),
        (("inside a", "outside a", "same ab"), 1, 5),
        (("same aa",), 0, 13),
        (("same aa",), 1, 0),
        (("opposite aa",), 0, 0),
        (("opposite aa", "inside a"), 1, 7),
        (("opposite aa", "inside a"), 2, 6),
    ],
)
def test_statements(name: str, said: tuple[str, ...], false: int, loops: int) -> None:
    """Exactly so many are false; also none and all of them, about one place twice, and twice."""
    statements = tuple(Statement(says, tuple(of)) for says, of in (words.split() for words in said))
    places = {"a": (0, 0), "b": (1, 1)}
    puzzle = Slitherlink(2, 2, (), False, places, statements, false)
    verdict = solve(puzzle, name, limit=20)
    assert len(verdict.loops) == loops
    assert all(len(puzzle.liars(loop)) == false for loop in verdict.loops)
    assert {loop.edges for loop in verdict.loops} == brute.solutions(puzzle)


@pytest.mark.parametrize("genre", ["cave", "slither"])
def test_every_number_in_every_cell(genre: str, name: str) -> None:
    """Alone on a board of 2 x 3 cells: none, zero, the most there can be, and more."""
    blank = samples.kind_of(genre)(2, 3)
    clue = samples.of(genre).WRITTEN[0][0].clues[0]
    for row, col in product(range(2), range(3)):
        for number in (None, *range(6 if genre == "cave" else 5)):
            puzzle = replace(blank, clues=(replace(clue, row=row, col=col, number=number),))
            found = solve(puzzle, name, limit=50).loops
            assert {loop.edges for loop in found} == brute.solutions(puzzle)


@every_genre
@pytest.mark.parametrize("seed", range(8))
def test_symmetries_keep_the_count(genre: str, name: str, seed: int) -> None:
    """Turned and mirrored boards have the turned and mirrored solutions."""
    random = Random(seed)
    puzzle = board_around(genre, random, random.randint(3, 4), random.randint(3, 5), 0.8)
    solutions = solve(puzzle, name, limit=20)
    for symmetry in SYMMETRIES:
        image = solve(puzzle.transformed(symmetry), name, limit=20)
        assert image.status is solutions.status
        if solutions.exact:
            turned = {loop.transformed(symmetry) for loop in solutions.loops}
            assert set(image.loops) == turned


@every_genre
def test_corpus(genre: str, name: str) -> None:
    """Every public board has the number of solutions that two other solvers found.

    CP-SAT is asked about the smaller ones only: all boards together take it minutes.
    """
    answers = {record["id"]: record["file_text"] for record in corpus("answers")}
    expected = {"1": Status.UNIQUE, "0": Status.NONE, ">=2": Status.MULTIPLE}
    for id_, puzzle, solutions in corpus_boards(genre):
        if name == "cpsat" and puzzle.rows * puzzle.cols > 121:
            continue
        verdict = solve(puzzle, name)
        assert verdict.status is expected[solutions], id_
        if id_ in answers:
            assert verdict.loops == (codecs.read_answer(answers[id_], puzzle),)
        assert all(check(puzzle, loop) == [] for loop in verdict.loops), id_


def test_the_hard_one(name: str) -> None:
    """A 17 x 17 board of row and column sums is settled by every engine."""
    hard = {id_: puzzle for id_, puzzle, _ in corpus_boards("castle")}["castle-penpaedit-4"]
    assert solve(hard, name, budget=Budget(steps=100_000)).status is Status.UNIQUE


#: A loop through all of 8 x 8 cells, given by the sums of its rows and columns alone.
SUMS = "castle/9/9/20.227226225223222223225227245h241h240h241h244h245h244h246h"


def test_sums_alone_settle_a_board(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same kind of board of our own, with line sums from the first conflict on."""
    monkeypatch.setattr(sat, "FIRST_SLICE", 1)
    assert solve(codecs.read(SUMS), name, budget=Budget(steps=10_000)).status is Status.UNIQUE


@pytest.mark.parametrize("seed", range(30))
def test_line_sums_lose_no_solution(seed: int) -> None:
    """Boards of whole-line counts keep their solutions when line sums are added at once."""
    random = Random(seed)
    rows, cols = random.randint(3, 5), random.randint(3, 5)
    loop = Loop(Lattice(rows, cols), random.choice(brute.loops(rows, cols)))
    clues = []
    for cell, arrow in [((0, c), "down") for c in range(1, cols)] + [
        ((r, 0), "right") for r in range(1, rows)
    ]:
        if cell not in loop.neighbours and random.random() < 0.8:
            number = sum(edge in loop.edges for edge in loop.lattice.ray(cell, arrow))
            clues.append(CastleClue(*cell, "grey", arrow, number))
    puzzle = CastleWall(rows, cols, tuple(clues))
    truth = brute.solutions(puzzle)
    model = Model.of(puzzle)
    held = sat.Sat(model)
    held._tighten(Budget())
    found = list(Search(model, held, Budget()).all(10_000))
    held.close()
    assert {model.loop(assignment).edges for assignment in found} == truth
    model = Model.of(puzzle)
    sums = line_sums(model.base, model.counts, model.false())
    assert not sums.contradiction
    literal = {edge: model.edge(edge) for edge in puzzle.lattice.edges}
    for solution in truth:
        on = {literal[edge] for edge in solution}
        for literals, least, most in (*sums.gaps, *sums.lines):
            assert least <= sum(x in on for x in literals) <= most
        for _, least, most in sums.gaps:
            assert (least % 2, most % 2) == (0, 0), "a loop crosses a gap an even number of times"
        assert all(on & set(clause) for clause in sums.visited)


@every_genre
@pytest.mark.parametrize("seed", range(18))
def test_forced_edges(genre: str, seed: int) -> None:
    """On in all, off in all, undecided: as brute force says."""
    random = Random(seed)
    puzzle = board_around(genre, random, random.randint(2, 4), random.randint(3, 5), 0.4)
    truth = brute.solutions(puzzle)
    forced = solve(puzzle, ENGINES[seed % len(ENGINES)], forced=True).forced
    edges = set(puzzle.lattice.edges)
    assert forced is not None
    assert set(forced.on) == frozenset.intersection(*truth)
    assert set(forced.off) == edges - frozenset.union(*truth)
    assert set(forced.undecided) == edges - set(forced.on) - set(forced.off)
    assert forced.unsettled == ()


@every_genre
@pytest.mark.parametrize("seed", range(40))
def test_conflicts_are_minimal(genre: str, seed: int) -> None:
    """The clues named have no solution, and any one of them can mend that."""
    random = Random(seed)
    puzzle = random_board(genre, random, random.randint(2, 5), random.randint(2, 5), 0.4)
    blank = type(puzzle)(puzzle.rows, puzzle.cols)
    puzzle = replace(blank, clues=puzzle.clues)
    truth = brute.solutions(puzzle)
    conflict = conflicting_clues(puzzle)
    if truth:
        assert conflict is None
        return
    assert conflict is not None
    assert not brute.solutions(replace(blank, clues=conflict))
    for clue in conflict:
        others = tuple(other for other in conflict if other != clue)
        assert brute.solutions(replace(blank, clues=others)), clue


@every_genre
@pytest.mark.parametrize("seed", range(6))
def test_impossible_clues_are_impossible(genre: str, seed: int) -> None:
    """Of all clues a cell can have, those called impossible have no solution by themselves."""
    random = Random(seed)
    blank = samples.blank(genre, random.randint(2, 4), random.randint(2, 5))
    found = 0
    for _ in range(20):
        cell = (random.randrange(blank.rows), random.randrange(blank.cols))
        clue = samples.of(genre).clue(random, blank, cell)
        for form in (clue, *clue.variations()):
            puzzle = replace(blank, clues=(form,))
            reasons = dict(puzzle.impossible())
            found += len(reasons)
            assert not (reasons and brute.solutions(puzzle))
            assert set(reasons) <= {form}
    assert (found > 0) is samples.of(genre).IMPOSSIBLE


def test_impossible_clues_have_reasons() -> None:
    """White on the border and a number beyond its ray are named, and only such clues."""
    white = CastleClue(0, 1, "white")
    far = CastleClue(2, 2, "grey", "left", 2)
    near = CastleClue(2, 0, "grey", "right", 2)
    puzzle = CastleWall(4, 4, (white, far, near))
    reasons = dict(puzzle.impossible())
    assert set(reasons) == {white, far}
    assert "border" in reasons[white]
    assert "at most 1" in reasons[far]
    assert not any(brute.solutions(CastleWall(4, 4, (clue,))) for clue in reasons)
    assert brute.solutions(CastleWall(4, 4, (near,)))


def test_limit() -> None:
    """A limit gives that many different solutions; a count below it is exact."""
    puzzle = CastleWall(3, 4)
    for limit, exact in ((5, False), (40, False), (41, True)):
        verdict = solve(puzzle, "sat", limit=limit)
        assert len(set(verdict.loops)) == min(limit, 40)
        assert (verdict.exact, verdict.timed_out) == (exact, False)


def test_budget_of_steps(name: str) -> None:
    """Out of steps is inconclusive, the same each time, and never a wrong status."""
    puzzle = codecs.read(UNIQUE[0])
    statuses = set()
    for steps in (0, 1, 5, 20, 10_000):
        first, again = (solve(puzzle, name, budget=Budget(steps=steps)) for _ in range(2))
        assert first == again
        assert first.timed_out is (first.status is Status.INCONCLUSIVE)
        statuses.add(first.status)
    assert solve(puzzle, name, budget=Budget(steps=0)).status is Status.INCONCLUSIVE
    assert statuses == {Status.INCONCLUSIVE, Status.UNIQUE}


def test_budget_of_seconds(name: str) -> None:
    """No time at all settles nothing."""
    verdict = solve(CastleWall(8, 8), name, budget=Budget(seconds=0))
    assert (verdict.status, verdict.timed_out) == (Status.INCONCLUSIVE, True)


def test_one_loop_and_no_steps_left_is_inconclusive() -> None:
    """A solution was found but no proof: not unique."""
    puzzle = codecs.read(UNIQUE[1])
    seen = set()
    for steps in range(60):
        verdict = solve(puzzle, "sat", budget=Budget(steps=steps))
        seen.add((len(verdict.loops), verdict.status))
    assert (1, Status.INCONCLUSIVE) in seen
    assert {status for found, status in seen if found == 0} == {Status.INCONCLUSIVE}


def test_verdicts_have_no_truth_value() -> None:
    """`if verdict:` is a mistake that shows at once."""
    verdict = solve(CastleWall(2, 2))
    for value in (verdict, verdict.status):
        with pytest.raises(TypeError):
            bool(value)


@every_genre
def test_session_gives_the_cold_verdicts(genre: str) -> None:
    """One live solver for many boards: the verdicts of `solve`, in any order."""
    random = Random(7)
    puzzles = [board_around(genre, random, 5, 4, random.random()) for _ in range(30)]
    puzzles += [random_board(genre, random, 5, 4, 0.3) for _ in range(30)]
    cold = [solve(puzzle) for puzzle in puzzles]
    assert {verdict.status for verdict in cold} == {Status.UNIQUE, Status.MULTIPLE, Status.NONE}
    for order in (range(60), random.sample(range(60), 60)):
        with Session(Lattice(5, 4)) as session:
            for index in order:
                warm = session.solve(puzzles[index])
                assert (warm.status, warm.loops) == (cold[index].status, cold[index].loops)
                assert session.status(puzzles[index]) is cold[index].status


def test_session_for_boards_of_every_genre() -> None:
    """What a lattice learns from one genre holds for the others."""
    random = Random(5)
    makers = (board_around, random_board)
    puzzles = [
        make(genre, random, 5, 4, 0.5)
        for _ in range(8)
        for make in makers
        for genre in samples.NAMES
    ]
    with Session(Lattice(5, 4)) as session:
        for puzzle in (*puzzles, *reversed(puzzles)):
            assert session.status(puzzle) is solve(puzzle).status


@every_genre
@pytest.mark.parametrize("renew", [1, 2, 3])
def test_session_renews_itself(genre: str, renew: int) -> None:
    """A session goes over to a new solver, frees the old one, and gives the same verdicts."""
    random = Random(3)
    puzzles = [board_around(genre, random, 4, 4, 0.7) for _ in range(9)]
    with Session(Lattice(4, 4)) as session:
        session.RENEW = renew
        lives: list[weakref.ref[Live]] = []
        for number, puzzle in enumerate(puzzles):
            assert session.solve(puzzle).loops == solve(puzzle).loops
            if number % renew == 0:
                lives.append(weakref.ref(session.live))
            assert [live() for live in lives] == [None] * (len(lives) - 1) + [session.live]


@every_genre
@pytest.mark.parametrize("renew", [1, 2, 3])
def test_who_holds_a_solver_keeps_it(genre: str, renew: int) -> None:
    """Questions to a solver that its session left behind are answered as before."""
    random = Random(4)
    boards = [board_around(genre, random, 4, 5, density) for density in (0.3, 0.9) * 4]
    with Session(Lattice(4, 5)) as session:
        session.RENEW = renew
        for puzzle in boards:
            loop = solve(puzzle).loops[0]
            rivals = Rivals(puzzle, loop, puzzle.clues, session.live)
            for other in boards[:4]:
                session.status(other)
            alone = rivals.unique((1 << len(puzzle.clues)) - 1, Budget())
            assert alone is (solve(puzzle).status is Status.UNIQUE)


def test_session_is_told_of_clues_that_come_again() -> None:
    """A new board is settled at once; when its clues come again, the live solver has them."""
    puzzle = codecs.read(UNIQUE[0])
    less = replace(puzzle, clues=puzzle.clues[1:])
    with Session(puzzle.lattice) as session:
        assert session.status(puzzle) is Status.UNIQUE
        assert session.live.model.counts == []
        assert session.solve(less).loops == solve(less).loops
        assert session.live.model.counts != []
        few = replace(puzzle, clues=puzzle.clues[:2])
        assert session.status(few) is solve(few).status


def test_session_budget() -> None:
    """A board that ran out of steps says so, and does not disturb the next."""
    puzzle = codecs.read(UNIQUE[0])
    with Session(puzzle.lattice) as session:
        session.PATIENCE = 1
        assert session.status(puzzle, Budget(steps=1)) is Status.INCONCLUSIVE
        assert session.solve(puzzle, Budget(steps=1)) == solve(puzzle, budget=Budget(steps=1))
        assert session.status(puzzle, Budget(seconds=0)) is Status.INCONCLUSIVE
        assert session.status(CastleWall(10, 10)) is Status.MULTIPLE
        assert session.status(puzzle) is Status.UNIQUE


def test_session_refuses_another_lattice() -> None:
    """A session is for one lattice."""
    with Session(Lattice(3, 4)) as session, pytest.raises(ValueError, match="3 x 4"):
        session.status(CastleWall(4, 3))
