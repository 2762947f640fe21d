"""How a person solves a Cave."""

from __future__ import annotations

#: The ladder: (rule, rung), easiest first. A person decides on cells; edges follow from them.
LADDER = (
    ("visibility", "count"),
    ("corner", "corner"),
    ("reach", "bridge"),
    ("failed_literal", "probe"),
)

#: Every step says something of cells.
TRIVIAL: tuple[str, ...] = ()

#: The hardest rung of an easy board.
FIRST = "corner"
