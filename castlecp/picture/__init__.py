"""What there is to draw: a board, layers of edges over it, and highlighted places.

`text` puts it into lines of text, which are an answer that `castlecp.codecs` reads and writes;
`castlecp.draw` has all that it can be drawn as.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Loop, Vertex
from castlecp.position import Position

#: How the edges of a layer are drawn. `line` and `common` are solid, `first` and `second`
#: differ in colour and in pattern, `off` is a small cross, `out` a bold one, `blank` is nothing.
Style = Literal["line", "common", "first", "second", "off", "out", "blank"]


@dataclass(frozen=True, slots=True)
class Layer:
    """Edges that are drawn alike; a `label` puts the style into the picture's legend."""

    style: Style
    edges: frozenset[Edge]
    label: str = ""


@dataclass(frozen=True)
class Picture:
    """A drawing of a puzzle.

    Layers are drawn in their order, without overlap of edges. `shaded` faces are grey, `marked`
    ones have a plus: how a player marks what is outside and what is inside.
    `vertices` and `faces` are the highlighted places. A `caption` of one line or more stands
    below, but not in the terminal.
    """

    puzzle: Puzzle
    layers: tuple[Layer, ...] = ()
    shaded: frozenset[Face] = frozenset()
    vertices: frozenset[Vertex] = frozenset()
    faces: frozenset[Face] = frozenset()
    caption: str = ""
    marked: frozenset[Face] = frozenset()

    @classmethod
    def of(cls, puzzle: Puzzle, loops: Sequence[Loop] = ()) -> Self:
        """The board alone, with one line, or with two over each other and a legend.

        A genre's shading is shown for one line only. Raises ValueError for more than two.
        """
        if not loops:
            return cls(puzzle)
        if len(loops) == 1:
            return cls(puzzle, (Layer("line", loops[0].edges),), _shaded(puzzle, loops[0]))
        if len(loops) > 2:
            raise ValueError(f"a picture shows at most two lines, not {len(loops)}")
        first, second = (loop.edges for loop in loops)
        return cls(
            puzzle,
            (
                Layer("common", first & second, "in both"),
                Layer("first", first - second, "only in the first"),
                Layer("second", second - first, "only in the second"),
            ),
        )

    @classmethod
    def at(cls, puzzle: Puzzle, position: Position) -> Self:
        """The board with all that a player has drawn, and nothing else."""
        return cls(
            puzzle,
            (Layer("line", position.on), Layer("off", position.off)),
            shaded=position.outside,
            marked=position.inside,
        )

    @classmethod
    def forced(cls, puzzle: Puzzle, on: Iterable[Edge], off: Iterable[Edge]) -> Self:
        """What every answer has in common: edges on, edges off, and the rest undecided."""
        on, off = frozenset(on), frozenset(off)
        return cls(
            puzzle,
            (
                Layer("line", on, "in every answer"),
                Layer("off", off, "in no answer"),
                Layer("blank", frozenset(puzzle.lattice.edges) - on - off, "in some answers"),
            ),
        )

    def highlight(
        self,
        cells: Iterable[tuple[int, int]] = (),
        vertices: Iterable[Vertex] = (),
        faces: Iterable[Face] = (),
    ) -> Self:
        """The same picture with these cells of the puzzle, vertices and faces marked."""
        marked = {"vertices": frozenset(vertices), "faces": frozenset(faces)}
        marked[self.puzzle.CELLS] |= frozenset(cells)
        return replace(
            self,
            vertices=self.vertices | marked["vertices"],
            faces=self.faces | marked["faces"],
        )

    @property
    def legend(self) -> list[Layer]:
        """The layers to explain: those with a label and an edge."""
        return [layer for layer in self.layers if layer.label and layer.edges]


def _shaded(puzzle: Puzzle, loop: Loop) -> frozenset[Face]:
    if not puzzle.SHADES_OUTSIDE:
        return frozenset()
    return frozenset(puzzle.lattice.faces()) - loop.inside
