"""The OpenAPI 3.1 document, from the structs that questions and reports are, and a page of it.

Its schemas are those of msgspec, which OpenAPI 3.1 has in common with JSON Schema 2020-12.
"""

from __future__ import annotations

from html import escape
from typing import Any

import msgspec

from castlecp import __version__, wire
from castlecp.service.answers import EVENTS
from castlecp.service.asks import OF_BANKS
from castlecp.service.limits import Bound, Limits
from castlecp.service.questions import BOARD, JSON, NDJSON, QUESTIONS, Question
from castlecp.service.shipped import MOST

SCHEMAS = "#/components/schemas/{name}"
#: What may go wrong with each question, by status.
PROBLEMS = {
    400: "The request cannot be read.",
    408: "The body took too long to arrive.",
    413: "The body or the board is larger than what is taken.",
    415: "The body is not JSON.",
    422: "It cannot be read, or the question is not one for this board.",
    429: "Too many questions; `Retry-After` says when to ask again.",
    401: "The secret of the job is wanted.",
    404: "There is no such job.",
    507: "It cannot be stored.",
    503: "Busy, starting, or stopped at its deadline or its memory; `Retry-After` says when to "
    "ask again.",
}
#: What streams have, as it is told in the document.
STREAM = (
    "Events: `progress` (how far it is), `board` (a line of a bank), `ended` (the budget was spent "
    "first), and in the end `done` (the report) or `problem`."
)


def _schemas() -> tuple[dict[Any, dict[str, Any]], dict[str, Any]]:
    """What stands for each struct, and the schemas that it refers to."""
    kinds: list[Any] = [question.asks for question in QUESTIONS.values()]
    kinds += [wire.REGISTRY[name] for name in wire.REGISTRY] + [wire.Problem, wire.Told]
    found, components = msgspec.json.schema_components(kinds, ref_template=SCHEMAS)
    return dict(zip(kinds, found, strict=True)), components


def document(limits: Limits, base_url: str) -> dict[str, Any]:
    """The document for a service at an address."""
    refs, schemas = _schemas()
    paths: dict[str, Any] = {}
    for question in QUESTIONS.values():
        if question.name != "draw":
            paths[f"/{question.name}"] = {"post": _posted(question, limits, refs)}
    for kind, media in (("svg", "image/svg+xml"), ("png", "image/png")):
        paths[f"/draw.{kind}"] = {"get": _drawn(kind, media, refs)}
    paths |= _jobs(limits, refs) | _shipped(refs)
    paths["/genres"] = {
        "get": {
            "operationId": "genres",
            "summary": "Genres, difficulties, formats, and all limits.",
            "responses": {"200": _content("They.", JSON, refs[wire.Genres])},
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "castlecp",
            "version": __version__,
            "description": "Finds, proves and makes loop puzzles: what the command line does.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": f"{base_url}/api/v1"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"secret": {"type": "http", "scheme": "bearer"}},
        },
    }


def _content(description: str, media: str, schema: Any) -> dict[str, Any]:
    return {"description": description, "content": {media: {"schema": schema}}}


#: Those of a question.
ASKED = (400, 408, 413, 415, 422, 429, 503)


def _problems(refs: dict[Any, Any], *statuses: int) -> dict[str, Any]:
    return {
        str(status): _content(PROBLEMS[status], "application/problem+json", refs[wire.Problem])
        for status in statuses or ASKED
    }


