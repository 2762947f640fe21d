"""No verdict rests on one method: ask them all, and compare.

Methods that settle a board must find the same loops, all of them right by `checker`. Small
boards are also asked of `brute`, which lists every loop of the lattice.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from random import Random
from time import time
from typing import NamedTuple

import msgspec

from castlecp import brute, genres, methods
from castlecp.bank import Entry
from castlecp.budget import Around, Budget
from castlecp.checker import misses
from castlecp.errors import Cancelled, OutOfBudget
from castlecp.executors import Executor, Lost, run
from castlecp.generate.loops import grow
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Lattice
from castlecp.nouns import plural

BRUTE = "brute"

#: Steps that each method has on a board of a bank, if nothing else is said.
STEPS = 100_000


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one method says: its loops as edges (all, or as many as the limit), and whether it
    settled the board (all loops found, or the limit reached)."""

    method: str
    status: str
    loops: frozenset[frozenset[Edge]]
    settled: bool
    wrong: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """The opinions on one board."""

    opinions: tuple[Opinion, ...]
    limit: int

    @property
    def status(self) -> str:
        """The status the settled methods give; inconclusive when none settled it."""
        settled = [opinion.status for opinion in self.opinions if opinion.settled]
        return settled[0] if settled else "inconclusive"

    @property
    def agreed(self) -> bool:
        """Whether nothing contradicts anything.

        Settled methods have the same loops, or all as many as the limit; what an unsettled one
        found is among the loops of those that found them all.
        """
        if any(opinion.wrong for opinion in self.opinions):
            return False
        complete = [o.loops for o in self.opinions if o.settled and len(o.loops) < self.limit]
        if not complete:
            return True
        return all(
            o.loops == complete[0] if o.settled else o.loops <= complete[0] for o in self.opinions
        )


def compare(
    puzzle: Puzzle,
    limit: int = 3,
    steps: int | None = None,
    only: Sequence[str] = (),
    budget: Budget | None = None,
) -> Comparison:
    """Ask every method (or only some) for up to `limit` loops, each with a budget of steps.

    `budget` bounds the time of all. Raises OutOfBudget.
    """
    budget = budget or Budget()
    budget.look()
    opinions = []
    for method in only or methods.names():
        verdict = methods.solve(puzzle, method, limit=limit, budget=budget.aside(steps))
        budget.look()
        wrong = sum(bool(misses(puzzle, loop)) for loop in verdict.loops)
        loops = frozenset(loop.edges for loop in verdict.loops)
        # The same loop twice is as wrong as a loop that breaks a rule.
        wrong += len(verdict.loops) - len(loops)
        opinions.append(Opinion(method, verdict.status.value, loops, not verdict.timed_out, wrong))
    lattice = puzzle.lattice
    if lattice.rows * lattice.cols <= brute.MOST_VERTICES:
        found = [loop.edges for loop in brute.solutions(puzzle)][:limit]
        status = ("none", "unique", "multiple")[min(len(found), 2)]
        opinions.append(Opinion(BRUTE, status, frozenset(found), True))
    return Comparison(tuple(opinions), limit)


class Compared(NamedTuple):
    """A board of a bank and the opinions on it; Lost when it took its worker down twice."""

    entry: Entry
    comparison: Comparison | Lost


def compare_all(
    entries: Iterable[Entry],
    limit: int,
    executor: Callable[[], Executor],
    *,
    steps: int | None = None,
    seconds: float | None = None,
    around: Around = nullcontext,
) -> Generator[Compared]:
    """`compare` for all boards of a bank, in their order; every entry must have a board.

    Each method has the steps on each board, STEPS by default. When the seconds are over, boards
    under way are dropped, and this raises OutOfBudget. `around` is picklable; it lasts while a
    board is compared, in the process that does.
    """
    work = partial(
        _compared,
        limit=limit,
        steps=STEPS if steps is None else steps,
        until=None if seconds is None else time() + seconds,
        around=around,
    )
    with closing(run(entries, work, _lost, executor)) as results:
        for number, compared in enumerate(results):
            if compared is None:
                raise OutOfBudget(f"the time is spent after {plural(number, 'board')}")
            yield compared


def _compared(
    entry: Entry, limit: int, steps: int, until: float | None, around: Around
) -> Compared | None:
    """None when the time, as the system's clock has it, is over."""
    assert isinstance(entry.puzzle, Puzzle)
    budget = Budget(None if until is None else max(until - time(), 0.0))
    try:
        with around(budget):
            return Compared(entry, compare(entry.puzzle, limit, steps, budget=budget))
    except Cancelled:
        raise
    except OutOfBudget:
        return None


def _lost(entry: Entry, reason: str) -> Compared:
    return Compared(entry, Lost(reason))


def random_board(
    genre: str, rows: tuple[int, int], cols: tuple[int, int], density: float, seed: int
) -> Puzzle:
    """A board with true clues about a random loop, some of them changed in every other board.

    `rows` and `cols` are the least and the most; a clue stands in a share `density` of the
    cells where one can. The same arguments give the same board.
    """
    random = Random(f"{genre} {rows} {cols} {density} {seed}")
    kind: type[Puzzle] = genres.genre(genre).PUZZLE
    blank = kind(random.randint(*rows), random.randint(*cols))
    lattice: Lattice = blank.lattice
    if min(lattice.rows, lattice.cols) < 2:
        return blank
    loop = grow(lattice, random, cover=random.uniform(0.2, 0.8))
    changes = random.choice((0.0, 0.0, 0.1, 0.4))
    clues = []
    for row in range(blank.rows):
        for col in range(blank.cols):
            choices = kind.true_clues(loop, (row, col))
            if not choices or random.random() >= density:
                continue
            clue = random.choice([*choices, *choices[0].weaker()])
            if random.random() < changes:
                clue = random.choice(list(clue.variations()) or [clue])
            clues.append(clue)
    return msgspec.structs.replace(blank, clues=tuple(clues))
