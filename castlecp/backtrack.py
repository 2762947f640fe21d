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
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import compress
from typing import Literal

from castlecp.budget import Budget
from castlecp.deduce.arrays import arrays, packed_arrays
from castlecp.deduce.assume import choices as things
from castlecp.deduce.assume import is_open, literal_of, probe_all
from castlecp.deduce.board import OPEN, RUNGS, TRAIL, Array, Board, State, blank
from castlecp.deduce.counts import counts
from castlecp.deduce.faces import sides
from castlecp.deduce.line import degree, is_loop
from castlecp.deduce.propagate import propagate, wake
from castlecp.deduce.sights import sees
from castlecp.deduce.state import DEGREE, LOOP, PARITY, tell, undo
from castlecp.deduce.statements import false_claims
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Loop
from castlecp.kernels import compiled

#: Probing begins after this many nodes without an answer: easy boards are done before, and on
#: hard ones probes save a hundred times the nodes at fifty times the cost.
PATIENCE = 100

# Small searches are over before a compiler would be loaded (one to two seconds): unless it is
# there already, a search begins with so many nodes of the kernels as plain Python, on boards of
# at most so many vertices.
PLAIN_NODES, PLAIN_VERTICES = 60, 150

#: Nodes between two looks at the budget, and at Ctrl-C.
SLICE = 500

# What `run` holds.
LEVEL, NODES, SINCE, ALIVE, STARTED, ANSWERS = range(6)
# How `search` ends.
ENDED, FOUND, PAUSED = range(3)


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
    rules: int | None = None,
    patience: int | None = PATIENCE,
) -> Backtrack:
    """The loops of a puzzle, up to `limit` (None for all), within a budget whose steps are nodes.

    `rules` are those of the fixpoint (see `castlecp.deduce.state`), None for the genre's SEARCH;
    every set of them gives the same loops, a smaller one takes more nodes. Probing begins after
    `patience` nodes without an answer, and when there is none yet the search begins again with
    it: 0 probes at every node, None at none. Takes exponential time at worst.

    Raises ValueError when `limit` is less than 1.
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

    def __init__(self, puzzle: Puzzle, rules: int | None, patience: int | None) -> None:
        genre = import_module(f"castlecp.deduce.{type(puzzle).__struct_config__.tag}")
        rules = genre.SEARCH if rules is None else rules
        reading = genre.read(puzzle, parities=bool(rules & PARITY))
        self.lattice = puzzle.lattice
        # LOOP relies on the bookkeeping of pieces of line, and that on DEGREE.
        self.rules = rules | DEGREE if rules & LOOP or not reading.board.by_faces else rules
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


def search(
    rules: int,
    patience: int,
    most: int,
    board: Board,
    state: State,
    run: Array,
    marks: Array,
    choices: Array,
    heat: Array,
) -> int:
    """Go on until the next answer (FOUND, left in `state`), the end, or node `most` (PAUSED).

    `marks` and `choices` are the stack: the trail before each assumption, and the assumption.
    Where an assumption has failed its opposite belongs to the level below.
    """
    n = state.n
    n[RUNGS] = rules
    level, nodes, since = run[LEVEL], run[NODES], run[SINCE]
    alive = run[ALIVE] == 1
    if run[STARTED] == 0:
        run[STARTED] = 1
        alive = True
        for i in range(len(board.given)):
            alive = alive and tell(board, state, board.given[i])
        alive = alive and wake(board, state)
    end = PAUSED
    while nodes < most:
        if run[STARTED] == 1:
            nodes += 1
            since += 1
            probing = 0 <= patience <= since - 1
            if since - 1 == patience and level > 0 and run[ANSWERS] == 0:
                # From here on choices are made with more care: make them all again.
                undo(board, state, marks[0])
                level, alive = 0, True
                for e in range(len(heat)):
                    heat[e] = 0
            alive = alive and propagate(board, state)
            if probing and alive and n[OPEN] > 0:
                alive = probe_all(board, state, rules, state.inner, state.gain)
            if alive and n[OPEN] == 0 and is_answer(board, state):
                run[STARTED] = 2  # come back here and search on
                run[ANSWERS] += 1
                since = 0
                end = FOUND
                break
            if alive and n[OPEN] > 0:
                literal = choose(board, state, heat, probing)
                marks[level], choices[level] = n[TRAIL], literal
                level += 1
                tell(board, state, literal)
                continue
            if level > 0:
                for t in range(marks[level - 1], n[TRAIL]):
                    if state.trail[t] >= 0:
                        heat[state.trail[t] >> 1] += 1
        run[STARTED] = 1
        if level == 0:
            end = ENDED
            break
        level -= 1
        undo(board, state, marks[level])
        alive = tell(board, state, choices[level] ^ 1)
    run[LEVEL], run[NODES], run[SINCE], run[ALIVE] = level, nodes, since, 1 if alive else 0
    return end


def choose(board: Board, state: State, heat: Array, probing: bool) -> int:
    """The literal to assume: of the edge with most heat at an end of the line, as on.

    On a board `by_faces`, of the face with most heat and known neighbours, as inside. With
    probing, of the edge or face for which the product of what its two values settle, times its
    heat, is greatest.
    """
    best = -1
    most = -1
    for k in range(things(board, state)):
        if not is_open(board, state, k):
            continue
        if board.by_faces:
            warm = near = 0
            for i in range(board.rim_at[k], board.rim_at[k + 1]):
                e = board.rim[i]
                warm += heat[e]
                f = board.beside[2 * e] + board.beside[2 * e + 1] - k
                near += state.root[f] == board.outer
        else:
            warm = heat[k]
            a, b = board.ends[2 * k], board.ends[2 * k + 1]
            ends, free = state.on_at[a] + state.on_at[b], state.open_at[a] + state.open_at[b]
            near = 10 * ends + 8 - free
        if probing:
            score = state.gain[2 * k] * state.gain[2 * k + 1] * (20 + warm)
        else:
            score = warm + 100 * near
        if score > most:
            best, most = k, score
    return literal_of(board, state, 2 * best + 1)


def is_answer(board: Board, state: State) -> bool:
    """Whether a state with every edge settled is an answer, by the definitions alone."""
    before = state.n[RUNGS]
    state.n[RUNGS] = 0
    right = (
        degree(board, state)
        and counts(board, state)
        and is_loop(board, state)
        and sides(board, state)
        and false_claims(board, state) == board.lies
    )
    for k in range(len(board.sight)):
        seen = sees(board, state, board.sight[k])
        right = right and seen > 0 and (board.seen[k] < 0 or board.seen[k] == seen)
    state.n[RUNGS] = before
    return right
