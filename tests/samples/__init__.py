"""What the tests know of each genre: one module a genre, found by the genre's id.

The contract tests run over every genre of castlecp and take from here what its boards look like.
A module has

    WRITTEN             boards, each with how a person writes it down in every format by name; a
                        format that is missing cannot say the board. The first board has every
                        kind of clue, 3 rows of 4 cells, and is there in every format
    AWKWARD             boards at the ends of what formats can say
    ODD                 addresses of the first board with something in them that counts for
                        nothing, each with a part of the warning
    clues(row, col)     strategy: any clue there, however little sense it makes
    more(puzzle)        strategy: the board with whatever it can say besides its clues
    clue(random, puzzle, cell)      a clue with a fair chance to be true of a loop
    told(random, puzzle, loop)      the board with something said besides its clues, true of the
                                    loop, or of none in particular when that is None
    CASES               name, board, strokes (see `drawn`) and the names of all faults that the
                        line has; there is a case for each rule, and one that is right
    PZPRJS              our names for the failures of pzprjs; None is none
    obeys(puzzle, loop)             the rules once more: whether a loop, as the set of its edges,
                                    is an answer; shares nothing with castlecp but the puzzle type
    says(puzzle, clue)              what a clue says, for `reference_reasons`:
                        ("degree", vertex, numbers of edges), ("count", edges, number), ("side",
                        face, inside), ("ways", edges, values that they may have) or ("sees", face,
                        number)
    FIELDS              what is to be among a few hundred random clues: values by field
    IMPOSSIBLE          whether a clue can be impossible by itself
    NO_LOOP             the name of a board without a loop in tests/boards, if there is one
    CORPUS              how many records at least the files of the shared corpus that are about all
                        genres have of this one, by name; a file that is missing has none
    PATTERN             6 rows of 8 cells, a picture of where clues stand that a random loop hardly
                        ever meets; None where any does

A genre without a module here makes the contract tests fail.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from castlecp import genres
from castlecp.genres import Puzzle
from castlecp.grid import STEPS, Edge, Lattice, Loop

NAMES = genres.names()

#: Runs a test over every genre.
every_genre = pytest.mark.parametrize("genre", NAMES)


def of(genre: str) -> Any:
    """The module of a genre."""
    return import_module(f"samples.{genre}")


def in_corpus(*files: str) -> Any:
    """Runs a test over every genre of which files of the shared corpus have records."""
    pairs = [(genre, name) for genre in NAMES for name in files if name in of(genre).CORPUS]
    return pytest.mark.parametrize(("genre", "name"), pairs)


def kind_of(genre: str) -> type[Puzzle]:
    """The puzzle type of a genre."""
    return genres.genre(genre).PUZZLE


def blank(genre: str, rows: int, cols: int) -> Puzzle:
    """A board without clues whose loop runs on `rows` x `cols` vertices, at least one cell."""
    kind = kind_of(genre)
    more = kind(1, 1).lattice.rows - 1
    return kind(max(rows - more, 1), max(cols - more, 1))


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
