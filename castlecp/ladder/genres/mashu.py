"""How a person solves a Masyu."""

from __future__ import annotations

#: The ladder: (rule, rung), easiest first.
LADDER = (
    ("degree", "degree"),
    ("table", "circle"),
    ("loop", "loop"),
    ("sides", "sides"),
    ("reach", "reach"),
    ("failed_literal", "probe"),
    ("constructive_disjunction", "fork"),
    ("nested_failed_literal", "double probe"),
)

#: What a person sees at a glance.
TRIVIAL = ("degree", "sides")

#: The hardest rung of an easy board.
FIRST = "loop"
