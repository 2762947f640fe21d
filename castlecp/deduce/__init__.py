"""How a person solves: the ladder of rules, its steps with reasons, and the grade of a board.

A *rule* is a kernel that looks for the first thing that follows (`line`, `faces`, `counts`,
`rays`, `patterns`, `sights`, `statements`, `assume`); a *rung* is its name on the ladder.
`castlecp/deduce/<genre>.py` holds the genre's ladder, a table of (rule, rung) with the easiest
first, and reads its clues into a `Board`. `climb` takes the steps: always the first rule of the
table that finds something.

To add a rule: write its kernel in the module of its subject, give it a bit in `state`, a line
in `climbing.apply` (and in `propagate.propagate` when assumptions may use it), a sentence in
`sentences`, and its place in the ladders of the genres that use it.
To add a genre: add `castlecp/deduce/<genre>.py` with LADDER, SEARCH (the rules of the
backtracker's fixpoint) and `read(puzzle, parities=True)`, which gives a `Reading`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from castlecp.deduce.arrays import arrays
from castlecp.deduce.board import LEFT, OPEN, Board, State, blank
from castlecp.deduce.climbing import DEAD, FINISHED, STUCK, climb
from castlecp.deduce.propagate import accept
from castlecp.deduce.reading import Reading, edge_words
from castlecp.deduce.sentences import sentence
from castlecp.deduce.state import (
    CHEAP,
    CORNER,
    COUNT,
    DEGREE,
    DIFFERENCE,
    DOUBLE,
    FORK,
    PARITY,
    PATTERN,
    PROBE,
    RAY,
    REACH,
    SIDES,
    SIGHT,
    STATEMENT,
)
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Loop, Vertex
from castlecp.kernels import compiled

__all__ = [
    "Grade",
    "Step",
    "edge_words",
    "explain",
    "grade",
    "ladder",
    "next_step",
    "side_words",
]

# One board is climbed by the kernels as plain Python, which is done before a compiler would be
# loaded (one to two seconds), unless one of these is exceeded.
#: The number of vertices.
PLAIN_VERTICES = 150
#: The number of edges that are open when the rules dearer than single probes begin.
PLAIN_OPEN = 120

#: More steps and assumptions than any climb has.
NO_LIMIT = 1 << 40


@dataclass(frozen=True)
class Step:
    """One step of a solution: what is settled and why.

    `relations` are pairs of faces that lie on the same side of the line (False) or on
    different sides (True); None stands for the outside beyond the border, so that a pair with
    None says that a face is outside or inside. `vertices`, `edges` and `faces` are where the
    reason is. `assumed` is the edge (on or off) or the face (inside or outside) that a probe
    assumes, and `chain` what follows from that up to the contradiction, which is a step that
    settles nothing.
    """

    rung: str
    sentence: str
    on: tuple[Edge, ...] = ()
    off: tuple[Edge, ...] = ()
    relations: tuple[tuple[Face | None, Face | None, bool], ...] = ()
    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    faces: tuple[Face, ...] = ()
    assumed: tuple[Edge | Face, bool] | None = None
    chain: tuple[Step, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Grade:
    """How hard a board is: the hardest rung that was needed, and how often each was.

    `finished` says whether the ladder settled every edge; if not, the board needs guessing.
    `contradiction` says that the board was shown to have no answer. `settled` is the share of
    the edges that were settled.
    """

    hardest: str | None
    steps: int
    per_rung: dict[str, int]
    finished: bool
    contradiction: bool
    settled: float


def ladder(puzzle: Puzzle) -> tuple[tuple[int, str], ...]:
    """The ladder of the puzzle's genre: (rule, rung), easiest first."""
    table: tuple[tuple[int, str], ...] = _genre(puzzle).LADDER
    return table


def explain(puzzle: Puzzle, rules: Sequence[int] | None = None, chains: bool = True) -> list[Step]:
    """The steps of a person's solution, in order, as far as the ladder goes.

    `rules` are the rules to use, easiest first; None for the genre's whole ladder. Without
    `chains` the steps of probes do not say how their assumption ends. The last step settles
    nothing when the board has no answer.
    """
    climber = _Climber(puzzle, rules)
    _, log = climber.run()
    return climber.steps(log, chains)


