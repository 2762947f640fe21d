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

The arrays are buffers of 64-bit integers (see `buffers`), so that kernels may run in machine code;
what takes a look at every edge is done by kernels, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from castlecp.budget import Budget
from castlecp.building import LOOK, kept, refuse_beyond_memory
from castlecp.grid import Lattice
from castlecp.kernels import Array, compiled
from castlecp.propagation.buffers import buffer, rooms, zeros

#: Bytes a vertex that buffers, one loop and a climb take: `scripts/table_memory`, `ladder`.
EACH = 950

# What `Board.passed` holds: whether the loop passes a vertex.
MAYBE, NEVER, ALWAYS = range(3)

#: An array of nothing.
NONE = zeros(0)

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


def packed(lists: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """Lists as two arrays: where each begins (and, last, where all end), and all of them."""
    if not lists:
        return zeros(1), NONE
    starts = accumulate(map(len, lists), initial=0)
    return buffer(starts), buffer(chain.from_iterable(lists))


@kept(64)
def grid_of(lattice: Lattice, budget: Budget) -> Grid:
    """The arrays of a lattice. Takes time proportional to its size, once.

    Raises OutOfBudget and TooLarge.
    """
    refuse_beyond_memory(lattice, EACH)
    rows, cols = lattice.rows, lattice.cols
    outer, vertices = (rows - 1) * (cols - 1), rows * cols
    edges = 2 * vertices - rows - cols
    # An edge has the same face on both sides on a lattice of one line only.
    rims = 2 * edges if outer else edges
    near, ends, beside, rim_at, rim, corners = rooms(
        4 * vertices, 2 * edges, 2 * edges, outer + 2, rims, 4 * vertices
    )
    grid = Grid(rows, cols, outer, rows * (cols - 1), near, ends, beside, rim_at, rim, corners)
    some = max(LOOK // cols, 1)
    for row in range(0, rows, some):
        budget.look()
        compiled(lay)(grid, row, min(row + some, rows))
    compiled(enclose)(grid)
    return grid


def face_at(grid: Grid, r: int, c: int) -> int:
    """The number of the face at a row and column, which may lie off the lattice."""
    if 0 <= r < grid.rows - 1 and 0 <= c < grid.cols - 1:
        return r * (grid.cols - 1) + c
    return grid.outer


def lay(grid: Grid, first: int, last: int) -> None:
    """Fill in what rows of vertices from `first` on, before `last`, have to do with."""
    rows, cols, horizontal = grid.rows, grid.cols, grid.horizontal
    across = cols - 1
    near, ends, beside, rim, corners = grid.near, grid.ends, grid.beside, grid.rim, grid.corners
    for r in range(first, last):
        for c in range(cols):
            v = r * cols + c
            right, down = r * across + c, horizontal + v
            near[4 * v] = right - 1 if c > 0 else -1
            near[4 * v + 1] = right if c < across else -1
            near[4 * v + 2] = down - cols if r > 0 else -1
            near[4 * v + 3] = down if r < rows - 1 else -1
            above, below = face_at(grid, r - 1, c), face_at(grid, r, c)
            before = face_at(grid, r, c - 1)
            corners[4 * v] = face_at(grid, r - 1, c - 1)
            corners[4 * v + 1] = above
            corners[4 * v + 2] = before
            corners[4 * v + 3] = below
            if c < across:
                ends[2 * right], ends[2 * right + 1] = v, v + 1
                beside[2 * right], beside[2 * right + 1] = above, below
            if r < rows - 1:
                ends[2 * down], ends[2 * down + 1] = v, v + cols
                beside[2 * down], beside[2 * down + 1] = before, below
            if below < grid.outer:
                grid.rim_at[below] = 4 * below
                rim[4 * below], rim[4 * below + 1] = right, right + across
                rim[4 * below + 2], rim[4 * below + 3] = down, down + 1


def enclose(grid: Grid) -> None:
    """Fill in the edges of the outer face."""
    beside, outer = grid.beside, grid.outer
    at = 4 * outer
    grid.rim_at[outer] = at
    for e in range(len(beside) // 2):
        if beside[2 * e] == outer or beside[2 * e + 1] == outer:
            grid.rim[at] = e
            at += 1
    grid.rim_at[outer + 1] = at


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
    """The board for what the clues say: see the top of this module.

    `passed` is None when the loop may pass every vertex; `counts` are (edges, n), of which the
    first `direct` are clues; `rows` are (edges, odd), `given` (face, inside), `sights` (face, n)
    and `claims` (face, face, differ). `tables` are (edges, ways), a way being the values of the
    edges, 1 or 0; -1 is an edge that is not on the board, and off. `visits` are (vertices, n).

    Raises ValueError for a table of more than TABLE edges.
    """
    grid = grid_of(lattice)
    edges, vertices = len(grid.ends) // 2, lattice.rows * lattice.cols
    count_at, count = packed([members for members, _ in counts])
    row_at, row = packed([members for members, _ in rows])
    drawn = [_on_board(*one) for one in tables]
    table_at, table = packed([members for members, _ in drawn])
    visit_at, visit = packed([members for members, _ in visits])
    tabled: tuple[Array, Array] = _listed(table_at, table, edges) if drawn else (NONE, NONE)
    visited: tuple[Array, Array] = _listed(visit_at, visit, vertices) if visits else (NONE, NONE)
    line = zeros(len(counts))
    if counts:
        compiled(lines)(grid, count_at, count, line)
    first, faces = 2 * (edges + grid.outer), 2 * (grid.outer + 1)
    return Board(
        *grid,
        zeros(vertices) if passed is None else buffer(passed),
        count_at,
        count,
        buffer([number for _, number in counts]),
        line,
        len(counts) if direct is None else direct,
        *_listed(count_at, count, edges),
        row_at,
        row,
        buffer([odd for _, odd in rows]),
        *_listed(row_at, row, edges),
        buffer([first + faces * face + inside for face, inside in given]),
        buffer(around),
        buffer([face for face, _ in sights]),
        buffer([number for _, number in sights]),
        buffer(chain.from_iterable(claims)),
        lies,
        by_faces,
        table_at,
        table,
        *packed([ways for _, ways in drawn]),
        *tabled,
        visit_at,
        visit,
        buffer([number for _, number in visits]),
        *visited,
    )


def _on_board(edges: Sequence[int], ways: Iterable[Sequence[int]]) -> tuple[list[int], list[int]]:
    """A table's edges that are on the board, and its ways, as numbers, with the others off."""
    if len(edges) > TABLE:
        raise ValueError(f"a table has at most {TABLE} edges, this one {len(edges)}")
    here = [i for i, e in enumerate(edges) if e >= 0]
    fits = [way for way in ways if not any(way[i] for i, e in enumerate(edges) if e < 0)]
    numbers = {sum(way[i] << k for k, i in enumerate(here)) for way in fits}
    return [edges[i] for i in here], sorted(numbers)


def _listed(at: Array, members: Array, size: int) -> tuple[Array, Array]:
    """For each of `size` things the lists that it is in, packed."""
    of_at, of = rooms(size + 1, len(members))
    if members:
        compiled(turn)(at, members, of_at, of)
    return of_at, of


def turn(at: Array, members: Array, of_at: Array, of: Array) -> None:
    """Fill in, for each thing, the lists that it is a member of, in their order."""
    for i in range(len(members)):
        of_at[members[i] + 1] += 1
    for i in range(1, len(of_at)):
        of_at[i] += of_at[i - 1]
    # Each list from behind, into places that move to the front.
    for i in range(len(of_at) - 1, 0, -1):
        of_at[i] = of_at[i - 1]
    for k in range(len(at) - 1):
        for i in range(at[k], at[k + 1]):
            thing = members[i] + 1
            of[of_at[thing]] = k
            of_at[thing] += 1


def lines(grid: Grid, at: Array, members: Array, line: Array) -> None:
    """Fill in for each list the row, or the number of rows + the column, that it lies along.

    -1 where its edges do not run one after the other in a straight line.
    """
    for k in range(len(line)):
        if at[k] < at[k + 1]:
            line[k] = line_of(grid, members, at[k], at[k + 1])


def line_of(grid: Grid, members: Array, start: int, end: int) -> int:
    """The line of the edges from `start` on, before `end`, of which there are some."""
    first, last = members[start], members[end - 1]
    lying = first < grid.horizontal
    step = 1 if lying else grid.cols
    if last < first:
        step = -step
    for i in range(start, end):
        if members[i] != first + (i - start) * step:
            return -1
    v, w = grid.ends[2 * first], grid.ends[2 * last]
    row = v // grid.cols
    if lying != (last < grid.horizontal) or (lying and row != w // grid.cols):
        return -1
    return int(row if lying else grid.rows + v % grid.cols)


#: What of this module is called from Python.
ENTRIES = (lay, enclose, turn, lines)
