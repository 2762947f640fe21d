"""Kernels as machine code: what they say is what the same functions say as plain Python."""

from __future__ import annotations

import linecache
import random
import shutil
import subprocess
import sys
import textwrap
from array import array
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from boards import board_around, random_board
from hypothesis import given
from hypothesis import strategies as st
from reference_chains import suppositions

from castlecp import explain, genres, grade, kernels
from castlecp.backtrack import backtrack
from castlecp.budget import Budget
from castlecp.counting import Sampler, count, count_by_length
from castlecp.counting.halves import meanders
from castlecp.generate.shaped import shaped
from castlecp.generate.wish import Wish
from castlecp.grid import Lattice
from castlecp.ladder.climber import Climber
from castlecp.ladder.climbing import CONFLICT
from castlecp.methods import solve
from castlecp.native import build, loaded
from castlecp.native.expressions import OutsideSubset
from castlecp.native.sources import c_name, digest, reachable
from castlecp.native.translate import translate
from castlecp.propagation.board import grid_of

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")


def copied(value: Any) -> Any:
    """The same with arrays of its own, whose numbers are Python's."""
    if isinstance(value, tuple):
        return type(value)(*map(copied, value))
    if isinstance(value, int):
        return value
    view = memoryview(value)
    return memoryview(bytearray(view.tobytes())).cast(view.format)


def numbers(value: Any) -> Any:
    """All that a value holds, as lists."""
    if isinstance(value, tuple):
        return [*map(numbers, value)]
    return value if isinstance(value, int) else value.tolist()


def both_ways(kernel: Any, ran: Counter[str]) -> Callable[..., Any]:
    """The kernel as machine code, which complains when plain Python makes something else of it."""
    fast = loaded(kernel)
    assert fast is not None, "the extension module is missing or old: run scripts/test"

    def run(*args: Any) -> Any:
        plain = [copied(value) for value in args]
        answer, expected = fast(*args), kernel(*plain)
        assert (answer, type(answer)) == (expected, type(expected))
        for one, other in zip(args, plain, strict=True):
            assert numbers(one) == numbers(other)
        ran[c_name(kernel)] += 1
        return answer

    return run


def test_every_kernel_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Climbs, searches and counts on random boards of every genre; no kernel is left out."""
    ran: Counter[str] = Counter()
    monkeypatch.setattr(kernels, "_best", lambda kernel: both_ways(kernel, ran))
    for size in ((1, 1), (1, 4), (3, 1), (3, 4)):
        grid_of.__wrapped__(Lattice(*size), Budget())  # type: ignore[attr-defined]
    meanders.cache_clear()
    for genre in genres.names():
        for seed in range(12):
            rng = random.Random(f"{genre} {seed}")
            make = random_board if seed % 3 == 0 else board_around
            puzzle = make(genre, rng, rng.randint(2, 5), rng.randint(2, 5))
            grade(puzzle, assumptions=20)
            climber = Climber.of(puzzle)
            end, log = climber.run(Budget(), assumptions=20)
            assert end == CONFLICT or len(climber.moves(log)) <= len(log)
            explain(puzzle)
            climber = Climber.of(puzzle)
            for _, search in suppositions(climber, climber.run(Budget(), shortest=True)[1]):
                search.has(1)
            patience = (None, 0, 5)[seed % 3]
            backtrack(puzzle, limit=3, budget=Budget(steps=20), patience=patience)
            solve(puzzle)
        # What a search leaves unsettled is taken back before it is handed on.
        solve(genres.genre(genre).PUZZLE(4, 4), limit=300)
    for lattice in (Lattice(3, 5), Lattice(4, 4), Lattice(1, 3)):
        assert count(lattice, take=3, skip=2, inside=[(0, 0)]) == 0
        assert sum(count_by_length(lattice, blocked=[(0, 1)]).values()) == count(
            lattice, blocked=[(0, 1)]
        )
    for loops in (Sampler(Lattice(4, 5)), Sampler(Lattice(5, 4), 5, 3, inside=[(1, 1)])):
        assert len(list(loops.samples(1, 20))) == 20
    shaped(Lattice(5, 6), random.Random(1), Wish(clear=[(2, 2)], through=[(0, 0)]))
    assert set(ran) == {c_name(entry) for entry in build.entries()}


@pytest.mark.parametrize("numba", [True, False])
def test_without_the_extension(
    numba: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """numba, or plain Python, says the same, and standard error hears of it once."""
    expected = count(Lattice(4, 5))
    grades = [grade(board_around("castle", random.Random(7), 4, 4)) for _ in range(1 - numba)]
    monkeypatch.setattr(kernels, "loaded", lambda _: None)
    if not numba:
        monkeypatch.setattr(kernels, "find_spec", lambda _: None)
    kernels._best.cache_clear()
    kernels._say.cache_clear()
    try:
        assert count(Lattice(4, 5)) == expected
        assert [grade(board_around("castle", random.Random(7), 4, 4)) for _ in grades] == grades
    finally:
        kernels._best.cache_clear()
    said = capsys.readouterr().err
    assert said.count("no compiled kernels") == 1
    assert ("numba compiles them" in said) == numba


def test_what_is_old_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A digest names all that the machine code depends on: texts, constants, records."""
    for entry in build.entries():
        assert loaded(entry) is not None
        used = reachable([entry])[-1]
        before = digest(entry)
        with monkeypatch.context() as patch:
            patch.setattr(used, "__code__", (lambda: None).__code__)
            assert digest(entry) != before
            assert loaded.__wrapped__(entry) is None  # type: ignore[attr-defined]
        assert digest(entry) == before


