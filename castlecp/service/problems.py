"""Errors as problems: one table from what castlecp raises to a status and a name."""

from __future__ import annotations

from typing import NamedTuple

from castlecp import wire
from castlecp.errors import (
    CastlecpError,
    Disagreement,
    FormatError,
    Lacking,
    OutOfBudget,
    PuzzleError,
    Rejected,
    TooLarge,
    Unfit,
    Unknown,
)


class Kind(NamedTuple):
    """A kind of problem: the end of its type, its title, and its status."""

    name: str
    title: str
    status: int

    def told(self, detail: str) -> wire.Problem:
        """A problem of this kind."""
        return wire.Problem(
            type=f"castlecp:{self.name}", title=self.title, status=self.status, detail=detail
        )


class Refused(CastlecpError):
    """A question that the service does not take; `retry` is after how many seconds it may."""

    def __init__(self, kind: Kind, detail: str, retry: float | None = None) -> None:
        super().__init__(detail)
        self.kind, self.retry = kind, retry


UNREADABLE = Kind("unreadable", "It cannot be read", 422)
TOO_LARGE = Kind("too-large", "Larger than what is taken", 413)
NOT_JSON = Kind("not-json", "The body is not JSON", 415)
NOT_FOUND = Kind("not-found", "Nothing is there", 404)
NOT_ALLOWED = Kind("not-allowed", "Not with this method", 405)
BAD_REQUEST = Kind("bad-request", "The request cannot be read", 400)
SLOW = Kind("too-slow", "The body took too long to arrive", 408)
SECRET = Kind("secret", "The secret of the job is wanted", 401)
RATE = Kind("too-many", "Too many questions", 429)
BUSY = Kind("busy", "All workers are busy", 503)
DEADLINE = Kind("deadline", "Stopped at its deadline", 503)
MEMORY = Kind("memory", "The memory is spent", 503)
LOST = Kind("lost", "The worker died", 503)
STARTING = Kind("starting", "The service is starting", 503)
DISK = Kind("disk", "It cannot be stored", 507)
STOPPING = Kind("stopping", "The service is stopping", 503)
FAULT = Kind("fault", "A fault of castlecp itself", 500)

#: What an error means; the first that fits.
KINDS: tuple[tuple[type[BaseException], Kind], ...] = (
    (Unknown, Kind("unknown-name", "A name that nothing has", 422)),
    (FormatError, UNREADABLE),
    (PuzzleError, Kind("impossible", "A puzzle that cannot exist", 422)),
    (Lacking, Kind("lacking", "Not there for this genre yet", 422)),
    (Unfit, Kind("unfit", "Not a board for this question", 422)),
    (OutOfBudget, Kind("out-of-budget", "The budget ended first", 422)),
    (TooLarge, TOO_LARGE),
    (Rejected, Kind("rejected", "A certificate that does not stand", 422)),
    (Disagreement, Kind("disagreement", "Two methods disagree", 500)),
    (CastlecpError, Kind("refused", "What is asked cannot be", 422)),
    (MemoryError, MEMORY),
    (OverflowError, UNREADABLE),
)


def problem_of(error: BaseException) -> wire.Problem:
    """What to say of an error; nothing of its inside when it is not one of castlecp's."""
    if isinstance(error, Refused):
        return error.kind.told(str(error))
    for kind, problem in KINDS:
        if isinstance(error, kind):
            return problem.told(str(error) or problem.title)
    return FAULT.told("a fault of castlecp itself; it is in the log of the service")
