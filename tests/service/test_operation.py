"""Starting, stopping, refusing: what a server does besides answering."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from running import PLENTY, Server, alive, serving, until

from castlecp.errors import FormatError
from castlecp.service import limits
from castlecp.service.limits import Limits
from castlecp.service.questions import BOARD, QUESTIONS

#: A question that takes more than a second, and has no end in sight.
ENDLESS = {"board": "cave/20/20/", "limit": 10_000}


def test_every_answer_has_its_headers(server: Any) -> None:
    for path, status in (
        ("/healthz", 200),
        ("/readyz", 200),
        ("/nothing", 404),
        ("/api/v1/x", 404),
    ):
        answer = httpx.get(server.url + path)
        assert answer.status_code == status
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert len(answer.headers["x-request-id"]) == 16
        assert "server" not in answer.headers


def test_other_pages_may_ask(server: Any) -> None:
    answer = httpx.options(f"{server.url}/api/v1/solve", headers={"origin": "http://elsewhere"})
    assert answer.status_code == 204
    assert "content-type" in answer.headers["access-control-allow-headers"]
    assert server.ask("solve", board=BOARD).headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in httpx.get(f"{server.url}/healthz").headers


def test_lines_of_the_log_name_no_board(server: Any) -> None:
    """A request is a line of JSON with its id, route, status, time and lane."""
    answer = server.ask("solve", board=BOARD)
    name = answer.headers["x-request-id"]
    until(lambda: any(line.get("request_id") == name for line in server.lines))
    (line,) = (line for line in server.lines if line.get("request_id") == name)
    assert (line["route"], line["status"], line["lane"]) == ("/api/v1/solve", 200, "fast")
    assert line["ms"] > 0
    httpx.get(f"{server.url}/api/v1/{BOARD}")
    assert BOARD not in server.log.read_text()
    assert "127.0.0.1" not in server.log.read_text()


def test_the_document_stands_for_itself(server: Any) -> None:
    page = server.http.get("/docs")
    assert "text/html" in page.headers["content-type"]
    for question in QUESTIONS:
        assert f"/{question}" in page.text
    assert "<script" not in page.text
    assert server.http.get("/docs.css").headers["content-type"].startswith("text/css")
    assert "http" not in page.text.replace(server.url, "").replace("castlecp over HTTP", "")


REFUSED = [
    (b"{", 422, "not JSON: it ends too early"),
    (b"", 422, "the text is empty"),
    (b"[1]", 422, "it must be an object"),
    (b'{"board": 1}', 422, "board: this is no puzzle"),
    (b'{"board": "nothing"}', 422, "board: this is no puzzle"),
    (b'{"board": "x", "nothing": 1}', 422, "unknown key 'nothing'"),
    (b'{"board": "x", "board": "y"}', 422, "the key 'board' stands there twice"),
    (b'{"board": {"type": "castle"}}', 422, "board: the key `rows` is missing"),
    (
        b'{"board": {"type": "castle", "rows": 1, "rows": 1, "cols": 1}}',
        422,
        "the key 'rows' stands twice in `board`",
    ),
    (b'{"board": "castle/1000/1000/"}', 413, "1,000,000 cells, and 2,500 are taken here"),
    (b'{"board": "castle/9999/3/"}', 422, "`cols` is 9999"),
    (b'{"board": "/etc/passwd"}', 422, "board: this is no puzzle"),
    (b'{"board": "-"}', 422, "board: this is no puzzle"),
    (b'{"board": "castle/3/3/", "limit": 1}', 422, "`limit`"),
    (b'{"board": "castle/3/3/", "limit": 1e400}', 422, "`limit`"),
    (b'{"board": "castle/3/3/", "seconds": 1000}', 422, "`seconds` is 1000; it must be at most 10"),
    (b'{"board": "castle/3/3/", "steps": -1}', 422, "`steps`"),
    (b'{"board": "\xff"}', 422, "not UTF-8 text"),
    (b'{"board": "\\ud800"}', 422, "not JSON"),
    (b'{"board": ' + b"[" * 100_000, 422, ""),
    (b'{"board": ' + b'{"a":' * 40_000, 422, ""),
    (b'{"board": "' + b"x" * 300_000 + b'"}', 413, "the body is larger than 262,144 bytes"),
]


@pytest.mark.parametrize(("body", "status", "detail"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_read(body: bytes, status: int, detail: str, server: Any) -> None:
    headers = {"content-type": "application/json"}
    answer = server.http.post("/solve", content=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert detail in told["detail"]
    assert told["status"] == status
    assert told["request_id"] == answer.headers["x-request-id"]
    assert len(told["detail"]) < 400
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("body", [b"{}", b"null", b'"x"', b"{]", b'{"board": null}', b"\0"])
def test_no_question_breaks(question: str, body: bytes, server: Any) -> None:
    if question == "draw":
        answer = server.http.get("/draw.svg", params={"p": body.decode()})
    else:
        headers = {"accept": "application/json", "content-type": "application/json"}
        answer = server.http.post(f"/{question}", content=body, headers=headers)
    assert answer.status_code == 422, answer.text


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("PUT", "/solve", {}, 405),
        ("GET", "/solve", {}, 405),
        ("POST", "/solve", {"content-type": "text/plain"}, 415),
        ("GET", "/draw.svg", {}, 422),
        ("GET", "/draw.svg?p=%ff", {}, 422),
        ("GET", "/draw.svg?q=1", {}, 422),
        ("GET", "/draw.svg?p=slither/2/2/&answer=1&answer=2&answer=3", {}, 422),
        ("GET", "/draw.svg?" + "&" * 5_000, {}, 422),
    ],
)
def test_requests_that_are_none(
    method: str, path: str, headers: dict[str, str], status: int, server: Any
) -> None:
    answer = httpx.request(method, f"{server.url}/api/v1{path}", headers=headers)
    assert answer.status_code == status, answer.text


def test_a_body_without_its_length_is_counted(server: Any) -> None:
    """A client need not say how much it will send."""
    parts = (b'{"board": "' + b"x" * 100_000 for _ in range(4))
    headers = {"content-type": "application/json"}
    assert server.http.post("/solve", content=parts, headers=headers).status_code == 413


def test_limits_come_from_a_file_and_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    file.write_text("body = 1000\n[solve]\nseconds = 3\ncells = 77\n[jobs]\nhours = 1\n")
    found = limits.read(file, {"CASTLECP_SOLVE_SECONDS": "4.5", "CASTLECP_OTHER": "x"})
    assert (found.body, found.solve.seconds, found.solve.cells) == (1000, 4.5, 77)
    assert found.jobs.hours == 1
    assert limits.read(None, {}) == Limits()
    assert limits.read(None, {"CASTLECP_FAST_BODY": "9"}).fast_body == 9


@pytest.mark.parametrize(
    ("text", "environment", "sentence"),
    [
        ("nothing = 1", {}, "unknown key 'nothing'"),
        ("[solve]\nseconds = 'x'", {}, "`solve.seconds` must be a number"),
        ("[solve]\nseconds = 0", {}, "`solve.seconds` must be a number above 0, not 0"),
        ("[solve]\nseconds = nan", {}, "`solve.seconds` must be a number above 0"),
        ("[solve", {}, "not TOML"),
        ("", {"CASTLECP_BODY": "many"}, "CASTLECP_BODY is 'many', which is no number"),
    ],
)
def test_limits_that_are_none(
    text: str, environment: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "limits.toml"
    file.write_text(text)
    with pytest.raises(FormatError) as caught:
        limits.read(file, environment)
    assert sentence in str(caught.value)


def test_every_limit_has_a_variable() -> None:
    """Also those of questions."""
    for path, value in _numbers(msgspec.to_builtins(Limits())):
        name = f"CASTLECP_{'_'.join(path).upper()}"
        told: Any = limits.read(None, {name: str(type(value)(value + 1))}).told()
        for key in path:
            told = told[key]
        assert told == value + 1


def _numbers(told: Any, path: tuple[str, ...] = ()) -> Any:
    if isinstance(told, dict):
        for key, value in told.items():
            yield from _numbers(value, (*path, key))
    else:
        yield path, told


def refused(*options: str, **environment: str) -> tuple[int, str]:
    """Exit code and sentence of a server that does not start."""
    command = [sys.executable, "-m", "castlecp", "serve", *options]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stderr


def test_two_servers_on_one_port(server: Any) -> None:
    port = server.url.rpartition(":")[2]
    code, said = refused("--port", port)
    assert code == 2
    assert said == f"castlecp: cannot listen on 127.0.0.1:{port}: Address already in use\n"


@pytest.mark.parametrize(
    ("options", "environment", "sentence"),
    [
        (["--host", "no.such.host.invalid"], {}, "cannot listen on no.such.host.invalid:8000: "),
        (["--limits", "/no/such/file"], {}, "/no/such/file: No such file or directory"),
        ([], {"CASTLECP_BODY": "-1"}, "`body` must be a number above 0, not -1"),
    ],
)
def test_what_does_not_start(
    options: list[str], environment: dict[str, str], sentence: str
) -> None:
    code, said = refused(*options, **environment)
    assert code == 2
    assert said.startswith(f"castlecp: {sentence}")
    assert said.count("\n") == 1


def test_what_is_missing_is_named() -> None:
    """Without the extra there is one sentence."""
    program = (
        "import sys; sys.modules['litestar'] = None; sys.argv = ['castlecp', 'serve']\n"
        "from castlecp.__main__ import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    said = "castlecp: serve needs `pip install castlecp[service]`: litestar"
    assert done.stderr.startswith(said)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_while_it_starts_and_while_it_works(number: int, tmp_path: Path) -> None:
    """Nothing is left of it, and the exit code says that all is well."""
    server = Server(tmp_path / "log", "--workers", "1")
    if number == signal.SIGINT:
        server.wait()
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(server.ask, "count", **ENDLESS)
            until(lambda: server.metrics.get('castlecp_busy{lane="slow"}') == 1)
            pids = server.pids
            assert server.end(number) == 0
            assert answer.result().json()["type"] == "castlecp:stopping"
    else:
        time.sleep(0.5)
        pids = server.pids
        assert server.end(number) == 0
    assert until(lambda: not any(map(alive, pids)), 5) < 5


def test_it_is_not_ready_before_its_workers(tmp_path: Path) -> None:
    server = Server(tmp_path / "log", "--workers", "1")
    try:
        assert httpx.get(f"{server.url}/readyz").status_code == 503
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        early = server.ask("solve", board=BOARD)
        assert (early.status_code, early.json()["type"]) == (503, "castlecp:starting")
        assert early.headers["retry-after"] == "1"
        server.wait()
        assert server.ask("solve", board=BOARD).status_code == 200
    finally:
        server.end()


def test_rates_and_queues(tmp_path: Path) -> None:
    """Who asks too often, and whoever finds all workers busy, is told when to ask again."""
    said = {"SOLVE_RATE": 0.05, "SOLVE_BURST": 3, "COUNT_AT_ONCE": 2, "SLOW_WAITING": 1}
    with serving(tmp_path / "log", "--workers", "1", **said, PATIENCE=2) as server:
        statuses = [server.ask("solve", board=BOARD).status_code for _ in range(5)]
        assert statuses == [200] * 3 + [429] * 2
        answer = server.ask("solve", board=BOARD)
        assert answer.json()["type"] == "castlecp:too-many"
        assert 10 <= int(answer.headers["retry-after"]) <= 20
        assert server.ask("check", board=BOARD, answer="+-+").status_code == 422
        with ThreadPoolExecutor(4) as pool:
            first = pool.submit(server.ask, "count", **ENDLESS, seconds=5)
            until(lambda: server.metrics.get('castlecp_busy{lane="slow"}') == 1)
            # Another one waits, and gives up; meanwhile the queue is full.
            second = pool.submit(server.ask, "count", **ENDLESS, seconds=5)
            until(lambda: server.metrics.get('castlecp_waiting{lane="slow"}') == 1)
            full = server.ask("grade", board="cave/31/31/")
            assert full.status_code == 503
            assert full.json()["detail"] == "all workers are busy, and 1 questions wait"
            assert int(full.headers["retry-after"]) >= 1
            third = server.ask("count", **ENDLESS)
            assert (third.status_code, third.json()["type"]) == (429, "castlecp:too-many")
            assert second.result().status_code == 503
            assert first.result().json()["kind"] == "timed out"
        assert server.ask("grade", board=BOARD).status_code == 200


def test_who_asks_through_a_proxy(tmp_path: Path) -> None:
    """Only the one that is trusted is believed."""
    said = {"SOLVE_RATE": 0.001, "SOLVE_BURST": 1}
    for trusted, expected in (("127.0.0.1", [200, 200]), ("10.9.8.7", [200, 429])):
        with serving(
            tmp_path / "log", "--workers", "1", "--trusted-proxy", trusted, **said
        ) as server:
            statuses = [
                server.http.post(
                    "/solve", json={"board": BOARD}, headers={"x-forwarded-for": address}
                ).status_code
                for address in ("1.2.3.4", "1.2.3.5")
            ]
            assert statuses == expected
            metrics = httpx.get(f"{server.url}/metrics", headers={"x-forwarded-for": "1.2.3.4"})
            assert metrics.status_code == (404 if trusted == "127.0.0.1" else 200)


def test_counts_are_for_this_machine(server: Any) -> None:
    found = server.metrics
    assert found['castlecp_workers{lane="slow"}'] >= 1
    assert any(name.startswith("castlecp_requests_total{") for name in found)


def test_a_port_is_a_port() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        code, said = refused("--port", str(held.getsockname()[1]))
    assert (code, "Address already in use" in said) == (2, True)
    assert json.dumps(PLENTY)
