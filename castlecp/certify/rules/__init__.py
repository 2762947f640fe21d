"""What clues say, in the checker's words: one module a genre, found by the name of its file.

A module has

    clauses(puzzle, board, new)        what the clues say, as clauses over the variables of
                                       `castlecp.certify.statement.Board`; new() is a new helper
    broken(puzzle, edges, inside)      the clues that a loop breaks, each with the reason

and shares nothing with the genre's model: both were written from the rules of the game.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Set
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face

if TYPE_CHECKING:
    from castlecp.certify.statement import Board


class Rules(Protocol):
    """What every module here offers; see above."""

    def clauses(  # noqa: D102
        self, puzzle: Any, board: Board, new: Callable[[], int]
    ) -> Iterator[tuple[int, ...]]: ...

    def broken(  # noqa: D102
        self, puzzle: Any, edges: Set[Edge], inside: Set[Face]
    ) -> Iterator[tuple[Any, str]]: ...


@cache
def names() -> tuple[str, ...]:
    """The ids of the genres that have rules here, alphabetically."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def of(puzzle: Puzzle) -> Rules:
    """The module of a puzzle's genre. Raises KeyError for a genre without one."""
    name = str(puzzle.__struct_config__.tag)
    if name not in names():
        raise KeyError(name)
    return cast(Rules, import_module(f"{__name__}.{name}"))
