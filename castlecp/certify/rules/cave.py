"""Cave: a clue is inside and sees so many inside faces up to the nearest wall each way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import product
from math import comb

from castlecp.certify.clauses import Base, Clause, exactly
from castlecp.genres.cave import Cave, CaveClue
from castlecp.grid import Edge, Face
from castlecp.nouns import plural

#: Ways to share a number among four rays up to which they are told one by one; a person would read
#: those with less trouble than helpers that count, and proofs are shorter.
PLAIN = 5_000


def clauses(puzzle: Cave, base: Base, new: Callable[[], int]) -> Iterator[Clause]:
    """What the clues say."""
    for clue in puzzle.clues:
        yield (base.face[clue.row, clue.col],)
        if isinstance(clue.number, int):
            seen = []
            for ray in _rays(puzzle, clue):
                literals: list[int] = []
                # What sees so many faces that way sees too many, and how many more is all one.
                for face in ray[: max(clue.number, 0)]:
                    # This face is seen: it is inside, and so are all before it.
                    x, sees = base.face[face], new()
                    before = literals[-1:]
                    yield (-sees, x)
                    yield from ((-sees, y) for y in before)
                    yield (sees, -x, *(-y for y in before))
                    literals.append(sees)
                seen.append(literals)
            if comb(clue.number + 3, 3) <= PLAIN:
                yield from _together(clue.number - 1, seen)
            else:
                yield from exactly(clue.number - 1, [x for ray in seen for x in ray], new)


def _together(number: int, seen: list[list[int]]) -> Iterator[Clause]:
    """So many faces are seen in all; `seen` says for each ray whether its first k faces are.

    Not more: of any stretches along the rays that have one face more in all, some is not seen.
    Not fewer: of any that have one face fewer, some is not all that is seen that way.
    """
    if not 0 <= number <= sum(map(len, seen)):
        yield ()
        return
    for stretches in _stretches(number + 1, seen):
        yield tuple(-ray[k - 1] for ray, k in zip(seen, stretches, strict=True) if k)
    for stretches in _stretches(number - 1, seen):
        yield tuple(ray[k] for ray, k in zip(seen, stretches, strict=True) if k < len(ray))


def _stretches(number: int, seen: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """All ways to have so many faces in all, as lengths along the rays."""
    *rays, last = seen
    for first in product(*(range(len(ray) + 1) for ray in rays)):
        if 0 <= number - sum(first) <= len(last):
            yield (*first, number - sum(first))


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
            yield clue, f"it sees {plural(seen, 'face')}"


def _rays(puzzle: Cave, clue: CaveClue) -> list[list[Face]]:
    """The faces in each direction, the nearest first."""
    r, c = clue.row, clue.col
    return [
        [(k, c) for k in range(r - 1, -1, -1)],
        [(k, c) for k in range(r + 1, puzzle.rows)],
        [(r, k) for k in range(c - 1, -1, -1)],
        [(r, k) for k in range(c + 1, puzzle.cols)],
    ]
