"""What is asked of a board."""

from __future__ import annotations

import msgspec

from castlecp.errors import CastlecpError
from castlecp.generate.difficulty import BANDS, Band, rungs
from castlecp.generate.layout import Cell, Layout, orbits
from castlecp.generate.loops import SOURCES
from castlecp.genres import Puzzle, genre
from castlecp.nouns import plural
from castlecp.registry import Registry
from castlecp.shape import Checked


class Settings(Checked, frozen=True, kw_only=True):
    """What is asked of a board. Raises CastlecpError for what no board could have.

    Of a `minimal` board no clue, and of a symmetric one no group of clues, can be taken away.
    """

    genre: str
    rows: int
    cols: int
    difficulty: str = "normal"
    source: str = "tilted"
    max_rung: str | None = None
    min_rung: str | None = None
    max_steps: int | None = None
    min_clues: int = 0
    max_clues: int | None = None
    minimal: bool = False
    symmetry: Layout = "none"
    pattern: tuple[Cell, ...] | None = None
    no_zero: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        # Looking up a name that nothing has is an error with those there are.
        BANDS[self.difficulty]
        SOURCES[self.source]
        if self.max_rung or self.min_rung:
            order = rungs(self.blank())
            known = Registry.table("rung", dict.fromkeys(order))
            for rung in filter(None, (self.max_rung, self.min_rung)):
                known[rung]
            ends = [order.index(rung) for rung in (self.min_rung, self.max_rung) if rung]
            if ends != sorted(ends):
                raise CastlecpError(f"`{self.min_rung}` is harder than `{self.max_rung}`")
        if self.max_steps is not None and self.max_steps < 0:
            raise CastlecpError(f"a person cannot take {plural(self.max_steps, 'step')}")
        if self.min_clues < 0:
            raise CastlecpError(f"a board cannot have {plural(self.min_clues, 'clue')}")
        if self.max_clues is not None and self.max_clues < self.min_clues:
            verb = "is" if self.min_clues == 1 else "are"
            least = plural(self.min_clues, "clue")
            raise CastlecpError(f"{least} {verb} more than {self.max_clues}")
        if self.minimal and (self.min_clues or self.pattern is not None):
            raise CastlecpError("a minimal board has the clues it needs: ask for no others")
        self.blank()
        if self.pattern is not None:
            msgspec.structs.force_setattr(self, "pattern", tuple(sorted(set(self.pattern))))
            if not all(0 <= r < self.rows and 0 <= c < self.cols for r, c in self.pattern):
                raise CastlecpError("the pattern has a cell off the board")
            cells = sum(map(len, orbits(self.pattern, self.symmetry, self.rows, self.cols)))
            if cells < len(self.pattern):
                raise CastlecpError("the pattern does not have the symmetry asked for")

    def seed(self, seed: int, tries: int) -> str:
        """What a source of randomness starts from: all that differs from the defaults."""
        told = msgspec.to_builtins(self)
        defaults = {f.name: f.default for f in msgspec.structs.fields(self)}
        asked = {name: value for name, value in told.items() if value != defaults[name]}
        return msgspec.json.encode([asked, seed, tries]).decode()

    @property
    def band(self) -> Band:
        """What the difficulty means."""
        return BANDS[self.difficulty]

    def blank(self) -> Puzzle:
        """The board without clues."""
        puzzle: Puzzle = genre(self.genre).PUZZLE(self.rows, self.cols)
        return puzzle
