"""The client asks as the library is asked, and raises what it raises."""

from __future__ import annotations

import msgspec
import pytest

import castlecp
from castlecp import wire
from castlecp.certify.records import read
from castlecp.certify.verify import verify
from castlecp.client import ERRORS, Client
from castlecp.errors import CastlecpError, FormatError, OutOfBudget, TooLarge, Unfit, Unknown
from castlecp.ladder import assess
from castlecp.service.problems import KINDS
from castlecp.service.questions import BOARD

PUZZLE = castlecp.read(BOARD)
LOOP = castlecp.solve(PUZZLE).loops[0]


@pytest.fixture
def client(server):
    with Client(server.url) as client:
        yield client


def test_questions(client: Client) -> None:
    assert client.solve(PUZZLE).solutions == (wire.Line.of(LOOP, PUZZLE),)
    assert client.solve(BOARD, forced=True).forced.undecided == ()
    assert client.count(BOARD).count == 1
    assert client.check(PUZZLE, LOOP).correct
    assert not client.check(PUZZLE, {"edges": []}).correct
    crossed = castlecp.Position(PUZZLE.lattice, off=LOOP.edges)
    assert client.hint(PUZZLE, crossed).step.rung == "mistake"
    assert client.hint(PUZZLE) == wire.Hint.of(
        castlecp.next_step(PUZZLE, castlecp.Position(PUZZLE.lattice))
    )
    assert client.check_so_far(PUZZLE, LOOP).faults == ()
    assert client.explain(BOARD) == wire.Explanation.of(PUZZLE, castlecp.explain(PUZZLE))
    assert client.grade(BOARD) == wire.Grade.of(assess(PUZZLE))
    assert client.convert(BOARD).formats["url"].endswith(BOARD)
    assert client.draw(PUZZLE, LOOP, numbers=True).startswith(b"<?xml")
    assert client.draw(BOARD, kind="png").startswith(b"\x89PNG")
    assert "castle" in [genre.name for genre in client.genres().genres]


def test_certificates(client: Client) -> None:
    line = client.certify(PUZZLE)
    assert verify(read(line).certificate) == PUZZLE
    assert client.verify(line).status == "accepted"


def test_what_takes_long(client: Client) -> None:
    """Progress is an iterator that ends with the report."""
    *told, less = client.following("minimise", board=PUZZLE)
    assert less == client.minimise(PUZZLE)
    assert all(isinstance(one, wire.Told) for one in told)
    assert client.mend("slither/2/2/dg").kind == "more"
    boards = list(client.generate("mashu", rows=5, cols=5, difficulty="easy", count=2))
    assert [board["seed"] for board in boards] == [0, 1]
    with pytest.raises(CastlecpError, match="no such board for seed 0"):
        list(client.generate("castle", rows=3, cols=3, min_clues=9))


def test_jobs(client: Client) -> None:
    job = client.begin("grade", f"{BOARD}\nslither/2/2/dg\n", steps=100_000)
    assert len(list(client.results(job))) == 2
    while client.look(job).state == "running":
        pass
    assert client.look(job).statuses == {"done": 2}
    assert client.cancel(job).state == "cancelled"
    with pytest.raises(CastlecpError, match="there is no such job"):
        list(client.results(job))


def test_errors_are_those_of_the_library(client: Client) -> None:
    for kind, ask in (
        (FormatError, lambda: client.solve("nothing")),
        (TooLarge, lambda: client.solve("castle/99/99/")),
        (Unfit, lambda: client.minimise("slither/2/2/")),
        (OutOfBudget, lambda: client.hint(BOARD, steps=0)),
        (Unknown, lambda: list(client.generate("nothing"))),
    ):
        with pytest.raises(kind):
            ask()
    names = {kind.name for _, kind in KINDS}
    assert {name.removeprefix("castlecp:") for name in ERRORS} <= names
    for error, kind in KINDS:
        if kind.name != "disagreement" and issubclass(error, CastlecpError):
            assert ERRORS.get(f"castlecp:{kind.name}", CastlecpError) is error
    with pytest.raises(CastlecpError, match="the service at"):
        Client("http://127.0.0.1:9").solve(BOARD)
    assert msgspec.structs.fields(wire.Problem)
