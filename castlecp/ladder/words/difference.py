"""Two counts of which one contains the other: the words of a count."""

from __future__ import annotations

from castlecp.ladder.words.count import WORDS as COUNT

WORDS = COUNT._replace(effort=4)
