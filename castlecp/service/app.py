"""The application: routes on Litestar, and what stands behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar import Litestar, Request, delete, get, post
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from castlecp import __version__, codecs, genres, wire
from castlecp.errors import CastlecpError, FormatError, Lacking
from castlecp.service import lanes, problems
from castlecp.service.answers import EVENTS, Reply, Streamed, event, left, problem_reply
from castlecp.service.asks import OF_BANKS
from castlecp.service.gate import Gate
from castlecp.service.jobs import Jobs
from castlecp.service.limits import Bound, Limits
from castlecp.service.metrics import Metrics, log
from castlecp.service.openapi import STYLE, described, document
from castlecp.service.page import File, page
from castlecp.service.problems import Refused
from castlecp.service.questions import QUESTIONS, Question
from castlecp.service.rates import Rates
from castlecp.service.shipped import Ask as PageAsk
from castlecp.service.shipped import Shipped
from castlecp.service.worker import Answer, Event, Task

#: Where everything but operation is.
BASE = "/api/v1"
#: Seconds until who asks too often, or finds all busy, is told so.
LINGER = 0.5
#: For how long, in seconds, what never changes may be kept by who asked.
KEPT = "public, max-age=86400"

S = TypeVar("S", bound=msgspec.Struct)
Asking = Request[Any, Any, Any]
Answers = Callable[[Asking], Awaitable[ASGIApp]]


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
        address = _address(request)
        bound: Bound = getattr(self.limits, question.name)
        state = _state(request)
        if streams:
            state["lane"] = "slow"
            return Streamed(self._events(question, body, bound, address, state))
        with self.rates.under_way(question.name, address, bound.at_once):
            return _reply(await self._settled(question, body, bound, request), state)

    async def _settled(
        self, question: Question, body: bytes, bound: Bound, request: Asking
    ) -> Answer:
        """The answer of the fast lane, or else that of the slow one."""
        state = _state(request)
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


def _state(request: Asking) -> dict[str, Any]:
    state: dict[str, Any] = request.scope["state"]
    return state


def _address(request: Asking) -> str:
    return request.client.host if request.client else ""


def _wants_stream(question: Question, accept: str) -> bool:
    return EVENTS in accept or (question.streams and "application/json" not in accept)


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


def _asked(service: Service, question: Question) -> HTTPRouteHandler:
    """The route of a question."""
    bound: Bound = getattr(service.limits, question.name)

    async def ask(request: Asking) -> ASGIApp:
        service.rates.take(question.name, _address(request), bound.rate, bound.burst)
        media = request.headers.get("content-type", "application/json")
        if media.partition(";")[0].strip().lower() != "application/json":
            raise Refused(problems.NOT_JSON, "send JSON, with `Content-Type: application/json`")
        body = await body_of(request, service.limits.body, service.limits.body_seconds)
        return await service.answer(question, request, body)

    return post(f"{BASE}/{question.name}", name=question.name, status_code=200)(
        _routed(f"{BASE}/{question.name}", ask)
    )


def _routed(route: str, answers: Answers) -> Any:
    """A handler whose route is noted; its path goes to no log."""

    async def handle(request: Asking) -> ASGIApp:
        _state(request)["route"] = route
        try:
            return await answers(request)
        except Refused as error:
            if error.kind in (problems.RATE, problems.BUSY):
                # Who asks again at once would keep the server from answering anybody.
                await asyncio.sleep(LINGER)
            raise

    return handle


def _drawn(service: Service) -> list[HTTPRouteHandler]:
    """The addresses of pictures, whose question is in the query."""
    question = QUESTIONS["draw"]

    def at(kind: str) -> HTTPRouteHandler:
        async def draw(request: Asking) -> ASGIApp:
            bound = service.limits.draw
            service.rates.take("draw", _address(request), bound.rate, bound.burst)
            asked: dict[str, Any] = {"kind": kind, "answers": []}
            for key, value in _query(request):
                if key == "p":
                    asked["board"] = value
                elif key == "answer":
                    asked["answers"].append(value)
                elif key == "numbers" and value in ("true", "false"):
                    asked["numbers"] = value == "true"
                else:
                    raise FormatError("the query has `p`, `answer` and `numbers` (true or false)")
            if "board" not in asked:
                raise FormatError("the query lacks `p`, the board")
            reply = await service.answer(question, request, msgspec.json.encode(asked))
            if isinstance(reply, Reply) and reply.status == 200:
                reply.headers = {**reply.headers, "cache-control": KEPT}
            return reply

        path = f"{BASE}/draw.{kind}"
        return get(path, name=f"draw_{kind}")(_routed(path, draw))

    return [at("svg"), at("png")]


def _shipped(service: Service) -> list[HTTPRouteHandler]:
    """The boards and levels that come with castlecp."""
    shipped, bound = Shipped(), service.limits.shipped

    def at(path: str, told: Callable[[Asking], Reply]) -> HTTPRouteHandler:
        async def answer(request: Asking) -> ASGIApp:
            service.rates.take("shipped", _address(request), bound.rate, bound.burst)
            reply = told(request)
            reply.headers = {**reply.headers, "cache-control": KEPT}
            return reply

        return get(f"{BASE}{path}")(_routed(f"{BASE}{path}", answer))

    def boards(request: Asking) -> Reply:
        asked = _told_in(PageAsk, dict(_query(request)))
        return Reply.of(shipped.boards(request.path_params["genre"], asked))

    return [
        at("/banks", lambda _: Reply.of(shipped.banks())),
        at("/banks/{genre:str}", boards),
        at("/daily/{day:str}", lambda request: Reply.of(shipped.daily(request.path_params["day"]))),
        at("/levels", lambda _: Reply.of(shipped.levels())),
        at(
            "/levels/{name:str}",
            lambda request: Reply(200, shipped.level(request.path_params["name"])),
        ),
    ]


def _jobs(service: Service) -> list[HTTPRouteHandler]:
    """Runs over banks."""
    jobs, limits = service.jobs, service.limits

    def mine(request: Asking) -> Any:
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        return jobs.job(request.path_params["name"], secret if kind.lower() == "bearer" else "")

    async def begin(request: Asking) -> ASGIApp:
        bound, who = limits.jobs, _address(request)
        service.rates.take("jobs", who, bound.rate, bound.burst)
        kind = request.path_params["name"]
        if kind not in OF_BANKS:
            raise Refused(problems.NOT_FOUND, f"a job is one of {', '.join(OF_BANKS)}")
        ask = _told_in(OF_BANKS[kind], dict(_query(request)))
        content = await body_of(request, bound.bytes, 10 * limits.body_seconds)
        told = await jobs.post(kind, content, msgspec.to_builtins(ask), who)
        return Reply.of(told, 202, location=f"{BASE}/jobs/{told.id}")

    async def look(request: Asking) -> ASGIApp:
        return Reply.of(mine(request).told(), cache_control="no-store")

    async def cancel(request: Asking) -> ASGIApp:
        return Reply.of(await jobs.cancel(mine(request)))

    async def events(request: Asking) -> ASGIApp:
        return Streamed(jobs.events(mine(request)))

    async def results(request: Asking) -> ASGIApp:
        return Streamed(jobs.results(mine(request)), "application/x-ndjson", quiet=b"")

    one = f"{BASE}/jobs/{{name:str}}"
    return [
        post(one, status_code=202)(_routed(f"{BASE}/jobs", begin)),
        get(one)(_routed(one, look)),
        delete(one, status_code=200)(_routed(one, cancel)),
        get(f"{one}/events")(_routed(f"{one}/events", events)),
        get(f"{one}/results")(_routed(f"{one}/results", results)),
    ]


def _told_in(kind: type[S], query: dict[str, str]) -> S:
    """What a query asks. Raises FormatError."""
    try:
        return msgspec.convert(query, kind, strict=False)
    except msgspec.ValidationError as error:
        raise FormatError(f"the query: {error}") from None


def _query(request: Asking) -> list[tuple[str, str]]:
    try:
        text = request.scope["query_string"].decode("ascii")
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=10)
    except ValueError:
        raise FormatError("the query cannot be read") from None


def told(limits: Limits) -> wire.Genres:
    """What there is, and all limits."""
    from castlecp.generate.difficulty import BANDS
    from castlecp.generate.loops import SOURCES

    return wire.Genres(
        version=__version__,
        genres=tuple(map(_about, genres.names())),
        difficulties=BANDS.names(),
        sources=tuple(SOURCES),
        formats=codecs.names(),
        limits=limits.told(),
    )


def _about(name: str) -> wire.About:
    from castlecp.generate.difficulty import rungs

    genre = genres.genre(name)
    try:
        ladder = tuple(rungs(genre.PUZZLE(5, 5)))
    except Lacking:
        ladder = ()
    return wire.About(
        name=name, title=genre.PUZZLE.TITLE, other_names=tuple(genre.NAMES), rungs=ladder
    )


def _static(path: str, reply: Reply) -> HTTPRouteHandler:
    async def answer(request: Asking) -> ASGIApp:
        return reply

    return get(path)(_routed(path, answer))


def _page() -> list[HTTPRouteHandler]:
    """The page, if there is one."""

    def at(path: str, file: File) -> HTTPRouteHandler:
        async def answer(request: Asking) -> ASGIApp:
            asked = request.headers
            return file.reply(asked.get("accept-encoding", ""), asked.get("if-none-match", ""))

        return get(path)(_routed("page", answer))

    return [at(path, file) for path, file in page().items()]


def _operation(service: Service) -> list[HTTPRouteHandler]:
    """Whether it lives, whether it is ready, and what was counted."""

    async def alive(request: Asking) -> ASGIApp:
        return Reply(200, b"alive\n", "text/plain")

    async def ready(request: Asking) -> ASGIApp:
        if service.is_ready:
            return Reply(200, b"ready\n", "text/plain")
        return Reply(503, b"starting\n", "text/plain", {"retry-after": "1"})

    async def metrics(request: Asking) -> ASGIApp:
        if _address(request) not in ("127.0.0.1", "::1"):
            raise Refused(problems.NOT_FOUND, "nothing is here")
        for lane in (service.fast, service.slow):
            held = lane.held
            service.metrics.waiting.labels(lane.name).set(held.waiting)
            service.metrics.busy.labels(lane.name).set(held.busy)
            service.metrics.workers.labels(lane.name).set(held.ready)
        for state, number in service.jobs.counts().items():
            service.metrics.jobs.labels(state).set(number)
        return Reply(200, service.metrics.text(), "text/plain; version=0.0.4")

    return [
        get("/healthz")(_routed("/healthz", alive)),
        get("/readyz")(_routed("/readyz", ready)),
        get("/metrics")(_routed("/metrics", metrics)),
    ]


def _failed(request: Asking, error: Exception) -> Any:
    """What Litestar could not do, and what a handler raised, as a problem."""
    state = _state(request)
    told: BaseException = error
    if isinstance(error, HTTPException):
        known = {
            404: Refused(problems.NOT_FOUND, "nothing is here"),
            405: Refused(problems.NOT_ALLOWED, f"{request.method} is not for this address"),
        }
        told = known.get(
            error.status_code, Refused(problems.BAD_REQUEST, "the request cannot be read")
        )
    reply = problem_reply(told, state["request_id"])
    if reply.status == 500:
        state["fault"] = type(error).__name__
    return reply


def create(
    limits: Limits, workers: int, base_url: str, data: Path, cluster: str | None = None
) -> Gate:
    """The application; people see it at `base_url`, and jobs are in a folder of `data`."""
    service = Service(limits, workers, data, cluster)
    api = document(limits, base_url)
    app = Litestar(
        route_handlers=[
            *(_asked(service, question) for question in QUESTIONS.values() if _is_posted(question)),
            *_drawn(service),
            *_jobs(service),
            *_shipped(service),
            *_operation(service),
            *_page(),
            _static(f"{BASE}/genres", Reply.of(told(limits), cache_control="public, max-age=60")),
            _static(f"{BASE}/openapi.json", Reply(200, msgspec.json.encode(api))),
            _static(f"{BASE}/docs.css", Reply(200, STYLE, "text/css")),
            _static(f"{BASE}/docs", Reply(200, described(api), "text/html; charset=utf-8")),
        ],
        exception_handlers={Exception: _failed},
        lifespan=[service.running],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=None,
    )
    return Gate(app, service.metrics, secure=base_url.startswith("https:"))


def _is_posted(question: Question) -> bool:
    return question.name != "draw"
