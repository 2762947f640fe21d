"""What is kept of a board, and how two records of it become one.

Merging is a join: in any order, any number of times, it comes to the same. A reset begins a new
epoch, which wins over all that was before, so that no device that was away brings it back.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

#: The largest whole number that every reader of JSON takes for what it is.
LARGEST = 2**53 - 1
#: Bytes that what is told of a board, and what is drawn on it, may have.
MOST_ABOUT = MOST_BODY = 65_536

Count = Annotated[int, Meta(ge=0, le=LARGEST)]
Seconds = Annotated[float, Meta(ge=0, le=LARGEST)]
#: A board is the SHA-256 of what it asks, a device a random number of its own.
Board = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Device = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Progress(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far a player is with a board.

    `epoch` counts resets. Within one, counters and flags only grow and `best` (seconds; None is no
    time) only falls. `about` is the board itself, and where it comes from, as the page packs it.
    """

    board: Board
    epoch: Count = 0
    solved: bool = False
    accused: bool = False
    hints: Count = 0
    checks: Count = 0
    seconds: Seconds = 0.0
    best: Seconds | None = None
    about: Annotated[bytes, Meta(max_length=MOST_ABOUT)] = b""


class Drawing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is drawn on a board: of several the one with the greatest (epoch, stamp, device).

    `stamp` grows with every stroke, past all stamps that a device has seen (Lamport, "Time, clocks,
    and the ordering of events in a distributed system", 1978).
    """

    board: Board
    epoch: Count = 0
    stamp: Count = 0
    device: Device
    body: Annotated[bytes, Meta(max_length=MOST_BODY)]


def joined(a: Progress, b: Progress) -> Progress:
    """Two records of one board as one."""
    if a.epoch != b.epoch:
        newer = max(a, b, key=lambda one: one.epoch)
        return replace(newer, about=_about(a, b))
    bests = [one.best for one in (a, b) if one.best is not None]
    return Progress(
        board=a.board,
        epoch=a.epoch,
        solved=a.solved or b.solved,
        accused=a.accused or b.accused,
        hints=max(a.hints, b.hints),
        checks=max(a.checks, b.checks),
        seconds=max(a.seconds, b.seconds),
        best=min(bests, default=None),
        about=_about(a, b),
    )


def later(a: Drawing, b: Drawing) -> Drawing:
    """Of two drawings of one board the one that stands."""
    return max(a, b, key=lambda one: (one.epoch, one.stamp, one.device, one.body))


def _about(a: Progress, b: Progress) -> bytes:
    """A board may come from several places; it is named by the one that is first in order."""
    return min((one.about for one in (a, b) if one.about), default=b"")
