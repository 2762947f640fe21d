"""How puzzles and answers are written: one module a format, found by the name of its file.

A format module has

    ABOUT                           what such a text is, in a few words
    ENDING                          how the names of such files end
    looks_like(text)                whether a text is meant to be in this format
    read(text) -> Puzzle            raises FormatError or PuzzleError, warns with FormatWarning
    write(puzzle) -> str            raises FormatError for what the format cannot say

and, when it can carry an answer, the same for that:

    ABOUT_ANSWER
    answer_looks_like(text)
    read_answer(text, puzzle) -> Loop
    write_answer(puzzle, loop) -> str
    read_position(text, puzzle) -> Position     all that is drawn, crosses and shading included
    write_position(puzzle, position) -> str     raises FormatError for what the format cannot say

A format knows no genre: see `castlecp.cells`.
Written texts have no newline at their end.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Protocol, cast

from castlecp import texts
from castlecp.errors import FormatError
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.position import Position
from castlecp.registry import Registry
from castlecp.texts import named, plain_text, quoted


class Codec(Protocol):
    """What every format module offers; see above."""

    ABOUT: str
    ENDING: str

    def looks_like(self, text: str) -> bool: ...  # noqa: D102

    def read(self, text: str) -> Puzzle: ...  # noqa: D102

    def write(self, puzzle: Puzzle) -> str: ...  # noqa: D102


class AnswerCodec(Codec, Protocol):
    """What a format module offers besides when it can carry an answer."""

    ABOUT_ANSWER: str

    def answer_looks_like(self, text: str) -> bool: ...  # noqa: D102

    def read_answer(self, text: str, puzzle: Puzzle) -> Loop: ...  # noqa: D102

    def write_answer(self, puzzle: Puzzle, loop: Loop) -> str: ...  # noqa: D102

    def read_position(self, text: str, puzzle: Puzzle) -> Position: ...  # noqa: D102

    def write_position(self, puzzle: Puzzle, position: Position) -> str: ...  # noqa: D102


REGISTRY: Registry[Codec] = Registry.folder("format", __name__)

#: The names of all formats, alphabetically.
names = REGISTRY.names


def codec(name: str) -> Codec:
    """The module of a format. Raises Unknown."""
    return REGISTRY[name]


def read(text: str | bytes, name: str = "input") -> Puzzle:
    """The puzzle in a text of any format. `name` is what error messages call the text.

    Raises FormatError or PuzzleError.
    """
    with named(name):
        plain = plain_text(text)
        for form in _codecs():
            if form.looks_like(plain):
                return form.read(plain)
        raise FormatError(f"this is no puzzle; a puzzle is {_forms()}")


def read_source(source: str) -> Puzzle:
    """The puzzle at a source: the path of a file, `-` for standard input, or the text itself.

    Raises FormatError or PuzzleError.
    """
    return read(*load(source))


def load(source: str) -> tuple[str | bytes, str]:
    """The text at a source as in `read_source`, and a name for it. Raises FormatError."""
    return _load(source, list(_codecs()), _forms())


def looks_like(text: str) -> bool:
    """Whether a text is meant to be a puzzle in one of the formats."""
    return any(form.looks_like(text) for form in _codecs())


def read_answer(text: str | bytes, puzzle: Puzzle, name: str = "answer") -> Loop:
    """The line that a text draws on the board of `puzzle`; clues in the text do not count.

    It need not be a loop: judging it is somebody else's task. Raises FormatError.
    """
    with named(name):
        form, plain = _answer_codec(text)
        return form.read_answer(plain, puzzle)


def read_answer_source(source: str, puzzle: Puzzle) -> Loop:
    """The line at a source as in `read_source`. Raises FormatError."""
    text, name = _load(source, list(_answer_codecs()), _answer_forms())
    return read_answer(text, puzzle, name)


def read_position(text: str | bytes, puzzle: Puzzle, name: str = "answer") -> Position:
    """All that a text draws on the board of `puzzle`, crosses and marked faces included.

    An answer is a position with nothing but its line. Raises FormatError.
    """
    with named(name):
        form, plain = _answer_codec(text)
        return form.read_position(plain, puzzle)


def read_position_source(source: str, puzzle: Puzzle) -> Position:
    """The position at a source as in `read_source`. Raises FormatError."""
    text, name = _load(source, list(_answer_codecs()), _answer_forms())
    return read_position(text, puzzle, name)


def write(puzzle: Puzzle, to: str) -> str:
    """The puzzle in the format named `to`.

    Raises FormatError for an unknown format and for a puzzle the format cannot say.
    """
    return codec(to).write(puzzle)


def format_of(path: str | PathLike[str]) -> str:
    """The name of the format that the ending of a file's name asks for. Raises FormatError."""
    ending = os.path.splitext(path)[1].lower()
    endings = {form.ENDING: name for name, form in zip(names(), _codecs(), strict=True)}
    if ending not in endings:
        raise FormatError(f"{os.fspath(path)}: its name ends in none of {', '.join(endings)}")
    return endings[ending]


