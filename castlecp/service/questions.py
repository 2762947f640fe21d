"""Questions about one board, as a worker answers them: each a struct in and a report out.

The table QUESTIONS has them all; the addresses, the limits and the OpenAPI document follow from
it. A question is given what is asked, a budget, and `Tell`, which sends an event to who listens.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from castlecp import codecs, genres, wire
from castlecp.bank import Item, sealed
from castlecp.budget import Budget
from castlecp.codecs.json import decode, refuse_doubled_keys
from castlecp.errors import FormatError, FormatWarning, OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Loop
from castlecp.position import Position
from castlecp.service import asks
from castlecp.service.limits import Bound, Limits
from castlecp.service.problems import TOO_LARGE, Refused
from castlecp.texts import plain_text

#: Sends an event with its name and its data.
Tell = Callable[[str, bytes], None]

JSON, NDJSON = "application/json", "application/x-ndjson"


class Unsettled(Exception):
    """The fast lane leaves a question to the slow one."""


class Said(NamedTuple):
    """An answer: its bytes, what they are, and headers besides.

    `ended` says that the budget ended first, so that it is not all there is to say.
    """

    content: bytes
    media: str = JSON
    headers: Mapping[str, str] = MappingProxyType({})
    ended: str = ""

    @classmethod
    def of(cls, report: wire.Report, ended: OutOfBudget | None = None) -> Said:
        """A report."""
        return cls(wire.encode(report), ended=str(ended) if ended else "")


class Asked(NamedTuple):
    """A question on its way to its answer."""

    ask: Any
    bound: Bound
    limits: Limits
    budget: Budget
    tell: Tell
    fast: bool = False

    def puzzle(self) -> Puzzle:
        """The board that is asked about.

        Raises what `codecs.read` does, Refused for one that is too large for the question, and
        Unsettled for one that is too large for the fast lane.
        """
        puzzle = codecs.read(_text(self.ask.board), "board")
        _refuse_large(puzzle.rows, puzzle.cols, self.bound)
        if self.fast and puzzle.rows * puzzle.cols > self.limits.fast_cells:
            raise Unsettled
        return puzzle


class Question(NamedTuple):
    """A question: what is asked, what answers it, and how.

    A `fast` one is tried in the fast lane first. One that `streams` answers with events unless
    JSON is wanted. `example` is a body, and `media` what an answer is that is not a report.
    """

    name: str
    asks: type[asks.Ask]
    answers: type[wire.Report] | None
    work: Callable[[Asked], Said]
    example: dict[str, Any]
    fast: bool = False
    streams: bool = False
    media: str = JSON

    @property
    def summary(self) -> str:
        """What it asks, in a sentence."""
        return (self.asks.__doc__ or "").split("\n\n")[0].strip()


def read(question: Question, body: bytes) -> asks.Ask:
    """A body as what is asked. Raises FormatError with the path of the key at fault."""
    text = plain_text(body)
    ask = decode(text, question.asks)
    refuse_doubled_keys(text)
    return ask


def _text(said: msgspec.Raw) -> str | bytes:
    """The text of a board or of what is drawn: that of a string, or an object as it stands."""
    raw = bytes(said)
    if not raw.startswith(b'"'):
        return raw
    text: str = decode(raw.decode(), str)
    return text


def _refuse_large(rows: int, cols: int, bound: Bound) -> None:
    if rows * cols > bound.cells:
        cells = f"{rows * cols:,} cells, and {bound.cells:,} are taken here"
        raise Refused(TOO_LARGE, f"a board {cols} wide and {rows} high has {cells}")


def too_long(seconds: float, bound: Bound) -> FormatError:
    """What to raise for more seconds than a question may take."""
    return FormatError(f"`seconds` is {seconds:g}; it must be at most {bound.seconds:g} here")


def _position(said: msgspec.Raw, puzzle: Puzzle, name: str) -> Position:
    return codecs.read_position(_text(said), puzzle, name)


def _answer(said: msgspec.Raw, puzzle: Puzzle) -> Loop:
    return codecs.read_answer(_text(said), puzzle, "answer")


def convert(asked: Asked) -> Said:
    """Formats and remarks."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", FormatWarning)
        puzzle = asked.puzzle()
        written = {name: _written(puzzle, name) for name in codecs.names()}
    remarks = [str(one.message) for one in warned if issubclass(one.category, FormatWarning)]
    return Said.of(
        wire.Converted(
            puzzle=wire.puzzle_of(puzzle),
            formats=written,
            remarks=(*dict.fromkeys(remarks), *puzzle.remarks()),
        )
    )


