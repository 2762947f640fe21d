"""What leaves the house as JSON: one frozen struct for each kind of report.

Each report begins with `format`, its name and version (`castlecp-verdict-1`), so that a reader
knows what it has; the version grows when a key changes its meaning or goes. A thing has the same
key in every report: `status` is unique, multiple, none or inconclusive, `rung` the hardest rung,
edges are [r1, c1, r2, c2] between vertices, faces [r, c], both sorted; rows and columns count
from 0. `schema` gives each report's JSON Schema.

Certificates and the records of a file of certificates are structs of their own, in
`castlecp.certify`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from castlecp.clues import Clue
from castlecp.faults import Fault
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Loop, Vertex
from castlecp.registry import Registry
from castlecp.verdict import Verdict as Found

if TYPE_CHECKING:
    from castlecp.generate.mend import Mending
    from castlecp.generate.minimise import Minimised
    from castlecp.ladder import Assessment
    from castlecp.ladder import Fact as Leant
    from castlecp.ladder import Step as Taken

#: What a puzzle, or a clue of it, is as JSON: see the README's formats.
Written = dict[str, Any]

#: What follows from a loop besides its line, by name: `false_statements`, their numbers from 0.
Findings = dict[str, tuple[int, ...]]

Statuses = Literal["unique", "multiple", "none", "inconclusive"]


def _dashed(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class Report(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="format",
    tag=lambda name: f"castlecp-{_dashed(name)}-1",
):
    """The base of all reports."""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of what stands inside a report."""


class Line(Part, frozen=True, kw_only=True):
    """A loop: its edges, the faces inside it, and what follows from it."""

    edges: tuple[Edge, ...]
    inside: tuple[Face, ...]
    findings: Findings = {}

    @classmethod
    def of(cls, loop: Loop, puzzle: Puzzle | None = None) -> Line:
        """The loop, as an answer of a puzzle if one is given."""
        findings = puzzle.findings(loop) if puzzle else {}
        return cls(
            edges=tuple(sorted(loop.edges)), inside=tuple(sorted(loop.inside)), findings=findings
        )


class Forced(Part, frozen=True, kw_only=True):
    """Edges that are on, or off, in every solution, and the others.

    `undecided` edges are on in one solution and off in another; `unsettled` ones were not settled
    before the budget ended.
    """

    on: tuple[Edge, ...]
    off: tuple[Edge, ...]
    undecided: tuple[Edge, ...]
    unsettled: tuple[Edge, ...] = ()


class Cause(Part, frozen=True, kw_only=True):
    """One of several things that contradict each other: a clue, or a demand by its name.

    `says` is the same in words; `reason` is why it is impossible alone, if it is.
    """

    clue: Written | None = None
    demand: str | None = None
    says: str
    reason: str | None = None


class Stats(Part, frozen=True, kw_only=True):
    """What a search took: questions to the engine, cuts, conflicts or nodes, and seconds."""

    rounds: int
    cuts: int
    steps: int
    seconds: float

    @classmethod
    def of(cls, found: Found) -> Stats:
        """What a verdict took."""
        said = found.stats
        return cls(
            rounds=int(said["rounds"]),
            cuts=int(said["cuts"]),
            steps=int(said["steps"]),
            seconds=said["seconds"],
        )


class Verdict(Report, frozen=True, kw_only=True):
    """What `solve` found.

    `exact` says that there are no solutions besides those shown, `timed_out` that the budget
    ended the search. `differ` are the edges on in one but not in all of them, `conflict` what
    contradicts each other where there is no solution.
    """

    status: Statuses
    exact: bool
    timed_out: bool
    solutions: tuple[Line, ...]
    differ: tuple[Edge, ...]
    forced: Forced | None
    conflict: tuple[Cause, ...] | None
    engine: str
    stats: Stats

    @classmethod
    def of(cls, puzzle: Puzzle, found: Found) -> Verdict:
        """A verdict on a puzzle."""
        forced = found.forced
        return cls(
            status=found.status.value,
            exact=found.exact,
            timed_out=found.timed_out,
            solutions=tuple(Line.of(loop, puzzle) for loop in found.loops),
            differ=tuple(found.differ),
            forced=Forced(
                on=forced.on,
                off=forced.off,
                undecided=forced.undecided,
                unsettled=forced.unsettled,
            )
            if forced
            else None,
            conflict=None if found.conflict is None else tuple(_causes(puzzle, found.conflict)),
            engine=found.engine,
            stats=Stats.of(found),
        )


