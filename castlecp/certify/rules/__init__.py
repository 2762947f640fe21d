"""What clues say, in the checker's words: one module a genre, found by the name of its file.

A module has

    clauses(puzzle, board, new)        what the clues say, as clauses over the variables of
                                       `castlecp.certify.clauses.Board`; new() is a new helper
    broken(puzzle, edges, inside)      the clues that a loop breaks, each with the reason

and shares nothing with the genre's model: both were written from the rules of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import Any, Protocol

from castlecp.certify.clauses import Board
from castlecp.genres import Puzzle, part_of
from castlecp.grid import Edge, Face
from castlecp.registry import Registry


class Rules(Protocol):
    """What every module here offers; see above."""

    def clauses(  # noqa: D102
        self, puzzle: Any, board: Board, new: Callable[[], int]
    ) -> Iterator[tuple[int, ...]]: ...

    def broken(  # noqa: D102
        self, puzzle: Any, edges: Set[Edge], inside: Set[Face]
    ) -> Iterator[tuple[Any, str]]: ...


REGISTRY: Registry[Rules] = Registry.folder("rules of certificates", __name__)

#: The ids of the genres that have rules here, alphabetically.
names = REGISTRY.names


def of(puzzle: Puzzle) -> Rules:
    """The module of a puzzle's genre. Raises Lacking for a genre without one."""
    return part_of(puzzle, REGISTRY, "certify and verify need")
