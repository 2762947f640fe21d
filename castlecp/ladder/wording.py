"""Words for the parts of a board: what sentences are made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

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
    """What a person calls the parts of a board that is read, with rows and columns from 1."""

    reading: Reading

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

    def of(self, literal: int) -> tuple[str, str, str]:
        """Words for what a literal is about, what it says, and what its opposite says."""
        value = literal & 1
        if literal < 2 * self.lattice.number_of_edges:
            return self.at_edge(literal >> 1), ("off", "on")[value], ("on", "off")[value]
        f, g = self.faces_of(literal)
        if g == self.board.outer:
            return self.at_face(f), self.reading.sides[value], self.reading.sides[1 - value]
        how = ("on the same side of the line", "on different sides of the line")
        return f"{self.at_face(f)} and {self.at_face(g)}", how[value], how[1 - value]

    def at_vertex(self, number: int) -> str:
        """Words for a vertex, with its clue."""
        r, c = self.vertex(number)
        if self.reading.cells == "vertices":
            return self._cell(r, c)
        last_row, last_col = r == self.lattice.rows - 1, c == self.lattice.cols - 1
        corner = f"{'bottom' if last_row else 'top'} {'right' if last_col else 'left'}"
        return f"the point at the {corner} of row {r + 1 - last_row}, column {c + 1 - last_col}"

    def at_face(self, number: int) -> str:
        """Words for a face, with its clue."""
        face = self.face(number)
        if face is None:
            return "everything beyond the border"
        r, c = face
        if self.reading.cells == "faces":
            return self._cell(r, c)
        return f"the square between rows {r + 1} and {r + 2} and columns {c + 1} and {c + 2}"

    def at_edge(self, number: int) -> str:
        """Words for an edge."""
        return edge_words(self.edge(number), self.lattice, self.reading.cells)

    def at_count(self, k: int) -> str:
        """Words for a count or a sight: the clue, or the two clues."""
        return self.at_clues(self.reading.tellers[k])

    def at_clues(self, clues: Iterable[Any]) -> str:
        """Words for clues."""
        return " and ".join(self._cell(clue.row, clue.col) for clue in clues)

    def said(self, said: Said, what: str) -> str:
        """A sentence about what clues ask, with the clues before it."""
        at = self.at_clues(said.clues)
        return f"{at}: {what}" if at else what

    def _cell(self, r: int, c: int) -> str:
        said = self.reading.says.get((r, c))
        return f"row {r + 1}, column {c + 1}" + (f" ({said})" if said else "")

    def faces(self, numbers: Iterable[int]) -> tuple[Face, ...]:
        """The faces of these numbers, without the outer one."""
        return tuple(face for face in map(self.face, numbers) if face)

    def told(self, clues: Sequence[Any], edges: Iterable[int]) -> Places:
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