def _causes(puzzle: Puzzle, conflict: Iterable[Any]) -> Iterable[Cause]:
    reasons, demands = dict(puzzle.impossible()), puzzle.demands()
    for part in conflict:
        if part in demands:
            yield Cause(demand=part, says=demands[part])
        else:
            yield Cause(clue=clue_of(part), says=part.says(), reason=reasons.get(part))


def clue_of(clue: Clue) -> Written:
    """A clue as it stands in the JSON of its puzzle."""
    written: Written = msgspec.to_builtins(clue)
    return written


def puzzle_of(puzzle: Puzzle) -> Written:
    """A puzzle as JSON."""
    written: Written = msgspec.to_builtins(puzzle)
    return written


class Count(Report, frozen=True, kw_only=True):
    """How many solutions there are: exactly, at least, or as many as were found in time."""

    count: int
    kind: Literal["exact", "at least", "timed out"]
    engine: str
    stats: Stats

    @classmethod
    def of(cls, found: Found) -> Count:
        """The number in a verdict."""
        kind: Literal["exact", "at least", "timed out"] = "exact" if found.exact else "at least"
        return cls(
            count=len(found.loops),
            kind="timed out" if found.timed_out else kind,
            engine=found.engine,
            stats=Stats.of(found),
        )


class Mistake(Part, frozen=True, kw_only=True):
    """A rule that a line breaks: its name, a sentence, and where it shows.

    `about` is "line" when another line could be right, "puzzle" when the board is at fault.
    """

    name: str
    sentence: str
    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    faces: tuple[Face, ...] = ()
    about: Literal["line", "puzzle"] = "line"

    @classmethod
    def of(cls, fault: Fault) -> Mistake:
        """A fault."""
        return cls(
            name=fault.name,
            sentence=fault.sentence,
            vertices=fault.vertices,
            edges=fault.edges,
            faces=fault.faces,
            about=fault.about,
        )


class Judgement(Report, frozen=True, kw_only=True):
    """Whether a line is an answer, all that is wrong with it, and what follows from it."""

    correct: bool
    faults: tuple[Mistake, ...]
    findings: Findings = {}

    @classmethod
    def of(cls, puzzle: Puzzle, line: Loop, faults: Sequence[Fault]) -> Judgement:
        """The faults of a line."""
        return cls(
            correct=not faults,
            faults=tuple(map(Mistake.of, faults)),
            findings=puzzle.findings(line) if line.is_single() else {},
        )


class SoFar(Report, frozen=True, kw_only=True):
    """What is wrong with an unfinished position and cannot be mended by drawing more."""

    faults: tuple[Mistake, ...]


class Places(Part, frozen=True, kw_only=True):
    """Where the reason of a step is."""

    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    faces: tuple[Face, ...] = ()


class Assumed(Part, frozen=True, kw_only=True):
    """What a step supposes: an edge on or off, or a face inside or outside."""

    edge: Edge | None = None
    face: Face | None = None
    holds: bool


