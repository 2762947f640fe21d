"""A set of edges with its number."""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.ladder.phrases import listed, most_of, number_of
from castlecp.ladder.wording import Wording, runs_in
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.propagation.rules.count import count_of


def members(words: Wording | Known, k: int) -> list[int]:
    """The edges that are counted."""
    board = words.board
    return list(board.count[board.count_at[k] : board.count_at[k + 1]])


def asked(words: Wording, k: int) -> str:
    """A clue, or what the rules count, or two clues and what they leave between them."""
    if len(words.reading.tellers[k]) <= 1:
        return words.at_count(k)
    return f"{words.at_count(k)} leave {number_of(words.board.number[k], 'edge')} between them"


def reason(known: Known, k: int, _: int, literals: Sequence[int]) -> Reason:
    """The clue, or the two clues, and edges that are counted."""
    facts = known.leaning(count_of, k, members(known, k), settles=literals)
    return Reason(facts, tuple((clue.row, clue.col) for clue in known.reading.tellers[k]))


def sentence(words: Wording, taken: Taken) -> str:
    """A clue, or two clues, whose number is reached or can only just be reached."""
    k, facts = taken.place, taken.reason.literals
    one = len(words.reading.tellers[k]) <= 1
    here, there = _where(words, k, facts), _where(words, k, taken.literals)
    between = "" if one else " between them"
    if taken.literals[0] & 1:
        need = f"need{'s' if one else ''} all edges left{between}"
        closed = f": none {here}" if facts else ""
        return f"{words.at_count(k)} {need}{closed}, so a line {there}"
    number = number_of(words.board.number[k], "edge")
    has = f"{'has its' if one else 'have their'} {number}{between}"
    reached = f", {here.removeprefix('on ')}" if facts else ""
    return f"{words.at_count(k)} {has}{reached}, so none {there}"


def _where(words: Wording, k: int, literals: Sequence[int]) -> str:
    """Where the edges are that literals of a count are about, to stand after "none"."""
    names = _names(words, k, literals)
    if names is None:
        return listed(most_of(words, words.runs(x >> 1 for x in literals)))
    return f"on {listed(most_of(words, names))}"


def _names(words: Wording, k: int, literals: Sequence[int]) -> list[str] | None:
    """The same as rows or columns, or as sides of a cell; None where they are neither."""
    edges = [words.edge(x >> 1) for x in literals]
    line = words.board.line[k]
    if line < 0:
        cells = [(clue.row, clue.col) for clue in words.reading.tellers[k][:1]]
        names = [name for cell in cells for name in words.sides_of(cell, edges)]
        return names if len(names) == len(edges) else None
    along = 1 if line < words.board.rows else 0
    runs = sorted(runs_in((0, edge[along]) for edge in edges))
    name = "columns" if along else "rows"
    names = [f"{first + 1} to {last + 2}" for (_, first), (_, last) in runs]
    return [f"{name} {names[0]}", *names[1:]] if names else []


def dead(words: Wording, taken: Taken) -> str:
    """Too many edges or too few."""
    k, facts = taken.place, taken.reason.literals
    number, on = words.board.number[k], sum(x & 1 for x in facts)
    if number < 0:
        return f"{words.at_count(k)} {words.would('contradict', 'contradict')} each other"
    much = "more" if on > number else "fewer"
    has = words.would("have" if len(words.reading.tellers[k]) > 1 else "has", "have")
    return f"{words.at_count(k)} {has} {much} than {number_of(number, 'edge')}"


def places(words: Wording, k: int, _: int) -> Places:
    """The clue, or the two clues, and the edges that are counted."""
    return words.told(words.reading.tellers[k], members(words, k))


WORDS = Words(sentence, places, dead, reason, effort=1)
