"""Who solves: one module an engine, found by the name of its file.

An engine answers one question, "is there an assignment", and knows no puzzle, no loop and no
uniqueness. A module defines it as `ENGINE`, and heavy packages are imported when it is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from castlecp.budget import Budget
from castlecp.model import Clause, Model
from castlecp.registry import Registry


class Engine(Protocol):
    """A solver that holds one model: `Engine(model)` posts base, definitions, facts, counts.

    Raises OutOfBudget when the seconds of a budget end before that is done.
    """

    #: Whether clauses and assumptions on the live solver are cheap.
    INCREMENTAL: ClassVar[bool]

    def __init__(self, model: Model, budget: Budget | None = None) -> None: ...

    @property
    def name(self) -> str:
        """Who gave the last answer, for the verdict."""

    def add(self, clause: Clause) -> None:
        """Add a clause for good."""

    def solve(self, assumptions: Sequence[int], budget: Budget) -> Sequence[int] | None:
        """An assignment (`assignment[v - 1]` is v or -v), or None when proved to have none.

        The assumptions hold for this call alone. Raises OutOfBudget when nothing was settled.
        """

    def core(self) -> list[int]:
        """Assumptions of the last call that are enough for its None; empty if none are needed."""

    def close(self) -> None:
        """Free the solver."""


REGISTRY: Registry[type[Engine]] = Registry.folder("engine", __name__, "ENGINE")

#: The names of all engines, alphabetically.
names = REGISTRY.names


def engine(name: str) -> type[Engine]:
    """The class of an engine. Raises Unknown."""
    return REGISTRY[name]
