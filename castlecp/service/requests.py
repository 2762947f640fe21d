"""What a request says, and what of it counts: its body, its query, whose it is."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar import Request

from castlecp.errors import FormatError
from castlecp.service import problems
from castlecp.service.problems import Refused

S = TypeVar("S", bound=msgspec.Struct)
Asking = Request[Any, Any, Any]


def state_of(request: Asking) -> dict[str, Any]:
    """What is noted of a request on its way."""
    state: dict[str, Any] = request.scope["state"]
    return state


def address_of(request: Asking) -> str:
    """Where it comes from."""
    return request.client.host if request.client else ""


async def body_of(request: Asking, most: int, seconds: float) -> bytes:
    """The body, unless it is too large or takes too long. Raises Refused."""
    parts, size = [], 0
    too_large = Refused(problems.TOO_LARGE, f"the body is larger than {most:,} bytes")
    if int(request.headers.get("content-length") or 0) > most:
        raise too_large
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise too_large
                parts.append(part)
    except TimeoutError:
        raise Refused(problems.SLOW, f"the body took longer than {seconds:g} s") from None
    return b"".join(parts)


def told_in(kind: type[S], query: dict[str, str]) -> S:
    """What a query asks. Raises FormatError."""
    try:
        return msgspec.convert(query, kind, strict=False)
    except msgspec.ValidationError as error:
        raise FormatError(f"the query: {error}") from None


def query_of(request: Asking) -> list[tuple[str, str]]:
    """The keys and values of its query. Raises FormatError."""
    try:
        text = request.scope["query_string"].decode("ascii")
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=10)
    except ValueError:
        raise FormatError("the query cannot be read") from None
