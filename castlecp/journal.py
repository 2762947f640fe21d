"""A file of lines that survives the end of its writer at any byte."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from io import FileIO
from pathlib import Path
from stat import S_IMODE
from time import monotonic

from castlecp.errors import CastlecpError

#: Seconds between two calls that make sure what was written is on the disk.
SYNC = 1.0


class Journal:
    """The lines of a file, and more of them.

    A last line without an end is what a killed writer left, and is cut off. A line counts as
    written when all of it is: whoever goes on after the last one loses none and repeats none.
    Lines begin with `begins`; a file that begins otherwise is no such file as `what` says, and is
    not touched. Raises CastlecpError for such a file, when the file cannot be opened, or when
    another process is writing to it.
    """

    def __init__(self, path: Path, begins: bytes, what: str) -> None:
        try:
            self._file = path.open("a+b", buffering=0)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise CastlecpError(f"{path}: another process is writing to it") from None
        except OSError as error:
            raise CastlecpError(f"{path}: {error.strerror}") from None
        self.path, self._synced = path, monotonic()
        start = os.pread(self._file.fileno(), len(begins), 0)
        if not begins.startswith(start):
            self._file.close()
            raise CastlecpError(f"{path} is no {what}; name another")
        self._repair()

    def _repair(self) -> None:
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

    def __iter__(self) -> Iterator[bytes]:
        """The lines that are there, each with its end."""
        with self.path.open("rb") as file:
            yield from file

    def append(self, lines: bytes) -> None:
        """Write whole lines. Raises CastlecpError when the disk is full."""
        try:
            _write(self._file, lines)
            if monotonic() - self._synced > SYNC:
                self._sync()
        except OSError as error:
            raise CastlecpError(f"{self.path}: {error.strerror}") from None

    def replace(self, lines: Mapping[int, bytes]) -> None:
        """Put other lines in the place of some, which are numbered from 0: all of them or none.

        Raises CastlecpError when the file cannot be written.
        """
        whole = self.path.resolve()
        path = whole.with_name(f".{whole.name}.new")
        try:
            path.unlink(missing_ok=True)
            file = path.open("a+b", buffering=0)
            try:
                # Locked before it has the name by which another process could open it.
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.fchmod(file.fileno(), S_IMODE(os.fstat(self._file.fileno()).st_mode))
                for number, line in enumerate(self):
                    _write(file, lines.get(number, line))
                os.fsync(file.fileno())
                path.replace(whole)
            except BaseException:
                file.close()
                path.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise CastlecpError(f"{self.path}: {error.strerror}") from None
        self._file.close()
        self._file = file

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = monotonic()

    def close(self) -> None:
        """Write all to the disk and let others write."""
        self._sync()
        self._file.close()


def _write(file: FileIO, lines: bytes) -> None:
    view = memoryview(lines)
    while view:
        view = view[file.write(view) :]
