"""Make the record of a board: what a worker does in a run over a bank."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from threading import get_ident
from typing import Any

import msgspec
from msgspec.structs import replace

from castlecp.auto import solve
from castlecp.bank import Entry, Item
from castlecp.budget import Budget
from castlecp.certify.records import Done, Record
from castlecp.errors import CastlecpError, Disagreement, FormatWarning
from castlecp.genres import Puzzle
from castlecp.grid import Lattice, Loop
from castlecp.session import Session
from castlecp.verdict import Status, Verdict


def certify_item(
    item: Item,
    *,
    fast: bool = False,
    graded: bool = True,
    seconds: float | None = None,
    steps: int | None = None,
) -> Done:
    """The record of a board; `fast` makes no proof."""
    with quiet():
        return _done(item.entry(), fast, graded, seconds, steps)


def lost(
    item: Item, reason: str, *, seconds: float | None = None, steps: int | None = None
) -> Done:
    """The record of a board that took its worker down twice."""
    with quiet():
        entry = item.entry()
    record = _record("inconclusive", entry, reason=reason)
    return Done.of(replace(record, seconds=seconds, steps=steps))


@contextmanager
def quiet() -> Iterator[None]:
    """Without warnings about what a text says in vain: they are for who writes one board."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        yield


def _done(entry: Entry, fast: bool, graded: bool, seconds: float | None, steps: int | None) -> Done:
    puzzle, budget, took = entry.puzzle, Budget(seconds, steps), None
    if isinstance(puzzle, CastlecpError):
        return Done.of(_record("unreadable", entry, reason=str(puzzle)))
    try:
        if fast:
            verdict = _verdict(puzzle, budget)
            reason = "the budget is spent" if verdict.timed_out else None
            record = _record(verdict.status.value, entry, reason=reason, loops=verdict.loops)
        else:
            from castlecp.certify.prove import certify

            outcome = certify(puzzle, budget, graded=graded)
            status, loops, took = outcome.status.value, outcome.loops, outcome.seconds
            if outcome.status is Status.UNIQUE:
                record = Record("unique", entry.name, entry.place, certificate=outcome.certificate)
            else:
                record = _record(status, entry, reason=outcome.reason, loops=loops)
    except Disagreement as error:
        return Done.of(_record("disagreement", entry, reason=str(error)))
    if record.status == "inconclusive":
        record = replace(record, seconds=seconds, steps=steps)
    return Done.of(record, took)


def _record(
    status: Any, entry: Entry, reason: str | None = None, loops: Sequence[Loop] = ()
) -> Record:
    readable = not isinstance(entry.puzzle, CastlecpError)
    return Record(
        status,
        entry.name,
        entry.place,
        reason,
        msgspec.to_builtins(entry.puzzle) if readable else None,
        tuple(tuple(sorted(loop.edges)) for loop in loops),
    )


def _verdict(puzzle: Puzzle, budget: Budget) -> Verdict:
    """The verdict of a warm session; under a budget of steps of a cold solver.

    A session may settle with what it learnt what the steps alone would not settle, and then
    the record would depend on the boards before.
    """
    if budget.steps is not None:
        return solve(puzzle, budget=budget)
    return _session(puzzle.lattice, get_ident()).solve(puzzle, budget)


@lru_cache(maxsize=8)
def _session(lattice: Lattice, thread: int) -> Session:
    """The session of a lattice, one a thread since solvers cannot be shared."""
    return Session(lattice)
