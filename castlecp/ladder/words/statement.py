"""So many statements are false."""

from __future__ import annotations

from castlecp.ladder.phrases import listed, number_of
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State
from castlecp.propagation.trail import related


def sentence(words: Wording, state: State, _: int, __: int, literals: list[int]) -> str:
    """So many statements are false."""
    board = words.board
    claims = list(zip(board.claim[::3], board.claim[1::3], board.claim[2::3], strict=True))
    known = [related(state, f, g) for f, g, _ in claims]
    false = [k for k, (_, _, differ) in enumerate(claims) if known[k] == 1 - differ]
    true = [k for k, (_, _, differ) in enumerate(claims) if known[k] == differ]
    verb = "is" if board.lies == 1 else "are"
    exactly = f"exactly {board.lies} of {number_of(len(claims), 'statement')} {verb} false"
    if not literals:
        return f"{exactly}, but that cannot be any more."

    new = {words.faces_of(x): x & 1 for x in literals}
    follow: dict[str, list[str]] = {}
    for k, (f, g, differ) in enumerate(claims):
        if known[k] < 0 and (f, g) in new:
            word = "true" if new[f, g] == differ else "false"
            follow.setdefault(word, []).append(words.reading.claims[k])
    text = "; ".join(f"{word}: {listed(those)}" for word, those in follow.items())
    if len(false) == board.lies and len(follow) == 1:
        known_ones = f" ({listed([str(k + 1) for k in false])})" if false else ""
        return f"{exactly}{known_ones}, so the other statements are {text}."
    if len(true) == len(claims) - board.lies and len(follow) == 1:
        known_ones = f" ({listed([str(k + 1) for k in true])} are true)" if true else ""
        return f"{exactly}{known_ones}, so the other statements are {text}."
    return f"{exactly}, and some stand or fall together, so these are {text}."


def places(words: Wording, _: int, __: int) -> Places:
    """All faces that statements are about."""
    return Places(faces=words.faces(sorted({*words.board.claim[::3], *words.board.claim[1::3]})))


WORDS = Words(sentence, places)
