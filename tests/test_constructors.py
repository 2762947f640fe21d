"""What is built in Python is held to what reading would take: no wrong value is read as another."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import Any

import msgspec
import pytest
import samples
from msgspec import inspect
from samples import every_genre

import castlecp
from castlecp import codecs, genres
from castlecp.author import masks
from castlecp.budget import Budget
from castlecp.errors import CastlecpError, PuzzleError
from castlecp.generate.loops import Wish
from castlecp.generate.settings import Settings
from castlecp.genres.castle import CastleClue
from castlecp.grid import Edge, Lattice, Loop
from castlecp.session import Session

#: Values of every kind that JSON has, few of which are right anywhere.
VALUES: list[Any] = [
    *(None, True, 0, 1, -1, 1.5, 10**9, "", "x", "grey", "up", "same", "?", "1"),
    *([], ["x"], [[0]], [0, 0], [3], {}, {"x": 1}, {"x": [0, 0]}, {"x": [0, "0"]}, {"row": 0}),
]


def structs(kind: type) -> Iterator[type[Any]]:
    """A struct type and those that its fields hold."""
    found: list[type] = []

    def walk(info: Any) -> None:
        if isinstance(info, inspect.StructType):
            if info.cls in found:
                return
            found.append(info.cls)
            for field in info.fields:
                walk(field.type)
        for name in ("item_type", "value_type"):
            if hasattr(info, name):
                walk(getattr(info, name))
        for inner in (*getattr(info, "types", ()), *getattr(info, "item_types", ())):
            walk(inner)

    walk(inspect.type_info(kind))
    return iter(found)


def example(kind: type, puzzle: Any) -> Any:
    """A struct of a type within a board."""
    left = [puzzle]
    while left:
        value = left.pop()
        if isinstance(value, kind):
            return value
        if isinstance(value, tuple):
            left += value
        elif isinstance(value, msgspec.Struct):
            left += [getattr(value, name) for name in value.__struct_fields__]
    raise AssertionError(f"no board of the samples has a {kind.__name__}")


@every_genre
def test_fields_are_checked_as_when_they_are_read(genre: str) -> None:
    """Each field of a puzzle and of what it holds takes a value exactly when JSON may say it."""
    kind = samples.kind_of(genre)
    boards = (*(board for board, _ in samples.of(genre).WRITTEN), kind(2, 3))
    for struct in structs(kind):
        good = next(example(struct, board) for board in boards if _has(struct, board))
        told = {name: getattr(good, name) for name in good.__struct_fields__}
        refused = 0
        for name in told:
            for value in VALUES:
                said = msgspec.to_builtins(good) | {name: value}
                try:
                    read = msgspec.convert(said, struct)
                except msgspec.ValidationError:
                    refused += 1
                    with pytest.raises(PuzzleError) as caught:
                        struct(**told | {name: value})
                    assert str(caught.value).isprintable()
                else:
                    assert struct(**told | {name: value}) == read
        assert refused > len(told)


def _has(struct: type, board: Any) -> bool:
    try:
        example(struct, board)
    except AssertionError:
        return False
    return True


@every_genre
def test_clues_of_another_genre_are_refused(genre: str) -> None:
    """A clue is of the board's own kind."""
    for other in genres.names():
        clue = samples.of(other).WRITTEN[0][0].clues[0]
        if other != genre and type(clue) is not type(samples.of(genre).WRITTEN[0][0].clues[0]):
            with pytest.raises(PuzzleError, match=r"`clues\[0\]` must be an object"):
                samples.kind_of(genre)(3, 4, (clue,))


def test_gray_is_grey() -> None:
    """The other spelling counts 43 loops as the first does, in Python and in JSON."""
    board = genres.genre("castle").PUZZLE
    assert CastleClue(1, 1, "gray") == CastleClue(1, 1, "grey")
    read = codecs.read(
        '{"type":"castle","rows":4,"cols":4,"clues":[{"row":1,"col":1,"color":"gray"}]}'
    )
    assert read == board(4, 4, (CastleClue(1, 1, "grey"),))
    with pytest.raises(PuzzleError, match="`color` must be"):
        CastleClue(1, 1, "Grey")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Lattice(0, 3),
        lambda: Lattice(3, -1),
        lambda: Lattice(3, 2.0),  # type: ignore[arg-type]
        lambda: Lattice(True, 3),
        lambda: Loop((3, 4), frozenset()),  # type: ignore[arg-type]
        lambda: Loop(Lattice(3, 4), {Edge(0, 0, 0, 1)}),  # type: ignore[arg-type]
        lambda: Loop(Lattice(3, 4), frozenset({(0, 0, 0, 1)})),  # type: ignore[arg-type]
        lambda: Loop(Lattice(3, 4), frozenset({Edge(0, 1, 0, 0)})),
        lambda: Loop(Lattice(3, 4), frozenset({Edge(0, 0, 1, 1)})),
        lambda: Loop(Lattice(3, 4), frozenset({Edge(0, 3, 0, 4)})),
        lambda: Loop(Lattice(3, 4), frozenset({Edge(2, 0, 3, 0)})),
        lambda: Loop(Lattice(3, 4), frozenset({Edge(-1, 0, 0, 0)})),
        lambda: Budget(-1),
        lambda: Budget(parent=3),  # type: ignore[arg-type]
        lambda: Budget(watch=3),  # type: ignore[arg-type]
        lambda: Budget(nan),
        lambda: Budget("3"),  # type: ignore[arg-type]
        lambda: Budget(steps=-1),
        lambda: Budget(steps=1.5),  # type: ignore[arg-type]
        lambda: Session((3, 4)),  # type: ignore[arg-type]
        lambda: Wish(winding=-1),
        lambda: Wish(winding=nan),
        lambda: Wish(tilt=(0, 1)),
        lambda: Wish(tilt=(1, 1.5)),  # type: ignore[arg-type]
        lambda: Settings(genre="castle", rows=0, cols=3),
        lambda: Settings(genre="castle", rows=3, cols="3"),  # type: ignore[arg-type]
        lambda: Settings(genre="castle", rows=3, cols=3, symmetry="spin"),  # type: ignore[arg-type]
        lambda: Settings(genre="castle", rows=3, cols=3, min_clues=-1),
        lambda: Settings(genre="castle", rows=3, cols=3, max_steps=-1),
        lambda: Settings(genre="castle", rows=3, cols=3, pattern=((3, 0),)),
        lambda: Settings(genre="castle", rows=3, cols=3, difficulty="mild"),
        lambda: masks.read(["#", "##"]),
        lambda: masks.read(["?"]),
    ],
)
def test_wrong_arguments(make: Any) -> None:
    """Each is refused where it is given, with one sentence."""
    with pytest.raises(CastlecpError) as caught:
        make()
    assert str(caught.value).isprintable()


def test_right_arguments() -> None:
    """What is at the end of the allowed is taken."""
    assert Budget(0, 0).seconds_left() == 0
    assert Loop(Lattice(1, 1), frozenset()).edges == frozenset()
    assert castlecp.Lattice(1, 2).edges == (Edge(0, 0, 0, 1),)
