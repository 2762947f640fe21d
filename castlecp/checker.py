"""Is this line an answer? The rules themselves are the genre's `RULES`."""

from __future__ import annotations

from castlecp.errors import sized
from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.grid import Loop


def check(puzzle: Puzzle, line: Loop) -> list[Fault]:
    """Everything wrong with a line, in the order of the genre's rules; empty when it is right.

    Only the line counts: what else a player marked is no part of an answer. Takes time
    proportional to the edges of the line and the clues, up to a logarithm.

    Raises ValueError when the line lies on another lattice than the puzzle's loop.
    """
    if line.lattice != puzzle.lattice:
        other, mine = (sized(on.rows, on.cols) for on in (line.lattice, puzzle.lattice))
        raise ValueError(f"the line is on a lattice {other}, the puzzle on one {mine}")
    return list(puzzle.faults(line))


def misses(puzzle: Puzzle, line: Loop) -> list[Fault]:
    """What keeps a line from being a solution: `check` without the faults of the board itself."""
    return [fault for fault in check(puzzle, line) if fault.about == "line"]
