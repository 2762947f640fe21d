"""Options that several commands take are the same everywhere; nouns are counted in one way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from test_cli import run

from castlecp.cli import app
from castlecp.errors import FormatWarning
from castlecp.nouns import plural

ROOT = Path(__file__).parent.parent
BOARD = "castle\n. w2>\n. .\n"


def commands() -> Iterator[tuple[str, Any]]:
    """Every command of the command line by its words."""

    def below(group: Any, words: str) -> Iterator[tuple[str, Any]]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from below(command, f"{words}{name} ")
            else:
                yield words + name, command

    yield from below(typer.main.get_command(app), "")


@pytest.mark.parametrize("option", ["--seed", "--seconds", "--steps", "--jobs", "--json"])
def test_an_option_is_the_same_in_every_command(option: str) -> None:
    """Name, help, default and metavar."""
    kinds = {
        (param.help, param.default, param.metavar)
        for name, command in commands()
        for param in command.params
        if option in param.opts
    }
    assert len(kinds) == 1, kinds


def test_no_command_has_another_name_for_seconds() -> None:
    """There is one word for it."""
    names = {opt for _, command in commands() for param in command.params for opt in param.opts}
    assert not {name for name in names if re.search("time|timeout|secs", name)}


def test_plurals() -> None:
    """One of a thing is one, other numbers are several."""
    assert [plural(n, "edge") for n in (0, 1, 2, 1000)] == [
        "0 edges",
        "1 edge",
        "2 edges",
        "1,000 edges",
    ]
    assert plural(1, "try", "tries") == "1 try"
    assert plural(2, "try", "tries") == "2 tries"
    assert plural(0.96, "board") == "1.0 boards"


def test_no_sentence_counts_in_another_way() -> None:
    """No f-string puts a length before a plural noun by itself; pieces are told when several."""
    said = re.compile(r"\{len\([^{}]*\)\} (?!pieces)[a-z]+s\b")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "castlecp").rglob("*.py"))
        for line in path.read_text().splitlines()
        if said.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("castle\n. .\n.\n", "line 3 has 1 cell, the first row has 2"),
        ("pzprv3\ncastle\n1\n2\n.\n", "has 1 word where there should be 2"),
    ],
)
def test_one_of_a_thing_is_said_so(text: str, sentence: str) -> None:
    """Of the readers."""
    result = run("solve", text)
    assert result.exit_code == 2
    assert sentence in result.stderr


@pytest.mark.parametrize(
    ("ending", "begins"),
    [("json", '{"type":'), ("txt", "castle\n"), ("url", "https://"), ("pzprv3", "pzprv3\n")],
)
def test_a_file_is_written_as_its_name_ends(tmp_path: Path, ending: str, begins: str) -> None:
    """Where `--to` is not given."""
    made = tmp_path / f"x.{ending}"
    result = run("convert", BOARD, "-o", str(made))
    assert result.exit_code == 0, result.stderr
    assert made.read_text().startswith(begins)


def test_a_name_that_says_no_format_is_refused(tmp_path: Path) -> None:
    """And so is standard output."""
    result = run("convert", BOARD, "-o", str(tmp_path / "x.svg"))
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "its name ends in none of" in result.stderr
    for words in (["-o", "-"], []):
        result = run("convert", BOARD, *words)
        assert result.exit_code == 2
        assert "say --to" in result.stderr


def test_the_first_of_several_solutions_is_taken_and_said_so(tmp_path: Path) -> None:
    """`solve --json` has two of an ambiguous board."""
    board = tmp_path / "board.txt"
    board.write_text("castle\n. . .\n. . .\n")
    answer = tmp_path / "answer.json"
    answer.write_text(run("solve", str(board), "--json").stdout)
    with pytest.warns(FormatWarning, match="there are 2 solutions; the first of them is taken"):
        result = run("draw", str(board), str(answer))
    assert result.exit_code == 0