def test_a_missing_extension_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "castlecp.native._kernels", None)
    for entry in build.entries():
        assert loaded.__wrapped__(entry) is None  # type: ignore[attr-defined]


# Kernels made for a test, in a module of their own.

HEAD = """
from __future__ import annotations
from typing import Any, NamedTuple
Array = Array32 = Array8 = Any
FEW = (3, -1, 4)
BIG = 1 << 62

class Box(NamedTuple):
    items: Array
    wide: Array32
    small: Array8
    much: int
    sure: bool
"""


def module_of(text: str) -> ModuleType:
    """A module of castlecp with this text, known to the tools that read sources."""
    module = ModuleType("castlecp.trial")
    whole = HEAD + textwrap.dedent(text)
    file = "<castlecp.trial>"
    linecache.cache[file] = (len(whole), None, whole.splitlines(keepends=True), file)
    exec(compile(whole, file, "exec"), module.__dict__)
    return module


TRIALS = """
def arithmetic(a: int, b: int, c: int, out: Array) -> int:
    out[0] = a // b if b != 0 else 0
    out[1] = a % b if b != 0 else 0
    out[2], out[3], out[4] = min(a, b), max(a, b), abs(c)
    out[5] = (a >> 3) ^ ~b & c | a
    out[6] = (a & 255) << 7
    out[7] = -a + 3 * b - c
    out[8] = FEW[a % 3] * FEW[1]
    out[9] = a if not b else c
    out[10] = int(a < b) + (a == c) - bool(c)
    out[11] += 5
    out[11] -= a
    return len(out) + len(FEW)

def comparing(a: int, b: int, c: int, out: Array) -> bool:
    out[0] = a < b <= c
    out[1] = 0 if a and b else 1
    out[2] = 0 if a > 0 or b and not c else 1
    while a and b and c:
        a -= 1 if a > 0 else -1
        b, c = c, b
        if out[2]:
            break
    out[3], out[4], out[5] = a, b, c
    return (a != b) and not (b >= c)

def looping(a: int, b: int, step: int, out: Array) -> None:
    total = 0
    for i in range(a, b, -2):
        total += i
        if i % 7 == 3:
            continue
        i = total
        if total > 500:
            break
    out[0] = total
    for double in (5, 7):
        for few in FEW:
            total = total * double + few
    end = b if b < 40 else 40
    for i in range(end):
        end = 0
        total ^= i
    out[1] = total
    out[2] = out[3] = total & 15
    out[out[2]] = end
    for _ in range(3):
        out[4] += 1
    if a > 100000:
        return
    out[5] = last(out, 2) if step > 0 else -1

def last(out: Array, k: int) -> int:
    return out[k] if k == 0 else last(out, k - 1) + k

def records(box: Box, pick: int, out: Array) -> bool:
    items, wide = box.items, box.wide
    for i in range(len(wide)):
        items[i] = wide[i] * box.much + box.small[i]
        wide[i] = items[i] & 0xFFFFFFFF
        box.small[i] = items[i] & 255
    one = items if pick > 0 else out
    one[0] = pick
    pick += 1
    out[1] = pick
    return box.sure
"""
INT = st.integers(-(2**31), 2**31) | st.integers(-12, 12)


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, Any]]:
    """The trials as plain functions and as machine code."""
    module = module_of(TRIALS)
    names = ["arithmetic", "comparing", "looping", "records"]
    plain = [getattr(module, name) for name in names]
    made = build.built(tmp_path_factory.mktemp("trial"), plain, "-O2", "-DCHECKED", "-Werror")
    return [(kernel, getattr(made, c_name(kernel))) for kernel in plain]


