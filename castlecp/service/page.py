"""The page, if it is there: every file of a folder at its own address, asked for anew each time.

Whoever has a file already is told so, by its hash; texts go out packed to whoever can unpack them.
"""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from castlecp.service.answers import Reply

#: The page itself, and the addresses that are another way to it: `/p?BOARD` and `/b/...`.
INDEX, WAYS = "index.html", ("/", "/p", "/b/{rest:path}")
#: What the page's files are, where the system knows it otherwise or not at all.
KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


class File(NamedTuple):
    """A file as it goes out."""

    content: bytes
    packed: bytes | None
    media: str
    tag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        """A file by its name."""
        ending = name[name.rfind(".") :]
        media = KINDS.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        packed = gzip.compress(content, mtime=0) if ending in KINDS else None
        if ending in KINDS and not media.endswith("json"):
            media += "; charset=utf-8"
        return cls(content, packed, media, f'"{sha256(content).hexdigest()[:16]}"')

    def reply(self, encodings: str, known: str) -> Reply:
        """It, packed if it may be; nothing for who has it already."""
        headers = {"cache-control": "no-cache", "etag": self.tag, "vary": "accept-encoding"}
        if self.tag in known:
            return Reply(304, b"", "", headers)
        if self.packed is None or "gzip" not in encodings:
            return Reply(200, self.content, self.media, headers)
        return Reply(200, self.packed, self.media, headers | {"content-encoding": "gzip"})


def page(folder: Traversable | None = None) -> dict[str, File]:
    """The files of the page by their addresses; none when there is no page."""
    folder = folder or files("castlecp") / "web"
    if not (folder / INDEX).is_file():
        return {}
    found = {f"/{name}": File.of(name, content) for name, content in _walked(folder, "")}
    return {**dict.fromkeys(WAYS, found[f"/{INDEX}"]), **found}


def _walked(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walked(entry, f"{above}{entry.name}/")
        elif entry.name[entry.name.rfind(".") :] != ".py":
            yield f"{above}{entry.name}", entry.read_bytes()
