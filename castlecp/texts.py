"""Texts that come from outside: what is one, how a piece of it is quoted, what is a number."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from castlecp.errors import FormatError, FormatWarning, PuzzleError
from castlecp.nouns import plural

#: Texts of more bytes are refused; a board of 1000 x 1000 cells with a clue in each has fewer.
MAX_BYTES = 100_000_000


def plain_text(text: str | bytes) -> str:
    """The text, decoded, without byte order mark. Raises FormatError for what is no text."""
    if isinstance(text, bytes):
        try:
            size, text = len(text), text[: MAX_BYTES + 1].decode()
        except UnicodeDecodeError as error:
            place = f"byte {error.start + 1} is 0x{text[error.start]:02x}"
            raise FormatError(f"not UTF-8 text: {place}") from None
    else:
        try:
            size = len(text.encode())
        except UnicodeEncodeError as error:
            lone = f"character {error.start + 1} is half of a pair"
            raise FormatError(f"not Unicode text: {lone}") from None
    if size > MAX_BYTES:
        raise FormatError(f"more than {MAX_BYTES // 10**6} MB of text")
    if "\0" in text:
        raise FormatError(f"not a text: character {text.index(chr(0)) + 1} is NUL")
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise FormatError("the text is empty")
    return text


@contextmanager
def named(name: str) -> Iterator[None]:
    """Put a name before the messages of the errors of reading."""
    try:
        yield
    except (FormatError, PuzzleError) as error:
        raise type(error)(f"{name}: {error}") from None


def quoted(text: str, most: int = 24) -> str:
    """A piece of input for an error message: short, and on one line whatever is in it."""
    return repr(text if len(text) <= most else text[: most - 3] + "...")


def count_of(text: str, what: str) -> int:
    """A size in decimal digits. Raises FormatError for anything else."""
    if not (text.isascii() and text.isdigit()):
        raise FormatError(f"the {what} is {quoted(text)}, which is no whole number")
    if len(text) > 9:
        # A board's own check names the limit; int() on a megabyte of digits must not happen.
        raise FormatError(f"the {what} is too large, a number of {plural(len(text), 'digit')}")
    return int(text)


def warn(sentence: str) -> None:
    """Warn that a part of the text that is being read counts for nothing."""
    warnings.warn(sentence, FormatWarning, stacklevel=2)
