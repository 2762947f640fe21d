"""What clues say, in the checker's words: one module a genre, found by the name of its file.

A module has

    clauses(puzzle, base, new)        what the clues say, as clauses over the variables of
                                       `castlecp.certify.clauses.Base`; new() is a new helper
    broken(puzzle, edges, inside)      the clues that a loop breaks, each with the reason; None for
                                       what no clue says

and shares nothing with the genre's model: both were written from the rules of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import Never, Protocol, TypeVar, cast

from castlecp.certify.clauses import Base
from castlecp.clues import Clue
from castlecp.genres import Puzzle, part_of
from castlecp.grid import Edge, Face
from castlecp.registry import Registry

P = TypeVar("P", bound=Puzzle)
P_contra = TypeVar("P_contra", bound=Puzzle, contravariant=True)


class Rules(Protocol[P_contra]):
    """What every module here offers; see above."""

    def clauses(  # noqa: D102
        self, puzzle: P_contra, base: Base, new: Callable[[], int]
    ) -> Iterator[tuple[int, ...]]: ...

    def broken(  # noqa: D102
        self, puzzle: P_contra, edges: Set[Edge], inside: Set[Face]
    ) -> Iterator[tuple[Clue | None, str]]: ...


#: Rules take the puzzles of their genre alone; `of` finds those that fit.
REGISTRY: Registry[Rules[Never]] = Registry.folder("rules of certificates", __name__)

#: The ids of the genres that have rules here, alphabetically.
names = REGISTRY.names


def of(puzzle: P) -> Rules[P]:
    """The module of a puzzle's genre. Raises Lacking for a genre without one."""
    return cast(Rules[P], part_of(puzzle, REGISTRY, "certify and verify need"))
