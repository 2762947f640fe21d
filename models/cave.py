"""Cave as constraints: how far a clue sees in each direction, in unary, and four such sums.

A clue's face is inside. For each direction `far[k]` says that the first k faces that way are all
inside: far[k] = far[k - 1] and the side of the k-th. These literals are ordered, the first ones
true; so two directions add up by "far[i] of one and far[j] of the other give i + j", and the
number is reached when what two directions see is what the other two leave of it.

Nothing beyond the number need be told apart from the number itself, so all is cut off there.
"""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.genres.cave import Cave, CaveClue
from castlecp.grid import STEPS
from castlecp.model import FALSE, TRUE, Model


def post(puzzle: Cave, model: Model) -> None:
    """State what the clues say."""
    for clue in puzzle.clues:
        model.require(model.side((clue.row, clue.col)), clue=clue)
        if isinstance(clue.number, int):
            _sees(clue, clue.number - 1, model)


def _sees(clue: CaveClue, others: int, model: Model) -> None:
    """A clue sees exactly so many faces besides its own."""
    if others < 0:
        model.require(FALSE, clue=clue)
        return
    up, down, left, right = (_far(clue, step, others + 1, model) for step in STEPS.values())
    across = _sum(left, right, others + 1, model)
    along = _sum(up, down, others + 1, model)
    for k in range(others + 2):
        # At least k across leaves at most others - k along, and the other way round.
        for clause in (
            (-_at(across, k), -_at(along, others + 1 - k)),
            (_at(across, k + 1), _at(along, others - k)),
        ):
            if TRUE not in clause:
                model.require(*(x for x in clause if x != FALSE), clue=clue)


def _far(clue: CaveClue, step: tuple[int, int], most: int, model: Model) -> list[int]:
    """For each k from 1 to `most`, that the first k faces in a direction are inside."""
    out: list[int] = []
    r, c = clue.row + step[0], clue.col + step[1]
    while len(out) < most and model.lattice.has_face((r, c)):
        side = model.side((r, c))
        out.append(model.both(out[-1], side) if out else side)
        r, c = r + step[0], c + step[1]
    return out


def _sum(a: Sequence[int], b: Sequence[int], most: int, model: Model) -> list[int]:
    """Two ordered lists of literals as one: at least 1, 2, ... of both together, to `most`."""
    return model.total(a, b, most) if a and b else [*a, *b]


def _at(ordered: Sequence[int], k: int) -> int:
    """The literal of "at least k"."""
    if k <= 0:
        return TRUE
    return ordered[k - 1] if k <= len(ordered) else FALSE
