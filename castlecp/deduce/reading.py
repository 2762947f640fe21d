"""A board together with the words for its parts: what sentences are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from castlecp.deduce.board import Board
from castlecp.grid import Edge, Face, Lattice, Vertex


@dataclass(frozen=True)
class Reading:
    """What a genre's clues say, and which clue says it.

    `tellers[k]` are the clues behind the k-th count, `rows[k]` are words for the k-th row, `says`
    holds the words of the clue at a vertex, and `counted` is what a clue counts along. Rows and
    columns in words count from 1.
    """

    lattice: Lattice
    board: Board
    tellers: list[tuple[Any, ...]]
    rows: list[str]
    says: dict[Vertex, str]
    counted: str

    def vertex(self, number: int) -> Vertex:
        """The row and column of a vertex."""
        return divmod(number, self.lattice.cols)

    def face(self, number: int) -> Face | None:
        """The row and column of a face; None for the outer one."""
        return None if number == self.board.outer else divmod(number, self.lattice.cols - 1)

    def edge(self, number: int) -> Edge:
        """The edge."""
        return self.lattice.edges[number]

    def at_vertex(self, number: int) -> str:
        """Words for a vertex, with its clue."""
        r, c = self.vertex(number)
        said = self.says.get((r, c))
        return f"Row {r + 1}, column {c + 1}" + (f" ({said})" if said else "")

    def at_face(self, number: int) -> str:
        """Words for a face."""
        face = self.face(number)
        if face is None:
            return "everything beyond the border"
        r, c = face
        return f"the square between rows {r + 1} and {r + 2} and columns {c + 1} and {c + 2}"

    def at_edge(self, number: int) -> str:
        """Words for an edge."""
        return edge_words(self.edge(number))

    def at_count(self, k: int) -> str:
        """Words for a count: the clue, or the two clues."""
        return " and ".join(
            f"{'Row' if i == 0 else 'row'} {clue.row + 1}, column {clue.col + 1} ({clue.says()})"
            for i, clue in enumerate(self.tellers[k])
        )


def edge_words(edge: Edge) -> str:
    """Words for an edge."""
    r1, c1, r2, c2 = (x + 1 for x in edge)
    return f"the edge from row {r1}, column {c1} to row {r2}, column {c2}"


def side_of_line(line: int, lines: int, before: str, after: str) -> str:
    """On which side of a line its hair-wide shift lies: after it, except after the last one."""
    return after if line < lines - 1 else before


def number_of(count: int, one: str, many: str | None = None) -> str:
    """A number and its noun."""
    return f"{count} {one if count == 1 else many or one + 's'}"
