"""How many loops there are: in all, by weight, and by length."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from castlecp.counting.steps import Cell
from castlecp.counting.sweep import MOST_WEIGHT, Sweep, Table, Watch, number
from castlecp.errors import CastlecpError
from castlecp.grid import Lattice, Vertex


def count(
    lattice: Lattice,
    *,
    take: int = 1,
    skip: int = 1,
    blocked: Iterable[Vertex] = (),
    inside: Iterable[Vertex] = (),
    outside: Iterable[Vertex] = (),
    watch: Watch = iter,
) -> int:
    """The exact number of loops of a lattice, or their exact weight.

    A loop of length L on a lattice of E edges weighs take^L * skip^(E - L). Only loops count
    that visit none of the vertices named, and have the `inside` ones inside and the `outside`
    ones outside. Time and memory grow by a factor of about 2.9 with each column of the shorter
    side, and somewhat more than linearly with the longer side. `watch` is handed the cells that
    are to be swept and hands them on, which shows how far it is.

    Raises PuzzleError for a vertex that is not there, CastlecpError for weights that are not
    from 1 to 2^24 in lowest terms or when the lattice is too wide for this machine's memory.
    """
    sweep = Sweep(lattice, frozenset(blocked), frozenset(inside), frozenset(outside))
    take, skip, outer = weights(lattice, take, skip)
    return outer * _last(sweep, sweep.start(), watch(sweep.cells(take, skip))).closed


def weights(lattice: Lattice, take: int, skip: int) -> tuple[int, int, int]:
    """Weights of a vertex on the loop and off it, and a factor for the loop as a whole.

    A loop has as many edges as vertices, so the weight of its edges is a weight of vertices and
    a power of `skip` for the edges that outnumber the vertices. What `take` and `skip` have in
    common goes into the factor too.
    """
    common = gcd(take, skip)
    if min(take, skip) < 1 or max(take, skip) // common > MOST_WEIGHT:
        raise CastlecpError(f"weights are from 1 to {MOST_WEIGHT}, not {take} and {skip}")
    edges, vertices = len(lattice.edges), lattice.rows * lattice.cols
    if edges < vertices:
        # A single row or column: there is no loop to weigh.
        return 1, 1, 0
    skip //= common
    return take // common, skip, common**edges * skip ** (edges - vertices)


def count_by_length(
    lattice: Lattice,
    *,
    blocked: Iterable[Vertex] = (),
    inside: Iterable[Vertex] = (),
    outside: Iterable[Vertex] = (),
    watch: Watch = iter,
) -> dict[int, int]:
    """The exact number of loops of each length (in edges) that occurs, shortest first.

    The vertices named and `watch` are those of `count`, and so are the errors.

    A loop visits dark and light vertices of the chessboard in turn, so its length is twice the
    number of dark ones. The sweep shifts a number when a dark vertex is visited, by more bits
    than any number has in a sweep without shifts: each table row then holds the numbers for all
    lengths side by side.
    """
    sweep = Sweep(lattice, frozenset(blocked), frozenset(inside), frozenset(outside))
    apart = 1
    for table in sweep.tables(sweep.start(), watch(sweep.cells())):
        apart = max(apart, -(-table.bits // 32))
    cells = [
        cell._replace(shift=apart if (place // sweep.width + cell.column) % 2 else 0)
        for place, cell in enumerate(sweep.cells())
    ]
    limbs = _last(sweep, sweep.start(apart), watch(cells)).limbs[-1]
    counts = (number(limbs[at : at + apart]) for at in range(0, len(limbs), apart))
    return {2 * dark: many for dark, many in enumerate(counts) if many}


def _last(sweep: Sweep, table: Table, cells: Iterable[Cell]) -> Table:
    for later in sweep.tables(table, cells):
        table = later
    return table
