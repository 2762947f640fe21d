"""Slitherlink for the contract tests; see the package."""

from __future__ import annotations

from random import Random
from typing import Any

from brute import is_inside
from hypothesis import strategies as st
from msgspec.structs import replace

from castlecp.genres.slither import SlitherClue, Slitherlink, Statement
from castlecp.grid import Edge

PUZZLE = Slitherlink(
    3,
    4,
    (
        SlitherClue(0, 0, 0),
        SlitherClue(0, 3, 4),
        SlitherClue(1, 0),
        SlitherClue(1, 1, 3),
        SlitherClue(2, 1, 1),
        SlitherClue(2, 2, 2),
    ),
)
_CLUES = (
    '{"row":0,"col":0,"number":0},{"row":0,"col":3,"number":4},{"row":1,"col":0},'
    '{"row":1,"col":1,"number":3},{"row":2,"col":1,"number":1},{"row":2,"col":2,"number":2}'
)
_FILE = "\n".join(
    ("0 . . 4 ", "- 3 . . ", ". 1 2 . ", *["0 0 0 0 0 "] * 3, *["0 0 0 0 "] * 4),
)
WRITTEN = [
    (
        PUZZLE,
        {
            "board": "slither\n0 . . 4\n? 3 . .\n. 1 2 .",
            "json": f'{{"type":"slither","rows":3,"cols":4,"clues":[{_CLUES}]}}',
            "pzprv3": f"pzprv3\nslither\n3\n4\n{_FILE}",
            "url": "https://puzz.link/p?slither/4/3/a4.dg1c",
        },
    ),
    (
        replace(PUZZLE, visits_all=True),
        {
            "board": "slither f\n0 . . 4\n? 3 . .\n. 1 2 .",
            "json": f'{{"type":"slither","rows":3,"cols":4,"clues":[{_CLUES}],"visits_all":true}}',
            "pzprv3": f"pzprv3\nslither\n3\n4\nf\n{_FILE}",
            "url": "https://puzz.link/p?slither/f/4/3/a4.dg1c",
        },
    ),
    (
        replace(
            PUZZLE,
            places={"quay": (0, 1), "old mill": (2, 1)},
            statements=(
                Statement("inside", ("quay",)),
                Statement("outside", ("old mill",)),
                Statement("same", ("quay", "old mill")),
                Statement("opposite", ("old mill", "quay")),
            ),
            false_statements=2,
        ),
        {
            "json": f'{{"type":"slither","rows":3,"cols":4,"clues":[{_CLUES}],'
            '"places":{"quay":[0,1],"old mill":[2,1]},"statements":['
            '{"says":"inside","of":["quay"]},{"says":"outside","of":["old mill"]},'
            '{"says":"same","of":["quay","old mill"]},{"says":"opposite","of":["old mill","quay"]}'
            '],"false_statements":2}',
        },
    ),
]
AWKWARD = [
    Slitherlink(1, 1),
    Slitherlink(1, 1, (SlitherClue(0, 0),), visits_all=True),
    Slitherlink(1, 9, (SlitherClue(0, 8, 0),)),
    Slitherlink(9, 1, (SlitherClue(0, 0, 4),)),
    Slitherlink(6, 10),
    Slitherlink(6, 10, visits_all=True),
    # A clue with none, one, two and three blank cells behind it, and at the end of the board.
    Slitherlink(1, 11, tuple(SlitherClue(0, c, 2) for c in (0, 1, 3, 6, 10))),
    Slitherlink(1, 5, (SlitherClue(0, 0, 1), SlitherClue(0, 3, 3))),
    Slitherlink(1, 5, (SlitherClue(0, 0, 1), SlitherClue(0, 1), SlitherClue(0, 2, 3))),
    Slitherlink(5, 5, (SlitherClue(0, 0, 1), SlitherClue(4, 2, 1))),
    Slitherlink(2, 2, tuple(SlitherClue(r, c) for r in (0, 1) for c in (0, 1))),
]
ODD = [
    ("slither/v:own/4/3/a4.dg1c", "variant 'own' is ignored"),
    ("slither/x/4/3/a4.dg1c", "flag 'x' is ignored"),
    ("slither/4/3/a4.dg1c/200/", "what follows the body"),
    ("slither/4/3/a4.dg1cz!", "goes on after the last of 12 cells"),
]


def clues(row: int, col: int) -> Any:
    """Any clue."""
    return st.builds(SlitherClue, st.just(row), st.just(col), st.none() | st.integers(0, 4))


@st.composite
def more(draw: Any, puzzle: Slitherlink) -> Slitherlink:
    """The flag, or places and statements."""
    if draw(st.booleans()):
        return replace(puzzle, visits_all=draw(st.booleans()))
    faces = st.sampled_from(list(puzzle.lattice.faces()))
    cells = draw(st.lists(faces, min_size=1, max_size=3, unique=True))
    names = draw(st.permutations(["ü", "b", "the old mill"]))
    places = dict(zip(names, cells, strict=False))
    name = st.sampled_from(list(places))
    statement = st.builds(
        Statement, st.sampled_from(["inside", "outside"]), st.tuples(name)
    ) | st.builds(Statement, st.sampled_from(["same", "opposite"]), st.tuples(name, name))
    statements = tuple(draw(st.lists(statement, max_size=4)))
    false = draw(st.integers(0, len(statements)))
    return replace(puzzle, places=places, statements=statements, false_statements=false)


