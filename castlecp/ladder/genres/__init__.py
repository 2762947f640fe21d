"""How a person solves each genre: one module a genre, found by its file's name.

A module has LADDER, pairs of a rule and its rung, easiest first; a rung may have several rules.
"""

from __future__ import annotations

from castlecp.genres import Puzzle, part_of
from castlecp.registry import Registry

Ladder = tuple[tuple[str, str], ...]

REGISTRY: Registry[Ladder] = Registry.folder("ladder", __name__, "LADDER")


def of(puzzle: Puzzle) -> Ladder:
    """The ladder of a puzzle's genre. Raises Lacking for a genre without one."""
    return part_of(puzzle, REGISTRY, "explain, grade and hint need")
