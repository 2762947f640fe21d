"""What is wrong with a candidate: components that a single loop cannot have, as clauses.

A candidate assigns every face a side and every vertex an even degree below four, so its edges
are disjoint closed loops. They are one loop exactly when the inside faces are connected and
every outside face reaches the border. A cut is a clause over sides that forbids one separation
and follows from that law alone, hence holds for every puzzle on the lattice:

- two inside faces a, b cannot be parted by outside faces S: not a, or not b, or some face of S
  is inside; where S borders the component of a, or that of b as far as a can reach it (both are
  cut: one side alone needs hundreds of times more rounds on large boards);
- an outside face p cannot be parted from the border by inside faces S: p is inside, or some
  face of S is outside; where S borders the pocket of p, or the exterior as far as p can reach it.

Sets of faces are integers with one bit a face, so that a flood fill is shifts and masks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from castlecp.budget import Budget
from castlecp.building import looked
from castlecp.grid import Face, Lattice
from castlecp.model import base


class FaceSets:
    """The faces of a lattice as bits of an integer; one spare bit ends each row."""

    def __init__(self, lattice: Lattice) -> None:
        rows, cols = lattice.rows - 1, lattice.cols - 1
        self.rows, self.cols, self.stride = rows, cols, cols + 1
        self.first = base(lattice).first_side
        #: The side variable of each bit; 0 for the spare bits. The first face is the top bit.
        self.variable: list[int] = []
        self.all = self.border = 0
        if not (rows and cols):
            return
        for start in range(self.first + (rows - 1) * cols, self.first - 1, -cols):
            self.variable += [0, *range(start + cols - 1, start - 1, -1)]
        whole = "1" * cols + "0"
        ends = whole if cols == 1 else "1" + "0" * (cols - 2) + "10"
        self.all = int(whole * rows, 2)
        self.border = int(whole if rows == 1 else whole + ends * (rows - 2) + whole, 2)

    def inside(self, assignment: Sequence[int]) -> int:
        """The faces that are inside under an assignment (`assignment[v - 1]` is v or -v)."""
        start = self.first - 1
        digits = "".join(
            ["1" if x > 0 else "0" for x in assignment[start : start + self.rows * self.cols]]
        )
        n = self.cols
        return int("0".join([digits[i : i + n] for i in range(0, len(digits), n)]) + "0", 2)

    def grown(self, faces: int) -> int:
        """The faces and their neighbours."""
        s = self.stride
        return (faces | faces << 1 | faces >> 1 | faces << s | faces >> s) & self.all

    def flood(self, seed: int, area: int) -> int:
        """All faces of `area` that connect to `seed` within it."""
        s = self.stride
        while True:
            grown = (seed | seed << 1 | seed >> 1 | seed << s | seed >> s) & area
            if grown == seed:
                return seed
            seed = grown

    def components(self, area: int) -> Iterator[int]:
        """The connected components of a set of faces."""
        while area:
            component = self.flood(area & -area, area)
            yield component
            area ^= component

    def variables(self, faces: int) -> list[int]:
        """The side variables of a set of faces."""
        out, table = [], self.variable
        while faces:
            low = faces & -faces
            out.append(table[low.bit_length() - 1])
            faces ^= low
        return out


@lru_cache(maxsize=64)
def face_sets(lattice: Lattice) -> FaceSets:
    """The face sets of a lattice, made once."""
    return FaceSets(lattice)


class Separator:
    """Finds the cuts that the candidates of one search violate.

    Which face of a piece a cut speaks of is free. One that was on the same side in all candidates
    so far is most likely there in every solution; its literal is then false for good, and the
    cut the stronger by it.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._sets = face_sets(lattice)
        self._always_inside = self._always_outside = self._sets.all

    def cuts(self, assignment: Sequence[int], budget: Budget) -> list[list[int]]:
        """The cuts that a candidate violates; none exactly when it is one loop.

        `assignment[v - 1]` is v or -v; at least one face is inside. Raises OutOfBudget.
        """
        sets = self._sets
        inside = sets.inside(assignment)
        outside = sets.all & ~inside
        self._always_inside &= inside
        self._always_outside &= outside
        cuts: list[list[int]] = []
        components = list(looked(sets.components(inside), budget))
        if len(components) > 1:
            main = max(components, key=int.bit_count)
            b = self._one(main, self._always_inside)
            around_main = sets.grown(main) & outside
            for component in looked(components, budget):
                if component != main:
                    a = self._one(component, self._always_inside)
                    for wall in (
                        sets.grown(component) & outside,
                        self._facing(component, around_main),
                    ):
                        cuts.append([-a, -b, *sets.variables(wall)])
        exterior = sets.flood(outside & sets.border, outside)
        rim = (sets.grown(exterior) | sets.border) & inside
        for pocket in looked(sets.components(outside & ~exterior), budget):
            p = self._one(pocket, self._always_outside)
            for wall in (sets.grown(pocket) & inside, self._facing(pocket, rim)):
                cuts.append([p, *(-v for v in sets.variables(wall))])
        return cuts

    def _one(self, faces: int, likely: int) -> int:
        """The side variable of one face of a set, of the likely ones if there are any."""
        chosen = faces & likely or faces
        return self._sets.variable[(chosen & -chosen).bit_length() - 1]

    def _facing(self, piece: int, wall: int) -> int:
        """The part of a wall around something else that a piece can reach."""
        sets = self._sets
        return wall & sets.grown(sets.flood(piece, sets.all & ~wall))


def separations(lattice: Lattice, assignment: Sequence[int]) -> list[list[int]]:
    """The cuts of a candidate that is the first of its search."""
    return Separator(lattice).cuts(assignment, Budget())


def is_sound(lattice: Lattice, cut: Sequence[int]) -> bool:
    """Whether a clause over sides follows from the loop rule, by the graph argument alone.

    Written for clarity and apart from what makes cuts: the faces that the cut asks to change
    are taken out of the graph of faces; what it holds apart must then be apart.
    """
    import networkx

    rows, cols = lattice.rows - 1, lattice.cols - 1
    first, exterior = base(lattice).first_side, "exterior"

    def faces(sign: int) -> set[Face]:
        return {divmod(sign * x - first, cols) for x in cut if sign * x > 0}

    def apart(ends: list[Face | str], removed: set[Face]) -> bool:
        graph = networkx.grid_2d_graph(rows, cols)
        for r, c in lattice.faces():
            if exterior in ends and (r in (0, rows - 1) or c in (0, cols - 1)):
                graph.add_edge((r, c), exterior)
        graph.remove_nodes_from(removed)
        return not networkx.has_path(graph, *ends)

    become_inside, become_outside = faces(1), faces(-1)
    if become_inside & become_outside or not all(
        map(lattice.has_face, become_inside | become_outside)
    ):
        return False
    if len(become_outside) == 2 and apart(list(become_outside), become_inside):
        return True
    return len(become_inside) == 1 and apart([*become_inside, exterior], become_outside)
