"""Hints for a player: what is wrong with the line so far, or what to draw next and why."""

from __future__ import annotations

from collections.abc import Collection

from castlecp.backtrack import backtrack
from castlecp.budget import Budget
from castlecp.errors import Unfit
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Loop
from castlecp.ladder.steps import Step, next_drawn
from castlecp.ladder.wording import edge_words
from castlecp.propagation import genres as readers


def next_step(
    puzzle: Puzzle, line: Loop, solution: Loop | None = None, budget: Budget | None = None
) -> Step | None:
    """The next step from a line that may be unfinished; None when the line is the solution.

    A segment that the solution does not have comes first (rung "mistake"), then the easiest
    step of the ladder, then an edge of the solution (rung "solution"). In a genre that shades
    what is outside, a line without loose ends is what parts the shaded faces from the others; a
    hint is then about shading, and a face that is not shaded may be so yet. Without a
    `solution` it is searched for. Raises Unfit when the puzzle has not exactly one
    solution, and OutOfBudget.
    """
    budget = budget or Budget()
    if solution is None:
        budget.tell(phase="searching")
        found = backtrack(puzzle, budget=budget)
        if found.ended == "budget":
            raise budget.over()
        if not found.exact or len(found.loops) != 1:
            number = "several" if found.loops else "none"
            raise Unfit(f"only a puzzle with exactly one solution has hints, this one has {number}")
        solution = found.loops[0]
    if line.edges == solution.edges:
        return None
    shading = puzzle.SHADES_OUTSIDE and all(len(v) % 2 == 0 for v in line.neighbours.values())
    if shading and line.edges:
        faces = set(puzzle.lattice.faces())
        shaded, asked = faces - line.inside, faces - solution.inside
        return _next_face(puzzle, line, shaded, asked, budget)
    wrong = [edge for edge in sorted(line.edges) if edge not in solution.edges]
    if wrong:
        text = f"{_words(puzzle, wrong[0])} is not on the loop."
        return Step("mistake", text, off=(wrong[0],), edges=(wrong[0],))
    missing = [edge for edge in sorted(solution.edges) if edge not in line.edges]
    step = next_drawn(puzzle, line, budget=budget)
    if step is not None:
        return step
    text = f"{_words(puzzle, missing[0])} is on the loop."
    return Step("solution", text, on=(missing[0],), edges=(missing[0],))


def _next_face(
    puzzle: Puzzle,
    line: Loop,
    shaded: Collection[Face],
    solution: Collection[Face],
    budget: Budget,
) -> Step:
    """`next_step` where faces are shaded."""
    outside, inside = readers.of(puzzle).read(puzzle).sides
    wrong, missing = sorted(set(shaded) - set(solution)), sorted(set(solution) - set(shaded))
    if wrong:
        r, c = wrong[0]
        text = f"Row {r + 1}, column {c + 1} is {inside}."
        return Step("mistake", text, relations=((wrong[0], None, True),), faces=(wrong[0],))
    step = next_drawn(puzzle, line, shaded, budget)
    if step is not None:
        return step
    r, c = missing[0]
    text = f"Row {r + 1}, column {c + 1} is {outside}."
    return Step("solution", text, relations=((missing[0], None, False),), faces=(missing[0],))


def _words(puzzle: Puzzle, edge: Edge) -> str:
    """An edge at the beginning of a sentence."""
    return edge_words(edge, puzzle.lattice, puzzle.CELLS).capitalize()
