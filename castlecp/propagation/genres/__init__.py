"""What the clues of each genre say, as a board: one module a genre, found by its file's name.

A module has

    read(puzzle, parities=True)    the `Reading` of a puzzle; without parities it may leave out
                                   what only the rule `parity` reads
    SEARCH                         the rules of the backtracker's fixpoint
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from castlecp.genres import Puzzle, part_of
from castlecp.propagation.reading import Reading
from castlecp.registry import Registry


class Reader(Protocol):
    """What every module here offers; see above."""

    SEARCH: Sequence[str]

    def read(self, puzzle: Any, parities: bool = True) -> Reading: ...  # noqa: D102


REGISTRY: Registry[Reader] = Registry.folder("reader of clues", __name__)


def of(puzzle: Puzzle) -> Reader:
    """The module of a puzzle's genre. Raises Lacking for a genre without one."""
    return part_of(puzzle, REGISTRY, "backtrack, explain, grade and hint need")
