"""How a clue looks, in a few words that every kind of picture understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
FILLS = {"white": "W", "black": "B", "grey": "G"}


@dataclass(frozen=True, slots=True)
class Glyph:
    """A cell's content: a box filled white, black or grey (None: no box), a text, an arrow.

    `arrow` is up, down, left, right or None.
    """

    text: str = ""
    fill: Literal["white", "black", "grey"] | None = None
    arrow: Literal["up", "down", "left", "right"] | None = None

    def __str__(self) -> str:
        """The glyph as plain text: `B12↓`, `G`, `3`."""
        return FILLS.get(self.fill or "", "") + self.text + ARROWS.get(self.arrow or "", "")
