"""How hard a board is for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from castlecp.backtrack import Backtrack, backtrack
from castlecp.budget import NO_LIMIT, Budget
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.ladder.climber import Climber
from castlecp.ladder.climbing import CONFLICT, FINISHED, STOPPED

#: Nodes the backtracker may take to measure a board.
NODES = 400_000


@dataclass(frozen=True)
class Grade:
    """How hard a board is: the hardest rung that was needed, and how often each was.

    `finished` says whether the ladder settled every edge; if not, the board needs guessing.
    `contradiction` says that the board was shown to have no answer. `settled` is the share of
    the edges that were settled.
    """

    rung: str | None
    steps: int
    per_rung: dict[str, int]
    finished: bool
    contradiction: bool
    settled: float


def grade(
    puzzle: Puzzle,
    rules: Sequence[str] | None = None,
    assumptions: int = NO_LIMIT,
    budget: Budget | None = None,
) -> Grade:
    """How hard the board is for a person; `rules` as in `explain`.

    The rules dearer than single probes find nothing more once they have made so many
    `assumptions`, which is the same on every machine. Raises OutOfBudget; what is `known` is then
    the grade as far as the ladder was climbed.
    """
    budget = budget or Budget()
    budget.tell(phase="climbing")
    climber = Climber.of(puzzle, rules, budget)
    end, log = climber.run(budget, assumptions=assumptions)
    used = Counter(entry.rule for entry in log)
    per_rung: Counter[str] = Counter()
    for rule in climber.rules:
        if used[rule]:
            per_rung[climber.rungs[rule]] += used[rule]
    hardest = next((climber.rungs[rule] for rule in reversed(climber.rules) if used[rule]), None)
    edges = len(climber.reading.board.ends) // 2
    known = sum(literal < 2 * edges for entry in log for literal in entry.literals)
    share = known / max(edges, 1)
    graded = Grade(hardest, len(log), dict(per_rung), end == FINISHED, end == CONFLICT, share)
    if end == STOPPED:
        raise budget.over(graded)
    return graded


@dataclass(frozen=True)
class Assessment:
    """How hard a board is for a person, and for a machine: the nodes of the backtracker.

    `nodes` are at least so many where `nodes_exact` is false. `ended` is there when the budget was
    spent first; what is said is then what was known.
    """

    grade: Grade
    nodes: int
    nodes_exact: bool
    ended: OutOfBudget | None = None

    @property
    def guessing(self) -> bool:
        """Whether the ladder came to its end and left edges open."""
        return self.ended is None and not (self.grade.finished or self.grade.contradiction)


def assess(puzzle: Puzzle, budget: Budget | None = None) -> Assessment:
    """The grade of a board, and the nodes of the backtracker, up to NODES.

    Raises OutOfBudget when nothing is known yet.
    """
    budget, search = budget or Budget(), Backtrack((), "budget", 0)
    graded = None
    try:
        graded = grade(puzzle, budget=budget)
        budget.tell(phase="searching")
        search = backtrack(puzzle, budget=budget.aside(NODES))
        budget.look()
    except OutOfBudget as error:
        graded = graded or error.known
        if graded is None:
            raise
        return Assessment(graded, search.nodes, search.ended != "budget", error)
    return Assessment(graded, search.nodes, search.ended != "budget")
