"""The second stage of a board: its clues are turned down as far as its difficulty asks."""

from __future__ import annotations

from random import Random

from castlecp.budget import Budget
from castlecp.generate.dials import Dials
from castlecp.generate.settings import Settings
from castlecp.generate.telling import Group

#: The forms that some clues, by their numbers, are turned to.
Change = dict[int, int]


def turned(
    settings: Settings, dials: Dials, groups: list[Group], random: Random, budget: Budget
) -> list[Change]:
    """Turn clues down as the levers ask and the gate allows; the changes made, in order.

    Each group of clues has a part to play, blank, plain (one form down) or full, and plays it in
    random order as far as the board stays unique.
    """
    band, clues = settings.band, len(dials.at)
    spare = 0 if settings.pattern is not None else clues - settings.min_clues
    wanted = clues if settings.minimal else round(band.blank * clues)
    if settings.max_clues is not None:
        wanted = max(wanted, clues - settings.max_clues)
    wanted = min(wanted, spare)
    members, first = [], 0
    for group in groups:
        members.append(range(first, first + len(group)))
        first += len(group)
    history = []
    for part in random.sample(members, len(members)):
        plain = random.random() >= band.numbered
        blank = {i: len(dials.forms[i]) for i in part}
        less = {i: 1 for i in part if len(dials.forms[i]) > 1}
        if len(part) <= wanted and dials.turn(blank, budget):
            wanted -= len(part)
            history.append(blank)
        elif plain and less and dials.turn(less, budget):
            history.append(less)
        for i in part:
            dials.settle(i)
    return history
