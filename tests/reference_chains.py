"""The shortest chain by single assumptions, by trying all: links one after the other, any first.

What rules find, and where, is theirs; in which order links are taken, which are left out and which
assumption is best is found out here by going through all sequences of so many links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from castlecp.kernels import compiled
from castlecp.ladder.rules import assumes, bit
from castlecp.ladder.shortest import find, find_at
from castlecp.propagation.board import Board
from castlecp.propagation.fixpoint import accept
from castlecp.propagation.state import DETAIL, LAYER, PLACE, RULES, TOLD, TRAIL, blank
from castlecp.propagation.trail import clear, undo


class TooMany(Exception):
    """More sequences than there may be."""


class Search:
    """All chains from what is known on a board, by some rules."""

    def __init__(self, board: Board, known: Iterable[int], rules: Iterable[str]) -> None:
        self.board, self.state = board, blank(board)
        self.rules = [bit(rule) for rule in rules if not assumes(rule)]
        self.left = 0
        for literal in known:
            assert accept(board, self.state, literal)

    def assumptions(self) -> list[int]:
        """What can be assumed: each open edge, or each face, both ways."""
        state, board = self.state, self.board
        edges = len(state.edge)
        if not board.by_faces:
            return [2 * e + v for e in range(edges) if state.edge[e] < 0 for v in (0, 1)]
        faces = [f for f in range(board.outer) if state.root[f] != board.outer]
        pairs = [edges + f * (board.outer + 1) + board.outer for f in faces]
        return [2 * pair + side for pair in pairs for side in (0, 1)]

    def has(self, links: int, most: int = 1 << 40) -> bool:
        """Whether some assumption has a chain of so many links at most. Raises TooMany."""
        self.left = most
        for literal in self.assumptions():
            mark = self.state.n[TRAIL]
            if not accept(self.board, self.state, literal):
                clear(self.board, self.state)
                undo(self.board, self.state, mark)
                return True
            found = self._dies(links)
            undo(self.board, self.state, mark)
            if found:
                return True
        return False

    def _dies(self, links: int) -> bool:
        """Whether so many more links end in a conflict."""
        self.left -= 1
        if self.left < 0:
            raise TooMany
        findings, dead = self._findings()
        if dead:
            return True
        if links == 1:
            return False
        for literals in findings:
            mark = self.state.n[TRAIL]
            alive = all(accept(self.board, self.state, x) for x in literals)
            clear(self.board, self.state)
            found = not alive or self._dies(links - 1)
            undo(self.board, self.state, mark)
            if found:
                return True
        return False

    def _findings(self) -> tuple[list[list[int]], bool]:
        """What each rule finds at each place, and whether one of them is a conflict."""
        board, state = self.board, self.state
        n, out = state.n, []
        for rule in self.rules:
            n[TOLD], n[RULES] = 0, LAYER
            alive = compiled(find)(board, state, rule)
            place, detail = n[PLACE], n[DETAIL]
            told: dict[Any, list[int]] = {}
            for t in range(n[TOLD]):
                at = tuple(state.source[2 * t : 2 * t + 2].tolist())
                told.setdefault(at, []).append(state.queue[t])
            out += told.values()
            clear(board, state)
            if not alive:
                # By what is known, not by what another place has just told.
                n[TOLD] = 1 << 40
                alive = find_at(board, state, rule, place, detail)
                clear(board, state)
            n[TOLD] = n[RULES] = 0
            if not alive:
                return [], True
        return out, False


def suppositions(climber: Any, log: Any) -> Iterator[tuple[int, Search]]:
    """Of each probe of a climb how many links it has, and the search from what was known."""
    known = list(climber.reading.board.given)
    for entry in log:
        if entry.rule == "failed_literal":
            easier = climber.rules[: climber.rules.index(entry.rule)]
            yield entry.detail, Search(climber.reading.board, known, easier)
        known += entry.literals
