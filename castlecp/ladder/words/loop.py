"""The line is one loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from castlecp.ladder.phrases import listed, most_of, number_of, told
from castlecp.ladder.reasons import minimal
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.propagation.board import Board
from castlecp.propagation.rules.loop import CUT_OFF, FINISHED, NO_LINE, SHORT, TWO_LOOPS

#: The rule of the game.
ONE_LINE = "the line is one loop"


def reason(known: Known, e: int, why: int, literals: Sequence[int]) -> Reason:
    """A closed piece, or one that would be, and another; or what cuts a piece off."""
    board, state = known.board, known.state
    edges = range(known.edges)
    if why == NO_LINE:
        return Reason(tuple(2 * e for e in edges), (), (ONE_LINE,))
    on = [e for e in edges if state.edge[e] == 1]
    if why == CUT_OFF:
        facts = _cut(known, on[0], [x >> 1 for x in literals] or [e])
        more = {on[0], *([] if literals else [e])}
        return Reason((*(2 * x + 1 for x in sorted(more)), *facts), (), (ONE_LINE,))
    ring = _path(board, on, e) if why == SHORT else _closed(board, on)
    line = [2 * x + 1 for x in sorted(ring)]
    if why != FINISHED:
        line.append(next(2 * x + 1 for x in on if x not in ring))
    return Reason(tuple(line), (), (ONE_LINE,))


def _path(board: Board, on: Iterable[int], e: int) -> set[int]:
    """The edges of the piece of line whose ends an edge joins."""
    here, end, path, left = board.ends[2 * e], board.ends[2 * e + 1], set(), set(on)
    while here != end:
        step = next(x for x in board.near[4 * here : 4 * here + 4] if x in left and x not in path)
        path.add(step)
        here = board.ends[2 * step] + board.ends[2 * step + 1] - here
    return path


def _closed(board: Board, on: Sequence[int]) -> set[int]:
    """The edges of a piece of line that is closed: the others have loose ends."""
    left = set(on)
    while True:
        ends = Counter(v for e in left for v in board.ends[2 * e : 2 * e + 2])
        loose = {e for e in left if 1 in map(ends.get, board.ends[2 * e : 2 * e + 2])}
        if not loose:
            break
        left -= loose
    ring = {min(left)}
    while True:
        vertices = {v for e in ring for v in board.ends[2 * e : 2 * e + 2]}
        more = {e for e in left - ring if vertices & {*board.ends[2 * e : 2 * e + 2]}}
        if not more:
            return ring
        ring |= more


def _cut(known: Known, start: int, beyond: Sequence[int]) -> tuple[int, ...]:
    """Edges that are off and part a piece of line from other edges."""
    board = known.board

    def reached(off: set[int]) -> set[int]:
        here = [*board.ends[2 * start : 2 * start + 2]]
        seen = set(here)
        while here:
            v = here.pop()
            for e in board.near[4 * v : 4 * v + 4]:
                if e >= 0 and e not in off:
                    w = board.ends[2 * e] + board.ends[2 * e + 1] - v
                    if w not in seen:
                        seen.add(w)
                        here.append(w)
        return seen

    off = {e for e in range(known.edges) if known.state.edge[e] == 0}
    here = reached(off)
    rim = [e for e in sorted(off) if len(here & {*board.ends[2 * e : 2 * e + 2]}) == 1]
    return minimal(
        [2 * e for e in rim],
        lambda facts: (
            not any(
                board.ends[2 * e] in seen or board.ends[2 * e + 1] in seen
                for seen in [reached({x >> 1 for x in facts})]
                for e in beyond
            )
        ),
    )


def sentence(words: Wording, taken: Taken) -> str:
    """The line is one loop."""
    facts, settled = taken.reason.literals, told(words, taken.literals)
    if taken.detail == FINISHED:
        return f"{_ring(words, facts)} is closed, so {settled}"
    if taken.detail == SHORT:
        *piece, other = facts
        here, left = (words.runs([e])[0] for e in (taken.place, other >> 1))
        size = number_of(len(piece), "edge")
        return (
            f"a line {here} would close a piece of {size} and leave out the line {left}, "
            "so there is none"
        )
    start, *cut = facts
    at = words.runs([start >> 1])[0]
    return f"the line {at} cannot get further: {told(words, cut)}, so {settled}"


def _ring(words: Wording, ring: Sequence[int]) -> str:
    first = words.at_vertex(words.board.ends[2 * (ring[0] >> 1)])
    return f"a piece of {number_of(len(ring), 'edge')} through {first}"


def dead(words: Wording, taken: Taken) -> str:
    """No line, two loops, or pieces that cannot meet."""
    facts = taken.reason.literals
    if taken.detail == NO_LINE:
        return f"there {words.would('is', 'be')} no line at all"
    if taken.detail == TWO_LOOPS:
        *ring, other = facts
        also = f"{words.would('is', 'be')} closed without the line"
        return f"{_ring(words, ring)} {also} {words.runs([other >> 1])[0]}"
    pieces = most_of(words, words.runs(x >> 1 for x in facts if x & 1))
    return f"the line {listed(pieces)} {words.would('cannot', 'not')} meet"


def places(words: Wording, e: int, _: int) -> Places:
    """The edge, on a board that has any."""
    return Places(edges=(words.edge(e),) if words.lattice.edges else ())


WORDS = Words(sentence, places, dead, reason)
