"""Streams and the ends of commands: encodings, closed streams, signals, errors, names of others."""

from __future__ import annotations

import ast
import builtins
import json
import os
import re
import signal
import subprocess
import sys
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer
from boards import LEVELS
from test_cli import AMBIGUOUS, CONTRADICTION, HARD, UNIQUE, run
from typer.main import get_command

from castlecp import codecs, errors
from castlecp.cli import app, output, streams
from castlecp.cli.guard import ended

CASTLECP = [sys.executable, "-m", "castlecp"]
#: A name that clears the screen, rings, breaks the line and turns letters round.
EVIL = (
    "ev\x1b[2J\x1b]0;pwned\x07il\nunique: all good\x85\x9b1m\u202egnp\u2028\u2066\ufeff\U000e0001"
)


def whole(*args: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """A command in a process of its own."""
    return subprocess.run([*CASTLECP, *args], capture_output=True, timeout=120, **options)


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell in which `castlecp` is this one."""
    program = f'castlecp() {{ "{sys.executable}" -m castlecp "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", program], capture_output=True, text=True, timeout=120)


# Encodings.


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "cp437", "cp932"])
def test_streams_that_are_not_utf8(encoding: str, tmp_path: Path) -> None:
    """Pictures and sentences are spelt, and the picture is still an answer."""
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    solved = whole("solve", UNIQUE, env=environment)
    assert (solved.returncode, solved.stderr) == (0, b"")
    picture = solved.stdout.decode(encoding).split("\n\n", 1)[1]
    assert run("check", UNIQUE, "-", stdin=picture).output == "correct\n"
    for command in (("explain", UNIQUE), ("solve", AMBIGUOUS), ("solve", CONTRADICTION)):
        said = whole(*command, env=environment)
        assert (b"Traceback" in said.stderr, said.returncode in (0, 1)) == (False, True)
        assert "\\u" not in said.stdout.decode(encoding)


def test_ascii_picture() -> None:
    """The signs of the documentation, and two answers can be told apart."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    assert b"+---+\n| 4 |\n+---+" in whole("solve", "slither/1/1/4", env=environment).stdout
    drawn = whole("solve", AMBIGUOUS, env=environment).stdout.decode("ascii")
    assert "--- in both   === only in the first   ~~~ only in the second" in drawn
    assert "B2v" in drawn
    assert "G1^" in drawn


def test_json_is_the_same_in_every_encoding(tmp_path: Path) -> None:
    """What an encoding lacks is escaped as JSON has it."""
    level = json.loads((LEVELS / LEVEL).read_text())
    level["name"] = f"Über ↑ \U0001f512 {EVIL}"
    file = tmp_path / "level.json"
    file.write_text(json.dumps(level))
    names = set()
    for encoding in ("ascii", "latin-1", "utf-8"):
        told = whole(
            "author",
            "verify",
            str(file),
            "--json",
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        names.add(json.loads(told.stdout.decode(encoding))["levels"][0]["name"])
    assert names == {level["name"]}


LEVEL = sorted(file.name for file in LEVELS.glob("*.json"))[0]


# Streams that are closed or full.


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("castlecp solve - <&-", 2, "standard input"),
        ("castlecp solve slither/1/1/4 >&-", 2, "standard output is closed"),
        ("castlecp solve slither/1/1/4 2>&-", 0, ""),
        ("castlecp solve no-such 2>&-", 2, ""),
        ("castlecp solve slither/1/1/4 >&- 2>&- <&-", 2, ""),
        ("castlecp solve slither/1/1/4 <&-", 0, ""),
        ("castlecp solve slither/1/1/4 | true; exit ${PIPESTATUS[0]}", 141, ""),
        ("castlecp --help | true; exit ${PIPESTATUS[0]}", 141, ""),
        ("castlecp solve no-such 2>&1 | true; exit ${PIPESTATUS[0]}", 141, ""),
        ("castlecp solve - 0>&2", 2, "castlecp: "),
        ("(ulimit -v 24000; castlecp solve slither/1/1/4)", 2, "castlecp: "),
    ],
)
def test_closed_streams(line: str, code: int, words: str) -> None:
    """One sentence, and a code that is no verdict."""
    done = shell(line)
    codes = (0, code) if code == 141 else (code,)
    assert done.returncode in codes
    assert words in done.stderr
    assert len(done.stderr.splitlines()) <= 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_full_disk() -> None:
    """What does not get out is said."""
    done = shell("castlecp solve slither/1/1/4 >/dev/full")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No space left on device" in done.stderr


