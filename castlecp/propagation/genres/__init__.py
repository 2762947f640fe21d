"""What the clues of each genre say, as a board: one module a genre, found by its file's name.

A module has

    read(puzzle, parities=True)    the `Reading` of a puzzle; without parities it may leave out
                                   what only the rule `parity` reads
    SEARCH                         the rules of the backtracker's fixpoint
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Never, Protocol, TypeVar, cast

from castlecp.genres import Puzzle, part_of
from castlecp.propagation.reading import Reading
from castlecp.registry import Registry

P = TypeVar("P", bound=Puzzle)
P_contra = TypeVar("P_contra", bound=Puzzle, contravariant=True)


class Reader(Protocol[P_contra]):
    """What every module here offers; see above."""

    SEARCH: Sequence[str]

    def read(self, puzzle: P_contra, parities: bool = True) -> Reading: ...  # noqa: D102


#: A reader takes the puzzles of its genre alone; `of` finds the one that fits.
REGISTRY: Registry[Reader[Never]] = Registry.folder("reader of clues", __name__)


def of(puzzle: P) -> Reader[P]:
    """The module of a puzzle's genre. Raises Lacking for a genre without one."""
    return cast(Reader[P], part_of(puzzle, REGISTRY, "backtrack, explain, grade and hint need"))
