"""Every error castlecp raises on purpose.

CastlecpError
|-- FormatError         text that cannot be read, or a puzzle that a format cannot say
|   `-- Unknown         a name of a genre, an engine, a format, ... that nothing has
|-- Lacking             a genre that has no model, ladder, ... yet
|-- PuzzleError         a puzzle that breaks the rules of its own genre (a clue off the board)
|-- Unfit               a puzzle that is not what the question supposes, such as unique
|-- OutOfBudget         an engine or a search ran out of seconds or steps
|   `-- Cancelled       somebody called `Budget.cancel`
|-- TooLarge            a board for which the memory cannot suffice
|-- Rejected            a certificate that does not prove what it says
`-- Disagreement        two methods settled the same question and differ

FormatWarning           text was read, but something in it deserves a second look
"""

from __future__ import annotations

from typing import Any


def sized(rows: int, cols: int) -> str:
    """A size as sentences say it, in the order of addresses: `36 wide, 20 high`."""
    return f"{cols} wide, {rows} high"


class CastlecpError(Exception):
    """Base of all errors of this package."""


class FormatError(CastlecpError, ValueError):
    """A text that cannot be read, or a puzzle that a format cannot say.

    The message is one sentence that names the place (line, position or key).
    """


class Unknown(FormatError):
    """A name that no genre, engine, format or other such thing has; the message lists them."""


class Lacking(CastlecpError):
    """What a genre does not have yet, and the file it would be in."""


class PuzzleError(CastlecpError, ValueError):
    """A puzzle that cannot exist: a size, a clue or a clue's place is not allowed."""


class Unfit(CastlecpError, ValueError):
    """A puzzle, or an answer to it, that is not what the question supposes.

    A puzzle to minimise that has several solutions, say: nothing was read wrongly.
    """


class OutOfBudget(CastlecpError):
    """The seconds or steps of a `Budget` are spent; nothing was settled.

    `known` is what had been found until then, where a search says that it gives it.
    """

    def __init__(self, message: str, known: Any = None) -> None:
        super().__init__(message)
        self.known = known


class Cancelled(OutOfBudget):
    """A `Budget` was cancelled, by a person or by another thread; nothing was settled."""


class TooLarge(CastlecpError):
    """A lattice for which the memory cannot suffice; the message says how much it takes."""


class Rejected(CastlecpError):
    """A certificate, or a claim about a board, that does not stand; the message says why."""


class Disagreement(CastlecpError):
    """Two methods settled the same question with different answers: a bug in castlecp."""


class FormatWarning(UserWarning):
    """A text was read, but part of it was ignored or says nothing."""
