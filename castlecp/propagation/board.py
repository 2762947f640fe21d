"""A puzzle as flat arrays, and what is known of its loop: the data every rule reads.

A genre's rules file turns its clues into the kinds of statement that a `Board` holds:

- a vertex that the loop avoids, or passes;
- a *count* is a set of edges of which exactly n are on the loop;
- a *row* is a set of edges of which an even, or an odd, number is on the loop;
- a *given* is a face known to be inside or outside from the start;
- a face of which n *around* it, of its four edges, are on the loop;
- a *sight* is a face inside that sees n faces inside in its row and column, itself included;
- a *claim* is a relation of two faces, and a number of the claims is false;
- a *table* is a few edges and all the ways in which they may be on or off;
- a *visit count* is a set of vertices of which the loop passes exactly n.

Tables and visit counts are for whatever a genre asks of a neighbourhood or a region, so that such
a genre needs no kernel of its own.

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
from itertools import accumulate, chain
from typing import Any, NamedTuple

from castlecp.budget import Budget
from castlecp.building import kept, looked, refuse_beyond_memory
from castlecp.grid import Lattice

#: Bytes a vertex that lists, buffers and one loop take together, as measured of a blank board.
EACH = 1_500

#: A flat array of integers: a list, or a numpy array of int64.
Array = Any

# What `Board.passed` holds: whether the loop passes a vertex.
MAYBE, NEVER, ALWAYS = range(3)

#: A table has at most this many edges.
TABLE = 8


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
    table_at: Array  # the edges of a table
    table: Array
    way_at: Array  # the ways of a table
    way: Array  # a bit for each of the table's edges, the first one lowest: whether it is on
    tabled_at: Array  # the tables of an edge; empty if there are none
    tabled: Array
    visit_at: Array  # the vertices of a visit count
    visit: Array
    visits: Array  # how many of them the loop passes
    visited_at: Array  # the visit counts of a vertex; empty if there are none
    visited: Array


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


@kept(64)
def grid_of(lattice: Lattice, budget: Budget) -> Grid:
    """The arrays of a lattice, as lists. Takes time proportional to its size, once.

    Raises OutOfBudget and TooLarge.
    """
    refuse_beyond_memory(lattice, EACH)
    rows, cols = lattice.rows, lattice.cols
    horizontal = rows * (cols - 1)
    across, outer = cols - 1, (rows - 1) * (cols - 1)

    def face(r: int, c: int) -> int:
        return r * across + c if 0 <= r < rows - 1 and 0 <= c < across else outer

    near, corners = [], []
    for r, c in looked(lattice.vertices(), budget):
        near += [
            r * across + c - 1 if c > 0 else -1,
            r * across + c if c < cols - 1 else -1,
            horizontal + (r - 1) * cols + c if r > 0 else -1,
            horizontal + r * cols + c if r < rows - 1 else -1,
        ]
        corners += [face(r - 1, c - 1), face(r - 1, c), face(r, c - 1), face(r, c)]
    ends, beside = [], []
    rims: list[list[int]] = [[] for _ in range(outer + 1)]
    for number, edge in looked(enumerate(lattice.edges), budget):
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
    tables: Iterable[tuple[Sequence[int], Iterable[Sequence[int]]]] = (),
    visits: Sequence[tuple[Sequence[int], int]] = (),
) -> Board:
    """The board, as lists, for what the clues say: see the top of this module.

    `passed` is None when the loop may pass every vertex; `counts` are (edges, n), of which the
    first `direct` are clues; `rows` are (edges, odd), `given` (face, inside), `sights` (face, n)
    and `claims` (face, face, differ). `tables` are (edges, ways), a way being the values of the
    edges, 1 or 0; -1 is an edge that is not on the board, and off. `visits` are (vertices, n).

    Raises ValueError for a table of more than TABLE edges.
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
    drawn = [_on_board(*one) for one in tables]
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
        *packed(members for members, _ in drawn),
        *packed(ways for _, ways in drawn),
        *_listed([members for members, _ in drawn], edges),
        *packed(members for members, _ in visits),
        [number for _, number in visits],
        *_listed([members for members, _ in visits], lattice.rows * lattice.cols),
    )


def _on_board(edges: Sequence[int], ways: Iterable[Sequence[int]]) -> tuple[list[int], list[int]]:
    """A table's edges that are on the board, and its ways, as numbers, with the others off."""
    if len(edges) > TABLE:
        raise ValueError(f"a table has at most {TABLE} edges, this one {len(edges)}")
    here = [i for i, e in enumerate(edges) if e >= 0]
    fits = [way for way in ways if not any(way[i] for i, e in enumerate(edges) if e < 0)]
    numbers = {sum(way[i] << k for k, i in enumerate(here)) for way in fits}
    return [edges[i] for i in here], sorted(numbers)


def _listed(sets: Sequence[Sequence[int]], size: int) -> tuple[list[int], list[int]]:
    """For each of `size` members the sets that it is in, packed; empty if there are none."""
    if not sets:
        return [], []
    of: list[list[int]] = [[] for _ in range(size)]
    for k, members in enumerate(sets):
        for member in members:
            of[member].append(k)
    return packed(of)


def _line(grid: Grid, members: Sequence[int]) -> int:
    """The row, or the number of rows + the column, along which edges run one after the other."""
    if not members:
        return 0
    first, last = members[0], members[-1]
    lying = first < grid.horizontal
    step = 1 if lying else grid.cols
    along = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    row, column = divmod(grid.ends[2 * first], grid.cols)
    end_row = grid.ends[2 * last] // grid.cols
    straight = lying == (last < grid.horizontal) and (row == end_row or not lying)
    if not straight or list(members) != list(along):
        return -1
    return int(row if lying else grid.rows + column)
