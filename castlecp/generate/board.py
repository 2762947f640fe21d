"""From a seed to a board: a loop, every true clue about it, then levers, then the gate.

A board is the same for the same settings and seed, on every machine and whoever else is at work:
it has a solver and a source of randomness of its own, is decided on proofs alone, and its budget
counts steps, never seconds. What does not fit is drawn again, with the next number of the seed,
and counted by the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from random import Random
from typing import Any

import msgspec

from castlecp import __version__
from castlecp.budget import Budget
from castlecp.errors import CastlecpError, Disagreement, OutOfBudget
from castlecp.generate.dials import Dials
from castlecp.generate.difficulty import BANDS, Band, Measures, measure, nodes, rungs
from castlecp.generate.layout import Cell, Layout, orbits
from castlecp.generate.loops import SOURCES, Wish
from castlecp.generate.repair import repaired
from castlecp.genres import Puzzle, genre
from castlecp.grid import Loop
from castlecp.nouns import plural
from castlecp.shape import Checked
from castlecp.solver import solve
from castlecp.verdict import Status

#: Loops drawn for one board before it is given up: at most so many, and fewer of many cells.
TRIES, CELLS = 400, 40_000
#: Cells from which on an ambiguous loop is repaired instead of drawn again; below, that is dearer,
#: unless a pattern leaves few loops that would do.
LARGE = 300
#: Conflicts of solvers for one board before it is given up.
STEPS = 2_000_000


class Settings(Checked, frozen=True, kw_only=True):
    """What is asked of a board. Raises CastlecpError for what no board could have.

    Of a `minimal` board no clue, and of a symmetric one no group of clues, can be taken away.
    """

    genre: str
    rows: int
    cols: int
    difficulty: str = "normal"
    source: str = "tilted"
    max_rung: str | None = None
    min_rung: str | None = None
    max_steps: int | None = None
    min_clues: int = 0
    max_clues: int | None = None
    minimal: bool = False
    symmetry: Layout = "none"
    pattern: tuple[Cell, ...] | None = None
    no_zero: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _known("difficulty", self.difficulty, BANDS)
        _known("source of loops", self.source, SOURCES)
        if self.max_rung or self.min_rung:
            order = rungs(self.blank())
            for rung in filter(None, (self.max_rung, self.min_rung)):
                _known("rung", rung, order)
            ends = [order.index(rung) for rung in (self.min_rung, self.max_rung) if rung]
            if ends != sorted(ends):
                raise CastlecpError(f"`{self.min_rung}` is harder than `{self.max_rung}`")
        if self.max_steps is not None and self.max_steps < 0:
            raise CastlecpError(f"a person cannot take {plural(self.max_steps, 'step')}")
        if self.min_clues < 0:
            raise CastlecpError(f"a board cannot have {plural(self.min_clues, 'clue')}")
        if self.max_clues is not None and self.max_clues < self.min_clues:
            verb = "is" if self.min_clues == 1 else "are"
            least = plural(self.min_clues, "clue")
            raise CastlecpError(f"{least} {verb} more than {self.max_clues}")
        if self.minimal and (self.min_clues or self.pattern is not None):
            raise CastlecpError("a minimal board has the clues it needs: ask for no others")
        self.blank()
        if self.pattern is not None:
            msgspec.structs.force_setattr(self, "pattern", tuple(sorted(set(self.pattern))))
            if not all(0 <= r < self.rows and 0 <= c < self.cols for r, c in self.pattern):
                raise CastlecpError("the pattern has a cell off the board")
            cells = sum(map(len, orbits(self.pattern, self.symmetry, self.rows, self.cols)))
            if cells < len(self.pattern):
                raise CastlecpError("the pattern does not have the symmetry asked for")

    def seed(self, seed: int, tries: int) -> str:
        """What a source of randomness starts from: all that differs from the defaults."""
        told = msgspec.to_builtins(self)
        defaults = {f.name: f.default for f in msgspec.structs.fields(self)}
        asked = {name: value for name, value in told.items() if value != defaults[name]}
        return msgspec.json.encode([asked, seed, tries]).decode()

    def blank(self) -> Puzzle:
        """The board without clues."""
        puzzle: Puzzle = genre(self.genre).PUZZLE(self.rows, self.cols)
        return puzzle


def _known(what: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        raise CastlecpError(f"unknown {what} `{name}`; known: {', '.join(names)}")


class Made(msgspec.Struct, frozen=True, tag_field="format", tag="castlecp-board-1"):
    """A board as a bank keeps it."""

    id: str
    seed: int
    settings: Settings
    version: str
    puzzle: Puzzle
    solution: dict[str, Any] | None
    status: str
    grade: Measures
    nodes: int | None
    tries: int


class GivenUp(CastlecpError):
    """No board was found; the message has the reasons, the most frequent first."""


def make(
    settings: Settings,
    seed: int,
    time: Budget | None = None,
    *,
    steps: int | None = None,
    with_nodes: bool = True,
) -> Made:
    """The board of a seed; `with_nodes` says whether the backtracker is to count its nodes.

    `time` is a budget whose steps are tries; of `steps`, conflicts of solvers, a board has STEPS
    unless told otherwise. Raises GivenUp, CastlecpError when there can be none,
    and OutOfBudget.
    """
    reasons: Counter[str] = Counter()
    time = time or Budget()
    budget = time.aside(STEPS if steps is None else steps)
    tries = 0
    most = max(20, min(TRIES, CELLS // (settings.rows * settings.cols)))
    try:
        for tries in range(1, most + 1):
            time.slice(1)
            time.spend(1)
            time.tell(phase=f"seed {seed}, try {tries}")
            found = attempt(settings, Random(settings.seed(seed, tries)), budget)
            if not isinstance(found, str):
                made = _certified(settings, seed, tries, *found)
                if with_nodes:
                    made = msgspec.structs.replace(made, nodes=nodes(made.puzzle, time))
                return made
            reasons[found] += 1
    except OutOfBudget:
        time.slice(1)
        reasons["a solver that is out of steps"] += 1
    told = "; ".join(f"{number} x {reason}" for reason, number in reasons.most_common())
    raise GivenUp(f"no such board for seed {seed} in {plural(tries, 'try', 'tries')}: {told}")


def _certified(
    settings: Settings, seed: int, tries: int, puzzle: Puzzle, loop: Loop, measures: Measures
) -> Made:
    """The board with all that is known of it, proved once more by a solver of its own."""
    verdict = solve(puzzle, "sat", budget=Budget(steps=STEPS))
    if verdict.status is not Status.UNIQUE or verdict.loops != (loop,):
        found = f"{verdict.status.value} after the board was proved unique"
        raise Disagreement(f"seed {seed} of {settings}: {found}")
    return Made(
        f"{settings.genre}-{settings.rows}x{settings.cols}-{settings.difficulty}-{seed}",
        seed,
        settings,
        __version__,
        puzzle,
        {"edges": sorted(loop.edges)},
        verdict.status.value,
        measures,
        None,
        tries,
    )


def attempt(
    settings: Settings, random: Random, budget: Budget
) -> tuple[Puzzle, Loop, Measures] | str:
    """A board from one loop, or why not. Raises OutOfBudget."""
    board, band = settings.blank(), BANDS[settings.difficulty]
    cells = settings.pattern or ()
    wish = Wish(
        winding=band.winding,
        clear=cells if board.CLUES_STAND == "off the loop" else (),
        through=cells if board.CLUES_STAND == "on the loop" else (),
        within=cells if board.CLUES_STAND == "inside" else (),
        tilt=board.TILT,
    )
    loop = SOURCES[settings.source](board.lattice, random, wish, budget=budget)
    picks = {(r, c): random.random() for r in range(board.rows) for c in range(board.cols)}

    def clues_of(line: Loop) -> list[Any]:
        groups = clues_about(settings, board, line, picks)
        return [] if isinstance(groups, str) else [clue for group in groups for clue in group]

    told = clues_about(settings, board, loop, picks)
    if not isinstance(told, str) and (
        settings.pattern or board.rows * board.cols >= LARGE or board.LOOPS_ALIKE
    ):
        loop = repaired(board, loop, clues_of, random, budget) or loop
        told = clues_about(settings, board, loop, picks)
    if isinstance(told, str):
        return told
    clues = [clue for group in told for clue in group]
    if len(clues) < settings.min_clues:
        return "a loop that leaves too few cells for clues"
    with Dials(board, loop, clues, budget=budget) as dials:
        if not dials.unique(budget):
            return "a loop that its clues do not tell from others"
        history = turned(settings, band, dials, told, random, budget)
        return _fitting(settings, band, dials, history, loop, budget)


def clues_about(
    settings: Settings, board: Puzzle, loop: Loop, picks: dict[Cell, float]
) -> list[tuple[Any, ...]] | str:
    """A true clue for every cell that may have one, in the groups of the layout; or why not.

    `picks` from 0 to 1 say which of the true clues it is.
    """
    told: dict[Cell, Any] = {}
    for cell, pick in picks.items():
        if settings.pattern is None or cell in settings.pattern:
            clues = list(board.true_clues(loop, cell))
            if settings.no_zero:
                clues = [clue for clue in clues if getattr(clue, "number", None) != 0]
            if clues:
                told[cell] = clues[int(pick * len(clues))]
    groups = orbits(told, settings.symmetry, board.rows, board.cols)
    if settings.pattern is not None and sum(map(len, groups)) < len(settings.pattern):
        return "a loop that gets in the way of the pattern"
    if 2 * len(loop.edges) < loop.lattice.rows + loop.lattice.cols:
        return "a loop that is too short"
    return [tuple(told[cell] for cell in group) for group in groups]


def turned(
    settings: Settings,
    band: Band,
    dials: Dials,
    groups: list[tuple[Any, ...]],
    random: Random,
    budget: Budget,
) -> list[dict[int, int]]:
    """Turn clues down as the levers ask and the gate allows; the changes made, in order.

    Each group of clues has a part to play, blank, plain (one form down) or full, and plays it in
    random order as far as the board stays unique.
    """
    clues = len(dials.at)
    spare = 0 if settings.pattern is not None else clues - settings.min_clues
    wanted = clues if settings.minimal else round(band.blank * clues)
    if settings.max_clues is not None:
        wanted = max(wanted, clues - settings.max_clues)
    wanted = min(wanted, spare)
    members, first = [], 0
    for group in groups:
        members.append(range(first, first + len(group)))
        first += len(group)
    history = []
    for part in random.sample(members, len(members)):
        plain = random.random() >= band.numbered
        blank = {i: len(dials.forms[i]) for i in part}
        less = {i: 1 for i in part if len(dials.forms[i]) > 1}
        if len(part) <= wanted and dials.turn(blank, budget):
            wanted -= len(part)
            history.append(blank)
        elif plain and less and dials.turn(less, budget):
            history.append(less)
        for i in part:
            dials.settle(i)
    return history


def _fitting(
    settings: Settings,
    band: Band,
    dials: Dials,
    history: list[dict[int, int]],
    loop: Loop,
    budget: Budget,
) -> tuple[Puzzle, Loop, Measures] | str:
    """The board after the most of the changes that keeps it within the limits, or why none does."""
    end = list(dials.at)
    order = rungs(settings.blank())
    limits = filter(None, (settings.max_rung, band.hardest(settings.blank())))
    hardest = min(limits, key=order.index)

    def after(changes: int) -> tuple[Puzzle, Measures]:
        dials.at = [0] * len(end)
        for change in history[:changes]:
            for i, form in change.items():
                dials.at[i] = form
        puzzle = dials.puzzle()
        return puzzle, measure(puzzle, hardest, budget)

    low, high = len(history) - 1 if settings.minimal else -1, len(history)
    best: tuple[Puzzle, Measures] | None = None
    at = high
    while low < high:
        puzzle, measures = after(at)
        if _too_hard(settings, band, measures):
            high = at - 1
        else:
            low, best = at, (puzzle, measures)
        at = (low + high + 1) // 2
    if best is None:
        return f"a board that is too hard{'' if settings.minimal else ' even with all clues'}"
    if settings.minimal and dials.unsettled:
        return "a board of which a clue might be taken away"
    puzzle, measures = best
    if _too_easy(settings, band, measures):
        return "a board that is too easy"
    if settings.max_clues is not None and len(puzzle.clues) > settings.max_clues:
        return "a board that needs more clues"
    return puzzle, loop, measures


def _too_hard(settings: Settings, band: Band, measures: Measures) -> bool:
    most = band.suppose[1]
    return (
        not measures.finished
        or (most is not None and measures.suppose > most)
        or (settings.max_steps is not None and measures.steps > settings.max_steps)
    )


def _too_easy(settings: Settings, band: Band, measures: Measures) -> bool:
    order = rungs(settings.blank())
    return measures.suppose < band.suppose[0] or (
        settings.min_rung is not None
        and (measures.rung is None or order.index(measures.rung) < order.index(settings.min_rung))
    )
