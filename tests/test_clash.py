"""A contradiction of sides alone names what it leans on: a ring of faces that does not close."""

from __future__ import annotations

from random import Random
from typing import Any

from boards import random_board
from samples import every_genre

from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.ladder import explain
from castlecp.propagation.genres import of

OUTSIDE = None


def contradicts(step: Any, before: list[Any], puzzle: Any) -> bool:
    """Whether the edges and faces that a step names cannot be as the steps before it say."""
    board, across = of(puzzle).read(puzzle).board, puzzle.lattice.cols - 1

    def face(number: int) -> Any:
        return OUTSIDE if number == board.outer else divmod(number, across)

    said = []
    for one in before:
        for edges, differ in ((one.on, True), (one.off, False)):
            for edge in edges:
                if edge in step.edges:
                    beside = [f if puzzle.lattice.has_face(f) else OUTSIDE for f in edge.faces]
                    said.append((*beside, differ))
        said += one.relations
    for literal in board.given:
        f, g = divmod((literal >> 1) - len(puzzle.lattice.edges), board.outer + 1)
        said.append((face(f), face(g), literal & 1 == 1))
    named = {*step.faces, OUTSIDE}
    said = [(f, g, differ) for f, g, differ in said if f in named and g in named]
    sides: dict[Any, tuple[Any, bool]] = {face: (face, False) for face in named}
    for f, g, differ in said:
        (root, mine), (other, yours) = sides[f], sides[g]
        if root == other and mine ^ yours != differ:
            return True
        for face_, (of_, side) in sides.items():
            if of_ == other:
                sides[face_] = (root, side ^ yours ^ mine ^ differ)
    return False


@every_genre
def test_the_ring_that_a_contradiction_leans_on(genre: str) -> None:
    """The faces and edges named are enough, by the steps before and the colours of clues."""
    random = Random(3)
    for _ in range(150):
        puzzle = random_board(genre, random, random.randint(3, 5), random.randint(3, 5), 0.5)
        *before, last = explain(puzzle, detail=True) or [None]
        if last and last.rule == "sides" and not last.edges + last.vertices + last.faces:
            assert last.sentence.startswith("A clue on the border has it")
        if last and last.rule == "sides" and last.faces and not last.on + last.off:
            assert contradicts(last, before, puzzle), (puzzle, last.sentence)


def test_in_words() -> None:
    """Faces in the order of the ring."""
    clues = (CastleClue(1, 1, "white"), CastleClue(1, 2, "black"))
    (*_, last) = explain(CastleWall(4, 4, clues))
    assert last.rule == "sides"
    assert "would be on the same side of the line and on different ones" in last.sentence
