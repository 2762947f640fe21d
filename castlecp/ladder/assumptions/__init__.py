"""The rules that assume something: one file a rule, the folder's listing is the registry.

`assumptions/NAME.py` has RULE. They are rules of the ladder like those of
`castlecp.propagation.rules`, whose bits come first; but a fixpoint does not use them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from castlecp.propagation.board import Board
from castlecp.propagation.state import State
from castlecp.registry import Registry


class Assumption(NamedTuple):
    """A rule that assumes something and looks what the rules of `use` make of it.

    `kernel` is called with the board, the state and `use`, and keeps the contract of a rule's
    kernel. `within` are the assumptions by which, with the rules that assume nothing, a single
    assumption ends in a conflict; None where that is not what it looks for. `bounded` says that
    it is dear, and each of its assumptions is taken from `n[LEFT]`.
    """

    kernel: Callable[[Board, State, int], bool]
    within: tuple[str, ...] | None = None
    bounded: bool = False


REGISTRY: Registry[Assumption] = Registry.folder("rule", __name__, "RULE")