def _written(puzzle: Puzzle, name: str) -> str | None:
    try:
        return codecs.write(puzzle, name)
    except FormatError:
        return None


def draw(asked: Asked) -> Said:
    """A picture."""
    from castlecp import draw as pictures

    ask, puzzle = asked.ask, asked.puzzle()
    if ask.kind == "png" and asked.fast:
        raise Unsettled  # it takes twenty times as long as SVG
    drawn = [_position(one, puzzle, "answer") for one in ask.answers]
    loops = [puzzle.line_of(position) for position in drawn]
    picture = pictures.Picture.of(puzzle, loops)
    if len(drawn) == 1 and drawn[0] != Position.of(drawn[0].line):
        picture = pictures.Picture.at(puzzle, replace(drawn[0], on=loops[0].edges))
    picture = replace(picture, caption="\n".join(puzzle.words()))
    if ask.kind == "png":
        return Said(pictures.to_png(picture, numbers=ask.numbers), "image/png")
    svg = pictures.to_svg(picture, numbers=ask.numbers)
    return Said(svg.encode(), "image/svg+xml")


def check(asked: Asked) -> Said:
    """Faults and findings."""
    from castlecp.checker import check as faults_of

    puzzle = asked.puzzle()
    if asked.ask.so_far:
        from castlecp.ladder import check_so_far

        position = _position(asked.ask.answer, puzzle, "answer")
        faults = check_so_far(puzzle, position, asked.budget)
        return Said.of(wire.SoFar(faults=tuple(map(wire.Mistake.of, faults))))
    line = _answer(asked.ask.answer, puzzle)
    return Said.of(wire.Judgement.of(puzzle, line, faults_of(puzzle, line)))


def solve(asked: Asked) -> Said:
    """The verdict."""
    from castlecp import methods

    ask, puzzle = asked.ask, asked.puzzle()
    verdict = methods.solve(
        puzzle, limit=ask.limit, budget=asked.budget, forced=ask.forced, conflict=ask.conflict
    )
    return Said.of(wire.Verdict.of(puzzle, verdict))


def count(asked: Asked) -> Said:
    """The number of solutions."""
    from castlecp import methods

    return Said.of(
        wire.Count.of(methods.solve(asked.puzzle(), limit=asked.ask.limit, budget=asked.budget))
    )


def hint(asked: Asked) -> Said:
    """The next step, as much of it as is wanted."""
    from castlecp.ladder import in_degree, next_step

    ask, puzzle = asked.ask, asked.puzzle()
    drawn = Position(puzzle.lattice)
    if ask.drawn != asks.NOTHING:
        drawn = _position(ask.drawn, puzzle, "drawn")
    step = next_step(puzzle, drawn, budget=asked.budget)
    return Said.of(wire.Hint.of(step and in_degree(puzzle, step, ask.degree)))


def explain(asked: Asked) -> Said:
    """The steps, as many as the budget has room for."""
    from castlecp.ladder import explain as steps_of

    puzzle, ended = asked.puzzle(), None
    try:
        steps = steps_of(puzzle, chains=asked.ask.chains, budget=asked.budget)
    except OutOfBudget as error:
        steps, ended = error.known or [], error
    return Said.of(wire.Explanation.of(puzzle, steps), ended)


def grade(asked: Asked) -> Said:
    """The grade, as far as the budget went."""
    from castlecp.ladder import assess

    found = assess(asked.puzzle(), asked.budget)
    return Said.of(wire.Grade.of(found), found.ended)


