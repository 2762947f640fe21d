"""An assumption that ends in a conflict by further assumptions: the words of a single one."""

from __future__ import annotations

from castlecp.ladder.words.failed_literal import WORDS as PROBE

WORDS = PROBE._replace(effort=128)
