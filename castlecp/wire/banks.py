"""What became of many boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from castlecp.wire.base import Part, Report


class Sums(Report, frozen=True, kw_only=True):
    """What became of the boards of a bank: how many there are of each status."""

    boards: int
    statuses: dict[str, int]
    seconds: dict[str, float] = msgspec.field(default_factory=dict)

    @classmethod
    def of(
        cls, counts: Mapping[str, int], order: Iterable[str], seconds: Mapping[str, float]
    ) -> Sums:
        """Counts, with a zero for each status that none has."""
        statuses = {status: counts.get(status, 0) for status in order}
        return cls(boards=sum(counts.values()), statuses=statuses, seconds=dict(seconds))


class Size(Part, frozen=True, kw_only=True):
    """The boards of one size in a bank, and their clues before and after."""

    rows: int
    cols: int
    boards: int
    clues_before: int
    clues_after: int


class BankLess(Report, frozen=True, kw_only=True):
    """What became of a bank that was minimised."""

    boards: int
    failed: int
    sizes: tuple[Size, ...]
    already: int
    unreadable: int


class Comparisons(Report, frozen=True, kw_only=True):
    """Whether all methods agree: boards by status, and what was not settled or differs.

    `lost` are boards that took their worker down twice, which are not among the boards;
    `timed_out` says that the seconds ended before all were compared.
    """

    boards: int
    statuses: dict[str, int]
    unsettled: dict[str, int]
    unreadable: tuple[str, ...]
    lost: tuple[str, ...]
    disagreements: tuple[dict[str, str], ...]
    timed_out: bool = False


class Examined(Report, frozen=True, kw_only=True):
    """What checking a line of a certificates file says, and the reason, if it is not accepted."""

    status: Literal["accepted", "multiple", "unproved", "not checked", "rejected", "unreadable"]
    reason: str | None
