"""Every example of the README is executed and prints what the README says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from boards import HERE
from typer.testing import CliRunner

from castlecp import codecs, genres
from castlecp.cli import app

README = (HERE.parent / "README.md").read_text()
CONSOLE = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PYTHON = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
BOARDS = [
    text
    for language, text in re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    if language == "json" or (not language and text.split()[0] in genres.names())
]
EXAMPLES = [
    example
    for block in CONSOLE
    for example in re.findall(r"^\$ scripts/run (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


def settled(output: str) -> str:
    """Output without what differs from run to run."""
    return re.sub(r"\d+\.\d{3} s\b", "- s", output).strip()


def test_there_are_examples() -> None:
    """The patterns above find what the README has."""
    assert len(EXAMPLES) == README.count("\n$ scripts/run") >= 7
    assert PYTHON
    assert len(BOARDS) >= 4


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_console(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A console block."""
    monkeypatch.chdir(HERE.parent)
    for written in re.findall(r"-o (\S+\.jsonl)", command):
        Path(written).unlink(missing_ok=True)
    result = CliRunner().invoke(app, command.split())
    assert settled(result.stdout) == settled(output)


@pytest.mark.parametrize("program", PYTHON)
def test_python(program: str) -> None:
    """A Python block."""
    exec(compile(program, "README.md", "exec"), {})


@pytest.mark.parametrize("text", BOARDS)
def test_boards(text: str) -> None:
    """A board in JSON or as text."""
    puzzle = codecs.read(text)
    for to in ("json", "board") if "statements" not in text else ("json",):
        assert codecs.read(codecs.write(puzzle, to)) == puzzle


def test_links() -> None:
    """Files that the README points to are there."""
    for target in re.findall(r"\]\(([^):]+)\)", README):
        assert (HERE.parent / target).exists(), target
