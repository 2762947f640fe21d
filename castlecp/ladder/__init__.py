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
    from castlecp.ladder.assessing import Assessment, Nodes, assess, weak_nodes
    from castlecp.ladder.chains import chain_lengths
    from castlecp.ladder.facts import DEGREES, Degree, Fact, Step
    from castlecp.ladder.genres import of as ladder_of
    from castlecp.ladder.grading import Grade, grade
    from castlecp.ladder.hints import in_degree, next_step
    from castlecp.ladder.so_far import check_so_far
    from castlecp.ladder.steps import contradicts, explain, finishes
    from castlecp.ladder.whys import at_length
    from castlecp.ladder.wording import edge_words

__all__ = [
    "DEGREES",
    "Assessment",
    "Degree",
    "Fact",
    "Grade",
    "Nodes",
    "Step",
    "assess",
    "at_length",
    "chain_lengths",
    "check_so_far",
    "contradicts",
    "edge_words",
    "explain",
    "finishes",
    "grade",
    "in_degree",
    "ladder_of",
    "next_step",
    "weak_nodes",
]

_HOMES = {
    "DEGREES": ("facts", "DEGREES"),
    "Degree": ("facts", "Degree"),
    "Assessment": ("assessing", "Assessment"),
    "Fact": ("facts", "Fact"),
    "Grade": ("grading", "Grade"),
    "Nodes": ("assessing", "Nodes"),
    "Step": ("facts", "Step"),
    "assess": ("assessing", "assess"),
    "at_length": ("whys", "at_length"),
    "chain_lengths": ("chains", "chain_lengths"),
    "check_so_far": ("so_far", "check_so_far"),
    "contradicts": ("steps", "contradicts"),
    "edge_words": ("wording", "edge_words"),
    "explain": ("steps", "explain"),
    "finishes": ("steps", "finishes"),
    "grade": ("grading", "grade"),
    "in_degree": ("hints", "in_degree"),
    "ladder_of": ("genres", "of"),
    "next_step": ("hints", "next_step"),
    "weak_nodes": ("assessing", "weak_nodes"),
}


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first asked for: kernels are imported without a puzzle."""
    if name in _HOMES:
        home, own = _HOMES[name]
        return getattr(import_module(f"{__name__}.{home}"), own)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
