"""Banks: many boards in one source.

A bank is a folder of files, or a text with one board a line: an address, or a JSON object. The
object is a puzzle, with a name under `id` if it likes, or holds the puzzle under `puzzle`.
Empty lines and lines that begin with `#` count for nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from castlecp import codecs
from castlecp.codecs import json
from castlecp.errors import CastlecpError, FormatError
from castlecp.genres import Puzzle

#: How each line of a bank that castlecp writes begins.
BEGINS = b'{"id":'


#: How the digest at the end of such a line begins.
_SEAL = b',"digest":"'


def sealed(record: Any) -> bytes:
    """The line of a record: JSON whose last key, `digest`, is the SHA-256 of what is before it."""
    content = msgspec.json.encode(record)[:-1]
    return b'%s%s%s"}\n' % (content, _SEAL, sha256(content).hexdigest().encode())


def is_sealed(line: bytes) -> bool:
    """Whether a line is as `sealed` made it."""
    content, seal, digest = line.rpartition(_SEAL)
    return bool(seal) and digest == b'%s"}\n' % sha256(content).hexdigest().encode()


class Entry(NamedTuple):
    """A board of a bank: its name, where it stands, and the puzzle or why it cannot be read."""

    name: str
    place: str
    puzzle: Puzzle | CastlecpError


class Item(NamedTuple):
    """A board of a bank as it is written; `name` is that of its file or line."""

    name: str
    place: str
    text: bytes | FormatError
    is_line: bool

    def entry(self) -> Entry:
        """The board, read."""
        name, text = self.name, self.text
        if isinstance(text, FormatError):
            return Entry(name, self.place, text)
        try:
            if self.is_line and text.lstrip().startswith(b"{"):
                with codecs.named(self.place):
                    record = json.read_object(codecs.plain_text(text))
                name = str(record.pop("id", name))
                text = msgspec.json.encode(record.get("puzzle", record))
            return Entry(name, self.place, codecs.read(text, self.place))
        except CastlecpError as error:
            return Entry(name, self.place, error)


def entries(source: str) -> Iterator[Entry]:
    """The boards of a bank in order, read as they are asked for.

    `source` is a folder, a file, or `-` for standard input. Raises FormatError when there is
    no such source; a board that cannot be read is an entry of its own.
    """
    return (item.entry() for item in items(source))


def items(source: str) -> Iterator[Item]:
    """The boards of a bank in order, not yet read. Raises FormatError as `entries` does."""
    path = Path(source)
    if source != "-" and path.is_dir():
        for file in sorted(path.iterdir()):
            if file.is_file() and not file.name.startswith("."):
                text: bytes | FormatError
                try:
                    text = file.read_bytes()
                except OSError as error:
                    text = FormatError(f"{file}: {error.strerror}")
                yield Item(file.stem, str(file), text, is_line=False)
        return
    try:
        opened = nullcontext(sys.stdin.buffer) if source == "-" else path.open("rb")
    except OSError as error:
        raise FormatError(f"{source}: {error.strerror}") from None
    with opened as lines:
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.lstrip().startswith(b"#"):
                yield Item(str(number), f"{source}, line {number}", line, is_line=True)


def size(source: str) -> int | None:
    """How many boards a bank has; None for standard input, which can be read only once."""
    return None if source == "-" else sum(1 for _ in items(source))
