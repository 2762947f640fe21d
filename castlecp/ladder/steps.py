"""The steps of a climb in words: what each settles, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from castlecp.budget import Budget
from castlecp.errors import OutOfBudget
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Vertex
from castlecp.ladder.assumptions import Assumption
from castlecp.ladder.climber import Climber, Entry, climbed
from castlecp.ladder.climbing import CONFLICT, STOPPED
from castlecp.ladder.facts import Fact
from castlecp.ladder.rules import RECORDS, assumes
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import REGISTRY as WORDS
from castlecp.position import Position
from castlecp.propagation.fixpoint import accept
from castlecp.propagation.state import State, blank


@dataclass(frozen=True)
class Step:
    """One step of a solution: what is settled and why.

    `relations` are pairs of faces that lie on the same side of the line (False) or on
    different sides (True); None stands for the outside beyond the border, so that a pair with
    None says that a face is outside or inside. `vertices`, `edges` and `faces` are where the
    reason is. `assumed` is the edge (on or off) or the face (inside or outside) that a probe
    assumes, and `chain` what follows from that up to the contradiction, which is a step that
    settles nothing. `facts` are all that the step leans on, and `then` the trivial consequences
    of what it settles, which are steps themselves.
    """

    rung: str
    sentence: str
    on: tuple[Edge, ...] = ()
    off: tuple[Edge, ...] = ()
    relations: tuple[tuple[Face | None, Face | None, bool], ...] = ()
    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    faces: tuple[Face, ...] = ()
    assumed: tuple[Edge | Face, bool] | None = None
    chain: tuple[Step, ...] = field(default=(), repr=False)
    #: The rule behind the rung.
    rule: str = ""
    facts: tuple[Fact, ...] = ()
    then: tuple[Step, ...] = field(default=(), repr=False)


def explain(
    puzzle: Puzzle,
    rules: Sequence[str] | None = None,
    chains: bool = True,
    budget: Budget | None = None,
) -> list[Step]:
    """The steps of a person's solution, in order, as far as the ladder goes.

    `rules` are the names of the rules to use, easiest first; None for the genre's whole ladder.
    Without `chains` the steps of probes do not say how their assumption ends. The last step
    settles nothing when the board has no answer. Raises OutOfBudget; what is `known` are then the
    steps so far.
    """
    budget = budget or Budget()
    return steps_of(Climber.of(puzzle, rules, budget), chains, budget)


def steps_of(climber: Climber, chains: bool = True, budget: Budget | None = None) -> list[Step]:
    """The steps of a climb; `chains` as in `explain`, and so is what it raises."""
    budget = budget or Budget()
    budget.tell(phase="climbing")
    end, log = climber.run(budget)
    budget.tell(phase="putting steps into words")
    if end == STOPPED:
        # What was found is told all the same, but nothing more is looked for.
        raise budget.over(_Telling(climber, Budget()).steps(log, chains=False))
    return _Telling(climber, budget.aside()).steps(log, chains)


def contradicts(steps: Sequence[Step]) -> bool:
    """Whether the last step settles nothing: the board has no solution."""
    return bool(steps) and not (steps[-1].on or steps[-1].off or steps[-1].relations)


def settled(steps: Sequence[Step]) -> int:
    """How many edges are settled in the end."""
    return len({edge for step in steps for edge in (*step.on, *step.off)})


def finishes(puzzle: Puzzle, steps: Sequence[Step]) -> bool:
    """Whether the steps settle every edge of a puzzle."""
    return settled(steps) == puzzle.lattice.number_of_edges and not contradicts(steps)


def literals_of(puzzle: Puzzle, position: Position) -> list[int]:
    """What is drawn, as literals: see `castlecp.propagation.state`."""
    edges, across = puzzle.lattice.edges, puzzle.lattice.cols - 1
    outer = len(list(puzzle.lattice.faces()))
    number = {edge: k for k, edge in enumerate(edges)}
    known = [2 * number[edge] + 1 for edge in sorted(position.on)]
    known += [2 * number[edge] for edge in sorted(position.off)]
    for side, faces in enumerate((position.outside, position.inside)):
        for r, c in sorted(faces):
            known.append(2 * (len(edges) + (r * across + c) * (outer + 1) + outer) + side)
    return known


def next_drawn(
    puzzle: Puzzle, position: Position, shades: bool = False, budget: Budget | None = None
) -> Step | None:
    """The easiest next step from what a player has drawn, all of which is known.

    The step returned is the first that settles something of a kind that the player draws: an edge
    that is on, or with `shades` a face outside, and besides whatever is drawn already: crosses,
    faces outside, faces inside. Other steps are taken silently, and the reason may lean on them.
    None when the ladder finds no such step. On a position that contradicts the solution the step
    may do so too; `hints` looks after that. Raises OutOfBudget.
    """
    budget = budget or Budget()
    climber = Climber.of(puzzle, budget=budget)
    edges, outer = puzzle.lattice.number_of_edges, climber.reading.board.outer
    known = literals_of(puzzle, position)
    end, log = climber.run(budget, known)
    on, outside = not shades or position.on, shades or position.outside

    def draws(literal: int) -> bool:
        if literal < 2 * edges:
            return bool(on if literal & 1 else position.off)
        if ((literal >> 1) - edges) % (outer + 1) != outer:
            return False  # two faces by their relation, which nobody draws
        return bool(position.inside if literal & 1 else outside)

    for k, entry in enumerate(log):
        if any(map(draws, entry.literals)):
            telling = _Telling(climber, budget.aside())
            return telling.steps(log[: k + 1], True, known, first=k)[0]
    if end == STOPPED:
        raise budget.over()
    return None


def contradiction(puzzle: Puzzle, position: Position, budget: Budget) -> tuple[Step, bool] | None:
    """Why no loop has all that is drawn, and whether what is drawn says so without another step.

    By the rules of the ladder that assume nothing; None when they find nothing, which is no proof
    that there is such a loop. Raises OutOfBudget.
    """
    climber = Climber.of(puzzle, budget=budget)
    climber.rules = [rule for rule in climber.rules if not assumes(rule)]
    known = literals_of(puzzle, position)
    end, log = climber.run(budget, known)
    if end == STOPPED:
        raise budget.over()
    if end != CONFLICT:
        return None
    telling = _Telling(climber, budget.aside())
    return telling.steps(log, False, known, first=len(log) - 1)[0], len(log) == 1


class _Telling:
    """A climb in words."""

    def __init__(self, climber: Climber, budget: Budget) -> None:
        self.rules, self.rungs, self.budget = climber.rules, climber.rungs, budget
        self.words = Wording(climber.reading)

    def steps(
        self,
        log: list[Entry],
        chains: bool,
        known: Sequence[int] = (),
        first: int = 0,
    ) -> list[Step]:
        """The log in words, from entry `first` on, by going through it once more.

        Raises OutOfBudget; what is `known` are then the steps so far.
        """
        if not log:
            return []
        board = self.words.board
        state = blank(board)
        for literal in [*board.given, *known]:
            accept(board, state, literal)
        trail = [*board.given, *known]
        steps = []
        for k, entry in enumerate(log):
            if k >= first:
                try:
                    self.budget.look()
                    steps.append(self._step(state, entry, trail, chains))
                except OutOfBudget as ended:
                    raise type(ended)(str(ended), steps) from None
            for literal in entry.literals:
                accept(board, state, literal)
            trail += entry.literals
        return steps

    def _step(self, state: State, entry: Entry, trail: list[int], chains: bool) -> Step:
        words, (rule, place, detail, literals) = self.words, entry
        edges = len(state.edge)
        faces = words.board.outer + 1
        settled = [literal for literal in literals if literal < 2 * edges]
        relations = []
        for literal in literals:
            if literal >= 2 * edges:
                f, g = divmod((literal >> 1) - edges, faces)
                relations.append((words.face(f), words.face(g), literal & 1 == 1))
        assumed: tuple[Edge | Face, bool] | None = None
        chain: tuple[Step, ...] = ()
        within = self._within(rule)
        if within is not None:
            assumed = (words.thing(place), place & 1 == 1)
            if chains:
                chain = self._chain(within, [*trail, place])
        said = WORDS[rule]
        if said.clash and place == detail == -1:
            sentence, where = said.clash(words, trail)
        else:
            sentence = said.sentence(words, state, place, detail, literals)
            where = said.places(words, place, detail)
        return Step(
            self.rungs.get(rule, rule),
            sentence[0].upper() + sentence[1:],
            tuple(words.edge(x >> 1) for x in settled if x & 1),
            tuple(words.edge(x >> 1) for x in settled if not x & 1),
            tuple(relations),
            where.vertices,
            where.edges,
            where.faces,
            assumed,
            chain,
            rule,
        )

    def _within(self, rule: str) -> list[str] | None:
        """The rules by which an assumption of a rule ends in a conflict, if it looks for that."""
        record = RECORDS[rule]
        if not isinstance(record, Assumption) or record.within is None:
            return None
        easier = self.rules[: self.rules.index(rule)]
        return [name for name in easier if not assumes(name) or name in record.within]

    def _chain(self, rules: list[str], trail: list[int]) -> tuple[Step, ...]:
        """What follows from a trail whose last literal is assumed, up to the contradiction."""
        board = self.words.board
        end, log = climbed(board, trail, rules, self.budget)
        if end == STOPPED:
            raise self.budget.over()
        return tuple(self.steps(log, False, trail[len(board.given) :]))
