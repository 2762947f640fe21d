"""What a command loads: its own module and what that needs, so that it starts at once."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from castlecp.cli.commands import AUTHOR, COMMANDS, Command

BOARD = str(Path(__file__).parent / "boards" / "castle" / "small-6x6.json")
#: Every command by its words, and the module that it is in.
MODULES = {
    (*above, name): command.module
    for above, commands in (((), COMMANDS), (("author",), AUTHOR))
    for name, command in commands.items()
    if isinstance(command, Command)
}
#: What no command needs before it has something to do for it.
HEAVY = (
    "dratify",
    "drawsvg",
    "multiprocessing",
    "networkx",
    "numba",
    "numpy",
    "ortools",
    "pysat",
    "pysolvers",
    "resvg_py",
    "rich",
    "ziafont",
)


def loaded(*args: str) -> set[str]:
    """The modules that a command has loaded when it ends, in a process of its own."""
    program = (
        "import json, sys\n"
        "from castlecp.cli import app\n"
        "try: app(sys.argv[1:])\n"
        "except SystemExit as ended: assert ended.code == 0, ended\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *args], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def within(modules: set[str], *rooms: str) -> set[str]:
    """Those of some modules that are in one of the packages, or are one."""
    return {name for name in modules if any(f"{name}.".startswith(f"{room}.") for room in rooms)}


def test_help_loads_no_command() -> None:
    """Names and summaries are in the table."""
    found = loaded("--help")
    assert not within(found, *HEAVY, "msgspec", "hashlib")
    assert within(found, "castlecp") == {
        "castlecp",
        "castlecp.cli",
        "castlecp.cli.commands",
        "castlecp.cli.guard",
        "castlecp.cli.streams",
        "castlecp.errors",
        "castlecp.signals",
    }


@pytest.mark.parametrize("words", MODULES, ids=" ".join)
def test_a_command_loads_its_own_module_alone(words: tuple[str, ...]) -> None:
    """No command brings another one along."""
    known = {f"castlecp.cli.{module}" for module in MODULES.values()}
    found = loaded(*words, "--help")
    assert within(found, *known) == {f"castlecp.cli.{MODULES[words]}"}
    assert not within(found, *HEAVY)


def test_solving_loads_what_solves() -> None:
    """A board that the rules settle needs no engine, and none needs what makes boards."""
    assert not within(
        loaded("solve", BOARD),
        *HEAVY,
        "castlecp.author",
        "castlecp.certify",
        "castlecp.counting",
        "castlecp.crosscheck",
        "castlecp.draw.png",
        "castlecp.draw.svg",
        "castlecp.executors",
        "castlecp.generate",
        "castlecp.journal",
        "castlecp.ladder",
        "castlecp.wire",
    )


@pytest.mark.parametrize("words", MODULES, ids=" ".join)
def test_summaries_are_what_commands_say(words: tuple[str, ...]) -> None:
    """The table and the command say the same, in a sentence or two."""
    summary = (AUTHOR if len(words) > 1 else COMMANDS)[words[-1]].summary
    function = getattr(import_module(f"castlecp.cli.{MODULES[words]}"), words[-1])
    said = inspect.getdoc(function)
    assert said
    assert " ".join(said.split("\n\n")[0].split()) == summary
