"""What --json prints: reports that name their format and read back as what they were."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from castlecp import bank, wire
from castlecp.cli import app
from castlecp.errors import Unknown
from castlecp.generate.board import Made, make
from castlecp.generate.settings import Settings

BOARDS = Path(__file__).parent / "boards"
LEVELS = str(Path(__file__).parent.parent / "castlecp" / "data" / "levels")
UNIQUE = str(BOARDS / "castle" / "small-6x6.json")
SEVERAL = str(BOARDS / "castle" / "ambiguous-6x6.txt")
NONE = str(BOARDS / "castle" / "contradiction-6x6.txt")
STATEMENTS = str(BOARDS / "slither" / "statements-6x7.json")
CAVE = str(BOARDS / "cave" / "small-6x6.txt")

#: Commands that print each kind of report, without --json.
COMMANDS = [
    ("verdict", ["solve", UNIQUE]),
    ("verdict", ["solve", SEVERAL, "--forced"]),
    ("verdict", ["solve", NONE]),
    ("verdict", ["solve", STATEMENTS]),
    ("count", ["count", SEVERAL]),
    ("judgement", ["check", UNIQUE, '{"edges": [[0, 0, 0, 1]]}']),
    ("so-far", ["check", UNIQUE, '{"on": [[0, 0, 0, 1]]}', "--so-far"]),
    ("explanation", ["explain", UNIQUE]),
    ("explanation", ["explain", STATEMENTS]),
    ("explanation", ["explain", NONE]),
    ("hint", ["hint", UNIQUE]),
    ("hint", ["hint", CAVE]),
    ("grade", ["grade", UNIQUE]),
    ("less", ["minimise", UNIQUE]),
    ("spares", ["minimise", UNIQUE, "--report"]),
    ("mended", ["mend", SEVERAL, "--most", "2"]),
    ("mended", ["mend", NONE]),
    ("comparisons", ["crosscheck", "--seeds", "1..3", "--rows", "2..3", "--cols", "2..3"]),
    ("loop-count", ["loops", "--rows", "4", "--cols", "4"]),
    ("loop-count", ["loops", "--rows", "4", "--cols", "4", "--by-length"]),
    ("loop-sample", ["loops", "--rows", "4", "--cols", "4", "--sample", "2"]),
    ("levels", ["author", "verify", LEVELS]),
]


def printed(*command: str) -> str:
    """The one line that a command prints."""
    result = CliRunner().invoke(app, [*command, "--json"])
    assert result.exit_code in (0, 1), result.output
    (line,) = result.stdout.splitlines()
    return line


def read_back(line: str, name: str) -> None:
    """A line is a report of that name, and decoded and written once more the same line."""
    report = wire.decode(line)
    assert json.loads(line)["format"] == f"castlecp-{name}-1"
    assert type(report) is wire.REGISTRY[name]
    assert wire.encode(report).decode() == line
    assert wire.decode(wire.encode(report)) == report


#: What a service alone says.
SERVICE = {
    "banks",
    "boards",
    "converted",
    "daily",
    "examined",
    "generated",
    "genres",
    "job",
    "names",
}


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=lambda value: str(value)[:40])
def test_a_report_reads_back(name: str, command: list[str]) -> None:
    """Decoded to an equal object."""
    read_back(printed(*command), name)


def test_reports_on_banks(tmp_path: Path) -> None:
    """Certify, verify and minimise of a bank."""
    certificates, less = str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")
    folder = str(BOARDS / "castle")
    read_back(printed("certify", UNIQUE, "-o", certificates, "--no-grade"), "sums")
    read_back(printed("verify", certificates), "sums")
    read_back(printed("minimise", folder, "-o", less), "bank-less")


def test_every_report_is_printed_by_something() -> None:
    """No report without a command; what only a service says is tested with it."""
    known = {name for name, _ in COMMANDS} | {"sums", "bank-less"}
    assert set(wire.REGISTRY) == known | SERVICE


@pytest.mark.parametrize("name", wire.REGISTRY.names())
def test_schemas(name: str) -> None:
    """Each report has a schema, by the library and on the command line."""
    schema = json.loads(msgspec.json.encode(wire.schema(name)))
    assert f"castlecp-{name}-1" in json.dumps(schema)
    result = CliRunner().invoke(app, ["schema", name])
    assert json.loads(result.stdout) == schema
    assert name in CliRunner().invoke(app, ["schema"]).stdout.split()
    with pytest.raises(Unknown, match=f"did you mean {name}"):
        wire.schema(f"{name}z")


def test_a_line_of_a_bank_reads_back() -> None:
    """The board of a seed, with its format first and its digest last."""
    made = make(Settings(genre="castle", rows=5, cols=6), 1)
    line = bank.sealed(made)
    assert line.startswith(bank.BEGINS)
    assert bank.is_sealed(line)
    record = json.loads(line)
    assert record["format"] == Made.__struct_config__.tag == "castlecp-board-1"
    assert record["status"] == "unique"
    digest = record.pop("digest")
    assert len(digest) == 64
    assert json.loads(msgspec.json.encode(made)) == record