class Fact(Part, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a step leans on: what it is follows from the keys that are there.

    A `clue` by its row and column, an `edge` on or off, a `face` inside or outside, two faces on
    different sides of the loop or on one (`face` and `other`), or a `rule` about the whole line;
    `holds` is whether it is on, inside, different. `step` is the number of the step that gave it,
    in the chain of a supposition `link` that of the link, 0 for what is supposed.
    """

    clue: tuple[int, int] | None = None
    edge: Edge | None = None
    face: Face | None = None
    other: Face | None = None
    rule: str = ""
    holds: bool = True
    step: int | None = None
    link: int | None = None

    @classmethod
    def of(cls, fact: Leant) -> Fact:
        """A fact of the ladder."""
        return cls(**vars(fact))


class Step(Part, frozen=True, kw_only=True):
    """One step of a person's solution: what it settles, and why.

    `relations` are two faces that lie on different sides of the loop (true) or on one; null is
    the outside. These follow from the `facts`, and from no fewer; `then` are the trivial
    consequences, steps themselves. `assumed` is what a probe supposes, and `chain` what follows
    from it, the supposition first, up to the contradiction, a step that settles nothing. The chain
    of a fork is two suppositions, each with its own.
    """

    rung: str
    rule: str
    sentence: str
    on: tuple[Edge, ...] = ()
    off: tuple[Edge, ...] = ()
    relations: tuple[tuple[Face | None, Face | None, bool], ...] = ()
    places: Places = Places()
    facts: tuple[Fact, ...] = ()
    then: tuple[Step, ...] = ()
    assumed: Assumed | None = None
    chain: tuple[Step, ...] = ()

    @classmethod
    def of(cls, step: Taken) -> Step:
        """A step of the ladder."""
        assumed = None
        if step.assumed is not None:
            thing, holds = step.assumed
            edge, face = (thing, None) if isinstance(thing, Edge) else (None, thing)
            assumed = Assumed(edge=edge, face=face, holds=holds)
        return cls(
            rung=step.rung,
            rule=step.rule or step.rung,
            sentence=step.sentence,
            on=step.on,
            off=step.off,
            relations=step.relations,
            places=Places(vertices=step.vertices, edges=step.edges, faces=step.faces),
            facts=tuple(map(Fact.of, step.facts)),
            then=tuple(map(Step.of, step.then)),
            assumed=assumed,
            chain=tuple(map(Step.of, step.chain)),
        )


class Explanation(Report, frozen=True, kw_only=True):
    """The steps of a person's solution.

    `finished` says that they settle every edge, `contradiction` that they show that there is no
    solution.
    """

    finished: bool
    contradiction: bool
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, puzzle: Puzzle, steps: Sequence[Taken]) -> Explanation:
        """The steps of the ladder on a puzzle."""
        from castlecp.ladder import contradicts, finishes

        return cls(
            finished=finishes(puzzle, steps),
            contradiction=contradicts(steps),
            steps=tuple(map(Step.of, steps)),
        )


class Hint(Report, frozen=True, kw_only=True):
    """The next step of a player; none where nothing is left to draw."""

    step: Step | None

    @classmethod
    def of(cls, step: Taken | None) -> Hint:
        """The next step of the ladder."""
        return cls(step=Step.of(step) if step else None)


class Grade(Report, frozen=True, kw_only=True):
    """How hard a board is for a person.

    `rung` is the hardest rung needed, `settled` the share of the edges that the ladder settles,
    `guessing` whether it stops before the end. `nodes` are those of the backtracker, at least so
    many where `nodes_exact` is false.
    """

    rung: str | None
    steps: int
    per_rung: dict[str, int]
    settled: float
    guessing: bool
    nodes: int
    nodes_exact: bool

    @classmethod
    def of(cls, found: Assessment) -> Grade:
        """What was measured of a board."""
        graded = found.grade
        return cls(
            rung=graded.rung,
            steps=graded.steps,
            per_rung=graded.per_rung,
            settled=graded.settled,
            guessing=found.guessing,
            nodes=found.nodes,
            nodes_exact=found.nodes_exact,
        )


class Less(Report, frozen=True, kw_only=True):
    """A board with fewer or weaker clues and the same one solution.

    `lower` and `upper` bound the weight of a smallest set of clues; `settled` says that the method
    came to its end. `changes` are the clues that changed.
    """

    puzzle: Written
    lower: int
    upper: int
    settled: bool

    @classmethod
    def of(cls, made: Minimised) -> Less:
        """What `minimise` made."""
        return cls(
            puzzle=puzzle_of(made.puzzle),
            lower=made.lower,
            upper=made.upper,
            settled=made.settled,
        )


class Spare(Part, frozen=True, kw_only=True):
    """A clue that can be turned down by itself, and the form that is enough; null: it can go."""

    clue: Written
    enough: Written | None


class Spares(Report, frozen=True, kw_only=True):
    """Each clue of a board that alone can say less."""

    spare: tuple[Spare, ...]

    @classmethod
    def of(cls, found: Iterable[tuple[Clue, Clue | None]]) -> Spares:
        """Clues with the forms that are enough."""
        return cls(
            spare=tuple(
                Spare(clue=clue_of(clue), enough=clue_of(form) if form else None)
                for clue, form in found
            )
        )


class Change(Part, frozen=True, kw_only=True):
    """A clue put in the place of another, or of a blank cell; `now` null: taken away."""

    before: Written | None
    now: Written | None


class Mended(Report, frozen=True, kw_only=True):
    """Ways to mend a board, each a set of changes that leaves exactly one solution.

    `kind` is unique where nothing needs mending, more where clues say more, fewer where some are
    dropped. `solution` is the one that is meant. At `least` so many changes are needed, fewer than
    there are when the budget ended first.
    """

    kind: Literal["unique", "more", "fewer"]
    changes: tuple[tuple[Change, ...], ...]
    solution: Line | None
    all_tried: bool
    least: int

    @classmethod
    def of(cls, puzzle: Puzzle, mending: Mending) -> Mended:
        """What `mend` found."""
        return cls(
            kind=mending.kind,
            changes=tuple(
                tuple(
                    Change(
                        before=clue_of(change.before) if change.before else None,
                        now=clue_of(change.now) if change.now else None,
                    )
                    for change in way
                )
                for way in mending.changes
            ),
            solution=Line.of(mending.loop, puzzle) if mending.loop else None,
            all_tried=mending.all_tried,
            least=mending.least,
        )


class Sums(Report, frozen=True, kw_only=True):
    """What became of the boards of a bank: how many there are of each status."""

    boards: int
    statuses: dict[str, int]
    seconds: dict[str, float] = {}

    @classmethod
    def of(
        cls, counts: Mapping[str, int], order: Iterable[str], seconds: Mapping[str, float]
    ) -> Sums:
        """Counts, with a zero for each status that none has."""
        statuses = {status: counts.get(status, 0) for status in order}
        return cls(boards=sum(counts.values()), statuses=statuses, seconds=dict(seconds))


class Size(Part, frozen=True, kw_only=True):
    """The boards of one size in a bank, and their clues before and after."""

    rows: int
    cols: int
    boards: int
    clues_before: int
    clues_after: int


class BankLess(Report, frozen=True, kw_only=True):
    """What became of a bank that was minimised."""

    boards: int
    failed: int
    sizes: tuple[Size, ...]
    already: int
    unreadable: int


class Comparisons(Report, frozen=True, kw_only=True):
    """Whether all methods agree: boards by status, and what was not settled or differs.

    `lost` are boards that took their worker down twice, which are not among the boards;
    `timed_out` says that the seconds ended before all were compared.
    """

    boards: int
    statuses: dict[str, int]
    unsettled: dict[str, int]
    unreadable: tuple[str, ...]
    lost: tuple[str, ...]
    disagreements: tuple[dict[str, str], ...]
    timed_out: bool = False


class LoopCount(Report, frozen=True, kw_only=True):
    """How many loops a lattice has, as text since most readers of JSON would round it."""

    count: str
    by_length: dict[str, str] | None = None


class LoopSample(Report, frozen=True, kw_only=True):
    """Random loops of a lattice."""

    loops: tuple[Line, ...]


class Level(Part, frozen=True, kw_only=True):
    """What `author verify` found of a level.

    `verdict` is ok, failed or inconclusive; `status` is that of the board; `faults` are those of
    the mask's loop, `idle` the demands that do nothing, `spare` the pieces that can go alone.
    `failures` and `remarks` are the same as sentences.
    """

    name: str
    verdict: Literal["ok", "failed", "inconclusive"]
    status: Statuses
    clues: int
    seconds: float
    faults: tuple[Mistake, ...]
    idle: tuple[str, ...]
    spare: tuple[str, ...]
    failures: tuple[str, ...]
    remarks: tuple[str, ...]
    findings: Findings = {}


class Levels(Report, frozen=True, kw_only=True):
    """What `author verify` found of all levels; `unreadable` says what could not be read."""

    levels: tuple[Level, ...]
    verdicts: dict[str, int]
    unreadable: tuple[str, ...] = ()


class Converted(Report, frozen=True, kw_only=True):
    """A board in every format, None where a format cannot say it, and what deserves a look."""

    puzzle: Written
    formats: dict[str, str | None]
    remarks: tuple[str, ...]


class Examined(Report, frozen=True, kw_only=True):
    """What checking a line of a certificates file says, and the reason, if it is not accepted."""

    status: Literal["accepted", "multiple", "unproved", "not checked", "rejected", "unreadable"]
    reason: str | None


class Generated(Report, frozen=True, kw_only=True):
    """How many boards were made, and why others were not; `timed_out` says that time ended."""

    boards: int
    given_up: tuple[str, ...]
    timed_out: bool


class About(Part, frozen=True, kw_only=True):
    """A genre: its names, and the rungs of its ladder, easiest first."""

    name: str
    title: str
    other_names: tuple[str, ...]
    rungs: tuple[str, ...]


class Genres(Report, frozen=True, kw_only=True):
    """What a service knows, and all of its limits."""

    version: str
    genres: tuple[About, ...]
    difficulties: tuple[str, ...]
    sources: tuple[str, ...]
    formats: tuple[str, ...]
    limits: dict[str, Any]


class Shipped(Part, frozen=True, kw_only=True):
    """The boards of one genre, size and level that come with castlecp."""

    genre: str
    rows: int
    cols: int
    difficulty: str
    boards: int


class Banks(Report, frozen=True, kw_only=True):
    """The banks that come with castlecp."""

    banks: tuple[Shipped, ...]


class Boards(Report, frozen=True, kw_only=True):
    """Some lines of a bank, from number `first` of `total` on, counted from 0."""

    total: int
    first: int
    boards: tuple[Written, ...]


class Daily(Report, frozen=True, kw_only=True):
    """The board of a day."""

    date: str
    board: Written


class Names(Report, frozen=True, kw_only=True):
    """The names of the levels that come with castlecp."""

    levels: tuple[str, ...]


class Job(Report, frozen=True, kw_only=True):
    """A run over a bank: what became of its boards so far.

    `secret` is said once, to who started it. `reason` is why it has failed; `until` is when it is
    forgotten, as seconds since 1970, once it has ended.
    """

    id: str
    kind: Literal["certify", "minimise", "grade"]
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    boards: int
    done: int
    statuses: dict[str, int]
    reason: str | None = None
    until: float | None = None
    secret: str | None = None


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a question has no answer, as RFC 9457 has it; `detail` is the command line's sentence."""

    type: str
    title: str
    status: int
    detail: str
    request_id: str = ""


class Told(Part, frozen=True, kw_only=True):
    """How far a search is; see `castlecp.budget.Progress`."""

    phase: str
    steps: int
    seconds: float
    lower: int | None = None
    upper: int | None = None


def _reports() -> dict[str, type[Report]]:
    """All reports by the name in their format, without the version."""
    found = {}
    for kind in Report.__subclasses__():
        name = str(kind.__struct_config__.tag).removeprefix("castlecp-")
        found[name.rpartition("-")[0]] = kind
    return found


REGISTRY: Registry[type[Report]] = Registry(
    "report", lambda: sorted(_reports()), lambda name: _reports()[name]
)


def encode(report: Report) -> bytes:
    """A report as one line of JSON, without the end of the line."""
    return msgspec.json.encode(report)


def decode(text: bytes | str) -> Report:
    """The report that a text is. Raises msgspec.DecodeError."""
    kinds: Any = None
    for kind in _reports().values():
        kinds = kind if kinds is None else kinds | kind
    report: Report = msgspec.json.decode(text, type=kinds)
    return report


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a report, by its name as in `format`. Raises Unknown."""
    return msgspec.json.schema(REGISTRY[REGISTRY.name_of(name)])