def buffer(kind: str, values: list[int]) -> memoryview:
    """A flat array of its own."""
    return memoryview(array(kind, values))


@needs_compiler
@given(INT, INT, INT, st.lists(st.integers(0, 2**32 - 1), max_size=4))
def test_trials_both_ways(trials: Any, a: int, b: int, c: int, wide: list[int]) -> None:
    """All of the subset, on numbers of all signs."""
    for kernel, fast in trials:
        if kernel.__name__ != "arithmetic":
            # What goes on as long as its arguments are large.
            a, b, c = (x % 1000 - 500 for x in (a, b, c))
        results = []
        for function in (kernel, fast):
            out, box = (
                buffer("q", [7] * 16),
                module_of(TRIALS).Box(
                    buffer("q", [1] * 5), buffer("I", wide), buffer("B", [200, 0, 9, 255]), a, b > 0
                ),
            )
            args = (box, c, out) if kernel.__name__ == "records" else (a, b, c, out)
            answer = function(*args)
            results.append((answer, type(answer), numbers(args)))
        assert results[0] == results[1]


@needs_compiler
def test_the_laws(tmp_path: Path) -> None:
    """Where plain Python goes another way: numbers wrap around, and nothing is divided by 0."""
    module = module_of("""
    def laws(a: int, b: int) -> int:
        return (a << 1) + a * a + a // b + a % b

    def wraps(a: int) -> int:
        return BIG + BIG + abs(a) + a // -1 + a % -1
    """)
    made = build.built(tmp_path, [module.laws, module.wraps], "-Wno-overflow")
    laws, wraps = made.trial__laws, made.trial__wraps
    assert laws(5, 0) == 35
    assert (
        laws(2**62 + 1, 3) == (2**63 + 2 + 2**63 + 1 + (2**62 + 1) // 3 + 2 + 2**63) % 2**64 - 2**63
    )
    assert wraps(-(2**63)) == -(2**63)


def test_fields_called_like_kernels() -> None:
    """A kernel belongs with those it calls, not with those its records have fields named of."""
    module = module_of("""
    def items(number: int) -> int:
        return number + 1

    def much(box: Box) -> int:
        return items(box.much)

    def fields(box: Box) -> int:
        return box.much + box.items[0]
    """)
    assert reachable([module.fields]) == [module.fields]
    assert reachable([module.much]) == [module.much, module.items]


@needs_compiler
def test_arguments_of_the_wrong_kind(tmp_path: Path) -> None:
    """A TypeError or the like, and no buffer is held afterwards."""
    module = module_of("""
    def first(box: Box, out: Array, sure: bool) -> int:
        return out[0] if sure else box.items[0]
    """)
    first = build.built(tmp_path, [module.first], "-Werror").trial__first
    out = array("q", [4])
    box = (out, array("I"), bytearray(2), 3, True)
    assert first(box, out, True) == 4
    for wrong in (
        (box, out),
        (box, [4], True),
        (box, array("d", [4.0]), True),
        (box, array("i", [4]), True),
        (box, memoryview(bytearray(64)).cast("q", (4, 2)), True),
        (box, memoryview(bytearray(64)).cast("q")[::2], True),
        (box, bytes(8), True),
        (box[:4], out, True),
        ([*box], out, True),
        ((out, out, *box[2:]), out, True),
        (box, out, "yes"),
        (box, out, 2**64),
    ):
        with pytest.raises((TypeError, BufferError, OverflowError)):
            first(*wrong)
    out.append(5)  # which an array that is held refuses


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("return a / 2", "BinOp"),
        ("return a ** 2", "a ** 2: BinOp"),
        ("return a if a else out", "IfExp"),
        ("return 1.5", "Constant"),
        ("return [a]", "List"),
        ("return out", "a result of the kind array_int64"),
        ("return None", "Constant"),
        ("return out[-1]", "Subscript"),
        ("return out[0:1]", "Subscript"),
        ("return a in FEW", "Compare"),
        ("return a or 3", "outside a condition"),
        ("return a < writes(out) < 3", "in the middle"),
        ("return out[0] + writes(out)", "changes an array"),
        ("out[0] += writes(out); return 1", "changes an array"),
        ("out[out[1]] = writes(out); return 1", "changes an array"),
        ("return min(writes(out), writes(out))", "changes an array"),
        ("return min(a, 1, 2)", "a call of `min`"),
        ("return sum(out)", "a call of `sum`"),
        ("return writes(a)", "other kinds of arguments"),
        ("return writes()", "other kinds of arguments"),
        ("return NOWHERE", "NOWHERE"),
        ("return later", "`later` before it is set"),
        ("a = out; return 1", "a array_int64"),
        ("sure = a < 3; sure = 7; return 1", "`sure`, of the kind bool"),
        ("a, out[0] = FEW; return 1", "(a, out[0]) with"),
        ("for x in out: a += x\n    return a", "a loop over"),
        ("for x in range(3): a += x\n    else: a = 1\n    return a", "For"),
        ("while a: a -= 1\n    else: a = 1\n    return a", "While"),
        ("try: a = 1\n    finally: a = 2\n    return a", "Try"),
        ("assert a; return 1", "Assert"),
        ("import os; return 1", "Import"),
        ("del a; return 1", "Delete"),
        ("print(a); return 1", "a call of `print`"),
        ("return (lambda: 1)()", "Call"),
        ("for i in range(0, 9, a): a += i", "the step a"),
        ("for i in range(0, 9, -a): a += i", "the step -a"),
        ("for i in range(0, 9, 0): a += i", "the step 0"),
    ],
)
def test_outside_the_subset(line: str, said: str) -> None:
    """An error that names the file, the line and what is wrong."""
    text = f"""
def writes(out: Array) -> int:
    out[0] = 1
    return 1

def trial(a: int, out: Array) -> int:
    {line}
    later = 1
"""
    module = module_of(text)
    where = (HEAD + text).splitlines().index("def trial(a: int, out: Array) -> int:") + 2
    with pytest.raises(OutsideSubset, match="`trial`") as caught:
        translate([module.trial])
    assert str(caught.value).startswith(f"<castlecp.trial>:{where}: ") or "\n" in line
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "head", ["a: int = 3", "*a: int", "a", "a: float", "a: list[str]", "a: int, /", "*, a: int"]
)
def test_parameters_outside_the_subset(head: str) -> None:
    module = module_of(f"def trial({head}) -> int:\n    return 1")
    with pytest.raises(OutsideSubset, match=r"^<castlecp\.trial>:"):
        translate([module.trial])


@needs_compiler
def test_a_checked_build_sees_a_bad_index(tmp_path: Path) -> None:
    """It ends with the file and line of the kernel."""
    code = f"""
import sys
sys.path[:0] = [{str(Path(__file__).parent)!r}]
from pathlib import Path
from array import array
from castlecp.native import build, loaded
import test_native
kernel = test_native.module_of("def reads(out: Array, i: int) -> int:\\n    return out[i]").reads
made = build.built(Path({str(tmp_path)!r}), [kernel], "-DCHECKED")
assert made.trial__reads(array("q", [3, 4]), 1) == 4
made.trial__reads(array("q", [3, 4]), {{}})
"""
    line = len(HEAD.splitlines()) + 2
    for index in (2, -1):
        done = subprocess.run(
            [sys.executable, "-c", code.replace("{}", str(index))],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode < 0
        assert f"<castlecp.trial>:{line}: index {index} of 2" in done.stderr
