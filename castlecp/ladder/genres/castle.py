"""How a person solves a Castle Wall."""

from __future__ import annotations

#: The ladder: (rule, rung), easiest first. A rung may have several rules.
LADDER = (
    ("degree", "degree"),
    ("count", "arrow"),
    ("parity", "parity"),
    ("loop", "loop"),
    ("sides", "sides"),
    ("difference", "difference"),
    ("reach", "reach"),
    ("ray", "ray"),
    ("failed_literal", "probe"),
    ("constructive_disjunction", "fork"),
    ("nested_failed_literal", "double probe"),
)

#: What a person sees at a glance.
TRIVIAL = ("degree", "sides")

#: The hardest rung of an easy board.
FIRST = "loop"
