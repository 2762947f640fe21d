"""All commands: what each does in a sentence, and the module to load once it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.main import get_command

from castlecp.cli.guard import Guarded


class Command(NamedTuple):
    """A command is a function of its name in a module of `castlecp.cli`, and does this."""

    module: str
    summary: str

    def load(self, name: str) -> Any:
        """The command itself."""
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(getattr(import_module(f"castlecp.cli.{self.module}"), name))
        return get_command(alone)


class Group(NamedTuple):
    """Commands below a command, and what they are for."""

    commands: Mapping[str, Command]
    summary: str

    def load(self, name: str) -> Any:
        """The group; its commands are not loaded yet."""
        said = {"name": name, "help": self.summary, "no_args_is_help": True}
        return Named(self.commands, rich_markup_mode=None, **said)


class Late(Mapping[str, Any]):
    """Commands by name; one is loaded when it is looked up."""

    def __init__(self, known: Mapping[str, Command | Group]) -> None:
        self.known = known

    def __getitem__(self, name: str) -> Any:
        return self.known[name].load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)


class Named(Guarded):
    """A group whose help and typing errors load no command."""

    commands: Any

    def __init__(self, known: Mapping[str, Command | Group], **given: Any) -> None:
        super().__init__(**given)
        self.commands = Late(known)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names in the order of the table."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Each command with its whole summary."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.summary) for name, one in self.commands.known.items()])


AUTHOR = {
    "verify": Command(
        "authoring",
        "Prove that each level has one solution, the loop of its mask, and no idle statements.",
    ),
    "prune": Command(
        "authoring",
        "Drop clues in a seeded order while the solution stays the only one; print the level.",
    ),
    "boards": Command(
        "authoring",
        "Print the boards of levels, one a line, for all other commands.",
    ),
}
COMMANDS: dict[str, Command | Group] = {
    "solve": Command(
        "solving",
        "Solve a board: exactly one solution, several, none (and why), or inconclusive.",
    ),
    "count": Command(
        "solving",
        "Count the solutions of a board: exactly, at least, or as far as the budget went.",
    ),
    "check": Command(
        "boards",
        "Judge an answer: correct, or everything that is wrong with it and where.",
    ),
    "convert": Command(
        "boards",
        "Write a board in another format; what the format cannot say is an error.",
    ),
    "draw": Command(
        "boards",
        "Draw a board, with an answer or two: in the terminal, or as SVG or PNG.",
    ),
    "generate": Command(
        "generating",
        "Make boards with exactly one solution; the same seed and settings make the same board.",
    ),
    "minimise": Command(
        "minimising",
        "Take away clues, and pieces of clues, while the solution stays the only one.",
    ),
    "mend": Command(
        "mending",
        "The fewest changes of clues that leave exactly one solution.",
    ),
    "loops": Command(
        "loops",
        "Count the loops of a board without clues, exactly, or draw some at random.",
    ),
    "explain": Command(
        "explaining",
        "Solve a board as a person would: each step with what it settles, its rung and its reason.",
    ),
    "grade": Command(
        "explaining",
        "How hard a board is: a number, the hardest rung, suppositions, how narrow the way is.",
    ),
    "hint": Command(
        "explaining",
        "The next step: what is drawn wrongly, crosses too, else the easiest deduction and why.",
    ),
    "crosscheck": Command(
        "crosschecking",
        "Ask every method about every board; exit code 4 when two of them disagree.",
    ),
    "certify": Command("certifying", "Prove every board of a bank unique, or show why not."),
    "verify": Command(
        "certifying",
        "Check certificates: accepted, or the first reason against each.",
    ),
    "schema": Command(
        "schemas",
        "The JSON Schema of what --json prints, or the names of all reports.",
    ),
    "serve": Command(
        "serving",
        "Answer over HTTP what the other commands answer, until Ctrl-C.",
    ),
    "author": Group(AUTHOR, "Levels by hand: prove, prune, use them."),
}


class All(Named):
    """All of them."""

    def __init__(self, **given: Any) -> None:
        super().__init__(COMMANDS, **given)
