"""Phrases that the sentences of several rules share."""

from __future__ import annotations

from castlecp.ladder.wording import Wording

#: A sentence names no more things than this that it settles.
NAMED = 4


def are(literals: list[int]) -> str:
    """`is on`, or `are off`: what happens to edges that all get the same value."""
    return f"{'is' if len(literals) == 1 else 'are'} {'on' if literals[0] & 1 else 'off'}"


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def settled(words: Wording, literals: list[int]) -> str:
    """What literals say; on a board of faces what they say of faces, for edges follow."""
    if words.board.by_faces:
        literals = [x for x in literals if x >= 2 * words.lattice.number_of_edges] or literals
    said: dict[str, list[str]] = {}
    for literal in literals:
        about, value, _ = words.of(literal)
        key = f"{'are' if ' and ' in about else ''} {value}"
        said.setdefault(key, []).append(about)
    parts = []
    for key, things in said.items():
        more = len(things) - NAMED
        names = [*things[:NAMED], f"{more} more"] if more > 0 else things
        verb = "" if key.startswith("are") else "are" if len(things) > 1 else "is"
        parts.append(f"{listed(names)} {verb + key}")
    return "; ".join(parts)


def rest(free: int) -> str:
    """The other edges, by their number."""
    return "the other edge" if free == 1 else f"the other {free} edges"


def number_of(count: int, one: str, many: str | None = None) -> str:
    """A number and its noun."""
    return f"{count} {one if count == 1 else many or one + 's'}"
