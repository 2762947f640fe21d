"""A climb of one board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from castlecp.budget import NO_LIMIT, Budget
from castlecp.genres import Puzzle
from castlecp.kernels import compiled
from castlecp.ladder.climbing import climb
from castlecp.ladder.genres import Ladder, trivial
from castlecp.ladder.genres import of as ladder_of
from castlecp.ladder.moves import moves
from castlecp.ladder.rules import RECORDS, assumes, bit
from castlecp.ladder.shortest import only_chain
from castlecp.propagation import genres as readers
from castlecp.propagation.board import Board, grid_of
from castlecp.propagation.buffers import buffer, zeros
from castlecp.propagation.fixpoint import accept
from castlecp.propagation.reading import Reading
from castlecp.propagation.state import LEFT, MOST, SHORTEST, SPENT, STOP, TRAIL, blank, waiting


class Entry(NamedTuple):
    """A step as the kernel logs it: see `climb`; without literals it is a conflict."""

    rule: str
    place: int
    detail: int
    literals: list[int]


class Climber:
    """A climb of a board by rules, easiest first; None for the whole ladder.

    Raises Unknown for the name of no rule.
    """

    def __init__(
        self,
        reading: Reading,
        ladder: Ladder,
        rules: Sequence[str] | None,
        trivial: Sequence[str] = (),
    ) -> None:
        self.reading, self.rungs, self.trivial = reading, dict(ladder), trivial
        self.rules = [rule for rule, _ in ladder] if rules is None else list(rules)

    @classmethod
    def of(
        cls, puzzle: Puzzle, rules: Sequence[str] | None = None, budget: Budget | None = None
    ) -> Self:
        """A climb of a puzzle by its genre's ladder. Raises OutOfBudget and TooLarge."""
        reader = readers.of(puzzle)
        grid_of(puzzle.lattice, budget)  # what takes longest; the reader finds it made
        return cls(reader.read(puzzle), ladder_of(puzzle), rules, trivial(puzzle))

    def run(
        self,
        budget: Budget,
        known: Sequence[int] = (),
        assumptions: int = NO_LIMIT,
        shortest: bool = False,
    ) -> tuple[int, list[Entry]]:
        """How the climb ended, and its log as (rule, place, detail, literals).

        With `shortest` a probe is the one with the shortest chain, else the first that there is:
        what is settled in the end is the same, but not by how many of them.
        """
        board = self.reading.board
        known = [*board.given, *known]
        return climbed(board, known, self.rules, budget, assumptions, shortest)

    def moves(self, log: Sequence[Entry], known: Sequence[int] = ()) -> list[int]:
        """How many moves are open before each step of a climb without a conflict; see `moves`."""
        board = self.reading.board
        flat = [x for one in log for x in (bit(one.rule), *one[1:3], len(one[3]), *one[3])]
        out, state = zeros(len(log)), blank(board)
        found = compiled(moves)(
            board,
            state,
            buffer([*board.given, *known]),
            buffer([len(flat) + 1, *flat]),
            sum(bit(name) for name in self.rules if not assumes(name)),
            out,
        )
        return list(out[:found])


def climbed(
    board: Board,
    known: Sequence[int],
    rules: Iterable[str],
    budget: Budget,
    assumptions: int = NO_LIMIT,
    shortest: bool = False,
) -> tuple[int, list[Entry]]:
    """How a climb from known literals ends, and its log; STOPPED where the budget ended it."""
    state, log = blank(board), zeros(log_size(board))
    n = state.n
    ladder = buffer(map(bit, rules))
    n[LEFT], n[MOST], n[SHORTEST] = assumptions, budget.slice(NO_LIMIT), shortest

    def stop() -> None:
        n[STOP] = 1

    with budget.stopping(stop):
        end = compiled(climb)(board, state, buffer(known), ladder, log)
    budget.spend(n[SPENT])
    return end, entries_of(log[: log[0]].tolist())


def chain_of(board: Board, known: Sequence[int], rules: Iterable[str], literal: int) -> list[Entry]:
    """The links of the shortest chain that is found from an assumption, the conflict last.

    By rules that assume nothing; no links where it does not end in a conflict.
    """
    state = blank(board)
    ladder = buffer(bit(rule) for rule in rules if not assumes(rule))
    if not compiled(only_chain)(board, state, buffer(known), ladder, literal):
        return []
    entries = entries_of(state.chain[: state.chain[0]].tolist())
    if board.by_faces:  # what follows for edges is told with the faces
        for entry in [Entry("", literal, 0, [literal]), *entries]:
            before = state.n[TRAIL]
            for x in entry.literals:
                accept(board, state, x)
            new = state.trail[before : state.n[TRAIL]].tolist()
            entry.literals.extend(x for x in new if x >= 0)
    return entries


def log_size(board: Board) -> int:
    """The room that the log of any climb needs: see `climb`. A conflict logs all that waits."""
    return 5 * (len(board.ends) // 2 + 2 * (board.outer + 1)) + 8 + waiting(board)


def entries_of(log: Sequence[int]) -> list[Entry]:
    """The log of a climb, entry by entry."""
    names = {bit(name): name for name in RECORDS}
    out, at = [], 1
    while at < log[0]:
        rule, place, detail, size = log[at : at + 4]
        out.append(Entry(names[rule], place, detail, list(log[at + 4 : at + 4 + size])))
        at += 4 + size
    return out
