"""A second opinion: complete search on the propagation of the human ladder.

Shares the puzzle and the lattice with the engines, and nothing else: no model, no cuts, no
solver. A node of the search settles all that follows by the rules in use, then, where the
search is stuck, probes every open edge, and then assumes an edge both ways. The edge is the
one in whose neighbourhood contradictions have been most frequent (after Boussemart and others
2004, "dom/wdeg") or, once probing, the one whose two values settle most. Nothing is random and
no clock is read: the same board and budget give the same result on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Literal

from castlecp.budget import Budget
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Loop
from castlecp.kernels import compiled
from castlecp.propagation import genre
from castlecp.propagation.arrays import arrays, packed_arrays
from castlecp.propagation.board import Array, Board
from castlecp.propagation.rules import bits
from castlecp.propagation.search import ENDED, FOUND, NODES, search
from castlecp.propagation.state import State, blank

#: Probing begins after this many nodes without an answer: easy boards are done before, and on
#: hard ones probes save a hundred times the nodes at fifty times the cost.
PATIENCE = 100

# Small searches are over before a compiler would be loaded (one to two seconds): unless it is
# there already, a search begins with so many nodes of the kernels as plain Python, on boards of
# at most so many vertices.
PLAIN_NODES, PLAIN_VERTICES = 60, 150

#: Nodes between two looks at the budget, and at Ctrl-C.
SLICE = 500


@dataclass(frozen=True)
class Backtrack:
    """What the search found: loops in the order of finding, and how it ended.

    `ended` is "exact" when these are all the loops there are, "limit" when as many as were
    asked for were found and there may be more, "budget" when the nodes ran out.
    """

    loops: tuple[Loop, ...]
    ended: Literal["exact", "limit", "budget"]
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether these are all the loops there are."""
        return self.ended == "exact"


def backtrack(
    puzzle: Puzzle,
    limit: int | None = 2,
    budget: Budget | None = None,
    rules: Iterable[str] | None = None,
    patience: int | None = PATIENCE,
) -> Backtrack:
    """The loops of a puzzle, up to `limit` (None for all), within a budget whose steps are nodes.

    `rules` are those of the fixpoint, names of `castlecp.propagation.rules`, None for the genre's
    SEARCH; every set of them gives the same loops, a smaller one takes more nodes. Probing begins
    after
    `patience` nodes without an answer, and when there is none yet the search begins again with
    it: 0 probes at every node, None at none. Takes exponential time at worst.

    Raises ValueError when `limit` is less than 1, or a rule is unknown.
    """
    if limit is not None and limit < 1:
        raise ValueError("limit must be at least 1")
    hunt = _Hunt(puzzle, rules, patience)
    loops = []
    try:
        for loop in hunt.loops(budget or Budget()):
            loops.append(loop)
            if len(loops) == limit:
                return Backtrack(tuple(loops), "limit", hunt.nodes)
    except OutOfBudget:
        return Backtrack(tuple(loops), "budget", hunt.nodes)
    return Backtrack(tuple(loops), "exact", hunt.nodes)


class _Hunt:
    """A search that can be paused."""

    def __init__(self, puzzle: Puzzle, rules: Iterable[str] | None, patience: int | None) -> None:
        reader = genre(puzzle)
        used = set(reader.SEARCH if rules is None else rules)
        reading = reader.read(puzzle, parities="parity" in used)
        self.lattice = puzzle.lattice
        # The rule `loop` relies on the bookkeeping of pieces of line, and that on `degree`.
        if "loop" in used or not reading.board.by_faces:
            used.add("degree")
        self.rules = bits(used)
        self.patience = -1 if patience is None else patience
        vertices, edges = len(reading.board.passed), len(self.lattice.edges)
        self.plain = "numba" not in sys.modules and vertices <= PLAIN_VERTICES
        board, state = (
            (reading.board, blank(reading.board)) if self.plain else arrays(reading.board)
        )
        # The numbers of `run`, then the stack and the heat.
        sizes = (8, edges, edges, edges)
        self.data = (board, state, *(self._zeros(size) for size in sizes))

    def _zeros(self, size: int) -> Array:
        if self.plain:
            return [0] * size
        import numpy

        return numpy.zeros(size, numpy.int64)

    @property
    def nodes(self) -> int:
        """Nodes so far."""
        return int(self.data[2][NODES])

    def loops(self, budget: Budget) -> Iterator[Loop]:
        """The loops, one by one. Raises OutOfBudget when there may be more."""
        edges = self.lattice.edges
        while True:
            before = self.nodes
            if self.plain and before >= PLAIN_NODES:
                self._leave_plain()
            slice_ = budget.slice(PLAIN_NODES - before if self.plain else SLICE)
            step = search if self.plain else compiled(search)
            end = step(self.rules, self.patience, before + slice_, *self.data)
            budget.spend(self.nodes - before)
            if end == ENDED:
                return
            if end == FOUND:
                edge = self.data[1].edge
                values = edge if self.plain else edge.tolist()
                on: frozenset[Edge] = frozenset(compress(edges, values))
                yield Loop(self.lattice, on)

    def _leave_plain(self) -> None:
        """Go on with the same numbers in arrays, for the compiled kernels."""
        board, state, *rest = self.data
        made = Board(*packed_arrays(board)), State(*packed_arrays(state))
        self.data, self.plain = (*made, *packed_arrays(rest)), False
