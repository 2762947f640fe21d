"""What a genre reads: a board, and what it calls the parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from castlecp.clues import Clue
from castlecp.grid import Lattice
from castlecp.propagation.board import Board

Cells = Literal["vertices", "faces"]


@dataclass(frozen=True)
class Said:
    """What clues ask of a part of the board, as words.

    Of a table what its edges do, to stand after "no way"; of a visit count what it counts
    in, to stand before "needs"; of a row where it lies. Without clues it is a rule of the game
    that says it.
    """

    clues: tuple[Clue, ...]
    words: str


@dataclass(frozen=True)
class Reading:
    """What a genre's clues say, and which clue says it.

    `clues` are those that say something, `tellers[k]` the ones behind the k-th count or sight,
    `givers[k]` is the one behind the k-th given. `claims[k]` are words for the k-th claim,
    `rows[k]`, `tables[k]` and `visits[k]` for the k-th row, table and visit count, and `sides` are
    words for outside and inside. `counted[k]` are words for a k-th count that no clue says, but the
    rules, to stand before "has 2 edges". `cells` says what row and column mean to a person, who
    counts them from 1.
    """

    lattice: Lattice
    board: Board
    tellers: Sequence[tuple[Clue, ...]]
    clues: Sequence[Clue]
    cells: Cells
    givers: Sequence[Clue] = field(default_factory=list)
    rows: list[Said] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    tables: list[Said] = field(default_factory=list)
    visits: list[Said] = field(default_factory=list)
    sides: tuple[str, str] = ("outside", "inside")
    counted: dict[int, str] = field(default_factory=dict)

    @cached_property
    def says(self) -> dict[tuple[int, int], str]:
        """The words of the clue in a cell."""
        return {(clue.row, clue.col): clue.says() for clue in self.clues}


def side_of_line(line: int, lines: int, before: str, after: str) -> str:
    """On which side of a line its hair-wide shift lies: after it, except after the last one."""
    return after if line < lines - 1 else before
