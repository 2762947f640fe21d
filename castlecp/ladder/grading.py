"""How far the ladder comes on a board, and by which rungs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from castlecp.budget import NO_LIMIT, Budget
from castlecp.genres import Puzzle
from castlecp.ladder.climber import Climber, Entry
from castlecp.ladder.climbing import CONFLICT, FINISHED, STOPPED


@dataclass(frozen=True)
class Grade:
    """How hard a board is: the hardest rung that was needed, and how often each was.

    `steps` are single findings of a rule. `finished` says whether the ladder settled every edge,
    `contradiction` that the board was shown to have no answer. `settled` is the share of the edges
    that were settled.
    """

    rung: str | None
    steps: int
    per_rung: dict[str, int]
    per_rule: dict[str, int]
    finished: bool
    contradiction: bool
    settled: float


def grade(
    puzzle: Puzzle,
    rules: Sequence[str] | None = None,
    assumptions: int = NO_LIMIT,
    budget: Budget | None = None,
    shortest: bool = True,
) -> Grade:
    """How hard the board is for a person; `rules` as in `explain`.

    The rules dearer than single probes find nothing more once they have made so many
    `assumptions`, which is the same on every machine. Steps are those of `explain`; without
    `shortest` suppositions are taken as they come, which is quicker, needs other numbers of steps
    and of suppositions, and finds the same rung and the same edges. Raises
    OutOfBudget; what is `known` is then the grade as far as the ladder was climbed.
    """
    budget = budget or Budget()
    budget.tell(phase="climbing")
    climber = Climber.of(puzzle, rules, budget)
    end, log = climber.run(budget, assumptions=assumptions, shortest=shortest)
    found = graded(climber, end, log)
    if end == STOPPED:
        raise budget.over(found)
    return found


def graded(climber: Climber, end: int, log: Sequence[Entry]) -> Grade:
    """The grade that a climb comes to."""
    used = Counter(entry.rule for entry in log)
    per_rung: Counter[str] = Counter()
    for rule in climber.rules:
        if used[rule]:
            per_rung[climber.rungs[rule]] += used[rule]
    hardest = next((climber.rungs[rule] for rule in reversed(climber.rules) if used[rule]), None)
    edges = len(climber.reading.board.ends) // 2
    known = sum(literal < 2 * edges for entry in log for literal in entry.literals)
    return Grade(
        rung=hardest,
        steps=len(log),
        per_rung=dict(per_rung),
        per_rule=dict(used),
        finished=end == FINISHED,
        contradiction=end == CONFLICT,
        settled=known / max(edges, 1),
    )
