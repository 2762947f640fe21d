"""Two edges or none at a vertex."""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.ladder.phrases import listed, told, ways
from castlecp.ladder.reasons import edges_of
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.propagation.board import ALWAYS, NEVER
from castlecp.propagation.rules.degree import vertex

#: The rule of the game that the line passes every vertex.
EVERYWHERE = "the line passes everywhere"


def reason(known: Known, v: int, _: int, literals: Sequence[int]) -> Reason:
    """Edges at the vertex, and what a clue there or the game says of it."""
    passed = known.board.passed[v]
    facts = known.leaning(vertex, v, edges_of(known.board, v), settles=literals)
    cell = divmod(v, known.board.cols)
    if passed == NEVER:
        return Reason(facts, (cell,))
    if passed == ALWAYS and not any(x & 1 for x in facts):
        here = known.reading.cells == "vertices" and cell in known.reading.says
        return Reason(facts, (cell,)) if here else Reason(facts, (), (EVERYWHERE,))
    return Reason(facts)


def sentence(words: Wording, taken: Taken) -> str:
    """Two edges or none at a vertex."""
    v, facts = taken.place, taken.reason.literals
    at = words.at_vertex(v)
    if words.board.passed[v] == NEVER:
        return f"no line enters {at}, so {told(words, taken.literals)}"
    on, off = ways(words, v, facts, 1), ways(words, v, facts, 0)
    goes = ways(words, v, taken.literals, 1)
    none = ways(words, v, taken.literals, 0)
    if len(on) == 2:
        return f"at {at} the line runs {listed(on)}, so it does not run {listed(none, 'or')}"
    closed = f" and none {listed(off, 'or')}" if off else ""
    if on:
        return f"at {at} there is a line {on[0]}{closed}, so it goes on {listed(goes)}"
    if goes:
        return f"the line passes {at}{closed and f', with{closed[4:]}'}, so it runs {listed(goes)}"
    closed = f"no line {listed(off, 'or')} and it cannot end" if off else "no way on"
    return f"at {at} there is {closed}, so it does not run {listed(none, 'or')}"


def dead(words: Wording, taken: Taken) -> str:
    """A vertex that the line enters, leaves out or cannot leave."""
    v, facts = taken.place, taken.reason.literals
    at, on = words.at_vertex(v), sum(x & 1 for x in facts)
    if words.board.passed[v] == NEVER:
        return f"the line {words.would('enters', 'enter')} {at}"
    if on > 2:
        return f"the line {words.would('branches', 'branch')} at {at}"
    if on == 0:
        return f"the line {words.would('cannot pass', 'not pass')} {at}"
    return f"at {at} the line {words.would('has', 'have')} no way out"


def places(words: Wording, v: int, _: int) -> Places:
    """The vertex."""
    return Places(vertices=(words.vertex(v),))


WORDS = Words(sentence, places, dead, reason, effort=1)
