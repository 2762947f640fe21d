"""Sources: one board, or a bank of many.

A source is the path of a file, `-` for standard input, or the text itself. A text has one board a
line, each an address or a JSON object; or one board in any format; or several in text, each of
which begins with the name of its genre or with `pzprv3`. A JSON object is a puzzle, with a name
under `id` if it likes, or holds the puzzle: a line of a bank under `puzzle`, a line of a
certificates file in its certificate. Empty lines and lines that begin with `#` count for nothing.
A folder is a bank of all that is in it and its folders, in the order of names; hidden files and
parts (`.part`) are not looked at, and files that have no board are passed over with a warning.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from castlecp import codecs, genres
from castlecp.codecs import json, pzprv3, url
from castlecp.errors import CastlecpError, FormatError, FormatWarning, Unknown
from castlecp.genres import Puzzle
from castlecp.texts import MAX_BYTES, named, plain_text

#: Lines of more bytes are refused, and texts of more that are not one board a line.
LONGEST = MAX_BYTES
#: Keys of which a JSON object that is or holds a board has one.
_KEYS = frozenset({"type", "puzzle", "certificate", "status"})

#: How each line of a bank that castlecp writes begins.
BEGINS = b'{"format":"castlecp-'


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
    """A board as it is written; `name` is that of its file, or the number of its line."""

    name: str
    place: str
    text: bytes | FormatError

    def entry(self) -> Entry:
        """The board, read."""
        name, text = self.name, self.text
        if isinstance(text, FormatError):
            return Entry(name, self.place, text)
        try:
            with named(self.place):
                plain = plain_text(text)
                if not json.looks_like(plain):
                    return Entry(name, self.place, codecs.read(text))
                said, puzzle = json.read_named(plain)
            return Entry(said or name, self.place, puzzle)
        except CastlecpError as error:
            return Entry(name, self.place, error)


def board(source: str) -> Puzzle:
    """The board of a source that has one. Raises FormatError, also for several, or PuzzleError."""
    text, name = codecs.load(source)
    raw = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    # Of a text that is too long nothing but that is said.
    found = list(_boards(BytesIO(raw), name)) if len(raw) <= MAX_BYTES else []
    likely = [(i.name, i.text) for i in found if isinstance(i.text, bytes) and _may_be(i.text)]
    if len(likely) > 1:
        lines = ", ".join(number for number, _ in likely[:3]) + ", ..." * (len(likely) > 3)
        several = f"{len(likely):,} boards where one is wanted, in lines {lines}"
        raise FormatError(f"{name}: {several}; give one of them by itself")
    if len(found) == 1 and likely and raw.strip() != likely[0][1].strip():
        text = likely[0][1]
    return codecs.read(text, name)


def entries(source: str) -> Iterator[Entry]:
    """The boards of a bank in order, read as they are asked for.

    Raises FormatError when there is no such source; a board that cannot be read is an entry of
    its own.
    """
    return (item.entry() for item in items(source))


def items(source: str) -> Iterator[Item]:
    """The boards of a bank in order, not yet read. Raises FormatError as `entries` does."""
    if source != "-" and os.path.isdir(source):
        yield from _walked(Path(source))
        return
    with _opened(source) as (file, name):
        yield from _boards(file, name)


def size(source: str) -> int | None:
    """How many boards a bank has; None for what can be read only once, such as a pipe."""
    if not (os.path.isdir(source) or os.path.isfile(source)):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        return sum(1 for _ in items(source))


def refuse_within(source: str, output: Path) -> None:
    """Raises FormatError when a file to write is the bank that is read, or stands in it."""
    bank, file = Path(source), Path(os.path.realpath(output))
    if source == "-" or not bank.exists():
        return
    if file.exists() and file.samefile(bank):
        raise FormatError(f"{output} is the bank itself; name another file")
    if bank.is_dir() and file.is_relative_to(bank.resolve()):
        raise FormatError(f"{output} would be one of the bank's own files; name one elsewhere")


@contextmanager
def _opened(source: str) -> Iterator[tuple[IO[bytes], str]]:
    if source == "-":
        yield sys.stdin.buffer, "standard input"
    elif os.path.exists(source):
        try:
            file = open(source, "rb")  # noqa: SIM115
        except OSError as error:
            raise FormatError(f"{source}: {error.strerror}") from None
        with file:
            yield file, source
    else:
        text, name = codecs.load(source)
        yield BytesIO(text if isinstance(text, bytes) else text.encode(errors="replace")), name


def _walked(folder: Path) -> Iterator[Item]:
    """The boards of the files of a folder and of its folders."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.suffix == ".part":
            continue
        if path.is_dir():
            if not path.is_symlink():
                yield from _walked(path)
        elif path.is_file():
            try:
                with path.open("rb") as file:
                    yield from _of_file(path, _boards(file, str(path)))
            except (OSError, FormatError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                sentence = f"{path}: {reason}" if isinstance(error, OSError) else str(reason)
                yield Item(path.stem, str(path), FormatError(sentence))


def _of_file(path: Path, found: Iterator[Item]) -> Iterator[Item]:
    """The boards of a file, called as the file is when there is one."""
    first, second = next(found, None), next(found, None)
    if first is None or (second is None and not _may_be(first.text)):
        sentence = f"{path} has no board and is passed over"
        warnings.warn(sentence, FormatWarning, stacklevel=2)
    elif second is None:
        yield first._replace(name=path.stem, place=str(path))
    else:
        for item in chain((first, second), found):
            yield item._replace(name=f"{path.stem}-{item.name}")


def _boards(file: IO[bytes], name: str) -> Iterator[Item]:
    """The boards of a text, as they are read if there is one a line."""
    lines = _lines(file, name)
    taken: list[tuple[int, bytes]] = []
    for number, line in lines:
        if _counts(line):
            taken.append((number, line))
            break
    if not taken:
        return
    if not _is_board(taken[0][1]):
        size = 0
        for number, line in lines:
            size += len(line)
            if size > LONGEST:
                raise FormatError(f"{name}: more than {LONGEST // 10**6} MB, not one board a line")
            taken.append((number, line))
        starts = [at for at in range(len(taken)) if _begins(taken, at)]
        if starts[:1] != [0]:
            starts = [0]
        is_text = len(starts) > 1 or _is_json(b"".join(line for _, line in taken))
        if is_text or not any(_is_board(line) for _, line in taken):
            for start, end in zip(starts, [*starts[1:], len(taken)], strict=True):
                first = taken[start][0]
                place = name if len(starts) == 1 else f"{name}, line {first}"
                # Empty lines in front keep the numbers of lines in messages right.
                before = b"\n" * (first - 1) if len(starts) == 1 else b""
                text = before + b"".join(line for _, line in taken[start:end])
                yield Item(str(first), place, text)
            return
    for number, line in chain(taken, lines):
        if _counts(line):
            yield Item(str(number), f"{name}, line {number}", line)


def _lines(file: IO[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, numbered from 1. Raises FormatError for one that is too long."""
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise FormatError(f"{name}, line {number}: more than {LONGEST // 10**6} MB in a line")
        yield number, line


def _plain(line: bytes) -> str:
    return line.decode(errors="replace").removeprefix("\ufeff").strip()


def _counts(line: bytes) -> bool:
    return _plain(line)[:1] not in ("", "#")


def _is_board(line: bytes) -> bool:
    """Whether a line is a whole board: an address or a JSON object."""
    text = _plain(line)
    if text.startswith("{"):
        return _holds_board(text)
    return url.looks_like(text) or ("/" in text and pzprv3.looks_like(text))


def _holds_board(text: str) -> bool:
    try:
        return not _KEYS.isdisjoint(msgspec.json.decode(text, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


def _may_be(text: bytes | FormatError) -> bool:
    """Whether a text is meant to be a board; what cannot be told may be one."""
    if isinstance(text, FormatError):
        return True
    if b"\0" in text:
        return False
    plain = text.decode(errors="replace").removeprefix("\ufeff")
    try:
        fields = msgspec.json.decode(plain, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return codecs.looks_like(plain)
    return not _KEYS.isdisjoint(fields)


def _begins(lines: list[tuple[int, bytes]], at: int) -> bool:
    """Whether a board in text begins in a line: with its genre and flags, or as a pzprv3 file."""
    words = _plain(lines[at][1]).split()
    if len(words) == 1 and words[0] in ("pzprv3", "pzprv3.1"):
        return True
    if at and _plain(lines[at - 1][1]).startswith("pzprv3"):
        return False
    is_genre = bool(words) and _is_genre(words[0])
    return is_genre and all(len(word) == 1 and word.isalpha() for word in words[1:])


@lru_cache(maxsize=1000)
def _is_genre(word: str) -> bool:
    """Whether a word is a name of a genre."""
    try:
        genres.genre(word)
    except Unknown:
        return False
    return True
