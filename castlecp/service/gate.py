"""What every request passes first and every answer last: its id, its headers, its line in the log.

An ASGI application around another. It also answers what went wrong outside of all handlers, so
that nothing leaves without headers, and no traceback does.
"""

from __future__ import annotations

import asyncio
import secrets
from time import perf_counter
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Send

from castlecp.service.answers import Reply, problem_reply
from castlecp.service.metrics import Metrics, log
from castlecp.service.problems import BAD_REQUEST, STOPPING, Refused

#: Nothing may be loaded from elsewhere or framed; scripts and styles come from here alone.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"geolocation=(), camera=(), microphone=()"),
)
#: Everybody may ask from everywhere: nothing here knows who asks.
OPEN = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"retry-after, x-request-id, castlecp-ended"),
)
PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
    "access-control-allow-headers": "content-type, accept, authorization",
    "access-control-max-age": "86400",
}
#: Where questions are.
API = "/api/"


class Gate:
    """See above; `secure` says that people come by https."""

    def __init__(self, app: ASGIApp, metrics: Metrics, *, secure: bool = False) -> None:
        self._app, self._metrics = app, metrics
        transport = ((b"strict-transport-security", b"max-age=31536000"),) if secure else ()
        self._headers = (*HEADERS, *transport)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """One request, or the life of the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 0
        state = scope.setdefault("state", {})
        state["request_id"] = name = secrets.token_hex(8)
        is_api = scope["path"].startswith(API)

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message["headers"],
                    *self._headers,
                    *(OPEN if is_api else ()),
                    (b"x-request-id", name.encode()),
                ]
            await send(message)

        try:
            if is_api and scope["method"] == "OPTIONS":
                await Reply(204, b"", "", PREFLIGHT)(scope, receive, sending)
            else:
                await self._app(scope, receive, sending)
        except asyncio.CancelledError:
            # The server stops, and this answer has had its time.
            if not status:
                refused = Refused(STOPPING, "the service is stopping", 5.0)
                await problem_reply(refused, name)(scope, receive, sending)
        except Exception as error:
            state["fault"] = type(error).__name__
            if not status:
                refused = Refused(BAD_REQUEST, "the request cannot be read")
                await problem_reply(refused, name)(scope, receive, sending)
        finally:
            self._note(scope, state, status, perf_counter() - began)

    def _note(self, scope: Any, state: dict[str, Any], status: int, seconds: float) -> None:
        route, lane = state.get("route", "other"), state.get("lane", "none")
        self._metrics.requests.labels(route, str(status or 499)).inc()
        self._metrics.seconds.labels(route, lane).observe(seconds)
        line = {
            "request_id": state["request_id"],
            "route": route,
            "method": scope["method"],
            "status": status or 499,
            "ms": round(seconds * 1000, 2),
            "lane": lane,
        }
        if fault := state.get("fault"):
            line["fault"] = fault
        log(**line)
