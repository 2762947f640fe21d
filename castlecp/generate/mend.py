"""Mending a draft: the fewest changes that leave exactly one solution.

A board with several solutions wants clues that say more. For one loop that is meant, each change
puts one clue that says more, or a new one on a cell off the loop; every other loop must break
some changed clue, and the fewest changes that do are a smallest hitting set, found as in
`smallest.py` but with at most one change a cell. A board without solution wants clues fewer: the
fewest to drop hit every set of clues that contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace

from castlecp.auto import solve
from castlecp.budget import Budget
from castlecp.checker import misses
from castlecp.errors import Cancelled, OutOfBudget, Unfit
from castlecp.generate.dials import rank, weaker
from castlecp.generate.rivals import Rivals, bits
from castlecp.generate.smallest import hitting_set, hitting_sets
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.session import Live
from castlecp.verdict import Status

#: Solutions that are tried as the one that is meant when none is given.
LOOPS = 50
#: From so many changes on, a set that is enough is found before one that is smallest.
FEW = 3
#: Conflicts for that when the budget has ended.
LAST = 20_000


@dataclass(frozen=True)
class Change:
    """A clue put in the place of another (None: of a blank cell), or taken away (`now` None)."""

    before: Any
    now: Any


@dataclass(frozen=True)
class Mending:
    """Changes that leave exactly one solution, each set proved to do so.

    `kind` is "unique" when nothing needs mending, "more" when clues are to say more, "fewer"
    when some are to be dropped. `changes` are sets of equally many changes, those that say
    least first. `loop` is the solution that is meant. `all_tried` is False when there are more
    solutions than were tried as the one that is meant. `least` changes are needed for the
    solutions tried: fewer than there are when the budget ended before these were proved fewest.
    """

    kind: Literal["unique", "more", "fewer"]
    changes: tuple[tuple[Change, ...], ...]
    loop: Loop | None
    all_tried: bool = True
    least: int = 0


def mend(
    puzzle: Puzzle, answer: Loop | None = None, *, most: int = 5, budget: Budget | None = None
) -> Mending:
    """The fewest changes that give a board exactly one solution; up to `most` sets of them.

    Without an answer the solution is meant that needs the fewest, of a board that has clues. When
    the budget ends first, a set that is enough stands for them. Raises Unfit when the answer is
    none, when no clues could tell it from other loops, or when nothing says what is meant, and
    OutOfBudget when nothing was found.
    """
    budget = budget or Budget()
    if answer is not None and (faults := misses(puzzle, answer)):
        raise Unfit(f"the answer is no solution of the board: {faults[0].sentence}")
    verdict = solve(puzzle, limit=2 if answer else LOOPS, budget=budget)
    if verdict.status is Status.INCONCLUSIVE:
        raise OutOfBudget("the budget ended before the board was solved")
    if verdict.status is Status.MULTIPLE and answer is None and not puzzle.clues:
        raise Unfit("a draft without clues does not say what solution is meant: give an answer")
    if verdict.status is Status.UNIQUE:
        return Mending("unique", (), verdict.loops[0])
    if verdict.status is Status.NONE:
        dropped = _fewer(puzzle, most, budget)
        return Mending("fewer", dropped, None, least=len(dropped[0]))
    meant = [answer] if answer else sorted(verdict.loops, key=lambda loop: sorted(loop.edges))
    all_tried = answer is not None or verdict.exact
    # One change for any of them first, then two: some loops are far dearer to tell than others.
    number, enough, told = 0, None, meant[0]
    try:
        while meant:
            number += 1
            for loop in tuple(meant):
                if number == FEW and enough is None:
                    enough, told = _enough(puzzle, loop, budget), loop
                found = _more(puzzle, loop, most, number, budget)
                if found:
                    return Mending("more", found, loop, all_tried, number)
                if found is None:
                    meant.remove(loop)
    except OutOfBudget as ended:
        # What is enough takes few questions, and is told whatever the seconds were.
        if enough is None and not isinstance(ended, Cancelled):
            told = meant[0]
            enough = _enough(puzzle, told, Budget(steps=LAST))
        if enough is None:
            raise
        return Mending("more", (enough,), told, all_tried, number)
    what = "that answer" if answer else "any solution tried"
    raise Unfit(f"no clues tell {what} from all other loops")


def apply(puzzle: Puzzle, changes: tuple[Change, ...]) -> Puzzle:
    """The board with changes made."""
    gone = {change.before for change in changes}
    kept = [clue for clue in puzzle.clues if clue not in gone]
    return replace(puzzle, clues=(*kept, *(change.now for change in changes if change.now)))


def _more(
    puzzle: Puzzle, loop: Loop, most: int, limit: int, budget: Budget
) -> tuple[tuple[Change, ...], ...] | None:
    """The sets of fewest changes for a loop; empty when it takes more than `limit`.

    None when no changes are enough.
    """
    changes = list(_stronger(puzzle, loop))
    every = [*puzzle.clues, *(change.now for change in changes)]
    with Rivals(puzzle, loop, every, budget=budget) as rivals:
        given = (1 << len(puzzle.clues)) - 1
        everything = (1 << len(rivals.clues)) - 1
        if rivals.find(everything, budget) is not None:
            return None
        numbers = {len(puzzle.clues) + k: k + 1 for k in range(len(changes))}
        cells: dict[tuple[int, int], list[int]] = {}
        for number, change in enumerate(changes, 1):
            cells.setdefault((change.now.row, change.now.col), []).append(number)
        found: list[tuple[Change, ...]] = []
        # A weight each so large that the number of changes comes first, then how little they say.
        heavy = 1 + sum(rank(change.now) for change in changes)
        weights = [heavy + rank(change.now) for change in changes]
        with hitting_sets(weights) as hitting:
            for group in cells.values():
                for k, first in enumerate(group):
                    for second in group[:k]:
                        hitting.add_clause([-first, -second])
            while len(found) < most:
                model = hitting_set(hitting, budget)
                if model is None:
                    if not found:
                        return None
                    break
                chosen = [x for x in model if x > 0]
                if len(chosen) > limit:
                    break
                if found and len(chosen) > len(found[0]):
                    break
                asked = given
                for number in chosen:
                    asked |= 1 << (len(puzzle.clues) + number - 1)
                survivor = rivals.find(asked, budget)
                if survivor is None:
                    found.append(tuple(changes[number - 1] for number in chosen))
                    hitting.add_clause([-number for number in chosen])
                else:
                    hitting.add_clause([numbers[k] for k in bits(survivor & ~given)])
        return tuple(found)


def _enough(puzzle: Puzzle, loop: Loop, budget: Budget) -> tuple[Change, ...] | None:
    """Changes that tell a loop from all others, and of which none can be spared.

    At most one a cell, each by all that the clue can say; None when these are not enough, or
    the budget ends before that is known.
    """
    changes = _fullest(puzzle, loop)
    shift = len(puzzle.clues)
    given = (1 << shift) - 1
    try:
        clues = [*puzzle.clues, *(change.now for change in changes)]
        with Rivals(puzzle, loop, clues, budget=budget) as rivals:
            chosen = (1 << len(clues)) - 1
            if rivals.find(chosen, budget) is not None:
                return None
            try:
                for k in range(shift, len(clues)):
                    without = chosen & ~(1 << k)
                    if chosen >> k & 1 and rivals.find(without, budget) is None:
                        # What the proof did not lean on can go as well.
                        leant = (j for j in bits(without) if rivals.failed & {*rivals.literals[j]})
                        chosen = given | sum(1 << j for j in leant if j >= shift)
            except OutOfBudget:
                pass
    except OutOfBudget:
        return None
    return tuple(changes[k - shift] for k in bits(chosen & ~given))


def _fullest(puzzle: Puzzle, loop: Loop) -> list[Change]:
    """One change a cell: to the clue that says most."""
    best: dict[tuple[int, int], Change] = {}
    for change in _stronger(puzzle, loop):
        at = (change.now.row, change.now.col)
        if at not in best or rank(change.now) > rank(best[at].now):
            best[at] = change
    return list(best.values())


def _stronger(puzzle: Puzzle, loop: Loop) -> Iterator[Change]:
    """Every change of one cell to a true clue that says more than is there."""
    standing = {(clue.row, clue.col): clue for clue in puzzle.clues}
    for cell in ((r, c) for r in range(puzzle.rows) for c in range(puzzle.cols)):
        before = standing.get(cell)
        truths = puzzle.true_clues(loop, cell)
        for now in dict.fromkeys(form for full in truths for form in (full, *weaker(full))):
            if before is None or before.stripped() in weaker(now):
                yield Change(before, now)


def _fewer(puzzle: Puzzle, most: int, budget: Budget) -> tuple[tuple[Change, ...], ...]:
    """The sets of fewest clues to drop so that there is a solution."""
    clues = puzzle.clues
    found: list[tuple[Change, ...]] = []
    with closing(Live(puzzle.lattice, budget)) as live, hitting_sets([1] * len(clues)) as hitting:
        said = live.post(puzzle, budget)
        while len(found) < most:
            model = hitting_set(hitting, budget)
            if model is None:
                break
            dropped = [x for x in model if x > 0]
            if found and len(dropped) > len(found[0]):
                break
            kept = [clue for k, clue in enumerate(clues, 1) if k not in dropped]
            conflict = live.core(said, [*kept, *puzzle.demands()], budget)
            if conflict is None:
                found.append(tuple(Change(clues[k - 1], None) for k in dropped))
                hitting.add_clause([-k for k in dropped])
                continue
            at_fault = [k for k, clue in enumerate(clues, 1) if clue in conflict]
            if not at_fault:
                raise Unfit("no clue is at fault: there is no loop even without clues")
            hitting.add_clause(at_fault)
    return tuple(found)
