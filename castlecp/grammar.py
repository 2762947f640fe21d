"""Combinators for text formats: one declaration says how a thing is read and how it is written.

    Symbols     a table of fixed texts and the values they stand for
    Number      a number in a base, of a fixed width or of any
    End         the end of the text, for a part that is not there
    Prefixed    a fixed text before something else
    OneOf       alternatives, tried in order in both directions
    Fields      parts in a row, each a field of one clue
    Tolerant    a form that is written, and another that is only read, with a remark

A cell says everything of a clue but its place, so `Fields` gives the clue of row 0, column 0;
whoever knows the place puts it there. Above the single cell stand

    Cells       a whole board as one run of characters: `Clued` cells and runs of `Blanks`, or
                several cells `Packed` into each
    FileForm    the cell of a pzprv3 file and the layers in which such a file draws an answer
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from castlecp.errors import FormatWarning

T_co = TypeVar("T_co", covariant=True)

DIGITS = "0123456789abcdef"
_DIGITS_36 = "0123456789abcdefghijklmnopqrstuvwxyz"


class Mismatch(Exception):
    """A text does not fit: at position `at` (from 0) one of `expected` should stand."""

    def __init__(self, at: int, *expected: str) -> None:
        super().__init__(at, expected)
        self.at = at
        self.expected = expected

    @property
    def wanted(self) -> str:
        """What should stand there, as words."""
        return " or ".join(dict.fromkeys(self.expected))


@dataclass
class Input:
    """A text that is being read, and the remarks made on it, each once."""

    text: str
    remarks: set[str] = field(default_factory=set)

    def remark(self, sentence: str) -> None:
        """Warn of something in this text, unless the same was said before."""
        if sentence not in self.remarks:
            self.remarks.add(sentence)
            warnings.warn(sentence, FormatWarning, stacklevel=2)


class Grammar(Generic[T_co]):
    """How one value is written: reading and writing are two ways through the same declaration."""

    def read(self, source: Input, at: int) -> tuple[T_co, int]:
        """The value whose text starts at `at`, and where that text ends. Raises Mismatch."""
        raise NotImplementedError

    def write(self, value: object) -> str | None:
        """The text of a value; None when this form cannot say it."""
        raise NotImplementedError

    def parse(self, text: str) -> T_co:
        """The value of a whole text. Raises Mismatch."""
        value, end = self.read(Input(text), 0)
        if end < len(text):
            raise Mismatch(end, "the end")
        return value


class Symbols(Grammar[T_co]):
    """Fixed texts and what they stand for; `name` says what they are, for error messages.

    The longest text that fits is read; of several texts for one value the first is written.
    """

    def __init__(self, name: str, table: Mapping[str, T_co]) -> None:
        self._name = name
        self._table = sorted(table.items(), key=lambda entry: -len(entry[0]))
        self._texts: dict[object, str] = {}
        for text, value in table.items():
            self._texts.setdefault(value, text)

    def read(self, source: Input, at: int) -> tuple[T_co, int]:
        """See Grammar."""
        for text, value in self._table:
            if source.text.startswith(text, at):
                return value, at + len(text)
        raise Mismatch(at, self._name)

    def write(self, value: object) -> str | None:
        """See Grammar."""
        return self._texts.get(value)


class Number(Grammar[int]):
    """A number in lower-case digits of `base`: exactly `width` of them, or 1 to 9 without one.

    The digits say by how much the number is more than `more`.
    """

    def __init__(self, base: int = 10, width: int | None = None, more: int = 0) -> None:
        self._base, self._more = base, more
        self._digits = frozenset(DIGITS[:base])
        self._least, self._most = (width, width) if width else (1, 9)

    def read(self, source: Input, at: int) -> tuple[int, int]:
        """See Grammar."""
        end = at
        while end < at + self._most and source.text[end : end + 1] in self._digits:
            end += 1
        if end < at + self._least:
            raise Mismatch(end, "a digit" if self._base == 10 else "a digit 0-9 or a-f")
        return int(source.text[at:end], self._base) + self._more, end

    def write(self, value: object) -> str | None:
        """See Grammar."""
        if not isinstance(value, int) or not 0 <= value - self._more < self._base**self._most:
            return None
        return format(value - self._more, "x" if self._base == 16 else "d").rjust(self._least, "0")


class End(Grammar[None]):
    """The end of the text, which stands for nothing said."""

    def read(self, source: Input, at: int) -> tuple[None, int]:
        """See Grammar."""
        if at < len(source.text):
            raise Mismatch(at, "the end")
        return None, at

    def write(self, value: object) -> str | None:
        """See Grammar."""
        return "" if value is None else None


class Prefixed(Grammar[T_co]):
    """A fixed text before something else."""

    def __init__(self, prefix: str, rest: Grammar[T_co]) -> None:
        self._prefix = Symbols(f"`{prefix}`", {prefix: prefix})
        self._text = prefix
        self._rest = rest

    def read(self, source: Input, at: int) -> tuple[T_co, int]:
        """See Grammar."""
        _, start = self._prefix.read(source, at)
        return self._rest.read(source, start)

    def write(self, value: object) -> str | None:
        """See Grammar."""
        rest = self._rest.write(value)
        return None if rest is None else self._text + rest


class OneOf(Grammar[T_co]):
    """Alternatives: the first that fits is taken, in reading as in writing.

    When none fits, the error is that of the alternative that came farthest.
    """

    def __init__(self, *forms: Grammar[T_co]) -> None:
        self._forms = forms

    def read(self, source: Input, at: int) -> tuple[T_co, int]:
        """See Grammar."""
        misses: list[Mismatch] = []
        for form in self._forms:
            try:
                return form.read(source, at)
            except Mismatch as miss:
                misses.append(miss)
        raise _farthest(misses)

    def write(self, value: object) -> str | None:
        """See Grammar."""
        texts = (form.write(value) for form in self._forms)
        return next((text for text in texts if text is not None), None)


class Fields(Grammar[T_co]):
    """Parts in a row, each the text of the clue's field of that name.

    `clue` is called with `row` and `col` 0 and the fields; writing reads the same fields off
    the clue. PuzzleError of `clue` passes through.
    """

    def __init__(self, clue: Callable[..., T_co], **parts: Grammar[Any]) -> None:
        self._clue = clue
        self._parts = parts

    def read(self, source: Input, at: int) -> tuple[T_co, int]:
        """See Grammar."""
        values = {}
        for name, part in self._parts.items():
            values[name], at = part.read(source, at)
        return self._clue(row=0, col=0, **values), at

    def write(self, value: object) -> str | None:
        """See Grammar."""
        if value is None:
            return None
        texts = [part.write(getattr(value, name)) for name, part in self._parts.items()]
        return None if None in texts else "".join(text for text in texts if text is not None)


class Tolerant(Grammar[T_co]):
    """A `usual` form, and an `odd` one that is read with a remark and never written."""

    def __init__(self, usual: Grammar[T_co], odd: Grammar[T_co], remark: str) -> None:
        self._usual = usual
        self._odd = odd
        self._remark = remark

    def read(self, source: Input, at: int) -> tuple[T_co, int]:
        """See Grammar."""
        try:
            return self._usual.read(source, at)
        except Mismatch as miss:
            try:
                found = self._odd.read(source, at)
            except Mismatch:
                raise miss from None
            source.remark(self._remark)
            return found

    def write(self, value: object) -> str | None:
        """See Grammar."""
        return self._usual.write(value)


class Token(Protocol[T_co]):
    """A piece of `Cells` that stands for one or more cells."""

    def read(self, source: Input, at: int) -> tuple[Sequence[T_co | None], int]:
        """The cells whose token starts at `at`, and where it ends. Raises Mismatch."""

    def write(self, cells: Sequence[object | None], at: int) -> tuple[str, int] | None:
        """A token for the cells from `at` on, and how many they are; None when it does not fit."""


class Clued(Generic[T_co]):
    """A clue, with `blanks` blank cells behind it packed into the same token.

    Behind the last cell of the board everything counts as blank.
    """

    def __init__(self, clue: Grammar[T_co], blanks: int = 0) -> None:
        self._clue = clue
        self._blanks = blanks

    def read(self, source: Input, at: int) -> tuple[Sequence[T_co | None], int]:
        """See Token."""
        clue, end = self._clue.read(source, at)
        return [clue] + [None] * self._blanks, end

    def write(self, cells: Sequence[object | None], at: int) -> tuple[str, int] | None:
        """See Token."""
        behind = cells[at + 1 : at + 1 + self._blanks]
        if any(cell is not None for cell in behind):
            return None
        text = self._clue.write(cells[at])
        return None if text is None else (text, 1 + self._blanks)


class Blanks:
    """A run of blank cells: the n-th of the letters stands for n of them."""

    def __init__(self, letters: str) -> None:
        self._letters = letters
        self._name = f"a run of blanks `{letters[0]}`-`{letters[-1]}`"
        self._runs = {letter: n for n, letter in enumerate(letters, start=1)}

    def read(self, source: Input, at: int) -> tuple[Sequence[None], int]:
        """See Token."""
        run = self._runs.get(source.text[at : at + 1])
        if run is None:
            raise Mismatch(at, self._name)
        return [None] * run, at + 1

    def write(self, cells: Sequence[object | None], at: int) -> tuple[str, int] | None:
        """See Token."""
        run = 0
        for cell in cells[at : at + len(self._letters)]:
            if cell is not None:
                break
            run += 1
        return (self._letters[run - 1], run) if run else None


class Packed(Generic[T_co]):
    """So many `cells` in one character: the digits of a number that is written in one digit.

    `things` are what can be in a cell, the n-th for the digit n; behind the last cell of the board
    everything counts as blank.
    """

    def __init__(self, things: Sequence[T_co | None], cells: int) -> None:
        self._things: Sequence[object | None] = things
        self._read = things
        self._cells = cells
        self._name = f"one of 0-{_DIGITS_36[len(things) ** cells - 1]}"

    def read(self, source: Input, at: int) -> tuple[Sequence[T_co | None], int]:
        """See Token."""
        number = _DIGITS_36.find(source.text[at : at + 1])
        base = len(self._read)
        if not 0 <= number < base**self._cells or at >= len(source.text):
            raise Mismatch(at, self._name)
        places = (base**k for k in reversed(range(self._cells)))
        return [self._read[number // place % base] for place in places], at + 1

    def write(self, cells: Sequence[object | None], at: int) -> tuple[str, int] | None:
        """See Token."""
        number = 0
        for k in range(self._cells):
            cell = cells[at + k] if at + k < len(cells) else None
            if cell not in self._things:
                return None
            number = number * len(self._things) + self._things.index(cell)
        return _DIGITS_36[number], self._cells


class CellsRead(NamedTuple, Generic[T_co]):
    """What `Cells.read` found: the cells up to where the text stopped, and what went past."""

    cells: Sequence[T_co | None]
    #: The text from the first token on that has no place on the board.
    rest: str


class Cells(Generic[T_co]):
    """The cells of a board, row by row, as one run of tokens; the first that fits is taken."""

    def __init__(self, *tokens: Token[T_co]) -> None:
        self._tokens = tokens

    def read(self, text: str, count: int) -> CellsRead[T_co]:
        """At most `count` cells. Raises Mismatch."""
        source = Input(text)
        cells: list[T_co | None] = []
        at = start = begin = 0
        while at < len(text) and len(cells) < count:
            start, begin = len(cells), at
            token, at = self._read_token(source, at)
            cells.extend(token)
        if len(cells) > count:
            # The last token reaches past the board. That is right where it would be written so.
            del cells[count:]
            if self.write(cells[start:]) != text[begin:at]:
                at = begin
        return CellsRead(cells, text[at:])

    def write(self, cells: Sequence[object | None]) -> str | None:
        """The text of all cells; None when a clue cannot be said."""
        texts = []
        at = 0
        while at < len(cells):
            for token in self._tokens:
                if (written := token.write(cells, at)) is not None:
                    break
            else:
                return None
            texts.append(written[0])
            at += written[1]
        return "".join(texts)

    def _read_token(self, source: Input, at: int) -> tuple[Sequence[T_co | None], int]:
        misses: list[Mismatch] = []
        for token in self._tokens:
            try:
                return token.read(source, at)
            except Mismatch as miss:
                misses.append(miss)
        raise _farthest(misses)


#: A layer of a pzprv3 file behind the clues: the horizontal or the vertical edges of the
#: lattice, the shading of its faces (the loop runs around those not shaded), or colours that a
#: player gave to faces, which are there from version 3.1 on and no part of an answer.
Layer = Literal["horizontal", "vertical", "shading", "colours"]


class FileForm(NamedTuple):
    """How a genre is written in a pzprv3 file: one cell of the board, and the layers behind it."""

    cell: Grammar[Any]
    layers: tuple[Layer, ...]


#: How a text format writes the cells of a genre: one by one, or all of a board.
Form = Grammar[Any] | Cells[Any] | FileForm


def _farthest(misses: list[Mismatch]) -> Mismatch:
    at = max(miss.at for miss in misses)
    return Mismatch(at, *(name for miss in misses if miss.at == at for name in miss.expected))
