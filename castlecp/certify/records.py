"""One line of a certificates file: a board of a bank and what became of it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from castlecp.bank import sealed
from castlecp.certify.certificate import Certificate
from castlecp.errors import CastlecpError
from castlecp.nouns import plural

#: What can become of a board, good news first.
STATUSES = ("unique", "multiple", "none", "inconclusive", "unreadable", "disagreement")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A board's status, its name and place in the bank, and what supports the status.

    A unique board has a certificate, or, when no proof was asked for, its puzzle and solution.
    An ambiguous one has its puzzle and two solutions, each as sorted edges. `reason` says why a
    board is inconclusive or unreadable, or what disagreed; `seconds` and `steps` are the budget
    that was not enough for an inconclusive one. `digest` seals a line: see `castlecp.bank.sealed`.
    """

    status: Literal["unique", "multiple", "none", "inconclusive", "unreadable", "disagreement"]
    name: str
    place: str
    reason: str | None = None
    puzzle: dict[str, Any] | None = None
    solutions: tuple[tuple[tuple[int, int, int, int], ...], ...] = ()
    certificate: Certificate | None = None
    seconds: float | None = None
    steps: int | None = None
    digest: str = ""

    @property
    def board(self) -> dict[str, Any] | None:
        """The puzzle, wherever it stands."""
        return self.certificate.puzzle if self.certificate else self.puzzle

    def is_open(self, seconds: float | None, steps: int | None) -> bool:
        """Whether the board is inconclusive and another budget is larger than the one it had."""
        return self.status == "inconclusive" and (
            _is_more(seconds, self.seconds) or _is_more(steps, self.steps)
        )

    def note(self) -> str:
        """The record in a few words, for people; nothing for a unique board."""
        if self.status == "unique":
            return ""
        where = self.place if self.name in self.place else f"{self.name} ({self.place})"
        if self.status == "multiple":
            first, second = map(frozenset, self.solutions)
            what = f"two solutions that differ in {plural(len(first ^ second), 'edge')}"
        else:
            what = (self.reason or "").removeprefix(f"{self.place}: ")
        return f"{self.status}: {where}" + (f": {what}" if what else "")


def _is_more(now: float | None, before: float | None) -> bool:
    """Whether a limit is larger than another; None is no limit."""
    return before is not None and (now is None or now > before)


class Done(NamedTuple):
    """A record as the line it makes; `note` as in `Record`; seconds by part of the work.

    `board` is the hash of the puzzle where a line was checked and has one.
    """

    status: str
    line: bytes
    note: str
    seconds: dict[str, float]
    board: str = ""

    @classmethod
    def of(cls, record: Record, seconds: dict[str, float] | None = None) -> Done:
        """The line of a record."""
        line = sealed(msgspec.structs.replace(record, digest=""))
        return cls(record.status, line, record.note(), seconds or {})

    @classmethod
    def again(cls, line: bytes) -> Done:
        """What a line of an earlier run says. Raises CastlecpError when that is nothing."""
        if line.startswith(b'{"status":"unique",'):
            return cls("unique", line, "", {})
        return cls.of(read(line))


def read(line: bytes) -> Record:
    """The record in a line. Raises CastlecpError."""
    try:
        return msgspec.json.decode(line, type=Record)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise CastlecpError(f"not a line of a certificates file: {error}") from None
