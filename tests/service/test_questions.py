"""Every question over HTTP is answered as the library answers it, whatever is asked."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import Any

import httpx
import msgspec
import pytest
import samples
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import every_genre
from strategies import positions, puzzles, puzzles_and_lines

import castlecp
from castlecp import codecs, methods, wire
from castlecp.budget import Budget
from castlecp.certify.records import read
from castlecp.certify.verify import verify
from castlecp.draw import Picture, to_svg
from castlecp.errors import CastlecpError
from castlecp.generate.board import make
from castlecp.generate.mend import mend
from castlecp.generate.minimise import minimise
from castlecp.generate.settings import Settings
from castlecp.ladder import assess
from castlecp.service.questions import BOARD, QUESTIONS

few = settings(max_examples=15)
UNIQUE = castlecp.read(BOARD)


def plain(report: wire.Report | bytes) -> Any:
    """A report as JSON is read, without what differs from run to run."""
    told = json.loads(report if isinstance(report, bytes) else wire.encode(report))
    told.get("stats", {}).pop("seconds", None)
    return told


def same(answer: httpx.Response, report: Any) -> None:
    """An answer is what the library says, or refuses for the same reason."""
    refused = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = plain(report())
        except CastlecpError as error:
            refused = error
    if refused is None:
        assert answer.status_code == 200, answer.text
        assert plain(answer.content) == expected
    else:
        assert answer.status_code in (413, 422), answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"] == str(refused)


def as_json(puzzle: Any) -> Any:
    return json.loads(codecs.write(puzzle, "json"))


@every_genre
@few
@given(data=st.data())
def test_boards(genre: str, data: Any, server: Any) -> None:
    puzzle = data.draw(puzzles(genre, 4))
    board: Any = as_json(puzzle)
    if data.draw(st.booleans()):
        board = json.dumps(board)
    same(
        server.ask("solve", board=board),
        lambda: wire.Verdict.of(puzzle, methods.solve(puzzle, conflict=True)),
    )
    same(
        server.ask("solve", board=board, limit=3, forced=True),
        lambda: wire.Verdict.of(puzzle, methods.solve(puzzle, limit=3, forced=True, conflict=True)),
    )
    same(
        server.ask("count", board=board, limit=7),
        lambda: wire.Count.of(methods.solve(puzzle, limit=7)),
    )
    same(server.ask("grade", board=board), lambda: wire.Grade.of(assess(puzzle)))
    same(
        server.ask("explain", board=board),
        lambda: wire.Explanation.of(puzzle, castlecp.explain(puzzle)),
    )
    told = server.ask("convert", board=board).json()
    assert codecs.read(json.dumps(told["puzzle"])) == puzzle
    assert codecs.read(told["formats"]["json"]) == puzzle
    assert list(puzzle.remarks()) == told["remarks"]


@every_genre
@few
@given(data=st.data())
def test_lines(genre: str, data: Any, server: Any) -> None:
    """Right ones, broken ones, and ones with an edge too many or too few."""
    puzzle, line = data.draw(puzzles_and_lines(genre))
    found = castlecp.solve(puzzle, budget=Budget(steps=200)).loops
    if found and data.draw(st.booleans()):
        edges = data.draw(st.frozensets(st.sampled_from(puzzle.lattice.edges), max_size=1))
        line = castlecp.Loop(puzzle.lattice, found[0].edges ^ edges)
    answer = json.loads(codecs.write_answer(puzzle, line, "json"))
    del answer["inside"]
    board = as_json(puzzle)
    same(
        server.ask("check", board=board, answer=answer),
        lambda: wire.Judgement.of(puzzle, line, castlecp.check(puzzle, line)),
    )
    same(
        server.ask("hint", board=board, drawn=answer),
        lambda: wire.Hint.of(castlecp.next_step(puzzle, castlecp.Position.of(line))),
    )


@every_genre
@few
@given(data=st.data())
def test_positions(genre: str, data: Any, server: Any) -> None:
    puzzle = data.draw(puzzles(genre, 4))
    position = data.draw(positions(puzzle))
    drawn = json.loads(codecs.write_position(puzzle, position, "json"))
    same(
        server.ask("check", board=as_json(puzzle), answer=drawn, so_far=True),
        lambda: wire.SoFar(
            faults=tuple(map(wire.Mistake.of, castlecp.check_so_far(puzzle, position)))
        ),
    )
    same(
        server.ask("hint", board=as_json(puzzle), drawn=drawn),
        lambda: wire.Hint.of(castlecp.next_step(puzzle, position)),
    )


@every_genre
@few
@given(data=st.data())
def test_pictures(genre: str, data: Any, server: Any) -> None:
    puzzle = data.draw(puzzles(genre, 4))
    query = {"p": codecs.write(puzzle, "json"), "numbers": "true"}
    answer = server.http.get("/draw.svg", params=query)
    assert answer.status_code == 200, answer.text
    picture = replace(Picture.of(puzzle), caption="\n".join(puzzle.words()))
    expected = to_svg(picture, numbers=True)
    assert answer.text == expected
    assert "max-age" in answer.headers["cache-control"]
    png = server.http.get("/draw.png", params=query)
    assert png.content.startswith(b"\x89PNG")


@pytest.mark.parametrize("degree", ["where", "why", "do"])
def test_hints_of_each_degree(degree: str, server: Any) -> None:
    """Where to look; why; what to draw."""
    whole = server.ask("hint", board=BOARD).json()["step"]
    step = server.ask("hint", board=BOARD, degree=degree).json()["step"]
    assert step["places"] == whole["places"]
    assert (step["sentence"] == whole["sentence"]) == (degree != "where")
    assert bool(step["on"] or step["off"]) == (degree == "do")


def test_a_mistake_comes_first(server: Any) -> None:
    step = server.ask("hint", board=BOARD, drawn={"edges": [[0, 0, 0, 1]]}).json()["step"]
    assert step["rung"] == "mistake"


@every_genre
def test_boards_that_are_made(genre: str, server: Any) -> None:
    asked = {"genre": genre, "rows": 5, "cols": 6, "difficulty": "easy", "seed": 3, "count": 2}
    events = server.events("generate", **asked)
    boards = [data for name, data in events if name == "board"]
    config = Settings(genre=genre, rows=5, cols=6, difficulty="easy")
    made = [json.loads(msgspec.json.encode(make(config, seed))) for seed in (3, 4)]
    assert [{k: v for k, v in board.items() if k != "digest"} for board in boards] == made
    assert events[-1] == (
        "done",
        {"format": "castlecp-generated-1", "boards": 2, "given_up": [], "timed_out": False},
    )
    assert {name for name, _ in events} <= {"progress", "board", "done"}


def test_minimising_and_mending(server: Any) -> None:
    less = plain(wire.Less.of(minimise(UNIQUE, seed=2)))
    same(
        server.ask("minimise", board=BOARD, seed=2), lambda: wire.Less.of(minimise(UNIQUE, seed=2))
    )
    assert server.events("minimise", board=BOARD, seed=2)[-1] == ("done", less)
    draft = castlecp.read("slither/2/2/dg")
    same(server.ask("mend", board="slither/2/2/dg"), lambda: wire.Mended.of(draft, mend(draft)))
    several = castlecp.solve(draft).loops[0]
    answer = json.loads(codecs.write_answer(draft, several, "json"))
    del answer["inside"]
    same(
        server.ask("mend", board="slither/2/2/dg", answer=answer),
        lambda: wire.Mended.of(draft, mend(draft, several)),
    )


def test_streams_of_questions_that_search(server: Any) -> None:
    """Any question is answered with events when they are wanted."""
    events = server.events("explain", board=BOARD)
    assert events[-1] == ("done", plain(server.ask("explain", board=BOARD).content))
    name, told = server.events("minimise", board="slither/2/2/")[-1]
    assert name == "problem"
    assert told["type"] == "castlecp:unfit"
    assert len(told["request_id"]) == 16


def test_certificates(server: Any, tmp_path: Any) -> None:
    """The line is one that `castlecp verify` takes, and so does the service."""
    answer = server.ask("certify", board=BOARD)
    assert "attachment" in answer.headers["content-disposition"]
    certificate = read(answer.content).certificate
    assert verify(certificate) == UNIQUE
    accepted = {"format": "castlecp-examined-1", "status": "accepted", "reason": None}
    assert server.ask("verify", certificate=answer.text).json() == accepted
    assert server.ask("verify", certificate=json.loads(answer.text)).json() == accepted
    changed = json.loads(answer.text)
    changed["certificate"]["loop"].pop()
    told = server.ask("verify", certificate=changed).json()
    assert told["status"] == "rejected"
    assert "digest" in told["reason"]
    several = server.ask("certify", board="slither/2/2/")
    assert server.ask("verify", certificate=several.text).json()["status"] == "multiple"


def test_a_budget_of_steps_is_that_of_the_library(server: Any) -> None:
    board = "slither/12/12/"
    puzzle = castlecp.read(codecs.write(samples.blank("slither", 13, 13), "json"))
    for steps in (0, 1, 100, 1_000):
        same(
            server.ask("solve", board=as_json(puzzle), steps=steps, limit=900),
            lambda steps=steps: wire.Verdict.of(
                puzzle, methods.solve(puzzle, limit=900, budget=Budget(steps=steps), conflict=True)
            ),
        )
    told = server.ask("solve", board=board, seconds=0).json()
    assert told["status"] == "inconclusive"
    assert told["timed_out"]


def test_what_the_budget_leaves_is_said(server: Any) -> None:
    answer = server.ask("explain", board="cave/12/12/", steps=3)
    assert answer.headers["castlecp-ended"] == "the steps are spent"
    assert server.ask("hint", board=BOARD, steps=0).json()["type"] == "castlecp:out-of-budget"


def test_questions_have_limits_and_examples(server: Any) -> None:
    limits = server.http.get("/genres").json()["limits"]
    for question in QUESTIONS.values():
        assert limits[question.name]["seconds"] > 0
        if question.name != "draw":
            assert server.ask(question.name, **question.example).status_code == 200


def test_what_there_is(server: Any) -> None:
    told = server.http.get("/genres").json()
    assert tuple(genre["name"] for genre in told["genres"]) == castlecp.genres.names()
    assert all(genre["rungs"] for genre in told["genres"])
    assert told["difficulties"] == ["full", "easy", "normal", "hard", "expert"]


def test_large_boards_go_to_the_slow_lane(server: Any) -> None:
    def slow() -> float:
        name = 'castlecp_request_seconds_count{lane="slow",route="/api/v1/check"}'
        return float(server.metrics.get(name, 0))

    before = slow()
    answer = {"edges": [[0, 0, 0, 1]]}
    assert server.ask("check", board="mashu/40/40/", answer=answer).status_code == 200
    assert slow() == before + 1
    assert server.ask("check", board="mashu/4/4/", answer=answer).status_code == 200
    assert slow() == before + 1
