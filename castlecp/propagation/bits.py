"""Rules as numbers: in kernels a rule is a bit, and a set of rules the sum of theirs.

The bits go by the alphabet of the names in `rules`; nothing of a rule itself is known here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from pkgutil import iter_modules

from castlecp.registry import Registry

_NAMES = sorted(found.name for found in iter_modules([str(Path(__file__).parent / "rules")]))

#: The bit of each rule, by its name.
BITS: Registry[int] = Registry.table("rule", {name: 1 << k for k, name in enumerate(_NAMES)})


def bit(name: str) -> int:
    """The bit of a rule. Raises Unknown."""
    return BITS[BITS.name_of(name)]


def bits(rules: Iterable[str]) -> int:
    """A set of rules as a number."""
    return _bits(frozenset(rules))


@cache
def _bits(rules: frozenset[str]) -> int:
    return sum(map(bit, rules))
