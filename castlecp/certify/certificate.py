"""The data of a certificate: what it holds, its bytes, and its hashes.

A certificate is one JSON object with its keys in a fixed order. It holds no time and nothing
else that differs from run to run, so that making it again gives the same bytes. Its variables
are those of `castlecp.certify.formula`.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from hashlib import sha256
from typing import Any, Literal

import msgspec

from castlecp.errors import OutOfBudget, Rejected
from castlecp.grid import Edge

#: Bytes that a proof may unpack to for each of its lines, on the average; the longest of 30 x 30
#: boards take 65.
LINE = 150

#: Bytes that are unpacked at a time.
PIECE = 65_536


def most_lines(variables: int) -> int:
    """Lines that a proof about so many variables may have, unless more are asked for.

    Proofs of 20 x 20 to 60 x 60 boards have one for each two variables at most. More are not made
    either; a few kB unpack to any number of lines, and 100,000 of them on a 20 x 20 board take
    dratify 10 seconds and 300 MB.
    """
    return min(10_000 + 100 * variables, 100_000)


class Variables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How variables map: the numbers of the first and last edge, face and helper.

    Edges are in the order of `Lattice.edges` (the horizontal ones row by row, then the vertical
    ones row by row), faces row by row. A last number below the first means that there are none.
    """

    edges: tuple[int, int]
    faces: tuple[int, int]
    helpers: tuple[int, int]


class Backtracker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the backtracker found within a budget of nodes."""

    verdict: Literal["unique", "not settled"]
    budget: int


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Evidence that a board has exactly one solution.

    `puzzle` is the puzzle as JSON, `sha256` the hash of its canonical text (no white space,
    clues in reading order, keys in the order of the format). `loop` is the solution, its edges
    sorted. `cuts` are clauses over faces that hold because the loop is one loop, `blocking` is
    the clause that excludes the solution. `proof` is a DRAT proof without deletions that rules,
    clues, cuts and blocking clause contradict each other: base64 of zlib of its text.

    `cpsat` is what CP-SAT said of the same question, `backtracker` what search by hand said,
    and `grade` how hard the board is for a person (None where that was not asked); these three
    are hearsay, only the proof is checked. `digest` is the hash of the whole certificate
    written with an empty digest.
    """

    format: Literal["castlecp-certificate-1"] = "castlecp-certificate-1"
    puzzle: dict[str, Any]
    sha256: str
    loop: tuple[tuple[int, int, int, int], ...]
    variables: Variables
    cuts: tuple[tuple[int, ...], ...]
    blocking: tuple[int, ...]
    proof: str
    cpsat: Literal["no second solution", "not settled"]
    backtracker: Backtracker
    grade: dict[str, Any] | None
    versions: dict[str, str]
    digest: str = ""

    @property
    def edges(self) -> frozenset[Edge]:
        """The edges of the loop."""
        return frozenset(Edge(*edge) for edge in self.loop)

    def sealed(self) -> Certificate:
        """The certificate with its digest filled in."""
        bare = msgspec.structs.replace(self, digest="")
        return msgspec.structs.replace(bare, digest=hash_of(encode(bare)))


def encode(value: Any) -> bytes:
    """The canonical bytes of a certificate or a puzzle."""
    return msgspec.json.encode(value)


def hash_of(content: bytes) -> str:
    """The SHA-256 of some bytes, as hexadecimal digits."""
    return sha256(content).hexdigest()


def pack(proof: str) -> str:
    """A proof's text, packed."""
    return b64encode(zlib.compress(proof.encode(), 9)).decode()


def unpack(packed: str, lines: int | None = None) -> str:
    """The text of a packed proof.

    Raises Rejected, and OutOfBudget as soon as it has more than `lines` lines, or more than
    LINE bytes for each of them.
    """
    pieces: list[bytes] = []
    size = ends = 0
    try:
        unpacker = zlib.decompressobj()
        left = b64decode(packed, validate=True)
        while not unpacker.eof:
            piece = unpacker.decompress(left, PIECE)
            left = unpacker.unconsumed_tail
            if not piece and not unpacker.eof:
                raise Rejected("the packed proof is cut off")
            pieces.append(piece)
            size += len(piece)
            ends += piece.count(b"\n")
            if lines is not None and (ends > lines or size > lines * LINE):
                raise OutOfBudget(f"the proof has more than {lines:,} lines")
        if unpacker.unused_data:
            raise Rejected("the packed proof is followed by something else")
        return b"".join(pieces).decode("ascii")
    except (Base64Error, zlib.error, ValueError) as error:
        raise Rejected(f"the proof cannot be unpacked: {error}") from None
