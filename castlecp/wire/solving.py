"""What was found: solutions, how many, and what contradicts each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from castlecp.clues import Clue
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Loop
from castlecp.verdict import Verdict as Found
from castlecp.wire.base import Findings, Part, Report, Statuses, Written


class Line(Part, frozen=True, kw_only=True):
    """A loop: its edges, the faces inside it, and what follows from it."""

    edges: tuple[Edge, ...]
    inside: tuple[Face, ...]
    findings: Findings = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, loop: Loop, puzzle: Puzzle | None = None) -> Line:
        """The loop, as an answer of a puzzle if one is given."""
        findings = puzzle.findings(loop) if puzzle else {}
        return cls(
            edges=tuple(sorted(loop.edges)), inside=tuple(sorted(loop.inside)), findings=findings
        )


class Forced(Part, frozen=True, kw_only=True):
    """Edges that are on, or off, in every solution, and the others.

    `undecided` edges are on in one solution and off in another; `unsettled` ones were not settled
    before the budget ended.
    """

    on: tuple[Edge, ...]
    off: tuple[Edge, ...]
    undecided: tuple[Edge, ...]
    unsettled: tuple[Edge, ...] = ()


class Cause(Part, frozen=True, kw_only=True):
    """One of several things that contradict each other: a clue, or a demand by its name.

    `says` is the same in words; `reason` is why it is impossible alone, if it is.
    """

    clue: Written | None = None
    demand: str | None = None
    says: str
    reason: str | None = None


class Stats(Part, frozen=True, kw_only=True):
    """What a search took: questions to the engine, cuts, conflicts or nodes, and seconds."""

    rounds: int
    cuts: int
    steps: int
    seconds: float

    @classmethod
    def of(cls, found: Found) -> Stats:
        """What a verdict took."""
        said = found.stats
        return cls(
            rounds=int(said["rounds"]),
            cuts=int(said["cuts"]),
            steps=int(said["steps"]),
            seconds=said["seconds"],
        )


class Verdict(Report, frozen=True, kw_only=True):
    """What `solve` found.

    `exact` says that there are no solutions besides those shown, `timed_out` that the budget
    ended the search. `differ` are the edges on in one but not in all of them, `conflict` what
    contradicts each other where there is no solution.
    """

    status: Statuses
    exact: bool
    timed_out: bool
    solutions: tuple[Line, ...]
    differ: tuple[Edge, ...]
    forced: Forced | None
    conflict: tuple[Cause, ...] | None
    engine: str
    stats: Stats

    @classmethod
    def of(cls, puzzle: Puzzle, found: Found) -> Verdict:
        """A verdict on a puzzle."""
        forced = found.forced
        return cls(
            status=found.status.value,
            exact=found.exact,
            timed_out=found.timed_out,
            solutions=tuple(Line.of(loop, puzzle) for loop in found.loops),
            differ=tuple(found.differ),
            forced=Forced(
                on=forced.on,
                off=forced.off,
                undecided=forced.undecided,
                unsettled=forced.unsettled,
            )
            if forced
            else None,
            conflict=None if found.conflict is None else tuple(_causes(puzzle, found.conflict)),
            engine=found.engine,
            stats=Stats.of(found),
        )


def _causes(puzzle: Puzzle, conflict: Iterable[Any]) -> Iterable[Cause]:
    reasons, demands = dict(puzzle.impossible()), puzzle.demands()
    for part in conflict:
        if part in demands:
            yield Cause(demand=part, says=demands[part])
        else:
            yield Cause(clue=clue_of(part), says=part.says(), reason=reasons.get(part))


def clue_of(clue: Clue) -> Written:
    """A clue as it stands in the JSON of its puzzle."""
    written: Written = msgspec.to_builtins(clue)
    return written


def puzzle_of(puzzle: Puzzle) -> Written:
    """A puzzle as JSON."""
    written: Written = msgspec.to_builtins(puzzle)
    return written


class Count(Report, frozen=True, kw_only=True):
    """How many solutions there are: exactly, at least, or as many as were found in time."""

    count: int
    kind: Literal["exact", "at least", "timed out"]
    engine: str
    stats: Stats

    @classmethod
    def of(cls, found: Found) -> Count:
        """The number in a verdict."""
        kind: Literal["exact", "at least", "timed out"] = "exact" if found.exact else "at least"
        return cls(
            count=len(found.loops),
            kind="timed out" if found.timed_out else kind,
            engine=found.engine,
            stats=Stats.of(found),
        )
