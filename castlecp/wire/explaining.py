"""How a person solves a board: steps, a hint, a grade."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Vertex
from castlecp.wire.base import Part, Report, Statuses

if TYPE_CHECKING:
    from castlecp.ladder import Assessment
    from castlecp.ladder import Fact as Leant
    from castlecp.ladder import Nodes as Counted
    from castlecp.ladder import Step as Taken


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
    of a fork is two suppositions, each with its own. `move` is the number of the move, from 1, that
    made a mistake.
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
    move: int | None = None

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
            move=step.move,
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


class Nodes(Part, frozen=True, kw_only=True):
    """Nodes of the backtracker; at least so many where they are not `exact`."""

    number: int
    exact: bool

    @classmethod
    def of(cls, found: Counted | None) -> Nodes | None:
        """What was counted, if anything was."""
        return None if found is None else cls(number=found.number, exact=found.exact)


class Moves(Part, frozen=True, kw_only=True):
    """How many moves are open: at the start, where they are fewest, and on average."""

    start: int
    least: int
    mean: float


class Grade(Report, frozen=True, kw_only=True):
    """How hard a board is for a person.

    `number` is from 1 to 10, of a board that is `unique`; all else is said of what the ladder
    settles, which is the share `settled` of the edges. `rung` is the hardest rung needed,
    `per_rung` how often each was, a single finding at a time; `steps` are those that a person
    takes. `suppositions` is how often something must be supposed, `longest_chain` and `mean_chain`
    how many links follow. `guessing` says that the ladder stops before the end of a board that
    has one solution. `nodes` are those of the backtracker, `weak_nodes` those with rules that know
    clues and vertices alone. None is what was not found out before the budget ended.
    """

    number: float | None
    status: Statuses
    rung: str | None
    steps: int | None
    per_rung: dict[str, int]
    settled: float
    suppositions: int | None
    longest_chain: int | None
    mean_chain: float | None
    moves: Moves | None
    guessing: bool
    nodes: Nodes | None
    weak_nodes: Nodes | None

    @classmethod
    def of(cls, found: Assessment) -> Grade:
        """What was measured of a board."""
        moves = found.moves
        return cls(
            number=found.number,
            status=found.status,
            rung=found.grade.rung,
            steps=found.steps,
            per_rung=found.grade.per_rung,
            settled=found.grade.settled,
            suppositions=None if found.chains is None else len(found.chains),
            longest_chain=found.longest,
            mean_chain=found.mean_chain,
            moves=Moves(start=moves[0], least=min(moves), mean=round(fmean(moves), 1))
            if moves
            else None,
            guessing=found.guessing,
            nodes=Nodes.of(found.nodes),
            weak_nodes=Nodes.of(found.weak),
        )
