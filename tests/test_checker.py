"""check names what is wrong with a line, in the order of the rules, and nothing else."""

import json
import time
import warnings
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlecp import codecs
from castlecp.checker import check
from castlecp.errors import FormatWarning
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import STEPS, SYMMETRIES, Edge, Lattice, Loop

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"

#: Our names for the failures of pzprjs.
NAMES = {
    "brNoLine": "no-loop",
    "lnBranch": "branch",
    "lnCross": "cross",
    "anLineGt": "too-many",
    "anLineLt": "too-few",
    "lnDeadEnd": "dead-end",
    "lnPlLoop": "several-loops",
    "shInside": "black-inside",
    "cuOutside": "white-outside",
    "anNoArrow": "number-without-arrow",
    None: None,
}

#:  .   .   .   .   .   .   .
#:  .   .   .   .   .   .   .       a square of two by two around the white clue is right
#:  .   .   W   .   G   B   .
#:  B2> .   .   .   .   .   .
#:  .   B2^ .   .   .   .   .
BOARD = CastleWall(
    rows=5,
    cols=7,
    clues=(
        CastleClue(2, 2, "white"),
        CastleClue(2, 4, "grey"),
        CastleClue(2, 5, "black"),
        CastleClue(3, 0, "black", "right", 2),
        CastleClue(4, 1, "black", "up", 2),
    ),
)
SQUARE = "1,1 RRDDLLUU"


def drawn(lattice: Lattice, *strokes: str) -> Loop:
    """The line of strokes such as "1,1 RRD": a vertex and steps by their first letters."""
    steps = {name[0].upper(): step for name, step in STEPS.items()}
    edges = set()
    for stroke in strokes:
        start, moves = stroke.split(" ")
        here = tuple(map(int, start.split(",")))
        for move in moves:
            there = (here[0] + steps[move][0], here[1] + steps[move][1])
            edges.add(Edge(*min(here, there), *max(here, there)))
            here = there
    return Loop(lattice, frozenset(edges))


def with_clue(clue: CastleClue) -> CastleWall:
    """BOARD with another clue in one cell."""
    kept = [old for old in BOARD.clues if (old.row, old.col) != (clue.row, clue.col)]
    return msgspec.structs.replace(BOARD, clues=(*kept, clue))


