"""What of a board shows its maker: figures of its loop and of its clues, whatever its genre."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, pstdev

from measure import SHARED

from castlecp import codecs
from castlecp.auto import solve
from castlecp.genres import Puzzle
from castlecp.grid import STEPS, Loop, Symmetry
from castlecp.verdict import Status

#: Sides of the published boards that are compared.
SIDES = range(8, 15)
#: Collections that people made, by the first part of their addresses; others are programs' work.
PUBLISHED = ("SmilingWayne/puzzlekit-dataset", "ianfhunter/Enigma")

#: Turned and mirrored, all but the one that changes nothing.
SYMMETRIES = [
    Symmetry(bool(k & 1), bool(k & 2), transpose)
    for transpose in (False, True)
    for k in range(4)
    if k or transpose
]


@dataclass(frozen=True)
class Board:
    """A puzzle and its loop; `source` says where it is from: a difficulty, or "published"."""

    puzzle: Puzzle
    loop: Loop
    source: str


def published(genre: str) -> list[Board]:
    """The boards of a genre that people published, each with one solution; none without them."""
    boards = {}
    for name in (genre, "published"):
        file = SHARED / f"corpus/{name}.jsonl"
        for line in map(json.loads, file.read_text().splitlines() if file.exists() else ()):
            made = line["source"].split(":")[0] if "source" in line else "?"
            fits = line["height"] in SIDES and line["width"] in SIDES
            if fits and made in PUBLISHED and line.get("kind", genre) == genre:
                puzzle = codecs.read(line["url"])
                verdict = solve(puzzle)
                if verdict.status is Status.UNIQUE and not any(puzzle.demands()):
                    boards[puzzle] = Board(puzzle, verdict.loops[0], "published")
    return list(boards.values())


def loop_features(loop: Loop) -> dict[str, float]:
    """Figures of a loop alone, shares that do not grow with the board."""
    lattice, on = loop.lattice, loop.neighbours
    rows, cols = zip(*on, strict=True)
    box = (max(rows) - min(rows) + 1) * (max(cols) - min(cols) + 1)
    turns = sum(a[0] != b[0] and a[1] != b[1] for a, b in on.values())
    off = [v for v in lattice.vertices() if v not in on]
    sides = [{0, lattice.rows - 1}, {0, lattice.cols - 1}]
    rim = sum(
        (r1 == r2 and r1 in sides[0]) or (c1 == c2 and c1 in sides[1])
        for r1, c1, r2, c2 in loop.edges
    )
    faces = set(loop.inside)
    blocks = sum({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} <= faces for r, c in faces)
    return {
        "loop": len(loop.edges) / (lattice.rows * lattice.cols),
        "box": box / (lattice.rows * lattice.cols),
        "inside": len(faces) / len(list(lattice.faces())),
        "turns": turns / len(on),
        "rim": rim / (2 * (lattice.rows + lattice.cols) - 4),
        "blocks": blocks / len(faces),
        "longest": max(_runs(loop)) / max(lattice.rows, lattice.cols),
        "within": sum(v in faces for v in off) / max(1, len(off)),
    }


def _runs(loop: Loop) -> Iterator[int]:
    """The lengths of the straight pieces of a loop."""
    for edge in loop.edges:
        r1, c1, r2, c2 = edge
        down, right = r2 - r1, c2 - c1
        if (2 * r1 - r2, 2 * c1 - c2) in loop.neighbours[r1, c1]:
            continue
        length, at = 1, (r2, c2)
        while (at[0] + down, at[1] + right) in loop.neighbours[at]:
            at, length = (at[0] + down, at[1] + right), length + 1
        yield length


def clue_features(puzzle: Puzzle) -> dict[str, float]:
    """Figures of the clues, for what the genre's clues say."""
    clues: Sequence[object] = puzzle.clues
    rows, cols, number = puzzle.rows, puzzle.cols, len(puzzle.clues)
    cells = {(clue.row, clue.col): clue for clue in puzzle.clues}
    beside = sum((r + i, c + j) in cells for r, c in cells for i, j in STEPS.values())
    windows = [(r, c) for r in range(rows - 2) for c in range(cols - 2)]
    bare = sum(
        not any((r + i, c + j) in cells for i in range(3) for j in range(3)) for r, c in windows
    )
    fits = [one for one in SYMMETRIES if one.size(rows, cols) == (rows, cols)]
    alike = max(sum(one.cell(cell, rows, cols) in cells for cell in cells) / number for one in fits)
    border = sum(r in (0, rows - 1) or c in (0, cols - 1) for r, c in cells)
    told = {
        "clues": number / (rows * cols),
        "beside": beside / number,
        "bare": bare / len(windows),
        "symmetric": alike,
        "border": border / number,
    }
    numbers = [n for clue in clues if isinstance(n := getattr(clue, "number", None), int)]
    if any(hasattr(clue, "number") for clue in clues):
        told["silent"] = 1 - len(numbers) / number
        told["number"] = mean(numbers or [0])
        told["spread"] = pstdev(numbers or [0])
        for n in range(4):
            told[f"{n}s"] = numbers.count(n) / max(1, len(numbers))
    colors = [color for clue in clues if (color := getattr(clue, "color", None)) is not None]
    if colors:
        told["white"] = colors.count("white") / number
        told["black"] = colors.count("black") / number
    arrows = [arrow for clue in clues if (arrow := getattr(clue, "arrow", None))]
    if arrows:
        told["across"] = sum(arrow in ("left", "right") for arrow in arrows) / len(arrows)
    return told


def features(board: Board) -> tuple[dict[str, float], dict[str, float]]:
    """The figures of a board's loop, and of its clues."""
    return loop_features(board.loop), clue_features(board.puzzle)
