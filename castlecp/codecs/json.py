"""JSON: one object a puzzle, `{"type": "castle", "rows": 8, "cols": 8, "clues": [...]}`.

The keys are the fields of the genre's puzzle and clue; unknown keys are refused by name, and so
is a key that stands twice in an object, since readers differ in which of the two counts.
A line of a bank or of a certificates file is read as the puzzle that it holds.

Written JSON is one line, `type` first, clues in reading order, and what is not said left out.

An answer is `{"edges": [[r1, c1, r2, c2], ...]}` with the edges between vertices, or
`{"inside": [[r, c], ...]}` with the faces, or an object with `solutions`, of which the first
counts; other keys beside those are not looked at. Rows and columns count from 0.

A position is `{"on": [edges], "off": [edges], "inside": [faces], "outside": [faces]}`, of which at
least one key other than `inside` is there; an answer is a position too, with its edges on. Or it is
`{"moves": [...]}`, in the order in which it was drawn: each move has one or more of these keys, and
`blank` for the edges and faces from which it takes away what was drawn there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from json import loads
from math import inf
from typing import Any, TypeVar

import msgspec

from castlecp.errors import FormatError, PuzzleError, sized
from castlecp.genres import Puzzle, genre
from castlecp.grid import Edge, Face, Lattice, Loop
from castlecp.nouns import plural
from castlecp.position import Move, Position
from castlecp.shape import misfit, step
from castlecp.texts import quoted, warn

ABOUT = "a JSON object"
ENDING = ".json"
ABOUT_ANSWER = "a JSON object with `edges`, `inside`, `solutions` or `on`"

S = TypeVar("S")

#: Keys of objects that have a name or hold a puzzle.
_HOLDS = frozenset({"id", "puzzle", "certificate", "status"})

_TOO_DEEP = "brackets are nested too deeply"
_BEGINS = re.compile(r"\s*(\{|\[(?![^\]]*\]\())")


class _Typed(msgspec.Struct):
    """The part of a puzzle that says what the rest must be."""

    type: str


class _Drawn(msgspec.Struct):
    """One answer: its edges, or the faces inside."""

    edges: list[tuple[int, int, int, int]] | None = None
    inside: list[tuple[int, int]] | None = None


class _Move(msgspec.Struct, forbid_unknown_fields=True):
    """What one stroke draws or takes away."""

    on: list[tuple[int, int, int, int]] = []
    off: list[tuple[int, int, int, int]] = []
    inside: list[tuple[int, int]] = []
    outside: list[tuple[int, int]] = []
    blank: list[list[int]] = []


class _Answer(_Drawn):
    """An answer, a report that lists answers, or a position."""

    solutions: list[_Drawn] | None = None
    on: list[tuple[int, int, int, int]] | None = None
    off: list[tuple[int, int, int, int]] | None = None
    outside: list[tuple[int, int]] | None = None
    moves: list[_Move] | None = None

    @property
    def is_position(self) -> bool:
        """Whether this is a position, and not just an answer."""
        return any(said is not None for said in (self.on, self.off, self.outside, self.moves))


def looks_like(text: str) -> bool:
    """Whether the text begins as an object or an array does, and not as a Markdown link."""
    return _BEGINS.match(text) is not None


answer_looks_like = looks_like


def read(text: str) -> Puzzle:
    """The puzzle. Raises FormatError with the path of the key at fault."""
    return read_named(text)[1]


def read_named(text: str) -> tuple[str | None, Puzzle]:
    """The puzzle, and the name that it has as a line of a bank or of a certificates file.

    Raises FormatError as `read` does.
    """
    try:
        fields = decode(text, dict[str, msgspec.Raw])
    except FormatError:
        _puzzle(text)
        raise
    if "mask" in fields and "puzzle" not in fields:
        raise FormatError("this is a level; `castlecp author boards` prints its board")
    if _HOLDS.isdisjoint(fields):
        puzzle = _puzzle(text)
        refuse_doubled_keys(text)
        return None, puzzle
    refuse_doubled_keys(text)
    name = fields.pop("id", fields.get("name"))
    said = None if name is None else str(msgspec.json.decode(name))
    if "certificate" in fields:
        fields = decode(bytes(fields["certificate"]).decode(), dict[str, msgspec.Raw])
    if "puzzle" in fields:
        return said, _puzzle(bytes(fields["puzzle"]).decode())
    if "status" in fields:
        raise FormatError("this record has no board")
    return said, _puzzle(msgspec.json.encode(fields).decode())


def _puzzle(text: str) -> Puzzle:
    kind = genre(decode(text, _Typed).type)
    puzzle: Puzzle = decode(text, kind.PUZZLE)
    return puzzle


def write(puzzle: Puzzle) -> str:
    """The puzzle as one line."""
    return msgspec.json.encode(puzzle).decode()


def read_answer(text: str, puzzle: Puzzle) -> Loop:
    """The line of the answer. Raises FormatError with the path of the key at fault."""
    answer = decode(text, _Answer)
    refuse_doubled_keys(text)
    if answer.is_position:
        return puzzle.line_of(_position(answer, puzzle.lattice))
    return _line(answer, puzzle.lattice)


def read_position(text: str, puzzle: Puzzle) -> Position:
    """The position, or the answer as one. Raises FormatError with the path of the key at fault."""
    answer = decode(text, _Answer)
    refuse_doubled_keys(text)
    if answer.is_position:
        return _position(answer, puzzle.lattice)
    return Position.of(_line(answer, puzzle.lattice))


def _line(answer: _Answer, lattice: Lattice) -> Loop:
    drawn: _Drawn = answer
    path = ""
    if answer.solutions is not None:
        if not answer.solutions:
            raise FormatError("`solutions` is empty")
        if (found := len(answer.solutions)) > 1:
            warn(f"there are {plural(found, 'solution')}; the first of them is taken")
        drawn, path = answer.solutions[0], "solutions[0]."
    if drawn.edges is not None:
        return Loop(lattice, _edges(drawn.edges, lattice, f"{path}edges"))
    if drawn.inside is not None:
        return Loop.around(lattice, _faces(drawn.inside, lattice, f"{path}inside"))
    raise FormatError("none of the keys `edges`, `inside`, `solutions` and `on` is there")


def _position(said: _Answer, lattice: Lattice) -> Position:
    if said.edges is not None or said.solutions is not None:
        raise FormatError("a position has `on`, and neither `edges` nor `solutions`")
    if said.moves is not None:
        if any(x is not None for x in (said.on, said.off, said.inside, said.outside)):
            raise FormatError("a position has `moves`, or what they have drawn, and not both")
        moves = [_move(move, lattice, f"moves[{k}]") for k, move in enumerate(said.moves)]
        return Position.after(lattice, moves)
    on, off = (_edges(getattr(said, key) or (), lattice, key) for key in ("on", "off"))
    inside, outside = (
        _faces(getattr(said, key) or (), lattice, key) for key in ("inside", "outside")
    )
    try:
        return Position(lattice, on, off, inside, outside)
    except PuzzleError as error:
        raise FormatError(str(error)) from None


def _move(said: _Move, lattice: Lattice, path: str) -> Move:
    on, off = (_edges(getattr(said, key), lattice, f"{path}.{key}") for key in ("on", "off"))
    inside, outside = (
        _faces(getattr(said, key), lattice, f"{path}.{key}") for key in ("inside", "outside")
    )
    for twice in (*sorted(on & off), *sorted(inside & outside)):
        raise FormatError(f"`{path}` draws {list(twice)} in two ways")
    blank: set[Edge | Face] = set()
    for index, place in enumerate(said.blank):
        key = f"{path}.blank"
        if len(place) == 2:
            blank |= _faces([(place[0], place[1])], lattice, key, index)
        elif len(place) == 4:
            blank |= _edges([(place[0], place[1], place[2], place[3])], lattice, key, index)
        else:
            raise FormatError(f"`{key}[{index}]` is neither an edge nor a face")
    return Move(on, off, inside, outside, frozenset(blank))


def _edges(
    said: Iterable[tuple[int, int, int, int]], lattice: Lattice, key: str, first: int = 0
) -> frozenset[Edge]:
    edges = [Edge(*min(e, e[2:] + e[:2])) for e in said]
    for index, edge in enumerate(edges, first):
        if not lattice.has_edge(edge):
            what = f"no edge of a lattice {sized(lattice.rows, lattice.cols)}"
            raise FormatError(f"`{key}[{index}]` is {what}")
    return frozenset(edges)


def _faces(said: Iterable[Face], lattice: Lattice, key: str, first: int = 0) -> frozenset[Face]:
    faces = list(said)
    for index, face in enumerate(faces, first):
        if not lattice.has_face(face):
            what = f"no face of a lattice {sized(lattice.rows, lattice.cols)}"
            raise FormatError(f"`{key}[{index}]` is {what}")
    return frozenset(faces)


def write_answer(puzzle: Puzzle, loop: Loop) -> str:
    """The loop as edges and as the faces inside, both sorted."""
    answer = {"edges": sorted(loop.edges), "inside": sorted(loop.inside)}
    return msgspec.json.encode(answer).decode()


def write_position(puzzle: Puzzle, position: Position) -> str:
    """All that is drawn, each key sorted."""
    keys = ("on", "off", "inside", "outside")
    return msgspec.json.encode({key: sorted(getattr(position, key)) for key in keys}).decode()


def refuse_doubled_keys(text: str) -> None:
    """Raises FormatError when an object in a JSON text has a key twice, with its path."""
    found = False

    def look(pairs: list[tuple[str, Any]]) -> None:
        nonlocal found
        found |= len(dict(pairs)) < len(pairs)

    _each_object(text, look)
    if found:
        key, path = _doubled_key(text)
        where = f"twice in `{path[-100:]}`" if path else "there twice"
        raise FormatError(f"the key {quoted(key)} stands {where}")


def _doubled_key(text: str) -> tuple[str, str]:
    """The first key that an object has twice, and the object's path, of a text with such a key."""

    class Doubled(dict[str, Any]):
        key: str

    def held(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = Doubled(pairs)
        if len(value) == len(pairs):
            return dict(value)
        ((value.key, _),) = Counter(key for key, _ in pairs).most_common(1)
        return value

    left: list[tuple[str, Any]] = [("", _each_object(text, held))]
    while True:
        path, value = left.pop()
        if isinstance(value, Doubled):
            return value.key, path
        if isinstance(value, dict):
            inside = [(f"{path}.{step(key)}".lstrip("."), inner) for key, inner in value.items()]
            left += reversed(inside)
        elif isinstance(value, list):
            left += reversed([(f"{path}[{index}]", inner) for index, inner in enumerate(value)])


def _each_object(text: str, turned: Callable[[list[tuple[str, Any]]], Any]) -> Any:
    """A JSON text with every object, the inner ones first, turned into something else.

    Numbers are left as text: what they say is not asked, and large ones take long to read.
    """
    try:
        return loads(text, object_pairs_hook=turned, parse_int=str, parse_float=str, strict=False)
    except RecursionError:
        raise FormatError(_TOO_DEEP) from None


def decode(text: str, shape: type[S]) -> S:
    """A JSON text of some shape. Raises FormatError with the path of the key at fault."""
    try:
        return msgspec.json.decode(text, type=shape)
    except msgspec.ValidationError as error:
        raise FormatError(_misfit(text, shape) or str(error)) from None
    except msgspec.DecodeError as error:
        raise FormatError(f"not JSON: {_place(str(error), text)}") from None
    except UnicodeError:
        raise FormatError("not JSON: a string has half of a surrogate pair") from None
    except RecursionError:
        raise FormatError(_TOO_DEEP) from None


def fitted(value: Any, shape: type[S]) -> S:
    """A value of JSON that was read, as some shape. Raises FormatError as `decode` does."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise FormatError(misfit(value, shape) or str(error)) from None


def _place(message: str, text: str) -> str:
    """msgspec's message on text that is not JSON, its byte turned into a place."""
    found = re.fullmatch(r"(?:JSON is malformed: )?(.*) \(byte (\d+)\)", message)
    if found is None:
        return "it ends too early" if "truncated" in message else message
    before = text.encode()[: int(found[2])].decode(errors="ignore")
    if "\n" not in text.strip():
        return f"{found[1]} at character {len(before) + 1}"
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n")
    return f"{found[1]} at line {line}, column {column}"


def _misfit(text: str, shape: type) -> str | None:
    """Where a JSON text is not of a shape. Raises FormatError for what is no JSON either."""
    try:
        value = loads(text, parse_int=_number, strict=False)
    except RecursionError:
        raise FormatError(_TOO_DEEP) from None
    except ValueError:
        decode(text, msgspec.Raw)
        raise
    return misfit(value, shape)


def _number(digits: str) -> int | float:
    """A whole number, or infinity for one of which only the length is to be known."""
    return int(digits) if len(digits) <= 300 else inf
