"""Phrases that the sentences of several rules share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from castlecp.ladder.wording import Wording

#: The directions of the edges at a vertex, in the order of `Board.near`.
DIRECTIONS = ("to the left", "to the right", "up", "down")


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def number_of(count: int, one: str, many: str | None = None) -> str:
    """A number and its noun."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def told(words: Wording, literals: Iterable[int]) -> str:
    """What literals say, those of a kind together and along rows and columns as one."""
    edges, faces = 2 * words.lattice.number_of_edges, words.board.outer
    drawn: tuple[list[int], list[int]] = ([], [])
    sides: tuple[list[int], list[int]] = ([], [])
    parts, pairs = [], []
    for literal in literals:
        if literal < edges:
            drawn[literal & 1].append(literal >> 1)
        elif words.faces_of(literal)[1] == faces:
            sides[literal & 1].append(words.faces_of(literal)[0])
        else:
            pairs.append(words.pair(literal))
    if words.board.by_faces and (sides[0] or sides[1] or pairs):
        drawn = ([], [])
    for side in (1, 0):
        if sides[side]:
            names = most_of(words, words.stretches(sides[side]))
            verb = "is" if len(sides[side]) == 1 else "are"
            parts.append(f"{listed(names)} {verb} {words.reading.sides[side]}")
    parts += most_of(words, pairs)
    for value in (0, 1):
        if drawn[value]:
            where = listed(most_of(words, words.runs(drawn[value])), "and" if value else "or")
            parts.insert(0, f"a line {where}" if value else f"no line {where}")
    if words.most == 0 and len(parts) > 1:
        parts = [parts[0], f"{len(parts) - 1} more"]
    return "; ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 2 else " and ".join(parts)


def most_of(words: Wording, names: list[str]) -> list[str]:
    """The names, or as many as a sentence may name and how many more there are."""
    most = max(words.most, 1)
    more = len(names) - most
    if more < (1 if words.most < 3 else 2):
        return names
    return [*names[:most], number_of(more, "more place")]


def given(words: Wording, literals: Iterable[int], before: str = ": ") -> str:
    """What a step leans on, after a colon; nothing if it leans on nothing that is drawn."""
    said = told(words, literals)
    return before + said if said else ""


def ways(words: Wording, v: int, literals: Iterable[int], value: int) -> list[str]:
    """In which directions edges at a vertex lie that literals say are on, or off."""
    near = list(words.board.near[4 * v : 4 * v + 4])
    return [
        DIRECTIONS[near.index(x >> 1)]
        for x in sorted(literals, key=lambda x: near.index(x >> 1))
        if x & 1 == value
    ]


def onward(
    words: Wording, before: Iterable[int], first: Sequence[int], later: Sequence[int]
) -> str:
    """What follows from what a step settles, to stand after it: where the line runs on to.

    `before` are the edges that were on.
    """
    edges = 2 * words.lattice.number_of_edges
    drawn = [x >> 1 for x in later if x < edges and x & 1]
    if not drawn:
        closed = sum(x < edges for x in later)
        return f", and {closed} more off" if closed else ""
    mine = [x >> 1 for x in first if x < edges and x & 1]
    ends = Counter(v for e in drawn for v in words.board.ends[2 * e : 2 * e + 2])
    met = {v for e in (*before, *mine) for v in words.board.ends[2 * e : 2 * e + 2]}
    far = sorted(v for v, number in ends.items() if number == 1 and v not in met)
    if not far:
        return ", and pieces of the line join" if 1 in ends.values() else ", and it closes"
    most = 2 if len(far) == 2 else 1
    names = list(map(words.at_point, far[: max(1, min(words.most, most))]))
    more = len(far) - len(names)
    names = [*names, f"{more} more {'ends' if more > 1 else 'end'}"] if more > 0 else names
    return f"{', and on' if mine else ', and the line runs on'} to {listed(names)}"
