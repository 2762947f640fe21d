"""Boards as text formats have them: rows of cells, each a word, and letters for what else is asked.

A format knows no genre: it asks the genre how a cell is written (see `grammar`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from castlecp import genres
from castlecp.clues import Clue
from castlecp.errors import FormatError, Lacking, PuzzleError
from castlecp.genres import Genre, Puzzle
from castlecp.grammar import Grammar, Mismatch
from castlecp.texts import quoted, warn

F = TypeVar("F")


def genre_of(puzzle: Puzzle) -> tuple[str, Genre]:
    """The id and the module of a puzzle's genre."""
    name = genres.id_of(puzzle)
    return name, genres.genre(name)


def form_of(genre: Genre, name: str, shape: type[F], about: str) -> F:
    """How a genre is written in the format `name`. Raises Lacking where it is not."""
    form = genre.FORMS.get(name)
    if not isinstance(form, shape):
        raise Lacking(f"{genre.PUZZLE.TITLE} has no form as {about} yet")
    return form


def clues_of(cells: Sequence[Clue | None], cols: int) -> tuple[Clue, ...]:
    """The clues of cells given row by row, each put in its place."""
    return tuple(
        msgspec.structs.replace(cell, row=index // cols, col=index % cols)
        for index, cell in enumerate(cells)
        if cell is not None
    )


def cells_of(puzzle: Puzzle) -> list[Clue | None]:
    """The cells of a puzzle row by row: None, or the clue as it reads in row 0, column 0."""
    cells: list[Clue | None] = [None] * (puzzle.rows * puzzle.cols)
    for clue in puzzle.clues:
        cells[clue.row * puzzle.cols + clue.col] = msgspec.structs.replace(clue, row=0, col=0)
    return cells


def cell_of(form: Grammar[Clue | None], word: str, place: str) -> Clue | None:
    """The cell that a word at a place of the text stands for. Raises FormatError."""
    try:
        return form.parse(word)
    except Mismatch as miss:
        wanted = f"{miss.wanted} should stand at its character {miss.at + 1}"
        raise FormatError(f"{place}: {quoted(word)} is no cell; {wanted}") from None
    except PuzzleError as error:
        raise FormatError(f"{place}: {error}") from None


def words_of(puzzle: Puzzle, form: Grammar[Clue | None], about: str) -> list[list[str]]:
    """The words of the cells, row by row. Raises FormatError for a clue that has none."""
    words = []
    for cell in cells_of(puzzle):
        word = form.write(cell)
        if word is None:
            said = cell.says() if cell else "blank"
            raise FormatError(f"{about} cannot say a clue that is {said}")
        words.append(word)
    return [words[at : at + puzzle.cols] for at in range(0, len(words), puzzle.cols)]


def flags_of(puzzle: Puzzle, about: str) -> str:
    """The flag letters of a puzzle, for a format that says clues and flags and no more.

    Raises FormatError for a puzzle that says more than those.
    """
    flags = genre_of(puzzle)[1].FLAGS
    letters = {name: letter for letter, name in flags.items()}
    said = ""
    for field in msgspec.structs.fields(puzzle):
        if field.name in ("rows", "cols", "clues"):
            continue
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        if getattr(puzzle, field.name) != default:
            if field.name not in letters:
                raise FormatError(f"{about} cannot say `{field.name}`")
            said += letters[field.name]
    return said


def blank_of(kind: Genre, rows: int, cols: int, flags: str) -> Puzzle:
    """A board without clues, with the fields that flag letters set.

    Letters that the genre lacks get a warning. Raises PuzzleError for a size that is not allowed.
    """
    unknown = "".join(letter for letter in flags if letter not in kind.FLAGS)
    if unknown:
        warn(f"the flag {quoted(unknown)} is ignored")
    fields: dict[str, Any] = {kind.FLAGS[letter]: True for letter in flags if letter in kind.FLAGS}
    return kind.PUZZLE(rows=rows, cols=cols, **fields)
