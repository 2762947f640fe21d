"""What is asked: one struct for each question, from which OpenAPI has the bodies.

A board, or what is drawn on one, is a text in any format that castlecp reads, or an object as JSON
has it. Whatever is not there has the default that the command line has.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from castlecp.generate.dials import Dial
from castlecp.generate.layout import Layout
from castlecp.generate.minimise import Method, Weigh
from castlecp.ladder.facts import Degree

_TEXT_OR_OBJECT: dict[str, Any] = {"type": ["string", "object"]}
#: A board: text or an object, left as it stands for the readers of formats.
Board = Annotated[
    msgspec.Raw,
    Meta(
        description="A puzz.link address, a pzprv3 file, lines of text, or a puzzle as JSON.",
        extra_json_schema=_TEXT_OR_OBJECT,
    ),
]
#: What is drawn on a board.
Drawn = Annotated[
    msgspec.Raw,
    Meta(
        description="A picture, a pzprv3 file, or JSON with edges, faces or a position.",
        extra_json_schema=_TEXT_OR_OBJECT,
    ),
]
Seconds = Annotated[float, Meta(ge=0)]
Steps = Annotated[int, Meta(ge=0, le=1 << 40)]
Seed = Annotated[int, Meta(ge=-(1 << 53), le=1 << 53)]
Share = Annotated[float, Meta(ge=0, le=1)]
Side = Annotated[int, Meta(ge=1, le=1000)]

#: What is drawn when nothing is.
NOTHING = msgspec.Raw(b"null")


def _nothing() -> msgspec.Raw:
    return NOTHING


class Ask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all."""


class OfBoard(Ask, frozen=True, kw_only=True):
    """A question about a board."""

    board: Board


class Searching(OfBoard, frozen=True, kw_only=True):
    """A question that takes a search.

    `seconds` and `steps` end it, `seconds` at most as many as the service allows. Steps give the
    same answer every time.
    """

    seconds: Seconds | None = None
    steps: Steps | None = None


class Convert(OfBoard, frozen=True, kw_only=True):
    """A board in every format."""


class Draw(OfBoard, frozen=True, kw_only=True):
    """A picture of a board with up to two answers, or one position."""

    answers: Annotated[tuple[Drawn, ...], Meta(max_length=2)] = ()
    numbers: bool = False
    kind: Literal["svg", "png"] = "svg"


class Check(OfBoard, frozen=True, kw_only=True):
    """Whether a line is an answer; with `so_far`, what no further drawing can mend."""

    answer: Drawn
    so_far: bool = False


class Solve(Searching, frozen=True, kw_only=True):
    """The verdict; `forced` and `conflict` ask for those parts of it."""

    limit: Annotated[int, Meta(ge=2, le=1_000)] = 2
    forced: bool = False
    conflict: bool = True


class Count(Searching, frozen=True, kw_only=True):
    """The number of solutions, up to a limit."""

    limit: Annotated[int, Meta(ge=1, le=10_000)] = 10_000


class Hint(Searching, frozen=True, kw_only=True):
    """The next step from what is drawn; `degree` says where to look, why, or what to do."""

    drawn: Drawn = msgspec.field(default_factory=_nothing)
    degree: Degree = "do"


class Explain(Searching, frozen=True, kw_only=True):
    """The steps of a person's solution; `chains` tells how suppositions end."""

    chains: bool = True


class Grade(Searching, frozen=True, kw_only=True):
    """How hard a board is."""


class Generate(Ask, frozen=True, kw_only=True):
    """Boards of a seed and the following ones."""

    genre: str
    rows: Side = 10
    cols: Side = 10
    difficulty: str = "normal"
    seed: Seed = 0
    count: Annotated[int, Meta(ge=1, le=100)] = 1
    source: str = "shaped"
    max_rung: str | None = None
    min_rung: str | None = None
    max_steps: Annotated[int, Meta(ge=0)] | None = None
    min_clues: Annotated[int, Meta(ge=0)] = 0
    max_clues: Annotated[int, Meta(ge=0)] | None = None
    minimal: bool = False
    symmetry: Layout = "auto"
    pattern: str | None = None
    no_zero: bool = False
    loop_share: Share | None = None
    zeros: Share | None = None
    white: Share | None = None
    min_distance: Annotated[int, Meta(ge=1)] = 1
    nodes: bool = True
    seconds: Seconds | None = None
    steps: Steps | None = None


class Minimise(Searching, frozen=True, kw_only=True):
    """Fewer clues and the same one solution."""

    method: Method = "core"
    dial: Dial = "chain"
    weigh: Weigh = "clues"
    seed: Seed = 0


class Mend(Searching, frozen=True, kw_only=True):
    """The fewest changes for exactly one solution."""

    answer: Drawn = msgspec.field(default_factory=_nothing)
    most: Annotated[int, Meta(ge=1, le=20)] = 5


class Certify(Searching, frozen=True, kw_only=True):
    """A line of a certificates file; `graded` asks for the grade in it."""

    graded: bool = True


class CertifyBank(Ask, frozen=True, kw_only=True):
    """Certificates of a bank; `fast` makes no proofs, `graded` asks for grades."""

    fast: bool = False
    graded: bool = True
    steps: Steps | None = None


class MinimiseBank(Ask, frozen=True, kw_only=True):
    """A bank with fewer clues."""

    method: Method = "core"
    dial: Dial = "chain"
    weigh: Weigh = "clues"
    seed: Seed = 0
    steps: Steps | None = None


class GradeBank(Ask, frozen=True, kw_only=True):
    """The grades of a bank."""

    steps: Steps | None = None


#: What is asked of a job, by its kind; it stands in the query, since the body is the bank.
OF_BANKS: dict[str, type[Ask]] = {
    "certify": CertifyBank,
    "minimise": MinimiseBank,
    "grade": GradeBank,
}


class Verify(Ask, frozen=True, kw_only=True):
    """A line of a certificates file, or a certificate alone: an object, or a text with one."""

    certificate: Annotated[msgspec.Raw, Meta(extra_json_schema=_TEXT_OR_OBJECT)]
    seconds: Seconds | None = None
    max_proof: Annotated[int, Meta(ge=1, le=100_000)] | None = None
