"""All rules of the ladder by name: those that assume nothing, then those that do."""

from __future__ import annotations

from castlecp.ladder import assumptions
from castlecp.ladder.assumptions import Assumption
from castlecp.propagation import rules
from castlecp.propagation.rules import Rule
from castlecp.registry import Registry

RECORDS: dict[str, Rule | Assumption] = {
    **{name: rules.REGISTRY[name] for name in rules.REGISTRY},
    **{name: assumptions.REGISTRY[name] for name in assumptions.REGISTRY},
}
_KNOWN = Registry.table("rule", RECORDS)
_BITS = {name: 1 << k for k, name in enumerate(RECORDS)}


def bit(name: str) -> int:
    """The bit of a rule in kernels; rules that assume nothing come first. Raises Unknown."""
    return _BITS[_KNOWN.name_of(name)]


def assumes(name: str) -> bool:
    """Whether a rule assumes something."""
    return isinstance(RECORDS[name], Assumption)


def bounded(name: str) -> bool:
    """Whether a rule is dearer than single assumptions, so that these are bounded."""
    record = RECORDS[name]
    return isinstance(record, Assumption) and record.bounded
