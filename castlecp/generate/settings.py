"""What is asked of a board."""

from __future__ import annotations

from random import Random

import msgspec

from castlecp.errors import CastlecpError
from castlecp.generate.difficulty import BANDS, Band, rungs
from castlecp.generate.layout import Cell, Layout, drawn, fits, orbits
from castlecp.generate.loops import SOURCES
from castlecp.genres import Puzzle, genre
from castlecp.nouns import plural
from castlecp.registry import Registry
from castlecp.shape import Checked

#: Tries with a symmetry that nobody asked for.
PATIENCE = 12


class Settings(Checked, frozen=True, kw_only=True):
    """What is asked of a board. Raises CastlecpError for what no board could have.

    Of a `minimal` board no clue, and of a symmetric one no group of clues, can be taken away.
    """

    genre: str
    rows: int
    cols: int
    difficulty: str = "normal"
    source: str = "shaped"
    max_rung: str | None = None
    min_rung: str | None = None
    max_steps: int | None = None
    min_clues: int = 0
    max_clues: int | None = None
    minimal: bool = False
    symmetry: Layout = "auto"
    pattern: tuple[Cell, ...] | None = None
    no_zero: bool = False
    loop_share: float | None = None
    zeros: float | None = None
    white: float | None = None
    min_distance: int = 1

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
        for name in ("loop_share", "zeros", "white"):
            share = getattr(self, name)
            if share is not None and not 0 <= share <= 1:
                raise CastlecpError(f"`{name}` is {share:g}; it is a share, from 0 to 1")
        if self.min_distance < 1:
            raise CastlecpError(f"clues cannot be {plural(self.min_distance, 'step')} apart")
        blank = self.blank()
        if self.white is not None and blank.TASTE.white is None:
            raise CastlecpError(f"clues of {blank.TITLE} have no colour")
        if not fits(self.symmetry, self.rows, self.cols):
            raise CastlecpError(f"`{self.symmetry}` needs as many rows as columns")
        if self.pattern is not None:
            msgspec.structs.force_setattr(self, "pattern", tuple(sorted(set(self.pattern))))
            if not all(0 <= r < self.rows and 0 <= c < self.cols for r, c in self.pattern):
                raise CastlecpError("the pattern has a cell off the board")
            cells = sum(map(len, orbits(self.pattern, self.layout(0, 1), self.rows, self.cols)))
            if cells < len(self.pattern):
                raise CastlecpError("the pattern does not have the symmetry asked for")

    def seed(self, seed: int, tries: int) -> str:
        """What a source of randomness starts from: all that differs from the defaults."""
        told = msgspec.to_builtins(self)
        defaults = {f.name: f.default for f in msgspec.structs.fields(self)}
        asked = {name: value for name, value in told.items() if value != defaults[name]}
        return msgspec.json.encode([asked, seed, tries]).decode()

    def layout(self, seed: int, tries: int) -> Layout:
        """What the symmetry is for a try at a seed; after some, "auto" is none.

        Nor is it any where the clues' places are settled otherwise, by a pattern or by what is
        least.
        """
        if self.symmetry != "auto":
            return self.symmetry
        if self.pattern is not None or self.minimal or tries > PATIENCE:
            return "none"
        random = Random(f"layout {seed}")
        return drawn(random, self.blank().TASTE.symmetric, self.rows, self.cols)

    @property
    def band(self) -> Band:
        """What the difficulty means."""
        return BANDS[self.difficulty]

    def blank(self) -> Puzzle:
        """The board without clues."""
        puzzle: Puzzle = genre(self.genre).PUZZLE(self.rows, self.cols)
        return puzzle