def _jobs(limits: Limits, refs: dict[Any, Any]) -> dict[str, Any]:
    """Runs over banks."""
    bound, report = limits.jobs, _content("How far it is.", JSON, refs[wire.Job])
    named = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
    known = _problems(refs, 401, 404)

    def of_job(name: str, summary: str, answer: dict[str, Any]) -> dict[str, Any]:
        return {
            "operationId": name,
            "summary": summary,
            "parameters": [named],
            "security": [{"secret": []}],
            "responses": {"200": answer} | known,
        }

    paths: dict[str, Any] = {}
    for kind, ask in OF_BANKS.items():
        schema = msgspec.json.schema_components([ask], ref_template=SCHEMAS)[1][ask.__name__]
        paths[f"/jobs/{kind}"] = {
            "post": {
                "operationId": f"job_{kind}",
                "summary": (ask.__doc__ or "").split("\n\n")[0],
                "description": f"A bank of at most {bound.bytes:,} bytes, with {bound.seconds:g} s "
                "for each board. The answer has the job's secret, which is said only once.",
                "parameters": [
                    {"name": name, "in": "query", "schema": one}
                    for name, one in schema["properties"].items()
                ],
                "requestBody": {
                    "required": True,
                    "content": {NDJSON: {"schema": {"type": "string"}, "example": f"{BOARD}\n"}},
                },
                "responses": {"202": report} | _problems(refs, 400, 408, 413, 422, 429, 503, 507),
            }
        }
    results = _content("Lines, in the order of the bank.", NDJSON, {"type": "string"})
    events = _content("`progress`, and in the end `done`.", EVENTS, {"type": "string"})
    return paths | {
        "/jobs/{name}": {
            "get": of_job("job", "How far a job is.", report),
            "delete": of_job("cancel", "End a job, and forget it.", report),
        },
        "/jobs/{name}/events": {"get": of_job("job_events", "The same as it changes.", events)},
        "/jobs/{name}/results": {"get": of_job("results", "Its results, as they come.", results)},
    }


def _posted(question: Question, limits: Limits, refs: dict[Any, Any]) -> dict[str, Any]:
    bound: Bound = getattr(limits, question.name)
    answer: dict[str, Any] = {question.media: {"schema": {"type": "string"}}}
    if question.answers is not None:
        schema = refs[question.answers]
        if question.name == "check":
            schema = {"anyOf": [schema, refs[wire.SoFar]]}
        answer = {question.media: {"schema": schema}}
    answer[EVENTS] = {"schema": {"type": "string", "description": STREAM}}
    taken = f"Boards of up to {bound.cells:,} cells, for up to {bound.seconds:g} s."
    return {
        "operationId": question.name,
        "summary": question.summary,
        "description": taken,
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": refs[question.asks], "example": question.example}},
        },
        "responses": {"200": {"description": "The answer.", "content": answer}} | _problems(refs),
    }


def _drawn(kind: str, media: str, refs: dict[Any, Any]) -> dict[str, Any]:
    def query(name: str, schema: dict[str, Any], what: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "in": "query", "description": what, "schema": schema, **more}

    return {
        "operationId": f"draw_{kind}",
        "summary": f"A picture of a board, as {kind.upper()}.",
        "parameters": [
            query("p", {"type": "string"}, "The board.", required=True, example=BOARD),
            query(
                "answer",
                {"type": "array", "items": {"type": "string"}, "maxItems": 2},
                "Up to two answers, or a position.",
            ),
            query("numbers", {"type": "boolean"}, "Number the rows and columns from 1."),
        ],
        "responses": {"200": _content("The picture.", media, {"type": "string"})}
        | _problems(refs, 400, 413, 422, 429, 503),
    }


