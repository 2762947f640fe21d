"""The OpenAPI document is true of whatever schemathesis makes of it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from castlecp.service.limits import Limits
from castlecp.service.openapi import document
from castlecp.service.questions import QUESTIONS

DOCUMENT = json.loads(msgspec.json.encode(document(Limits(), "http://localhost")))
OPERATIONS = [
    result.ok() for result in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
]


#: What is to be right, and what is to be wrong where there is something that can be.
CASES = [(operation, GenerationMode.POSITIVE) for operation in OPERATIONS] + [
    (operation, GenerationMode.NEGATIVE)
    for operation in OPERATIONS
    if operation.path.strip("/") in QUESTIONS or "draw" in operation.path
]


@schemathesis.serializer("application/x-ndjson")
def lines(_: Any, value: Any) -> bytes:
    """A bank is sent as it stands."""
    return str(value).encode(errors="replace")


def _label(value: Any) -> str:
    return str(value.name if isinstance(value, GenerationMode) else value.label)


@pytest.mark.parametrize(("operation", "mode"), CASES, ids=_label)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_answers_are_as_the_document_says(
    operation: Any, mode: GenerationMode, data: Any, server: Any
) -> None:
    """Also of bodies that are nearly all refused: no 500, and nothing that it does not have."""
    case = data.draw(operation.as_strategy(generation_mode=mode))
    answer = case.call(
        base_url=f"{server.url}/api/v1", headers={"accept": "application/json"}, timeout=60
    )
    case.validate_response(
        answer,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )


@pytest.mark.parametrize("question", [q for q in QUESTIONS.values() if q.name != "draw"])
def test_examples_fit_their_schemas_and_so_do_answers(question: Any, server: Any) -> None:
    """An example is a body, and what it is answered with has the schema of the answer."""
    api = json.loads(msgspec.json.encode(document(Limits(), server.url)))
    operation = api["paths"][f"/{question.name}"]["post"]
    asked = operation["requestBody"]["content"]["application/json"]
    whole = {"components": api["components"]}
    jsonschema_rs.validator_for(asked["schema"] | whole).validate(asked["example"])
    if question.answers is not None:
        answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
        told = server.ask(question.name, **asked["example"]).json()
        jsonschema_rs.validator_for(answer | whole).validate(told)
