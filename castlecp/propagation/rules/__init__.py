"""The rules that assume nothing: one file a rule, and the folder's listing is the registry.

`rules/NAME.py` has RULE, a record of kernels. The kernels that go through all rules (`fixpoint`,
`search`, the ladder's `climbing`) are made from the records, so that a new rule is a new file.
In kernels a rule is a bit (`bits`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from castlecp.propagation.board import Board
from castlecp.propagation.state import State
from castlecp.registry import Registry

Kernel = Callable[[Board, State], bool]
At = Callable[[Board, State, int, int], bool]


class Rule(NamedTuple):
    """A rule: how it finds what follows, and when it is asked. Its kernels are False on a conflict.

    `kernel` enqueues what follows: while single steps are taken the first thing only, with its
    place and detail noted; else all of it. `turn` is when a fixpoint asks it, the quick rules
    first; the verdict never depends on it. A rule with `at_edge`, which looks at the places
    around an edge that was settled, is kept up by that alone, and asked whole no more. `first`
    is what a fixpoint asks once at its beginning, for rules that are then told of every change.
    `exact` decides a full board: whether all that the rule is about is so, given the rules of
    earlier turns; None for a rule that says nothing the others do not. `at` enqueues all that
    follows at one place, with the detail that `kernel` notes with it; of a rule
    that is not of one place it may find more, and notes where a conflict is.
    """

    kernel: Kernel
    turn: int
    at: At
    at_edge: Callable[[Board, State, int], bool] | None = None
    first: Kernel | None = None
    exact: Kernel | None = None


REGISTRY: Registry[Rule] = Registry.folder("rule", __name__, "RULE")

#: The names of all rules, alphabetically.
names = REGISTRY.names


@cache
def records() -> dict[str, Rule]:
    """All rules by name, in the order of their turns."""
    return {name: REGISTRY[name] for name in sorted(names(), key=lambda name: REGISTRY[name].turn)}