def _shipped(refs: dict[Any, Any]) -> dict[str, Any]:
    """What comes with castlecp."""

    def of(name: str, summary: str, answer: Any, parameters: Any = (), more: Any = ()) -> Any:
        known = _problems(refs, *more, 429)
        return {
            "get": {
                "operationId": name,
                "summary": summary,
                "parameters": list(parameters),
                "responses": {"200": _content("The answer.", JSON, answer)} | known,
            }
        }

    def path(name: str, example: str) -> dict[str, Any]:
        schema = {"type": "string"}
        return {"name": name, "in": "path", "required": True, "schema": schema, "example": example}

    whole = {"type": "integer"}
    asked = [
        {"name": "size", "in": "query", "schema": {"type": "string"}, "example": "8x8"},
        {"name": "difficulty", "in": "query", "schema": {"type": "string"}, "example": "hard"},
        {"name": "first", "in": "query", "schema": whole | {"minimum": 0}},
        {"name": "limit", "in": "query", "schema": whole | {"minimum": 1, "maximum": MOST}},
    ]
    return {
        "/banks": of("banks", "The banks that come with castlecp.", refs[wire.Banks]),
        "/banks/{genre}": of(
            "boards",
            "Boards of a genre, by size and difficulty, a page at a time.",
            refs[wire.Boards],
            [path("genre", "cave"), *asked],
            (400, 422),
        ),
        "/daily/{day}": of(
            "daily",
            "The board of a day.",
            refs[wire.Daily],
            [path("day", "2027-01-31")],
            (400, 404, 422),
        ),
        "/levels": of("levels", "The names of the levels.", refs[wire.Names]),
        "/levels/{name}": of(
            "level",
            "A level.",
            {"type": "object"},
            [path("name", "bell-tower")],
            (400, 404),
        ),
    }


#: How the page looks: a printed one, by day and by night.
STYLE = b"""\
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { font-family: Georgia, serif; font-weight: normal; line-height: 1.2; }
section { border-top: 1px solid; margin-top: 2rem; }
h2 code { font-size: 1.1rem; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; }
dl { display: grid; grid-template-columns: 4rem 1fr; }
dd { margin: 0; }
"""


def described(api: dict[str, Any]) -> bytes:
    """The document as a page that needs nothing else: no script, no style from elsewhere."""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width'>",
        "<link rel=stylesheet href=docs.css>",
        f"<title>castlecp {escape(api['info']['version'])}: HTTP</title>",
        f"<h1>castlecp over HTTP</h1><p>{escape(api['info']['description'])}</p>",
        f"<p>Addresses begin with <code>{escape(api['servers'][0]['url'])}</code>. ",
        "<a href=openapi.json>The OpenAPI document</a> has all of this.</p>",
    ]
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            parts.append(_section(path, method, operation, api))
    return "".join(parts).encode()


def _section(path: str, method: str, operation: dict[str, Any], api: dict[str, Any]) -> str:
    parts = [
        f"<section id={escape(operation['operationId'])}>",
        f"<h2><code>{method.upper()} {escape(path)}</code></h2>",
        f"<p>{escape(operation['summary'])}</p>",
    ]
    if said := operation.get("description"):
        parts.append(f"<p>{escape(said)}</p>")
    body = operation.get("requestBody", {}).get("content", {}).get(JSON)
    if body:
        example = msgspec.json.encode(body["example"]).decode()
        shape = body["schema"]["$ref"].rpartition("/")[2]
        url = f"{api['servers'][0]['url']}{path}"
        call = f"curl {url} --json '{example}'"
        parts.append(f"<pre>{escape(call)}</pre>{_fields(api['components']['schemas'][shape])}")
    for one in operation.get("parameters", ()):
        said = one.get("description") or msgspec.json.encode(one["schema"]).decode()
        parts.append(f"<p><code>{escape(one['name'])}</code>: {escape(said)}</p>")
    answers = (
        f"<dt>{status}<dd>{escape(answer['description'])}"
        for status, answer in operation["responses"].items()
    )
    return "".join([*parts, f"<dl>{''.join(answers)}</dl></section>"])


def _fields(schema: dict[str, Any]) -> str:
    """The keys of a body as a table."""
    rows = []
    for name, kind in schema.get("properties", {}).items():
        default = msgspec.json.encode(kind["default"]).decode() if "default" in kind else ""
        wanted = "must be there" if name in schema.get("required", ()) else default
        said = msgspec.json.encode({k: v for k, v in kind.items() if k != "default"}).decode()
        rows.append(
            f"<tr><td><code>{escape(name)}</code><td>{escape(wanted)}<td><code>{escape(said)}</code>"
        )
    return f"<table><tr><th>key<th>default<th>what it is{''.join(rows)}</table>"
