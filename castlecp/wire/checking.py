"""What is wrong with a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Loop, Vertex
from castlecp.wire.base import Findings, Part, Report


class Mistake(Part, frozen=True, kw_only=True):
    """A rule that a line breaks: its name, a sentence, and where it shows.

    `about` is "line" when another line could be right, "puzzle" when the board is at fault.
    """

    name: str
    sentence: str
    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    faces: tuple[Face, ...] = ()
    about: Literal["line", "puzzle"] = "line"

    @classmethod
    def of(cls, fault: Fault) -> Mistake:
        """A fault."""
        return cls(
            name=fault.name,
            sentence=fault.sentence,
            vertices=fault.vertices,
            edges=fault.edges,
            faces=fault.faces,
            about=fault.about,
        )


class Judgement(Report, frozen=True, kw_only=True):
    """Whether a line is an answer, all that is wrong with it, and what follows from it."""

    correct: bool
    faults: tuple[Mistake, ...]
    findings: Findings = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, puzzle: Puzzle, line: Loop, faults: Sequence[Fault]) -> Judgement:
        """The faults of a line."""
        return cls(
            correct=not faults,
            faults=tuple(map(Mistake.of, faults)),
            findings=puzzle.findings(line) if line.is_single() else {},
        )


class SoFar(Report, frozen=True, kw_only=True):
    """What is wrong with an unfinished position and cannot be mended by drawing more."""

    faults: tuple[Mistake, ...]
