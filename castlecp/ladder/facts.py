"""What a step leans on, as data."""

from __future__ import annotations

from dataclasses import dataclass

from castlecp.grid import Edge, Face


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
