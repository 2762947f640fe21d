"""What was found of levels."""

from __future__ import annotations

from typing import Literal

import msgspec

from castlecp.wire.base import Findings, Part, Report, Statuses
from castlecp.wire.checking import Mistake


class Level(Part, frozen=True, kw_only=True):
    """What `author verify` found of a level.

    `verdict` is ok, failed or inconclusive; `status` is that of the board; `faults` are those of
    the mask's loop, `idle` the demands that do nothing, `spare` the pieces that can go alone.
    `failures` and `remarks` are the same as sentences.
    """

    name: str
    verdict: Literal["ok", "failed", "inconclusive"]
    status: Statuses
    clues: int
    seconds: float
    faults: tuple[Mistake, ...]
    idle: tuple[str, ...]
    spare: tuple[str, ...]
    failures: tuple[str, ...]
    remarks: tuple[str, ...]
    findings: Findings = msgspec.field(default_factory=dict)


class Levels(Report, frozen=True, kw_only=True):
    """What `author verify` found of all levels; `unreadable` says what could not be read."""

    levels: tuple[Level, ...]
    verdicts: dict[str, int]
    unreadable: tuple[str, ...] = ()
