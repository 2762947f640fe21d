"""Whole lines of certificates files, damaged: nothing false is accepted, and nothing breaks."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
import pytest
from boards import HERE
from hypothesis import given, settings
from hypothesis import strategies as st

from castlecp import codecs
from castlecp.bank import Item
from castlecp.certify.certificate import encode, hash_of
from castlecp.certify.checking import STATUSES, verify_item
from castlecp.certify.prove import certify
from castlecp.certify.records import Record
from castlecp.checker import check
from castlecp.grid import Edge, Loop
from castlecp.solver import solve
from castlecp.verdict import Status

BOARDS = (
    "castle/small-6x6.json",
    "cave/small-6x6.txt",
    "slither/statements-6x7.json",
    "castle/ambiguous-6x6.txt",
)
#: What can stand in the place of anything.
THINGS = (None, True, 0, -1, 2**31, 2**70, 0.5, "", "0", "\ud7ff\n", [], [[]], {}, {"type": "cave"})


@cache
def honest() -> tuple[bytes, ...]:
    """Certificates, records of certificates, and the record of an ambiguous board."""
    lines = []
    for name in BOARDS:
        puzzle = codecs.read_source(str(HERE / "boards" / name))
        found = certify(puzzle, graded=False)
        if found.certificate is None:
            solutions = tuple(tuple(sorted(loop.edges)) for loop in found.loops)
            told = {"puzzle": msgspec.to_builtins(puzzle), "solutions": solutions}
            lines.append(encode(Record("multiple", "one", "here", **told)))
        else:
            lines.append(encode(found.certificate))
            record = Record("unique", "one", "here", certificate=found.certificate)
            lines.append(encode(record))
    return tuple(lines)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything in a JSON value; of a long list only to a few places."""
    found = [path] if path else []
    if isinstance(value, dict):
        steps: Any = value
    else:
        steps = range(min(len(value), 6)) if isinstance(value, list) else ()
    for step in steps:
        found += places(value[step], (*path, step))
    return found


def changed(draw: st.DrawFn, line: Any, other: Any) -> None:
    """Change one thing in a line: leave it out, double it, or put something else there."""
    known = places(line)
    path = draw(st.sampled_from(known))
    inside = line
    for step in path[:-1]:
        inside = inside[step]
    last = path[-1]
    kind = draw(st.sampled_from(("out", "double", "thing", "swap", "other", "near")))
    if kind == "out":
        del inside[last]
    elif kind == "double" and isinstance(inside, list):
        inside.insert(last, inside[last])
    elif kind == "swap":
        step = draw(st.sampled_from(sorted(inside) if isinstance(inside, dict) else [0, -1]))
        inside[last], inside[step] = inside[step], inside[last]
    elif kind == "other":
        # What stands at this place, or at any, in another honest line.
        found: Any = other
        for step in path if path in places(other) else draw(st.sampled_from(places(other))):
            found = found[step]
        inside[last] = found
    elif kind == "near" and isinstance(inside[last], int):
        inside[last] = draw(st.sampled_from((-inside[last], inside[last] + 1, inside[last] - 1)))
    else:
        inside[last] = draw(st.sampled_from(THINGS))


def sealed(line: Any) -> None:
    """Make the hashes match what stands in a line, as a forger would."""
    for holder in (line, line.get("certificate") if isinstance(line, dict) else None):
        if isinstance(holder, dict) and "digest" in holder:
            if isinstance(holder.get("sha256"), str) and "puzzle" in holder:
                holder["sha256"] = hash_of(encode(holder["puzzle"]))
            holder["digest"] = ""
            holder["digest"] = hash_of(encode(holder))


@st.composite
def damaged_values(draw: st.DrawFn) -> bytes:
    """An honest line with up to three of its values changed, and its hashes made to match."""
    line, other = (json.loads(draw(st.sampled_from(honest()))) for _ in range(2))
    for _ in range(draw(st.integers(1, 3))):
        if places(line):
            changed(draw, line, other)
    if draw(st.booleans()):
        sealed(line)
    return encode(line)


@st.composite
def damaged_bytes(draw: st.DrawFn) -> bytes:
    """An honest line with a byte flipped, or a stretch cut out, doubled, or moved."""
    line = draw(st.sampled_from(honest()))
    a, b = sorted(draw(st.integers(0, len(line) - 1)) for _ in range(2))
    c = draw(st.integers(b, len(line)))
    flip = bytes([line[a] ^ 1 << draw(st.integers(0, 7))])
    return draw(
        st.sampled_from(
            (
                line[:a] + flip + line[a + 1 :],
                line[:a] + line[b:],
                line[:b] + line[a:],
                line[:a] + line[b:c] + line[a:b] + line[c:],
            )
        )
    )


def judged(line: bytes) -> str:
    """What a line comes to; whatever it is held to be is true of its board."""
    done = verify_item(Item("1", "line 1", line), export=None)
    assert done.status in STATUSES
    if done.status == "accepted":
        told = msgspec.json.decode(line)
        told = told.get("certificate") or told
        verdict = solve(codecs.read(encode(told["puzzle"])))
        assert verdict.status is Status.UNIQUE
        assert verdict.loops[0].edges == {Edge(*edge) for edge in told["loop"]}
    elif done.status == "multiple":
        told = msgspec.json.decode(line)
        puzzle = codecs.read(encode(told["puzzle"]))
        first, second = (frozenset(Edge(*edge) for edge in loop) for loop in told["solutions"])
        assert first != second
        for edges in (first, second):
            faults = check(puzzle, Loop(puzzle.lattice, edges))
            assert [fault for fault in faults if fault.about == "line"] == []
    return done.status


@pytest.mark.parametrize("number", range(2 * len(BOARDS) - 1))
def test_honest_lines(number: int) -> None:
    """They are what they say."""
    last = number == 2 * len(BOARDS) - 2
    assert judged(honest()[number]) == ("multiple" if last else "accepted")


@settings(max_examples=300)
@given(damaged_values())
def test_damaged_values(line: bytes) -> None:
    """Fields left out, doubled, swapped, taken from another line, and resealed."""
    judged(line)


@settings(max_examples=200)
@given(damaged_bytes())
def test_damaged_bytes(line: bytes) -> None:
    """A line as a bad disk leaves it: the digest tells, so what is accepted is as it was."""
    if judged(line) == "accepted":
        told = msgspec.json.decode(line)
        assert any(encode(told.get("certificate") or told) in whole for whole in honest())
