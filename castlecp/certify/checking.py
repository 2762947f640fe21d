"""Check the lines of a certificates file, and write proofs out for other checkers.

Uses the checker and nothing of what makes certificates.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from castlecp.bank import Item
from castlecp.budget import Budget
from castlecp.certify.certificate import Certificate, encode, hash_of
from castlecp.certify.clauses import base_of
from castlecp.certify.formula import Formula
from castlecp.certify.records import Done, Record
from castlecp.certify.verify import check_answer, examined, puzzle_of, read
from castlecp.codecs.json import refuse_doubled_keys
from castlecp.errors import CastlecpError, OutOfBudget, Rejected
from castlecp.genres import Puzzle

#: What a line can come to.
STATUSES = ("accepted", "multiple", "unproved", "not checked", "rejected", "unreadable")

README = """\
Each NUMBER.cnf (DIMACS) says: this board has another solution than its loop. NUMBER.drat is a
proof that this is impossible. NUMBER is the line of the certificates file. To check one:

    drat-trim NUMBER.cnf NUMBER.drat

The comments at the top of each NUMBER.cnf hold the puzzle and say what its variables mean:

    c edge V R1 C1 R2 C2    variable V: the edge from vertex (R1, C1) to (R2, C2) is on the loop
    c face V R C            variable V: the face below and right of vertex (R, C) is inside it

Rows and columns count from 0. Variables without a comment are helpers that count the edges on
the ray of a clue. The last clause says that some edge of the loop is off.
"""


class _Unreadable(Rejected):
    """A line that is no line of a certificates file."""


def verify_item(
    item: Item,
    *,
    export: Path | None,
    seconds: float | None = None,
    steps: int | None = None,
    max_proof: int | None = None,
) -> Done:
    """What checking a line says: one of STATUSES.

    A `multiple` board has two different solutions; an `unproved` line claims nothing that could
    be checked; one that is `not checked` is over the budget or another bound of `verify`.
    """
    budget = Budget(seconds, steps)
    where, board = item.place, ""
    try:
        record = _read(item)
        puzzle = record.board if isinstance(record, Record) else record.puzzle
        board = hash_of(encode(puzzle)) if puzzle else ""
        if isinstance(record, Record):
            where = f"{record.name} ({item.place})" if record.name != item.name else where
        status, note = _check(record, item, export, budget, max_proof)
    except OutOfBudget as error:
        status, note = "not checked", str(error)
    except Rejected as error:
        status = "unreadable" if isinstance(error, _Unreadable) else "rejected"
        note = str(error)
    return Done(status, b"", f"{status}: {where}: {note}" if note else "", {}, board)


def lost(item: Item, reason: str) -> Done:
    """The result for a line that took its worker down twice."""
    return Done("not checked", b"", f"not checked: {item.place}: {reason}", {})


def _read(item: Item) -> Record | Certificate:
    if isinstance(item.text, CastlecpError):
        raise _Unreadable(str(item.text))
    if item.text.lstrip().startswith(b'{"format"'):
        found: Record | Certificate = read(item.text)
    else:
        try:
            found = msgspec.json.decode(item.text, type=Record)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            if not isinstance(item.entry().puzzle, CastlecpError):
                raise _Unreadable("a board of a bank; certify the bank first") from None
            raise _Unreadable(f"not a line of a certificates file: {error}") from None
    try:
        refuse_doubled_keys(item.text.decode())
    except CastlecpError as error:
        raise Rejected(str(error)) from None
    return found


def _check(
    record: Record | Certificate,
    item: Item,
    export: Path | None,
    budget: Budget,
    max_proof: int | None,
) -> tuple[str, str]:
    """Status and note. Raises Rejected and OutOfBudget."""
    certificate = record if isinstance(record, Certificate) else record.certificate
    if certificate is not None:
        if isinstance(record, Record) and record.status != "unique":
            raise Rejected(f"a board that is {record.status} cannot have a certificate")
        if isinstance(record, Record) and (record.puzzle is not None or record.solutions):
            raise Rejected("beside the certificate stands a puzzle or a solution of its own")
        puzzle, claim, proof = examined(certificate, budget, max_proof)
        if export is not None:
            _write(export, item.name, puzzle, claim, proof)
        return "accepted", ""
    assert isinstance(record, Record)
    if record.status != "multiple":
        return "unproved", f"{record.status}, without a certificate"
    if len(record.solutions) != 2 or len(set(record.solutions)) != 2:
        raise Rejected("it is said to have two solutions, which are not there")
    puzzle = puzzle_of(record.puzzle or {})
    for loop in record.solutions:
        check_answer(puzzle, loop)
    return "multiple", "two different solutions, both right"


def prepare(folder: Path) -> None:
    """Make the folder for exports and its README. Raises CastlecpError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "README.txt").write_text(README)
    except OSError as error:
        raise CastlecpError(f"{folder}: {error.strerror}") from None


def _write(folder: Path, name: str, puzzle: Puzzle, claim: Formula, proof: str) -> None:
    lines = "".join(f"{line}\n" for line in dimacs(puzzle, claim))
    (folder / f"{name}.cnf").write_text(lines)
    (folder / f"{name}.drat").write_text(proof)


def dimacs(puzzle: Puzzle, claim: Formula) -> Iterator[str]:
    """The lines of a DIMACS file with the puzzle and the variables as comments."""
    base = base_of(puzzle.lattice)
    yield "c " + msgspec.json.encode(puzzle).decode()
    for edge, variable in base.edge.items():
        yield f"c edge {variable} {edge.r1} {edge.c1} {edge.r2} {edge.c2}"
    for (r, c), variable in base.face.items():
        yield f"c face {variable} {r} {c}"
    yield f"p cnf {claim.variables} {len(claim.clauses)}"
    for clause in claim.clauses:
        yield " ".join(map(str, (*clause, 0)))
