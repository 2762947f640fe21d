"""A step, and what it leans on, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from castlecp.grid import Edge, Face, Vertex

#: How much a hint says: where to look, why something follows there, and what that is to be drawn.
Degree = Literal["where", "why", "do"]
DEGREES: tuple[Degree, ...] = get_args(Degree)


@dataclass(frozen=True)
class Fact:
    """One thing that a step leans on; what it is follows from the fields that are set.

    A `clue` by its place, as the genre's clues have it; an `edge` that is on or off; the side of
    a `face`, inside or outside; two faces, `face` and `other`, that lie on different sides of the
    line or on one; or a `rule` that is about the line as a whole, by its name. `holds` is whether
    the edge is on, the face inside, the sides different. `step` is the number of the step that
    gave it, from 1; None when it holds from the start. Within the chain of a supposition `link` is
    the number of the link that gave it, 0 for what is supposed.
    """

    clue: tuple[int, int] | None = None
    edge: Edge | None = None
    face: Face | None = None
    other: Face | None = None
    rule: str = ""
    holds: bool = True
    step: int | None = None
    link: int | None = None


@dataclass(frozen=True)
class Step:
    """One step of a solution: what is settled and why.

    `on`, `off` and `relations` are what follows from the `facts`, which are all that the step
    leans on, and `then` its trivial consequences, which are steps themselves (`steps` has both).
    `relations` are pairs of faces that lie on the same side of the line (False) or on
    different sides (True); None stands for the outside beyond the border, so that a pair with
    None says that a face is outside or inside. `vertices`, `edges` and `faces` are where one is to
    look. `assumed` is the edge (on or off) or the face (inside or outside) that a probe supposes,
    and `chain` what follows from that, the supposition first (link 0), up to the contradiction,
    which is a step that settles nothing; of a fork, two suppositions with a chain each. A mistake
    of a player may have been made by a `move`, by number from 1.
    """

    rung: str
    sentence: str
    on: tuple[Edge, ...] = ()
    off: tuple[Edge, ...] = ()
    relations: tuple[tuple[Face | None, Face | None, bool], ...] = ()
    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    faces: tuple[Face, ...] = ()
    assumed: tuple[Edge | Face, bool] | None = None
    chain: tuple[Step, ...] = field(default=(), repr=False)
    #: The rule behind the rung.
    rule: str = ""
    facts: tuple[Fact, ...] = ()
    then: tuple[Step, ...] = field(default=(), repr=False)
    move: int | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The step and its consequences, in their order."""
        return (self, *self.then)

    @property
    def settles(self) -> bool:
        """Whether it settles anything; else it is a contradiction."""
        return bool(self.on or self.off or self.relations)
