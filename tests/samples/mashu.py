"""Masyu for the contract tests; see the package."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from hypothesis import strategies as st

from castlecp.genres.mashu import Circle, Masyu
from castlecp.grid import Edge

PUZZLE = Masyu(
    3,
    4,
    (
        Circle(0, 1, "white"),
        Circle(0, 2, "black"),
        Circle(1, 0, "white"),
        Circle(2, 0, "black"),
        Circle(2, 3, "black"),
    ),
)
WRITTEN = [
    (
        PUZZLE,
        {
            "board": "mashu\n. W B .\nW . . .\nB . . B",
            "json": '{"type":"mashu","rows":3,"cols":4,"clues":['
            '{"row":0,"col":1,"color":"white"},{"row":0,"col":2,"color":"black"},'
            '{"row":1,"col":0,"color":"white"},{"row":2,"col":0,"color":"black"},'
            '{"row":2,"col":3,"color":"black"}]}',
            "pzprv3": "\n".join(
                (
                    *("pzprv3", "mashu", "3", "4"),
                    *(". 1 2 . ", "1 . . . ", "2 . . 2 "),
                    *["0 0 0 "] * 3,
                    *["0 0 0 0 "] * 2,
                )
            ),
            "url": "https://puzz.link/p?mashu/4/3/5322",
        },
    ),
    (
        Masyu(2, 5, (Circle(1, 4, "white"),)),
        {
            "board": "mashu\n. . . . .\n. . . . W",
            "json": '{"type":"mashu","rows":2,"cols":5,'
            '"clues":[{"row":1,"col":4,"color":"white"}]}',
            "pzprv3": "pzprv3\nmashu\n2\n5\n. . . . . \n. . . . 1 \n"
            + "0 0 0 0 \n" * 2
            + "0 0 0 0 0 ",
            "url": "https://puzz.link/p?mashu/5/2/0009",
        },
    ),
]
AWKWARD = [
    Masyu(1, 1),
    Masyu(1, 1, (Circle(0, 0, "white"),)),
    Masyu(1, 7, (Circle(0, 6, "black"),)),
    Masyu(7, 1, (Circle(6, 0, "white"), Circle(0, 0, "black"))),
    Masyu(4, 11),
    Masyu(2, 2, tuple(Circle(r, c, "black") for r in (0, 1) for c in (0, 1))),
]
ODD = [
    ("mashu/v:own/4/3/5322", "variant 'own' is ignored"),
    ("mashu/f/4/3/5322", "flag 'f' is ignored"),
    ("mashu/4/3/5322/200/", "what follows the body"),
    ("mashu/4/3/53225z!", "goes on after the last of 12 cells"),
]


def clues(row: int, col: int) -> Any:
    """Any clue."""
    return st.builds(Circle, st.just(row), st.just(col), st.sampled_from(("white", "black")))


def more(puzzle: Masyu) -> Any:
    """A board says its clues and no more."""
    return st.just(puzzle)


def clue(random: Random, puzzle: Masyu, cell: tuple[int, int]) -> Circle:
    """Either colour."""
    return Circle(*cell, random.choice(("white", "black")))


def told(random: Random, puzzle: Masyu, loop: frozenset[Edge] | None) -> Masyu:
    """A board says its clues and no more."""
    return puzzle


#:  .   .   .   .   .   .
#:  .   B   W   .   .   .       the rectangle of two by three around the middle is right
#:  .   .   .   .   .   .
#:  .   .   .   W   B   .
#:  .   .   .   .   .   .
BOARD = Masyu(
    5,
    6,
    (Circle(1, 1, "black"), Circle(1, 2, "white"), Circle(3, 3, "white"), Circle(3, 4, "black")),
)
RIGHT = "1,1 RRRDDLLLUU"
LONG = "0,0 RRRRDLLLLU"
TWO = Masyu(5, 6, (Circle(1, 1, "black"),))

CASES = [
    ("right", BOARD, [RIGHT], []),
    ("no-loop", BOARD, [], ["no-loop", "circle-missed"]),
    ("branch", BOARD, [RIGHT, "3,2 D"], ["branch", "dead-end"]),
    ("cross", TWO, [RIGHT, "3,4 RDLU"], ["cross"]),
    ("white-turns", Masyu(5, 6, (Circle(1, 1, "white"),)), ["1,1 RDLU"], ["white-turns"]),
    ("black-straight", Masyu(5, 6, (Circle(0, 2, "black"),)), [LONG], ["black-straight"]),
    ("turn-beside-black", TWO, ["1,1 RRDLLU"], ["turn-beside-black"]),
    (
        "no-turn-beside-white",
        Masyu(5, 6, (Circle(0, 2, "white"),)),
        [LONG],
        ["no-turn-beside-white"],
    ),
    ("circle-missed", BOARD, ["1,1 RRRDLLLU"], ["turn-beside-black", "circle-missed"]),
    ("dead-end", TWO, ["1,1 RRRDDLLLU"], ["dead-end"]),
    ("several-loops", TWO, [RIGHT, "0,0 R"], ["dead-end", "several-loops"]),
    ("two-loops", Masyu(5, 6, ()), ["0,0 RDLU", "3,3 RDLU"], ["several-loops"]),
]
PZPRJS = {
    "brNoLine": "no-loop",
    "lnBranch": "branch",
    "lnCross": "cross",
    "mashuWCurve": "white-turns",
    "mashuBStrig": "black-straight",
    "mashuBCvNbr": "turn-beside-black",
    "mashuWStNbr": "no-turn-beside-white",
    "mashuOnLine": "circle-missed",
    "lnDeadEnd": "dead-end",
    "lnPlLoop": "several-loops",
    None: None,
}


def obeys(puzzle: Masyu, loop: frozenset[Edge]) -> bool:
    """Walk along the loop: at each circle, the moves before, onto, off and after it."""
    at: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for r1, c1, r2, c2 in loop:
        at.setdefault((r1, c1), []).append((r2, c2))
        at.setdefault((r2, c2), []).append((r1, c1))
    path = [min(at), at[min(at)][0]]
    while len(path) < len(at):
        path.append(next(there for there in at[path[-1]] if there != path[-2]))
    moves = [(path[k][0] - path[k - 1][0], path[k][1] - path[k - 1][1]) for k in range(len(path))]
    # turned[k]: whether the path turns at its k-th cell.
    turned = [moves[k] != moves[(k + 1) % len(path)] for k in range(len(path))]
    where = {cell: k for k, cell in enumerate(path)}
    for clue in puzzle.clues:
        k = where.get((clue.row, clue.col))
        if k is None:
            return False
        beside = turned[k - 1] + turned[(k + 1) % len(path)]
        if clue.color == "white" and (turned[k] or not beside):
            return False
        if clue.color == "black" and (not turned[k] or beside):
            return False
    return True


def says(puzzle: Masyu, clue: Circle) -> list[tuple[Any, ...]]:
    """The line passes the circle, in one of the ways of its colour."""
    r, c = clue.row, clue.col
    near = [((r, c - 1), (r, c - 2)), ((r, c + 1), (r, c + 2)), ((r - 1, c), (r - 2, c))]
    near.append(((r + 1, c), (r + 2, c)))
    every = [(min((r, c), a), max((r, c), a)) for a, _ in near]
    every += [(min(a, b), max(a, b)) for a, b in near]
    edges = [Edge(*one, *other) for one, other in every]
    here = [k for k, edge in enumerate(edges) if edge in puzzle.lattice.edges]
    ways = set()
    for out in ((0, 1), (2, 3), (0, 2), (0, 3), (1, 2), (1, 3)):
        straight = out in ((0, 1), (2, 3))
        for way in product((0, 1), repeat=8):
            if tuple(k for k in range(4) if way[k]) != out or straight == (clue.color == "black"):
                continue
            on = [way[4 + k] for k in out]
            if (all(on) if clue.color == "black" else not all(on)) and not any(
                way[k] for k in range(8) if k not in here
            ):
                ways.add(tuple(way[k] for k in here))
    return [("degree", (r, c), (2,)), ("ways", [edges[k] for k in here], ways)]


FIELDS = {"color": {"white", "black"}}
IMPOSSIBLE = True
NO_LOOP = None
CORPUS: dict[str, int] = {}
PATTERN = None
