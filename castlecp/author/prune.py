"""Fewer clues: drop them in a seeded order while the board keeps its one solution."""

from __future__ import annotations

from random import Random

from castlecp.author.levels import Level
from castlecp.budget import Budget
from castlecp.checker import misses
from castlecp.errors import Unfit
from castlecp.generate.dials import Dials


def prune(level: Level, floor: int = 8, seed: int = 0, budget: Budget | None = None) -> Level:
    """The level with as few clues as its order allows, but not fewer than `floor`.

    Each clue is tried once; a clue that was needed stays needed when there are fewer of them. The
    same seed gives the same level. Raises Unfit when the mask's loop is not the only
    solution, and OutOfBudget.
    """
    budget = budget or Budget()
    faults = misses(level.puzzle, level.loop)
    if faults:
        raise Unfit(f"the loop of the mask breaks a rule: {faults[0].sentence}")
    clues = level.puzzle.clues
    order = list(range(len(clues)))
    Random(f"prune {seed}").shuffle(order)
    with Dials(level.puzzle, level.loop, clues) as dials:
        if not dials.unique(budget):
            raise Unfit("only a level with one solution can be pruned")
        for i in order:
            if len(dials.clues()) <= floor:
                break
            dials.turn({i: len(dials.forms[i])}, budget)
        return level.showing(dials.clues())
