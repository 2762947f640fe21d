"""The data of a certificate: what it holds, its bytes, and its hashes.

A certificate is one JSON object with its keys in a fixed order. It holds no time and nothing
else that differs from run to run, so that making it again gives the same bytes. Its variables
are those of `castlecp.certify.statement`.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from hashlib import sha256
from typing import Any, Literal

import msgspec

from castlecp.errors import Rejected
from castlecp.grid import Edge

#: A proof of more bytes than this is refused before it is unpacked.
MAX_PROOF = 500_000_000


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


def unpack(packed: str) -> str:
    """The text of a packed proof. Raises Rejected."""
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(b64decode(packed, validate=True), MAX_PROOF)
        if not unpacker.eof or unpacker.unused_data:
            raise Rejected("the packed proof is cut off, too long, or followed by something else")
        return text.decode("ascii")
    except (Base64Error, zlib.error, ValueError) as error:
        raise Rejected(f"the proof cannot be unpacked: {error}") from None
