"""A puzzle as flat arrays, and what is known of its loop: the data every rule reads.

A genre's rules file turns its clues into the kinds of statement that a `Board` holds:

- a vertex that the loop avoids, or passes;
- a *count* is a set of edges of which exactly n are on the loop;
- a *row* is a set of edges of which an even, or an odd, number is on the loop;
- a *given* is a face known to be inside or outside from the start;
- a face of which n *around* it, of its four edges, are on the loop;
- a *sight* is a face inside that sees n faces inside in its row and column, itself included;
- a *claim* is a relation of two faces, and a number of the claims is false.

Where a genre's cells are faces that a person decides on one by one (`by_faces`), an edge follows
from its two faces at once, and an assumption is about a face.

Faces are numbered row by row; the number after the last is the outer face, everything beyond
the border. Edges are numbered as in `Lattice.edges`, vertices row by row. A list of lists is
two arrays: `xs_at[i]` is where the i-th list begins in `xs`.

The arrays are numpy arrays for compiled kernels and plain lists for the same kernels run as
ordinary Python (see `kernels`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, NamedTuple

from castlecp.grid import Lattice

#: A flat array of integers: a list, or a numpy array of int64.
Array = Any

# What `Board.passed` holds: whether the loop passes a vertex.
MAYBE, NEVER, ALWAYS = range(3)


class Board(NamedTuple):
    """A lattice and what the clues say of it; nothing in it changes."""

    rows: int  # of vertices
    cols: int
    outer: int  # the number of the outer face, which is the number of the others
    horizontal: int  # edges below this number are horizontal
    near: Array  # 4 a vertex: its edges left, right, up, down; -1 where there is none
    ends: Array  # 2 an edge: its vertices
    beside: Array  # 2 an edge: the faces it separates
    rim_at: Array  # a face's edges, the outer face's too
    rim: Array
    corners: Array  # 4 a vertex: its faces NW, NE, SW, SE
    passed: Array  # 1 a vertex: whether the loop passes it, see MAYBE
    count_at: Array  # the edges of a count
    count: Array
    number: Array  # how many of them are on
    line: Array  # the row it lies along, or the number of rows + the column; -1 if it is bent
    direct: int  # counts below this number are clues, the others differences of two clues
    counted_at: Array  # the counts of an edge
    counted: Array
    row_at: Array  # the edges of a row
    row: Array
    odd: Array  # whether an odd number of them is on
    in_row_at: Array  # the rows of an edge
    in_row: Array
    given: Array  # literals (see `State`) that hold from the start
    around: Array  # 1 a face: how many of its edges are on, -1 unsaid; empty if none says
    sight: Array  # the face of a sight
    seen: Array  # how many faces it sees; -1 unsaid
    claim: Array  # 3 a claim: two faces and whether they differ
    lies: int  # how many claims are false
    by_faces: bool  # whether faces are decided on, and edges follow from them


class Grid(NamedTuple):
    """The first part of a `Board`, which the lattice alone decides."""

    rows: int
    cols: int
    outer: int
    horizontal: int
    near: Array
    ends: Array
    beside: Array
    rim_at: Array
    rim: Array
    corners: Array


def packed(lists: Iterable[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Lists as two arrays: where each begins (and, last, where all end), and all of them."""
    kept = list(lists)
    return [0, *accumulate(map(len, kept))], list(chain.from_iterable(kept))


@lru_cache(maxsize=64)
def grid_of(lattice: Lattice) -> Grid:
    """The arrays of a lattice, as lists. Takes time proportional to its size, once."""
    rows, cols = lattice.rows, lattice.cols
    horizontal = rows * (cols - 1)
    across, outer = cols - 1, (rows - 1) * (cols - 1)

    def face(r: int, c: int) -> int:
        return r * across + c if 0 <= r < rows - 1 and 0 <= c < across else outer

    near, corners = [], []
    for r, c in lattice.vertices():
        near += [
            r * across + c - 1 if c > 0 else -1,
            r * across + c if c < cols - 1 else -1,
            horizontal + (r - 1) * cols + c if r > 0 else -1,
            horizontal + r * cols + c if r < rows - 1 else -1,
        ]
        corners += [face(r - 1, c - 1), face(r - 1, c), face(r, c - 1), face(r, c)]
    ends, beside = [], []
    rims: list[list[int]] = [[] for _ in range(outer + 1)]
    for number, edge in enumerate(lattice.edges):
        ends += [edge.r1 * cols + edge.c1, edge.r2 * cols + edge.c2]
        faces = [face(*place) for place in edge.faces]
        beside += faces
        for one in set(faces):
            rims[one].append(number)
    return Grid(rows, cols, outer, horizontal, near, ends, beside, *packed(rims), corners)


def board_of(
    lattice: Lattice,
    passed: Sequence[int] | None = None,
    counts: Sequence[tuple[Sequence[int], int]] = (),
    direct: int | None = None,
    rows: Sequence[tuple[Sequence[int], int]] = (),
    given: Iterable[tuple[int, bool]] = (),
    around: Sequence[int] = (),
    sights: Sequence[tuple[int, int]] = (),
    claims: Iterable[tuple[int, int, int]] = (),
    lies: int = 0,
    by_faces: bool = False,
) -> Board:
    """The board, as lists, for what the clues say: see the top of this module.

    `passed` is None when the loop may pass every vertex; `counts` are (edges, n), of which the
    first `direct` are clues; `rows` are (edges, odd), `given` (face, inside), `sights` (face, n)
    and `claims` (face, face, differ).
    """
    grid = grid_of(lattice)
    edges = len(grid.ends) // 2
    counted: list[list[int]] = [[] for _ in range(edges)]
    for k, (members, _) in enumerate(counts):
        for e in members:
            counted[e].append(k)
    in_row: list[list[int]] = [[] for _ in range(edges)]
    for k, (members, _) in enumerate(rows):
        for e in members:
            in_row[e].append(k)
    literals = [
        2 * (edges + face * (grid.outer + 1) + grid.outer) + inside for face, inside in given
    ]
    return Board(
        *grid,
        [MAYBE] * (lattice.rows * lattice.cols) if passed is None else list(passed),
        *packed(members for members, _ in counts),
        [number for _, number in counts],
        [_line(grid, members) for members, _ in counts],
        len(counts) if direct is None else direct,
        *packed(counted),
        *packed(members for members, _ in rows),
        [odd for _, odd in rows],
        *packed(in_row),
        literals,
        list(around),
        [face for face, _ in sights],
        [number for _, number in sights],
        list(chain.from_iterable(claims)),
        lies,
        by_faces,
    )


def _line(grid: Grid, members: Sequence[int]) -> int:
    """The row, or the number of rows + the column, along which edges in their order run."""
    if not members:
        return 0
    first, last = members[0], members[-1]
    row, column = divmod(grid.ends[2 * first], grid.cols)
    end_row, end_column = divmod(grid.ends[2 * last], grid.cols)
    if first < grid.horizontal:
        return row if row == end_row and last < grid.horizontal else -1
    return grid.rows + column if column == end_column and last >= grid.horizontal else -1
