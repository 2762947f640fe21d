"""All ways in which a few edges can be on or off."""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.ladder.phrases import told
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.propagation.rules.table import ways_of


def members(words: Wording | Known, k: int) -> list[int]:
    """The edges of the table."""
    board = words.board
    return list(board.table[board.table_at[k] : board.table_at[k + 1]])


def reason(known: Known, k: int, _: int, literals: Sequence[int]) -> Reason:
    """The clues and edges of the table."""
    facts = known.leaning(ways_of, k, members(known, k), settles=literals)
    return Reason(facts, tuple((clue.row, clue.col) for clue in known.reading.tables[k].clues))


def sentence(words: Wording, taken: Taken) -> str:
    """What a table's ways have in common."""
    said = words.reading.tables[taken.place]
    facts, settled = told(words, taken.reason.literals), told(words, taken.literals)
    return words.said(said, f"{facts}, so {settled}" if facts else settled)


def dead(words: Wording, taken: Taken) -> str:
    """No way is left."""
    said = words.reading.tables[taken.place]
    at = words.at_clues(said.clues)
    return f"there {words.would('is', 'be')} no way {said.words}{at and f', at {at}'}"


def places(words: Wording, k: int, _: int) -> Places:
    """The clues and the table's edges."""
    return words.told(words.reading.tables[k].clues, members(words, k))


WORDS = Words(sentence, places, dead, reason, effort=1)