CASES = [
    ("right", BOARD, [SQUARE], []),
    ("no-loop", BOARD, [], ["no-loop", "too-few", "white-outside"]),
    ("branch", BOARD, [SQUARE, "3,2 D"], ["branch", "dead-end"]),
    ("cross", BOARD, [SQUARE, "1,3 URDL"], ["cross"]),
    ("clue-crossed", BOARD, ["1,1 RRRDLDLLUU"], ["clue-crossed"]),
    ("too-many", BOARD, ["0,1 RRDDDLLUUU"], ["too-many"]),
    ("too-few", BOARD, ["1,1 RRDDDLULUU"], ["too-few"]),
    ("dead-end", BOARD, ["1,3 DDLLUUR"], ["dead-end"]),
    ("several-loops", BOARD, [SQUARE, "0,5 RDLU"], ["several-loops"]),
    ("black-inside", with_clue(CastleClue(2, 2, "black")), [SQUARE], ["black-inside"]),
    ("white-outside", with_clue(CastleClue(2, 5, "white")), [SQUARE], ["white-outside"]),
    (
        "number-without-arrow",
        with_clue(CastleClue(2, 5, "black", None, 3)),
        [SQUARE],
        ["number-without-arrow"],
    ),
]
cases = pytest.mark.parametrize(
    ("puzzle", "strokes", "names"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)


@cases
def test_each_fault_has_a_board(puzzle, strokes, names):
    """One board for each name, and one that is right."""
    found = [fault.name for fault in check(puzzle, drawn(puzzle.lattice, *strokes))]
    assert list(dict.fromkeys(found)) == names


def test_every_rule_has_a_case():
    """No rule of the genre is without a board above."""
    named = {name for *_, names in CASES for name in names}
    assert len(named) == len(CastleWall.RULES)


@cases
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries_keep_the_faults(puzzle, strokes, names, symmetry):
    """A turned board with its turned line has the same faults."""
    line = drawn(puzzle.lattice, *strokes).transformed(symmetry)
    found = {fault.name for fault in check(puzzle.transformed(symmetry), line)}
    assert found == set(names)


@pytest.mark.parametrize(
    ("clue", "right"),
    [
        (CastleClue(0, 0, "black", "right", 0), True),  # a zero binds
        (CastleClue(1, 0, "black", "right", 0), False),
        (CastleClue(1, 0, "black", "right", "?"), True),  # a question mark does not
        (CastleClue(1, 0, "black", "right"), True),
        (CastleClue(4, 3, "black", "up", 2), True),
        (CastleClue(4, 3, "black", "up", 3), False),
        (CastleClue(3, 6, "black", "left", 2), True),  # as far as the border
        (CastleClue(2, 6, "black", "left", 0), True),  # along the ray, not across it
        (CastleClue(4, 6, "black", "right", 0), True),  # a ray without an edge
        (CastleClue(4, 6, "black", "right", 1), False),
    ],
)
def test_numbers(clue, right):
    """A number is the count of edges along the ray, whatever stands in between."""
    assert (check(with_clue(clue), drawn(BOARD.lattice, SQUARE)) == []) is right


def test_a_fault_says_where():
    """A sentence counts rows and columns from 1, and the fault names the vertex from 0."""
    (fault,) = check(with_clue(CastleClue(3, 0, "black", "right", 4)), drawn(BOARD.lattice, SQUARE))
    assert fault.vertices == ((3, 0),)
    assert fault.about == "line"
    assert fault.sentence.startswith("Row 4, column 1 (black, 4 right)")
    assert "2 edges" in fault.sentence


def test_a_faulty_board_is_not_the_line_s_fault():
    """A number without an arrow is a fault of the puzzle."""
    puzzle = with_clue(CastleClue(2, 5, "black", None, 3))
    assert [fault.about for fault in check(puzzle, drawn(BOARD.lattice, SQUARE))] == ["puzzle"]


def test_a_line_with_a_loose_end_has_no_sides():
    """Whether a clue is inside is not asked before the line closes."""
    puzzle = with_clue(CastleClue(2, 2, "black"))
    found = {fault.name for fault in check(puzzle, drawn(BOARD.lattice, "1,3 DDLLUUR"))}
    assert found == {"dead-end"}


def test_marks_are_no_part_of_an_answer():
    """Crosses of a player's file change nothing."""
    file = "pzprv3/castle/2/3/. . . /. . 0,-,2 /{} {} /1 0 /{} 1 {} /"
    puzzle = codecs.read(file.format(0, 0, 0, 0).replace("/", "\n"))
    for marks in ((1, 0, 1, 0), (1, -1, 1, -1)):
        line = codecs.read_answer(file.format(*marks).replace("/", "\n"), puzzle)
        assert check(puzzle, line) == []


def test_a_line_of_another_board_is_refused():
    """A wrong size or an edge that is none is an error and no fault."""
    with pytest.raises(ValueError, match="2 x 2 points"):
        check(BOARD, drawn(Lattice(2, 2), "0,0 RDLU"))
    for edge in (Edge(0, 6, 0, 7), Edge(0, 0, 1, 1), Edge(0, 1, 0, 0)):
        with pytest.raises(ValueError, match="no edge"):
            check(BOARD, Loop(BOARD.lattice, frozenset({edge})))


@st.composite
def puzzles_and_lines(draw):
    """A small board with any clues and any edges, or the border of any faces."""
    lattice = Lattice(draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    places = draw(st.sets(st.sampled_from(list(lattice.vertices())), max_size=6))
    clue = st.builds(
        CastleClue,
        row=st.just(0),
        col=st.just(0),
        color=st.sampled_from(["white", "black", "grey"]),
        arrow=st.sampled_from([*STEPS, None]),
        number=st.sampled_from([0, 1, 2, 3, None]),
    )
    clues = tuple(msgspec.structs.replace(draw(clue), row=r, col=c) for r, c in places)
    faces = list(lattice.faces())
    if faces and draw(st.booleans()):
        line = Loop.around(lattice, draw(st.sets(st.sampled_from(faces))))
    else:
        edges = st.sets(st.sampled_from(lattice.edges)) if lattice.edges else st.just(set())
        line = Loop(lattice, frozenset(draw(edges)))
    return CastleWall(lattice.rows, lattice.cols, clues), line


@given(puzzles_and_lines())
def test_symmetries_keep_the_faults_of_anything(case):
    """Whatever the line is, its faults do not depend on how the board is held."""
    puzzle, line = case
    expected = Counter(fault.name for fault in check(puzzle, line))
    for symmetry in SYMMETRIES[1:]:
        found = check(puzzle.transformed(symmetry), line.transformed(symmetry))
        assert Counter(fault.name for fault in found) == expected


@given(puzzles_and_lines())
def test_counts_are_those_of_the_rays(case):
    """Counting by search finds what walking each ray finds."""
    puzzle, line = case
    expected = Counter()
    for clue in puzzle.clues:
        if clue.count is not None:
            seen = sum(edge in line.edges for edge in puzzle.ray(clue))
            expected["too-many"] += seen > clue.count
            expected["too-few"] += seen < clue.count
    found = Counter(fault.name for fault in check(puzzle, line))
    assert {name: found[name] for name in expected} == expected


@given(puzzles_and_lines())
def test_a_faultless_line_is_one_loop_off_the_clues(case):
    """The verdict agrees with what a loop is."""
    puzzle, line = case
    if not check(puzzle, line):
        assert line.is_single()
        assert not any((clue.row, clue.col) in line.neighbours for clue in puzzle.clues)


def test_a_large_board_is_checked_at_once():
    """100 x 100 cells, 5,000 edges and 5,000 arrows: 20 ms here, walking each ray takes 400."""
    lattice = Lattice(100, 100)
    spine = {(49, c) for c in range(1, 98)}
    loop = Loop.around(lattice, spine | {(r, c) for r in range(1, 98) for c in range(1, 98, 4)})
    assert loop.is_single()
    free = [vertex for vertex in lattice.vertices() if vertex not in loop.neighbours]
    clues = []
    for (r, c), direction in zip(free, list(STEPS) * 2000, strict=False):
        seen = sum(edge in loop.edges for edge in lattice.ray((r, c), direction))
        color = "white" if (r, c) in loop.inside else "black"
        clues.append(CastleClue(r, c, color, direction, seen))
    puzzle = CastleWall(100, 100, tuple(clues))
    assert len(clues) > 4900
    seconds = []
    for _ in range(5):
        line = Loop(lattice, loop.edges)  # without what the other one has worked out
        start = time.process_time()
        assert check(puzzle, line) == []
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.1


def corpus_cases(name):
    """The Castle Wall lines of a corpus file."""
    with (CORPUS / name).open() as file:
        return [case for case in map(json.loads, file) if case["kind"] == "castle"]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the checkout")
@pytest.mark.parametrize(("name", "least"), [("verdicts.jsonl", 11), ("judged.jsonl", 180)])
def test_verdicts_of_pzprjs(name, least):
    """The same verdict and the same first fault as pzprjs on every case it has judged."""
    differ = []
    cases = corpus_cases(name)
    for case in cases:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FormatWarning)
            puzzle = codecs.read(case["file_text"])
            line = codecs.read_answer(case["file_text"], puzzle)
        faults = check(puzzle, line)
        first = faults[0].name if faults else None
        if first != NAMES[case["expected"]]:
            differ.append((case["id"], case["expected"], first))
    assert len(cases) >= least
    assert differ == []


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the checkout")
def test_answers_of_the_corpus_are_right():
    """Every answer file of the corpus has no fault."""
    for case in corpus_cases("answers.jsonl"):
        puzzle = codecs.read(case["file_text"])
        assert check(puzzle, codecs.read_answer(case["file_text"], puzzle)) == []
