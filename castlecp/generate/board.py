"""From a seed to a board: a loop, every true clue about it, then levers, then the gate.

A board is the same for the same settings and seed, on every machine and whoever else is at work:
it has a solver and a source of randomness of its own, is decided on proofs alone, and its budget
counts steps, never seconds. What does not fit is drawn again, with the next number of the seed,
and counted by the reason.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from random import Random
from typing import Any

import msgspec

from castlecp import __version__
from castlecp.budget import Budget
from castlecp.errors import CastlecpError, Disagreement, OutOfBudget
from castlecp.generate.dials import Dials
from castlecp.generate.difficulty import Measures, nodes
from castlecp.generate.gate import fitting
from castlecp.generate.layout import Layout
from castlecp.generate.levers import turned
from castlecp.generate.reasons import NotThisLoop
from castlecp.generate.settings import Settings
from castlecp.generate.telling import flat, told
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.nouns import plural
from castlecp.session import Live
from castlecp.solver import solve
from castlecp.verdict import Status

#: Loops drawn for one board before it is given up: at most so many, and fewer of many cells.
TRIES, CELLS = 400, 20_000
#: So many tries that all failed for one reason are enough.
HOPELESS = 100
#: Conflicts of solvers for one board before it is given up.
STEPS = 2_000_000


class Made(msgspec.Struct, frozen=True, tag_field="format", tag="castlecp-board-1"):
    """A board as a bank keeps it."""

    id: str
    seed: int
    settings: Settings
    version: str
    puzzle: Puzzle
    solution: dict[str, Any] | None
    status: str
    grade: Measures
    nodes: int | None
    tries: int


class GivenUp(CastlecpError):
    """No board was found; the message has the reasons, the most frequent first."""


def make(
    settings: Settings,
    seed: int,
    time: Budget | None = None,
    *,
    steps: int | None = None,
    with_nodes: bool = True,
) -> Made:
    """The board of a seed; `with_nodes` says whether the backtracker is to count its nodes.

    `time` is a budget whose steps are tries; of `steps`, conflicts of solvers, a board has STEPS
    unless told otherwise. Raises GivenUp, CastlecpError when there can be none,
    and OutOfBudget.
    """
    reasons: Counter[str] = Counter()
    time = time or Budget()
    budget = time.aside(STEPS if steps is None else steps)
    tries = 0
    most = max(20, min(TRIES, CELLS // (settings.rows * settings.cols)))
    try:
        for tries in range(1, most + 1):
            time.slice(1)
            time.spend(1)
            so_far = f": {_counted(reasons)}" if reasons else ""
            time.tell(phase=f"seed {seed}, try {tries} of {most}{so_far}")
            try:
                layout = settings.layout(seed, tries)
                found = attempt(settings, layout, Random(settings.seed(seed, tries)), budget)
            except NotThisLoop as reason:
                reasons[str(reason)] += 1
                if reasons[str(reason)] == tries == HOPELESS:
                    break
                continue
            made = _certified(settings, seed, tries, *found)
            if with_nodes:
                made = msgspec.structs.replace(made, nodes=nodes(made.puzzle, time))
            return made
    except OutOfBudget:
        time.slice(1)
        reasons["a solver that is out of steps"] += 1
    within = plural(tries, "try", "tries")
    raise GivenUp(f"no such board for seed {seed} in {within}: {_counted(reasons)}")


def _counted(reasons: Counter[str]) -> str:
    """The reasons, the most frequent first."""
    return "; ".join(f"{number} x {reason}" for reason, number in reasons.most_common())


def _certified(
    settings: Settings, seed: int, tries: int, puzzle: Puzzle, loop: Loop, measures: Measures
) -> Made:
    """The board with all that is known of it, proved once more by a solver of its own."""
    verdict = solve(puzzle, "sat", budget=Budget(steps=STEPS))
    if verdict.status is not Status.UNIQUE or verdict.loops != (loop,):
        found = f"{verdict.status.value} after the board was proved unique"
        raise Disagreement(f"seed {seed} of {settings}: {found}")
    return Made(
        f"{settings.genre}-{settings.rows}x{settings.cols}-{settings.difficulty}-{seed}",
        seed,
        settings,
        __version__,
        puzzle,
        {"edges": sorted(loop.edges)},
        verdict.status.value,
        measures,
        None,
        tries,
    )


def attempt(
    settings: Settings, layout: Layout, random: Random, budget: Budget
) -> tuple[Puzzle, Loop, Measures]:
    """A board from one loop. Raises NotThisLoop and OutOfBudget."""
    board = settings.blank()
    with closing(Live(board.lattice, budget)) as live:
        loop, groups = told(settings, layout, live, random, budget)
        dials = Dials(board, loop, flat(groups), budget=budget, live=live)
        if not dials.unique(budget):
            raise NotThisLoop("a loop that its clues do not tell from others")
        history, enough = turned(settings, dials, groups, random, budget)
        puzzle, measures = fitting(settings, dials, history, enough, budget)
    return puzzle, loop, measures