def write_answer(puzzle: Puzzle, loop: Loop, to: str) -> str:
    """The answer of a puzzle in the format named `to`.

    Raises FormatError for an unknown format and for one that carries no answers.
    """
    return _carrier(to).write_answer(puzzle, loop)


def write_position(puzzle: Puzzle, position: Position, to: str) -> str:
    """All that is drawn on the board of a puzzle, in the format named `to`.

    Raises FormatError for an unknown format, and for what the format cannot say.
    """
    return _carrier(to).write_position(puzzle, position)


def _carrier(to: str) -> AnswerCodec:
    form = codec(to)
    if not _carries_answers(form):
        raise FormatError(f"{form.ABOUT} carries no answer")
    return cast(AnswerCodec, form)


def _answer_codec(text: str | bytes) -> tuple[AnswerCodec, str]:
    """The format of an answer, and its text, decoded. Raises FormatError."""
    plain = plain_text(text)
    for form in _answer_codecs():
        if form.answer_looks_like(plain):
            return form, plain
    raise FormatError(f"this is no answer; an answer is {_answer_forms()}")


def _codecs() -> Iterator[Codec]:
    return map(codec, names())


def _answer_codecs() -> Iterator[AnswerCodec]:
    return (cast(AnswerCodec, form) for form in _codecs() if _carries_answers(form))


def _carries_answers(form: Codec) -> bool:
    return hasattr(form, "read_answer")


def _forms() -> str:
    return _any_of([form.ABOUT for form in _codecs()])


def _answer_forms() -> str:
    return _any_of([form.ABOUT_ANSWER for form in _answer_codecs()])


def _any_of(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _load(source: str, forms: Sequence[Codec], about: str) -> tuple[str | bytes, str]:
    """The text at a source, and a name for it.

    What is no file is the text itself when it has several lines or looks like a puzzle in one of
    the formats; `about` says in an error what else it could be. A single line of a picture is
    none of these: it would look like a name.
    """
    if source == "-":
        return sys.stdin.buffer.read(texts.MAX_BYTES + 1), "standard input"
    if os.path.exists(source) and not os.path.isdir(source):
        try:
            with open(source, "rb") as file:
                return file.read(texts.MAX_BYTES + 1), source
        except OSError as error:
            raise FormatError(f"{source}: {error.strerror}") from None
    if "\n" in source or any(form.looks_like(source) for form in forms):
        return source, quoted(source)
    if os.path.isdir(source):
        raise FormatError(f"{source}: a directory, not a file")
    missing = f"{quoted(source, 200)}: no such file"
    has_extension = re.search(r"\w\.\w+$", source) is not None
    raise FormatError(missing if has_extension else f"{missing}, and not itself {about}")
