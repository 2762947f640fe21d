"""What the README and the OpenAPI document say of the service is so."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest
from boards import HERE

README = (HERE.parent / "README.md").read_text()
PROGRAMS = re.findall(r"^```python service\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
EXAMPLES = re.findall(r"^\$ curl -s (localhost:8000\S+) --json (.*)\n(.*)\n", README, re.MULTILINE)


def settled(told: dict[str, Any]) -> dict[str, Any]:
    """An answer without what differs from run to run."""
    told.pop("request_id", None)
    told.get("stats", {}).pop("seconds", None)
    return told


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == README.count("--json '") >= 2
    assert len(PROGRAMS) == README.count("castlecp.client import") == 1


@pytest.mark.parametrize(("address", "body", "answer"), EXAMPLES)
def test_examples(address: str, body: str, answer: str, server: Any) -> None:
    path = address.removeprefix("localhost:8000/api/v1")
    (content,) = shlex.split(body)
    headers = {"content-type": "application/json", "accept": "application/json"}
    told = server.http.post(path, content=content, headers=headers)
    assert settled(told.json()) == settled(json.loads(answer))


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program: str, server: Any) -> None:
    text = program.replace("http://127.0.0.1:8000", server.url)
    assert text != program
    exec(compile(text, "README.md", "exec"), {})


def test_every_address_of_the_table_is_there(server: Any) -> None:
    (table,) = re.findall(r"^\| under `/api/v1` .*?\n\n", README, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`(?:GET |POST )?([a-z./]+)[?`]", table)) | {"jobs", "daily"}
    known = {
        path.lstrip("/").partition("/{")[0]
        for path in server.http.get("/openapi.json").json()["paths"]
    }
    assert known <= named


def test_options_of_the_unit_are_options() -> None:
    from castlecp.cli.commands import COMMANDS

    (command,) = re.findall(r"^ExecStart=\S+ serve (.*)$", README, re.MULTILINE)
    known = {o for p in COMMANDS["serve"].load("serve").params for o in p.opts}
    assert set(re.findall(r"--\S+", command)) <= known
