"""Random loops: sources behind one interface, found by name in `SOURCES`.

A source takes a lattice, a source of randomness and a `Wish`, and gives one closed loop; the same
one for the same randomness on every machine. It does its best about the wish: who needs it
fulfilled looks at the loop. Faces wished for within are always inside.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Protocol

from castlecp.budget import Budget
from castlecp.building import kept, ticks
from castlecp.errors import CastlecpError, OutOfBudget, PuzzleError, sized
from castlecp.generate.region import SIMPLE, Region
from castlecp.generate.shaped import shaped as _shaped
from castlecp.generate.wish import ANY, Wish
from castlecp.genres import MAX_SIDE
from castlecp.grid import Face, Lattice, Loop, Vertex
from castlecp.registry import Registry

if TYPE_CHECKING:
    from castlecp.counting import Sampler

#: The shorter side, in vertices, up to which loops are drawn by counting.
EXACT = 12

#: Flips that `chain` tries for each face: enough for loops of 50 x 50 vertices to have the mean
#: length that ten times as many would give them.
SWEEPS = 240

#: For lattices of up to so many vertices: (take, skip) of `tilted`, by which a loop visits about
#: half of them. A full set of clues on the others then tells most loops from all others; of longer
#: loops it tells fewer. Shorter ones take as few tries for a board, but on small lattices they
#: come again and again. The weights grow as lattices shrink, where borders make loops shorter.
#: results/generate.md has the shares by size and weight.
TILTS = (
    (25, (3, 4)),
    (50, (2, 3)),
    (80, (5, 8)),
    (150, (3, 5)),
    ((MAX_SIDE + 1) ** 2, (5, 9)),
)

#: By the shorter side where that is so small that the weights of TILTS give mostly tiny loops.
NARROW = {2: (1, 1), 3: (3, 4)}

#: The least weights where vertices are to be kept clear, which makes loops shorter too.
CLEAR = (2, 3)


class Source(Protocol):
    """Where loops come from. Raises PuzzleError when the lattice has no faces."""

    def __call__(
        self, lattice: Lattice, random: Random, wish: Wish = ANY, *, budget: Budget | None = None
    ) -> Loop:
        """A loop. Raises OutOfBudget when the seconds end."""


def ring(
    lattice: Lattice, random: Random, wish: Wish = ANY, *, budget: Budget | None = None
) -> Loop:
    """A rectangle that is given detours: a stretch of the line moves sideways over free cells.

    For each face of the lattice `winding` detours are tried; one is made when all cells of the
    new line are free, so the line never crosses itself or comes twice to a cell.
    """
    height, width = _faces(lattice)
    starts = [_rectangle(random, height, width) for _ in range(20 if wish.clear else 1)]
    start = min(starts, key=lambda faces: len(_rim(faces).intersection(wish.clear)))
    region = Region(lattice, start, wish)
    for _ in ticks(round(wish.winding * height * width), budget):
        r, c = random.randrange(height), random.randrange(width)
        deep, wide = random.randint(1, min(3, height - r)), random.randint(1, min(3, width - c))
        block = [(r + i, c + j) for i in range(deep) for j in range(wide)]
        if region.is_free_bay(block):
            for face in block:
                region.flip(region.place(face))
    return region.loop()


def grow(
    lattice: Lattice,
    random: Random,
    wish: Wish = ANY,
    cover: float = 0.5,
    *,
    budget: Budget | None = None,
) -> Loop:
    """A loop around a region that grows and shrinks by simple points.

    A face is a simple point when flipping it keeps the region in one piece and without a hole:
    around it the circle of eight faces changes sides exactly twice, and an orthogonal neighbour
    is on the side it would go to (the 3 x 3 test of digital topology, Rosenfeld 1979). So every
    step on the way is one loop, and nothing global is ever checked. `cover` is the share of
    faces inside at which growing gives way to random flips.
    """
    rows, cols = _faces(lattice)
    region = Region(lattice, {(random.randrange(rows), random.randrange(cols))}, wish)
    places, insides, arounds = region.places, region.inside, region.around
    inside, most = sum(insides), max(1, round(cover * len(places)))
    most_flips = round(40 * wish.winding * len(places))
    for k in ticks(most_flips, budget):
        at = places[int(random.random() * len(places))]
        leaving = insides[at]
        if SIMPLE[leaving][arounds[at]] and at not in region.within:
            if random.random() < 0.5 if leaving else inside >= most:
                continue
            asked = wish.clear or wish.through
            if not asked or random.random() < region.patience(at, k / most_flips):
                region.flip(at)
                inside += -1 if leaving else 1
    return region.loop()


def tilted(
    lattice: Lattice, random: Random, wish: Wish = ANY, *, budget: Budget | None = None
) -> Loop:
    """A loop of L edges with weight (take / skip)^L: long enough to wind, short enough for clues.

    The weights are those of `tilt_for` if none are wished for; `winding` plays no part. Where
    `is_counted` they are exact, and vertices to keep clear are clear, if there is a loop without
    them. Larger lattices, and faces wished for within, have the loops of `chain`.
    """
    _faces(lattice)
    take, skip = wish.tilt or tilt_for(lattice, wish.clear)
    if wish.within or wish.through or not is_counted(lattice):
        return chain(lattice, random, take, skip, wish, budget=budget)
    blocked = frozenset(filter(lattice.has_vertex, wish.clear))
    sampler = _sampler((lattice, take, skip, blocked), budget)
    return sampler.sample(random.getrandbits(64), budget and budget.aside())


def tilt_for(lattice: Lattice, clear: Collection[Vertex] = ()) -> tuple[int, int]:
    """The usual weights (take, skip) for a lattice: see TILTS."""
    vertices = lattice.rows * lattice.cols
    usual = next(tilt for most, tilt in TILTS if vertices <= most)
    usual = NARROW.get(min(lattice.rows, lattice.cols), usual)
    return max(usual, CLEAR, key=lambda tilt: tilt[0] / tilt[1]) if clear else usual


def is_counted(lattice: Lattice) -> bool:
    """Whether the tables to draw loops exactly take less than half a second and 160 MB or so.

    That goes up to 12 x 13, 10 x 43, 8 x 141 and 6 x 484 vertices. The tables of a lattice have
    the words of its frontier at each vertex, with numbers as long as there are vertices.
    """
    from castlecp.counting.frontier import motzkin

    shorter = min(lattice.rows, lattice.cols)
    return shorter <= EXACT and motzkin(shorter + 1) * (lattice.rows * lattice.cols) ** 2 < 2**30


@kept(4)
def _sampler(which: tuple[Lattice, int, int, frozenset[Vertex]], budget: Budget) -> Sampler:
    """A sampler of loops without the blocked vertices; of all loops, if there are none.

    What the sweep takes is no step of the search.
    """
    from castlecp.counting import Sampler

    lattice, take, skip, blocked = which
    try:
        return Sampler(lattice, take, skip, blocked=blocked, budget=budget.aside())
    except OutOfBudget:
        raise
    except CastlecpError:
        return Sampler(lattice, take, skip, budget=budget.aside())


def chain(
    lattice: Lattice,
    random: Random,
    take: int,
    skip: int,
    wish: Wish = ANY,
    *,
    budget: Budget | None = None,
) -> Loop:
    """A loop with about the weight (take / skip)^length.

    A Markov chain over flips of simple points, accepted as Metropolis and others (1953) say,
    which started from `grow` comes close to those weights in the sweeps it is given.
    """
    start = grow(lattice, random, replace(wish, winding=0.25), 0.25, budget=budget)
    region = Region(lattice, start.inside, wish)
    places, insides, arounds = region.places, region.inside, region.around
    # The length of a loop is even: a flip changes it by -2, 0 or 2.
    chances = {-2: skip * skip / (take * take), 0: 1.0, 2: take * take / (skip * skip)}
    most_flips = SWEEPS * len(places)
    for k in ticks(most_flips, budget):
        at = places[int(random.random() * len(places))]
        side, around = insides[at], arounds[at]
        if SIMPLE[side][around] and at not in region.within:
            chance = chances[_LONGER[side][around]]
            if wish.clear or wish.through:
                chance *= region.patience(at, k / most_flips)
            if chance >= 1 or random.random() < chance:
                region.flip(at)
    return region.loop()


def shaped(
    lattice: Lattice, random: Random, wish: Wish = ANY, *, budget: Budget | None = None
) -> Loop:
    """See `shaped.py`."""
    _faces(lattice)
    return _shaped(lattice, random, wish, budget=budget)


SOURCES: Registry[Source] = Registry.table(
    "source of loops", {"grow": grow, "ring": ring, "shaped": shaped, "tilted": tilted}
)


#: By how many edges flipping a face makes the line longer, in the same way.
_LONGER = [
    [sign * (4 - 2 * (around & 0b10101010).bit_count()) for around in range(256)]
    for sign in (1, -1)
]


def _faces(lattice: Lattice) -> tuple[int, int]:
    """The rows and columns of faces."""
    rows, cols = lattice.rows - 1, lattice.cols - 1
    if rows < 1 or cols < 1:
        raise PuzzleError(f"a lattice {sized(lattice.rows, lattice.cols)} has no loop")
    return rows, cols


def _rectangle(random: Random, height: int, width: int) -> set[Face]:
    """The faces of a rectangle that is at least half as high and half as wide as the lattice."""
    sides = []
    for length in (height, width):
        size = random.randint((length + 1) // 2, length)
        start = random.randint(0, length - size)
        sides.append(range(start, start + size))
    return {(r, c) for r in sides[0] for c in sides[1]}


def _rim(faces: set[Face]) -> set[Vertex]:
    """The vertices on the border of a rectangle of faces."""
    (top, left), (bottom, right) = min(faces), max(faces)
    corners = {(r + i, c + j) for r, c in faces for i in (0, 1) for j in (0, 1)}
    return {(r, c) for r, c in corners if r in (top, bottom + 1) or c in (left, right + 1)}