def grade(puzzle: Puzzle, rules: Sequence[int] | None = None, assumptions: int = NO_LIMIT) -> Grade:
    """How hard the board is for a person; `rules` as in `explain`.

    The rules dearer than single probes find nothing more once they have made so many
    `assumptions`, which is the same on every machine.
    """
    climber = _Climber(puzzle, rules)
    end, log = climber.run(assumptions=assumptions)
    used: Counter[int] = Counter(rule for rule, *_ in log)
    per_rung: Counter[str] = Counter()
    for rule in climber.rules:
        if used[rule]:
            per_rung[climber.rungs[rule]] += used[rule]
    hardest = next((climber.rungs[rule] for rule in reversed(climber.rules) if used[rule]), None)
    edges = len(climber.reading.board.ends) // 2
    known = sum(literal < 2 * edges for *_, literals in log for literal in literals)
    share = known / max(edges, 1)
    return Grade(hardest, len(log), dict(per_rung), end == FINISHED, end == DEAD, share)


def next_step(puzzle: Puzzle, line: Loop, outside: Collection[Face] | None = None) -> Step | None:
    """The easiest next step from what a player has drawn: the edges of `line` are on.

    A player draws what is on and not what is off, so steps that draw nothing are taken
    silently; the step returned is the first that puts an edge on. Where a player shades what is
    outside, so that these faces are given instead, it is the first that shades another. Its
    reason may lean on what was taken silently. None when the ladder finds no such step. On a
    line that contradicts the solution the step may do so too; `castlecp.hint` looks after that.
    """
    climber = _Climber(puzzle, None)
    edges, outer = len(puzzle.lattice.edges), climber.reading.board.outer
    if outside is None:
        number = {edge: k for k, edge in enumerate(puzzle.lattice.edges)}
        known = [2 * number[edge] + 1 for edge in sorted(line.edges)]
    else:
        across = puzzle.lattice.cols - 1
        known = [2 * (edges + (r * across + c) * (outer + 1) + outer) for r, c in sorted(outside)]
    _, log = climber.run(known)

    def draws(literal: int) -> bool:
        if outside is None:
            return literal < 2 * edges and literal & 1 == 1
        return literal >= 2 * edges and literal & 1 == 0

    for k, (_, _, _, literals) in enumerate(log):
        if any(map(draws, literals)):
            return climber.steps(log[: k + 1], True, known, first=k)[0]
    return None


def side_words(puzzle: Puzzle) -> tuple[str, str]:
    """What the genre calls a face outside and one inside."""
    words: tuple[str, str] = _genre(puzzle).read(puzzle).sides
    return words


class _Climber:
    """A climb of one board, and its steps in words."""

    def __init__(self, puzzle: Puzzle, rules: Sequence[int] | None) -> None:
        self.rungs = dict(ladder(puzzle))
        self.rules = list(self.rungs) if rules is None else list(rules)
        self.reading: Reading = _genre(puzzle).read(puzzle)

    def run(
        self, known: Sequence[int] = (), assumptions: int = NO_LIMIT
    ) -> tuple[int, list[tuple[int, int, int, list[int]]]]:
        """How the climb ended, and its log as (rule, place, detail, literals)."""
        board = self.reading.board
        known = [*board.given, *known]
        if len(board.passed) > PLAIN_VERTICES or "numba" in sys.modules:
            return self._compiled(known, assumptions)
        easy = [rule for rule in self.rules if rule <= PROBE]
        state, log = blank(board), _log(board)
        state.n[LEFT] = assumptions
        end = climb(board, state, known, easy, NO_LIMIT, log)
        entries = _entries(log)
        if end == STUCK and easy != self.rules:
            if state.n[OPEN] > PLAIN_OPEN:
                return self._compiled(known, assumptions)
            end = climb(board, state, [], self.rules, NO_LIMIT, log)
            entries += _entries(log)
        return end, entries

    def _compiled(
        self, known: list[int], assumptions: int
    ) -> tuple[int, list[tuple[int, int, int, list[int]]]]:
        import numpy

        board, state = arrays(self.reading.board)
        state.n[LEFT] = assumptions
        start, rules, log = (
            numpy.array(numbers, numpy.int64)
            for numbers in (known, self.rules, _log(self.reading.board))
        )
        end = compiled(climb)(board, state, start, rules, NO_LIMIT, log)
        return end, _entries(log.tolist())

    def steps(
        self,
        log: list[tuple[int, int, int, list[int]]],
        chains: bool,
        known: Sequence[int] = (),
        first: int = 0,
    ) -> list[Step]:
        """The log in words, from entry `first` on, by going through it once more."""
        board = self.reading.board
        state = blank(board)
        for literal in [*board.given, *known]:
            accept(board, state, literal)
        trail = [*board.given, *known]
        steps = []
        for k, (rule, place, detail, literals) in enumerate(log):
            if k >= first:
                before = trail if chains else None
                steps.append(self._step(state, rule, place, detail, literals, before))
            for literal in literals:
                accept(board, state, literal)
            trail += literals
        return steps

    def _step(
        self,
        state: State,
        rule: int,
        place: int,
        detail: int,
        literals: list[int],
        trail: list[int] | None,
    ) -> Step:
        reading = self.reading
        edges = len(state.edge)
        faces = reading.board.outer + 1
        settled = [literal for literal in literals if literal < 2 * edges]
        relations = []
        for literal in literals:
            if literal >= 2 * edges:
                f, g = divmod((literal >> 1) - edges, faces)
                relations.append((reading.face(f), reading.face(g), literal & 1 == 1))
        assumed: tuple[Edge | Face, bool] | None = None
        chain: tuple[Step, ...] = ()
        if rule in (PROBE, DOUBLE):
            assumed = (reading.thing(place), place & 1 == 1)
            if trail is not None:
                chain = self._chain(rule, [*trail, place])
        return Step(
            self.rungs[rule],
            sentence(rule, reading, state, place, detail, literals),
            tuple(reading.edge(x >> 1) for x in settled if x & 1),
            tuple(reading.edge(x >> 1) for x in settled if not x & 1),
            tuple(relations),
            **_places(reading, rule, place, detail),
            assumed=assumed,
            chain=chain,
        )

    def _chain(self, rule: int, trail: list[int]) -> tuple[Step, ...]:
        """What follows from a trail whose last literal is assumed, up to the contradiction."""
        easier = self.rules[: self.rules.index(rule)]
        easier = [r for r in easier if r & CHEAP or (rule == DOUBLE and r == PROBE)]
        board, state = self.reading.board, blank(self.reading.board)
        log = _log(board)
        climb(board, state, trail, easier, NO_LIMIT, log)
        return tuple(self.steps(_entries(log), False, trail[len(board.given) :]))


