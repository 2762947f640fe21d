"""Which of the true clues of a cell: those that tell the loop from others, the large ones first."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from castlecp.budget import Budget
from castlecp.clues import Clue
from castlecp.generate.reasons import NotThisLoop
from castlecp.generate.rivals import Rivals
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.session import Live

#: Clues changed for a loop before it is given up.
CHANGES = 60


def chosen(
    board: Puzzle,
    loop: Loop,
    options: Sequence[Sequence[Clue]],
    live: Live,
    random: Random,
    budget: Budget,
) -> list[Clue]:
    """One of the options of each cell, so that together they tell the loop from all others.

    Options are drawn with a weight that grows with their numbers. Each rival that obeys those
    chosen has one cell changed to an option that it does not obey: the one by which fewest of
    the known rivals come back. Raises NotThisLoop when there are no such, and OutOfBudget.
    """
    every = [clue for clues in options for clue in clues]
    if len(every) == len(options):
        return every
    rivals = Rivals(board, loop, every, live, budget)
    weights = [_weight(clue) for clue in every]
    cells: list[range] = []
    for clues in options:
        start = cells[-1].stop if cells else 0
        cells.append(range(start, start + len(clues)))
    picks = [random.choices(cell, [weights[k] for k in cell])[0] for cell in cells]
    for _ in range(CHANGES):
        asked = sum(1 << k for k in picks)
        rival = rivals.find(asked, budget)
        if rival is None:
            return [every[k] for k in picks]
        changes = []
        for place, cell in enumerate(cells):
            for k in cell:
                if rival >> k & 1:
                    changed = asked ^ 1 << picks[place] ^ 1 << k
                    back = sum(not known & changed for known in rivals.known)
                    changes.append((back, -weights[k] * random.random(), place, k))
        if not changes:
            break
        _, _, place, k = min(changes)
        picks[place] = k
    raise NotThisLoop("a loop that its clues do not tell from others")


def _weight(clue: Clue) -> int:
    number = getattr(clue, "number", None)
    return 10 if not isinstance(number, int) else 4 + 6 * number
