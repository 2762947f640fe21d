"""Difficulty: bands as data, and the measures that a band's levers do not see.

Two levers make a board harder: fewer clues, and clues that lose what they say first (for Castle
Wall, their number). What that does to a person is measured by the ladder
of `castlecp.ladder`: its hardest rung, its steps, and how often one must *suppose* something and
see where it leads, which begins at the rung "probe". The nodes of the backtracker measure it for
a machine.
"""

from __future__ import annotations

from dataclasses import dataclass

from castlecp.budget import Budget
from castlecp.genres import Puzzle
from castlecp.registry import Registry

#: Nodes after which the backtracker is stopped.
NODES = 20_000

#: Assumptions of the ladder's dearest rules, forks and double probes, after which a board counts
#: as not finished: no person makes so many. Boards of 12 x 12 cells stay far below; of larger
#: ones a few would take minutes.
ASSUMPTIONS = 20_000


@dataclass(frozen=True, slots=True)
class Band:
    """A difficulty.

    `clues` is how many clues a board should have, and `silent` how many of them should say less
    than they could, both in hundredths of what is usual for the genre; a board gets as close as
    it can while it is unique. `first` says whether the genre's first rungs are to be enough, or
    not to be enough. `suppose` is how often, at least and at most, a person must suppose
    something, and `single` says that one supposition at a time is enough: no fork, no supposition
    within another. `winding` is for loops: how much rather they turn than is usual.
    """

    clues: int = 100
    silent: int = 100
    first: bool | None = None
    suppose: tuple[int, int | None] = (0, None)
    single: bool = True
    winding: float = 1.0

    def hardest(self, puzzle: Puzzle) -> str:
        """The hardest rung of the genre's ladder that a board may need."""
        from castlecp.ladder import ladder_of
        from castlecp.ladder.genres import first
        from castlecp.ladder.rules import assumes, bounded

        ladder = ladder_of(puzzle)
        if self.first:
            return first(puzzle)
        if self.suppose[1] == 0:
            ladder = tuple(step for step in ladder if not assumes(step[0]))
        elif self.single:
            ladder = tuple(step for step in ladder if not bounded(step[0]))
        return ladder[-1][1]


#: The bands by name, easiest first. `full` has every clue there is.
BANDS: Registry[Band] = Registry.table(
    "difficulty",
    {
        "full": Band(suppose=(0, None)),
        "easy": Band(clues=106, silent=60, first=True, suppose=(0, 0), winding=0.97),
        "normal": Band(clues=101, silent=90, first=False, suppose=(0, 1), winding=1.0),
        "hard": Band(clues=97, silent=110, first=False, suppose=(2, 3), winding=1.03),
        "expert": Band(clues=92, silent=130, first=False, suppose=(3, 6), winding=1.06),
    },
)


@dataclass(frozen=True, slots=True)
class Measures:
    """What is measured of a board: see the module's text.

    `finished` says that no guessing is needed, nor more than ASSUMPTIONS.
    """

    rung: str | None
    steps: int
    suppose: int
    finished: bool


def measure(puzzle: Puzzle, hardest: str | None = None, budget: Budget | None = None) -> Measures:
    """The measures of the ladder, up to its `hardest` rung.

    Where that finishes a board the measures are those of the whole ladder, which takes the
    easiest rung at each step; where it does not, it was far quicker to find out.
    """
    from castlecp.ladder import grade as grade_of
    from castlecp.ladder import ladder_of
    from castlecp.ladder.rules import assumes

    order = rungs(puzzle)
    allowed = order[: order.index(hardest) + 1] if hardest else order
    rules = [rule for rule, rung in ladder_of(puzzle) if rung in allowed]
    budget = budget and budget.aside()
    grade = grade_of(puzzle, rules, ASSUMPTIONS, budget, shortest=False)
    supposing = {rung for rule, rung in ladder_of(puzzle) if assumes(rule)}
    suppose = sum(number for rung, number in grade.per_rung.items() if rung in supposing)
    return Measures(grade.rung, grade.steps, suppose, grade.finished)


def nodes(puzzle: Puzzle, budget: Budget | None = None) -> int | None:
    """The nodes of the backtracker; None when there are too many. Raises OutOfBudget."""
    from castlecp.backtrack import backtrack

    budget = budget or Budget()
    found = backtrack(puzzle, 2, budget.aside(NODES))
    budget.look()
    return None if found.ended == "budget" else found.nodes


def rungs(puzzle: Puzzle) -> list[str]:
    """The rungs of the genre's ladder, easiest first."""
    from castlecp.ladder import ladder_of

    return list(dict.fromkeys(rung for _, rung in ladder_of(puzzle)))
