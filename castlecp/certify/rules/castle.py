"""Castle Wall: the loop avoids every clue; colours are sides, numbers count edges on a ray."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from castlecp.certify.clauses import Base, Clause, exactly
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.grid import STEPS, Edge, Face
from castlecp.nouns import plural


def clauses(puzzle: CastleWall, base: Base, new: Callable[[], int]) -> Iterator[Clause]:
    """What the clues say."""
    off = {edge for clue in puzzle.clues for edge in base.around[clue.row, clue.col]}
    for edge in sorted(off):
        yield (-edge,)
    for clue in puzzle.clues:
        if clue.color != "grey":
            # No edge parts the four faces around the clue: all lie on its side of the loop.
            for face in _faces(clue):
                if face in base.face:
                    yield (base.face[face] if clue.color == "white" else -base.face[face],)
                elif clue.color == "white":
                    yield ()
        if clue.arrow is not None and isinstance(clue.number, int):
            row, column = base.rows[clue.row], base.columns[clue.col]
            ray = {
                "left": row[: clue.col],
                "right": row[clue.col :],
                "up": column[: clue.row],
                "down": column[clue.row :],
            }[clue.arrow]
            yield from exactly(clue.number, [x for x in ray if x not in off], new)


def broken(
    puzzle: CastleWall, edges: Set[Edge], inside: Set[Face]
) -> Iterator[tuple[CastleClue, str]]:
    """The clues that a loop breaks."""
    entered = {end for edge in edges for end in edge.ends}
    for clue in puzzle.clues:
        r, c = clue.row, clue.col
        if (r, c) in entered:
            yield clue, "the loop enters it"
        elif clue.color != "grey" and ((r, c) in inside) != (clue.color == "white"):
            yield clue, "it is on the wrong side of the loop"
        if clue.arrow is not None and isinstance(clue.number, int):
            down, right = STEPS[clue.arrow]
            on = 0
            while 0 <= r < puzzle.rows and 0 <= c < puzzle.cols:
                there = (r + down, c + right)
                on += Edge(*min((r, c), there), *max((r, c), there)) in edges
                r, c = there
            if on != clue.number:
                yield clue, f"its ray has {plural(on, 'edge')} of the loop"


def _faces(clue: CastleClue) -> list[Face]:
    """The four faces around a clue, some of them off the lattice."""
    r, c = clue.row, clue.col
    return [(r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)]