def generate(asked: Asked) -> Said:
    """Boards as they are made."""
    from castlecp.generate.board import GivenUp, make
    from castlecp.generate.layout import read_pattern
    from castlecp.generate.settings import Settings

    ask, limits = asked.ask, asked.limits
    _refuse_large(ask.rows, ask.cols, asked.bound)
    if ask.count > limits.boards:
        raise Refused(TOO_LARGE, f"`count` is {ask.count}; at most {limits.boards} are made here")
    keys = set(Settings.__struct_fields__) - {"genre", "pattern"}
    settings = Settings(
        genre=genres.REGISTRY.name_of(ask.genre),
        pattern=read_pattern(ask.pattern, ask.rows, ask.cols) if ask.pattern else None,
        **{key: getattr(ask, key) for key in keys},
    )
    done, given_up, late = 0, [], False
    for seed in range(ask.seed, ask.seed + ask.count):
        try:
            board = make(settings, seed, asked.budget, steps=ask.steps, with_nodes=ask.nodes)
        except GivenUp as reason:
            given_up.append(str(reason))
        except OutOfBudget:
            late = True
            break
        else:
            done += 1
            asked.tell("board", sealed(board).rstrip(b"\n"))
    return Said.of(wire.Generated(boards=done, given_up=tuple(given_up), timed_out=late))


def minimise(asked: Asked) -> Said:
    """The board with fewer clues."""
    from castlecp.generate.minimise import minimise as reduce

    ask = asked.ask
    made = reduce(
        asked.puzzle(), ask.method, ask.dial, seed=ask.seed, weigh=ask.weigh, budget=asked.budget
    )
    return Said.of(wire.Less.of(made))


def mend(asked: Asked) -> Said:
    """The ways to mend it."""
    from castlecp.generate.mend import mend as mended

    ask, puzzle = asked.ask, asked.puzzle()
    meant = None if ask.answer == asks.NOTHING else _answer(ask.answer, puzzle)
    found = mended(puzzle, meant, most=ask.most, budget=asked.budget)
    return Said.of(wire.Mended.of(puzzle, found))


DOWNLOAD = {"content-disposition": 'attachment; filename="certificate.jsonl"'}


def certify(asked: Asked) -> Said:
    """The line of a certificates file, as `castlecp verify` takes it."""
    from castlecp.certify.making import certify_item

    ask = asked.ask
    text = codecs.write(asked.puzzle(), "json").encode()
    done = certify_item(
        Item("1", "board", text),
        graded=ask.graded,
        seconds=asked.budget.seconds_left(),
        steps=ask.steps,
    )
    return Said(done.line, NDJSON, DOWNLOAD | {"castlecp-status": done.status})


def verify(asked: Asked) -> Said:
    """Whether a certificate stands."""
    from castlecp.certify.checking import verify_item

    text = _text(asked.ask.certificate)
    raw = text if isinstance(text, bytes) else text.strip().encode(errors="surrogatepass")
    done = verify_item(
        Item("1", "certificate", raw),
        export=None,
        seconds=asked.budget.seconds_left(),
        max_proof=asked.ask.max_proof,
    )
    reason = done.note.removeprefix(f"{done.status}: ").removeprefix("certificate: ")
    status: Any = done.status
    return Said.of(wire.Examined(status=status, reason=reason or None))


#: A board for examples: unique, and quick for all questions.
BOARD = "castle/6/6/20.d222b20.m011c20.d212b20.a"
ONE = {"board": BOARD}

_QUESTIONS = (
    Question("convert", asks.Convert, wire.Converted, convert, ONE, fast=True),
    Question(
        "check", asks.Check, wire.Judgement, check, ONE | {"answer": {"edges": []}}, fast=True
    ),
    Question("solve", asks.Solve, wire.Verdict, solve, ONE, fast=True),
    Question("count", asks.Count, wire.Count, count, ONE, fast=True),
    Question("hint", asks.Hint, wire.Hint, hint, ONE, fast=True),
    Question("explain", asks.Explain, wire.Explanation, explain, ONE, fast=True),
    Question("grade", asks.Grade, wire.Grade, grade, ONE, fast=True),
    Question(
        "generate",
        asks.Generate,
        wire.Generated,
        generate,
        {"genre": "castle", "rows": 6, "cols": 6, "difficulty": "easy", "seed": 1},
        streams=True,
    ),
    Question("minimise", asks.Minimise, wire.Less, minimise, ONE, streams=True),
    Question("mend", asks.Mend, wire.Mended, mend, {"board": "slither/2/2/dg"}, streams=True),
    Question("certify", asks.Certify, None, certify, ONE, media=NDJSON),
    Question("verify", asks.Verify, wire.Examined, verify, {"certificate": "{}"}),
    Question("draw", asks.Draw, None, draw, ONE, fast=True, media="image/svg+xml"),
)
#: All of them by name.
QUESTIONS: dict[str, Question] = {question.name: question for question in _QUESTIONS}
