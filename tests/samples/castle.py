"""Castle Wall for the contract tests; see the package."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from castlecp.genres.castle import MAX_NUMBER, CastleClue, CastleWall
from castlecp.grid import Edge

PUZZLE = CastleWall(
    3,
    4,
    (
        CastleClue(0, 0, "black", "down", 1),
        CastleClue(0, 3, "grey"),
        CastleClue(1, 1, "white", "left"),
        CastleClue(2, 0, "black", "right", 16),
        CastleClue(2, 2, "black", "up", 256),
        CastleClue(2, 3, "grey", None, 3),
    ),
)
WRITTEN = [
    (
        PUZZLE,
        {
            "board": """castle
B1↓   .     .     G
.     W?←   .     .
B16→  .     B256↑ G3""",
            "json": '{"type":"castle","rows":3,"cols":4,"clues":['
            '{"row":0,"col":0,"color":"black","arrow":"down","number":1},'
            '{"row":0,"col":3,"color":"grey"},'
            '{"row":1,"col":1,"color":"white","arrow":"left"},'
            '{"row":2,"col":0,"color":"black","arrow":"right","number":16},'
            '{"row":2,"col":2,"color":"black","arrow":"up","number":256},'
            '{"row":2,"col":3,"color":"grey","number":3}]}',
            "pzprv3": "\n".join(
                (
                    *("pzprv3", "castle", "3", "4"),
                    *("2,1,2 . . 0,-,0 ", ". 3,-,1 . . ", "4,16,2 . 1,256,2 0,3,0 "),
                    *(["0 0 0 "] * 3 + ["0 0 0 0 "] * 2),
                )
            ),
            "url": "https://puzz.link/p?castle/4/3/221b00.a13.b2910a2-1100003",
        },
    ),
]
AWKWARD = [
    CastleWall(1, 1),
    CastleWall(1, 9, (CastleClue(0, 8, "black", "left", 0),)),
    CastleWall(9, 1, (CastleClue(0, 0, "black", "down", 0),)),
    CastleWall(6, 10),
    CastleWall(5, 3, tuple(CastleClue(r, c, "grey", "up", 15) for r in (0, 4) for c in (0, 2))),
    *(
        CastleWall(2, 3, (CastleClue(1, 2, "black", "up", number),))
        for number in (15, 16, 255, 256, MAX_NUMBER)
    ),
    CastleWall(2, 2, tuple(CastleClue(r, c, "white") for r in (0, 1) for c in (0, 1))),
]
ODD = [
    ("castle/v:own/4/3/221b00.a13.b2910a2-1100003", "variant 'own' is ignored"),
    ("castle/x/4/3/221b00.a13.b2910a2-1100003", "flag 'x' is ignored"),
    ("castle/4/3/221b00.a13.b2910a2-1100003/200/", "what follows the body"),
    ("castle/4/3/221b00.a13.b2910a2-110000320.z!", "goes on after the last of 12 cells"),
    ("castle/4/3/221b70.a13.b2910a2-1100003", "colour digit above 2 is read as grey"),
]

#: Numbers of every width that a format distinguishes, and none.
numbers = st.none() | st.integers(0, 15) | st.integers(16, 255) | st.integers(256, MAX_NUMBER)


def clues(row: int, col: int) -> Any:
    """Any clue."""
    return st.builds(
        CastleClue,
        st.just(row),
        st.just(col),
        st.sampled_from(["white", "black", "grey"]),
        st.sampled_from([None, "up", "down", "left", "right"]),
        st.sampled_from([0, 1, 2, 3]) | numbers,
    )


def more(puzzle: CastleWall) -> Any:
    """A board says its clues and no more."""
    return st.just(puzzle)


def clue(random: Random, puzzle: CastleWall, cell: tuple[int, int]) -> CastleClue:
    """Colours, arrows and small numbers."""
    color = random.choice(("white", "black", "grey", "grey"))
    arrow = random.choice(("up", "down", "left", "right", None))
    return CastleClue(*cell, color, arrow, random.choice((None, 0, 1, 2, 3, random.randrange(6))))


def told(random: Random, puzzle: CastleWall, loop: frozenset[Edge] | None) -> CastleWall:
    """A board says its clues and no more."""
    return puzzle


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
PZPRJS = {
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


def obeys(puzzle: CastleWall, loop: frozenset[Edge]) -> bool:
    """No clue on the loop, colours on their sides, and the edges of each ray."""
    on_loop = {cell for r1, c1, r2, c2 in loop for cell in ((r1, c1), (r2, c2))}
    for clue in puzzle.clues:
        if (clue.row, clue.col) in on_loop:
            return False
        # A ray just above the clue's row, to the left: it crosses vertical edges only.
        inside = sum((clue.row - 1, k, clue.row, k) in loop for k in range(clue.col)) % 2 == 1
        if (clue.color == "white" and not inside) or (clue.color == "black" and inside):
            return False
        if clue.arrow is None or clue.number is None:
            continue
        seen = 0
        for r1, c1, r2, c2 in loop:
            horizontal = r1 == r2
            seen += {
                "left": horizontal and r1 == clue.row and c2 <= clue.col,
                "right": horizontal and r1 == clue.row and c1 >= clue.col,
                "up": not horizontal and c1 == clue.col and r2 <= clue.row,
                "down": not horizontal and c1 == clue.col and r1 >= clue.row,
            }[clue.arrow]
        if seen != clue.number:
            return False
    return True


def says(puzzle: CastleWall, clue: CastleClue) -> list[tuple[Any, ...]]:
    """No line at the clue, the sides of the faces around it, and the edges of its ray."""
    r, c = clue.row, clue.col
    out: list[tuple[Any, ...]] = [("degree", (r, c), (0,))]
    if clue.color != "grey":
        for face in ((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)):
            out.append(("side", face, clue.color == "white"))
    if clue.arrow is not None and clue.number is not None:
        edges = []
        for edge in puzzle.lattice.edges:
            horizontal = edge.r1 == edge.r2
            if {
                "left": horizontal and edge.r1 == r and edge.c2 < c,
                "right": horizontal and edge.r1 == r and edge.c1 > c,
                "up": not horizontal and edge.c1 == c and edge.r2 < r,
                "down": not horizontal and edge.c1 == c and edge.r1 > r,
            }[clue.arrow]:
                edges.append(edge)
        out.append(("count", edges, clue.number))
    return out


FIELDS = {
    "color": {"white", "black", "grey"},
    "arrow": {"up", "down", "left", "right", None},
}
IMPOSSIBLE = True
NO_LOOP = "row-1x5.url"
CORPUS = {"answers": 1, "verdicts": 6, "judged": 100}
PATTERN = None
