"""Certificates: the same each time, accepted when right, rejected when anything is not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import count, product
from random import Random
from typing import Any

import brute
import dratify
import msgspec
import pytest
import samples
from boards import HERE, board_around, random_board
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Glucose42
from samples import every_genre
from strategies import lattices, lines

from castlecp import codecs, genres
from castlecp import cuts as solver_cuts
from castlecp.backtrack import Backtrack
from castlecp.budget import Budget
from castlecp.certify import clauses, rules
from castlecp.certify import prove as proving
from castlecp.certify.certificate import Certificate, Variables, encode, hash_of, pack, unpack
from castlecp.certify.clauses import Clause, base_of, exactly
from castlecp.certify.formula import (
    Formula,
    blocking,
    settled,
    stated,
)
from castlecp.certify.prove import certify
from castlecp.certify.rules import cave
from castlecp.certify.verify import (
    check_answer,
    claim_of,
    faces_inside,
    is_one_loop,
    is_sound,
    read,
    replay,
    sizes,
    variables_of,
    verify,
)
from castlecp.errors import Disagreement, Lacking, OutOfBudget, Rejected
from castlecp.genres import Puzzle
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.genres.cave import Cave, CaveClue
from castlecp.grid import Edge, Lattice, Loop
from castlecp.model import base
from castlecp.solver import solve
from castlecp.verdict import Status

BOARDS = HERE / "boards" / "castle"
UNIQUE = (
    "corners-4x7.txt",
    "first-10x10.json",
    "small-6x6.json",
    "wide-5x9.json",
    *(
        f"../{path.parent.name}/{path.name}"
        for path in sorted(BOARDS.parent.glob("*/*"))
        if path.parent != BOARDS and not path.name.startswith(("ambiguous", "contra", "large"))
    ),
)


@cache
def certificate(name: str = "first-10x10.json") -> Certificate:
    """The certificate of a board on disk; grading the large one would take a minute."""
    puzzle = codecs.read_source(str(BOARDS / name))
    found = certify(puzzle, graded="large" not in name).certificate
    assert found is not None
    return found


def changed(of: Certificate, **parts: Any) -> Certificate:
    """A certificate with some parts replaced and its hashes made to match again."""
    made = msgspec.structs.replace(of, **parts)
    if "puzzle" in parts and "sha256" not in parts:
        made = msgspec.structs.replace(made, sha256=hash_of(encode(parts["puzzle"])))
    return made if "digest" in parts else made.sealed()


def forged(puzzle: Puzzle, loop: Loop, cuts: list[Clause], proof: str) -> Certificate:
    """A certificate in which all that needs no proof is right."""
    board = base_of(puzzle.lattice)
    claim = stated(puzzle, loop.edges, cuts)
    return Certificate(
        puzzle=msgspec.to_builtins(puzzle),
        sha256=hash_of(encode(puzzle)),
        loop=tuple(sorted(loop.edges)),
        variables=variables_of(board, claim),
        cuts=tuple(cuts),
        blocking=blocking(board, loop.edges),
        proof=pack(proof),
        cpsat="no second solution",
        backtracker=proving.second.Backtracker("not settled", 1),
        grade=None,
        versions={},
    ).sealed()


# What is right.


@pytest.mark.parametrize("name", UNIQUE)
def test_accepted(name: str) -> None:
    """Certificates of unique boards, also after a trip through text."""
    made = certificate(name)
    puzzle = codecs.read_source(str(BOARDS / name))
    assert verify(read(encode(made))) == puzzle
    assert made.edges == solve(puzzle).loops[0].edges
    assert made.cpsat == "no second solution"
    assert made.backtracker.verdict == "unique"
    assert made.grade is not None
    assert made.grade["finished"]
    assert encode(read(encode(made))) == encode(made)


def test_same_bytes() -> None:
    """Making it again gives the same bytes; a 10 x 10 certificate takes a few kB."""
    again = certify(codecs.read_source(str(BOARDS / "first-10x10.json"))).certificate
    assert encode(again) == encode(certificate())
    assert len(encode(again)) < 6_000


def test_no_certificate() -> None:
    """Boards that are not unique have none; nor have boards whose budget is spent."""
    assert certify(codecs.read_source(str(BOARDS / "row-1x5.url"))).status is Status.NONE
    ambiguous = certify(codecs.read_source(str(BOARDS / "ambiguous-6x6.txt")))
    assert ambiguous.status is Status.MULTIPLE
    assert len(set(ambiguous.loops)) == 2
    spent = certify(codecs.read_source(str(BOARDS / "large-20x20.json")), Budget(steps=3))
    assert spent.status is Status.INCONCLUSIVE
    assert spent.reason == "the steps are spent"
    assert ambiguous.certificate is spent.certificate is None


@every_genre
@pytest.mark.parametrize("seed", range(25))
def test_against_brute_force(genre: str, seed: int) -> None:
    """On small random boards the outcome is what trying all loops says."""
    random = Random(seed)
    rows, cols = random.randint(2, 5), random.randint(2, 5)
    make = random_board if seed % 5 == 0 else board_around
    puzzle = make(genre, random, rows, cols, density=random.choice((0.5, 0.9)))
    loops = brute.solutions(puzzle)
    outcome = certify(puzzle, graded=False)
    expected = (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[min(len(loops), 2)]
    assert outcome.status is expected
    if outcome.certificate is not None:
        assert {outcome.certificate.edges} == loops
        assert verify(read(encode(outcome.certificate))) == puzzle


# What is not.


def with_line(of: Certificate, number: int, *lines: str) -> str:
    """The packed proof with one of its lines replaced."""
    text = unpack(of.proof).splitlines()
    text[number : number + 1 or None] = lines
    return pack("\n".join(text) + "\n")


def a_needed_lemma(of: Certificate) -> int:
    """The number of a middle line without which the next ones do not follow."""
    for number in middle_lines(of):
        if not proves(of, with_line(of, number)):
            return number
    raise AssertionError("every lemma can be spared")


def flipped(of: Certificate) -> str:
    """The packed proof with the sign of one literal changed, so that it does not hold any more."""
    for number in middle_lines(of):
        first, *rest = unpack(of.proof).splitlines()[number].split()
        changed = with_line(of, number, " ".join((str(-int(first)), *rest)))
        if not proves(of, changed):
            return changed
    raise AssertionError("every sign can be changed")


def middle_lines(of: Certificate) -> range:
    """The numbers of the lines from the middle of the proof to its last but one."""
    lines = len(unpack(of.proof).splitlines())
    return range(lines // 2, lines - 1)


def proves(of: Certificate, proof: str) -> bool:
    """Whether dratify itself accepts a packed proof."""
    _, claim = claim_of(of)
    formula = dratify.CNF(claim.variables)
    for clause in settled(claim.clauses):
        formula.add([dratify.from_dimacs(x) for x in clause])
    text = unpack(proof)
    return bool(dratify.check_proof(formula, text, check_rat=False, engine="python").ok)


def under_assumptions(of: Certificate) -> str:
    """A packed proof that Glucose writes when the loop is assumed, which is blocked."""
    _, claim = claim_of(of)
    left = settled(claim.clauses)
    with Glucose42(bootstrap_with=left, with_proof=True) as solver:
        assert solver.solve(assumptions=[-x for x in left[-1]]) is False
        return pack("\n".join([*solver.get_proof(), "0"]) + "\n")


def other_clue(of: Certificate) -> dict[str, Any]:
    """The puzzle with the number of a clue changed."""
    clues = [dict(clue) for clue in of.puzzle["clues"]]
    numbered = next(clue for clue in clues if "number" in clue)
    numbered["number"] += 1
    return of.puzzle | {"clues": clues}


def fewer_clues(of: Certificate) -> dict[str, Any]:
    """The puzzle without its last ten clues: several solutions, one of them the loop."""
    return of.puzzle | {"clues": of.puzzle["clues"][:-10]}


def larger_loop(of: Certificate) -> dict[str, Any]:
    """The loop and its blocking clause with one face more or less inside."""
    board = base_of(Lattice(of.puzzle["rows"], of.puzzle["cols"]))
    inside = set(Loop(board.lattice, of.edges).inside)
    for face in sorted(inside):
        loop = Loop.around(board.lattice, inside - {face})
        if loop.is_single():
            break
    return {"loop": tuple(sorted(loop.edges)), "blocking": blocking(board, loop.edges)}


#: What is done to a good certificate, and the reason against it.
WRONG: dict[str, tuple[Callable[[Certificate], dict[str, Any]], str]] = {
    "last line cut": (lambda c: {"proof": with_line(c, -1)}, "does not end"),
    "lemma dropped": (lambda c: {"proof": with_line(c, a_needed_lemma(c))}, "fails at line"),
    "literal changed": (lambda c: {"proof": flipped(c)}, "fails at line"),
    "no lemma": (lambda c: {"proof": pack("0\n")}, "fails at line 1"),
    "other proof": (lambda c: {"proof": certificate("large-20x20.json").proof}, "not a clause"),
    "other small proof": (lambda c: {"proof": certificate("small-6x6.json").proof}, "fails at"),
    "new variable": (lambda c: {"proof": with_line(c, 0, "99999 0")}, "line 1 .* not a clause"),
    "deletion": (lambda c: {"proof": with_line(c, 0, "d 1 0")}, "line 1 .* not a clause"),
    "line without end": (lambda c: {"proof": with_line(c, 0, "1 2")}, "line 1 .* not a clause"),
    "under assumptions": (lambda c: {"proof": under_assumptions(c)}, "fails at line"),
    "not packed": (lambda c: {"proof": "0"}, "cannot be unpacked"),
    "packed proof cut": (lambda c: {"proof": c.proof[:-8]}, "cut off|cannot be unpacked"),
    "empty": (lambda c: {"proof": pack("")}, "does not end"),
    "unsound cut": (lambda c: {"cuts": (*c.cuts, (c.variables.faces[0],))}, r"cut \d+ does not"),
    "cut shortened": (lambda c: {"cuts": (c.cuts[0][:-1], *c.cuts[1:])}, "cut 1 does not"),
    "cut over edges": (lambda c: {"cuts": ((-1, -2, 3),)}, "cut 1 does not"),
    "cuts dropped": (lambda c: {"cuts": ()}, "fails at line"),
    "blocks more": (lambda c: {"blocking": c.blocking[:-1]}, "does not block exactly"),
    "blocks less": (lambda c: {"blocking": (1, *c.blocking)}, "does not block exactly"),
    "clue altered": (lambda c: {"puzzle": other_clue(c)}, "breaks the clue"),
    "clues dropped": (lambda c: {"puzzle": fewer_clues(c)}, "numbered in another way"),
    "clue on the loop": (lambda c: {"puzzle": clue_on_loop(c)}, "the loop enters it"),
    "loop altered": (larger_loop, "breaks the clue"),
    "loop cut open": (lambda c: {"loop": c.loop[1:]}, "not one closed loop"),
    "loop off the board": (lambda c: {"loop": (*c.loop, (99, 0, 99, 1))}, "not on the board"),
    "loop not in order": (lambda c: {"loop": c.loop[::-1]}, "not in order"),
    "no loop": (lambda c: {"loop": ()}, "not one closed loop"),
    "variables": (lambda c: {"variables": certificate("small-6x6.json").variables}, "numbered"),
    "hash of the puzzle": (lambda c: {"sha256": "0" * 64}, "SHA-256 does not match"),
    "digest": (lambda c: {"digest": "0" * 64}, "digest does not match"),
    "genre": (lambda c: {"puzzle": c.puzzle | {"type": "chess"}}, "no rules for"),
    "key": (lambda c: {"puzzle": c.puzzle | {"more": 1}}, "cannot be read"),
    "clues not in order": (lambda c: {"puzzle": backwards(c)}, "not written canonically"),
}


def clue_on_loop(of: Certificate) -> dict[str, Any]:
    r, c, *_ = of.loop[0]
    clues = [*of.puzzle["clues"], {"row": r, "col": c, "color": "grey"}]
    return of.puzzle | {"clues": sorted(clues, key=lambda clue: (clue["row"], clue["col"]))}


def backwards(of: Certificate) -> dict[str, Any]:
    return of.puzzle | {"clues": of.puzzle["clues"][::-1]}


@pytest.mark.parametrize("name", WRONG)
def test_rejected(name: str) -> None:
    """Everything a certificate can have wrong, with hashes that match what was changed."""
    change, reason = WRONG[name]
    wrong = changed(certificate(), **change(certificate()))
    with pytest.raises(Rejected, match=reason):
        verify(wrong)


def test_broken_text() -> None:
    """A truncated text, another JSON, and a change without a new digest."""
    text = encode(certificate())
    for wrong in (text[:-1], text[: len(text) // 2], b"", b"{}", b"[]", b"\xff", b"[" * 10**5):
        with pytest.raises(Rejected, match="not a certificate"):
            read(wrong)
    with pytest.raises(Rejected, match="digest"):
        verify(read(text.replace(b'"versions":{', b'"versions":{"a":"1",')))


@pytest.mark.parametrize("engine", ["python", "native"])
def test_both_proof_checkers(engine: str) -> None:
    """dratify's two checkers accept the proof and reject it without a lemma."""
    if engine == "native":
        dratify.register_native(pytest.importorskip("cdclkit_native"))
    made = certificate()
    _, claim = claim_of(made)
    replay(claim, unpack(made.proof), engine)
    with pytest.raises(Rejected):
        replay(claim, unpack(with_line(made, a_needed_lemma(made))), engine)


