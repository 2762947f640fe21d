"""All ways to see so many faces."""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.ladder.phrases import number_of, told
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.propagation.rules.visibility import look


def reason(known: Known, k: int, _: int, literals: Sequence[int]) -> Reason:
    """The clue, and faces in its row and column."""
    board, across = known.board, known.board.cols - 1
    if k < 0:
        inside = {known.faces_of(x)[0] for x in literals}
        return Reason((), tuple(divmod(f, across) for f in board.sight if f in inside))
    r, c = divmod(board.sight[k], across)
    near = sorted(
        {r * across + x for x in range(across)} | {y * across + c for y in range(board.rows - 1)},
        key=lambda f: -abs(f // across - r) - abs(f % across - c),
    )
    return Reason(known.leaning(look, k, (), near, literals), ((r, c),))


def sentence(words: Wording, taken: Taken) -> str:
    """All ways to see so many faces."""
    if taken.place < 0:
        return f"every clue is {words.reading.sides[1]}, so {told(words, taken.literals)}"
    at, facts = words.at_count(taken.place), told(words, taken.reason.literals)
    what = number_of(words.board.seen[taken.place], "cell")
    return f"{at}: {facts}{', so ' if facts else ''}to see {what}, {told(words, taken.literals)}"


def dead(words: Wording, taken: Taken) -> str:
    """No way is left to see so many faces."""
    at, number = words.at_count(taken.place), words.board.seen[taken.place]
    if number < 0:
        return f"{at} {words.would('is', 'be')} {words.reading.sides[0]}"
    return f"{at} {words.would('cannot see', 'not see')} {number_of(number, 'cell')}"


def places(words: Wording, k: int, _: int) -> Places:
    """The face that sees, or all that do."""
    sights = words.board.sight
    return Places(faces=words.faces([sights[k]] if k >= 0 else sights))


WORDS = Words(sentence, places, dead, reason, effort=1)
