"""A file of lines that is made bit by bit, and survives the end of its writer at any byte.

While it is made it is called FILE.part. One rule for every command that writes one: what is there
and is of the same run goes on, and anything else is refused, or replaced when that is asked for.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from stat import S_IMODE
from time import monotonic
from typing import IO, TypeVar

from castlecp.errors import CastlecpError
from castlecp.outfile import STDOUT, named, real, straight

T = TypeVar("T")

#: Seconds between two calls that make sure what was written is on the disk.
SYNC = 1.0
#: Bytes read at once: lines have thousands, and Python's own buffer has eight thousand.
BUFFER = 1 << 18


class Foreign(CastlecpError):
    """What is there already is not of this run."""

    def __init__(self, path: Path, sentence: str, remedy: str = "name another file") -> None:
        super().__init__(f"{path} {sentence}; {remedy}, or replace it with --force")


@contextmanager
def unfinished(
    output: Path,
    begins: bytes,
    what: str,
    look: Callable[[Journal], T],
    *,
    force: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[Journal, T]]:
    """A journal, and what `look` says of the lines that it has; in the end it is called `output`.

    `look` raises Foreign when they are of another run: with `force` there are none then, and what
    was there goes when the new file is whole. `tell` is told how to go on when it ends before.
    Raises CastlecpError as `Journal` does.
    """
    journal = Journal(output, begins, what)
    try:
        seen = journal.take(look, force=force)
        try:
            yield journal, seen
            journal.finish()
        except BaseException:
            if journal.is_begun:
                tell(f"what is done is in {journal.path}; run this again to go on")
            raise
    finally:
        journal.close()


class Journal:
    """The lines of a file, and more of them; `path` is where they stand.

    They stand in FILE.part, or in FILE as long as nothing is added to a file that is whole. A
    last line without an end is what a killed writer left, and is cut off. A line counts as written
    when all of it is: whoever goes on after the last one loses none and repeats none. Lines begin
    with `begins`; `what` is what people call such a file. A path to no regular file is written
    straight into, and has no lines before.

    Raises CastlecpError when the file cannot be opened, and when another process writes to it.
    """

    def __init__(self, output: Path, begins: bytes, what: str) -> None:
        self.output, self._begins, self._what = output, begins, what
        self._synced, self._unsynced = monotonic(), False
        self._file: FileIO | None = None
        with named(output):
            self._stream: IO[bytes] | None = straight(output)
            self._whole = real(output)
        self._part = self._whole.with_name(f"{self._whole.name}.part")
        self.path = output
        if self._stream is None:
            is_whole = _size(self._whole) and not _size(self._part)
            self._open(self._whole if is_whole else self._part)

    def _open(self, path: Path) -> None:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise CastlecpError(f"{path} is not a file")
        with named(path):
            file = path.open("a+b", buffering=0)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Who was here before may have given the file another name meanwhile.
                held = os.path.samestat(path.stat(), os.fstat(file.fileno()))
            except (BlockingIOError, FileNotFoundError):
                held = False
        if not held:
            file.close()
            raise CastlecpError(f"{path}: another process is writing to it")
        self._file, self.path = file, path

    def take(self, look: Callable[[Journal], T], *, force: bool = False) -> T:
        """What `look` says of the lines that are there, or with `force` of none instead of Foreign.

        Raises Foreign for a file of another kind.
        """
        if self._stream is not None:
            return look(self)
        try:
            if not force and self.path == self._part and _size(self._part) and _size(self._whole):
                raise Foreign(self._whole, f"is there, and so is {self._part.name}")
            self._check_kind()
            seen = look(self)
        except Foreign:
            if not force:
                raise
            self._forget()
            return look(self)
        self._repair()
        return seen

    def _check_kind(self) -> None:
        assert self._file is not None
        start = os.pread(self._file.fileno(), len(self._begins), 0)
        is_ours = self._begins.startswith(start)
        # A part may have nothing but half a line; a file that a person named may not.
        if is_ours and self.path == self._whole:
            is_ours = any(self)
        if not is_ours:
            raise Foreign(self.path, f"is no {self._what}")

    def _forget(self) -> None:
        assert self._file is not None
        if self.path == self._whole:
            self._file.close()
            self._open(self._part)
        self._file.truncate(0)

    def _repair(self) -> None:
        assert self._file is not None
        end = at = os.fstat(self._file.fileno()).st_size
        while at:
            start = max(0, at - 2**16)
            newline = os.pread(self._file.fileno(), at - start, start).rfind(b"\n")
            if newline >= 0:
                at = start + newline + 1
                break
            at = start
        if at < end:
            self._file.truncate(at)

    @property
    def is_begun(self) -> bool:
        """Whether FILE.part has lines."""
        return self._stream is None and self.path == self._part and _size(self._part) > 0

    def __iter__(self) -> Iterator[bytes]:
        """The whole lines that are there, each with its end."""
        if self._stream is not None:
            return
        with self.path.open("rb", buffering=BUFFER) as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line

    def _begin(self) -> FileIO:
        """The file to write to; one that was whole is called FILE.part from now on."""
        assert self._file is not None
        if self.path == self._whole:
            os.replace(self._whole, self._part)
            self.path = self._part
        return self._file

    def append(self, lines: bytes) -> None:
        """Write whole lines. Raises CastlecpError when the disk is full."""
        with named(self.path):
            if self._stream is not None:
                self._stream.write(lines)
                self._stream.flush()
                return
            _write(self._begin(), lines)
            self._unsynced = True
            if monotonic() - self._synced > SYNC:
                self._sync()

    def replace(self, lines: Mapping[int, bytes]) -> None:
        """Put other lines in the place of some, which are numbered from 0: all of them or none.

        Raises CastlecpError when the file cannot be written.
        """
        with named(self.path):
            before = self._begin()
            path = self.path.with_name(f".{self.path.name}.new")
            path.unlink(missing_ok=True)
            file = path.open("a+b", buffering=0)
            try:
                # Locked before it has the name by which another process could open it.
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.fchmod(file.fileno(), S_IMODE(os.fstat(before.fileno()).st_mode))
                for number, line in enumerate(self):
                    _write(file, lines.get(number, line))
                os.fsync(file.fileno())
                path.replace(self.path)
            except BaseException:
                file.close()
                path.unlink(missing_ok=True)
                raise
        before.close()
        self._file = file

    def _sync(self) -> None:
        if self._file is not None and self._unsynced:
            os.fsync(self._file.fileno())
        self._synced, self._unsynced = monotonic(), False

    def finish(self) -> None:
        """Call it by its own name: all is there. The mode is that of the file that was there."""
        if not self.is_begun:
            return
        with named(self.output):
            self._sync()
            if self._whole.exists():
                self._part.chmod(S_IMODE(self._whole.stat().st_mode))
            os.replace(self._part, self._whole)
            self.path = self._whole

    def close(self) -> None:
        """Write all to the disk and let others write; what nothing was written to goes."""
        if self._stream is not None:
            if self.output != STDOUT:
                self._stream.close()
            return
        assert self._file is not None
        if self.path == self._part and not _size(self._part):
            self._part.unlink(missing_ok=True)
        self._sync()
        self._file.close()


def _size(path: Path) -> int:
    """The bytes of a file; 0 when there is none."""
    return path.stat().st_size if path.is_file() else 0


def _write(file: FileIO, lines: bytes) -> None:
    view = memoryview(lines)
    while view:
        view = view[file.write(view) :]
