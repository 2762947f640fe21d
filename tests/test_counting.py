"""Exact counts of loops and exact samples, against published numbers, searches and each other."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import comb, prod
from typing import Any

import brute
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loop_counts import by_frontier, by_search
from strategies import lattices
from typer.testing import CliRunner, Result

from castlecp.budget import Budget, Progress
from castlecp.cli import app
from castlecp.cli.output import progress
from castlecp.counting import (
    Sampler,
    count,
    count_by_length,
    halves,
    residues,
    sampler,
    steps,
    sweep,
)
from castlecp.counting.counts import is_prime, most_loops, primes_beyond
from castlecp.counting.frontier import motzkin, words
from castlecp.counting.halves import meanders
from castlecp.counting.meeting import PIECE, PIECES, meet
from castlecp.counting.residues import Modulus
from castlecp.counting.sweep import Sweep
from castlecp.errors import Cancelled, CastlecpError, OutOfBudget, PuzzleError, TooLarge
from castlecp.grid import Lattice, Loop
from castlecp.kernels import compiled

#: OEIS A140517: loops of n x n vertices from n = 2 on.
SQUARES = [
    1,
    13,
    213,
    9349,
    1222363,
    487150371,
    603841648931,
    2318527339461265,
    27359264067916806101,
    988808811046283595068099,
    109331355810135629946698361371,
    36954917962039884953387868334644457,
]

#: OEIS A231829: row m, column n for m x n faces.
RECTANGLES = [
    [1, 3, 6, 10, 15, 21, 28],
    [3, 13, 40, 108, 275, 681, 1664],
    [6, 40, 213, 1049, 5034, 23984, 114069],
    [10, 108, 1049, 9349, 80626, 692194, 5948291],
    [15, 275, 5034, 80626, 1222363, 18438929, 279285399],
    [21, 681, 23984, 692194, 18438929, 487150371, 12947640143],
]

#: OEIS A302337: loops of n x n vertices of length 4, 6, ...
LENGTHS = {
    4: [9, 12, 26, 52, 76, 32, 6],
    5: [16, 24, 61, 164, 446, 1100, 2102, 2436, 1874, 900, 226],
    6: [
        *(25, 40, 110, 332, 1070, 3504, 11144, 32172, 77874, 146680, 217470, 255156),
        *(233786, 158652, 69544, 13732, 1072),
    ],
    7: [
        *(36, 60, 173, 556, 1942, 7092, 26424, 97624, 346428, 1136164, 3313812, 8342388),
        *(18064642, 33777148, 54661008, 76165128, 89790912, 86547168, 64626638, 34785284),
        *(12527632, 2677024, 255088),
    ],
}

#: Rectangles small enough to walk along every loop.
SEARCHED = [
    *((2, n) for n in range(2, 9)),
    *((3, n) for n in range(3, 10)),
    *((4, n) for n in range(4, 7)),
    *((n, 4) for n in range(5, 8)),
    (5, 5),
    (1, 6),
]


def misses(loop: frozenset[Any], cell: tuple[int, int]) -> bool:
    """Whether a loop of `brute` misses a cell."""
    return all(cell not in (edge[:2], edge[2:]) for edge in loop)


def encloses(loop: frozenset[Any], cell: tuple[int, int]) -> bool:
    """Whether a cell that a loop misses lies inside: edges above its row, to its right."""
    r, c = cell
    return sum((r - 1, k, r, k) in loop for k in range(c, 30)) % 2 == 1


@pytest.mark.parametrize(("n", "loops"), list(enumerate(SQUARES, 2)))
def test_squares(n: int, loops: int) -> None:
    """All squares of 2 x 2 to 13 x 13 vertices."""
    assert count(Lattice(n, n)) == loops


def test_there_are_primes_enough() -> None:
    """The bound on the loops is one, and what goes beyond it are primes and no more than needed."""
    for n, loops in enumerate(SQUARES, 2):
        assert loops <= most_loops(Lattice(n, n)) <= 2 ** ((n - 1) ** 2)
    for below in (2**31, 2**35, 2**62):
        primes = primes_beyond(10**60, below)
        assert prod(primes) > 10**60 >= prod(primes[:-1])
        assert primes == sorted(set(primes), reverse=True)
    # The last one is a strong pseudoprime to the first nine primes.
    assert all(map(is_prime, (2**31 - 1, 2**61 - 1, 641, 65_537, 97)))
    assert not any(map(is_prime, (2**32 + 1, 1_681, 2**62 - 1, 3_825_123_056_546_413_051)))


@given(st.data())
def test_a_remainder_without_a_division(data: Any) -> None:
    """Over all primes and weights that a sweep may have, and the largest of each."""
    terms = data.draw(st.integers(1, 2**12) | st.just(2**30))
    prime = primes_beyond(1, 2**residues.REACH // terms)[0]
    weight = data.draw(st.integers(0, min(terms, prime - 1)) | st.just(min(terms, prime - 1)))
    number = data.draw(st.integers(0, prime - 1) | st.just(prime - 1))
    modulus = Modulus(prime, prime.bit_length(), 2**residues.REACH // prime, weight)
    assert residues.weigh(number, weight, modulus) == number * weight % prime


def test_to_and_fro_as_along_every_row() -> None:
    """What a sampler counts up in exact tables is what the sweeps modulo primes say."""
    for rows, cols in ((3, 9), (8, 7), (9, 9)):
        lattice = Lattice(rows, cols)
        places: dict[str, Any] = {"inside": [(1, 1)], "blocked": [(rows - 2, 3)]}
        assert Sampler(lattice, **places).total == count(lattice, **places)


def test_rectangles() -> None:
    """The published rectangles, standing and lying."""
    for m, row in enumerate(RECTANGLES, 2):
        for n, loops in enumerate(row, 2):
            assert count(Lattice(m, n)) == count(Lattice(n, m)) == loops, (m, n)


def test_rectangles_by_search() -> None:
    """22 rectangles, by walking along each loop."""
    assert len(SEARCHED) == 22
    for rows, cols in SEARCHED:
        assert count(Lattice(rows, cols)) == by_search(rows, cols), (rows, cols)


@pytest.mark.parametrize("n", LENGTHS)
def test_published_lengths(n: int) -> None:
    """By length, as published."""
    assert list(count_by_length(Lattice(n, n)).items()) == list(
        zip(range(4, 100, 2), LENGTHS[n], strict=False)
    )


def test_lengths_add_up_to_the_count() -> None:
    """Numbers side by side do not spill into each other, however long they are."""
    for n in (8, 10, 11):
        lengths = count_by_length(Lattice(n, n))
        assert sum(lengths.values()) == SQUARES[n - 2]
        # The formulas of A302337 for short loops.
        assert [lengths[length] for length in (4, 6, 8, 10, 12)] == [
            (n - 1) ** 2,
            4 - 6 * n + 2 * n**2,
            26 - 28 * n + 7 * n**2,
            164 - 140 * n + 28 * n**2,
            1046 - 740 * n + 124 * n**2,
        ]
    long = Lattice(60, 4)
    lengths = count_by_length(long)
    assert sum(lengths.values()) == count(long) > 2**100
    assert lengths[4] == 59 * 3


@pytest.mark.parametrize("size", [(1000, 1000), (10**9, 10**9), (2, 10**9), (30, 31)])
def test_refused_by_size(size: tuple[int, int]) -> None:
    """Before any work, in a sentence with the size: a table too wide, or too many cells."""
    lattice = Lattice(*size)
    for work in (count, count_by_length, Sampler):
        with pytest.raises(TooLarge, match=rf"{size[1]} wide, {size[0]} high takes .*memory"):
            work(lattice)


def test_the_table_turns_round() -> None:
    """Each number goes to the word that its own is from the other side, and back."""
    for plugs in range(2, 12):
        known = words(plugs)
        of = {}
        for right, height in zip(known.rights.tolist(), known.heights, strict=True):
            for left in known.lefts[known.first[height] : known.first[height + 1]].tolist():
                word = left | right << known.split
                read = "".join("012"[word >> 2 * k & 3] for k in range(plugs))
                of[read] = steps.rank(known, word)
        table = np.arange(known.size)
        residues.turn(known, plugs, table)
        for read, at in of.items():
            assert table[of[read[::-1].translate(str.maketrans("12", "21"))]] == at
        residues.turn(known, plugs, table)
        assert (table == np.arange(known.size)).all()


def test_words_are_as_deep_as_said() -> None:
    """The words of a depth are those that a sweep goes through when it leaves out deeper ones."""
    for plugs in range(2, 11):
        known = words(plugs)
        for depth in range(plugs):
            found = sum(
                residues.shallow(known, height, depth)
                for height, below in zip(known.heights.tolist(), known.depths, strict=True)
                if below <= depth
            )
            ways = Counter({0: 1})
            for _ in range(plugs):
                ways = Counter(
                    {h: ways[h - 1] + ways[h] + ways[h + 1] for h in range(depth + 1) if h >= 0}
                )
            assert found == ways[0]


def test_meanders() -> None:
    """OEIS A005315: pairs of pairings that make a single loop."""
    for pairs, many in enumerate((1, 2, 8, 42, 262, 1828, 13820), 1):
        known = meanders(pairs)
        assert len(known.linked) == many
        assert len(known.pairings) == comb(2 * pairs, pairs) // (pairs + 1)


@given(st.data(), st.integers(2, 2**63 - 1), st.booleans())
@settings(max_examples=40)
def test_halves_meet(data: Any, prime: int, turned: bool) -> None:
    """Products of the largest numbers that a table may have, against Python's own integers."""
    known = words(5)
    numbers = st.integers(0, prime - 1) | st.just(prime - 1)
    top, bottom = (np.array(data.draw(st.lists(numbers, min_size=9, max_size=9))) for _ in range(2))
    pieces = np.zeros(PIECES, np.int64)
    modulus = Modulus(prime, prime.bit_length(), 0, 1)
    for pairs in (1, 2):
        told = meanders(pairs)
        sets = np.array([bits for bits in range(16) if bits.bit_count() == 2 * pairs])
        parts = (told.pairings, told.starts, told.linked, sets, 0, len(sets))
        room = np.zeros(2 * len(told.pairings) + 2 * pairs, np.int64)
        compiled(meet)(known, modulus, top, bottom, turned, 1, *parts, room, pieces)
    # Words of four plugs, and which make one loop with which.
    one = ["1200", "1020", "0120", "1002", "0102", "0012", "1212", "1122"]
    expected = 0
    for word in one:
        for other in one:
            if [a == "0" for a in word] == [b == "0" for b in other] and (
                word.count("0") or word != other
            ):
                read = other[::-1].translate(str.maketrans("12", "21")) if turned else other
                places = [int(text[::-1], 4) for text in (word, read)]
                above, below = (steps.rank(known, place) for place in places)
                expected += int(top[above]) * int(bottom[below])
    assert sum(int(piece) << PIECE * k for k, piece in enumerate(pieces)) % prime == (
        expected % prime
    )


