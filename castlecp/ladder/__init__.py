"""How a person solves: the ladder of rules, its steps with reasons, hints and grades.

A *rung* is the name of a rule on a genre's ladder. `genres/NAME.py` holds the genre's LADDER, a
table of (rule, rung) with the easiest first; `climbing` takes the steps, always by the first rule
of the table that finds something; `words/NAME.py` says why a step of the rule NAME holds. The
rules are those of `castlecp.propagation.rules` and those that assume something, `assumptions`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from castlecp.ladder.climber import ladder_of
    from castlecp.ladder.grading import Grade, grade
    from castlecp.ladder.hints import next_step
    from castlecp.ladder.steps import Step, explain
    from castlecp.ladder.wording import edge_words

__all__ = ["Grade", "Step", "edge_words", "explain", "grade", "ladder_of", "next_step"]

_HOMES = {
    "climber": ["ladder_of"],
    "grading": ["Grade", "grade"],
    "hints": ["next_step"],
    "steps": ["Step", "explain"],
    "wording": ["edge_words"],
}


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first asked for: kernels are imported without a puzzle."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
