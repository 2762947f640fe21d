"""The boards and levels that come with castlecp, over HTTP; each is what it says."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest
from samples import every_genre

import castlecp
from castlecp import bank, codecs
from castlecp.author import levels
from castlecp.generate.difficulty import BANDS, measure

LEVELS = ("easy", "normal", "hard", "expert")


@every_genre
def test_banks(genre: str, server: Any) -> None:
    """Three sizes of each level; every board has one solution, and the grade that it says."""
    known = server.http.get("/banks").json()["banks"]
    mine = [one for one in known if one["genre"] == genre]
    assert {(one["rows"], one["difficulty"]) for one in mine} == {
        (size, level) for size in (6, 8, 10) for level in LEVELS
    }
    total, seen = sum(one["boards"] for one in mine), set()
    for first in range(0, total, 50):
        told = server.http.get(f"/banks/{genre}", params={"first": first, "limit": 50}).json()
        assert told["total"] == total
        for board in told["boards"]:
            text = json.dumps(board, separators=(",", ":"), ensure_ascii=False)
            assert bank.is_sealed(text.encode() + b"\n")
            puzzle = codecs.read(text)
            verdict = castlecp.solve(puzzle)
            assert verdict.status is castlecp.Status.UNIQUE
            assert sorted(map(list, verdict.loops[0].edges)) == board["solution"]["edges"]
            seen.add(puzzle)
    assert len(seen) == total
    level = BANDS[board["settings"]["difficulty"]]
    assert measure(puzzle).suppose >= level.suppose[0]


def test_pages(server: Any) -> None:
    asked = {"size": "8x8", "difficulty": "hard", "first": 2, "limit": 3}
    answer = server.http.get("/banks/bag", params=asked)
    assert "max-age" in answer.headers["cache-control"]
    boards = answer.json()["boards"]
    assert len(boards) == 3
    assert {(b["settings"]["rows"], b["settings"]["difficulty"]) for b in boards} == {(8, "hard")}
    past = server.http.get("/banks/cave", params={"first": 100_000}).json()
    assert past["boards"] == []


@pytest.mark.parametrize(
    "path",
    [
        "banks/nothing",
        "banks/cave?size=8",
        "banks/cave?limit=0",
        "banks/cave?first=-1",
        "banks/cave?limit=x",
        "banks/cave?nothing=1",
        "daily/today",
        "daily/2027-02-30",
    ],
)
def test_what_is_not_there(path: str, server: Any) -> None:
    assert server.http.get(f"/{path}").status_code == 422


def test_a_board_a_day(server: Any) -> None:
    """Another genre each day, harder towards the end of the week, and always the same."""
    day = date(2027, 2, 1)
    told = [server.http.get(f"/daily/{day + timedelta(n)}").json() for n in range(28)]
    assert [one["date"] for one in told][-1] == "2027-02-28"
    assert told[3] == server.http.get("/daily/2027-02-04").json()
    genres = [one["board"]["settings"]["genre"] for one in told]
    assert len(set(genres[:4])) == len(castlecp.genres.names())
    week = ["easy", "easy", "normal", "normal", "hard", "hard", "expert"]
    assert [one["board"]["settings"]["difficulty"] for one in told[:7]] == week
    assert len({one["board"]["digest"] for one in told}) > 20


def test_levels(server: Any) -> None:
    names = server.http.get("/levels").json()["levels"]
    assert len(names) >= 12
    for name in names:
        (level,) = levels.read(server.http.get(f"/levels/{name}").text)
        assert castlecp.check(level.puzzle, level.loop) == []
    assert server.http.get("/levels/nothing").status_code == 404