def _log(board: Board) -> list[int]:
    """Room for the log of any climb: see `climb`."""
    return [0] * (5 * (len(board.ends) // 2 + 2 * (board.outer + 1)) + 8)


def _entries(log: list[int]) -> list[tuple[int, int, int, list[int]]]:
    out, at = [], 1
    while at < log[0]:
        rule, place, detail, size = log[at : at + 4]
        out.append((rule, place, detail, log[at + 4 : at + 4 + size]))
        at += 4 + size
    return out


def _places(reading: Reading, rule: int, place: int, detail: int) -> dict[str, Any]:
    """Where the reason of a step is, for pictures."""
    if rule == DEGREE:
        return {"vertices": (reading.vertex(place),)}
    if rule in (COUNT, DIFFERENCE, RAY):
        at, board = reading.tellers[place], reading.board
        members = board.count[board.count_at[place] : board.count_at[place + 1]]
        return {
            reading.cells: tuple((clue.row, clue.col) for clue in at),
            "edges": tuple(map(reading.edge, members)),
        }
    if rule == PATTERN:
        return {"faces": (reading.face(place),)}
    if rule == SIGHT:
        sights = reading.board.sight
        return {"faces": tuple(map(reading.face, [sights[place]] if place >= 0 else sights))}
    if rule == STATEMENT:
        faces = map(reading.face, sorted({*reading.board.claim[::3], *reading.board.claim[1::3]}))
        return {"faces": tuple(face for face in faces if face)}
    if rule == PARITY:
        board = reading.board
        members = board.row[board.row_at[place] : board.row_at[place + 1]]
        return {"edges": tuple(map(reading.edge, members))}
    if rule in (SIDES, CORNER) and place < 0:
        return {"vertices": (reading.vertex(detail),) if detail >= 0 else ()}
    if rule == REACH:
        outer = reading.board.outer
        if place > outer:
            return {"edges": (reading.edge(place - outer - 1),)}
        face = reading.face(place)
        return {"faces": (face,) if face else ()}
    if rule in (PROBE, FORK, DOUBLE):
        thing = reading.thing(place)
        return {"edges": (thing,)} if isinstance(thing, Edge) else {"faces": (thing,)}
    return {"edges": (reading.edge(place),)} if reading.lattice.edges else {}


def _genre(puzzle: Puzzle) -> Any:
    return import_module(f"{__name__}.{type(puzzle).__struct_config__.tag}")
