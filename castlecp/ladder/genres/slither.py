"""How a person solves a Slitherlink."""

from __future__ import annotations

#: The ladder: (rule, rung), easiest first.
LADDER = (
    ("count", "count"),
    ("degree", "vertex"),
    ("pattern", "pattern"),
    ("loop", "loop"),
    ("sides", "sides"),
    ("statement", "statement"),
    ("reach", "reach"),
    ("failed_literal", "probe"),
    ("constructive_disjunction", "fork"),
    ("nested_failed_literal", "double probe"),
)

#: What a person sees at a glance.
TRIVIAL = ("count", "degree", "sides", "pattern")

#: The hardest rung of an easy board.
FIRST = "loop"
