"""What is known of a puzzle's solutions: the verdict, and its parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from castlecp.clues import Clue
from castlecp.grid import Edge, Loop

#: A part of a puzzle: a clue, or the name of a demand.
Part = Clue | str


class Status(Enum):
    """What is known of the number of solutions. It has no truth value: compare it."""

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    NONE = "none"
    INCONCLUSIVE = "inconclusive"

    def __bool__(self) -> bool:
        raise TypeError("a status is one of four values; compare it, as in `status is UNIQUE`")


def status(found: int, exact: bool) -> Status:
    """The status when `found` solutions are known, and whether those are all."""
    if found > 1:
        return Status.MULTIPLE
    if not exact:
        return Status.INCONCLUSIVE
    return Status.UNIQUE if found else Status.NONE


@dataclass(frozen=True, slots=True)
class Forced:
    """Edges by what all solutions say of them, each sorted.

    `undecided` edges are on in one solution and off in another. `unsettled` ones were not
    settled before the budget ran out; it is empty otherwise.
    """

    on: tuple[Edge, ...]
    off: tuple[Edge, ...]
    undecided: tuple[Edge, ...]
    unsettled: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `solve` found.

    `loops` are the solutions found, at most the limit. `exact` says that there are no others;
    otherwise there are at least that many, and `timed_out` says that the budget ended the
    search. `conflict` are clues, and names of demands, that have no solution together and of
    which none can be spared, when there is none. It has no truth value: compare `status`.
    """

    status: Status
    loops: tuple[Loop, ...]
    exact: bool
    timed_out: bool
    engine: str
    forced: Forced | None = None
    conflict: tuple[Part, ...] | None = None
    stats: dict[str, float] = field(default_factory=dict, compare=False)

    @property
    def differ(self) -> list[Edge]:
        """The edges that are on in one but not in all of the solutions found, sorted."""
        if len(self.loops) < 2:
            return []
        sets = [loop.edges for loop in self.loops]
        return sorted(frozenset.union(*sets) - frozenset.intersection(*sets))

    def __bool__(self) -> bool:
        raise TypeError("a verdict is one of four statuses; compare `verdict.status`")
