"""Combinators read what they write."""

from __future__ import annotations

import pytest

from castlecp.genres.castle import CastleClue
from castlecp.grammar import Blanks, Cells, Clued, Fields, Mismatch, Number, OneOf, Packed, Symbols


class Plain(CastleClue, frozen=True):
    """A clue with a number and no more."""

    color: str = "grey"  # type: ignore[assignment]


def test_blanks_packed_into_a_clue() -> None:
    """A form that packs blanks is written where they are, and also past the end of the board."""
    form: Cells[Plain] = Cells(
        Clued(Fields(Plain, number=Symbols("a clue", {"c": 0, "d": 1})), blanks=2),
        Clued(Fields(Plain, number=Symbols("a clue", {"A": 0, "B": 1})), blanks=1),
        Clued(Fields(Plain, number=Symbols("a clue", {"0": 0, "1": 1}))),
        Blanks("xyz"),
    )
    zero, one = Plain(0, 0, number=0), Plain(0, 0, number=1)
    for cells, text in (
        ([zero, one], "0d"),
        ([zero, None, one], "Ad"),
        ([zero, None, None, one], "cd"),
        ([zero, None, None, None, None, one, None, None, None], "cydx"),
        ([None] * 7, "zzx"),
        ([], ""),
    ):
        assert form.write(cells) == text
        assert form.read(text, len(cells)) == (cells, "")
    assert form.read("01", 2) == ([zero, one], "")
    assert form.read("010z", 2) == ([zero, one], "0z")
    assert form.read("0z1", 2) == ([zero, None], "z1")
    assert form.read("0", 3) == ([zero], "")


def test_longest_text_is_read_and_first_is_written() -> None:
    """Several texts may stand for one value, and one may begin like another."""
    form = Symbols("a letter", {"": None, "a": 1, "ab": 2, "x": 2})
    assert [form.parse(text) for text in ("", "a", "ab", "x")] == [None, 1, 2, 2]
    assert [form.write(value) for value in (None, 1, 2, 3)] == ["", "a", "ab", None]


@pytest.mark.parametrize(("base", "width"), [(10, None), (16, 1), (16, 3)])
def test_numbers(base: int, width: int | None) -> None:
    """Numbers are written when they fit the width, and only then."""
    form = OneOf(Number(base, width))
    top = 10**9 if width is None else base**width
    for value in (0, 7, top - 1):
        text = form.write(value)
        assert text is not None
        assert form.parse(text) == value
    assert [form.write(value) for value in (-1, top, None, "1")] == [None] * 4


def test_cells_packed_into_a_digit() -> None:
    """Three cells a digit, the first one the highest; behind the board everything is blank."""
    one, two = Plain(0, 0, number=1), Plain(0, 0, number=2)
    form: Cells[Plain] = Cells(Packed((None, one, two), cells=3))
    for cells, text in (
        ([two, None, one], "j"),
        ([None, None, two, one], "29"),
        ([two, two, two, None, one], "q3"),
        ([None] * 6, "00"),
    ):
        assert form.write(cells) == text
        assert form.read(text, len(cells)) == (cells, "")
    assert form.read("j0", 3) == ([two, None, one], "0")
    assert form.read("0a", 4) == ([None, None, None, one], "a")
    with pytest.raises(Mismatch):
        form.read("r", 3)