@pytest.mark.parametrize("size", [(1, 1), (1, 6), (2, 2), (2, 7), (3, 3), (7, 4), (6, 6), (5, 5)])
def test_halves_and_parts(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Lattices that look the same from the other end or not, in as many parts as can be."""
    monkeypatch.setattr(halves, "PART", 1)
    lattice, (rows, cols) = Lattice(*size), size
    middle = (rows // 2, cols // 2)
    opposite = (rows - 1 - middle[0], cols - 1 - middle[1])
    for blocked in ([], [middle], [middle, opposite], [(0, 0)], [(rows - 1, 0)]):
        plain = by_frontier(rows, cols, blocked)
        assert count(lattice, blocked=blocked) == plain.total()
        assert count_by_length(lattice, blocked=blocked) == plain


@given(st.data(), lattices(6), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=40)
def test_against_the_plain_sweep(data: Any, lattice: Lattice, take: int, skip: int) -> None:
    """Blocked cells, lengths and weights."""
    cell = st.tuples(st.integers(0, lattice.rows - 1), st.integers(0, lattice.cols - 1))
    blocked = data.draw(st.sets(cell, max_size=8))
    plain = by_frontier(lattice.rows, lattice.cols, blocked)
    assert count(lattice, blocked=blocked) == plain.total()
    assert count_by_length(lattice, blocked=blocked) == plain
    edges = len(lattice.edges)
    assert count(lattice, take=take, skip=skip, blocked=blocked) == sum(
        many * take**length * skip ** (edges - length) for length, many in plain.items()
    )


def test_sides_audited_cell_by_cell() -> None:
    """All 25 cells of 5 x 5: the loops that miss it, and those of them that enclose it."""
    loops = brute.loops(5, 5)
    for cell in Lattice(5, 5).vertices():
        missing = [loop for loop in loops if misses(loop, cell)]
        enclosing = sum(encloses(loop, cell) for loop in missing)
        assert count(Lattice(5, 5), blocked=[cell]) == len(missing)
        assert count(Lattice(5, 5), inside=[cell]) == enclosing
        assert count(Lattice(5, 5), outside=[cell]) == len(missing) - enclosing
        assert by_frontier(5, 5, [cell], [cell]).total() == enclosing


@given(st.data(), st.sampled_from([(4, 5), (5, 4), (3, 6), (5, 5)]))
@settings(max_examples=40)
def test_sides_together(data: Any, size: tuple[int, int]) -> None:
    """Several cells at once, on both sides and on neither."""
    cells = st.lists(
        st.tuples(st.integers(0, size[0] - 1), st.integers(0, size[1] - 1)), max_size=5
    )
    named: dict[tuple[int, int], str] = {
        cell: data.draw(st.sampled_from(["blocked", "inside", "outside"]))
        for cell in data.draw(cells)
    }
    places = {
        side: [cell for cell, said in named.items() if said == side]
        for side in ("blocked", "inside", "outside")
    }
    expected = {
        loop
        for loop in brute.loops(*size)
        if all(
            misses(loop, cell) and (said == "blocked" or encloses(loop, cell) == (said == "inside"))
            for cell, said in named.items()
        )
    }
    lattice = Lattice(*size)
    assert count(lattice, **places) == len(expected)  # type: ignore[arg-type]
    if expected:
        every = Sampler(lattice, **places)  # type: ignore[arg-type]
        assert {loop.edges for loop in every.numbered(range(every.total))} == expected


@pytest.mark.parametrize("size", [(4, 4), (3, 6), (6, 3), (5, 5)])
def test_every_loop_has_one_number(size: tuple[int, int]) -> None:
    """The numbers from 0 on are exactly the loops, so a uniform number is a uniform loop."""
    every = Sampler(Lattice(*size))
    loops = [loop.edges for loop in every.numbered(range(every.total))]
    assert len(loops) == len(set(loops))
    assert set(loops) == set(brute.loops(*size))


@pytest.mark.parametrize(("take", "skip"), [(2, 3), (3, 1), (4, 6)])
def test_a_loop_has_as_many_numbers_as_it_weighs(take: int, skip: int) -> None:
    """Counted out on 3 x 3, in lowest terms."""
    lattice = Lattice(3, 3)
    every = Sampler(lattice, take, skip)
    numbers = Counter(loop.edges for loop in every.numbered(range(every.total)))
    assert set(numbers) == set(brute.loops(3, 3))
    weights = {loop: take ** len(loop) * skip ** (12 - len(loop)) for loop in numbers}
    assert len({weights[loop] / many for loop, many in numbers.items()}) == 1
    assert count(lattice, take=take, skip=skip) == sum(weights.values())


@pytest.mark.parametrize(("n", "each"), [(4, 100), (5, 20)])
def test_chi_square(n: int, each: int) -> None:
    """Random loops are uniform over all 213 of 4 x 4 and all 9,349 of 5 x 5."""
    every = Sampler(Lattice(n, n))
    drawn = Counter(loop.edges for loop in every.samples(2, each * every.total))
    square = sum((drawn[loop] - each) ** 2 / each for loop in brute.loops(n, n))
    freedom = every.total - 1
    assert abs(square - freedom) < 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(("n", "take", "skip"), [(8, 1, 1), (8, 2, 3), (12, 4, 5)])
def test_mean_length(n: int, take: int, skip: int) -> None:
    """Random loops have the mean length that the exact numbers by length give."""
    lattice = Lattice(n, n)
    edges = len(lattice.edges)
    weight = {
        length: many * take**length * skip ** (edges - length)
        for length, many in count_by_length(lattice).items()
    }
    total = sum(weight.values())
    mean = sum(length * w for length, w in weight.items()) / total
    variance = sum(length**2 * w for length, w in weight.items()) / total - mean**2
    many = 2_000
    loops = list(Sampler(lattice, take, skip).samples(5, many))
    assert all(loop.is_single() for loop in loops[:50])
    found = sum(len(loop.edges) for loop in loops) / many
    assert abs(found - mean) < 4 * (variance / many) ** 0.5


def test_same_seed_same_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is drawn, and wherever the tables are kept."""
    lattice = Lattice(9, 6)
    first = list(Sampler(lattice, 2, 3).samples(7, 30))
    assert first[0] == Sampler(lattice, 2, 3).sample(7) != Sampler(lattice, 2, 3).sample(8)
    monkeypatch.setattr(sampler, "KEPT", 10_000)
    monkeypatch.setattr(sampler, "TOGETHER", 7)
    short = Sampler(lattice, 2, 3)
    assert [] in short._within
    assert list(short.samples(7, 12)) == first[:12]


def test_a_number_stays_the_loop_that_it_was() -> None:
    """Boards are generated from these loops; the digest is older than counts modulo primes."""
    wanted: list[tuple[tuple[int, int], tuple[int, int], dict[str, Any]]] = [
        ((6, 6), (1, 1), {}),
        ((5, 9), (2, 3), {}),
        ((9, 5), (5, 8), {"inside": [(3, 2)], "blocked": [(0, 0)]}),
        ((10, 10), (3, 5), {"outside": [(4, 4)]}),
    ]
    text = "".join(
        repr(sorted(map(tuple, loop.edges)))
        for size, weights, places in wanted
        for loop in Sampler(Lattice(*size), *weights, **places).samples(11, 200)
    )
    digest = "578153b8e763246da6142bb82fb717cb222dddcc13e1e5378cc05d59f1decf4f"
    assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words shared out among threads give the same tables."""
    monkeypatch.setattr(sweep, "WORTH_SHARING", 0)
    lattice = Lattice(9, 7)
    for threads in (1, 2, 5):
        shared = Sweep(lattice, threads=threads)
        assert (len(shared._pieces) > 1) == (threads > 1)
        *_, last = shared.tables(shared.start(), shared.cells(3, 2))
        edges, vertices = len(lattice.edges), 63
        assert last.closed * 2 ** (edges - vertices) == count(lattice, take=3, skip=2)
        places = [(y, 10**9 + 7) for y in range(1, 8)]
        assert shared.values(places) == [value for at in places for value in shared.values([at])]


def test_heavy_weights() -> None:
    """Weights up to the largest allowed do not overflow."""
    heavy, lattice = 2**24, Lattice(6, 5)
    expected = sum(n * heavy**length for length, n in count_by_length(lattice).items())
    assert count(lattice, take=heavy) == expected
    loop = Sampler(lattice, heavy).sample(0)
    assert len(loop.edges) == 30
    assert len(Sampler(lattice, 1, heavy).sample(0).edges) == 4


def test_words_are_numbered_without_gaps() -> None:
    """Each word once, in order, at the place its halves say."""
    for plugs in range(2, 13):
        table = words(plugs)
        assert table.size == motzkin(plugs) == table.base[-1]
        numbered = [
            int(left) | int(right) << table.split
            for right, height in zip(table.rights, table.heights, strict=True)
            for left in table.lefts[table.first[height] : table.first[height + 1]]
        ]
        assert [steps.rank(table, word) for word in numbered] == list(range(table.size))
        for word in numbered:
            depth = np.cumsum([(0, 1, -1)[word >> 2 * k & 3] for k in range(plugs)])
            assert depth.min() >= 0
            assert depth[-1] == 0


def test_bad_requests() -> None:
    """Each is refused in a sentence."""
    lattice = Lattice(4, 4)
    with pytest.raises(PuzzleError, match=r"vertex \(4, 0\) is not on a lattice 4 wide, 4 high"):
        count(lattice, blocked=[(4, 0)])
    with pytest.raises(PuzzleError, match="both inside and outside"):
        count(lattice, inside=[(1, 1)], outside=[(1, 1)])
    with pytest.raises(CastlecpError, match="weights are from 1 to"):
        count(lattice, take=0)
    with pytest.raises(CastlecpError, match="weights are from 1 to"):
        Sampler(lattice, 2**24 + 1)
    with pytest.raises(CastlecpError, match="there is no such loop"):
        Sampler(lattice, inside=[(0, 0)])
    with pytest.raises(CastlecpError, match="there is no such loop"):
        Sampler(Lattice(1, 9))
    with pytest.raises(IndexError, match="from 0 to 212"):
        list(Sampler(lattice).numbered([213]))
    assert list(Sampler(lattice).numbered([])) == []


class Terminal(io.StringIO):
    """Standard error of a person."""

    def isatty(self) -> bool:
        return True


def test_long_computations_can_be_watched() -> None:
    """A step for each cell that a sweep goes past, and how many there will be."""
    lattice = Lattice(4, 5)

    def totals(work: Callable[[Budget], object]) -> list[int]:
        seen: list[Progress] = []
        budget = Budget(watch=seen.append)
        work(budget)
        ends = [far.total for far, after in pairwise(seen) if after.total is None and far.total]
        assert budget.spent == seen[-1].steps == ends[-1]
        assert all(far.steps <= far.total for far in seen if far.total is not None)
        return [total for total in ends if total is not None]

    # From the other end it looks the same for two rows of four cells; the third is the middle one.
    assert totals(lambda budget: count(lattice, budget=budget)) == [12]
    corner = [(0, 0)]
    assert totals(lambda budget: count(lattice, blocked=corner, budget=budget)) == [20]
    # After the sweeps for all loops those for each of the lengths from 4 to 20; dark vertices are
    # light ones from the other end of a lattice that has an even and an odd side.
    assert totals(lambda budget: count_by_length(lattice, budget=budget)) == [12, 12 + 9 * 20]
    square = Lattice(4, 4)
    assert totals(lambda budget: count_by_length(square, budget=budget)) == [8, 8 + 7 * 8]
    assert totals(lambda budget: Sampler(lattice, budget=budget)) == [20]
    assert totals(lambda budget: Sampler(lattice).sample(1, budget)) == [20]


@pytest.mark.parametrize("threads", [1, 2])
def test_steps_end_a_count_alike(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """Where they do not suffice, however many tables there are; and the seconds end it."""
    monkeypatch.setattr(sweep, "WORTH_SHARING", 0)
    lattice, blocked = Lattice(9, 9), [(4, 4)]
    budget = Budget()
    expected = count(lattice, blocked=blocked, take=5, threads=threads, budget=budget)
    needed = budget.spent
    assert needed % 45 == 0
    enough = Budget(steps=needed)
    assert count(lattice, blocked=blocked, take=5, threads=threads, budget=enough) == expected
    with pytest.raises(OutOfBudget, match=rf"the steps are spent: .* of {needed} steps"):
        count(lattice, blocked=blocked, take=5, threads=threads, budget=Budget(steps=needed - 1))
    with pytest.raises(OutOfBudget, match=f"the time is spent: 0 of {needed} steps"):
        count(lattice, blocked=blocked, take=5, threads=threads, budget=Budget(seconds=0))


def test_a_count_can_be_cancelled() -> None:
    """And what is drawn by it too, from a sampler that serves others later."""
    budget = Budget()
    every = Sampler(Lattice(5, 5), budget=budget)
    budget.cancel()
    for work in (count, count_by_length, Sampler):
        with pytest.raises(Cancelled, match="cancelled: 0 of"):
            work(Lattice(5, 5), budget=budget)
    with pytest.raises(Cancelled):
        every.sample(0, budget)
    assert every.sample(0)


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar at a terminal, all of it."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert list(progress(range(20), "things", 20)) == list(range(20))
    assert "20/20" in sys.stderr.getvalue()  # type: ignore[attr-defined]


# The command line.


def run(*args: str) -> Result:
    """`castlecp loops ARGS`."""
    return CliRunner().invoke(app, ["loops", *args])


def test_command_counts() -> None:
    """Numbers with commas for people, as text in JSON."""
    assert run("--rows", "9", "--cols", "9").output == "2,318,527,339,461,265\n"
    result = run("--rows", "5", "--cols", "5", "--inside", "3,3", "--blocked", "1,1", "--json")
    expected = count(Lattice(5, 5), inside=[(2, 2)], blocked=[(0, 0)])
    assert json.loads(result.output)["count"] == str(expected)


def test_command_counts_by_length() -> None:
    """As a table and as JSON; no loop at all is no error."""
    text = run("--rows", "4", "--cols", "4", "--by-length").output
    words = "length loops 4 9 6 12 8 26 10 52 12 76 14 32 16 6 213 in all mean length 10.76"
    assert " ".join(text.split()) == f"{words}, 67.3% of the cells"
    data = json.loads(run("--rows", "2", "--cols", "3", "--by-length", "--json").output)
    assert (data["count"], data["by_length"]) == ("3", {"4": "2", "6": "1"})
    assert "0 in all" in run("--rows", "1", "--cols", "4", "--by-length").output


def test_command_samples() -> None:
    """Pictures with the named cells, or edges as JSON."""
    size = ["--rows", "5", "--cols", "6", "--inside", "3,3", "--blocked", "1,1"]
    wanted = [*size, "--sample", "2", "--tilt", "3/2", "--seed", "4"]
    text = run(*wanted).output
    assert text == run(*wanted).output
    assert (text.count("W"), text.count("G")) == (2, 2)
    loops = json.loads(run(*wanted, "--json").output)["loops"]
    direct = Sampler(Lattice(5, 6), 2, 3, inside=[(2, 2)], blocked=[(0, 0)]).samples(4, 2)
    assert [loop["edges"] for loop in loops] == [
        [list(edge) for edge in sorted(loop.edges)] for loop in direct
    ]
    assert isinstance(next(Sampler(Lattice(2, 2)).numbered([0])), Loop)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--blocked", "1"], "`1` is not a cell"),
        (["--blocked", "5,1"], "cell 5,1 is not on a board 4 wide, 4 high"),
        (["--inside", "0,1"], "cell 0,1 is not on a board"),
        (["--sample", "1", "--tilt", "3"], "`3` is not a tilt"),
        (["--sample", "1", "--tilt", "3/0"], "weights are from 1"),
        (["--tilt", "3/2"], "`--tilt` is for `--sample`"),
        (["--inside", "1,1", "--sample", "1"], "there is no such loop"),
        (["--inside", "2,3", "--outside", "2,3"], "cell 2,3 cannot lie both inside and outside"),
        (["--by-length", "--sample", "1"], "ask for one"),
    ],
)
def test_command_refuses(arguments: list[str], words: str) -> None:
    """Exit code 2 and one sentence."""
    result = run("--rows", "4", "--cols", "4", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
