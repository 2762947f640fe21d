"""What is wrong with an unfinished position: what no further drawing can mend."""

from __future__ import annotations

from typing import Literal

from castlecp.budget import Budget
from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.ladder.steps import Step, contradiction
from castlecp.position import Position


def check_so_far(puzzle: Puzzle, position: Position, budget: Budget | None = None) -> list[Fault]:
    """Faults that stay whatever is drawn besides; the position is compared with no solution.

    First those that the genre finds in the line and that are for good (`Puzzle.LASTING`). Where
    there are none, crosses and marked faces count too: the rules of the ladder that assume
    nothing look for a contradiction, a fault with the name of the rule. `about` is "puzzle" when
    the empty board has that contradiction already. None found is no promise that a solution has
    all that is drawn.

    Raises ValueError when the position lies on another lattice, and OutOfBudget.
    """
    if position.lattice != puzzle.lattice:
        raise ValueError("the position is on another lattice than the puzzle")
    lasting = [fault for rule in puzzle.LASTING for fault in rule(puzzle, position.line)]
    if lasting:
        return lasting
    budget = budget or Budget()
    found = contradiction(puzzle, position, budget)
    if found is None:
        return []
    at_fault = contradiction(puzzle, Position(puzzle.lattice), budget)
    if at_fault is not None:
        return [_fault(*at_fault, about_puzzle=True)]
    return [_fault(*found)]


def _fault(step: Step, at_once: bool, about_puzzle: bool = False) -> Fault:
    led = "The clues lead" if about_puzzle else "What is drawn leads"
    text = step.sentence if at_once else f"{led} to a contradiction. {step.sentence}"
    about: Literal["line", "puzzle"] = "puzzle" if about_puzzle else "line"
    return Fault(step.rule, text, step.vertices, step.edges, about, step.faces)