# Signals.


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize(
    "command",
    [
        ("count", HARD, "--limit", "100000000"),
        ("count", HARD, "--limit", "100000000", "--engine", "cpsat"),
        ("count", HARD, "--limit", "100000000", "--engine", "backtrack"),
    ],
)
def test_signals(name: str, command: tuple[str, ...]) -> None:
    """Each ends a command, whoever is at work; what is known is shown, if there is time to."""
    number = getattr(signal, name)
    process = subprocess.Popen(
        [*CASTLECP, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(3.0)
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert re.fullmatch(r"(at least \d+\n)?", output)
    assert errors.splitlines()[-1] == "castlecp: interrupted"
    assert "Traceback" not in errors


def test_nohup() -> None:
    """A signal that is ignored stays so."""
    line = "trap '' HUP; castlecp count castle/5/5/y & sleep 0.3; kill -HUP $!; wait $!"
    assert shell(line).returncode == 0


# Errors.


def commands() -> Iterator[tuple[str, ...]]:
    """Every command there is."""
    left: list[tuple[tuple[str, ...], Any]] = [((), get_command(app))]
    for path, group in left:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                left.append(((*path, name), command))
            else:
                yield (*path, name)


def kinds() -> list[BaseException]:
    """An exception of every kind that Python and castlecp have."""
    made: list[BaseException] = []
    for space in (vars(builtins), vars(errors)):
        for kind in space.values():
            if isinstance(kind, type) and issubclass(kind, BaseException):
                try:
                    made.append(kind("what\nhappened"))
                except TypeError:
                    continue
    return [
        *made,
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "why"),
        UnicodeEncodeError("ascii", "é", 0, 1, "why"),
        BaseExceptionGroup("several", [KeyboardInterrupt()]),
        OSError(28, "No space left on device", EVIL),
        SystemExit(None),
        SystemExit(1),
        msgspec.ValidationError("what"),
        typer.Abort(),
    ]


VERDICTS = (0, 1)


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_every_error_of_every_command(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence, no traceback, and no code that means a verdict."""
    found: Any = get_command(app)
    for name in command:
        found = found.commands[name]
    for error in kinds():

        def fail(*_: Any, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(type(found), "invoke", fail)
        result = run(*command, *_arguments(found))
        told = (command, error, result.exit_code, result.output)
        assert result.exit_code not in VERDICTS or isinstance(error, errors.Unfit), told
        assert result.exit_code not in VERDICTS[:1], told
        assert "Traceback" not in result.output, told
        assert len(result.stderr.splitlines()) == (not isinstance(error, BrokenPipeError)), told
        assert result.stdout == "", told


def _arguments(command: Any) -> list[str]:
    """What it needs to begin."""
    words = []
    for parameter in command.params:
        if parameter.required:
            if parameter.param_type_name == "option":
                words.append(parameter.opts[-1])
            words.append("1")
    return words


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.FormatError("x"), 2),
        (errors.PuzzleError("x"), 2),
        (errors.Rejected("x"), 2),
        (errors.Unfit("x"), 1),
        (errors.OutOfBudget("x"), 3),
        (errors.Disagreement("x"), 4),
        (MemoryError(), 3),
        (OverflowError("x"), 2),
        (ImportError("x"), 2),
        (PermissionError(13, "x"), 2),
        (BrokenPipeError(), 141),
        (KeyboardInterrupt(), 130),
        (ZeroDivisionError("x"), 70),
        (AssertionError(), 70),
        (type("OfOurs", (errors.OutOfBudget,), {})("x"), 3),
    ],
)
def test_what_an_error_means(error: BaseException, code: int) -> None:
    """The exit codes of the documentation; an error of a kind is one of that kind."""

    def fail() -> None:
        raise error

    assert ended(fail) == code


def test_a_fault_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody can mend what has no place."""
    assert ended(lambda: codecs.read(5)) == 70  # type: ignore[arg-type]
    assert "a fault of castlecp itself, in castlecp/" in capsys.readouterr().err


# Names.


def harmless(text: str) -> None:
    """Nothing but what can be seen, and line ends of our own."""
    assert "\nunique: all good" not in text
    bad = [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c != "\n"]
    assert bad == []


def test_visible() -> None:
    """One line, and the same value where it is JSON."""
    for text in (EVIL, "plain", "Über 字 é", "\ud800", "a\tb"):
        shown = streams.visible(text)
        harmless(shown)
        assert "\n" not in shown
    assert streams.visible("Über 字") == "Über 字"
    assert json.loads(f'"{streams.visible(EVIL)}"') == EVIL


def planted(folder: Path) -> dict[str, Path]:
    """Files with the name in every place where one can stand."""
    board = json.loads(Path(UNIQUE).read_text())
    file = folder / f"{EVIL.replace('/', '')}.json"
    file.write_text(json.dumps(board))
    bank = folder / "bank.jsonl"
    bank.write_text(
        "".join(
            json.dumps(record) + "\n"
            for record in (
                {"id": EVIL, "puzzle": board},
                {"id": f"{EVIL}2", "puzzle": board | {EVIL: 1}},
                {"id": f"{EVIL}3", "puzzle": board | {"type": EVIL}},
                {
                    "id": f"{EVIL}4",
                    "puzzle": json.loads(codecs.write(codecs.read("castle/4/4/p"), "json")),
                },
                {EVIL: EVIL},
            )
        )
    )
    level = json.loads((LEVELS / LEVEL).read_text())
    (folder / "level.json").write_text(json.dumps(level | {"name": EVIL}))
    (folder / "level-false.json").write_text(json.dumps(level | {"name": EVIL, "type": EVIL}))
    (folder / "level-key.json").write_text(json.dumps(level | {EVIL: EVIL}))
    places = {
        "type": "slither",
        "rows": 2,
        "cols": 2,
        "clues": [],
        "places": {"a\u200b\x1b[2Jb": [0, 0]},
        "statements": [{"says": "inside", "of": ["a\u200b\x1b[2Jb"]}],
    }
    (folder / "places.json").write_text(json.dumps(places))
    (folder / "text.txt").write_text(f"castle\n. .\n. {EVIL.replace(chr(10), '')}\n")
    return {path.stem if path != file else "file": path for path in folder.iterdir()}


def test_names_of_others(tmp_path: Path) -> None:
    """Ids, levels, places, files, words and options: nothing of them rules the terminal."""
    (tmp_path / "in").mkdir()
    files = planted(tmp_path / "in")
    out = str(tmp_path / "out")
    lines = [
        *(
            (command, str(file))
            for file in files.values()
            for command in ("solve", "count", "draw", "grade", "explain", "hint", "mend")
        ),
        *(
            ("author", command, str(file))
            for file in files.values()
            for command in ("verify", "boards")
        ),
        *(("author", "prune", str(file)) for file in files.values()),
        *(("author", command, str(tmp_path / "in")) for command in ("verify", "boards")),
        *(("convert", str(file), "--to", "json") for file in files.values()),
        *(("check", UNIQUE, str(file)) for file in files.values()),
        ("certify", str(files["bank"]), "-o", f"{out}1", "--jobs", "1"),
        ("certify", str(tmp_path / "in"), "-o", f"{out}2", "--jobs", "1"),
        ("verify", f"{out}1", "--jobs", "1"),
        ("verify", str(files["bank"]), "--jobs", "1"),
        ("crosscheck", str(files["bank"]), "--json"),
        ("crosscheck", str(tmp_path / "in")),
        ("minimise", str(files["bank"]), "-o", f"{out}{EVIL}.jsonl", "--jobs", "1"),
        ("minimise", str(tmp_path / "in"), "-o", f"{out}4.jsonl", "--jobs", "1"),
        ("generate", "castle", "--rows", "4", "--cols", "4", "-o", f"{out}{EVIL}5.jsonl"),
        ("generate", EVIL),
        *((command, EVIL) for command in ("solve", "certify", "verify", "minimise", "author")),
        *(("solve", UNIQUE, option, EVIL) for option in ("--engine", "--limit", f"--{EVIL}")),
        ("convert", UNIQUE, "--to", EVIL),
        ("draw", UNIQUE, "-o", EVIL),
        ("loops", "--rows", "3", "--cols", "3", "--blocked", EVIL),
        ("loops", "--rows", "3", "--cols", "3", "--tilt", EVIL),
        ("crosscheck", "--seeds", EVIL),
        (EVIL,),
    ]
    for line in lines:
        result = run(*line)
        assert result.exit_code in (0, 1, 2, 3), (line, result.output)
        harmless(result.stdout)
        harmless(result.stderr)


def test_one_function_prints() -> None:
    """No command prints past it."""
    for file in Path(streams.__file__).parent.glob("*.py"):
        if file.name == "streams.py":
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("print", "typer.echo", "typer.secho", "sys.stdout.write"), (
                    f"{file.name}, line {node.lineno}: use `write` of castlecp.cli.streams"
                )


# Colours, and the compiler.


class Terminal:
    """A standard output that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("term", "no_color", "coloured"),
    [("xterm", "", True), ("dumb", "", False), ("xterm", "1", False), ("dumb", "1", False)],
)
def test_colours(term: str, no_color: str, coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """None where they are not wanted or not understood."""
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert output.colour() is coloured


@pytest.mark.parametrize("cancels", [False, True], ids=["raises", "cancels"])
def test_interrupts_in_callbacks_are_not_lost(cancels: bool) -> None:
    """What is raised in a callback of C is swallowed there: it comes up again, and says nothing."""
    program = f"""
import ctypes, os, signal, sys, time
from contextlib import nullcontext
from castlecp import signals

signals.turn_into_exceptions(lambda: None)

def swallow():
    os.kill(os.getpid(), signal.SIGTERM)
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        pass

try:
    with signals.cancelling(lambda: None) if {cancels} else nullcontext():
        ctypes.CFUNCTYPE(None)(swallow)()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            pass
except signals.Interrupted as interrupt:
    sys.exit(interrupt.code)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, "")
