"""A climb of one board: by the kernels as plain Python where that is quicker, or compiled."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from castlecp.genres import Puzzle
from castlecp.kernels import compiled
from castlecp.ladder.climbing import STUCK, climb
from castlecp.ladder.rules import RECORDS, bit, bounded
from castlecp.propagation import genre
from castlecp.propagation.arrays import arrays
from castlecp.propagation.board import Board
from castlecp.propagation.reading import Reading
from castlecp.propagation.state import LEFT, OPEN, blank

# One board is climbed by the kernels as plain Python, which is done before a compiler would be
# loaded (one to two seconds), unless one of these is exceeded.
#: The number of vertices.
PLAIN_VERTICES = 150
#: The number of edges that are open when the rules dearer than single probes begin.
PLAIN_OPEN = 120

#: More steps and assumptions than any climb has.
NO_LIMIT = 1 << 40


class Entry(NamedTuple):
    """A step as the kernel logs it: see `climb`; without literals it is a conflict."""

    rule: str
    place: int
    detail: int
    literals: list[int]


def ladder_of(puzzle: Puzzle) -> tuple[tuple[str, str], ...]:
    """The ladder of the puzzle's genre: (rule, rung), easiest first."""
    name = type(puzzle).__struct_config__.tag
    table: tuple[tuple[str, str], ...] = import_module(f"castlecp.ladder.genres.{name}").LADDER
    return table


class Climber:
    """A climb of one board by rules, easiest first; None for the genre's whole ladder.

    Raises ValueError for a rule that is not on the ladder.
    """

    def __init__(self, puzzle: Puzzle, rules: Sequence[str] | None) -> None:
        self.rungs = dict(ladder_of(puzzle))
        self.rules = list(self.rungs) if rules is None else list(rules)
        self.reading: Reading = genre(puzzle).read(puzzle)

    def run(
        self, known: Sequence[int] = (), assumptions: int = NO_LIMIT
    ) -> tuple[int, list[Entry]]:
        """How the climb ended, and its log as (rule, place, detail, literals)."""
        board = self.reading.board
        known = [*board.given, *known]
        if len(board.passed) > PLAIN_VERTICES or "numba" in sys.modules:
            return self._compiled(known, assumptions)
        easy = [rule for rule in self.rules if not bounded(rule)]
        state, log = blank(board), log_of(board)
        state.n[LEFT] = assumptions
        end = climb(board, state, known, list(map(bit, easy)), NO_LIMIT, log)
        entries = entries_of(log)
        if end == STUCK and easy != self.rules:
            if state.n[OPEN] > PLAIN_OPEN:
                return self._compiled(known, assumptions)
            end = climb(board, state, [], list(map(bit, self.rules)), NO_LIMIT, log)
            entries += entries_of(log)
        return end, entries

    def _compiled(self, known: list[int], assumptions: int) -> tuple[int, list[Entry]]:
        import numpy

        board, state = arrays(self.reading.board)
        state.n[LEFT] = assumptions
        start, rules, log = (
            numpy.array(numbers, numpy.int64)
            for numbers in (known, list(map(bit, self.rules)), log_of(self.reading.board))
        )
        end = compiled(climb)(board, state, start, rules, NO_LIMIT, log)
        return end, entries_of(log.tolist())


def log_of(board: Board) -> list[int]:
    """Room for the log of any climb: see `climb`."""
    return [0] * (5 * (len(board.ends) // 2 + 2 * (board.outer + 1)) + 8)


def entries_of(log: Sequence[int]) -> list[Entry]:
    """The log of a climb, entry by entry."""
    names = {bit(name): name for name in RECORDS}
    out, at = [], 1
    while at < log[0]:
        rule, place, detail, size = log[at : at + 4]
        out.append(Entry(names[rule], place, detail, list(log[at + 4 : at + 4 + size])))
        at += 4 + size
    return out
