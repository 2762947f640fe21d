"""Statements and the flag: every method and every output, against all loops of small boards."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import brute
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22
from slithers import lies, obeys, random_slither, saying, slithers, solutions
from strategies import symmetries
from typer.testing import CliRunner, Result

from castlecp import codecs, genres, methods
from castlecp.certify import rules
from castlecp.certify.clauses import base_of
from castlecp.certify.formula import stated
from castlecp.certify.prove import certify
from castlecp.certify.verify import verify
from castlecp.checker import check
from castlecp.cli import app
from castlecp.crosscheck import compare, random_board
from castlecp.errors import FormatError, PuzzleError, Rejected
from castlecp.generate.mend import apply, mend
from castlecp.generate.minimise import minimise
from castlecp.genres.slither import SlitherClue, Slitherlink, Statement
from castlecp.grid import Edge, Lattice, Loop
from castlecp.methods import solve
from castlecp.model import Count, Model, base
from castlecp.session import Session, conflicting_clues
from castlecp.sums import line_sums
from castlecp.verdict import Status

#: Statements about one place twice: the first is true and the second false whatever the loop.
SAME, OPPOSITE = (Statement(says, ("the mill", "the mill")) for says in ("same", "opposite"))


def run(*args: str, stdin: str | None = None) -> Result:
    """A command's result, run inside this process."""
    return CliRunner().invoke(app, list(args), input=stdin)


def text(puzzle: Slitherlink) -> str:
    """A board as JSON."""
    return codecs.write(puzzle, "json")


def board(rows: int, cols: int, *statements: Statement, false: int = 0, **more: Any) -> Slitherlink:
    """A board with statements about the mill at the top left and the inn at the bottom right."""
    places = {"the mill": (0, 0), "the inn": (rows - 1, cols - 1)}
    return Slitherlink(
        rows, cols, places=places, statements=statements, false_statements=false, **more
    )


# Who solves.


@pytest.mark.parametrize("name", methods.names())
@pytest.mark.parametrize("seed", range(12))
def test_methods(name: str, seed: int) -> None:
    """All solutions of random boards, from none of the statements false to all of them."""
    random = Random(seed)
    puzzle = random_slither(random, *random.choice(((2, 3), (3, 3), (3, 4), (4, 2))))
    for false in range(len(puzzle.statements) + 1):
        asked = saying(puzzle, false)
        verdict = methods.solve(asked, name, limit=10_000)
        assert {loop.edges for loop in verdict.loops} == solutions(asked)
        assert verdict.exact


