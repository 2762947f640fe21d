"""What a level promises, proved: one solution, the one that was drawn, and no idle words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from castlecp.author.levels import Level
from castlecp.auto import solve
from castlecp.budget import Budget
from castlecp.checker import check
from castlecp.faults import Fault
from castlecp.grid import Loop
from castlecp.session import Session
from castlecp.verdict import Status


@dataclass(frozen=True)
class Report:
    """What was found about a level.

    `status` is that of its board, `seconds` what that verdict took, and `faults` are the rules
    that the mask's loop breaks. `other` is a solution besides that loop. `idle` are the demands
    without which the board has the same one solution, `spare` pieces of demands of which each
    can go by itself, as words. `unsettled` says that the budget ended before all was known.
    """

    level: Level
    status: Status
    seconds: float
    faults: tuple[Fault, ...] = ()
    other: Loop | None = None
    idle: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()
    unsettled: bool = False

    @property
    def verdict(self) -> Literal["ok", "failed", "inconclusive"]:
        """`ok`, `failed`, or `inconclusive` when nothing failed before the budget ended."""
        if any(self.failures()):
            return "failed"
        return "inconclusive" if self.unsettled else "ok"

    def failures(self) -> Iterator[str]:
        """Why the level fails, as sentences without a full stop."""
        for fault in self.faults:
            yield f"the loop of the mask breaks a rule: {fault.sentence.rstrip('.')}"
        if self.faults:
            yield from self.level.puzzle.findings_words(self.level.loop)
        if self.status is Status.NONE:
            yield "there is no solution"
        elif self.other is not None:
            place = _difference(self.level.loop, self.other)
            if self.status is Status.UNIQUE:
                yield f"the only solution is not the mask: {place}"
            else:
                yield f"there is more than one solution: in another one {place}"
        demands = self.level.puzzle.demands()
        for name in self.idle:
            yield f"does nothing, the board has one solution without it: {demands[name]}"

    def remarks(self) -> Iterator[str]:
        """What the level could do without, and what is probably not meant."""
        for words in self.spare:
            yield f"can go, the board keeps its one solution: {words}"
        yield from self.level.puzzle.remarks()


def verify(level: Level, budget: Budget | None = None) -> Report:
    """Judge a level.

    Without one of its statements a board is asked to have as many false ones as are left: the
    loop is known, so it is known whether the statement that went was one of them.
    """
    budget = budget or Budget()
    puzzle, loop = level.puzzle, level.loop
    faults = tuple(check(puzzle, loop))
    with Session(puzzle.lattice) as session:
        verdict = solve(puzzle, budget=budget)
        other = next((found for found in verdict.loops if found != loop), None)
        found = Report(level, verdict.status, verdict.stats["seconds"], faults, other)
        if verdict.status is not Status.UNIQUE or other is not None:
            return replace(found, unsettled=verdict.status is Status.INCONCLUSIVE)
        without = {name: session.status(puzzle.without(name), budget) for name in puzzle.demands()}
        less = {words: session.status(board, budget) for words, board in puzzle.lessened(loop)}
    return replace(
        found,
        idle=tuple(name for name, status in without.items() if status is Status.UNIQUE),
        spare=tuple(words for words, status in less.items() if status is Status.UNIQUE),
        unsettled=Status.INCONCLUSIVE in (*without.values(), *less.values()),
    )


def _difference(meant: Loop, other: Loop) -> str:
    """Where another loop has the first face on the other side, and how many more there are."""
    row, col = min(meant.inside ^ other.inside)
    side = "inside" if (row, col) in other.inside else "outside"
    more = len(meant.inside ^ other.inside) - 1
    return f"row {row + 1}, column {col + 1} is {side}" + (f", and {more} more differ" * (more > 0))
