"""What can be wrong with a line in every genre: named faults, each with a sentence and a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from castlecp.grid import Edge, Face, Loop, Vertex


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule.

    `vertices`, `edges` and `faces` are where it shows, for a picture. `about` is "line" when
    another line could be right, "puzzle" when the board itself is at fault.
    """

    name: str
    sentence: str
    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    about: Literal["line", "puzzle"] = "line"
    faces: tuple[Face, ...] = ()


#: A rule of a genre as a check: the faults of a line, best place first. See `Puzzle.RULES`.
FaultFinder = Callable[..., Iterable[Fault]]


def no_loop(puzzle: Any, line: Loop) -> Iterator[Fault]:
    """There must be a line at all."""
    if not line.edges:
        yield Fault("no-loop", "Nothing is drawn.")


def branch(puzzle: Any, line: Loop) -> Iterator[Fault]:
    """No vertex has three line ends."""
    yield from _degree(puzzle, line, 3, "branch", "The line branches at")


def cross(puzzle: Any, line: Loop) -> Iterator[Fault]:
    """No vertex has four line ends."""
    yield from _degree(puzzle, line, 4, "cross", "The line crosses itself at")


def dead_end(puzzle: Any, line: Loop) -> Iterator[Fault]:
    """No vertex has one line end."""
    yield from _degree(puzzle, line, 1, "dead-end", "The line stops at")


def several_loops(puzzle: Any, line: Loop) -> Iterator[Fault]:
    """The line is one piece."""
    pieces = line.pieces()
    if len(pieces) > 1:
        least = min(pieces, key=len)
        text = f"The line is in {len(pieces)} pieces; one of them passes {puzzle.point(least[0])}."
        yield Fault("several-loops", text, tuple(least))


def _degree(puzzle: Any, line: Loop, degree: int, name: str, sentence: str) -> Iterator[Fault]:
    for vertex in sorted(v for v, ends in line.neighbours.items() if len(ends) == degree):
        yield Fault(name, f"{sentence} {puzzle.point(vertex)}.", (vertex,))
