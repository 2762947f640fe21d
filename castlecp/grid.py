"""The lattice that every genre shares: vertices, edges, faces, and a loop along the edges.

Coordinates are (row, column) from 0 at the top left. A lattice of R x C vertices has
(R - 1) x (C - 1) faces; face (r, c) lies below and to the right of vertex (r, c).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import chain, compress, repeat
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from castlecp.errors import PuzzleError, sized

if TYPE_CHECKING:
    import networkx

Vertex = tuple[int, int]
Face = tuple[int, int]
Direction = Literal["up", "down", "left", "right"]

#: The four directions as steps (rows, columns).
STEPS: dict[Direction, tuple[int, int]] = {
    "up": (-1, 0),
    "down": (1, 0),
    "left": (0, -1),
    "right": (0, 1),
}


class Edge(NamedTuple):
    """The edge between vertices (r1, c1) and (r2, c2), the upper or left one first."""

    r1: int
    c1: int
    r2: int
    c2: int

    @property
    def ends(self) -> tuple[Vertex, Vertex]:
        """The two vertices."""
        return (self.r1, self.c1), (self.r2, self.c2)

    @property
    def faces(self) -> tuple[Face, Face]:
        """The two faces the edge separates, above or left first; they may lie off the lattice."""
        if self.r1 == self.r2:
            return (self.r1 - 1, self.c1), (self.r1, self.c1)
        return (self.r1, self.c1 - 1), (self.r1, self.c1)


@dataclass(frozen=True, slots=True)
class Lattice:
    """A rectangle of `rows` x `cols` vertices. Raises PuzzleError for less than 1 of either."""

    rows: int
    cols: int

    def __post_init__(self) -> None:
        for key, value in (("rows", self.rows), ("cols", self.cols)):
            if type(value) is not int or value < 1:
                raise PuzzleError(f"`{key}` of a lattice must be a whole number from 1 on")

    def vertices(self) -> Iterator[Vertex]:
        """All vertices, row by row."""
        return ((r, c) for r in range(self.rows) for c in range(self.cols))

    def faces(self) -> Iterator[Face]:
        """All faces, row by row."""
        return ((r, c) for r in range(self.rows - 1) for c in range(self.cols - 1))

    @property
    def edges(self) -> tuple[Edge, ...]:
        """All edges: the horizontal ones row by row, then the vertical ones row by row."""
        return _edges(self)

    @property
    def number_of_edges(self) -> int:
        """How many edges there are, without making them."""
        return self.rows * (self.cols - 1) + (self.rows - 1) * self.cols

    def has_vertex(self, vertex: Vertex) -> bool:
        """Whether the vertex lies on the lattice."""
        return 0 <= vertex[0] < self.rows and 0 <= vertex[1] < self.cols

    def has_face(self, face: Face) -> bool:
        """Whether the face lies on the lattice."""
        return 0 <= face[0] < self.rows - 1 and 0 <= face[1] < self.cols - 1

    def has_edge(self, edge: Edge) -> bool:
        """Whether the edge joins two neighbouring vertices of the lattice, upper or left first."""
        step = (edge.r2 - edge.r1, edge.c2 - edge.c1)
        return step in ((0, 1), (1, 0)) and all(map(self.has_vertex, edge.ends))

    def ray(self, vertex: Vertex, direction: Direction) -> tuple[Edge, ...]:
        """The edges on the ray from `vertex` to the border along `direction`, from the border in.

        The order (border first) makes the ray of a nearer clue a prefix of the ray of a
        farther one, which counters use to share their work.
        """
        r, c = vertex
        if direction == "left":
            return tuple(Edge(r, k, r, k + 1) for k in range(c))
        if direction == "right":
            return tuple(Edge(r, k, r, k + 1) for k in range(self.cols - 2, c - 1, -1))
        if direction == "up":
            return tuple(Edge(k, c, k + 1, c) for k in range(r))
        return tuple(Edge(k, c, k + 1, c) for k in range(self.rows - 2, r - 1, -1))


@lru_cache(maxsize=64)
def _edges(lattice: Lattice) -> tuple[Edge, ...]:
    rows, cols = lattice.rows, lattice.cols
    # All in C: there may be millions.
    new: Any = partial(tuple.__new__, Edge)
    right, down = range(1, cols), range(cols)
    lying = (map(new, zip(repeat(r), range(cols - 1), repeat(r), right)) for r in range(rows))
    upright = (map(new, zip(repeat(r), down, repeat(r + 1), down)) for r in range(rows - 1))
    return (*chain.from_iterable(lying), *chain.from_iterable(upright))


@dataclass(frozen=True)
class Loop:
    """A set of edges on a lattice, meant as one closed loop; `check` says whether it is one.

    Raises PuzzleError for anything but a frozenset of edges of the lattice.
    """

    lattice: Lattice
    edges: frozenset[Edge]

    def __post_init__(self) -> None:
        if not isinstance(self.lattice, Lattice):
            raise PuzzleError("`lattice` of a line must be a Lattice")
        if not (isinstance(self.edges, frozenset) and set(map(type, self.edges)) <= {Edge}):
            raise PuzzleError("`edges` of a line must be a frozenset of Edge")
        rows, cols = self.lattice.rows, self.lattice.cols
        for r1, c1, r2, c2 in self.edges:
            across = r1 == r2 and c2 == c1 + 1
            down = c1 == c2 and r2 == r1 + 1
            if not ((across or down) and min(r1, c1) >= 0 and r2 < rows and c2 < cols):
                lattice = f"a lattice {sized(rows, cols)}"
                raise PuzzleError(f"{(r1, c1, r2, c2)} is no edge of {lattice}")

    @classmethod
    def marked(cls, lattice: Lattice, on: Iterable[object]) -> Loop:
        """The edges that are marked as true; one mark for each of `Lattice.edges`."""
        loop = object.__new__(cls)  # with edges of the lattice, so there is nothing to look at
        object.__setattr__(loop, "lattice", lattice)
        object.__setattr__(loop, "edges", frozenset(compress(lattice.edges, on)))
        return loop

    @classmethod
    def around(cls, lattice: Lattice, inside: Iterable[Face]) -> Loop:
        """The boundary of a set of faces: the edges with exactly one of their faces in the set."""
        edges: set[Edge] = set()
        for r, c in inside:
            edges ^= {
                Edge(r, c, r, c + 1),
                Edge(r + 1, c, r + 1, c + 1),
                Edge(r, c, r + 1, c),
                Edge(r, c + 1, r + 1, c + 1),
            }
        return cls(lattice, frozenset(edges))

    @cached_property
    def inside(self) -> frozenset[Face]:
        """The faces inside, by the parity of the vertical edges to the west of each face.

        Of a line with loose ends this says nothing: see `has_sides`.
        """
        inside = set()
        for r in range(self.lattice.rows - 1):
            odd = False
            for c in range(self.lattice.cols - 1):
                odd ^= (r, c, r + 1, c) in self.edges
                if odd:
                    inside.add((r, c))
        return frozenset(inside)

    @cached_property
    def neighbours(self) -> dict[Vertex, list[Vertex]]:
        """For every vertex the line touches, the vertices it leads to."""
        out: dict[Vertex, list[Vertex]] = {}
        for edge in self.edges:
            a, b = edge.ends
            out.setdefault(a, []).append(b)
            out.setdefault(b, []).append(a)
        return out

    @property
    def has_sides(self) -> bool:
        """Whether the line has no loose ends, so that each face is inside or outside."""
        return all(len(ends) % 2 == 0 for ends in self.neighbours.values())

    def pieces(self) -> list[list[Vertex]]:
        """The connected pieces of the line, each as its vertices; the first vertex is least."""
        seen: set[Vertex] = set()
        pieces = []
        for start in sorted(self.neighbours):
            if start in seen:
                continue
            seen.add(start)
            piece = [start]
            for vertex in piece:
                for other in self.neighbours[vertex]:
                    if other not in seen:
                        seen.add(other)
                        piece.append(other)
            pieces.append(piece)
        return pieces

    def is_single(self) -> bool:
        """Whether the edges are one closed loop."""
        degrees_right = all(len(ends) == 2 for ends in self.neighbours.values())
        return bool(self.edges) and degrees_right and len(self.pieces()) == 1

    def graph(self) -> networkx.Graph[Vertex]:
        """The line as a networkx graph over its vertices."""
        import networkx

        return networkx.Graph(edge.ends for edge in self.edges)

    def transformed(self, symmetry: Symmetry) -> Loop:
        """The loop turned or mirrored."""
        rows, cols = self.lattice.rows, self.lattice.cols
        edges = set()
        for edge in self.edges:
            a, b = sorted(symmetry.cell(end, rows, cols) for end in edge.ends)
            edges.add(Edge(*a, *b))
        return Loop(Lattice(*symmetry.size(rows, cols)), frozenset(edges))


def face_pieces(faces: Iterable[Face]) -> list[list[Face]]:
    """The connected pieces of a set of faces, each with its least face first."""
    left = set(faces)
    pieces = []
    for start in sorted(left):
        if start not in left:
            continue
        left.remove(start)
        piece = [start]
        for r, c in piece:
            for down, right in STEPS.values():
                face = (r + down, c + right)
                if face in left:
                    left.remove(face)
                    piece.append(face)
        pieces.append(piece)
    return pieces


class Symmetry(NamedTuple):
    """A turn or mirror of the rectangle: flip the rows, flip the columns, then transpose."""

    flip_rows: bool
    flip_cols: bool
    transpose: bool

    def size(self, rows: int, cols: int) -> tuple[int, int]:
        """Rows and columns of the image of a rectangle."""
        return (cols, rows) if self.transpose else (rows, cols)

    def cell(self, cell: tuple[int, int], rows: int, cols: int) -> tuple[int, int]:
        """Where a cell of a `rows` x `cols` rectangle goes."""
        r = rows - 1 - cell[0] if self.flip_rows else cell[0]
        c = cols - 1 - cell[1] if self.flip_cols else cell[1]
        return (c, r) if self.transpose else (r, c)

    def direction(self, name: Direction) -> Direction:
        """Where a direction (up, down, left, right) goes."""
        step = self.cell(STEPS[name], 1, 1)
        return next(other for other, vector in STEPS.items() if vector == step)


#: The eight symmetries of a rectangle, the identity first.
SYMMETRIES = tuple(
    Symmetry(flip_rows, flip_cols, transpose)
    for transpose in (False, True)
    for flip_rows in (False, True)
    for flip_cols in (False, True)
)
