"""Ask a service from Python: the library's functions, against an address.

with Client("http://127.0.0.1:8000") as client:
    verdict = client.solve("castle/6/6/20.d222b20.m011c20.d212b20.a")
    for news in client.following("minimise", board=board):
        ...  # `wire.Told` as it goes on, and the report in the end

Boards are puzzles, texts in any format, or JSON objects; so are answers, and loops and positions
besides. Answers are the reports of `castlecp.wire`. Needs `castlecp[client]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import msgspec

from castlecp import codecs, wire
from castlecp.errors import (
    CastlecpError,
    FormatError,
    Lacking,
    OutOfBudget,
    PuzzleError,
    Rejected,
    TooLarge,
    Unfit,
    Unknown,
)
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.position import Position

R = TypeVar("R", bound=wire.Report)

#: A board, and what is drawn on one, in any form that is understood.
Board = Puzzle | str | Mapping[str, Any]
Drawn = Loop | Position | str | Mapping[str, Any]

#: What is raised for a problem, by its type; a CastlecpError for any other.
ERRORS: dict[str, type[CastlecpError]] = {
    "castlecp:unreadable": FormatError,
    "castlecp:unknown-name": Unknown,
    "castlecp:impossible": PuzzleError,
    "castlecp:lacking": Lacking,
    "castlecp:unfit": Unfit,
    "castlecp:out-of-budget": OutOfBudget,
    "castlecp:too-large": TooLarge,
    "castlecp:rejected": Rejected,
}
JSON, EVENTS = "application/json", "text/event-stream"


class Client:
    """A service at an address. All raise what the library raises, and CastlecpError.

    `seconds` is how long to wait for an answer; a stream may take longer.
    """

    def __init__(self, address: str = "http://127.0.0.1:8000", seconds: float = 60.0) -> None:
        self._http = httpx.Client(base_url=f"{address.rstrip('/')}/api/v1", timeout=seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def genres(self) -> wire.Genres:
        """What there is, and all limits."""
        return self._report(self._sent("GET", "/genres"), wire.Genres)

    def convert(self, board: Board) -> wire.Converted:
        """The board in every format."""
        return self._ask("convert", wire.Converted, board=board)

    def check(self, board: Board, answer: Drawn) -> wire.Judgement:
        """What is wrong with an answer."""
        return self._ask("check", wire.Judgement, board=board, answer=answer)

    def check_so_far(self, board: Board, drawn: Drawn) -> wire.SoFar:
        """What is wrong with what is drawn and cannot be mended."""
        return self._ask("check", wire.SoFar, board=board, answer=drawn, so_far=True)

    def solve(self, board: Board, **more: Any) -> wire.Verdict:
        """The verdict; `limit`, `forced`, `conflict`, `seconds`, `steps`."""
        return self._ask("solve", wire.Verdict, board=board, **more)

    def count(self, board: Board, **more: Any) -> wire.Count:
        """The number of solutions; `limit`, `seconds`, `steps`."""
        return self._ask("count", wire.Count, board=board, **more)

    def hint(self, board: Board, drawn: Drawn | None = None, **more: Any) -> wire.Hint:
        """The next step; `degree`, `seconds`, `steps`."""
        if drawn is not None:
            more["drawn"] = drawn
        return self._ask("hint", wire.Hint, board=board, **more)

    def explain(self, board: Board, **more: Any) -> wire.Explanation:
        """The steps of a person's solution; `chains`, `seconds`, `steps`."""
        return self._ask("explain", wire.Explanation, board=board, **more)

    def grade(self, board: Board, **more: Any) -> wire.Grade:
        """How hard the board is; `seconds`, `steps`."""
        return self._ask("grade", wire.Grade, board=board, **more)

    def minimise(self, board: Board, **more: Any) -> wire.Less:
        """Fewer clues; `method`, `dial`, `weigh`, `seed`, `seconds`, `steps`."""
        return self._ask("minimise", wire.Less, board=board, **more)

    def mend(self, board: Board, **more: Any) -> wire.Mended:
        """The fewest changes; `answer`, `most`, `seconds`, `steps`."""
        return self._ask("mend", wire.Mended, board=board, **more)

    def generate(self, genre: str, **more: Any) -> Iterator[dict[str, Any]]:
        """Boards as they are made, as lines of a bank; settings as for the command.

        Raises CastlecpError in the end when a seed had none.
        """
        for news in self.following("generate", genre=genre, **more):
            if isinstance(news, dict):
                yield news
            elif isinstance(news, wire.Generated) and news.given_up:
                raise CastlecpError(news.given_up[0])

    def certify(self, board: Board, **more: Any) -> bytes:
        """The line of a certificates file; `graded`, `seconds`, `steps`."""
        return self._sent("POST", "/certify", json=_plain({"board": board, **more})).content

    def verify(self, certificate: str | bytes | Mapping[str, Any], **more: Any) -> wire.Examined:
        """What checking a line of a certificates file says; `seconds`, `max_proof`."""
        if isinstance(certificate, bytes):
            certificate = certificate.decode()
        return self._ask("verify", wire.Examined, certificate=certificate, **more)

    def draw(
        self, board: Board, *answers: Drawn, numbers: bool = False, kind: str = "svg"
    ) -> bytes:
        """A picture, as svg or png."""
        query = {
            "p": _text(board),
            "answer": [_text(answer) for answer in answers],
            "numbers": "true" if numbers else "false",
        }
        return self._sent("GET", f"/draw.{kind}", params=query).content

    def begin(self, kind: str, bank: str | bytes, **options: Any) -> wire.Job:
        """A job on a bank: certify, minimise or grade. Who has its `secret` has the job."""
        query = {key: _text(value) for key, value in options.items()}
        content = bank.encode() if isinstance(bank, str) else bank
        answer = self._sent("POST", f"/jobs/{kind}", params=query, content=content)
        return self._report(answer, wire.Job)

    def look(self, job: wire.Job) -> wire.Job:
        """How far a job is."""
        return self._of_job("GET", job)

    def cancel(self, job: wire.Job) -> wire.Job:
        """End a job, and forget it."""
        return self._of_job("DELETE", job)

    def results(self, job: wire.Job) -> Iterator[bytes]:
        """The lines that a job makes, in the bank's order, as they come."""
        with self._http.stream(
            "GET", f"/jobs/{job.id}/results", headers=_secret(job), timeout=None
        ) as answer:
            if answer.status_code != 200:
                answer.read()
                raise _error(answer.content)
            for line in answer.iter_lines():
                yield line.encode()

    def _of_job(self, method: str, job: wire.Job) -> wire.Job:
        answer = self._sent(method, f"/jobs/{job.id}", headers=_secret(job))
        told = self._report(answer, wire.Job)
        return msgspec.structs.replace(told, secret=job.secret)

    def following(
        self, question: str, **asked: Any
    ) -> Iterator[wire.Told | dict[str, Any] | wire.Report]:
        """How far a question is, the boards that it makes, and the report in the end.

        Whoever stops to ask ends the search.
        """
        headers = {"accept": EVENTS}
        with self._http.stream(
            "POST", f"/{question}", json=_plain(asked), headers=headers, timeout=None
        ) as answer:
            if answer.status_code != 200:
                answer.read()
                raise _error(answer.content)
            name = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield from _news(name, line.removeprefix("data: "))

    def _ask(self, question: str, kind: type[R], **asked: Any) -> R:
        return self._report(self._sent("POST", f"/{question}", json=_plain(asked)), kind)

    def _sent(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            headers = {"accept": JSON, **more.pop("headers", {})}
            answer = self._http.request(method, path, headers=headers, **more)
        except httpx.HTTPError as error:
            raise CastlecpError(f"the service at {self._http.base_url}: {error}") from None
        if answer.status_code >= 400:
            raise _error(answer.content)
        return answer

    def _report(self, answer: httpx.Response, kind: type[R]) -> R:
        return msgspec.json.decode(answer.content, type=kind)


def _secret(job: wire.Job) -> dict[str, str]:
    return {"authorization": f"Bearer {job.secret}"}


def _news(name: str, data: str) -> Iterator[wire.Told | dict[str, Any] | wire.Report]:
    if name == "problem":
        raise _error(data.encode())
    if name == "progress":
        yield msgspec.json.decode(data, type=wire.Told)
    elif name == "board":
        yield msgspec.json.decode(data, type=dict[str, Any])
    elif name == "done":
        yield wire.decode(data)


def _error(content: bytes) -> CastlecpError:
    """The error that a problem stands for."""
    try:
        told = msgspec.json.decode(content, type=wire.Problem)
    except msgspec.DecodeError:
        return CastlecpError("the service says nothing that is understood")
    return ERRORS.get(told.type, CastlecpError)(told.detail)


def _plain(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _json(value) for key, value in asked.items()}


def _json(value: Any) -> Any:
    """A value for a body: puzzles, loops and positions as JSON has them."""
    if isinstance(value, Puzzle):
        return wire.puzzle_of(value)
    if isinstance(value, Loop):
        return {"edges": sorted(value.edges)}
    if isinstance(value, Position):
        keys = ("on", "off", "inside", "outside")
        return {key: sorted(getattr(value, key)) for key in keys}
    return value


def _text(value: Any) -> str:
    """A board or what is drawn as a text."""
    if isinstance(value, Puzzle):
        return codecs.write(value, "json")
    plain = _json(value)
    return plain if isinstance(plain, str) else msgspec.json.encode(plain).decode()
