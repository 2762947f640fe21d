"""Faces inside a loop, as sources of loops flip them."""

from __future__ import annotations

from collections.abc import Collection

from castlecp.generate.wish import ANY, Wish
from castlecp.grid import Face, Lattice, Loop, Vertex

#: The eight faces around a face, in a circle; orthogonal neighbours at odd places.
RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))


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
        return SIMPLE[self.inside[at]][self.around[at]]

    def beside(self, at: int) -> int:
        """How many of a face's sides are the board's border."""
        r, c = divmod(at - self._width - 1, self._width)
        rows, cols = self.lattice.rows - 2, self.lattice.cols - 2
        return (r == 0) + (r == rows) + (c == 0) + (c == cols)

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
SIMPLE = [[_simple(inside, around) for around in range(256)] for inside in (False, True)]
