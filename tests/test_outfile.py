"""Where output goes: through links, into FIFOs and descriptors, with modes kept, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from boards import HERE, LEVELS
from typer.testing import CliRunner

from castlecp.cli import app
from castlecp.errors import CastlecpError
from castlecp.outfile import new_file, write_file

BOARD = str(HERE / "boards" / "castle" / "small-6x6.json")
LEVEL = str(next(LEVELS.glob("*.json*")))

#: Every command that writes one file, and how what it writes begins.
WRITES = {
    "convert": (["convert", BOARD, "--to", "json"], b'{"type":"castle"'),
    "draw": (["draw", BOARD], b"<?xml"),
    "explain": (["explain", BOARD], b"<?xml"),
    "minimise": (["minimise", BOARD], b'{"type":"castle"'),
    "prune": (["author", "prune", LEVEL], b"{"),
}
every_write = pytest.mark.parametrize(("command", "begins"), WRITES.values(), ids=list(WRITES))


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


class Reader:
    """A FIFO and somebody who reads it to its end."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path, self._content = path, b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        self._content = self.path.read_bytes()

    def content(self) -> bytes:
        self._thread.join(20)
        assert not self._thread.is_alive()
        return self._content


@every_write
def test_fifo(command: list[str], begins: bytes, tmp_path: Path) -> None:
    """A FIFO gets the file and stays a FIFO."""
    fifo = Reader(tmp_path / "fifo")
    assert run(*command, "-o", fifo.path).exit_code == 0
    assert fifo.content().startswith(begins)
    assert fifo.path.is_fifo()
    assert list(tmp_path.iterdir()) == [fifo.path]


@every_write
def test_standard_output(command: list[str], begins: bytes) -> None:
    """`-` is standard output, and nothing else is printed there."""
    result = run(*command, "-o", "-")
    assert result.exit_code == 0
    assert result.stdout_bytes.startswith(begins)
    assert result.stdout_bytes.rstrip().endswith((b"}", b"</svg>"))
    assert not Path("-").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("certify", BOARD),
        ("generate", "castle", "--rows", "4", "--cols", "4", "--count", "1"),
        ("minimise", BOARD),
        ("mend", BOARD),
    ],
    ids=lambda command: command[0],
)
def test_standard_output_of_what_is_made_in_lines(command: tuple[str, ...], tmp_path: Path) -> None:
    """What is opened only when the first line is made goes to standard output too."""
    made = tmp_path / "made.json"
    assert run(*command, "-o", made).exit_code == 0
    result = run(*command, "-o", "-")
    assert result.exit_code == 0
    assert result.stdout_bytes == made.read_bytes()
    assert "{" not in result.stderr


@every_write
def test_link(command: list[str], begins: bytes, tmp_path: Path) -> None:
    """A link stays one; what it leads to is written and keeps its mode."""
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "target.svg", tmp_path / "link.svg"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to("far/target.svg")
    assert run(*command, "-o", link).exit_code == 0
    assert link.is_symlink()
    assert target.read_bytes().startswith(begins)
    assert target.stat().st_mode & 0o777 == 0o600
    assert list((tmp_path / "far").iterdir()) == [target]


@every_write
def test_errors_name_the_file(command: list[str], begins: bytes, tmp_path: Path) -> None:
    """A folder, and a folder that is not there: one sentence, exit code 2."""
    folder = tmp_path / "a.svg"
    folder.mkdir()
    for path, why in ((folder, "directory"), (tmp_path / "no" / "b.svg", "No such file")):
        result = run(*command, "-o", path)
        assert result.exit_code == 2
        (sentence,) = [line for line in result.stderr.splitlines() if "castlecp: " in line]
        assert sentence.startswith(f"castlecp: {path}: ")
        assert why in sentence


def test_link_to_nothing(tmp_path: Path) -> None:
    """What a dangling link leads to is made."""
    link = tmp_path / "link"
    link.symlink_to("target")
    write_file(link, b"new")
    assert (tmp_path / "target").read_bytes() == b"new"
    assert link.is_symlink()
    link.unlink()
    link.symlink_to("link")
    with pytest.raises(CastlecpError, match=f"^{link}: "):
        write_file(link, b"new")


def test_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    """As the umask says."""
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "file", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


def fails(error: BaseException) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with new_file(path) as file:
            file.write(b"half")
            raise error

    return write


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_all_or_nothing(error: BaseException, tmp_path: Path) -> None:
    """What ends half way leaves the old file, and no other."""
    file = tmp_path / "file"
    file.write_text("old")
    with pytest.raises((KeyboardInterrupt, CastlecpError)):
        fails(error)(file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_descriptors(tmp_path: Path) -> None:
    """`-o >(command)`, and a descriptor of a file that others append to."""
    copy, log = tmp_path / "copy", tmp_path / "log"
    log.write_text("before\n")
    script = f"""
        castlecp() {{ "{sys.executable}" -m castlecp "$@"; }}
        castlecp convert castle/2/2/d --to url -o >(cat > "{copy}"; echo done > "{tmp_path}/done")
        castlecp convert castle/2/2/d --to url -o /dev/fd/5 5>> "{log}"
        castlecp convert castle/2/2/d --to url -o /dev/stdout >> "{log}"
        while [ ! -e "{tmp_path}/done" ]; do sleep 0.05; done
    """
    subprocess.run(["bash", "-ec", script], check=True, timeout=60)
    address = "https://puzz.link/p?castle/2/2/d\n"
    assert copy.read_text() == address
    assert log.read_text() == f"before\n{address}{address}"
