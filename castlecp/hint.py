"""Hints for a player: what is wrong with the line so far, or what to draw next and why."""

from __future__ import annotations

from castlecp import deduce
from castlecp.backtrack import backtrack
from castlecp.deduce import Step
from castlecp.errors import PuzzleError
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Loop


def next_step(puzzle: Puzzle, line: Loop, solution: Loop | None = None) -> Step | None:
    """The next step from a line that may be unfinished; None when the line is the solution.

    A segment that the solution does not have comes first (rung "mistake"), then the easiest
    step of the ladder, then an edge of the solution (rung "solution"). Without a `solution` it
    is searched for. Raises PuzzleError when the puzzle has not exactly one solution.
    """
    if solution is None:
        found = backtrack(puzzle)
        if not found.exact or len(found.loops) != 1:
            raise PuzzleError("only a puzzle with exactly one solution has hints")
        solution = found.loops[0]
    wrong = [edge for edge in sorted(line.edges) if edge not in solution.edges]
    if wrong:
        text = f"{_words(puzzle, wrong[0])} is not on the loop."
        return Step("mistake", text, off=(wrong[0],), edges=(wrong[0],))
    missing = [edge for edge in sorted(solution.edges) if edge not in line.edges]
    if not missing:
        return None
    step = deduce.next_step(puzzle, line)
    if step is not None:
        return step
    text = f"{_words(puzzle, missing[0])} is on the loop."
    return Step("solution", text, on=(missing[0],), edges=(missing[0],))


def _words(puzzle: Puzzle, edge: Edge) -> str:
    """An edge at the beginning of a sentence."""
    return deduce.edge_words(edge, puzzle.lattice, puzzle.CELLS).capitalize()
