"""Banks: many boards in one source.

A bank is a folder of files, or a text with one board a line: an address, or a JSON object. The
object is a puzzle, with a name under `id` if it likes, or holds the puzzle under `puzzle`.
Empty lines and lines that begin with `#` count for nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from castlecp import codecs
from castlecp.errors import CastlecpError, FormatError
from castlecp.genres import Puzzle


class Entry(NamedTuple):
    """A board of a bank: its name, where it stands, and the puzzle or why it cannot be read."""

    name: str
    place: str
    puzzle: Puzzle | CastlecpError


def entries(source: str) -> Iterator[Entry]:
    """The boards of a bank in order, read as they are asked for.

    `source` is a folder, a file, or `-` for standard input. Raises FormatError when there is
    no such source; a board that cannot be read is an entry of its own.
    """
    path = Path(source)
    if source != "-" and path.is_dir():
        for file in sorted(path.iterdir()):
            if file.is_file() and not file.name.startswith("."):
                yield Entry(file.stem, str(file), _read(partial(codecs.read_source, str(file))))
        return
    try:
        opened = nullcontext(sys.stdin.buffer) if source == "-" else path.open("rb")
    except OSError as error:
        raise FormatError(f"{source}: {error.strerror}") from None
    with opened as lines:
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.lstrip().startswith(b"#"):
                yield _entry(line, number, f"{source}, line {number}")


def _entry(line: bytes, number: int, place: str) -> Entry:
    name = str(number)
    if not line.lstrip().startswith(b"{"):
        return Entry(name, place, _read(lambda: codecs.read(line, place)))
    try:
        record: dict[str, Any] = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return Entry(name, place, FormatError(f"{place}: not JSON: {error}"))
    name = str(record.pop("id", name))
    puzzle = msgspec.json.encode(record.get("puzzle", record))
    return Entry(name, place, _read(lambda: codecs.read(puzzle, place)))


def _read(read: Any) -> Puzzle | CastlecpError:
    try:
        puzzle: Puzzle = read()
    except CastlecpError as error:
        return error
    return puzzle
