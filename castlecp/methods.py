"""Every way to a verdict under one name: the engines, the backtracker, and `auto`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Protocol

from castlecp import engines, solver
from castlecp.budget import Budget
from castlecp.genres import Puzzle
from castlecp.registry import Registry
from castlecp.session import conflicting_clues
from castlecp.solver import forced_edges
from castlecp.verdict import Status, Verdict, status

AUTO, BACKTRACK = "auto", "backtrack"


class Method(Protocol):
    """One way to a verdict; what the arguments mean `castlecp.solver.solve` says."""

    def __call__(self, puzzle: Puzzle, *, limit: int = 2, budget: Budget | None = None) -> Verdict:
        """The verdict on a puzzle."""


def solve(
    puzzle: Puzzle,
    engine: str = "auto",
    *,
    limit: int = 2,
    budget: Budget | None = None,
    forced: bool = False,
    conflict: bool = False,
) -> Verdict:
    """The verdict on a puzzle, by any of `names()`. Raises Unknown for another.

    `limit` is how many solutions to look for (at least 2 to tell unique from multiple). `forced`
    and `conflict` ask for those parts of the verdict; both spend of the same budget. For `auto`
    and the backtracker the engines find them.
    """
    method = REGISTRY[engine]
    budget = budget or Budget()
    started = perf_counter()
    verdict = method(puzzle, limit=limit, budget=budget)
    if forced and verdict.loops:
        made = engines.engine(engine) if engine in engines.names() else _relay()
        verdict = replace(verdict, forced=forced_edges(puzzle, verdict, made, budget))
    if conflict and verdict.status is Status.NONE:
        verdict = replace(verdict, conflict=conflicting_clues(puzzle, budget))
    verdict.stats["seconds"] = round(perf_counter() - started, 6)
    return verdict


def backtracked(puzzle: Puzzle, *, limit: int = 2, budget: Budget | None = None) -> Verdict:
    """The verdict by the backtracker, whose steps are nodes."""
    from castlecp.backtrack import backtrack

    started = perf_counter()
    found = backtrack(puzzle, limit, budget)
    exact = found.ended == "exact"
    return Verdict(
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


def quickly(puzzle: Puzzle, *, limit: int = 2, budget: Budget | None = None) -> Verdict:
    """The verdict by `castlecp.auto`, which is loaded here: who asks an engine has no rules."""
    from castlecp import auto

    return auto.solve(puzzle, limit=limit, budget=budget)


def _relay() -> type[engines.Engine]:
    from castlecp.auto import Relay

    return Relay


def _method(name: str) -> Method:
    others: dict[str, Method] = {AUTO: quickly, BACKTRACK: backtracked}
    return others.get(name) or partial(solver.solve, engine_name=name)


REGISTRY: Registry[Method] = Registry(
    "engine", lambda: sorted([*engines.names(), AUTO, BACKTRACK]), _method
)

#: The names of all methods, alphabetically.
names = REGISTRY.names
