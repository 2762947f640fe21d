"""What a player has drawn, finished or not: lines and crosses on edges, marks on faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Self

from castlecp.errors import PuzzleError
from castlecp.grid import Edge, Face, Lattice, Loop

#: An edge and whether it is on, or a face and whether it is inside.
Mark = tuple[Edge | Face, bool]


@dataclass(frozen=True)
class Move:
    """What one stroke of a player draws, or takes away again: edges and faces that are `blank`.

    Raises PuzzleError for what is no frozenset.
    """

    on: frozenset[Edge] = frozenset()
    off: frozenset[Edge] = frozenset()
    inside: frozenset[Face] = frozenset()
    outside: frozenset[Face] = frozenset()
    blank: frozenset[Edge | Face] = frozenset()

    def __post_init__(self) -> None:
        for name, things in vars(self).items():
            if not isinstance(things, frozenset):
                raise PuzzleError(f"`{name}` of a move must be a frozenset")

    @property
    def marks(self) -> Iterator[Mark]:
        """What it draws: an edge with whether it is on, a face with whether it is inside."""
        for things, value in (
            (self.on, True),
            (self.off, False),
            (self.inside, True),
            (self.outside, False),
        ):
            yield from ((thing, value) for thing in things)


@dataclass(frozen=True)
class Position:
    """Edges drawn (`on`) and crossed out (`off`), faces marked as `inside` or `outside` the loop.

    What is in none of the four is undecided. A line alone, such as an answer, is a position with
    nothing but `on`. `moves` are the order in which it was drawn, where that is known; positions
    are equal when what is drawn is. Raises PuzzleError for anything but frozensets of edges and of
    faces of the lattice, for an edge that is on and off or a face that is inside and outside, and
    for moves that are no tuple of Move.
    """

    lattice: Lattice
    on: frozenset[Edge] = frozenset()
    off: frozenset[Edge] = frozenset()
    inside: frozenset[Face] = frozenset()
    outside: frozenset[Face] = frozenset()
    moves: tuple[Move, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.lattice, Lattice):
            raise PuzzleError("`lattice` of a position must be a Lattice")
        size = f"{self.lattice.rows} x {self.lattice.cols} points"
        for name, edges in (("on", self.on), ("off", self.off)):
            if not (isinstance(edges, frozenset) and set(map(type, edges)) <= {Edge}):
                raise PuzzleError(f"`{name}` of a position must be a frozenset of Edge")
            for edge in edges:
                if not (_whole(edge) and self.lattice.has_edge(edge)):
                    raise PuzzleError(f"`{name}`: {tuple(edge)} is no edge of {size}")
        for name, faces in (("inside", self.inside), ("outside", self.outside)):
            if not (isinstance(faces, frozenset) and set(map(type, faces)) <= {tuple}):
                raise PuzzleError(f"`{name}` of a position must be a frozenset of faces")
            for face in faces:
                if not (len(face) == 2 and _whole(face) and self.lattice.has_face(face)):
                    raise PuzzleError(f"`{name}`: {face} is no face of {size}")
        if not (isinstance(self.moves, tuple) and set(map(type, self.moves)) <= {Move}):
            raise PuzzleError("`moves` of a position must be a tuple of Move")
        for edge in sorted(self.on & self.off):
            raise PuzzleError(f"the edge {tuple(edge)} is both on and off")
        for face in sorted(self.inside & self.outside):
            raise PuzzleError(f"the face {face} is both inside and outside")

    @classmethod
    def of(cls, drawn: Position | Loop) -> Position:
        """A line as a position; a position as it is."""
        return drawn if isinstance(drawn, Position) else cls(drawn.lattice, drawn.edges)

    @classmethod
    def after(cls, lattice: Lattice, moves: Iterable[Move]) -> Self:
        """What is there after some moves; a later one replaces what earlier ones drew."""
        edges: dict[Edge, bool] = {}
        faces: dict[Face, bool] = {}
        moves = tuple(moves)
        for move in moves:
            for gone in move.blank:
                if isinstance(gone, Edge):
                    edges.pop(gone, None)
                else:
                    faces.pop(gone, None)
            edges |= dict.fromkeys(move.on, True) | dict.fromkeys(move.off, False)
            faces |= dict.fromkeys(move.inside, True) | dict.fromkeys(move.outside, False)
        return cls(
            lattice,
            frozenset(edge for edge, on in edges.items() if on),
            frozenset(edge for edge, on in edges.items() if not on),
            frozenset(face for face, inside in faces.items() if inside),
            frozenset(face for face, inside in faces.items() if not inside),
            moves,
        )

    def made(self, mark: Mark) -> int | None:
        """The number, from 1, of the move that left a mark as it is; None where no move did."""
        for number, move in reversed(list(enumerate(self.moves, 1))):
            if mark in move.marks:
                return number
        return None

    @property
    def line(self) -> Loop:
        """The edges that are on."""
        return Loop(self.lattice, self.on)


def _whole(place: Iterable[object]) -> bool:
    return all(type(number) is int for number in place)
