"""Why a step holds: one file a rule, named as the rule, with its sentence and its places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from castlecp.ladder.wording import Places, Wording
from castlecp.propagation.state import State
from castlecp.registry import Registry

__all__ = ["REGISTRY", "Places", "Words"]


class Words(NamedTuple):
    """The words of a rule.

    `sentence` is called with the state *before* the step, the place and the detail of the reason
    (see the rule) and the literals of the step; without literals the step is a contradiction.
    `places` says with the same place and detail where on the board the reason is. `clash` is for a
    contradiction of the trail alone, which has the place -1: of all literals known it says what
    contradicts itself, and where that is.
    """

    sentence: Callable[[Wording, State, int, int, list[int]], str]
    places: Callable[[Wording, int, int], Places]
    clash: Callable[[Wording, Sequence[int]], tuple[str, Places]] | None = None


REGISTRY: Registry[Words] = Registry.folder("words of a rule", __name__, "WORDS")
