"""What stands behind the routes: the lanes, jobs, rates and counts of one server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar
from litestar.types import ASGIApp

from castlecp import wire
from castlecp.errors import CastlecpError
from castlecp.service import lanes, problems
from castlecp.service.answers import EVENTS, Reply, Streamed, event, left, problem_reply
from castlecp.service.jobs import Jobs
from castlecp.service.limits import Bound, Limits
from castlecp.service.metrics import Metrics, log
from castlecp.service.problems import Refused
from castlecp.service.questions import Question
from castlecp.service.rates import Rates
from castlecp.service.requests import Asking, address_of, state_of
from castlecp.service.worker import Answer, Event, Task


class Service:
    """Lanes, rates and counts; it lives as long as the application."""

    def __init__(
        self, limits: Limits, workers: int, data: Path, cluster: str | None = None
    ) -> None:
        self.limits, self.metrics, self.rates = limits, Metrics(), Rates()
        self.jobs = Jobs(data, limits.jobs, cluster)
        self.fast = self._lane("fast", 1, limits.fast_waiting, spares=1, nice=0)
        self.slow = self._lane("slow", workers, limits.slow_waiting, spares=2, nice=10)

    def _lane(self, name: str, size: int, waiting: int, *, spares: int, nice: int) -> lanes.Lane:
        def killed(reason: str) -> None:
            self.metrics.kills.labels(name, reason).inc()
            log(lane=name, killed=reason)

        return lanes.Lane(
            name,
            size,
            self.limits,
            waiting=waiting,
            spares=spares,
            memory=self.limits.memory,
            nice=nice,
            killed=killed,
        )

    @property
    def is_ready(self) -> bool:
        """Whether questions are answered at once."""
        return self.fast.is_ready and self.slow.is_ready

    @asynccontextmanager
    async def running(self, _: Litestar) -> AsyncIterator[None]:
        """While the application lives; it listens before it is ready."""
        starting = asyncio.create_task(self._start())
        try:
            async with self.jobs.running():
                yield
        finally:
            starting.cancel()
            for lane in (self.fast, self.slow):
                await lane.stop()

    async def _start(self) -> None:
        await asyncio.gather(self.fast.start(), self.slow.start())
        log(ready=True, workers=self.slow.size)

    async def answer(self, question: Question, request: Asking, body: bytes) -> ASGIApp:
        """The answer to a question, or a stream with it in the end. Raises Refused."""
        streams = _wants_stream(question, request.headers.get("accept", ""))
        if not self.is_ready:
            raise Refused(problems.STARTING, "the workers are not ready yet", 1.0)
        address = address_of(request)
        bound: Bound = getattr(self.limits, question.name)
        state = state_of(request)
        if streams:
            state["lane"] = "slow"
            return Streamed(self._events(question, body, bound, address, state))
        with self.rates.under_way(question.name, address, bound.at_once):
            return _reply(await self._settled(question, body, bound, request), state)

    async def _settled(
        self, question: Question, body: bytes, bound: Bound, request: Asking
    ) -> Answer:
        """The answer of the fast lane, or else that of the slow one."""
        state = state_of(request)
        if question.fast and len(body) <= self.limits.fast_body:
            state["lane"] = "fast"
            try:
                found = await self.fast.ask(
                    Task(question.name, body, fast=True), 1.0 + 10 * self.limits.fast_seconds
                )
            except Refused as error:
                if error.kind is not problems.DEADLINE:
                    raise
                found = None
            if found is not None:
                return found
        state["lane"] = "slow"
        # Who waits for it may go; then nobody works on it.
        asked = asyncio.create_task(
            self.slow.ask(Task(question.name, body), bound.seconds + self.limits.grace)
        )
        gone = asyncio.create_task(left(request.receive))
        try:
            await asyncio.wait({asked, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                raise Refused(problems.BAD_REQUEST, "the client is gone")
            answer = asked.result()
            assert answer is not None
            return answer
        finally:
            for task in (asked, gone):
                task.cancel()
            await asyncio.gather(asked, gone, return_exceptions=True)

    async def _events(
        self, question: Question, body: bytes, bound: Bound, address: str, state: dict[str, Any]
    ) -> AsyncGenerator[bytes]:
        """Progress and boards, and in the end `done` or `problem`."""
        try:
            with self.rates.under_way(question.name, address, bound.at_once):
                task = Task(question.name, body, listens=True)
                seconds = bound.seconds + self.limits.grace
                async with aclosing(self.slow.frames(task, seconds)) as frames:
                    async for frame in frames:
                        if isinstance(frame, Event):
                            yield event(frame.name, frame.data)
                            continue
                        assert frame is not None
                        if frame.fault:
                            state["fault"] = frame.fault
                        if frame.status != 200:
                            yield event("problem", _identified(frame.content, state))
                            continue
                        if frame.ended:
                            yield event("ended", msgspec.json.encode({"reason": frame.ended}))
                        yield event("done", frame.content.rstrip(b"\n"))
        except CastlecpError as error:
            yield event("problem", problem_reply(error, state["request_id"]).content)


def _identified(content: bytes, state: dict[str, Any]) -> bytes:
    """A problem with the id of its request."""
    told = msgspec.json.decode(content, type=wire.Problem)
    return msgspec.json.encode(msgspec.structs.replace(told, request_id=state["request_id"]))


def _reply(answer: Answer, state: dict[str, Any]) -> Reply:
    if answer.fault:
        state["fault"] = answer.fault
    if answer.status != 200:
        return Reply(answer.status, _identified(answer.content, state), "application/problem+json")
    headers = dict(answer.headers)
    if answer.ended:
        headers["castlecp-ended"] = answer.ended
    return Reply(200, answer.content, answer.media, headers)


def _wants_stream(question: Question, accept: str) -> bool:
    return EVENTS in accept or (question.streams and "application/json" not in accept)
