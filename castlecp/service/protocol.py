"""uvicorn's HTTP, with an end to what is no body: how much of it there may be, and for how long.

Without one a client that sends headers, and goes on sending them, takes memory without end, and
many that send next to nothing take all connections there are.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: Bytes of a request besides its body, and how many more for each byte of that: chunks are framed.
HEAD, FRAMES = 65_536, 8


class Protocol(HttpToolsProtocol):
    """One connection; it is dropped when a head is too large, or takes longer than `seconds`."""

    seconds: ClassVar[float]
    _timer: asyncio.TimerHandle | None = None
    _received = _body = 0

    def connection_made(  # type: ignore[override]
        self, transport: asyncio.Transport
    ) -> None:
        """Wait for a head."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing comes any more."""
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count, once what has come is understood."""
        self._received += len(data)
        super().data_received(data)
        if self._received > HEAD + (1 + FRAMES) * self._body:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._received = self._body = 0
        self._await_head()

    def on_headers_complete(self) -> None:
        """It is there."""
        self._forget()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._body += len(body)
        super().on_body(body)

    def _await_head(self) -> None:
        self._forget()
        self._timer = self.loop.call_later(self.seconds, self.transport.abort)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def within(seconds: float) -> type[Protocol]:
    """Connections whose heads may take so long to arrive."""
    return type("Protocol", (Protocol,), {"seconds": seconds})
