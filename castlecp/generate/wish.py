"""What a loop should be like."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import inf

from castlecp.errors import CastlecpError
from castlecp.grid import Face, Vertex
from castlecp.taste import Weights


@dataclass(frozen=True, slots=True)
class Wish:
    """What a loop should be like.

    How `winding` it is, `clear` of which vertices, `through` which, and with which faces `within`.
    `tilt` and `weights` are for sources that weigh loops: (take, skip), the weights of an edge on
    the loop and of one off it; and what weighs what of a loop's shape. `share` is how many of
    the vertices it is to pass, from 0 to 1.
    Raises CastlecpError for a `winding` below 0 and for weights below 1.
    """

    winding: float = 1.0
    clear: Collection[Vertex] = ()
    through: Collection[Vertex] = ()
    within: Collection[Face] = ()
    tilt: tuple[int, int] | None = None
    weights: Weights | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.winding, int | float) and 0 <= self.winding < inf):
            raise CastlecpError("`winding` of a wish must be a number from 0 on")
        for name, asked, number in (("tilt", self.tilt, 2), ("weights", self.weights, 4)):
            if asked is not None and not (
                len(asked) == number and all(type(weight) is int and weight > 0 for weight in asked)
            ):
                words = {2: "two", 4: "four"}[number]
                raise CastlecpError(f"`{name}` of a wish must be {words} whole numbers from 1 on")


ANY = Wish()
