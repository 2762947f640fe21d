"""How hard a board is for a person, in several measures that share as little as they can.

The ladder says which rungs are needed, how often something must be supposed and how long one then
follows it; how many *moves* are open on the way says how narrow the way is; and the nodes of the
backtracker on *weak* rules, which know clues and vertices and nothing of loops or sides, say how
much there is to try for whoever sees nothing else. `castlecp.ladder.number` makes one number of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from castlecp.backtrack import Backtrack, backtrack
from castlecp.budget import Budget
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.ladder.chains import chain_lengths
from castlecp.ladder.climber import Climber, Entry
from castlecp.ladder.climbing import CONFLICT, STOPPED
from castlecp.ladder.grading import Grade, graded
from castlecp.ladder.number import number
from castlecp.ladder.steps import steps_of
from castlecp.propagation import genres as readers

#: Nodes that the backtracker may take to measure a board, with all of its rules and with weak ones.
NODES, WEAK_NODES = 400_000, 100_000

#: Rules that know what a clue asks of the edges and cells around it, and vertices.
WEAK = ("degree", "count", "table", "visits", "visibility", "statement")


@dataclass(frozen=True)
class Nodes:
    """Nodes of the backtracker; at least so many where they are not `exact`."""

    number: int
    exact: bool

    @classmethod
    def of(cls, search: Backtrack) -> Nodes:
        """What a search took."""
        return cls(search.nodes, search.ended != "budget")


@dataclass(frozen=True)
class Assessment:
    """How hard a board is.

    `status` is whether it has one solution, `multiple` or `none`, or that is `inconclusive`: all
    else is then said of what the ladder settles. `steps` are those that a person takes, `chains`
    the number of links of each supposition, `moves` how many moves are open before each single
    step (see `castlecp.ladder.moves`). `nodes` are those of the backtracker, `weak` those with
    WEAK rules. `ended` is there when the budget was spent first; what is said is then what was
    known, and what was not is None. `number` is from 1 to 10, for boards with one solution.
    """

    grade: Grade
    status: Literal["unique", "multiple", "none", "inconclusive"] = "inconclusive"
    steps: int | None = None
    chains: tuple[int, ...] | None = None
    moves: tuple[int, ...] | None = None
    nodes: Nodes | None = None
    weak: Nodes | None = None
    number: float | None = None
    ended: OutOfBudget | None = None

    @property
    def guessing(self) -> bool:
        """Whether the ladder came to its end and left edges of the only solution open."""
        climbed = self.ended is None and not (self.grade.finished or self.grade.contradiction)
        return climbed and self.status in ("unique", "inconclusive")

    @property
    def longest(self) -> int | None:
        """The links of the longest chain; 0 without a supposition."""
        return None if self.chains is None else max(self.chains, default=0)

    @property
    def mean_chain(self) -> float | None:
        """The links of a chain, on average; 0 without a supposition."""
        return None if self.chains is None else round(fmean(self.chains or (0,)), 1)


def weak_nodes(puzzle: Puzzle, budget: Budget | None = None, most: int = WEAK_NODES) -> Nodes:
    """The nodes of the backtracker with WEAK rules and no probes, up to `most`.

    It looks for a second solution. Raises OutOfBudget.
    """
    budget = budget or Budget()
    rules = [rule for rule in readers.of(puzzle).SEARCH if rule in WEAK]
    found = backtrack(puzzle, 2, budget.aside(most), rules, patience=None)
    budget.look()
    return Nodes.of(found)


def assess(puzzle: Puzzle, budget: Budget | None = None) -> Assessment:
    """All measures of a board. Raises OutOfBudget when nothing is known yet."""
    budget = budget or Budget()
    budget.tell(phase="climbing")
    climber = Climber.of(puzzle, budget=budget)
    end, log = climber.run(budget, shortest=True)
    found = Assessment(graded(climber, end, log))
    try:
        if end == STOPPED:
            raise budget.over()
        found = _measured(puzzle, climber, end, log, found, budget)
    except OutOfBudget as error:
        if error.known is not None:
            found = error.known
        return Assessment(**{**vars(found), "ended": error})
    return found


def _measured(
    puzzle: Puzzle,
    climber: Climber,
    end: int,
    log: Sequence[Entry],
    found: Assessment,
    budget: Budget,
) -> Assessment:
    """The measures, one after the other; OutOfBudget has those before it as `known`."""
    known = vars(found) | {"moves": tuple(climber.moves(log)) if end != CONFLICT else ()}
    try:
        budget.tell(phase="searching")
        search = backtrack(puzzle, 2, budget.aside(NODES))
        budget.look()
        known |= {"status": _status(search), "nodes": Nodes.of(search)}
        known["weak"] = weak_nodes(puzzle, budget)
        steps = steps_of(climber, budget=budget.aside())
        known |= {"steps": len(steps), "chains": tuple(chain_lengths(steps))}
        if known["status"] == "unique":
            known["number"] = number(found.grade.per_rule, found.grade.finished)
        return Assessment(**known)
    except OutOfBudget as error:
        raise type(error)(str(error), Assessment(**known)) from None


def _status(search: Backtrack) -> Literal["unique", "multiple", "none", "inconclusive"]:
    if len(search.loops) > 1:
        return "multiple"
    if search.ended == "budget":
        return "inconclusive"
    return "unique" if search.loops else "none"
