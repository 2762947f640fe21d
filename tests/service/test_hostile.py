"""Whatever is sent as a board or as an answer, what comes back is an answer or a problem."""

from __future__ import annotations

import json
from typing import Any

import pytest
import samples
from boards import SHARED
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import every_genre

from castlecp.service.questions import QUESTIONS

few = settings(max_examples=25)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def survives(server: Any, question: str, **asked: Any) -> None:
    """No 500, and problems of one line."""
    content = json.dumps(asked)
    headers = {"content-type": "application/json", "accept": "application/json"}
    answer = server.http.post(f"/{question}", content=content, headers=headers)
    assert answer.status_code in (200, 413, 422), (answer.text, content)
    if answer.status_code != 200:
        told = answer.json()
        assert "\n" not in told["detail"]
        assert len(told["detail"]) < 600


@few
@given(board=values, answer=values)
def test_any_value(board: Any, answer: Any, server: Any) -> None:
    survives(server, "convert", board=board)
    survives(server, "check", board="slither/2/2/dg", answer=answer)
    survives(server, "hint", board="slither/2/2/dg", drawn=answer)
    survives(server, "verify", certificate=board)
    survives(server, "mend", board="slither/2/2/dg", answer=answer)


@few
@given(text=st.text(), answer=st.text())
def test_any_text(text: str, answer: str, server: Any) -> None:
    survives(server, "convert", board=text)
    survives(server, "check", board="slither/2/2/dg", answer=answer)
    assert server.http.get("/draw.svg", params={"p": text}).status_code in (200, 413, 422)


@every_genre
@few
@given(data=st.data())
def test_boards_with_a_piece_changed(genre: str, data: Any, server: Any) -> None:
    """Nearly right ones: of each format, with some characters put in the place of others."""
    _, written = samples.of(genre).WRITTEN[0]
    text = written[data.draw(st.sampled_from(sorted(written)))]
    at = data.draw(st.integers(0, len(text)))
    size = data.draw(st.integers(0, 3))
    text = text[:at] + data.draw(st.text(max_size=3)) + text[at + size :]
    for question in data.draw(st.sets(st.sampled_from(("convert", "solve", "grade", "explain")))):
        survives(server, question, board=text)


@pytest.mark.parametrize("question", ["convert", "solve", "verify", "draw"])
def test_inputs_that_failed_once(question: str, server: Any) -> None:
    """Files of the shared test data, the large ones cut."""
    if not (SHARED / "faults").exists():
        pytest.skip("the shared test data are not beside this checkout")
    for path in sorted((SHARED / "faults").iterdir()):
        text = path.read_bytes()[:100_000].decode(errors="replace")
        key = "certificate" if question == "verify" else "board"
        if question == "draw":
            status = server.http.get("/draw.svg", params={"p": text[:2_000]}).status_code
            assert status in (200, 413, 422), path
        else:
            survives(server, question, **{key: text})
    assert question in QUESTIONS
