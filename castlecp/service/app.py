"""The application: routes on Litestar, and what stands behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, delete, get, post
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from castlecp import __version__, codecs, genres, wire
from castlecp.errors import FormatError, Lacking
from castlecp.service import problems
from castlecp.service.answers import Reply, Streamed, problem_reply
from castlecp.service.asks import OF_BANKS
from castlecp.service.behind import Service
from castlecp.service.gate import Gate
from castlecp.service.limits import Bound, Limits
from castlecp.service.openapi import STYLE, described, document
from castlecp.service.page import File, page
from castlecp.service.problems import Refused
from castlecp.service.questions import QUESTIONS, Question
from castlecp.service.requests import Asking, address_of, body_of, query_of, state_of, told_in
from castlecp.service.shipped import Ask as PageAsk
from castlecp.service.shipped import Shipped

#: Where everything but operation is.
BASE = "/api/v1"
#: Seconds until who asks too often, or finds all busy, is told so.
LINGER = 0.5
#: For how long, in seconds, what never changes may be kept by who asked.
KEPT = "public, max-age=86400"

Answers = Callable[[Asking], Awaitable[ASGIApp]]


def _asked(service: Service, question: Question) -> HTTPRouteHandler:
    """The route of a question."""
    bound: Bound = getattr(service.limits, question.name)

    async def ask(request: Asking) -> ASGIApp:
        service.rates.take(question.name, address_of(request), bound.rate, bound.burst)
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
        state_of(request)["route"] = route
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
            service.rates.take("draw", address_of(request), bound.rate, bound.burst)
            asked: dict[str, Any] = {"kind": kind, "answers": []}
            for key, value in query_of(request):
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
            service.rates.take("shipped", address_of(request), bound.rate, bound.burst)
            reply = told(request)
            reply.headers = {**reply.headers, "cache-control": KEPT}
            return reply

        return get(f"{BASE}{path}")(_routed(f"{BASE}{path}", answer))

    def boards(request: Asking) -> Reply:
        asked = told_in(PageAsk, dict(query_of(request)))
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
        bound, who = limits.jobs, address_of(request)
        service.rates.take("jobs", who, bound.rate, bound.burst)
        kind = request.path_params["name"]
        if kind not in OF_BANKS:
            raise Refused(problems.NOT_FOUND, f"a job is one of {', '.join(OF_BANKS)}")
        ask = told_in(OF_BANKS[kind], dict(query_of(request)))
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
        if address_of(request) not in ("127.0.0.1", "::1"):
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
    state = state_of(request)
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
