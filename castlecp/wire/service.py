"""What only the service says: what it has, how far it is, and why not."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from castlecp.wire.base import Part, Report, Written


class Converted(Report, frozen=True, kw_only=True):
    """A board in every format, None where a format cannot say it, and what deserves a look."""

    puzzle: Written
    formats: dict[str, str | None]
    remarks: tuple[str, ...]


class About(Part, frozen=True, kw_only=True):
    """A genre: its names, and the rungs of its ladder, easiest first."""

    name: str
    title: str
    other_names: tuple[str, ...]
    rungs: tuple[str, ...]


class Genres(Report, frozen=True, kw_only=True):
    """What a service knows, and all of its limits."""

    version: str
    genres: tuple[About, ...]
    difficulties: tuple[str, ...]
    sources: tuple[str, ...]
    formats: tuple[str, ...]
    limits: dict[str, Any]


class Shipped(Part, frozen=True, kw_only=True):
    """The boards of one genre, size and level that come with castlecp."""

    genre: str
    rows: int
    cols: int
    difficulty: str
    boards: int


class Banks(Report, frozen=True, kw_only=True):
    """The banks that come with castlecp."""

    banks: tuple[Shipped, ...]


class Boards(Report, frozen=True, kw_only=True):
    """Some lines of a bank, from number `first` of `total` on, counted from 0."""

    total: int
    first: int
    boards: tuple[Written, ...]


class Daily(Report, frozen=True, kw_only=True):
    """The board of a day."""

    date: str
    board: Written


class Names(Report, frozen=True, kw_only=True):
    """The names of the levels that come with castlecp."""

    levels: tuple[str, ...]


class Job(Report, frozen=True, kw_only=True):
    """A run over a bank: what became of its boards so far.

    `secret` is said once, to who started it. `reason` is why it has failed; `until` is when it is
    forgotten, as seconds since 1970, once it has ended.
    """

    id: str
    kind: Literal["certify", "minimise", "grade"]
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    boards: int
    done: int
    statuses: dict[str, int]
    reason: str | None = None
    until: float | None = None
    secret: str | None = None


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a question has no answer, as RFC 9457 has it; `detail` is the command line's sentence."""

    type: str
    title: str
    status: int
    detail: str
    request_id: str = ""


class Told(Part, frozen=True, kw_only=True):
    """How far a search is; see `castlecp.budget.Progress`."""

    phase: str
    steps: int
    seconds: float
    lower: int | None = None
    upper: int | None = None
