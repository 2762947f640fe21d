"""How a person solves each genre: one module a genre, found by its file's name.

A module has

    LADDER      pairs of a rule and its rung, easiest first; a rung may have several rules
    FIRST       the hardest rung that an easy board may need
    TRIVIAL     the rules whose findings a person makes without a thought where they lean on one
                clue at most: what they find is told with the step that it follows from
"""

from __future__ import annotations

from typing import Protocol

from castlecp.genres import Puzzle, part_of
from castlecp.registry import Registry

Ladder = tuple[tuple[str, str], ...]


class Climbed(Protocol):
    """What every module here has; see above."""

    LADDER: Ladder
    FIRST: str
    TRIVIAL: tuple[str, ...]


REGISTRY: Registry[Climbed] = Registry.folder("ladder", __name__)


def of(puzzle: Puzzle) -> Ladder:
    """The ladder of a puzzle's genre. Raises Lacking for a genre without one."""
    return part_of(puzzle, REGISTRY, "explain, grade and hint need").LADDER


def trivial(puzzle: Puzzle) -> tuple[str, ...]:
    """The trivial rules of a puzzle's genre. Raises Lacking as `of` does."""
    return part_of(puzzle, REGISTRY, "explain, grade and hint need").TRIVIAL


def first(puzzle: Puzzle) -> str:
    """The hardest rung of an easy board. Raises Lacking as `of` does."""
    return part_of(puzzle, REGISTRY, "explain, grade and hint need").FIRST
