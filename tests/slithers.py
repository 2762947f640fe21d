"""Random Slitherlinks with statements, and what an answer must obey, said a second time.

`obeys` shares nothing with castlecp but the puzzle types: sides are counted by crossing the
line, and a statement is looked at word by word.
"""

from __future__ import annotations

from random import Random
from typing import Any

import brute
from hypothesis import strategies as st

from castlecp.genres.slither import SlitherClue, Slitherlink, Statement
from castlecp.grid import Edge

NAMES = ("the mill", "the inn", "the ford", "the kiln")


def is_inside(loop: frozenset[Edge], cell: tuple[int, int]) -> bool:
    """Whether the ray from a cell to the right crosses the loop an odd number of times."""
    r, c = cell
    return sum(e[0] == r and e[2] == r + 1 and e[1] > c for e in loop) % 2 == 1


def lies(puzzle: Slitherlink, loop: frozenset[Edge]) -> list[int]:
    """Which statements are false."""
    false = []
    for number, statement in enumerate(puzzle.statements):
        sides = [is_inside(loop, puzzle.places[name]) for name in statement.of]
        if statement.says == "inside":
            true = sides == [True]
        elif statement.says == "outside":
            true = sides == [False]
        elif statement.says == "same":
            true = sides in ([True, True], [False, False])
        else:
            true = sides in ([True, False], [False, True])
        if not true:
            false.append(number)
    return false


def obeys(puzzle: Slitherlink, loop: frozenset[Edge]) -> bool:
    """Whether a loop obeys clues, statements and flag."""
    for clue in puzzle.clues:
        r, c = clue.row, clue.col
        rim = {
            (r, c, r, c + 1),
            (r + 1, c, r + 1, c + 1),
            (r, c, r + 1, c),
            (r, c + 1, r + 1, c + 1),
        }
        if clue.number is not None and len(rim & loop) != clue.number:
            return False
    if puzzle.visits_all:
        passed = {end for e in loop for end in (e[:2], e[2:])}
        if len(passed) < (puzzle.rows + 1) * (puzzle.cols + 1):
            return False
    return len(lies(puzzle, loop)) == puzzle.false_statements


def solutions(puzzle: Slitherlink) -> set[frozenset[Edge]]:
    """All solutions of a small board."""
    return {x for x in brute.loops(puzzle.rows + 1, puzzle.cols + 1) if obeys(puzzle, x)}


def random_slither(
    random: Random, rows: int, cols: int, density: float = 0.3, flag: float = 0.1
) -> Slitherlink:
    """Clues true of some loop, seldom changed, and statements of which any number is false."""
    loop = random.choice(brute.loops(rows + 1, cols + 1))
    clues = []
    for r in range(rows):
        for c in range(cols):
            if random.random() < density:
                true = sum(edge in loop for edge in rim_of(r, c))
                number = random.choice(
                    (true, true, true, true, true, true, None, random.randrange(5))
                )
                clues.append(SlitherClue(r, c, number))
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    names = NAMES[: len(cells)]
    places = dict(zip(names, random.sample(cells, len(names)), strict=True))
    statements = [random_statement(random, names) for _ in range(random.randrange(6))]
    puzzle = Slitherlink(
        rows, cols, tuple(clues), random.random() < flag, places, tuple(statements)
    )
    if not statements:
        return puzzle
    # As many false ones as the loop makes false, or any number from none to all.
    false = random.choice((len(lies(puzzle, loop)), random.randint(0, len(statements))))
    return saying(puzzle, false)


def saying(puzzle: Slitherlink, false: int) -> Slitherlink:
    """The board with another number of false statements."""
    said = (puzzle.visits_all, puzzle.places, puzzle.statements)
    return Slitherlink(puzzle.rows, puzzle.cols, puzzle.clues, *said, false)


def random_statement(random: Random, names: tuple[str, ...]) -> Statement:
    """A statement; one in a while about one place twice."""
    says: Any = random.choice(("inside", "outside", "same", "opposite"))
    return Statement(
        says, tuple(random.choice(names) for _ in range(1 + (says in ("same", "opposite"))))
    )


def rim_of(r: int, c: int) -> list[Edge]:
    """The four edges of a cell."""
    return [
        Edge(r, c, r, c + 1),
        Edge(r + 1, c, r + 1, c + 1),
        Edge(r, c, r + 1, c),
        Edge(r, c + 1, r + 1, c + 1),
    ]


@st.composite
def slithers(draw: Any, rows: int = 3, cols: int = 4) -> Slitherlink:
    """A board of at most that many cells, with statements."""
    random = draw(st.randoms(use_true_random=False))
    return random_slither(random, draw(st.integers(1, rows)), draw(st.integers(1, cols)))
