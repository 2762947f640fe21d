"""The checker: does a certificate prove that its board has exactly one solution?

It trusts nothing but the lattice, the reading of the puzzle, its own rules
(`castlecp.certify.rules`), and dratify, which replays the proof.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import suppress
from functools import cache
from time import process_time
from typing import Any

import dratify
import msgspec

from castlecp import genres
from castlecp.budget import Budget
from castlecp.certify import rules
from castlecp.certify.certificate import Certificate, Variables, encode, hash_of, most_lines, unpack
from castlecp.certify.clauses import Base, Clause, base_of
from castlecp.certify.formula import LOOK, Formula, blocking, settled, stated
from castlecp.errors import CastlecpError, OutOfBudget, Rejected
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Lattice

#: Faces that the floods of all cuts may visit; a 60 x 60 board takes a million.
MAX_FLOOD = 100_000_000

#: Lines of a proof that the compiled checker gets at once, at least, and the seconds of processor
#: time that it should take for as many as it gets, reading the clauses included.
PIECE, PATIENCE = 256, 0.15

#: A line of a proof as dratify takes it: `a`, and its literals.
Lemma = tuple[str, tuple[int, ...]]

#: A line of a proof.
LEMMA = re.compile(r"(?:-?[1-9][0-9]{0,8} )*0")


def read(text: bytes | str) -> Certificate:
    """The certificate in a text. Raises Rejected."""
    try:
        return msgspec.json.decode(text, type=Certificate)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Rejected(f"not a certificate: {error}") from None


def verify(
    certificate: Certificate, budget: Budget | None = None, max_proof: int | None = None
) -> Puzzle:
    """The puzzle, when the certificate proves that its loop is the only solution.

    `max_proof` is the most lines its proof may have; by default it is what `most_lines` says.
    Raises Rejected with the first reason against it, and OutOfBudget when that is not settled:
    the seconds of the budget are spent, or proof or board are larger than what is looked at.
    """
    puzzle, _, _ = examined(certificate, budget, max_proof)
    return puzzle


def examined(
    certificate: Certificate, budget: Budget | None = None, max_proof: int | None = None
) -> tuple[Puzzle, Formula, str]:
    """The puzzle, the clauses, and the proof that refutes them; raises what `verify` does."""
    puzzle, claim = claim_of(certificate, budget)
    proof = unpack(certificate.proof, max_proof or most_lines(claim.variables))
    replay(claim, proof, budget=budget)
    return puzzle, claim, proof


def claim_of(certificate: Certificate, budget: Budget | None = None) -> tuple[Puzzle, Formula]:
    """The puzzle, and the clauses that the proof has to refute; all else has been checked.

    What is cheap is checked before anything is built. Raises Rejected and OutOfBudget.
    """
    if certificate.sealed().digest != certificate.digest:
        raise Rejected("the digest does not match the certificate")
    puzzle = puzzle_of(certificate.puzzle)
    if hash_of(encode(puzzle)) != certificate.sha256:
        raise Rejected("the SHA-256 does not match the puzzle")
    edges, inner = sizes(puzzle.lattice)
    if (certificate.variables.edges, certificate.variables.faces) != (
        (1, edges),
        (edges + 1, inner),
    ):
        raise Rejected("the variables are numbered in another way")
    check_answer(puzzle, certificate.loop)
    base = base_of(puzzle.lattice)
    # Each cut is a flood of the board.
    if len(certificate.cuts) * len(base.face) > MAX_FLOOD:
        raise OutOfBudget(f"its {len(certificate.cuts):,} cuts are too many on this board")
    for number, cut in enumerate(certificate.cuts, 1):
        if budget is not None:
            budget.slice(1)
        if not is_sound(base, cut):
            raise Rejected(f"cut {number} does not follow from the loop being one loop")
    if certificate.blocking != blocking(base, certificate.edges):
        raise Rejected("the blocking clause does not block exactly the loop")
    claim = stated(puzzle, certificate.edges, certificate.cuts, budget)
    if certificate.variables != variables_of(base, claim):
        raise Rejected("the variables are numbered in another way")
    return puzzle, claim


def puzzle_of(written: dict[str, Any]) -> Puzzle:
    """The puzzle that a certificate is about. Raises Rejected unless it is canonical."""
    name = written.get("type")
    if name not in rules.names() or name not in genres.names():
        raise Rejected(f"there are no rules for puzzles of type {name!r}")
    try:
        puzzle: Puzzle = msgspec.convert(written, genres.genre(name).PUZZLE)
    except (msgspec.ValidationError, CastlecpError) as error:
        raise Rejected(f"the puzzle cannot be read: {error}") from None
    if encode(puzzle) != encode(written):
        raise Rejected("the puzzle is not written canonically")
    return puzzle


def sizes(lattice: Lattice) -> tuple[int, int]:
    """How many edges a lattice has, and how many edges and faces together."""
    rows, cols = lattice.rows, lattice.cols
    edges = rows * (cols - 1) + (rows - 1) * cols
    return edges, edges + (rows - 1) * (cols - 1)


def variables_of(base: Base, claim: Formula) -> Variables:
    """How the variables of a formula map."""
    edges, inner = len(base.edge), base.variables
    return Variables((1, edges), (edges + 1, inner), (inner + 1, claim.variables))


def check_answer(puzzle: Puzzle, loop: Collection[tuple[int, int, int, int]]) -> None:
    """Raises Rejected unless the edges are one closed loop that obeys every clue."""
    edges = {Edge(*edge) for edge in loop}
    if list(loop) != sorted(edges):
        raise Rejected("the edges of the loop are not in order")
    if not all(map(puzzle.lattice.has_edge, edges)):
        raise Rejected("an edge of the loop is not on the board")
    if not is_one_loop(edges):
        raise Rejected("the edges are not one closed loop")
    inside = faces_inside(puzzle.lattice, edges)
    for clue, reason in rules.of(puzzle).broken(puzzle, edges, inside):
        raise Rejected(f"the loop breaks the clue {encode(clue).decode()}: {reason}")


def is_one_loop(edges: Set[Edge]) -> bool:
    """Whether edges are one closed loop: two at each of their vertices, and a walk meets all."""
    at: dict[tuple[int, int], list[Edge]] = {}
    for edge in edges:
        for end in edge.ends:
            at.setdefault(end, []).append(edge)
    if not edges or any(len(there) != 2 for there in at.values()):
        return False
    first = edge = next(iter(edges))
    vertex, steps = edge.ends[1], 1
    while True:
        (edge,) = (other for other in at[vertex] if other != edge)
        if edge == first:
            return steps == len(edges)
        (vertex,) = (end for end in edge.ends if end != vertex)
        steps += 1


def faces_inside(lattice: Lattice, edges: Set[Edge]) -> set[Face]:
    """The faces inside a loop: an odd number of edges lies between them and the left border."""
    inside = set()
    for r in range(lattice.rows - 1):
        odd = False
        for c in range(lattice.cols - 1):
            odd ^= Edge(r, c, r + 1, c) in edges
            if odd:
                inside.add((r, c))
    return inside


def is_sound(base: Base, cut: Clause) -> bool:
    """Whether a clause over faces holds for every loop, by one of two arguments.

    The faces inside a loop connect, side by side; so do the faces outside, together with all
    that is beyond the border. Hence "a is outside, or b is outside, or one of S is inside" holds
    if every way from a to b meets S, and "p is inside, or one of S is outside" holds if every
    way from p beyond the border meets S.
    """
    if not all(len(base.edge) < abs(x) <= base.variables for x in cut):
        return False
    width = base.lattice.cols - 1
    first = len(base.edge) + 1
    inside = {divmod(x - first, width) for x in cut if x > 0}
    outside = {divmod(-x - first, width) for x in cut if x < 0}
    if inside & outside or len(inside) + len(outside) != len(cut):
        return False
    if len(outside) == 2:
        a, b = outside
        if b not in set(_reached(base.lattice, a, inside)):
            return True
    if len(inside) == 1:
        (p,) = inside
        last = (base.lattice.rows - 2, base.lattice.cols - 2)
        ways = _reached(base.lattice, p, outside)
        return not any(r in (0, last[0]) or c in (0, last[1]) for r, c in ways)
    return False


def _reached(lattice: Lattice, start: Face, walls: Set[Face]) -> Iterator[Face]:
    """The faces that can be reached from a face without entering the walls."""
    seen, left = {start}, [start]
    while left:
        r, c = face = left.pop()
        yield face
        for other in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if other not in seen and other not in walls and lattice.has_face(other):
                seen.add(other)
                left.append(other)


def replay(claim: Formula, proof: str, engine: str = "auto", budget: Budget | None = None) -> None:
    """Raises Rejected unless a proof's lines follow one after another, and end in nothing.

    A line is a clause: its literals and a 0. Each must follow from the clauses before it by
    unit propagation (RUP, the part of DRAT that keeps every solution); the last is empty.
    `engine` is dratify's: "python", "native", or "auto" for the latter where it is there.

    Other programs must read the same clauses in an exported proof, so a line is written in one
    way only. A line that is checked is a step of the budget. Raises OutOfBudget.
    """
    budget = budget or Budget()
    _accelerate()
    lines = proof.removesuffix("\n").split("\n")
    if lines[-1] != "0":
        raise Rejected("the proof does not end in the empty clause")
    steps: list[Lemma] = []
    for number, line in enumerate(lines, 1):
        if not number % LOOK:
            budget.look()
        clause = [int(x) for x in line.split()[:-1]] if LEMMA.fullmatch(line) else [0]
        if not all(0 < abs(x) <= claim.variables for x in clause):
            raise Rejected(f"line {number} of the proof is not a clause")
        steps.append(("a", _literals(clause)))
    budget.look()
    formula = dratify.CNF(claim.variables)
    formula.clauses = [_literals(clause) for clause in settled(claim.clauses)]
    if engine == "python" or not dratify.native_available():
        _refuse(dratify.DRATChecker(formula, check_rat=False).check(_spent(steps, budget)), 0)
        return
    # The compiled twin looks at nothing on its way: it gets the proof in pieces, each with all
    # clauses before it, as long as they take no longer than a person would wait.
    first, most = 0, PIECE
    while True:
        piece = steps[first : first + budget.slice(most)]
        began = process_time()
        result = dratify.check_proof(formula, piece, check_rat=False, engine=engine)
        took = process_time() - began
        budget.spend(len(piece))
        if result.ok or result.failed_step > 0 or first + len(piece) == len(steps):
            _refuse(result, first)
            return
        formula.clauses += [clause for _, clause in piece]
        first += len(piece)
        most = max(PIECE, round(most * min(PATIENCE / max(took, 1e-6), 2)))


def _spent(steps: Sequence[Lemma], budget: Budget) -> Iterator[Lemma]:
    """The lines of a proof, each a step of the budget."""
    for step in steps:
        budget.slice(1)
        yield step
        budget.spend(1)


def _refuse(result: dratify.CheckResult, before: int) -> None:
    """Raises Rejected unless a proof is right, of which so many lines were right before."""
    if not result.ok:
        line = before + result.failed_step
        raise Rejected(f"the proof fails at line {line}: {result.reason}")


def _literals(clause: Collection[int]) -> tuple[int, ...]:
    """A clause as dratify writes it inside."""
    return tuple([2 * x - 2 if x > 0 else -2 * x - 1 for x in clause])


@cache
def _accelerate() -> None:
    """Let dratify use its compiled twin where that is installed."""
    with suppress(ImportError):
        dratify.register_native(importlib.import_module("cdclkit_native"))