def clue(random: Random, puzzle: Slitherlink, cell: tuple[int, int]) -> SlitherClue:
    """Mostly numbers."""
    return SlitherClue(*cell, random.choice((0, 1, 1, 2, 2, 3, 3, 4, None)))


def told(random: Random, puzzle: Slitherlink, loop: frozenset[Edge] | None) -> Slitherlink:
    """Nothing, the flag, or statements of which some are false."""
    if random.random() < 0.2:
        flagged = replace(puzzle, visits_all=True)
        return flagged if loop is None or obeys(flagged, loop) else puzzle
    faces = list(puzzle.lattice.faces())
    if random.random() < 0.3 or len(faces) < 2:
        return puzzle
    cells = random.sample(faces, random.randint(2, min(4, len(faces))))
    places = dict(zip("abcd", cells, strict=False))
    statements = []
    for _ in range(random.randint(1, 4)):
        says = random.choice(("inside", "outside", "same", "opposite"))
        of = random.choices(list(places), k=1 if says in ("inside", "outside") else 2)
        statements.append(Statement(says, tuple(of)))
    said = replace(puzzle, places=places, statements=tuple(statements))
    false = random.randint(0, len(statements)) if loop is None else len(liars(said, loop))
    return replace(said, false_statements=false)


#: 0 . . . .
#: . 2 . . .      a square of two by two around the middle is right
#: . . . 1 .
#: . . . . .
BOARD = Slitherlink(4, 5, (SlitherClue(0, 0, 0), SlitherClue(1, 1, 2), SlitherClue(2, 3, 1)))
SQUARE = "1,1 RRDDLLUU"
TOLD = replace(
    BOARD,
    places={"a": (1, 1), "b": (3, 3)},
    statements=(Statement("inside", ("a",)), Statement("same", ("a", "b"))),
    false_statements=1,
)

CASES = [
    ("right", BOARD, [SQUARE], []),
    ("right-statements", TOLD, [SQUARE], []),
    ("right-all-visited", Slitherlink(2, 1, visits_all=True), ["0,0 RDDLUU"], []),
    ("no-loop", BOARD, [], ["no-loop", "wrong-number"]),
    ("branch", BOARD, [SQUARE, "3,2 D"], ["branch", "dead-end"]),
    ("cross", BOARD, [SQUARE, "1,3 URDL"], ["cross"]),
    ("wrong-number", BOARD, ["1,1 RRRDDLLLUU"], ["wrong-number"]),
    ("several-loops", BOARD, [SQUARE, "0,4 RDLU"], ["several-loops"]),
    ("dead-end", BOARD, ["1,3 DDLLUUR"], ["dead-end"]),
    ("vertex-missed", Slitherlink(1, 2, visits_all=True), ["0,0 RDLU"], ["vertex-missed"]),
    ("too-few-lies", replace(TOLD, false_statements=2), [SQUARE], ["false-statements"]),
    ("too-many-lies", replace(TOLD, false_statements=0), [SQUARE], ["false-statements"]),
]
PZPRJS = {
    "brNoLine": "no-loop",
    "lnBranch": "branch",
    "lnCross": "cross",
    "nmLineNe": "wrong-number",
    "lnPlLoop": "several-loops",
    "lnDeadEnd": "dead-end",
    "cxNoLine": "vertex-missed",
    None: None,
}


def obeys(puzzle: Slitherlink, loop: frozenset[Edge]) -> bool:
    """The edges of each numbered cell, every point if asked for, and the number of lies."""
    for clue in puzzle.clues:
        if clue.number is not None:
            corners = {(clue.row + down, clue.col + right) for down in (0, 1) for right in (0, 1)}
            sides = [e for e in loop if {(e[0], e[1]), (e[2], e[3])} <= corners]
            if len(sides) != clue.number:
                return False
    # A loop has as many edges as points.
    if puzzle.visits_all and len(loop) != (puzzle.rows + 1) * (puzzle.cols + 1):
        return False
    return len(liars(puzzle, loop)) == puzzle.false_statements


def liars(puzzle: Slitherlink, loop: frozenset[Edge]) -> list[int]:
    """The statements that are false of a loop."""
    false = []
    for number, statement in enumerate(puzzle.statements):
        one, other = (puzzle.places[statement.of[k]] for k in (0, -1))
        true = {
            "inside": is_inside(loop, *one),
            "outside": not is_inside(loop, *one),
            "same": is_inside(loop, *one) == is_inside(loop, *other),
            "opposite": is_inside(loop, *one) != is_inside(loop, *other),
        }
        if not true[statement.says]:
            false.append(number)
    return false


def says(puzzle: Slitherlink, clue: SlitherClue) -> list[tuple[Any, ...]]:
    """The edges of a number."""
    r, c = clue.row, clue.col
    ends = [(r, c, r, c + 1), (r + 1, c, r + 1, c + 1), (r, c, r + 1, c), (r, c + 1, r + 1, c + 1)]
    return [("count", [Edge(*end) for end in ends], clue.number)]


FIELDS = {"number": set(range(5))}
IMPOSSIBLE = False
NO_LOOP = None
CORPUS = {"answers": 1, "verdicts": 6, "judged": 100}
PATTERN = """
X . X . X . X .
. X . X . X . X
X . X . X . X .
. X . X . X . X
X . X . X . X .
. X . X . X . X
"""
