"""check names what is wrong with a line, in the order of the rules, and nothing else."""

import time
import warnings
from collections import Counter
from itertools import product
from random import Random

import brute
import pytest
import samples
from boards import board_around, corpus, random_board
from hypothesis import given
from hypothesis import strategies as st
from samples import drawn, every_genre
from samples.castle import BOARD, SQUARE, with_clue
from strategies import puzzles_and_lines

from castlecp import codecs
from castlecp.checker import check
from castlecp.errors import FormatWarning
from castlecp.genres import Puzzle
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import STEPS, SYMMETRIES, Edge, Lattice, Loop, Symmetry

CASES = [
    pytest.param(*case[1:], id=f"{genre}-{case[0]}")
    for genre in samples.NAMES
    for case in samples.of(genre).CASES
]
cases = pytest.mark.parametrize(("puzzle", "strokes", "names"), CASES)


@cases
def test_each_fault_has_a_board(puzzle: Puzzle, strokes: list[str], names: list[str]) -> None:
    """One board for each name, and one that is right."""
    found = [fault.name for fault in check(puzzle, drawn(puzzle.lattice, *strokes))]
    assert list(dict.fromkeys(found)) == names


@every_genre
def test_every_rule_has_a_case(genre: str) -> None:
    """No rule of the genre is without a board above, and some line breaks none."""
    lines = [
        (puzzle, drawn(puzzle.lattice, *strokes))
        for _, puzzle, strokes, _ in samples.of(genre).CASES
    ]
    for rule in samples.kind_of(genre).RULES:
        assert any(list(rule(*line)) for line in lines), rule
    assert any(not check(*line) for line in lines)


@cases
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries_keep_the_faults(
    puzzle: Puzzle, strokes: list[str], names: list[str], symmetry: Symmetry
) -> None:
    """A turned board with its turned line has the same faults."""
    line = drawn(puzzle.lattice, *strokes).transformed(symmetry)
    found = {fault.name for fault in check(puzzle.transformed(symmetry), line)}
    assert found == set(names)


@cases
def test_a_fault_shows_where_it_is(puzzle: Puzzle, strokes: list[str], names: list[str]) -> None:
    """A sentence, and places of the lattice to mark; only what is about the whole has none."""
    for fault in check(puzzle, drawn(puzzle.lattice, *strokes)):
        assert fault.sentence[0].isupper()
        assert fault.sentence.endswith(".")
        assert all(map(puzzle.lattice.has_vertex, fault.vertices))
        assert all(map(puzzle.lattice.has_face, fault.faces))
        places = len(fault.vertices) + len(fault.faces)
        assert (places > 0) == (fault.name not in ("no-loop", "false-statements"))


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


def test_points_are_not_cells() -> None:
    """Where cells are faces, a place of the line is said to be a point."""
    puzzle = codecs.read("slither/3/2/l")
    (fault, *_) = check(puzzle, drawn(puzzle.lattice, "0,0 RDLU", "1,1 R"))
    assert fault.sentence == ("The line branches at the point in row 2, column 2 of the points.")


def test_a_faulty_board_is_not_the_line_s_fault():
    """A number without an arrow is a fault of the puzzle."""
    puzzle = with_clue(CastleClue(2, 5, "black", None, 3))
    assert [fault.about for fault in check(puzzle, drawn(BOARD.lattice, SQUARE))] == ["puzzle"]


def test_a_line_with_a_loose_end_has_no_sides():
    """Whether a clue is inside is not asked before the line closes."""
    puzzle = with_clue(CastleClue(2, 2, "black"))
    found = {fault.name for fault in check(puzzle, drawn(BOARD.lattice, "1,3 DDLLUUR"))}
    assert found == {"dead-end"}
    two = Loop.around(BOARD.lattice, {(0, 0), (0, 1)}).edges
    assert not Loop(BOARD.lattice, two | {Edge(0, 1, 1, 1)}).has_sides


def test_edges_of_a_lattice() -> None:
    """Only neighbours are joined, the upper or left one first, and none off the board."""
    lattice, around = Lattice(2, 3), (-1, 0, 1, 2, 3)
    every = [Edge(*ends) for ends in product(around, repeat=4)]
    assert sorted(filter(lattice.has_edge, every)) == sorted(lattice.edges)


