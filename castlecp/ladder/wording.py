"""Words for the parts of a board: what sentences are made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from castlecp.clues import Clue
from castlecp.grid import Edge, Face, Lattice, Vertex
from castlecp.propagation.board import Board
from castlecp.propagation.reading import Cells, Reading, Said


@dataclass(frozen=True)
class Places:
    """Where on a board the reason of a step is."""

    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True)
class Wording:
    """What a person calls the parts of a board that is read, with rows and columns from 1.

    A list names at most `most` things. `supposed` is whether it is about what would be so, and
    `given` says which step, or which link of a chain, gave a relation of two faces.
    """

    reading: Reading
    most: int = 99
    supposed: bool = False
    given: Mapping[int, str] = field(default_factory=dict)

    @property
    def lattice(self) -> Lattice:
        """The lattice on which the loop runs."""
        return self.reading.lattice

    @property
    def board(self) -> Board:
        """The board as rules read it."""
        return self.reading.board

    @property
    def squares(self) -> str:
        """What a person calls faces."""
        return "cells" if self.reading.cells == "faces" else "squares"

    @property
    def points(self) -> str:
        """What a person calls vertices."""
        return "cell" if self.reading.cells == "vertices" else "point"

    def vertex(self, number: int) -> Vertex:
        """The row and column of a vertex."""
        return divmod(number, self.lattice.cols)

    def face(self, number: int) -> Face | None:
        """The row and column of a face; None for the outer one."""
        return None if number == self.board.outer else divmod(number, self.lattice.cols - 1)

    def edge(self, number: int) -> Edge:
        """The edge."""
        return self.lattice.edges[number]

    def thing(self, literal: int) -> Edge | Face:
        """The edge, or the first face, that a literal is about."""
        edges = self.lattice.number_of_edges
        if literal < 2 * edges:
            return self.edge(literal >> 1)
        return divmod(self.faces_of(literal)[0], self.lattice.cols - 1)

    def faces_of(self, literal: int) -> tuple[int, int]:
        """The two faces that a literal relates."""
        return divmod((literal >> 1) - self.lattice.number_of_edges, self.board.outer + 1)

    def literal(self, face: Face | None, other: Face | None, differ: bool) -> int:
        """The literal that two faces differ, or not; None is the outer one."""
        across, outer = self.lattice.cols - 1, self.board.outer
        f, g = (outer if one is None else one[0] * across + one[1] for one in (face, other))
        return 2 * (self.lattice.number_of_edges + f * (outer + 1) + g) + differ

    def of(self, literal: int) -> tuple[str, str, str]:
        """Words for what a literal is about, what it says, and what its opposite says."""
        value = literal & 1
        if literal < 2 * self.lattice.number_of_edges:
            return self.at_edge(literal >> 1), ("off", "on")[value], ("on", "off")[value]
        f, g = self.faces_of(literal)
        if g == self.board.outer:
            return self.at_face(f), self.reading.sides[value], self.reading.sides[1 - value]
        how = ("on the same side", "on different sides")
        return f"{self.at_face(f)} and {self.at_face(g)}", how[value], how[1 - value]

    def at_vertex(self, number: int) -> str:
        """Words for a vertex, with its clue."""
        r, c = self.vertex(number)
        if self.reading.cells == "vertices":
            return self._cell(r, c)
        last_row, last_col = r == self.lattice.rows - 1, c == self.lattice.cols - 1
        corner = f"{'bottom' if last_row else 'top'} {'right' if last_col else 'left'}"
        return f"the {corner} of row {r + 1 - last_row}, column {c + 1 - last_col}"

    def at_point(self, number: int) -> str:
        """Words for about where a vertex is: its cell, or one that it is a corner of."""
        r, c = self.vertex(number)
        if self.reading.cells == "faces":
            r, c = min(r, self.lattice.rows - 2), min(c, self.lattice.cols - 2)
        return f"row {r + 1}, column {c + 1}"

    def at_face(self, number: int) -> str:
        """Words for a face, with its clue."""
        face = self.face(number)
        if face is None:
            return "everything beyond the border"
        r, c = face
        if self.reading.cells == "faces":
            return self._cell(r, c)
        return f"rows {r + 1}-{r + 2}, columns {c + 1}-{c + 2}"

    def at_edge(self, number: int) -> str:
        """Words for an edge."""
        return edge_words(self.edge(number), self.lattice, self.reading.cells)

    def runs(self, edges: Iterable[int]) -> list[str]:
        """Where edges are, those in a row as one, to stand after "the line runs".

        A preposition stands before the first of those that have it.
        """
        lying: dict[tuple[int, int], int] = {}
        standing: dict[tuple[int, int], int] = {}
        for e in edges:
            r, c, below, _ = self.edge(e)
            (lying if r == below else standing)[r, c] = e
        found = [(*self._lying(first, last), first) for first, last in runs_in(lying)]
        found += [(*self._standing(first, last), first) for first, last in runs_in(standing)]
        first = {how: min(at for same, _, at in found if same == how) for how, _, _ in found}
        out, before = [], ""
        for how, where, _ in sorted(found, key=lambda one: (first[one[0]], one[0], one[2])):
            out.append(where if how == before else f"{how} {where}")
            before = how
        return out

    def _lying(self, first: tuple[int, int], last: tuple[int, int]) -> tuple[str, str]:
        (r1, c1), (r2, c2) = first, last
        if self.reading.cells == "vertices":
            if r1 == r2:
                return "along", f"row {r1 + 1}, columns {c1 + 1} to {c2 + 2}"
            return f"between columns {c1 + 1} and {c1 + 2} in", _range("row", r1, r2)
        border = r2 == self.lattice.rows - 1
        if border and r1 == 0 < r2:
            return "above and below", f"{_range('row', r1, r2 - 1)}, {_range('column', c1, c2)}"
        rows = _range("row", r1 - border, r2 - border)
        return "below" if border else "above", f"{rows}, {_range('column', c1, c2)}"

    def _standing(self, first: tuple[int, int], last: tuple[int, int]) -> tuple[str, str]:
        (r1, c1), (r2, c2) = first, last
        if self.reading.cells == "vertices":
            if c1 == c2:
                return "along", f"column {c1 + 1}, rows {r1 + 1} to {r2 + 2}"
            return f"between rows {r1 + 1} and {r1 + 2} in", _range("column", c1, c2)
        border = c2 == self.lattice.cols - 1
        if border and c1 == 0 < c2:
            return "left and right of", f"{_range('row', r1, r2)}, {_range('column', c1, c2 - 1)}"
        cols = _range("column", c1 - border, c2 - border)
        return "right of" if border else "left of", f"{_range('row', r1, r2)}, {cols}"

    def stretches(self, faces: Iterable[int]) -> list[str]:
        """What faces are called, those in a row as one."""
        places = {divmod(f, self.lattice.cols - 1): f for f in faces}
        found = []
        for (r1, c1), (r2, c2) in runs_in(places):
            if (r1, c1) == (r2, c2):
                found.append(((r1, c1), self.at_face(places[r1, c1])))
            elif self.reading.cells == "faces":
                found.append(((r1, c1), f"{_range('row', r1, r2)}, {_range('column', c1, c2)}"))
            else:
                words = f"rows {r1 + 1}-{r2 + 2}, columns {c1 + 1}-{c2 + 2}"
                found.append(((r1, c1), words))
        return [words for _, words in sorted(found)]

    def sides_of(self, face: Face, edges: Iterable[Edge]) -> list[str]:
        """Which sides of a face edges are: `its top`, `left`."""
        r, c = face
        own = {
            Edge(r, c, r, c + 1): "top",
            Edge(r, c + 1, r + 1, c + 1): "right",
            Edge(r + 1, c, r + 1, c + 1): "bottom",
            Edge(r, c, r + 1, c): "left",
        }
        here = set(edges)
        names = [name for edge, name in own.items() if edge in here]
        return [f"its {names[0]}", *names[1:]] if names else []

    def pair(self, literal: int) -> str:
        """That two faces lie on one side or on two, and which step said so."""
        f, g = map(self.face, self.faces_of(literal))
        assert f
        if g and self.reading.cells == "faces" and (f[0] == g[0] or f[1] == g[1]):
            (r1, c1), (r2, c2) = f, g
            at = (
                f"row {r1 + 1}, columns {c1 + 1} and {c2 + 1}"
                if r1 == r2
                else f"rows {r1 + 1} and {r2 + 1}, column {c1 + 1}"
            )
        else:
            at = " and ".join(self.at_face(n) for n in self.faces_of(literal))
        said = self.given.get(literal)
        return f"{at} {'differ' if literal & 1 else 'are alike'}" + (f" ({said})" if said else "")

    def opposite_of(self, literal: int) -> str:
        """That what `supposed_of` says is not so, as a clause after it."""
        if literal < 2 * self.lattice.number_of_edges:
            return "there is none" if literal & 1 else "it does"
        return f"it is {self.of(literal)[2]}"

    def supposed_of(self, literal: int) -> str:
        """A clause in which what a literal says is supposed."""
        if literal < 2 * self.lattice.number_of_edges:
            return f"{'a' if literal & 1 else 'no'} line ran {self.runs([literal >> 1])[0]}"
        about, value, _ = self.of(literal)
        return f"{about} were {value}"

    def would(self, verb: str, infinitive: str) -> str:
        """A verb, or what would be."""
        return f"would {infinitive}" if self.supposed else verb

    def at_count(self, k: int) -> str:
        """Words for a count or a sight: the clue, or the two clues, or what the rules count."""
        return self.at_clues(self.reading.tellers[k]) or self.reading.counted[k]

    def at_clues(self, clues: Iterable[Clue]) -> str:
        """Words for clues."""
        return " and ".join(self._cell(clue.row, clue.col) for clue in clues)

    def said(self, said: Said, what: str) -> str:
        """A sentence about what clues ask, with the clues before it."""
        at = self.at_clues(said.clues)
        return f"{at}: {what}" if at else what

    def _cell(self, r: int, c: int) -> str:
        said = self.reading.says.get((r, c))
        return f"row {r + 1}, column {c + 1}" + (f" ({said})" if said else "")

    def at_cells(self, cells: Iterable[tuple[int, int]]) -> list[str]:
        """Words for cells, with their clues."""
        return [self._cell(r, c) for r, c in cells]

    def faces(self, numbers: Iterable[int]) -> tuple[Face, ...]:
        """The faces of these numbers, without the outer one."""
        return tuple(face for face in map(self.face, numbers) if face)

    def told(self, clues: Sequence[Clue], edges: Iterable[int]) -> Places:
        """The cells of clues, and the edges that they speak of."""
        cells = tuple((clue.row, clue.col) for clue in clues)
        drawn = tuple(map(self.edge, edges))
        if self.reading.cells == "faces":
            return Places(faces=cells, edges=drawn)
        return Places(vertices=cells, edges=drawn)

    def assumed(self, literal: int) -> Places:
        """The edge or the face of a literal."""
        thing = self.thing(literal)
        return Places(edges=(thing,)) if isinstance(thing, Edge) else Places(faces=(thing,))


def edge_words(edge: Edge, lattice: Lattice, cells: Cells) -> str:
    """Words for an edge."""
    r1, c1, r2, c2 = (x + 1 for x in edge)
    if cells == "vertices":
        return f"the edge from row {r1}, column {c1} to row {r2}, column {c2}"
    if r1 == r2:
        last = r1 == lattice.rows
        return f"the edge {'below' if last else 'above'} row {r1 - last}, column {c1}"
    last = c1 == lattice.cols
    return f"the edge {'right' if last else 'left'} of row {r1}, column {c1 - last}"


def runs_in(places: Iterable[tuple[int, int]]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Rows and columns of places as few runs, each by its first place and its last.

    The longest run is taken first, along a row before down a column.
    """
    left, found = set(places), []
    while left:
        best: list[tuple[int, int]] = []
        for r, c in sorted(left):
            for down, along in ((0, 1), (1, 0)):
                if (r - down, c - along) in left:
                    continue
                run = [(r, c)]
                while (run[-1][0] + down, run[-1][1] + along) in left:
                    run.append((run[-1][0] + down, run[-1][1] + along))
                best = max(best, run, key=len)
        found.append((best[0], best[-1]))
        left -= set(best)
    return found


def _range(name: str, first: int, last: int) -> str:
    """`row 3`, or `rows 3 to 5`, of numbers from 0."""
    return f"{name} {first + 1}" if first == last else f"{name}s {first + 1} to {last + 1}"
