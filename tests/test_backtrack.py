"""The backtracker: known counts, brute force, and its independence."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_boards import boards

from castlecp import backtrack as module
from castlecp import codecs
from castlecp.backtrack import backtrack
from castlecp.brute import solutions as answers
from castlecp.budget import Budget
from castlecp.checker import check
from castlecp.genres.castle import CastleWall
from castlecp.propagation import rules as registry
from castlecp.propagation.bits import bit, bits

LATTICES = {
    (1, 1): 0,
    (1, 5): 0,
    (5, 1): 0,
    (2, 2): 1,
    (2, 3): 3,
    (3, 3): 13,
    (3, 4): 40,
    (4, 3): 40,
    (3, 5): 108,
    (3, 6): 275,
    (4, 4): 213,
    (4, 5): 1049,
    (5, 5): 9349,
}
SHARED = Path(__file__).parents[2] / "shared"


@pytest.mark.parametrize(("rows", "cols"), LATTICES)
def test_unclued_lattices(rows, cols):
    """The numbers of loops in A140517 and A231829 of the OEIS."""
    found = backtrack(CastleWall(rows, cols), limit=None)
    assert found.exact
    assert len(found.loops) == len(set(found.loops)) == LATTICES[rows, cols]


def test_a_larger_lattice():
    assert len(backtrack(CastleWall(5, 6), limit=None).loops) == 80626


FACTS = """
3/3: d00.d 1, d10.d 1, d20.d 0, d005d 1, d02.d 1
4/4: 00.o 116, 040o 40, 041o 46, 042o 30, 043o 0, 04.o 116, 005o 116, 10.o 0, 20.o 116
4/4: e00.j 43, e10.j 28, e20.j 15, e040j 24, e041j 19, e030j 43
10/10: 023b022b023v224c032f044p113c044b014w214b014b014e 1
10/10: f00.g231g141d141b022d042g241d212b112d141g042d022b241d241g131g00.f 1
"""


@pytest.mark.parametrize(
    ("address", "count"),
    [
        (f"castle/{line.split(':')[0]}/{body}", int(count))
        for line in FACTS.strip().splitlines()
        for body, count in re.findall(r"([\w.]+) (\d+)(?:,|$)", line.split(":")[1])
    ],
)
@pytest.mark.parametrize("patience", [None, 0])
def test_counted_boards(address, count, patience):
    """Numbers of answers from ../shared/facts.md."""
    found = backtrack(codecs.codec("url").read(address), limit=None, patience=patience)
    assert found.exact
    assert len(found.loops) == count


RULES = st.sets(st.sampled_from(["count", "parity", "loop", "sides", "difference", "reach", "ray"]))


@settings(max_examples=400)
@given(boards(), RULES, st.sampled_from([None, 0, 3]))
def test_brute_force_agrees(puzzle, more, patience):
    """Every set of rules gives the same loops, probing or not."""
    rules = {"degree", *more}
    found = backtrack(puzzle, limit=None, rules=rules, patience=patience)
    assert found.exact
    assert len(found.loops) == len(set(found.loops))
    assert set(found.loops) == set(answers(puzzle))


@settings(max_examples=100)
@given(boards(), st.integers(1, 3))
def test_limits(puzzle, limit):
    expected = len(answers(puzzle))
    found = backtrack(puzzle, limit=limit)
    assert len(found.loops) == min(limit, expected)
    assert found.ended == ("exact" if expected < limit else "limit")
    assert all(all(f.about == "puzzle" for f in check(puzzle, loop)) for loop in found.loops)


def test_a_budget_is_reproducible():
    puzzle = CastleWall(6, 7)
    runs = [backtrack(puzzle, limit=None, budget=Budget(steps=500)) for _ in range(2)]
    assert runs[0] == runs[1]
    assert (runs[0].ended, runs[0].nodes) == ("budget", 500)
    assert 0 < len(runs[0].loops) < 500
    assert backtrack(puzzle, limit=None, budget=Budget(steps=0)).loops == ()
    with pytest.raises(ValueError, match="limit"):
        backtrack(puzzle, limit=0)


def test_a_larger_budget_goes_on_the_same_way():
    puzzle = CastleWall(5, 4)
    whole = backtrack(puzzle, limit=None)
    for nodes in (1, 10, 100, 1000):
        part = backtrack(puzzle, limit=None, budget=Budget(steps=nodes))
        assert part.loops == whole.loops[: len(part.loops)]


@pytest.mark.parametrize("patience", [None, 0, module.PATIENCE])
def test_the_corpus_boards_of_the_seed(patience):
    if not (SHARED / "corpus").is_dir():
        pytest.skip("the corpus (../shared/corpus) is not here")
    puzzles = {}
    for line in (SHARED / "corpus" / "castle.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["solutions"] == "1" and entry["width"] <= 10 and entry["height"] <= 10:
            puzzles[entry["id"]] = codecs.codec("url").read(entry["url"])
    known = {}
    for line in (SHARED / "corpus" / "answers.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["id"] in puzzles:
            form = codecs.codec("pzprv3")
            known[entry["id"]] = form.read_answer(entry["file_text"], puzzles[entry["id"]])
    assert len(known) > 90
    for name, puzzle in puzzles.items():
        found = backtrack(puzzle, patience=patience, budget=Budget(steps=20000))
        assert found.ended == "budget" or found.loops == (known[name],), name


def test_it_shares_no_solver():
    """A fresh Python that has searched has loaded no model, cuts, engine or solver."""
    code = (
        "import sys; from castlecp.backtrack import backtrack;"
        "from castlecp.genres.castle import CastleWall;"
        "assert len(backtrack(CastleWall(3, 3), limit=None).loops) == 13;"
        "bad = ('castlecp.model', 'castlecp.models', 'castlecp.cuts', 'castlecp.engines',"
        " 'castlecp.encode', 'castlecp.solve', 'castlecp.sums', 'models', 'ortools', 'pysat',"
        " 'pysolvers');"
        "print([m for m in sys.modules if m in bad or m.startswith(tuple(b + '.' for b in bad))])"
    )
    here = Path(__file__).parents[1]
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=here)
    assert out.stdout.strip() == "[]", out.stderr


def test_an_engine_has_no_rules():
    """A fresh Python that has asked an engine has loaded nothing of what `backtrack` is made of."""
    code = (
        "import sys, castlecp; from castlecp.genres.castle import CastleWall;"
        "board = CastleWall(3, 3);"
        "assert all(len(castlecp.solve(board, x, limit=99, forced=True).loops) == 13"
        " for x in ('sat', 'cpsat'));"
        "bad = ('castlecp.auto', 'castlecp.backtrack', 'castlecp.propagation');"
        "print([m for m in sys.modules if m.startswith(bad)])"
    )
    here = Path(__file__).parents[1]
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=here)
    assert out.stdout.strip() == "[]", out.stderr


def test_rules_have_distinct_bits():
    each = [bit(name) for name in registry.names()]
    assert sum(each) == bits(registry.names()) == (1 << len(each)) - 1
    with pytest.raises(ValueError, match="unknown rule 'guess'"):
        backtrack(CastleWall(3, 3), rules=["guess"])