@settings(max_examples=30)
@given(st.data())
def test_one_session_for_many(data: st.DataObject) -> None:
    """What a session was asked before does not change what statements and flag say now."""
    random = data.draw(st.randoms(use_true_random=False))
    with Session(Lattice(4, 5)) as session:
        for _ in range(8):
            puzzle = random_slither(random, 3, 4, density=0.5, flag=0.3)
            known = len(solutions(puzzle))
            expected = (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[min(known, 2)]
            assert session.status(puzzle) is expected


@given(slithers(), symmetries)
def test_turned_boards(puzzle: Slitherlink, symmetry: Any) -> None:
    """A turned or mirrored board has the turned solutions, and the same statements are false."""
    turned = puzzle.transformed(symmetry)
    found = solutions(puzzle)
    images = {Loop(puzzle.lattice, x).transformed(symmetry) for x in found}
    assert {loop.edges for loop in images} == solutions(turned)
    assert set(solve(turned, limit=1000).loops) == images
    for edges in found:
        loop = Loop(puzzle.lattice, edges)
        assert turned.liars(loop.transformed(symmetry)) == puzzle.liars(loop) == lies(puzzle, edges)
    assert codecs.read(text(turned)) == turned


def test_statements_about_one_place_twice() -> None:
    """ "The same side" is always true, "opposite sides" never, by every method."""
    every = len(brute.loops(3, 4))
    for name in methods.names():
        for statements, false, number in (
            ((SAME,), 0, every),
            ((SAME,), 1, 0),
            ((OPPOSITE,), 1, every),
            ((OPPOSITE,), 0, 0),
            ((SAME, OPPOSITE, SAME, OPPOSITE), 2, every),
            ((SAME, SAME), 1, 0),
        ):
            verdict = methods.solve(board(2, 3, *statements, false=false), name, limit=1000)
            assert len(verdict.loops) == number, (name, statements, false)


def test_a_statement_made_twice_counts_twice() -> None:
    """Two lies in the same words are two, and the board is remarked on."""
    puzzle = board(2, 3, *[Statement("outside", ("the mill",))] * 2, false=2)
    inside = solve(board(2, 3, Statement("inside", ("the mill",))), limit=1000).loops
    for name in methods.names():
        assert set(methods.solve(puzzle, name, limit=1000).loops) == set(inside)
        assert methods.solve(saying(puzzle, 1), name).status is Status.NONE
    assert any("is made 2 times" in remark for remark in puzzle.remarks())


def test_line_sums_of_what_is_counted_twice() -> None:
    """A count that has a literal twice is no sum along a line, however many it asks for."""
    shape = base(Lattice(2, 2))
    (side,) = set(shape.horizontal[0])
    assert not line_sums(shape, [Count((side,) * 4, 4)], set()).contradiction
    wide = base(Lattice(5, 5))
    corner = wide.horizontal[0][0]
    sums = line_sums(wide, [Count((corner, corner), 2)], set())
    assert (sums.contradiction, sums.lines) == (False, [])


def test_line_sums_across_gaps_are_even() -> None:
    """Without any count, three edges across a gap are two at most, and five are four."""
    sums = line_sums(base(Lattice(3, 5)), [], set())
    assert sorted((len(line), most) for line, _, most in sums.gaps) == [(3, 2)] * 4 + [(5, 4)] * 2


@pytest.mark.parametrize("seed", range(20))
def test_conflicts(seed: int) -> None:
    """A minimal set of clues and demands, by every loop of the lattice."""
    random, lattice = Random(f"conflict {seed}"), (3, 4)
    puzzle = random_slither(random, *lattice, density=0.5, flag=0.5)
    while solutions(puzzle):
        puzzle = random_slither(random, *lattice, density=0.5, flag=0.5)
    parts = conflicting_clues(puzzle)
    assert parts

    def only(kept: list[Any]) -> Slitherlink:
        """The board with only some of its clues and demands."""
        less = msgspec.structs.replace(puzzle, clues=tuple(x for x in puzzle.clues if x in kept))
        for demand in puzzle.demands():
            less = less if demand in kept else less.without(demand)
        return less

    assert not solutions(only(list(parts)))
    for part in parts:
        assert solutions(only([x for x in parts if x != part]))


def test_conflicts_name_statements_and_flag() -> None:
    """Alone, with a clue, and both together; a flag that no loop can obey."""
    alone = board(2, 3, Statement("inside", ("the mill",)), Statement("outside", ("the mill",)))
    assert conflicting_clues(alone) == ("statements",)
    assert conflicting_clues(Slitherlink(2, 2, visits_all=True)) == ("visits_all",)
    zero = SlitherClue(0, 0, 0)
    with_clue = board(2, 3, Statement("inside", ("the mill",)), clues=(zero, SlitherClue(1, 0, 1)))
    assert set(conflicting_clues(with_clue) or ()) == {zero, "statements"}
    both = board(1, 3, Statement("outside", ("the mill",)), visits_all=True)
    assert set(conflicting_clues(both) or ()) == {"statements", "visits_all"}
    assert conflicting_clues(board(2, 3, SAME)) is None


@pytest.mark.parametrize("kind", genres.names())
def test_every_constraint_has_its_part(kind: str) -> None:
    """What a model says is tagged with a clue or a demand: a session knows of nothing else."""
    boards: list[Any] = [random_board(kind, (2, 5), (2, 5), 0.7, seed) for seed in range(20)]
    if kind == "slither":
        boards += [random_slither(Random(seed), 3, 4, flag=0.5) for seed in range(20)]
    for puzzle in boards:
        model = Model.of(puzzle)
        tags = {part.clue for part in (*model.facts, *model.counts)}
        assert tags <= {*puzzle.clues, *puzzle.demands()}
        assert tags >= set(puzzle.demands())


# Who checks.


@pytest.mark.parametrize("size", [(1, 1), (2, 3), (3, 2), (3, 3), (2, 4), (4, 4)])
def test_rules_of_certificates(size: tuple[int, int]) -> None:
    """Of all loops the checker's clauses allow, and its judge takes, those that obey the board."""
    random = Random(f"rules {size}")
    for puzzle in [random_slither(random, *size) for _ in range(1 if size == (4, 4) else 4)] + [
        random_slither(random, *size, density=0, flag=1),
        board(*size, SAME, OPPOSITE, SAME, false=1) if size > (1, 1) else board(2, 2, SAME),
    ]:
        loops = brute.loops(puzzle.rows + 1, puzzle.cols + 1)
        vertices = base_of(puzzle.lattice)
        for false in range(len(puzzle.statements) + 1):
            asked = saying(puzzle, false)
            *clauses, _ = stated(asked, loops[0], []).clauses
            with Minisat22(bootstrap_with=clauses) as solver:
                for loop in loops:
                    drawn = [v if edge in loop else -v for edge, v in vertices.edge.items()]
                    right = obeys(asked, loop)
                    assert solver.solve(drawn) == right
                    inside = Loop(puzzle.lattice, loop).inside
                    broken = rules.of(asked).broken(asked, loop, inside)
                    assert any(True for _ in broken) != right
                    if len(loops) < 1000:
                        assert (check(asked, Loop(puzzle.lattice, loop)) == []) == right


@pytest.mark.parametrize("seed", range(10))
def test_certificates(seed: int) -> None:
    """A certificate carries places, statements and flag, and stands and falls with them."""
    random = Random(f"certificate {seed}")
    puzzle = random_slither(random, 3, 4, density=0.5, flag=0.2)
    while len(solutions(puzzle)) != 1 or not puzzle.demands():
        puzzle = random_slither(random, 3, 4, density=0.5, flag=0.2)
    outcome = certify(puzzle, graded=False)
    assert outcome.status is Status.UNIQUE
    assert outcome.certificate is not None
    verify(outcome.certificate)
    assert codecs.read(json.dumps(outcome.certificate.puzzle)) == puzzle
    for demand in puzzle.demands():
        forged = msgspec.to_builtins(puzzle.without(demand))
        with pytest.raises(Rejected):
            verify(msgspec.structs.replace(outcome.certificate, puzzle=forged).sealed())


# Who makes.


@pytest.mark.parametrize("seed", range(10))
def test_making_carries_statements_along(seed: int) -> None:
    """Minimised and mended boards say what they said, and have one solution by every loop."""
    random = Random(f"making {seed}")
    puzzle = random_slither(random, 3, 4, density=0.4)
    while not solutions(puzzle) or not puzzle.statements:
        puzzle = random_slither(random, 3, 4, density=0.4)
    answer = Loop(puzzle.lattice, random.choice(sorted(solutions(puzzle), key=sorted)))
    mended = mend(puzzle, answer)
    best = apply(puzzle, mended.changes[0]) if mended.changes else puzzle
    if mended.kind == "unique" or mended.changes:
        assert solutions(best) == {answer.edges}
        less = minimise(best)
        assert less.settled
        assert solutions(less.puzzle) == {answer.edges}
        for made in (best, less.puzzle):
            assert made.demands() == puzzle.demands()
            assert made.places == puzzle.places
        for clue in less.puzzle.clues:
            rest = tuple(x for x in less.puzzle.clues if x != clue)
            assert len(solutions(msgspec.structs.replace(less.puzzle, clues=rest))) > 1


def test_mending_when_no_clue_is_at_fault() -> None:
    """Statements that contradict each other are no clue's fault; a clue beside them may be."""
    inside, outside = (Statement(says, ("the mill",)) for says in ("inside", "outside"))
    result = run("mend", text(board(2, 3, inside, outside, clues=(SlitherClue(0, 0, 2),))))
    assert (result.exit_code, "no clue is at fault" in result.stderr) == (1, True)
    zero = SlitherClue(0, 0, 0)
    (way,) = mend(board(2, 3, inside, clues=(zero,))).changes
    assert [change.before for change in way] == [zero]


def test_forced_edges() -> None:
    """What all answers agree on counts the statements."""
    puzzle = board(2, 3, Statement("inside", ("the mill",)), Statement("outside", ("the inn",)))
    found = solutions(puzzle)
    assert len(found) > 1
    forced = solve(puzzle, forced=True).forced
    assert forced is not None
    assert set(forced.on) == set.intersection(*map(set, found))
    assert set(forced.off) == set(puzzle.lattice.edges).difference(*found)
    assert Edge(0, 0, 0, 1) in forced.on


@pytest.mark.parametrize("seed", range(10))
def test_crosscheck(seed: int) -> None:
    """All methods and the list of all loops agree on boards with statements."""
    comparison = compare(random_slither(Random(seed), 3, 4))
    assert comparison.agreed
    assert [opinion.method for opinion in comparison.opinions][-1] == "brute"


# Outputs.

STORY = board(
    3,
    4,
    Statement("inside", ("the mill",)),
    Statement("opposite", ("the mill", "the inn")),
    false=1,
    clues=(SlitherClue(0, 0, 2), SlitherClue(1, 2, 3), SlitherClue(2, 1, 1), SlitherClue(2, 2, 3)),
)
LINES = (
    "(a) the mill: row 1, column 1",
    "(b) the inn: row 3, column 4",
    "1. the mill is inside",
    "2. the mill and the inn are on opposite sides",
    "exactly 1 of 2 statements is false",
)


def test_solve_says_who_lies() -> None:
    """The words of the board, and below a solution what is false; in JSON by number."""
    (answer,) = solutions(STORY)
    (liar,) = lies(STORY, answer)
    output = run("solve", text(STORY)).stdout
    assert all(line in output.splitlines() for line in LINES)
    assert output.rstrip().endswith(f"false: {LINES[2 + liar]}")
    (solution,) = json.loads(run("solve", text(STORY), "--json").stdout)["solutions"]
    assert solution["findings"]["false_statements"] == [liar]
    assert list(solution) == ["edges", "inside", "findings"]


def test_solve_says_who_lies_in_each() -> None:
    """Two solutions, in each of which another statement is false."""
    puzzle = msgspec.structs.replace(STORY, clues=())
    verdict = json.loads(run("solve", text(puzzle), "--json", "--limit", "100").stdout)
    for solution in verdict["solutions"]:
        edges = frozenset(Edge(*edge) for edge in solution["edges"])
        assert solution["findings"]["false_statements"] == lies(puzzle, edges)
    assert {tuple(s["findings"]["false_statements"]) for s in verdict["solutions"]} == {(0,), (1,)}
    output = run("solve", text(puzzle)).stdout
    for which in ("first", "second"):
        assert f"in the {which}, false: " in output
    assert run("solve", text(puzzle), "--limit", "3").stdout.count("\nfalse: ") == 3


def test_solve_names_the_demands_of_a_conflict() -> None:
    """What contradicts each other besides clues, for people and as JSON."""
    zero = SlitherClue(0, 0, 0)
    puzzle = board(2, 3, Statement("inside", ("the mill",)), clues=(zero,))
    output = run("solve", text(puzzle)).stdout
    assert "these 2 demands contradict each other" in output
    assert "  row 1, column 1 (0)\n  exactly 0 of 1 statements are false\n" in output
    conflict = json.loads(run("solve", text(puzzle), "--json").stdout)["conflict"]
    assert [(part["clue"], part["demand"], part["says"]) for part in conflict] == [
        ({"row": 0, "col": 0, "number": 0}, None, "0"),
        (None, "statements", "exactly 0 of 1 statements are false"),
    ]
    output = run("solve", text(Slitherlink(2, 2, visits_all=True))).stdout
    assert "this demand alone leaves no solution:\n  the loop passes every point\n" in output
    assert "no loop at all" not in output


def test_check_says_who_lies(tmp_path: Path) -> None:
    """A right answer, a wrong one, and a line that is no loop."""
    answer = tmp_path / "answer.json"
    answer.write_text(run("solve", text(STORY), "--json").stdout)
    (liar,) = lies(STORY, next(iter(solutions(STORY))))
    assert run("check", text(STORY), str(answer)).stdout == (
        f"correct\n\nfalse: {LINES[2 + liar]}\n"
    )
    judged = json.loads(run("check", text(STORY), str(answer), "--json").stdout)
    assert (judged["correct"], judged["faults"]) == (True, [])
    assert judged["findings"] == {"false_statements": [liar]}
    other = saying(STORY, 2)
    result = run("check", text(other), str(answer))
    assert result.exit_code == 1
    assert "false-statements: The number of false statements is 1, where" in result.stdout
    assert f"\nfalse: {LINES[2 + liar]}\n" in result.stdout
    answer.write_text('{"edges": [[0, 0, 0, 1]]}')
    assert "false: " not in run("check", text(STORY), str(answer)).stdout
    broken = json.loads(run("check", text(STORY), str(answer), "--json").stdout)
    assert (broken["correct"], broken["findings"]) == (False, {})


def test_draw(tmp_path: Path) -> None:
    """The words stand below the picture; in SVG, a line each, in the caption."""
    answer = tmp_path / "answer.json"
    answer.write_text(run("solve", text(STORY), "--json").stdout)
    for answers in ((), (str(answer),)):
        shown = run("draw", text(STORY), *answers).stdout
        assert all(line in shown.splitlines() for line in LINES)
        assert ("\nfalse: " in shown) == bool(answers)
    for name in ("with.svg", "without.svg"):
        puzzle = STORY if name == "with.svg" else STORY.without("statements")
        assert run("draw", text(puzzle), "-o", str(tmp_path / name)).exit_code == 0
    with_, without = ((tmp_path / f"{x}.svg").read_text() for x in ("with", "without"))
    assert "the mill and the inn are on opposite sides" in with_
    assert "opposite" not in without
    heights = [int(svg.split('height="')[1].split('"')[0]) for svg in (with_, without)]
    assert heights[0] - heights[1] == 24 * 3


@pytest.mark.parametrize("form", ["url", "pzprv3", "board"])
def test_formats_that_have_no_words_for_it(form: str) -> None:
    """Places and statements are not dropped in silence."""
    for puzzle in (STORY, STORY.without("statements")):
        with pytest.raises(FormatError, match="cannot say `places`"):
            codecs.write(puzzle, form)
    result = run("convert", text(STORY), "--to", form)
    assert (result.exit_code, "cannot say `places`" in result.stderr) == (2, True)


@given(slithers())
def test_json_says_everything(puzzle: Slitherlink) -> None:
    """JSON and back."""
    assert codecs.read(text(puzzle)) == puzzle


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"statements": [{"says": "inside", "of": ["the pub"]}]},
            "`statements[0].of` names 'the pub', which is no place",
        ),
        (
            {"places": {"the mill": [3, 0]}},
            "'the mill' is off the board, which is 4 wide, 3 high",
        ),
        (
            {"places": {"the mill": [0, 0], "a": [0, 0]}},
            "`places`: 'the mill' and 'a' are the same cell",
        ),
        ({"false_statements": 3}, "`false_statements` must be from 0 to 2"),
        ({"false_statements": -1}, "`false_statements` must be from 0 to 2"),
        (
            {"statements": [{"says": "same", "of": ["the mill"]}]},
            "`statements[0].of` must name two",
        ),
        (
            {"statements": [{"says": "near", "of": ["the mill"]}]},
            '"inside" or "opposite" or "outside"',
        ),
    ],
)
def test_statements_that_make_no_sense(change: dict[str, Any], message: str) -> None:
    """Each is refused with its place."""
    source = json.dumps(json.loads(text(STORY)) | change)
    with pytest.raises((FormatError, PuzzleError)) as refused:
        codecs.read(source)
    assert message in str(refused.value)
