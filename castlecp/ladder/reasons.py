"""What a step leans on: of all that is known as little as its rule needs, and when it was found.

What is known are literals (see `castlecp.propagation.state`): edges, and relations of faces. A
reason is minimal with respect to the plain meaning of its rule at its place: what the step settles
follows from the reason, and does not when any of it is taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Self

from castlecp.propagation.board import Board
from castlecp.propagation.fixpoint import accept
from castlecp.propagation.reading import Reading
from castlecp.propagation.state import HEAD, TAIL, TRAIL, State, blank
from castlecp.propagation.trail import clear, related, settle, undo

Cell = tuple[int, int]


class Reason(NamedTuple):
    """What a step leans on: literals that are known, cells of clues, and rules of the line."""

    literals: tuple[int, ...] = ()
    clues: tuple[Cell, ...] = ()
    rules: tuple[str, ...] = ()


class Known:
    """What is known on a board, and since which step: 0 from the start."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.board = reading, reading.board
        self.state = blank(self.board)
        self.edges, self.outer = len(self.state.edge), self.board.outer
        self._since = [0] * self.edges
        # Faces whose relation is known, as a forest: the faces beside each, and since when.
        self._near: list[list[tuple[int, int]]] = [[] for _ in range(self.outer + 1)]
        self._blank = blank(self.board)
        #: What a rule keeps of a place whatever is known there.
        self.kept: dict[int, Any] = {}
        #: What was told, in order, with its step.
        self.trail: list[tuple[int, int]] = []
        self._marks: list[tuple[int, bool]] = []

    @classmethod
    def of(cls, reading: Reading, literals: Iterable[tuple[int, int]]) -> Self:
        """What these literals say, each with its step."""
        known = cls(reading)
        for literal, step in literals:
            known.add(literal, step)
        return known

    def add(self, literal: int, step: int) -> None:
        """Let a literal be known since a step, none earlier than those before."""
        f, g = self.faces_of(literal)
        apart = self.state.root[f] != self.state.root[g]
        if apart:
            self._near[f].append((g, step))
            self._near[g].append((f, step))
        mark = self.state.n[TRAIL]
        self.trail.append((literal, step))
        self._marks.append((mark, apart))
        accept(self.board, self.state, literal)
        for k in range(mark, self.state.n[TRAIL]):
            settled = self.state.trail[k]
            if settled >= 0:
                self._since[settled >> 1] = step

    def back(self, length: int) -> None:
        """Let only so many of the literals of the trail be known, the first ones."""
        while len(self.trail) > length:
            literal, _ = self.trail.pop()
            mark, apart = self._marks.pop()
            if apart:
                for f in self.faces_of(literal):
                    self._near[f].pop()
            undo(self.board, self.state, mark)

    def holds(self, literal: int) -> bool:
        """Whether a literal is known."""
        if literal < 2 * self.edges:
            return bool(self.state.edge[literal >> 1] == literal & 1)
        return related(self.state, *self.faces_of(literal)) == literal & 1

    def faces_of(self, literal: int) -> tuple[int, int]:
        """The two faces that a literal relates, those beside an edge."""
        if literal >= 2 * self.edges:
            return divmod((literal >> 1) - self.edges, self.outer + 1)
        e = literal >> 1
        return self.board.beside[2 * e], self.board.beside[2 * e + 1]

    def since(self, literal: int) -> tuple[int, ...]:
        """The steps that together gave a literal that is known, in order."""
        if literal < 2 * self.edges:
            return (self._since[literal >> 1],)
        start, end = self.faces_of(literal)
        came: dict[int, tuple[int, int]] = {start: (start, 0)}
        here = [start]
        while end not in came:
            f = here.pop()
            for g, step in self._near[f]:
                if g not in came:
                    came[g] = f, step
                    here.append(g)
        steps = set()
        while end != start:
            end, step = came[end]
            steps.add(step)
        return tuple(sorted(steps))

    def edge(self, e: int) -> list[int]:
        """What is known of an edge, as no or one literal; an edge that is not there is -1."""
        return [2 * e + self.state.edge[e]] if e >= 0 and self.state.edge[e] >= 0 else []

    def side(self, f: int) -> list[int]:
        """What is known of the side of a face, as no or one literal; the outer face is no news."""
        return [] if f == self.outer else self._relation(f, self.outer)

    def relation(self, f: int, g: int) -> list[int]:
        """What is known of the relation of two faces: of their sides if these are known."""
        if f == g:
            return []
        sides = self.side(f) + self.side(g)
        if self.outer in (f, g) or len(sides) == 2:
            return sides
        return self._relation(min(f, g), max(f, g))

    def between(self, e: int) -> list[int]:
        """What is known of the relation of the faces beside an edge, whatever their sides."""
        f, g = self.faces_of(2 * e)
        return self._relation(min(f, g), max(f, g))

    def _relation(self, f: int, g: int) -> list[int]:
        differ = related(self.state, f, g)
        return [self.related(f, g, differ)] if differ >= 0 else []

    def related(self, f: int, g: int, differ: int) -> int:
        """The literal that two faces differ, or not."""
        return 2 * (self.edges + f * (self.outer + 1) + g) + differ

    def holding(self, literals: Iterable[int]) -> State:
        """A state in which these literals are all that is known; the next call takes it back."""
        undo(self.board, self._blank, 0)
        for literal in literals:
            settle(self.board, self._blank, literal)
        clear(self.board, self._blank)
        return self._blank

    def leaning(
        self,
        kernel: Callable[[Board, State, int], bool],
        place: int,
        edges: Iterable[int] = (),
        faces: Iterable[int] = (),
        settles: Sequence[int] = (),
    ) -> tuple[int, ...]:
        """What the kernel of a rule needs at a place to settle literals, or to end in a conflict.

        That is some of what is known of these edges and sides of faces.
        """
        known = [x for f in dict.fromkeys(faces) for x in self.side(f)]
        known += [x for e in dict.fromkeys(edges) for x in self.edge(e)]

        def follows(literals: Sequence[int]) -> bool:
            state = self.holding(literals)
            alive = kernel(self.board, state, place)
            if not settles or not alive:
                return alive != bool(not settles)
            found = state.queue[state.n[HEAD] : state.n[TAIL]]
            return set(settles) <= set(found)

        return minimal(known, follows)


def minimal(known: Sequence[int], follows: Callable[[Sequence[int]], bool]) -> tuple[int, ...]:
    """Some of what is known from which it follows still, and not when any one is taken away.

    Literals go in their order, in halves where that is enough (Junker 2004, QuickXplain); so what
    one would rather not lean on comes first. `follows` is true of all that is known, and whatever
    has it has it with more.
    """

    def needed(sure: list[int], asked: bool, rest: list[int]) -> list[int]:
        if asked and follows(sure):
            return []
        if len(rest) == 1:
            return rest
        half = len(rest) // 2
        first, second = rest[:half], rest[half:]
        kept = needed(sure + second, bool(second), first)
        return needed(sure + kept, bool(kept), second) + kept

    if not known or follows([]):
        return ()
    kept = set(needed([], False, list(known)))
    return tuple(literal for literal in known if literal in kept)


def edges_of(board: Board, v: int) -> list[int]:
    """The edges at a vertex."""
    return [e for e in board.near[4 * v : 4 * v + 4] if e >= 0]
