"""The chains of suppositions: how long they are, and that they are the shortest."""

from __future__ import annotations

from typing import Any

from reference_chains import suppositions
from samples import every_genre

from castlecp import ladder
from castlecp.budget import Budget
from castlecp.generate.board import make
from castlecp.generate.settings import Settings
from castlecp.ladder.climber import Climber

#: Boards of each genre, and how large they are.
BOARDS, SIZE = 4, 7


def explained(genre: str, seed: int, detail: bool = False) -> tuple[Any, list[Any]]:
    """A hard board, and how it is explained."""
    settings = Settings(genre=genre, rows=SIZE, cols=SIZE, difficulty="expert")
    puzzle = make(settings, seed, with_nodes=False).puzzle
    return puzzle, ladder.explain(puzzle, detail=detail)


@every_genre
def test_the_length_of_a_chain_is_that_of_its_single_links(genre: str) -> None:
    """Whether they are told one by one or with the link that they follow from."""
    found = 0
    for seed in range(BOARDS):
        _, steps = explained(genre, seed, detail=True)
        lengths = [_length(step) for step in steps if step.chain]
        assert ladder.chain_lengths(steps) == lengths
        assert ladder.chain_lengths(explained(genre, seed)[1]) == lengths
        found += len(lengths)
    assert found > 0


def _length(step: Any) -> int:
    """The links of a step without those that are suppositions, where each is told alone."""
    return sum((link.rule != "") + _length(link) for link in step.chain)


@every_genre
def test_the_chain_shown_is_the_shortest_that_there_is(genre: str) -> None:
    """In 95 of 100 cases, against all sequences of fewer links."""
    asked = shorter = 0
    for seed in range(BOARDS):
        puzzle, steps = explained(genre, seed)
        climber = Climber.of(puzzle)
        _, log = climber.run(Budget(), shortest=True)
        lengths = [entry.detail for entry in log if entry.rule == "failed_literal"]
        probes = [one for step in steps for one in step.steps if one.rule == "failed_literal"]
        # What a rule means can need less than its kernel, so that a link is told without.
        told = ladder.chain_lengths(probes)
        assert all(short <= links for short, links in zip(told, lengths, strict=True))
        for links, search in suppositions(climber, log):
            if links <= 3:
                asked += 1
                shorter += search.has(links - 1) if links > 1 else 0
                assert search.has(links)
    assert asked > 5
    assert shorter <= asked // 20
