"""A count with the faces beside it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from castlecp.ladder.phrases import given, number_of, told
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.ladder.words.count import asked, members
from castlecp.propagation.rules import ray


def reason(known: Known, k: int, _: int, literals: Sequence[int]) -> Reason:
    """The clue, or the two clues, edges on the stretch and off it, and faces beside it."""
    board, edges = known.board, members(known, k)
    leaving = []
    for e, follows in pairwise(edges):
        (v,) = {*board.ends[2 * e : 2 * e + 2]} & {*board.ends[2 * follows : 2 * follows + 2]}
        leaving += [x for x in board.near[4 * v : 4 * v + 4] if x not in (e, follows)]
    faces = [f for e in edges for f in board.beside[2 * e : 2 * e + 2]]
    facts = known.leaning(ray.ray, k, edges + leaving, faces, literals)
    return Reason(facts, tuple((clue.row, clue.col) for clue in known.reading.tellers[k]))


def sentence(words: Wording, taken: Taken) -> str:
    """A count with the faces beside it."""
    k, settled = taken.place, told(words, taken.literals)
    number = number_of(words.board.number[k], "edge")
    facts = given(words, taken.reason.literals)
    return f"{asked(words, k)}{facts}, so to place {number} {settled}"


def dead(words: Wording, taken: Taken) -> str:
    """No way is left to place the edges."""
    number = number_of(words.board.number[taken.place], "edge")
    return (
        f"{words.at_count(taken.place)} {words.would('has', 'have')} no way left to place {number}"
    )


def places(words: Wording, k: int, _: int) -> Places:
    """The clue, or the two clues, and the edges that are counted."""
    return words.told(words.reading.tellers[k], members(words, k))


WORDS = Words(sentence, places, dead, reason, effort=4)
