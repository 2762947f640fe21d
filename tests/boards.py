"""Random boards for tests, and where the boards on disk are."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import brute
import pytest
import samples
from msgspec.structs import replace

from castlecp import codecs
from castlecp.genres import Puzzle

HERE = Path(__file__).parent
#: The levels that come with castlecp.
LEVELS = HERE.parent / "castlecp" / "data" / "levels"
SHARED = HERE.parent.parent / "shared"


def corpus(name: str) -> list[dict]:
    """The lines of a file of the shared corpus; skips the test where there is none."""
    path = SHARED / "corpus" / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("the shared corpus is not beside this checkout")
    return [json.loads(line) for line in path.read_text().splitlines()]


def corpus_boards(genre: str) -> list[tuple[str, Puzzle, str | None]]:
    """Id, puzzle and number of solutions of the corpus's boards."""
    lines = corpus(genre)
    return [(line["id"], codecs.read(line["url"]), line["solutions"]) for line in lines]


def random_board(genre: str, random: Random, rows: int, cols: int, density: float = 0.3) -> Puzzle:
    """Clues of all kinds on `rows` x `cols` vertices, as a rule without a solution."""
    sample, puzzle = samples.of(genre), samples.blank(genre, rows, cols)
    clues = [sample.clue(random, puzzle, cell) for cell in cells(puzzle, random, density)]
    return sample.told(random, replace(puzzle, clues=tuple(clues)), None)


def board_around(genre: str, random: Random, rows: int, cols: int, density: float = 0.5) -> Puzzle:
    """True clues about a random loop on `rows` x `cols` vertices: at least one solution."""
    sample, puzzle = samples.of(genre), samples.blank(genre, rows, cols)
    loop = random.choice(brute.loops(rows, cols))
    clues = []
    for cell in cells(puzzle, random, density):
        for _ in range(20):
            clue = sample.clue(random, puzzle, cell)
            if brute.obeys(replace(puzzle, clues=(clue,)), loop):
                clues.append(clue)
                break
    return sample.told(random, replace(puzzle, clues=tuple(clues)), loop)


def cells(puzzle: Puzzle, random: Random, density: float) -> list[tuple[int, int]]:
    """Some of the cells."""
    every = ((r, c) for r in range(puzzle.rows) for c in range(puzzle.cols))
    return [cell for cell in every if random.random() < density]
