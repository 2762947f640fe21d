"""Loops of a lattice."""

from __future__ import annotations

from castlecp.wire.base import Report
from castlecp.wire.solving import Line


class LoopCount(Report, frozen=True, kw_only=True):
    """How many loops a lattice has, as text since most readers of JSON would round it."""

    count: str
    by_length: dict[str, str] | None = None


class LoopSample(Report, frozen=True, kw_only=True):
    """Random loops of a lattice."""

    loops: tuple[Line, ...]
