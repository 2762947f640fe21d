"""Every way to a verdict under one name: the engines, and the backtracker."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from castlecp import engines
from castlecp.budget import Budget
from castlecp.errors import FormatError
from castlecp.genres import Puzzle
from castlecp.solver import (
    Status,
    Verdict,
    conflicting_clues,
    forced_edges,
    solve,
    status,
)

BACKTRACK = "backtrack"


def names() -> list[str]:
    """The names of all methods, alphabetically."""
    return sorted([*engines.names(), BACKTRACK])


def verdict(
    puzzle: Puzzle,
    method: str,
    *,
    limit: int = 2,
    budget: Budget | None = None,
    forced: bool = False,
    conflict: bool = False,
) -> Verdict:
    """As `castlecp.solver.solve`, by any method. Raises FormatError for an unknown one.

    The backtracker's steps are nodes; what is forced, and a conflict, the engines find for it.
    """
    if method not in names():
        raise FormatError(f"unknown engine `{method}`; known: {', '.join(names())}")
    if method != BACKTRACK:
        return solve(puzzle, method, limit=limit, budget=budget, forced=forced, conflict=conflict)
    from castlecp.backtrack import backtrack

    started = perf_counter()
    found = backtrack(puzzle, limit, budget)
    exact = found.ended == "exact"
    verdict = Verdict(
        status(len(found.loops), exact),
        found.loops,
        exact,
        found.ended == "budget",
        BACKTRACK,
        stats={
            "rounds": 1,
            "cuts": 0,
            "steps": found.nodes,
            "seconds": round(perf_counter() - started, 6),
        },
    )
    budget = budget or Budget()
    if forced and found.loops:
        verdict = replace(verdict, forced=forced_edges(puzzle, verdict, "auto", budget))
    if conflict and verdict.status is Status.NONE:
        verdict = replace(verdict, conflict=conflicting_clues(puzzle, budget))
    return verdict
