"""So many statements are false."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from castlecp.ladder.phrases import given, listed, number_of
from castlecp.ladder.reasons import minimal
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Known, Places, Reason, Taken, Words
from castlecp.propagation.rules.statement import statements
from castlecp.propagation.state import HEAD, TAIL

#: Faces of which all ways to be inside or outside are gone through.
FEW = 10

STATEMENTS = "so many statements are false"


def reason(known: Known, _: int, __: int, literals: Sequence[int]) -> Reason:
    """What is known of the faces that statements are about."""
    claim, outer = known.board.claim, known.outer
    claims = list(zip(claim[::3], claim[1::3], claim[2::3], strict=True))
    faces = sorted({f for f, g, _ in claims for f in (f, g)} | {outer})
    pairs = [(f, g) for k, f in enumerate(faces) for g in faces[k + 1 :]]
    named = {(min(f, g), max(f, g)) for f, g, _ in claims}
    candidates = [
        x for pair in sorted(pairs, key=named.__contains__) for x in known.relation(*pair)
    ]

    def by_kernel(facts: Sequence[int]) -> bool:
        state = known.holding(facts)
        if not statements(known.board, state):
            return not literals
        found = state.queue[state.n[HEAD] : state.n[TAIL]]
        return bool(literals) and set(literals) <= set(found)

    facts = minimal(list(dict.fromkeys(candidates)), by_kernel)
    if len(faces) <= FEW:
        ways = [
            {**dict(zip(faces, sides, strict=False)), outer: 0}
            for sides in product((0, 1), repeat=len(faces) - 1)
        ]
        ways = [
            way
            for way in ways
            if sum(way[f] ^ way[g] != d for f, g, d in claims) == known.board.lies
        ]

        def holds(way: dict[int, int], literal: int) -> bool:
            f, g = known.faces_of(literal)
            return way[f] ^ way[g] == literal & 1

        def follows(facts: Sequence[int]) -> bool:
            left = [way for way in ways if all(holds(way, x) for x in facts)]
            return not left or (
                bool(literals) and all(holds(way, x) for way in left for x in literals)
            )

        facts = minimal(facts, follows)
    return Reason(facts, (), (STATEMENTS,))


def _exactly(words: Wording) -> str:
    board = words.board
    verb = "is" if board.lies == 1 else "are"
    number = number_of(len(board.claim) // 3, "statement")
    return f"exactly {board.lies} of {number} {verb} false"


def sentence(words: Wording, taken: Taken) -> str:
    """So many statements are false."""
    board = words.board
    claims = list(zip(board.claim[::3], board.claim[1::3], board.claim[2::3], strict=True))
    new = {words.faces_of(x): x & 1 for x in taken.literals}
    follow: dict[str, list[str]] = {}
    for k, (f, g, differ) in enumerate(claims):
        if (f, g) in new:
            word = "true" if new[f, g] == differ else "false"
            follow.setdefault(word, []).append(words.reading.claims[k])
    parts = [f"{word}: {listed(those[: words.most])}" for word, those in follow.items()]
    return (
        f"{_exactly(words)}{given(words, taken.reason.literals)}, so these are {'; '.join(parts)}"
    )


def dead(words: Wording, _: Taken) -> str:
    """The number is wrong in every way."""
    return f"{words.would('it cannot be that', 'it could not be that')} {_exactly(words)}"


def places(words: Wording, _: int, __: int) -> Places:
    """All faces that statements are about."""
    return Places(faces=words.faces(sorted({*words.board.claim[::3], *words.board.claim[1::3]})))


WORDS = Words(sentence, places, dead, reason, effort=4)
