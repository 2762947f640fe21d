"""The rules in the page are those of `check`, fault by fault."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import msgspec
import node
import samples
from boards import board_around, corpus, random_board
from samples import drawn, every_genre, in_corpus

from castlecp import codecs
from castlecp.checker import check
from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.grid import Loop

#: Random boards and lines for each genre.
PAIRS = 500


@every_genre
def test_random_lines(genre: str) -> None:
    """Boards of all kinds with lines that are right, nearly right, and no loops at all."""
    random = Random(f"mirror {genre}")
    agree([_pair(genre, random) for _ in range(PAIRS)])


@every_genre
def test_every_fault(genre: str) -> None:
    """The lines that break each rule of the genre, and one that breaks none."""
    cases = samples.of(genre).CASES
    pairs = [(puzzle, drawn(puzzle.lattice, *strokes)) for _, puzzle, strokes, _ in cases]
    agree(pairs)
    reached = {fault.name for pair in pairs for fault in check(*pair)}
    assert reached == {name for *_, names in cases for name in names}


@in_corpus("judged")
def test_judged_answers(genre: str, name: str) -> None:
    """Answers and near-answers of public boards."""
    texts = [line["file_text"] for line in corpus(name) if line["kind"] == genre]
    agree(
        [
            (puzzle, codecs.read_answer(text, puzzle))
            for text in texts
            for puzzle in [codecs.read(text)]
        ]
    )


def agree(pairs: list[tuple[Puzzle, Loop]]) -> Counter[str]:
    """The page names the same faults in the same order; how often each."""
    lines = []
    for puzzle, line in pairs:
        edges = [k for k, edge in enumerate(puzzle.lattice.edges) if edge in line.edges]
        lines.append(json.dumps({"puzzle": msgspec.to_builtins(puzzle), "edges": edges}))
    answers = node.run("mirror.js", "\n".join(lines)).splitlines()
    assert len(answers) == len(pairs)
    seen: Counter[str] = Counter()
    for (puzzle, line), answer in zip(pairs, answers, strict=True):
        faults = check(puzzle, line)
        found = json.loads(answer)
        for fault in found:  # pieces are walked in no order of meaning
            fault["vertices"].sort()
            fault["faces"].sort()
        assert found == [_as_page(fault) for fault in faults], (puzzle, line)
        seen.update(fault.name for fault in faults)
    return seen


def _as_page(fault: Fault) -> dict[str, Any]:
    return {
        "name": fault.name,
        "sentence": fault.sentence,
        "vertices": sorted(map(list, fault.vertices)),
        "faces": sorted(map(list, fault.faces)),
        "about": fault.about,
    }


def _pair(genre: str, random: Random) -> tuple[Puzzle, Loop]:
    rows, cols = random.randint(2, 5), random.randint(2, 6)
    make = random.choice((random_board, board_around))
    puzzle = make(genre, random, min(rows, 4), min(cols, 5), random.random())
    lattice = puzzle.lattice
    if random.random() < 0.3:
        edges = {edge for edge in lattice.edges if random.random() < 0.4}
    else:
        faces = {face for face in lattice.faces() if random.random() < random.choice((0.3, 0.5, 1))}
        edges = set(Loop.around(lattice, faces).edges)
        for edge in random.sample(lattice.edges, random.choice((0, 0, 1, 2))):
            edges ^= {edge}
    return puzzle, Loop(lattice, frozenset(edges))
