"""All rules of the ladder by name: those that assume nothing, then those that do."""

from __future__ import annotations

from castlecp.ladder import assumptions
from castlecp.ladder.assumptions import Assumption
from castlecp.propagation import rules
from castlecp.propagation.rules import Rule

RECORDS: dict[str, Rule | Assumption] = {
    name: (rules.records() | assumptions.records())[name]
    for name in (*rules.names(), *assumptions.names())
}


def bit(name: str) -> int:
    """The bit of a rule in kernels. Raises ValueError for an unknown name."""
    if name not in RECORDS:
        raise ValueError(f"there is no rule `{name}`; the rules are {', '.join(RECORDS)}")
    return 1 << list(RECORDS).index(name)


def assumes(name: str) -> bool:
    """Whether a rule assumes something."""
    return isinstance(RECORDS[name], Assumption)


def bounded(name: str) -> bool:
    """Whether a rule is dearer than single assumptions, so that these are bounded."""
    record = RECORDS[name]
    return isinstance(record, Assumption) and record.bounded
