"""Level files: a mask, which clues are shown, and what else the board says.

A level is a JSON object with the keys

- `name`; and `about`, a text for people, if it likes;
- `type`, the genre's id;
- `mask`, the inside as an array of strings (see `masks`);
- `clues`, a picture of the cells in which a clue is shown, `?` or `x`, and `.` for the others;
  without it every clue is shown. What a clue says follows from the loop;
- the further fields of the genre's puzzle.

A file holds one level, an array of them, or one a line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Any

import msgspec

from castlecp.author import masks
from castlecp.codecs import json
from castlecp.errors import FormatError, PuzzleError
from castlecp.genres import Puzzle, genre
from castlecp.grid import Loop
from castlecp.nouns import plural
from castlecp.texts import quoted

SHOWN, NOT_SHOWN = "?x", "."


class Written(msgspec.Struct):
    """The keys of a level that are not fields of its puzzle."""

    name: str
    type: str
    mask: list[str]
    about: str = ""
    clues: list[str] | None = None


@dataclass(frozen=True)
class Level:
    """A board and the one loop that it is meant to have; `record` is the object in the file."""

    name: str
    puzzle: Puzzle
    loop: Loop
    record: dict[str, Any]

    def showing(self, clues: Iterable[Any]) -> Level:
        """The level with these clues on its board."""
        puzzle = msgspec.structs.replace(self.puzzle, clues=tuple(clues))
        shown = {(clue.row, clue.col) for clue in puzzle.clues}
        picture = [
            "".join(SHOWN[0] if (r, c) in shown else NOT_SHOWN for c in range(puzzle.cols))
            for r in range(puzzle.rows)
        ]
        record: dict[str, Any] = {}
        for key, value in self.record.items():
            if key != "clues":
                record[key] = value
            if key == "mask":
                record["clues"] = picture
        return Level(self.name, puzzle, self.loop, record)


def load(source: str) -> list[Level]:
    """The levels of a file, of the files of a folder in the order of their names, or of `-`.

    Raises FormatError that names file, level and key.
    """
    return list(map(_readable, entries(source)))


def entries(source: str) -> Iterator[Level | FormatError]:
    """The same levels as they are asked for; one that cannot be read is the error that says so.

    Raises FormatError for a folder without a file.
    """
    files: list[tuple[str, Callable[[], bytes]]]
    if source == "-":
        files = [("standard input", sys.stdin.buffer.read)]
    else:
        files = [(str(file), file.read_bytes) for file in _files(source)]
    for name, content in files:
        try:
            text = _text(content, name)
        except FormatError as error:
            yield error
        else:
            yield from _entries(text, name)


def read(text: str, name: str = "input") -> list[Level]:
    """The levels of a text, at least one. Raises FormatError that names the level and the key."""
    return list(map(_readable, _entries(text, name)))


def level(record: Any) -> Level:
    """The level that a JSON object says. Raises FormatError with the key at fault."""
    written = json.fitted(record, Written)
    with _at("`mask`"):
        loop = masks.read(written.mask)
    rest = {key: value for key, value in record.items() if key not in Written.__struct_fields__}
    for key in ("rows", "cols"):
        if key in rest:
            raise FormatError(f"unknown key {key!r}: the mask says how large the board is")
    with _at("`type`"):
        kind = genre(written.type).PUZZLE
    # Where cells are vertices, there is one more of them than of faces.
    more = kind.CELLS == "vertices"
    size = {"rows": len(written.mask) + more, "cols": len(written.mask[0]) + more}
    blank = json.fitted({"type": kind.__struct_config__.tag, **size, **rest}, kind)
    with _at("`clues`"):
        clues = list(_clues(blank, loop, written.clues))
    return Level(written.name, msgspec.structs.replace(blank, clues=tuple(clues)), loop, record)


def write(levels: Sequence[Level]) -> str:
    """The text of a level file: a key a line, and of pictures and lists of objects an item."""
    texts = [_object(one.record) for one in levels]
    return f"{texts[0]}\n" if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]\n"


def _files(source: str) -> list[Path]:
    """A file, or those of a folder but hidden ones. Raises FormatError when it has none."""
    path = Path(source)
    if not path.is_dir():
        return [path]
    try:
        files = [file for file in path.iterdir() if file.is_file()]
    except OSError as error:
        raise FormatError(f"{quoted(source, 200)}: {error.strerror}") from None
    files = sorted(file for file in files if not file.name.startswith("."))
    if not files:
        raise FormatError(f"{source}: there is no level")
    return files


def _text(content: Callable[[], bytes], name: str) -> str:
    """The text of a file. Raises FormatError."""
    try:
        return content().decode("utf-8-sig")
    except UnicodeError:
        raise FormatError(f"{name}: not UTF-8 text") from None
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or "no such file"
        raise FormatError(f"{quoted(name, 200)}: {what}") from None


def _readable(found: Level | FormatError) -> Level:
    if isinstance(found, FormatError):
        raise found
    return found


def _entries(text: str, name: str) -> Iterator[Level | FormatError]:
    """The levels of a text, or why it has none."""
    try:
        with _at(name):
            records = _records(text)
    except FormatError as error:
        yield error
        return
    for number, record in enumerate(records, 1):
        title = record.get("name") if isinstance(record, dict) else None
        called = f" ({quoted(title, 60)})" if isinstance(title, str) else ""
        try:
            if isinstance(record, FormatError):
                with _at(name):
                    raise record
            with _at(f"{name}, level {number}{called}"):
                found: Level | FormatError = level(record)
        except FormatError as error:
            found = error
        yield found


def _clues(blank: Puzzle, loop: Loop, picture: list[str] | None) -> Iterator[Any]:
    """The true clues of the cells that show one; without a picture all that there can be."""
    cells = {(r, c): "?" for r in range(blank.rows) for c in range(blank.cols)}
    if picture is not None:
        shown = masks.cells_of(picture, SHOWN + NOT_SHOWN)
        if shown.keys() != cells.keys():
            raise FormatError(
                f"it must be {plural(blank.rows, 'row')} of {plural(blank.cols, 'sign')}"
            )
        cells = shown
    for cell, sign in cells.items():
        if sign != NOT_SHOWN:
            clues = blank.true_clues(loop, cell)
            if clues:
                yield clues[0]
            elif picture is not None:
                row, col = cell
                raise FormatError(f"no clue can stand at row {row + 1}, column {col + 1}")


def _records(text: str) -> list[Any]:
    """The values in a text: one a line where the first line is one, else one or an array.

    A line that is none is the error that says so. Raises FormatError, also when there is no value.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > 1 and _is_json(lines[0][1]):
        return [_line(number, line) for number, line in lines]
    value = _value(text)
    records = value if isinstance(value, list) else [value]
    if not records:
        raise FormatError("there is no level")
    return records


def _line(number: int, line: str) -> Any:
    try:
        with _at(f"line {number}"):
            return _value(line)
    except FormatError as error:
        return error


def _value(text: str) -> Any:
    value = json.decode(text, Any)
    json.refuse_doubled_keys(text)
    return value


def _is_json(line: str) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


def _object(record: dict[str, Any]) -> str:
    lines = []
    for key, value in record.items():
        if isinstance(value, list) and value and isinstance(value[0], str | dict):
            shown = "[\n    " + ",\n    ".join(map(_spaced, value)) + "\n  ]"
        else:
            shown = _spaced(value)
        lines.append(f"  {_spaced(key)}: {shown}")
    return "{\n" + ",\n".join(lines) + "\n}"


def _spaced(value: Any) -> str:
    return dumps(value, ensure_ascii=False)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Put a place before the messages of the errors of reading."""
    try:
        yield
    except (FormatError, PuzzleError) as error:
        raise FormatError(f"{place}: {error}") from None
