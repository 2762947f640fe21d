"""Castle Wall: what its clues say about edges and faces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.propagation.board import MAYBE, NEVER, board_of, grid_of
from castlecp.propagation.reading import Reading, Said, side_of_line

#: The rules of the backtracker's fixpoint. `parity` says nothing that `sides` does not.
SEARCH = ("degree", "count", "loop", "sides", "difference", "reach", "ray")


def read(puzzle: CastleWall, parities: bool = True) -> Reading:
    """What the clues say.

    A clue is a wall. Its number counts the edges of its ray, without the last one, which
    touches the wall. Two clues that look the same way along a line count the stretch between
    them as well: a difference. The colour of a clue is that of its four faces; as rows, which
    only the rule `parity` reads and `parities` = False leaves out, it is the parity of the edges
    crossed on the way to each of the four borders.
    """
    rows, cols, lattice = puzzle.rows, puzzle.cols, puzzle.lattice
    corners = grid_of(lattice).corners
    counts: list[tuple[Sequence[int], int]] = []
    tellers: list[tuple[CastleClue, ...]] = []
    lines: dict[tuple[str, int], list[int]] = {}
    crossed = gaps(rows, cols) if parities else []
    given: list[tuple[int, bool]] = []
    givers: list[CastleClue] = []
    passed = [MAYBE] * (rows * cols)
    for clue in puzzle.clues:
        r, c = clue.row, clue.col
        passed[r * cols + c] = NEVER
        if clue.count is not None and clue.arrow is not None:
            along = r if clue.arrow in ("left", "right") else c
            lines.setdefault((clue.arrow, along), []).append(len(counts))
            counts.append((ray(rows, cols, r, c, clue.arrow), clue.count))
            tellers.append((clue,))
        if clue.color != "grey":
            inside = clue.color == "white"
            corner = 4 * (r * cols + c)
            given += [(face, inside) for face in corners[corner : corner + 4]]
            givers += [clue] * 4
            if parities:
                crossed += crossings(rows, cols, clue)
    direct = len(counts)
    for members in lines.values():
        members.sort(key=lambda k: len(counts[k][0]))
        for shorter, longer in pairwise(members):
            (near, fewer), (far, more) = counts[shorter], counts[longer]
            counts.append((far[len(near) :], more - fewer))
            tellers.append((*tellers[shorter], *tellers[longer]))
    board = board_of(
        lattice,
        passed=passed,
        counts=counts,
        direct=direct,
        rows=[(edges, odd) for edges, odd, _ in crossed],
        given=given,
    )
    return Reading(
        lattice,
        board,
        tellers,
        puzzle.clues,
        puzzle.CELLS,
        givers=givers,
        rows=[words for _, _, words in crossed],
    )


def ray(rows: int, cols: int, r: int, c: int, arrow: str) -> range:
    """The edges that an arrow counts, from the border in, without the one at the clue."""
    if arrow in ("left", "right"):
        first = r * (cols - 1)
        if arrow == "left":
            return range(first, first + c - 1)
        return range(first + cols - 2, first + c, -1)
    first = rows * (cols - 1) + c
    if arrow == "up":
        return range(first, first + (r - 1) * cols, cols)
    return range(first + (rows - 2) * cols, first + r * cols, -cols)


def gaps(rows: int, cols: int) -> list[tuple[list[int], int, Said]]:
    """Every gap between two rows or columns: edges, 0, and words for it.

    The line crosses a gap an even number of times, because it comes back.
    """
    horizontal = rows * (cols - 1)
    out = []
    for r in range(rows - 1):
        first = horizontal + r * cols
        out.append(
            (list(range(first, first + cols)), 0, Said((), f"between rows {r + 1} and {r + 2}"))
        )
    for c in range(cols - 1):
        edges = list(range(c, horizontal, cols - 1))
        out.append((edges, 0, Said((), f"between columns {c + 1} and {c + 2}")))
    return out


def crossings(rows: int, cols: int, clue: CastleClue) -> list[tuple[list[int], int, Said]]:
    """The edges crossed on the way from a clue to each border, a hair beside its own line.

    As in `gaps`; an odd number of them is on when the clue is white.
    """
    r, c, odd = clue.row, clue.col, int(clue.color == "white")
    horizontal = rows * (cols - 1)

    def said(words: str) -> Said:
        return Said((clue,), words)

    out = []
    if rows > 1:
        beside = side_of_line(r, rows, "above", "below")
        first = horizontal + min(r, rows - 2) * cols
        out.append((list(range(first, first + c)), odd, said(f"just {beside}, to the left")))
        rest = list(range(first + c + 1, first + cols))
        out.append((rest, odd, said(f"just {beside}, to the right")))
    if cols > 1:
        across = cols - 1
        beside = side_of_line(c, cols, "left of it", "right of it")
        first = min(c, cols - 2)
        above = list(range(first, first + r * across, across))
        out.append((above, odd, said(f"just {beside}, upwards")))
        below = list(range(first + (r + 1) * across, horizontal, across))
        out.append((below, odd, said(f"just {beside}, downwards")))
    return out
