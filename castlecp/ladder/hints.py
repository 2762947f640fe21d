"""Hints for a player: what is wrong with what is drawn, or what to draw next and why."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from castlecp.backtrack import backtrack
from castlecp.budget import Budget
from castlecp.errors import Unfit
from castlecp.genres import Puzzle
from castlecp.grid import Edge, Face, Loop
from castlecp.ladder.facts import Degree
from castlecp.ladder.phrases import listed, most_of
from castlecp.ladder.steps import Step, next_drawn
from castlecp.ladder.wording import Wording
from castlecp.position import Mark, Position
from castlecp.propagation import genres as readers

#: How many places "where" names.
LOOK = 3


def in_degree(puzzle: Puzzle, step: Step, degree: Degree) -> Step:
    """As much of a step as a hint of that degree says: of "where" only the places."""
    if degree == "do":
        return step
    less = replace(step, on=(), off=(), relations=(), then=(), chain=())
    if degree == "why":
        return less
    return replace(less, sentence=_where(puzzle, step), facts=(), assumed=None)


def _where(puzzle: Puzzle, step: Step) -> str:
    """Where one is to look, in a sentence: the clues there, or else what there is."""
    words = Wording(readers.of(puzzle).read(puzzle), most=LOOK)
    clues = [fact.clue for fact in step.facts if fact.clue is not None]
    across = puzzle.lattice.cols - 1
    names = words.at_cells(clues)
    if not names:
        names = [words.at_vertex(r * puzzle.lattice.cols + c) for r, c in step.vertices]
    if not names:
        names = [words.at_face(r * across + c) for r, c in step.faces]
    if not names:
        names = [words.at_edge(puzzle.lattice.edges.index(edge)) for edge in step.edges]
    wrong = ": something is wrong there" if step.rung == "mistake" else ""
    made = f", which move {step.move} drew" if step.move else ""
    if not names:
        return "Look at the board as a whole."
    return f"Look at {listed(most_of(words, names))}{made}{wrong}."


def next_step(
    puzzle: Puzzle,
    drawn: Position,
    solution: Loop | None = None,
    budget: Budget | None = None,
) -> Step | None:
    """The next step from what a player has drawn; None when the solution is.

    What the solution does not have comes first (rung "mistake"): a wrong edge, a wrong cross, a
    face marked wrongly, of which that of the earliest of the position's moves; its step settles
    what is true. Then comes the easiest step of the ladder
    that settles something of the kinds that are drawn (see `next_drawn`), then an edge or a face
    of the solution (rung "solution"). In a genre that shades what is outside, a hint is about
    shading until a line with loose ends is drawn, and a line without any is what parts the shaded
    faces from the others, which may be shaded yet. Without a `solution` it is searched for.

    Raises Unfit when the puzzle has not exactly one solution, ValueError when the position lies on
    another lattice, and OutOfBudget.
    """
    budget = budget or Budget()
    if solution is None:
        budget.tell(phase="searching")
        found = backtrack(puzzle, budget=budget)
        if found.ended == "budget":
            raise budget.over()
        if not found.exact or len(found.loops) != 1:
            number = "several" if found.loops else "none"
            raise Unfit(f"only a puzzle with exactly one solution has hints, this one has {number}")
        solution = found.loops[0]
    position = drawn
    if position.lattice != puzzle.lattice:
        raise ValueError("the position is on another lattice than the puzzle")
    told = _Told(puzzle, solution)
    shades = puzzle.SHADES_OUTSIDE and position.line.has_sides
    if shades and position.on and position.on != solution.edges:
        # A fence: what is beyond it is as good as shaded, and the fence itself may move yet.
        beyond = told.outside.union(solution.inside) - position.line.inside - position.inside
        position = replace(position, on=frozenset(), outside=position.outside | beyond)
    mistake = told.mistake(position)
    if mistake is not None:
        return mistake
    if position.on == solution.edges or (shades and position.outside == told.outside):
        return None
    step = next_drawn(puzzle, position, shades, budget)
    return step or told.missing(position, shades)


class _Told:
    """What the solution of a puzzle tells."""

    def __init__(self, puzzle: Puzzle, solution: Loop) -> None:
        self.puzzle, self.solution = puzzle, solution
        self.outside = frozenset(puzzle.lattice.faces()) - solution.inside

    def mistake(self, position: Position) -> Step | None:
        """What is drawn and wrong, by the earliest move, or else the line first."""
        edges, inside = self.solution.edges, self.solution.inside
        wrong: list[Mark] = [(edge, True) for edge in sorted(position.on - edges)]
        wrong += [(edge, False) for edge in sorted(position.off & edges)]
        wrong += [(face, False) for face in sorted(position.outside & inside)]
        wrong += [(face, True) for face in sorted(position.inside - inside)]
        if not wrong:
            return None
        thing, value = min(wrong, key=lambda mark: position.made(mark) or inf)
        made = position.made((thing, value))
        step = (
            self.edge("mistake", thing) if isinstance(thing, Edge) else self.face("mistake", thing)
        )
        if made is None:
            return step
        text = f"Move {made} is wrong: {step.sentence[0].lower()}{step.sentence[1:]}"
        return replace(step, sentence=text, move=made)

    def missing(self, position: Position, shades: bool) -> Step:
        """Something to draw, without a reason."""
        if shades:
            return self.face("solution", min(self.outside - position.outside))
        return self.edge("solution", min(self.solution.edges - position.on))

    def edge(self, rung: str, edge: Edge) -> Step:
        """What an edge is."""
        number = self.puzzle.lattice.edges.index(edge)
        words = _sentence(self.words.at_edge(number))
        if edge in self.solution.edges:
            return Step(rung, f"{words} is on the loop.", on=(edge,), edges=(edge,))
        return Step(rung, f"{words} is not on the loop.", off=(edge,), edges=(edge,))

    def face(self, rung: str, face: Face) -> Step:
        """What a face is."""
        r, c = face
        side = face in self.solution.inside
        words = _sentence(self.words.at_face(r * (self.puzzle.lattice.cols - 1) + c))
        text = f"{words} is {self.words.reading.sides[side]}."
        return Step(rung, text, relations=((face, None, side),), faces=(face,))

    @property
    def words(self) -> Wording:
        """What the parts of the board are called."""
        return Wording(readers.of(self.puzzle).read(self.puzzle))


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]
