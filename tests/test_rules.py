"""Rules are files: a record, its words, a plain reference and a place in some ladder."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
import reference_data
import reference_faces
import reference_ladder

from castlecp import genres
from castlecp.ladder import assumptions, words
from castlecp.ladder import genres as ladders
from castlecp.ladder.climbing import apply, climb
from castlecp.ladder.rules import RECORDS, assumes, bit
from castlecp.ladder.shortest import find
from castlecp.native.sources import reachable
from castlecp.propagation import bits, rules
from castlecp.propagation import genres as readers
from castlecp.propagation.search import search

#: For what a genre asks of a neighbourhood or a region; no genre needs to use them.
GENERAL = {"table", "visits"}

#: The plain reference of each rule.
REFERENCES = {
    "corner": reference_faces.corner,
    "count": reference_ladder.arrow,
    "degree": reference_ladder.degree,
    "difference": reference_ladder.difference,
    "loop": reference_ladder.loop,
    "parity": reference_ladder.parity,
    "pattern": reference_faces.pattern,
    "ray": reference_ladder.ray,
    "reach": reference_ladder.reach,
    "sides": reference_ladder.sides,
    "statement": reference_faces.statement,
    "table": reference_data.table,
    "visibility": reference_faces.count,
    "visits": reference_data.visits,
}


@pytest.mark.parametrize("rule", RECORDS)
def test_a_rule_is_whole(rule: str) -> None:
    assert rule in words.REGISTRY
    assert rule in REFERENCES or assumes(rule)
    used = {name for genre in ladders.REGISTRY for name, _ in ladders.REGISTRY[genre].LADDER}
    assert rule in used | GENERAL


def test_words_are_of_rules() -> None:
    assert set(words.REGISTRY) == set(RECORDS) == {*rules.REGISTRY, *assumptions.REGISTRY}


@pytest.mark.parametrize("genre", genres.names())
def test_what_a_genre_names_exists(genre: str) -> None:
    ladder, trivial = ladders.REGISTRY[genre].LADDER, ladders.REGISTRY[genre].TRIVIAL
    assert set(trivial) <= {rule for rule, _ in ladder} <= set(RECORDS)
    order = [assumes(rule) for rule, _ in ladder]
    assert order == sorted(order)
    assert set(readers.REGISTRY[genre].SEARCH) <= set(rules.names())


def test_bits_do_not_depend_on_the_order_of_a_listing() -> None:
    """Alphabetical, and those of the rules that assume nothing are lowest."""
    assert list(rules.names()) == sorted(rules.names())
    assert [bit(rule) for rule in RECORDS] == [1 << k for k in range(len(RECORDS))]
    assert all(bit(rule) == bits.bit(rule) for rule in rules.names())


def test_kernels_can_be_translated() -> None:
    """Every kernel is a plain function with its text; those that are made have a branch a rule."""
    found = reachable([climb, search])  # type: ignore[list-item]
    for kernel in found:
        assert inspect.getsource(kernel).startswith(f"def {kernel.__name__}(")
        assert set(kernel.__annotations__) >= {"return"}
    for record in RECORDS.values():
        assert record.kernel in found
    for record in rules.records().values():
        assert record.at in found
    branches = sum(inspect.getsource(one).count("if rule == ") for one in (apply, find))
    assert branches == len(RECORDS)


def test_kernels_need_nothing_but_python() -> None:
    """They are translated where nothing is installed yet."""
    code = (
        "import sys; before = set(sys.modules);"
        "import castlecp.ladder.climbing, castlecp.propagation.search;"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(sorted(new - set(sys.stdlib_module_names)))"
    )
    here = Path(__file__).parents[1]
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=here)
    assert out.stdout.strip() == "['castlecp']", out.stderr
