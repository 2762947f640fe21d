"""All limits of the service, in one struct: what `GET genres` shows and settings change.

Settings come from a TOML file with the same names (`[solve]`, `seconds = 5`) and from variables of
the environment (`CASTLECP_SOLVE_SECONDS=5`), which win.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from castlecp.errors import FormatError
from castlecp.shape import misfit

#: How the names of variables of the environment begin.
PREFIX = "CASTLECP_"


class Bound(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one question may take: cells of a board, seconds, and questions of an address.

    An address may ask `rate` times a second in the long run, `burst` times at once, and have
    `at_once` answers of this kind under way.
    """

    cells: int = 2_500
    seconds: float = 10.0
    rate: float = 5.0
    burst: int = 20
    at_once: int = 8


class Banks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a job on a bank may take: bytes and cells of a board, and seconds for each.

    Of jobs that have not ended there are at most `most`, `at_once` of them under way, and
    `an_address` of one address; one that has ended is kept for `hours`.
    """

    bytes: int = 10_000_000
    cells: int = 2_500
    seconds: float = 60.0
    processes: int = 1
    most: int = 50
    at_once: int = 1
    an_address: int = 5
    hours: float = 72.0
    rate: float = 0.2
    burst: int = 10


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """See above.

    A body has at most `body` bytes, and a head and a body have `body_seconds` each to arrive.
    `fast_*` is what a question may take in the fast lane: what it does not settle there, and what
    is larger, goes to the slow one, of which a process has `memory` bytes beyond what it starts
    with. `fast_waiting` and `slow_waiting` questions may wait for a lane, for `patience` seconds.
    A process that is `grace` seconds past its question's budget is killed.
    """

    body: int = 262_144
    body_seconds: float = 15.0
    connections: int = 1_000
    fast_cells: int = 900
    fast_body: int = 32_768
    fast_seconds: float = 0.1
    fast_steps: int = 500
    fast_waiting: int = 200
    slow_waiting: int = 8
    patience: float = 10.0
    grace: float = 2.0
    memory: int = 1 << 30
    boards: int = 10
    convert: Bound = Bound(cells=10_000, seconds=5.0, rate=20.0, burst=50, at_once=20)
    draw: Bound = Bound(seconds=5.0, rate=20.0, burst=100, at_once=20)
    check: Bound = Bound(cells=10_000, seconds=5.0, rate=50.0, burst=100, at_once=50)
    solve: Bound = Bound(rate=10.0, burst=50, at_once=20)
    count: Bound = Bound(at_once=4)
    hint: Bound = Bound(seconds=5.0, at_once=4)
    explain: Bound = Bound(at_once=4)
    grade: Bound = Bound(at_once=4)
    generate: Bound = Bound(cells=900, seconds=30.0, rate=1 / 3, burst=20, at_once=2)
    minimise: Bound = Bound(cells=900, seconds=30.0, rate=1 / 3, burst=20, at_once=2)
    mend: Bound = Bound(cells=900, seconds=30.0, rate=1 / 3, burst=20, at_once=2)
    certify: Bound = Bound(seconds=30.0, rate=1.0, burst=20, at_once=2)
    verify: Bound = Bound(seconds=30.0, rate=1.0, burst=20, at_once=2)
    shipped: Bound = Bound(rate=20.0, burst=100, at_once=20)
    jobs: Banks = Banks()

    def told(self) -> dict[str, Any]:
        """For JSON."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told


def read(file: Path | None = None, environment: Mapping[str, str] | None = None) -> Limits:
    """The limits, with what a file and the environment say. Raises FormatError."""
    told: dict[str, Any] = {}
    if file is not None:
        try:
            told = tomllib.loads(file.read_text())
        except OSError as error:
            raise FormatError(f"{file}: {error.strerror}") from None
        except (UnicodeError, tomllib.TOMLDecodeError) as error:
            raise FormatError(f"{file}: not TOML: {error}") from None
        _fitting(told, f"{file}: ")
    environment = os.environ if environment is None else environment
    for name, value in environment.items():
        if name.startswith(PREFIX):
            _set(told, name, value)
    return _fitting(told)


def _set(told: dict[str, Any], name: str, text: str) -> None:
    """Put what a variable says into the limits. Raises FormatError for what is no number."""
    path = name.removeprefix(PREFIX).lower()
    for field in msgspec.structs.fields(Limits):
        kind = field.type
        inner = {path.removeprefix(f"{field.name}_"): kind}
        if field.name == path:
            told[path] = _number(name, text)
        elif path.startswith(f"{field.name}_") and isinstance(kind, type(msgspec.Struct)):
            (key,) = inner
            if key in kind.__struct_fields__:
                told[field.name] = {**told.get(field.name, {}), key: _number(name, text)}


def _number(name: str, text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            raise FormatError(f"{name} is {text[:40]!r}, which is no number") from None


def _fitting(told: dict[str, Any], place: str = "") -> Limits:
    try:
        limits = msgspec.convert(told, Limits)
    except msgspec.ValidationError as error:
        raise FormatError(f"{place}{misfit(told, Limits) or error}") from None
    for path, value in _numbers(limits.told()):
        if not 0 < value < float("inf"):
            raise FormatError(f"{place}`{path}` must be a number above 0, not {value}")
    return limits


def _numbers(told: Mapping[str, Any], path: str = "") -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for key, value in told.items():
        if isinstance(value, Mapping):
            found += _numbers(value, f"{path}{key}.")
        else:
            found.append((f"{path}{key}", value))
    return found
