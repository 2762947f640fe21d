"""A second opinion: complete search on the propagation of the human ladder.

Shares the puzzle and the lattice with the engines, and nothing else: no model, no cuts, no
solver. A node of the search settles all that follows by the rules in use, then, where the
search is stuck, probes every open edge, and then assumes an edge both ways. The edge is the
one in whose neighbourhood contradictions have been most frequent (after Boussemart and others
2004, "dom/wdeg") or, once probing, the one whose two values settle most. Nothing is random and
no clock is read: the same board and budget give the same result on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from castlecp.budget import Budget
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.kernels import compiled
from castlecp.propagation import genres as readers
from castlecp.propagation.bits import bits
from castlecp.propagation.board import grid_of
from castlecp.propagation.buffers import rooms
from castlecp.propagation.search import ENDED, FOUND, LEVEL, NODES, search
from castlecp.propagation.state import LEFT, MORE, STOP, UNKNOWN, blank
from castlecp.propagation.trail import undo

#: Probing begins after this many nodes without an answer: easy boards are done before, and on
#: hard ones probes save a hundred times the nodes at fifty times the cost.
PATIENCE = 100

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
    after `patience` nodes without an answer, and when there is none yet the search begins again
    with it: 0 probes at every node, None at none. Takes exponential time at worst.

    Raises ValueError when `limit` is less than 1, Unknown for the name of no rule.
    """
    if limit is not None and limit < 1:
        raise ValueError("limit must be at least 1")
    budget = budget or Budget()
    loops: list[Loop] = []
    try:
        hunt = _Hunt(puzzle, rules, patience, budget)
    except OutOfBudget:
        return Backtrack((), "budget", 0)
    try:
        for loop in hunt.loops(budget):
            loops.append(loop)
            if len(loops) == limit:
                return Backtrack(tuple(loops), "limit", hunt.nodes)
    except OutOfBudget:
        return Backtrack(tuple(loops), "budget", hunt.nodes)
    return Backtrack(tuple(loops), "exact", hunt.nodes)


@dataclass(frozen=True)
class Look:
    """What the first nodes of a search found.

    `exact` says that the loops are all there are. Otherwise `edges` (in the order of
    `Lattice.edges`) and `sides` (of the faces, row by row) hold what is so in every other loop: 1
    on or inside, 0 off or outside, -1 not known.
    """

    loops: tuple[Loop, ...]
    exact: bool
    edges: Sequence[int] = ()
    sides: Sequence[int] = ()


class Glance(NamedTuple):
    """How much a `look` may take: so many `nodes` without probes, then `probed` nodes with them.

    After `tried` probes that settle nothing there are no more; else there are `more`.
    """

    nodes: int
    probed: int
    tried: int
    more: int


def look(puzzle: Puzzle, limit: int, glance: Glance, budget: Budget) -> Look:
    """The loops that a few nodes find, up to `limit`, and what is settled for all others.

    Raises Lacking for a genre without rules, OutOfBudget when the seconds end before the search
    begins, and TooLarge.
    """
    hunt = _Hunt(puzzle, None, glance.nodes, budget)
    hunt.state.n[LEFT], hunt.state.n[MORE] = glance.tried, glance.more
    few = Budget(steps=glance.nodes + glance.probed, parent=budget)
    loops: list[Loop] = []
    try:
        for loop in hunt.loops(few):
            loops.append(loop)
            if len(loops) == limit:
                return Look(tuple(loops), False)
    except OutOfBudget:
        if budget.seconds_left() == 0:
            return Look(tuple(loops), False)
        return Look(tuple(loops), False, *hunt.settled())
    return Look(tuple(loops), True)


class _Hunt:
    """A search that can be paused."""

    def __init__(
        self,
        puzzle: Puzzle,
        rules: Iterable[str] | None,
        patience: int | None,
        budget: Budget,
    ) -> None:
        # What takes longest; the genre's reader finds it made.
        grid_of(puzzle.lattice, budget)
        reader = readers.of(puzzle)
        used = set(reader.SEARCH if rules is None else rules)
        budget.look()
        reading = reader.read(puzzle, parities="parity" in used)
        self.lattice = puzzle.lattice
        # The rule `loop` relies on the bookkeeping of pieces of line, and that on `degree`.
        if "loop" in used or not reading.board.by_faces:
            used.add("degree")
        self.rules = bits(used)
        self.patience = -1 if patience is None else patience
        budget.look()
        # The numbers of `run`, then the stack and the heat.
        self.board, self.state = reading.board, blank(reading.board)
        edges = len(self.state.edge)
        self.run, *self.stack = rooms(8, edges, edges, edges)

    @property
    def nodes(self) -> int:
        """Nodes so far."""
        return int(self.run[NODES])

    def _stop(self) -> None:
        self.state.n[STOP] = 1

    def settled(self) -> tuple[Sequence[int], Sequence[int]]:
        """What no choice of the search was needed for; the search is not to go on.

        Edges and faces, 1 on or inside, 0 off or outside, -1 not settled. It is so in every loop
        that was not found yet.
        """
        state, marks = self.state, self.stack[0]
        if self.run[LEVEL] > 0:
            compiled(undo)(self.board, state, marks[0])
        outer = self.board.outer
        sides = zip(state.root[:outer], state.tint[:outer], strict=True)
        return list(state.edge), [tint if root == outer else UNKNOWN for root, tint in sides]

    def loops(self, budget: Budget) -> Iterator[Loop]:
        """The loops, one by one. Raises OutOfBudget when there may be more."""
        while True:
            before = self.nodes
            most = before + budget.slice(SLICE)
            step = compiled(search)
            how = self.rules, self.patience, most
            with budget.stopping(self._stop):
                end = step(*how, self.board, self.state, self.run, *self.stack)
            budget.spend(self.nodes - before)
            if self.state.n[STOP]:
                raise budget.over()
            if end == ENDED:
                return
            if end == FOUND:
                yield Loop.marked(self.lattice, self.state.edge)
