"""Random loops: sources behind one interface, found by name in `SOURCES`.

A source takes a lattice, a source of randomness and a `Wish`, and gives one closed loop; the same
one for the same randomness on every machine. It does its best about the wish: who needs it
fulfilled looks at the loop. Faces wished for within are always inside.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import inf
from random import Random
from typing import TYPE_CHECKING, Protocol

from castlecp.budget import Budget
from castlecp.building import kept, ticks
from castlecp.errors import CastlecpError, OutOfBudget, PuzzleError, sized
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

#: The eight faces around a face, in a circle; orthogonal neighbours at odd places.
RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))

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


@dataclass(frozen=True, slots=True)
class Wish:
    """What a loop should be like.

    How `winding` it is, `clear` of which vertices, `through` which, and with which faces `within`.
    `tilt` is for
    sources that weigh loops: (take, skip), the weights of an edge on the loop and of one off it.
    Raises CastlecpError for a `winding` below 0 and for weights below 1.
    """

    winding: float = 1.0
    clear: Collection[Vertex] = ()
    through: Collection[Vertex] = ()
    within: Collection[Face] = ()
    tilt: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.winding, int | float) and 0 <= self.winding < inf):
            raise CastlecpError("`winding` of a wish must be a number from 0 on")
        if self.tilt is not None and not (
            len(self.tilt) == 2 and all(type(weight) is int and weight > 0 for weight in self.tilt)
        ):
            raise CastlecpError("`tilt` of a wish must be two whole numbers from 1 on")


ANY = Wish()


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
        if _SIMPLE[leaving][arounds[at]] and at not in region.within:
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
        if _SIMPLE[side][around] and at not in region.within:
            chance = chances[_LONGER[side][around]]
            if wish.clear or wish.through:
                chance *= region.patience(at, k / most_flips)
            if chance >= 1 or random.random() < chance:
                region.flip(at)
    return region.loop()


SOURCES: Registry[Source] = Registry.table(
    "source of loops", {"grow": grow, "ring": ring, "tilted": tilted}
)


class Region:
    """Faces inside, all of them where those wished for within are not among them.

    Faces are places in one list, with one row and column of outside all around: `places` has
    those on the lattice. `inside` has their sides, and `around` the sides of the circle of eight
    faces, as bits. `within` has the places of the faces that are to stay.
    """

    def __init__(
        self,
        lattice: Lattice,
        inside: Collection[Face],
        wish: Wish = ANY,
    ) -> None:
        self.lattice = lattice
        self._clear, self._through = frozenset(wish.clear), frozenset(wish.through)
        self._width = lattice.cols + 1
        self._steps = [(r * self._width + c, 1 << (k + 4 & 7)) for k, (r, c) in enumerate(RING)]
        self.places = [self.place(face) for face in lattice.faces()]
        self.inside = [False] * (self._width * (lattice.rows + 1))
        self.around = [0] * len(self.inside)
        self.within = frozenset(map(self.place, wish.within))
        if not self.within.issubset(map(self.place, inside)):
            inside = set(lattice.faces())
        for face in sorted(inside):
            self.flip(self.place(face))

    def place(self, face: Face) -> int:
        """Where a face is in the lists; the vertex above and left of it has the same place."""
        return (face[0] + 1) * self._width + face[1] + 1

    def flip(self, at: int) -> None:
        """Move a face to the other side."""
        self.inside[at] = not self.inside[at]
        # Seen from the neighbour at one place of the circle, this face is at the opposite one.
        for step, bit in self._steps:
            self.around[at + step] ^= bit

    def is_simple(self, at: int) -> bool:
        """Whether flipping a face keeps the inside one piece without a hole; see `grow`."""
        return _SIMPLE[self.inside[at]][self.around[at]]

    def entered(self, at: int) -> bool:
        """Whether the line comes to a vertex: the four faces around it are not on one side."""
        inside, up = self.inside, at - self._width
        return not inside[at] == inside[at - 1] == inside[up] == inside[up - 1]

    def patience(self, at: int, elapsed: float) -> float:
        """The chance to put up with a flip: less than 1 where it goes against the wish.

        That is where it enters vertices to keep clear, or leaves such as the line is to go through.
        It sinks towards nothing as `elapsed` goes from 0 to 1 (simulated annealing).
        """
        r, c = divmod(at - self._width - 1, self._width)
        corners = [
            vertex
            for vertex in ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1))
            if vertex in self._clear or vertex in self._through
        ]
        if not corners:
            return 1.0
        before = sum(map(self._against, corners))
        self.flip(at)
        after = sum(map(self._against, corners))
        self.flip(at)
        chance: float = 2.0 ** ((1 + 20 * elapsed) * (before - after))
        return min(1.0, chance)

    def _against(self, vertex: Vertex) -> bool:
        """Whether the line goes where it is not to go, or not where it is."""
        return self.entered(self.place(vertex)) == (vertex in self._clear)

    def is_free_bay(self, block: list[Face]) -> bool:
        """Whether flipping a rectangle of faces moves one stretch of the line to free cells.

        That is so when its faces are on one side and its rim meets the line in exactly one side
        of the rectangle, and no cell to keep clear; and none of the faces is to stay inside.
        """
        rim = Loop.around(self.lattice, block)
        sides = {self.inside[self.place(face)] for face in block}
        if len(sides) > 1 or self._clear.intersection(rim.neighbours):
            return False
        if not self.within.isdisjoint(map(self.place, block)):
            return False
        line = {
            edge
            for edge in rim.edges
            if len({self.inside[self.place(face)] for face in edge.faces}) > 1
        }
        (top, left), (bottom, right) = min(block), max(block)
        borders = (
            {edge for edge in rim.edges if edge.r1 == edge.r2 == top},
            {edge for edge in rim.edges if edge.r1 == edge.r2 == bottom + 1},
            {edge for edge in rim.edges if edge.c1 == edge.c2 == left},
            {edge for edge in rim.edges if edge.c1 == edge.c2 == right + 1},
        )
        taken = {vertex for vertex in rim.neighbours if self.entered(self.place(vertex))}
        return line in borders and taken == {vertex for edge in line for vertex in edge.ends}

    def loop(self) -> Loop:
        """The line."""
        faces = (face for face in self.lattice.faces() if self.inside[self.place(face)])
        return Loop.around(self.lattice, faces)


def _simple(inside: bool, around: int) -> bool:
    sides = [bool(around >> k & 1) for k in range(8)]
    changes = sum(sides[k] != sides[k - 1] for k in range(8))
    return changes == 2 and any(sides[k] != inside for k in (1, 3, 5, 7))


#: Whether a face is a simple point, by its side and by the sides of the circle around it.
_SIMPLE = [[_simple(inside, around) for around in range(256)] for inside in (False, True)]

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
