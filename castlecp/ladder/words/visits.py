"""A set of vertices of which the line passes so many."""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.ladder.phrases import given, number_of, told
from castlecp.ladder.reasons import edges_of
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.propagation.rules.visits import visit


def members(words: Wording | Known, k: int) -> list[int]:
    """The vertices."""
    board = words.board
    return list(board.visit[board.visit_at[k] : board.visit_at[k + 1]])


def reason(known: Known, k: int, _: int, literals: Sequence[int]) -> Reason:
    """The clues and edges at the vertices."""
    edges = [e for v in members(known, k) for e in edges_of(known.board, v)]
    facts = known.leaning(visit, k, edges, settles=literals)
    return Reason(facts, tuple((clue.row, clue.col) for clue in known.reading.visits[k].clues))


def sentence(words: Wording, taken: Taken) -> str:
    """A number of visited vertices that is reached or can only just be reached."""
    facts = taken.reason.literals
    return f"{_asked(words, taken)}{given(words, facts)}, so {told(words, taken.literals)}"


def _asked(words: Wording, taken: Taken) -> str:
    said = words.reading.visits[taken.place]
    number = number_of(words.board.visits[taken.place], f"visited {words.points}")
    return words.said(said, f"{said.words} needs {number}")


def dead(words: Wording, taken: Taken) -> str:
    """Too many vertices or too few."""
    said = words.reading.visits[taken.place]
    number = number_of(words.board.visits[taken.place], f"visited {words.points}")
    at = words.at_clues(said.clues)
    return f"{said.words}{at and f', for {at},'} {words.would('cannot have', 'not have')} {number}"


def places(words: Wording, k: int, _: int) -> Places:
    """The clues and the vertices."""
    told = words.told(words.reading.visits[k].clues, ())
    inside = map(words.vertex, members(words, k))
    return Places(vertices=(*told.vertices, *inside), faces=told.faces)


WORDS = Words(sentence, places, dead, reason, effort=1)
