"""Cave: a clue is inside and sees so many inside faces up to the nearest wall each way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from castlecp.certify.statement import Board, Clause, exactly
from castlecp.genres.cave import Cave, CaveClue
from castlecp.grid import Edge, Face


def clauses(puzzle: Cave, board: Board, new: Callable[[], int]) -> Iterator[Clause]:
    """What the clues say."""
    for clue in puzzle.clues:
        yield (board.face[clue.row, clue.col],)
        if isinstance(clue.number, int):
            seen = []
            for ray in _rays(puzzle, clue):
                before = None
                for face in ray:
                    # This face is seen: it is inside, and so is all before it.
                    x, sees = board.face[face], new()
                    yield (-sees, x)
                    if before is None:
                        yield (sees, -x)
                    else:
                        yield (-sees, before)
                        yield (sees, -x, -before)
                    seen.append(sees)
                    before = sees
            yield from exactly(clue.number - 1, seen, new)


def broken(puzzle: Cave, edges: Set[Edge], inside: Set[Face]) -> Iterator[tuple[CaveClue, str]]:
    """The clues that a loop breaks."""
    for clue in puzzle.clues:
        if (clue.row, clue.col) not in inside:
            yield clue, "it is outside the loop"
            continue
        seen = 1
        for ray in _rays(puzzle, clue):
            for face in ray:
                if face not in inside:
                    break
                seen += 1
        if clue.number is not None and seen != clue.number:
            yield clue, f"it sees {seen} faces"


def _rays(puzzle: Cave, clue: CaveClue) -> list[list[Face]]:
    """The faces in each direction, the nearest first."""
    r, c = clue.row, clue.col
    return [
        [(k, c) for k in range(r - 1, -1, -1)],
        [(k, c) for k in range(r + 1, puzzle.rows)],
        [(r, k) for k in range(c - 1, -1, -1)],
        [(r, k) for k in range(c + 1, puzzle.cols)],
    ]
