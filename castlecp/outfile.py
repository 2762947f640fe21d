"""Files that are written: whole or not at all, through links, and with the modes they had.

What is no regular file, such as a FIFO, a device or an open descriptor (`>(command)` in a shell),
is written straight into, and `-` is standard output. Errors name the path.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG
from tempfile import NamedTemporaryFile
from typing import IO, TextIO, cast

from castlecp.errors import CastlecpError

#: The path that is standard output.
STDOUT = Path("-")
#: What standard output was before all that is printed went elsewhere.
_kept: list[TextIO] = []
#: Links of one path that are followed at most; the system gives up there too.
LINKS = 40


def write_file(path: Path, content: bytes) -> None:
    """Write a file as `new_file` does. Raises CastlecpError when it cannot be written."""
    with new_file(path) as file:
        file.write(content)


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write. A regular one is there whole in the end, or is as it was before.

    Raises CastlecpError when it cannot be written.
    """
    with named(path):
        stream = straight(path)
        if stream is None:
            with _replacing(real(path)) as file:
                yield file
            return
        try:
            yield stream
            stream.flush()
        finally:
            if path != STDOUT:
                stream.close()


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Turn an OSError into a CastlecpError that names the path; a closed pipe stays what it is."""
    try:
        yield
    except OSError as error:
        if path == STDOUT and isinstance(error, BrokenPipeError):
            raise
        name = "standard output" if path == STDOUT else path
        raise CastlecpError(f"{name}: {error.strerror or error}") from None


def real(path: Path) -> Path:
    """The path of the regular file at a path, or of the one to make: links are followed."""
    return Path(os.path.realpath(path))


def straight(path: Path) -> IO[bytes] | None:
    """What to write straight into, open; None for a path to a regular file or to nothing yet.

    Standard output is not to be closed. Raises OSError for a folder and for what cannot be opened.
    """
    if path == STDOUT:
        stream = _kept[-1] if _kept else sys.stdout
        stream.flush()
        return cast(IO[bytes], stream.buffer)
    descriptor = _descriptor(path)
    if descriptor is not None:
        sys.stdout.flush()
        return os.fdopen(os.dup(descriptor), "wb")
    if _is_regular(path):
        return None
    return os.fdopen(os.open(path, os.O_WRONLY), "wb")


@contextmanager
def keeping_stdout() -> Iterator[None]:
    """What is written to `-` goes where standard output leads now, whatever is printed elsewhere.

    A file may be opened long after its command sent the rest to standard error.
    """
    _kept.append(sys.stdout)
    try:
        yield
    finally:
        _kept.pop()


def is_straight(path: Path) -> bool:
    """Whether `straight` would open something."""
    return path == STDOUT or _descriptor(path) is not None or not _is_regular(path)


def is_stdout(path: Path | None) -> bool:
    """Whether a path is standard output, by one of its names."""
    return path is not None and (path == STDOUT or _descriptor(path) == 1)


def _is_regular(path: Path) -> bool:
    try:
        return S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def _descriptor(path: Path) -> int | None:
    """The open descriptor that a path such as /dev/stdout or /dev/fd/63 names, where /proc is."""
    here = Path(f"/proc/{os.getpid()}/fd")
    for _ in range(LINKS):
        if path.name.isdigit() and path.parent.resolve() == here:
            return int(path.name)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file under a temporary name beside a path, which it gets when all went well."""
    before = path.stat() if path.exists() else None
    if before is not None and not os.access(path, os.W_OK):
        raise PermissionError(0, "Permission denied")
    temporary = None
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=".castlecp-", delete=False) as file:
            temporary = Path(file.name)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if before is None:
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)
        else:
            with suppress(OSError):
                os.chown(temporary, before.st_uid, before.st_gid)
            temporary.chmod(S_IMODE(before.st_mode))
        temporary.replace(path)
        temporary = None
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
