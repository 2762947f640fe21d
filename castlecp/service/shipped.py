"""The boards and levels that come with castlecp: by genre, size and difficulty, and one a day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from castlecp import genres, wire
from castlecp.errors import FormatError
from castlecp.service.problems import NOT_FOUND, Refused

#: Where they are, and how the file of a bank is called.
DATA, FILE = "castlecp.data", re.compile(r"(\w+)-(\d+)x(\d+)-(\w+)\.jsonl")

#: How hard the board of each weekday is, Monday first.
WEEK = ("easy", "easy", "normal", "normal", "hard", "hard", "expert")

#: Boards that are given at once.
MOST = 100


class _Bank(NamedTuple):
    """The boards of a genre, a size and a difficulty, as lines."""

    about: wire.Shipped
    lines: Sequence[bytes]


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some boards of a genre: of a size such as 8x10 (rows first) and a difficulty, and a page."""

    size: str | None = None
    difficulty: str | None = None
    first: int = 0
    limit: int = 20


class Shipped:
    """All of them, read once they are asked for."""

    @cached_property
    def _banks(self) -> list[_Bank]:
        return sorted(_read(), key=lambda bank: (bank.about.genre, bank.about.rows))

    @cached_property
    def _levels(self) -> dict[str, bytes]:
        folder = files(DATA) / "levels"
        found = folder.iterdir() if folder.is_dir() else iter(())
        return {
            entry.name.removesuffix(".json"): entry.read_bytes()
            for entry in sorted(found, key=lambda entry: entry.name)
            if entry.name.endswith(".json")
        }

    def banks(self) -> wire.Banks:
        """What there is."""
        return wire.Banks(banks=tuple(bank.about for bank in self._banks))

    def boards(self, genre: str, ask: Ask) -> wire.Boards:
        """A page of boards. Raises Unknown, and FormatError for a size that is none."""
        name = genres.REGISTRY.name_of(genre)
        size = None
        if ask.size is not None:
            found = re.fullmatch(r"(\d{1,4})x(\d{1,4})", ask.size)
            if not found:
                raise FormatError("`size` must be two numbers such as 8x10, rows first")
            size = (int(found[1]), int(found[2]))
        if ask.first < 0 or not 1 <= ask.limit <= MOST:
            raise FormatError(f"`first` must be from 0 on, and `limit` from 1 to {MOST}")
        lines = [
            line
            for bank in self._banks
            if bank.about.genre == name
            and size in (None, (bank.about.rows, bank.about.cols))
            and ask.difficulty in (None, bank.about.difficulty)
            for line in bank.lines
        ]
        page = lines[ask.first : ask.first + ask.limit]
        return wire.Boards(total=len(lines), first=ask.first, boards=tuple(map(_raw, page)))

    def daily(self, text: str) -> wire.Daily:
        """The board of a day, another genre each day. Raises FormatError for what is no date."""
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise FormatError("a day is written as 2027-01-31") from None
        names = genres.names()
        genre = names[day.toordinal() % len(names)]
        lines = [
            line
            for bank in self._banks
            if (bank.about.genre, bank.about.difficulty) == (genre, WEEK[day.weekday()])
            for line in bank.lines
        ]
        if not lines:
            raise Refused(NOT_FOUND, f"there is no {genre} board for that day")
        number = int.from_bytes(sha256(day.isoformat().encode()).digest()) % len(lines)
        return wire.Daily(date=day.isoformat(), board=_raw(lines[number]))

    def levels(self) -> wire.Names:
        """The names of all levels."""
        return wire.Names(levels=tuple(self._levels))

    def level(self, name: str) -> bytes:
        """A level, as JSON. Raises Refused."""
        if name not in self._levels:
            raise Refused(NOT_FOUND, "there is no such level")
        return self._levels[name]


def _raw(line: bytes) -> Any:
    """A line as it stands, within a report."""
    return msgspec.Raw(line)


def _read() -> Iterator[_Bank]:
    folder = files(DATA) / "banks"
    for entry in folder.iterdir() if folder.is_dir() else ():
        found = FILE.fullmatch(entry.name)
        if found:
            lines = entry.read_bytes().splitlines()
            about = wire.Shipped(
                genre=found[1],
                rows=int(found[2]),
                cols=int(found[3]),
                difficulty=found[4],
                boards=len(lines),
            )
            yield _Bank(about, lines)
