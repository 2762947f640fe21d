"""What goes out: a reply at once, a problem, or a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from math import ceil
from typing import Any, TypeVar

import msgspec
from litestar.types import Receive, Scope, Send

from castlecp import wire
from castlecp.service.problems import Refused, problem_of

T = TypeVar("T")

PROBLEM, EVENTS = "application/problem+json", "text/event-stream"
#: Seconds after which a stream that has nothing to say says so.
QUIET = 10.0


class Reply:
    """An answer that is there."""

    def __init__(
        self,
        status: int,
        content: bytes,
        media: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status, self.content, self.media = status, content, media
        self.headers = headers or {}

    @classmethod
    def of(cls, report: wire.Report, status: int = 200, **headers: str) -> Reply:
        """A report."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls(status, wire.encode(report), headers=named)

    def to_asgi_response(self, *_: Any, **__: Any) -> Reply:
        """Itself, where Litestar wants a response of its own."""
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; a HEAD gets all but the content."""
        await send(_start(self.status, self.media, len(self.content), self.headers))
        content = b"" if scope.get("method") == "HEAD" else self.content
        await send({"type": "http.response.body", "body": content, "more_body": False})


def _start(status: int, media: str, size: int | None, headers: Mapping[str, str]) -> Any:
    told = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    if media:
        told.append((b"content-type", media.encode()))
    if size is not None and status not in (204, 304):
        told.append((b"content-length", str(size).encode()))
    return {"type": "http.response.start", "status": status, "headers": told}


def problem_reply(error: BaseException, request_id: str) -> Reply:
    """A problem, as `application/problem+json`."""
    told = msgspec.structs.replace(problem_of(error), request_id=request_id)
    headers = {}
    if isinstance(error, Refused):
        if error.retry is not None:
            headers["retry-after"] = str(max(1, ceil(error.retry)))
        if told.status == 401:
            headers["www-authenticate"] = "Bearer"
    return Reply(told.status, msgspec.json.encode(told), PROBLEM, headers)


def event(name: str, data: bytes) -> bytes:
    """An event of a stream; `data` is JSON in one line."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)


class Streamed:
    """Events as they come. What makes them is closed as soon as nobody listens any more."""

    def __init__(
        self,
        events: AsyncGenerator[bytes],
        media: str = EVENTS,
        quiet: bytes = b": nothing new\n\n",
    ) -> None:
        self._events, self._media, self._quiet = events, media, quiet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send them; what the reader does not take is not asked for."""
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        async with aclosing(self._events):
            await send(_start(200, self._media, None, headers))
            sending = asyncio.create_task(self._send(send))
            gone = asyncio.create_task(left(receive))
            try:
                await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
                if sending.done():
                    sending.result()
            finally:
                for task in (sending, gone):
                    task.cancel()
                await asyncio.gather(sending, gone, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        async for content in or_quiet(self._events, self._quiet):
            await send({"type": "http.response.body", "body": content, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def or_quiet(items: AsyncIterator[T], quiet: T) -> AsyncIterator[T]:
    """The items, and `quiet` whenever none has come for QUIET seconds."""
    ended = object()

    async def following() -> T | object:
        return await anext(items, ended)

    waiting = asyncio.create_task(following())
    try:
        while True:
            await asyncio.wait({waiting}, timeout=QUIET)
            if not waiting.done():
                yield quiet
                continue
            item = waiting.result()
            if item is ended:
                return
            yield item  # type: ignore[misc]
            waiting = asyncio.create_task(following())
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def left(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
