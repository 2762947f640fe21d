"""The steps of a climb in words: what each settles, and why."""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.budget import Budget
from castlecp.genres import Puzzle
from castlecp.ladder.climber import Climber
from castlecp.ladder.climbing import CONFLICT, STOPPED
from castlecp.ladder.facts import Step
from castlecp.ladder.rules import assumes
from castlecp.ladder.telling import Telling
from castlecp.position import Position

__all__ = ["Step", "contradicts", "explain", "finishes", "settled"]


def explain(
    puzzle: Puzzle,
    rules: Sequence[str] | None = None,
    chains: bool = True,
    budget: Budget | None = None,
    detail: bool = False,
) -> list[Step]:
    """The steps of a person's solution, in order, as far as the ladder goes.

    `rules` are the names of the rules to use, easiest first; None for the genre's whole ladder.
    Without `chains` the steps of probes do not say how their assumption ends. Trivial
    consequences are part of the step that has them, or with `detail` steps of their own. The last
    step settles nothing when the board has no answer. Raises OutOfBudget; what is `known` are
    then the steps so far.
    """
    budget = budget or Budget()
    return steps_of(Climber.of(puzzle, rules, budget), chains, budget, detail)


def steps_of(
    climber: Climber, chains: bool = True, budget: Budget | None = None, detail: bool = False
) -> list[Step]:
    """The steps of a climb; `chains` and `detail` as in `explain`, and so is what it raises."""
    budget = budget or Budget()
    budget.tell(phase="climbing")
    end, log = climber.run(budget, shortest=True)
    budget.tell(phase="putting steps into words")
    if end == STOPPED:
        # What was found is told all the same, but nothing more is looked for.
        raise budget.over(Telling(climber, Budget(), detail).steps(log, chains=False))
    return Telling(climber, budget.aside(), detail).steps(log, chains)


def contradicts(steps: Sequence[Step]) -> bool:
    """Whether the last step settles nothing: the board has no solution."""
    return bool(steps) and not steps[-1].settles


def settled(steps: Sequence[Step]) -> int:
    """How many edges are settled in the end."""
    return len({edge for step in steps for one in step.steps for edge in (*one.on, *one.off)})


def finishes(puzzle: Puzzle, steps: Sequence[Step]) -> bool:
    """Whether the steps settle every edge of a puzzle."""
    return settled(steps) == puzzle.lattice.number_of_edges and not contradicts(steps)


def literals_of(puzzle: Puzzle, position: Position) -> list[int]:
    """What is drawn, as literals: see `castlecp.propagation.state`."""
    edges, across = puzzle.lattice.edges, puzzle.lattice.cols - 1
    outer = len(list(puzzle.lattice.faces()))
    number = {edge: k for k, edge in enumerate(edges)}
    known = [2 * number[edge] + 1 for edge in sorted(position.on)]
    known += [2 * number[edge] for edge in sorted(position.off)]
    for side, faces in enumerate((position.outside, position.inside)):
        for r, c in sorted(faces):
            known.append(2 * (len(edges) + (r * across + c) * (outer + 1) + outer) + side)
    return known


def next_drawn(
    puzzle: Puzzle, position: Position, shades: bool = False, budget: Budget | None = None
) -> Step | None:
    """The easiest next step from what a player has drawn, all of which is known.

    The step returned is the first that settles something of a kind that the player draws: an edge
    that is on, or with `shades` a face outside, and besides whatever is drawn already: crosses,
    faces outside, faces inside. Other steps are taken silently, and the reason may lean on them.
    None when the ladder finds no such step. On a position that contradicts the solution the step
    may do so too; `hints` looks after that. Raises OutOfBudget.
    """
    budget = budget or Budget()
    climber = Climber.of(puzzle, budget=budget)
    edges, outer = puzzle.lattice.number_of_edges, climber.reading.board.outer
    known = literals_of(puzzle, position)
    on, outside = not shades or position.on, shades or position.outside

    def draws(literal: int) -> bool:
        if literal < 2 * edges:
            return bool(on if literal & 1 else position.off)
        if ((literal >> 1) - edges) % (outer + 1) != outer:
            return False  # two faces by their relation, which nobody draws
        return bool(position.inside if literal & 1 else outside)

    # Suppositions only where nothing else helps, for the best of them are dear to find.
    for rules in ([rule for rule in climber.rules if not assumes(rule)], climber.rules):
        climber.rules = rules
        end, log = climber.run(budget, known, shortest=True)
        for k, entry in enumerate(log):
            if any(map(draws, entry.literals)):
                return Telling(climber, budget.aside()).last(log[: k + 1], known, chains=True)
        if end == STOPPED:
            raise budget.over()
    return None


def contradiction(puzzle: Puzzle, position: Position, budget: Budget) -> tuple[Step, bool] | None:
    """Why no loop has all that is drawn, and whether what is drawn says so without another step.

    By the rules of the ladder that assume nothing; None when they find nothing, which is no proof
    that there is such a loop. Raises OutOfBudget.
    """
    climber = Climber.of(puzzle, budget=budget)
    climber.rules = [rule for rule in climber.rules if not assumes(rule)]
    known = literals_of(puzzle, position)
    end, log = climber.run(budget, known)
    if end == STOPPED:
        raise budget.over()
    if end != CONFLICT:
        return None
    return Telling(climber, budget.aside()).last(log, known), len(log) == 1
