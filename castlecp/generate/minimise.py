"""Fewer clues, and clues that say less, with the same one loop.

- `greedy` turns down one clue after another, each to the weakest form that keeps the board
  unique. A form that was refused once is refused for good, since the others only get weaker:
  after one pass no clue can be turned down any more.
- `core` has the same guarantee for fewer questions: each proof that there is no other loop
  names the clues it rests on, and all others are turned down at once.
- `smallest` finds a set of clues of least weight, and proves it: see `smallest.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from castlecp.auto import solve
from castlecp.budget import Budget
from castlecp.clues import Clue
from castlecp.errors import OutOfBudget, Unfit
from castlecp.generate.dials import Dial, Dials, rank
from castlecp.generate.smallest import smallest
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.verdict import Status

Method = Literal["greedy", "core", "smallest"]
Weigh = Literal["clues", "pieces"]


@dataclass(frozen=True)
class Minimised:
    """A board with fewer or weaker clues, and the same one solution.

    `lower` and `upper` bound the weight of a smallest set; equal when it is proved smallest.
    `settled` says that the method came to its end: with `greedy` and `core`, that no clue can be
    turned down any more.
    """

    puzzle: Puzzle
    lower: int
    upper: int
    settled: bool


def minimise(
    puzzle: Puzzle,
    method: Method = "core",
    dial: Dial = "chain",
    *,
    seed: int = 0,
    weigh: Weigh = "clues",
    budget: Budget | None = None,
) -> Minimised:
    """The board turned down by a method; the same for the same seed.

    `weigh` is what `smallest` makes least: the number of clues, or of pieces (a wall is one, its
    colour or number one more, both two more). Raises Unfit for a board that is not unique, and
    OutOfBudget when the budget ends before that is known. The budget is told of the bounds.
    """
    budget = budget or Budget()
    loop = only_loop(puzzle, budget, "can be minimised")
    order = list(range(len(puzzle.clues)))
    Random(f"minimise {seed}").shuffle(order)
    try:
        made = Dials(puzzle, loop, puzzle.clues, dial, budget)
    except OutOfBudget:
        return Minimised(puzzle, 0, weight(puzzle, weigh), settled=False)
    with made as dials:
        lower, settled = 0, True
        try:
            settle = method != "smallest"
            turn_down(dials, order, budget, lean=method != "greedy", settle=settle)
            if method == "smallest":
                lower = smallest(dials, weigh, budget)
                turn_down(dials, order, budget)
        except OutOfBudget:
            settled = False
        board = dials.puzzle()
        upper = weight(board, weigh)
        settled = settled and not dials.unsettled and (method != "smallest" or lower == upper)
        return Minimised(board, lower, upper, settled)


def only_loop(puzzle: Puzzle, budget: Budget, what: str) -> Loop:
    """The solution of a unique board; `what` is what only such a board has or can.

    Raises OutOfBudget, and Unfit for a board that is not unique.
    """
    verdict = solve(puzzle, budget=budget)
    if verdict.status is Status.INCONCLUSIVE:
        raise OutOfBudget("the budget ended before the board was proved unique")
    if verdict.status is not Status.UNIQUE:
        raise Unfit(f"only a unique board {what}, this one: {verdict.status.value}")
    return verdict.loops[0]


def weight(puzzle: Puzzle, weigh: Weigh) -> int:
    """What the clues of a board weigh."""
    return len(puzzle.clues) if weigh == "clues" else sum(map(rank, puzzle.clues))


def turn_down(
    dials: Dials,
    order: Sequence[int],
    budget: Budget,
    *,
    lean: bool = False,
    settle: bool = True,
) -> None:
    """Turn every clue, in an order, down to the weakest form that keeps the board unique.

    `lean` turns down at once what the proofs on the way do not need; `settle` says that the
    dials are not to be turned afterwards. Raises OutOfBudget, with the dials at what was reached.
    """
    rivals = dials.rivals
    if lean:
        before = None
        while before != dials.at:
            before = list(dials.at)
            if dials.unique(budget):
                dials.lean_on(rivals.failed)
    for i in order:
        for form in range(len(dials.forms[i]), dials.at[i], -1):
            if dials.turn({i: form}, budget):
                if lean:
                    dials.lean_on(rivals.failed)
                break
        if settle:
            dials.settle(i)


def spare(puzzle: Puzzle, budget: Budget | None = None) -> list[tuple[Clue, Clue | None]]:
    """Each clue that alone can be turned down on a unique board, with the weakest form that does.

    The form is None where the clue can be spared altogether. The board stays as it is.
    """
    budget = budget or Budget()
    loop = only_loop(puzzle, budget, "has spare clues")
    found = []
    with Dials(puzzle, loop, puzzle.clues, "fork", budget) as dials:
        for i, group in enumerate(dials.forms):
            for form in range(len(group), 0, -1):
                if dials.unique(budget, {i: form}):
                    found.append((group[0], group[form] if form < len(group) else None))
                    break
    return found