def test_marks_are_no_part_of_an_answer():
    """Crosses of a player's file change nothing."""
    file = "pzprv3/castle/2/3/. . . /. . 0,-,2 /{} {} /1 0 /{} 1 {} /"
    puzzle = codecs.read(file.format(0, 0, 0, 0).replace("/", "\n"))
    for marks in ((1, 0, 1, 0), (1, -1, 1, -1)):
        line = codecs.read_answer(file.format(*marks).replace("/", "\n"), puzzle)
        assert check(puzzle, line) == []


def test_a_line_of_another_board_is_refused():
    """A wrong size or an edge that is none is an error and no fault."""
    with pytest.raises(ValueError, match="on a lattice 2 wide, 2 high"):
        check(BOARD, drawn(Lattice(2, 2), "0,0 RDLU"))
    for edge in (Edge(0, 6, 0, 7), Edge(0, 0, 1, 1), Edge(0, 1, 0, 0)):
        with pytest.raises(ValueError, match="no edge"):
            check(BOARD, Loop(BOARD.lattice, frozenset({edge})))


@every_genre
@given(data=st.data())
def test_symmetries_keep_the_faults_of_anything(genre: str, data: st.DataObject) -> None:
    """Whatever the line is, its faults do not depend on how the board is held."""
    puzzle, line = data.draw(puzzles_and_lines(genre))
    expected = Counter(fault.name for fault in check(puzzle, line))
    for symmetry in SYMMETRIES[1:]:
        found = check(puzzle.transformed(symmetry), line.transformed(symmetry))
        assert Counter(fault.name for fault in found) == expected


@every_genre
@pytest.mark.parametrize("seed", range(15))
def test_all_loops_against_brute_force(genre: str, seed: int) -> None:
    """Of all loops of a small lattice just those are right that obey the clues."""
    random = Random(seed)
    rows, cols = random.choice(((3, 4), (4, 3), (3, 5), (4, 4)))
    make = random_board if seed % 3 == 0 else board_around
    puzzle = make(genre, random, rows, cols, random.choice((0.2, 0.6)))
    right = brute.solutions(puzzle)
    for loop in brute.loops(rows, cols):
        faults = check(puzzle, Loop(puzzle.lattice, loop))
        assert all(fault.about == "puzzle" for fault in faults) == (loop in right)


@given(puzzles_and_lines("castle"))
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


@every_genre
@given(data=st.data())
def test_a_faultless_line_is_one_loop_by_all_clues(genre: str, data: st.DataObject) -> None:
    """The verdict on any line agrees with what a loop is and what brute force says of it."""
    puzzle, line = data.draw(puzzles_and_lines(genre))
    right = all(fault.about == "puzzle" for fault in check(puzzle, line))
    assert right == (line.is_single() and brute.obeys(puzzle, line.edges))


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
    assert min(seconds) < 0.25


@samples.in_corpus("verdicts", "judged")
def test_verdicts_of_pzprjs(genre: str, name: str) -> None:
    """The same verdict and the same first fault as pzprjs on every case it has judged."""
    differ = []
    judged = [case for case in corpus(name) if case["kind"] == genre]
    for case in judged:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FormatWarning)
            puzzle = codecs.read(case["file_text"])
            line = codecs.read_answer(case["file_text"], puzzle)
        faults = check(puzzle, line)
        first = faults[0].name if faults else None
        if first != samples.of(genre).PZPRJS[case["expected"]]:
            differ.append((case["id"], case["expected"], first))
    assert len(judged) >= samples.of(genre).CORPUS[name]
    assert differ == []


def test_a_cave_without_walls_is_right() -> None:
    """pzprjs refuses it (brNoShade); here a loop around everything is a loop."""
    puzzle = codecs.read("cave/2/2/3i")
    everything = Loop.around(puzzle.lattice, puzzle.lattice.faces())
    assert check(puzzle, everything) == []
    assert [
        fault.name for fault in check(codecs.read("cave/2/2/j"), Loop(puzzle.lattice, frozenset()))
    ] == ["no-loop"]
