"""Why a step holds: one file a rule, named as the rule, with its reason, sentence and places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from castlecp.ladder.reasons import Known, Reason
from castlecp.ladder.wording import Places, Wording
from castlecp.registry import Registry

__all__ = ["REGISTRY", "Known", "Places", "Reason", "Taken", "Words"]


class Taken(NamedTuple):
    """A step that is taken: the place and the detail of its rule, what it settles, and why.

    Without literals it is a contradiction. `ends` is how what a step supposes ends, as a clause.
    """

    place: int
    detail: int
    literals: tuple[int, ...]
    reason: Reason
    ends: str = ""


class Words(NamedTuple):
    """The words of a rule.

    `reason` is called with what is known *before* the step, the place and the detail of the step
    (see the rule) and its literals, and says what it leans on; a rule that assumes something has
    none, for it leans on what the links of its chain lean on. `sentence` says the step in words,
    which end in what it settles, and `dead` a contradiction, as a clause. `places` says where on
    the board one is to look. `clash` is for a contradiction of the trail alone, which has the
    place -1: of all literals known it says which contradict each other, and how. `effort` is what a
    step of the rule costs a person beside one that is seen at a glance, which costs 1.
    """

    sentence: Callable[[Wording, Taken], str]
    places: Callable[[Wording, int, int], Places]
    dead: Callable[[Wording, Taken], str] | None = None
    reason: Callable[[Known, int, int, Sequence[int]], Reason] | None = None
    clash: Callable[[Wording, Sequence[int]], tuple[str, Places, Reason]] | None = None
    effort: int = 2


REGISTRY: Registry[Words] = Registry.folder("words of a rule", __name__, "WORDS")
