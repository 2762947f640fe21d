"""Cave for the contract tests; see the package."""

from __future__ import annotations

from random import Random
from typing import Any

from brute import is_inside
from hypothesis import strategies as st
from msgspec.structs import replace

from castlecp.genres.cave import MAX_NUMBER, Cave, CaveClue
from castlecp.grid import Edge

#: The least number of each way to write one in an address.
WIDTHS = (0, 16, 256, 4096, 8192, 12_240, 77_776)

PUZZLE = Cave(
    3,
    4,
    (
        CaveClue(0, 0),
        CaveClue(0, 2, 5),
        CaveClue(0, 3, 16),
        CaveClue(1, 0, 256),
        CaveClue(1, 3, 4096),
        CaveClue(2, 0, 8192),
        CaveClue(2, 1, 12_240),
        CaveClue(2, 3, 77_776),
    ),
)
WRITTEN = [
    (
        PUZZLE,
        {
            "board": """cave
?     .     5     16
256   .     .     4096
8192  12240 .     77776""",
            "json": '{"type":"cave","rows":3,"cols":4,"clues":[{"row":0,"col":0},'
            '{"row":0,"col":2,"number":5},{"row":0,"col":3,"number":16},'
            '{"row":1,"col":0,"number":256},{"row":1,"col":3,"number":4096},'
            '{"row":2,"col":0,"number":8192},{"row":2,"col":1,"number":12240},'
            '{"row":2,"col":3,"number":77776}]}',
            "pzprv3": "\n".join(
                (
                    *("pzprv3", "cave", "3", "4"),
                    *("- . 5 16 ", "256 . . 4096 ", "8192 12240 . 77776 "),
                    *[". . . . "] * 3,
                )
            ),
            "url": "https://puzz.link/p?cave/4/3/.g5-10+100h=000%000*0000g$00000",
        },
    ),
]
AWKWARD = [
    Cave(1, 1),
    Cave(1, 1, (CaveClue(0, 0),)),
    Cave(1, 9, (CaveClue(0, 8, 9),)),
    Cave(9, 1, (CaveClue(0, 0, 1),)),
    Cave(6, 10),
    *(
        Cave(2, 3, (CaveClue(1, 2, number),))
        for number in (*WIDTHS, *(least - 1 for least in WIDTHS[1:]), MAX_NUMBER)
    ),
    Cave(2, 2, tuple(CaveClue(r, c) for r in (0, 1) for c in (0, 1))),
]
ODD = [
    ("cave/v:own/4/3/.g5-10+100h=000%000*0000g$00000", "variant 'own' is ignored"),
    ("cave/f/4/3/.g5-10+100h=000%000*0000g$00000", "flag 'f' is ignored"),
    ("cave/4/3/.g5-10+100h=000%000*0000g$00000/200/", "what follows the body"),
    ("cave/4/3/.g5-10+100h=000%000*0000g$000005.z!", "goes on after the last of 12 cells"),
]


def clues(row: int, col: int) -> Any:
    """Any clue."""
    small, large = st.none() | st.integers(0, 15), st.integers(16, MAX_NUMBER)
    return st.builds(CaveClue, st.just(row), st.just(col), small | small | large)


def more(puzzle: Cave) -> Any:
    """A board says its clues and no more."""
    return st.just(puzzle)


def clue(random: Random, puzzle: Cave, cell: tuple[int, int]) -> CaveClue:
    """Mostly numbers up to what there is room for."""
    if random.random() < 0.15:
        return CaveClue(*cell)
    return CaveClue(*cell, random.randint(1, puzzle.rows + puzzle.cols - 1))


def told(random: Random, puzzle: Cave, loop: frozenset[Edge] | None) -> Cave:
    """A board says its clues and no more."""
    return puzzle


#: . . . . .
#: . 3 . . .      a square of two by two around the middle is right
#: . . ? . .
#: . . . . .
BOARD = Cave(4, 5, (CaveClue(1, 1, 3), CaveClue(2, 2)))
SQUARE = "1,1 RRDDLLUU"
RING = Cave(3, 3, (CaveClue(0, 0, 5),))

CASES = [
    ("right", BOARD, [SQUARE], []),
    ("right-no-wall", RING, ["0,0 RRRDDDLLLUUU"], []),
    ("no-loop", BOARD, [], ["no-loop", "clue-in-wall"]),
    ("branch", BOARD, [SQUARE, "3,2 D"], ["branch", "dead-end"]),
    ("dead-end", BOARD, ["1,3 DDLLUUR"], ["dead-end"]),
    ("cave-divided", BOARD, [SQUARE, "0,4 RDLU"], ["cave-divided"]),
    ("divided-at-a-corner", BOARD, [SQUARE, "1,3 URDL"], ["cave-divided"]),
    ("wall-enclosed", RING, ["0,0 RRRDDDLLLUUU", "1,1 RDLU"], ["wall-enclosed"]),
    ("enclosed-at-a-corner", RING, ["0,0 RRRDDLDLLUUU", "1,1 RDLU"], ["wall-enclosed"]),
    ("wrong-number", BOARD, ["1,1 RRRDDLLLUU"], ["wrong-number"]),
    (
        "clue-in-wall",
        replace(BOARD, clues=(*BOARD.clues, CaveClue(0, 4))),
        [SQUARE],
        ["clue-in-wall"],
    ),
]
PZPRJS = {
    "cuDivide": "cave-divided",
    "csConnOut": "wall-enclosed",
    "nmSumViewNe": "wrong-number",
    None: None,
}


def obeys(puzzle: Cave, loop: frozenset[Edge]) -> bool:
    """Every clue inside, and no edge of the loop between a clue and what it sees."""
    for clue in puzzle.clues:
        r, c = clue.row, clue.col
        if not is_inside(loop, r, c):
            return False
        seen = 1
        # To see the next cell is to look across the edge before it, if that is off the loop.
        left = right = c
        while left > 0 and (r, left, r + 1, left) not in loop:
            left -= 1
        while right + 1 < puzzle.cols and (r, right + 1, r + 1, right + 1) not in loop:
            right += 1
        top = bottom = r
        while top > 0 and (top, c, top, c + 1) not in loop:
            top -= 1
        while bottom + 1 < puzzle.rows and (bottom + 1, c, bottom + 1, c + 1) not in loop:
            bottom += 1
        seen += right - left + bottom - top
        if clue.number is not None and seen != clue.number:
            return False
    return True


def says(puzzle: Cave, clue: CaveClue) -> list[tuple[Any, ...]]:
    """The cell is in the cave, and sees so many."""
    face = (clue.row, clue.col)
    out: list[tuple[Any, ...]] = [("side", face, True)]
    return [*out, ("sees", face, clue.number)] if isinstance(clue.number, int) else out


FIELDS = {"number": {None, *range(1, 8)}}
IMPOSSIBLE = True
NO_LOOP = None
CORPUS = {"answers": 1, "verdicts": 6, "judged": 100}
PATTERN = """
. X X X X X X .
X . . . . . . X
X . X X X X . X
X . X X X X . X
X . . . . . . X
. X X X X X X .
"""