@pytest.mark.parametrize("text", ["1 0\n" * 3_000_000 + "0\n", "1 " * 10**8])
def test_a_packed_bomb(text: str) -> None:
    """Some kB that unpack to millions of lines are left as soon as there are too many."""
    wrong = changed(certificate("small-6x6.json"), proof=pack(text))
    with pytest.raises(OutOfBudget, match=r"more than [0-9,]+ lines"):
        verify(wrong)
    with pytest.raises(OutOfBudget, match="more than 20 lines"):
        verify(changed(wrong, proof=pack("1 0\n" * 20 + "0\n")), max_proof=20)


@pytest.mark.parametrize("numbered", [True, False])
def test_a_board_without_end(numbered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes that ask for a million vertices: nothing is built for them."""
    lattice, puzzle = Lattice(1000, 1000), CastleWall(1000, 1000)
    monkeypatch.setattr(clauses.Base, "__init__", lambda *_: pytest.fail("built"))
    edges, inner = sizes(lattice)
    right = Variables((1, edges), (edges + 1, inner), (inner + 1, inner))
    wrong = changed(
        certificate("small-6x6.json"),
        puzzle=msgspec.to_builtins(puzzle),
        loop=tuple(sorted(Loop.around(lattice, {(0, 0)}).edges)),
        **({"variables": right} if numbered else {}),
    )
    reason, match = (OutOfBudget, "1000 wide, 1000 high") if numbered else (Rejected, "numbered")
    with pytest.raises(reason, match=match):
        verify(wrong)


def test_many_literals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clues that take too much room are found out while they are written down."""
    monkeypatch.setattr(clauses, "MAX_LITERALS", 54 * 100)
    monkeypatch.setattr(cave, "PLAIN", 0)
    few, many = (Cave(9, 9, (CaveClue(4, 4, number),)) for number in (2, 16))
    assert stated(few, [Edge(0, 0, 0, 1)], [])
    room = sum(map(len, rules.of(many).clauses(many, base_of(many.lattice), count(1).__next__)))
    monkeypatch.setattr(clauses, "LITERALS", 0)
    monkeypatch.setattr(clauses, "MAX_LITERALS", room - 1)
    with pytest.raises(OutOfBudget, match="the clues take"):
        stated(many, [Edge(0, 0, 0, 1)], [])
    monkeypatch.setattr(clauses, "MAX_LITERALS", room)
    assert stated(many, [Edge(0, 0, 0, 1)], [])


def test_spent_seconds_and_many_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not looked at is neither accepted nor rejected."""
    with pytest.raises(OutOfBudget, match="time"):
        verify(certificate(), Budget(0.0))
    verify(certificate(), Budget(1000.0))
    monkeypatch.setattr("castlecp.certify.verify.MAX_FLOOD", 100)
    with pytest.raises(OutOfBudget, match="cuts are too many"):
        verify(certificate())


@pytest.mark.parametrize(
    "line", ["1_0 0", "+1 0", " 1 0", "1  0", "01 0", "1 0 ", "1\t0", "1\x0b0"]
)
def test_lines_are_written_in_one_way(line: str) -> None:
    """Python reads these as numbers, and other checkers of an exported proof in other ways."""
    with pytest.raises(Rejected, match="line 1 of the proof is not a clause"):
        verify(changed(certificate(), proof=with_line(certificate(), 0, line)))


def test_no_proof_that_would_not_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bound holds when one is made."""
    monkeypatch.setattr(proving, "most_lines", lambda _: 3)
    found = certify(codecs.read_source(str(BOARDS / "large-20x20.json")), graded=False)
    assert found.status is Status.INCONCLUSIVE
    assert found.reason == "the proof is longer than those that are checked"


# No certificate of an ambiguous board is accepted.


@cache
def ambiguous_boards() -> list[tuple[Puzzle, tuple[Loop, ...]]]:
    """Boards with several solutions, and all of those."""
    boards = []
    random = Random(5)
    while len(boards) < 12:
        genre = samples.NAMES[len(boards) % len(samples.NAMES)]
        sizes = ((4, 4), (4, 5), (5, 4))
        puzzle = board_around(genre, random, *random.choice(sizes), density=0.25)
        loops = [Loop(puzzle.lattice, edges) for edges in brute.solutions(puzzle)]
        if len(loops) > 1:
            loops.sort(key=lambda loop: sorted(loop.edges))
            boards.append((puzzle, tuple(loops)))
    return boards


@st.composite
def cuts_of_a_shape(draw: st.DrawFn, lattice: Lattice) -> Clause:
    """Two faces outside or others inside, or one face inside or others outside: often sound."""
    faces = st.sampled_from(list(base_of(lattice).face.values()))
    sign = draw(st.sampled_from((1, -1)))
    ends = 1 if sign == 1 else 2
    chosen = draw(st.lists(faces, unique=True, min_size=ends))
    return tuple(v * sign if i < ends else -v * sign for i, v in enumerate(chosen))


@st.composite
def forgeries(draw: st.DrawFn) -> Certificate:
    """A certificate of an ambiguous board: cuts, and a proof that begins as solvers' proofs do."""
    puzzle, loops = draw(st.sampled_from(ambiguous_boards()))
    loop = draw(st.sampled_from(loops))
    board = base_of(puzzle.lattice)
    cuts = draw(st.lists(cuts_of_a_shape(puzzle.lattice), max_size=3))
    if draw(st.booleans()):
        cuts = [cut for cut in cuts if is_sound(board, cut)]
    claim = stated(puzzle, loop.edges, cuts)
    # A proof of something else: that no solution but the loop has a certain edge on or off.
    edge = draw(st.integers(1, claim.variables)) * draw(st.sampled_from((1, -1)))
    with Glucose42(
        bootstrap_with=[*filter(None, claim.clauses), [edge]], with_proof=True
    ) as solver:
        solver.solve()
        lemmas = [line for line in solver.get_proof() if not line.startswith("d")]
    variables = st.integers(-claim.variables, claim.variables).filter(bool)
    more = draw(st.lists(st.lists(variables, max_size=3), max_size=4))
    lemmas += [" ".join(map(str, (*lemma, 0))) for lemma in more]
    lemmas = draw(st.permutations(lemmas)) if draw(st.booleans()) else lemmas
    return forged(puzzle, loop, cuts, "\n".join([*lemmas, "0"]))


@settings(max_examples=150)
@given(forgeries())
def test_no_forgery_is_accepted(forgery: Certificate) -> None:
    """Whatever cuts and proof are made up for an ambiguous board."""
    with pytest.raises(Rejected):
        verify(forgery)


def test_assumptions_prove_nothing() -> None:
    """The proof that an ambiguous board has no other solution if a certain edge is on or off."""
    for puzzle, (first, second, *_) in ambiguous_boards():
        board = base_of(puzzle.lattice)
        only_first = board.edge[min(first.edges - second.edges)]
        claim = stated(puzzle, first.edges, [])
        with Glucose42(bootstrap_with=claim.clauses, with_proof=True) as solver:
            solver.solve(assumptions=[only_first])
            lemmas = [line for line in solver.get_proof() if not line.startswith("d")]
        with pytest.raises(Rejected, match="fails at line"):
            verify(forged(puzzle, first, [], "\n".join([*lemmas, "0"])))


@pytest.mark.parametrize(
    "name", ["small-6x6.json", "../slither/statements-6x7.json", "../cave/small-6x6.txt"]
)
@settings(max_examples=150)
@given(data=st.data())
def test_mutations(name: str, data: st.DataObject) -> None:
    """A certificate with anything in it changed is rejected, or still true.

    Dropping clues often leaves an ambiguous board, for which no mutation may pass.
    """
    good = msgspec.to_builtins(certificate(name))
    good["proof"] = unpack(good["proof"])
    for _ in range(data.draw(st.integers(1, 3))):
        good = mutated(data, good)
    try:
        good["proof"] = pack(good["proof"])
        wrong = msgspec.convert(good, Certificate)
        wrong = changed(wrong, puzzle=wrong.puzzle)
        puzzle = verify(wrong)
    except (Rejected, msgspec.ValidationError):
        return
    verdict = solve(puzzle)
    assert verdict.status is Status.UNIQUE
    assert verdict.loops[0].edges == wrong.edges


def mutated(data: st.DataObject, value: Any) -> Any:
    """A JSON value with one thing in it changed, dropped or doubled."""
    if isinstance(value, dict) and value:
        key = data.draw(st.sampled_from(sorted(value)))
        return value | {key: mutated(data, value[key])}
    if isinstance(value, (list, tuple)) and value:
        at = data.draw(st.integers(0, len(value) - 1))
        middle = data.draw(st.sampled_from(([], [value[at]] * 2, None)))
        if middle is None:
            middle = [mutated(data, value[at])]
        return [*value[:at], *middle, *value[at + 1 :]]
    if isinstance(value, int):
        return data.draw(st.sampled_from((-value, value - 1, value + 1)))
    if isinstance(value, str) and "\n" in value:
        return "\n".join(mutated(data, value.splitlines())) + "\n"
    if isinstance(value, str) and value.endswith(" 0"):
        return " ".join(str(x) for x in mutated(data, list(map(int, value.split()))))
    return value


# The checker's parts, against what is independent of them.


@every_genre
@pytest.mark.parametrize("seed", range(10))
def test_statement_says_the_rules(genre: str, seed: int) -> None:
    """Of all loops on a small board, the clauses allow those that obey the clues."""
    says_the_rules(genre, seed)


@pytest.mark.parametrize("seed", range(6))
def test_views_that_helpers_count(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number with too many ways to share it among four rays is counted instead."""
    monkeypatch.setattr(cave, "PLAIN", 0)
    says_the_rules("cave", seed)


def test_a_view_of_a_hundred_cells() -> None:
    """Its clauses are thousands, not millions."""
    puzzle = Cave(60, 60, (CaveClue(30, 30, 110), CaveClue(0, 0, 5)))
    clauses = stated(puzzle, [Edge(0, 0, 0, 1)], []).clauses
    assert len(clauses) < 100_000


def says_the_rules(genre: str, seed: int) -> None:
    random = Random(seed)
    rows, cols = random.choice(((4, 4), (3, 5), (5, 3), (4, 5)))
    make = random_board if seed % 2 else board_around
    puzzle = make(genre, random, rows, cols, density=0.2)
    board = base_of(puzzle.lattice)
    *clauses, last = stated(puzzle, brute.loops(rows, cols)[0], []).clauses
    assert last == blocking(board, brute.loops(rows, cols)[0])
    for loop in brute.loops(rows, cols):
        drawn = [(v if edge in loop else -v,) for edge, v in board.edge.items()]
        # Which side is inside follows from the edges, but not by units alone.
        inside = faces_inside(puzzle.lattice, loop)
        drawn += [(v if face in inside else -v,) for face, v in board.face.items()]
        assert (settled([*clauses, *drawn]) != [()]) == brute.obeys(puzzle, loop)


def test_a_loop_blocks_itself_alone() -> None:
    """Of all loops of a lattice, the clause of a loop is false for that loop and no other."""
    loops = brute.loops(4, 4)
    board = base_of(Lattice(4, 4))
    for loop in loops:
        clause = {-literal for literal in blocking(board, loop)}
        assert [other for other in loops if clause <= {board.edge[e] for e in other}] == [loop]


@every_genre
@pytest.mark.parametrize("seed", range(6))
def test_answers_are_judged_by_the_rules(genre: str, seed: int) -> None:
    """Of all loops on a small board, the checker takes those that obey the clues."""
    random = Random(seed)
    make = random_board if seed % 2 else board_around
    puzzle = make(genre, random, 4, 5, density=0.2)
    for loop in brute.loops(4, 5):
        try:
            check_answer(puzzle, sorted(loop))
            right = True
        except Rejected:
            right = False
        assert right == brute.obeys(puzzle, loop)


@given(st.data())
def test_loops(data: st.DataObject) -> None:
    """What is one loop, and what lies inside, as the lattice's own code says."""
    lattice = data.draw(lattices(4))
    line = data.draw(lines(lattice))
    assert is_one_loop(line.edges) == line.is_single()
    assert faces_inside(lattice, line.edges) == line.inside


def test_every_loop_is_one_loop() -> None:
    """All 213 loops of a 4 x 4 board, and no pair of them."""
    for loop in brute.loops(4, 4):
        assert is_one_loop(loop)
    two = Loop.around(Lattice(4, 6), {(0, 0), (2, 4)})
    assert not is_one_loop(two.edges)


@pytest.mark.parametrize("size", range(7))
def test_exactly(size: int) -> None:
    """The clauses allow just the assignments with that many true literals."""
    for number in range(-1, size + 2):
        names = iter(range(size + 1, 1000))
        literals = [v if v % 3 else -v for v in range(1, size + 1)]
        clauses = list(exactly(number, literals, names.__next__))
        for values in product((True, False), repeat=size):
            fixed = [(x if value else -x,) for x, value in zip(literals, values, strict=True)]
            assert (settled([*clauses, *fixed]) != [()]) == (sum(values) == number)


@given(st.lists(st.lists(st.integers(-6, 6).filter(bool), unique_by=abs, max_size=3).map(tuple)))
def test_settled(clauses: list[Clause]) -> None:
    """Unit propagation changes nothing about whether there is a solution."""

    def possible(clauses: list[Clause]) -> bool:
        if () in clauses:
            return False
        with Glucose42(bootstrap_with=clauses) as solver:
            return bool(solver.solve())

    left = settled(clauses)
    assert possible(left) == possible(clauses)
    assert all(len(clause) > 1 for clause in left) or left == [()]


@settings(max_examples=200)
@given(st.data())
def test_cuts(data: st.DataObject) -> None:
    """The checker takes the cuts that the solver's own check takes, and every loop obeys them."""
    lattice = data.draw(st.sampled_from((Lattice(4, 4), Lattice(3, 5), Lattice(4, 5))))
    board = base_of(lattice)
    shift = base(lattice).first_side - len(board.edge) - 1
    cut = data.draw(cuts_of_a_shape(lattice))
    sound = is_sound(board, cut)
    theirs = [x + shift if x > 0 else x - shift for x in cut]
    assert sound == solver_cuts.is_sound(lattice, theirs)
    if sound:
        for loop in brute.loops(lattice.rows, lattice.cols):
            inside = {board.face[face] for face in faces_inside(lattice, loop)}
            assert any((abs(x) in inside) == (x > 0) for x in cut)


def test_cuts_refused() -> None:
    """No faces, a face twice, a face on both sides, edges, helpers."""
    board = base_of(Lattice(4, 4))
    first = len(board.edge) + 1
    for cut in ((), (first, first), (first, -first), (1, -2), (board.variables + 1,), (0,)):
        assert not is_sound(board, cut)


def test_every_genre_has_rules() -> None:
    """A genre without the checker's rules could be solved but not certified."""
    assert rules.names() == genres.names()


class Unruled(Puzzle, frozen=True, tag="unruled"):
    """A genre that the checker does not know."""

    TITLE = "Unruled"


def test_a_genre_without_rules() -> None:
    """It is named, with the file that is missing."""
    with pytest.raises(Lacking, match=r"^Unruled has no .*certify/rules/unruled\.py$"):
        rules.of(Unruled(1, 1))


def test_the_checker_is_independent() -> None:
    """Checking a certificate loads no model, no engine and no solver."""
    code = (
        "import sys; from castlecp.certify import checking, verify\n"
        "verify.verify(verify.read(sys.stdin.buffer.read()))\n"
        "shared = ('cuts', 'encode', 'engines', 'model', 'models', 'solver', 'sums')\n"
        "never = {'ortools', 'pysat', 'pysolvers', *(f'castlecp.{name}' for name in shared)}\n"
        "print(sorted(never & set(sys.modules)))"
    )
    text = encode(certificate("small-6x6.json"))
    done = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


# The prover's own guards.


def test_a_wrong_proof_is_never_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver whose proofs are cut short is found out."""
    monkeypatch.setattr(proving, "prove", lambda *_: "0\n")
    with pytest.raises(Disagreement, match="the checker rejects"):
        certify(codecs.read_source(str(BOARDS / "first-10x10.json")))


def test_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checker that accepts everything, or a solver with no proof, stops the prover at once."""
    claim = Formula(1, [(1,), (-1,)])
    proving._self_test.cache_clear()
    monkeypatch.setattr(proving, "replay", lambda *_: None)
    with pytest.raises(Disagreement, match="accepts a proof that is none"):
        proving.prove(claim, Budget())
    monkeypatch.undo()
    monkeypatch.setattr(proving, "_proof", lambda *_: "0\n")
    with pytest.raises(Rejected):
        proving.prove(claim, Budget())


def test_a_second_solution_is_a_disagreement() -> None:
    """Clauses that have a solution are not proved; CP-SAT finds it too."""
    puzzle, loops = ambiguous_boards()[0]
    with pytest.raises(Disagreement):
        proving.prove(stated(puzzle, loops[0].edges, []), Budget())
    with pytest.raises(Disagreement):
        proving.second.cpsat(puzzle, loops[0], [], Budget())


def test_a_backtracker_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It need not settle the board, but must not settle it otherwise."""
    puzzle = codecs.read_source(str(BOARDS / "small-6x6.json"))
    loop = solve(puzzle).loops[0]
    wrong = Loop.around(puzzle.lattice, {(0, 0)})
    for loops, ended, agrees in (
        ((loop,), "exact", True),
        ((), "budget", True),
        ((), "exact", False),
        ((wrong,), "exact", False),
        ((loop, wrong), "limit", False),
    ):
        found = Backtrack(loops, ended, 1)
        monkeypatch.setattr("castlecp.backtrack.backtrack", lambda *_, found=found: found)
        if agrees:
            said = proving.second.backtracker(puzzle, loop, Budget())
            assert said.verdict == ("unique" if ended == "exact" else "not settled")
        else:
            with pytest.raises(Disagreement, match="backtracker"):
                certify(puzzle)


def test_white_on_the_border() -> None:
    """An impossible clue is the empty clause, and no loop passes for an answer."""
    puzzle = CastleWall(3, 3, (CastleClue(0, 0, "white"),))
    loop = Loop.around(Lattice(3, 3), {(1, 1)})
    assert () in stated(puzzle, loop.edges, []).clauses
    with pytest.raises(Rejected, match="wrong side"):
        check_answer(puzzle, sorted(loop.edges))
    with pytest.raises(KeyError):
        stated(puzzle, [Edge(9, 9, 9, 10)], [])


@pytest.mark.parametrize("engine", ["python", "native"])
def test_steps_are_lines_of_the_proof(engine: str) -> None:
    """As many as the proof has are enough, whichever checker and in however many pieces."""
    if engine == "native":
        dratify.register_native(pytest.importorskip("cdclkit_native"))
    made = certificate()
    _, claim = claim_of(made)
    proof = unpack(made.proof)
    lines = proof.count("\n")
    assert lines > 10
    reasons = set()
    for piece in (1, 7, 10**6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("castlecp.certify.verify.PIECE", piece)
            patch.setattr("castlecp.certify.verify.PATIENCE", 0.0)
            budget = Budget(steps=lines)
            replay(claim, proof, engine, budget)
            assert budget.spent <= lines
            with pytest.raises(OutOfBudget, match="the steps are spent"):
                replay(claim, proof, engine, Budget(steps=9))
            wrong = unpack(with_line(made, a_needed_lemma(made)))
            with pytest.raises(Rejected, match=r"fails at line \d+: ") as rejected:
                replay(claim, wrong, engine)
            reasons.add(str(rejected.value).split(":")[0])
    assert len(reasons) == 1


def test_a_certificate_that_was_not_checked_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time ends while a new one is checked."""
    late = OutOfBudget("the time is spent")

    def spent(*_: object) -> None:
        raise late

    monkeypatch.setattr(proving, "verify", spent)
    outcome = certify(codecs.read((BOARDS / "small-6x6.json").read_text()))
    assert (outcome.status, outcome.certificate) == (Status.INCONCLUSIVE, None)
    assert "not checked" in str(outcome.reason)
