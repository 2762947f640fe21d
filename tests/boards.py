"""Random boards for tests, and where the boards on disk are."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import brute
import pytest

from castlecp import codecs
from castlecp.genres import Puzzle
from castlecp.genres.castle import CastleClue, CastleWall

HERE = Path(__file__).parent
SHARED = HERE.parent.parent / "shared"


def corpus(name: str) -> list[dict]:
    """The lines of a file of the shared corpus; skips the test where there is none."""
    path = SHARED / "corpus" / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("the shared corpus is not beside this checkout")
    return [json.loads(line) for line in path.read_text().splitlines()]


def corpus_castles() -> list[tuple[str, Puzzle, str | None]]:
    """Id, puzzle and number of solutions of the corpus's Castle Walls."""
    lines = corpus("castle")
    return [(line["id"], codecs.read(line["url"]), line["solutions"]) for line in lines]


def random_castle(random: Random, rows: int, cols: int, density: float = 0.3) -> CastleWall:
    """Clues of all kinds, as a rule without a solution."""
    clues = []
    for row in range(rows):
        for col in range(cols):
            if random.random() < density:
                color = random.choice(("white", "black", "grey", "grey"))
                arrow = random.choice(("up", "down", "left", "right", None))
                number = random.choice((None, 0, 1, 2, 3, random.randrange(6)))
                clues.append(CastleClue(row, col, color, arrow, number))
    return CastleWall(rows, cols, tuple(clues))


def castle_around(random: Random, rows: int, cols: int, density: float = 0.5) -> CastleWall:
    """True clues about a random loop: at least one solution."""
    loop = random.choice(brute.loops(rows, cols))
    visited = {cell for r1, c1, r2, c2 in loop for cell in ((r1, c1), (r2, c2))}
    clues = []
    for row in range(rows):
        for col in range(cols):
            if (row, col) in visited or random.random() > density:
                continue
            arrow = random.choice(("up", "down", "left", "right", None))
            color = random.choice(("white", "black", "grey"))
            for number in range(max(rows, cols)):
                clue = CastleClue(row, col, color, arrow, number)
                if arrow is None or brute.obeys(
                    CastleWall(rows, cols, (CastleClue(row, col, "grey", arrow, number),)), loop
                ):
                    break
            if color != "grey" and not brute.obeys(CastleWall(rows, cols, (clue,)), loop):
                clue = CastleClue(row, col, "white" if color == "black" else "black", arrow, number)
            clues.append(clue)
    return CastleWall(rows, cols, tuple(clues))
