"""How a clue looks, in a few words that every kind of picture understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
FILLS = {"white": "W", "black": "B", "grey": "G"}
CIRCLES = {"white": "○", "black": "●", "grey": "◍"}


@dataclass(frozen=True, slots=True)
class Glyph:
    """A cell's content: a shape filled white, black or grey (None: no shape), a text, an arrow.

    `arrow` is up, down, left, right or None. A loop may run through a circle, which is white or
    black and has neither text nor arrow. `tag` is what the cell is called, and no part of a clue.
    """

    text: str = ""
    fill: Literal["white", "black", "grey"] | None = None
    arrow: Literal["up", "down", "left", "right"] | None = None
    shape: Literal["box", "circle"] = "box"
    tag: str = ""

    def __str__(self) -> str:
        """The glyph as plain text: `B12↓`, `G`, `3`, `○`, `2(a)`."""
        if self.shape == "circle":
            return CIRCLES[self.fill or "white"]
        clue = FILLS.get(self.fill or "", "") + self.text + ARROWS.get(self.arrow or "", "")
        return f"{clue}({self.tag})" if self.tag else clue
