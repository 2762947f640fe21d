"""The line crosses a row an even, or odd, number of times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from castlecp.ladder.phrases import listed, most_of
from castlecp.ladder.wording import Wording, runs_in
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.propagation.rules.parity import row_of


def members(words: Wording | Known, k: int) -> list[int]:
    """The edges of the row."""
    board = words.board
    return list(board.row[board.row_at[k] : board.row_at[k + 1]])


def reason(known: Known, k: int, _: int, literals: Sequence[int]) -> Reason:
    """The clue, if one says so, and all other edges of the row."""
    facts = known.leaning(row_of, k, members(known, k), settles=literals)
    return Reason(facts, tuple((clue.row, clue.col) for clue in known.reading.rows[k].clues))


def sentence(words: Wording, taken: Taken) -> str:
    """The line crosses a row an even, or odd, number of times."""
    so = "" if taken.literals[0] & 1 else "not "
    return f"{_asked(words, taken)}, so {so}in {listed(_across(words, taken.literals))}"


def dead(words: Wording, taken: Taken) -> str:
    """The wrong parity."""
    said, right = words.reading.rows[taken.place], words.board.odd[taken.place]
    text = f"{said.words} the line {words.would('crosses', 'cross')} an"
    text = f"{text} {_KINDS[1 - right]} number of times, not an {_KINDS[right]}"
    return words.said(said, text)


_KINDS = ("even", "odd")


def _asked(words: Wording, taken: Taken) -> str:
    k, facts = taken.place, taken.reason.literals
    said, kind = words.reading.rows[k], _KINDS[words.board.odd[k]]
    text = words.said(said, f"{said.words} the line crosses an {kind} number of times")
    crossed = _across(words, [x for x in facts if x & 1])
    closed = _across(words, [x for x in facts if not x & 1])
    parts = [f"in {listed(most_of(words, crossed))}"] if crossed else []
    parts += [f"not in {listed(most_of(words, closed), 'or')}"] if closed else []
    return f"{text}: {', '.join(parts)}" if parts else text


def _across(words: Wording, literals: Iterable[int]) -> list[str]:
    """The columns, or the rows, in which a row of edges is crossed."""
    edges = [words.edge(x >> 1) for x in literals]
    if not edges:
        return []
    standing = edges[0].r1 != edges[0].r2
    numbers = [(0, edge.c1 if standing else edge.r1) for edge in edges]
    name, out = "column" if standing else "row", []
    for (_, first), (_, last) in sorted(runs_in(numbers)):
        out.append(f"{first + 1}" if first == last else f"{first + 1} to {last + 1}")
    return [f"{name}{'s' if len(numbers) > 1 else ''} {out[0]}", *out[1:]]


def places(words: Wording, k: int, _: int) -> Places:
    """The edges of the row."""
    return Places(edges=tuple(map(words.edge, members(words, k))))


WORDS = Words(sentence, places, dead, reason)
