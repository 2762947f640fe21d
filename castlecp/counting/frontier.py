"""The words on the frontier of a sweep over a lattice, numbered without gaps.

A sweep over `width` columns meets `width + 1` plugs: places where the drawn part of the loop may
stick out. A plug is empty (0), or one end of a strand, the left one (1) or the right one (2).
Strands do not cross, so the plugs read as a bracket word with gaps, a Motzkin word; two bits a
plug make it an integer, the leftmost plug lowest.

Words are numbered in the order of their right half, then of their left half. The number of a
word is then the sum of two table entries, one for each half, and neighbours in that order differ
in the left half alone: tables over words need no keys, no hashing and no holes.

Such frontiers go back to I. G. Enting, J. Phys. A 13 (1980), who counted self-avoiding polygons
with them; H. Iwashita and others, TCS-TR-A-13-64 (2013), number them without gaps to count paths.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from castlecp.kernels import Array

EMPTY, LEFT, RIGHT = 0, 1, 2


class Words(NamedTuple):
    """All words of `plugs` plugs, `size` of them, cut into halves after `split` bits.

    The left halves of height h (strands that the right half must end) are
    `lefts[first[h]:first[h + 1]]`. Right half number i is `rights[i]`; it ends `heights[i]`
    strands, and the words with it are numbered from `base[i]` on. The number of a word is
    `by_left[left half] + by_right[right half]`.
    """

    plugs: int
    size: int
    split: int
    lefts: Array
    first: Array
    rights: Array
    heights: Array
    base: Array
    by_left: Array
    by_right: Array


def words(plugs: int) -> Words:
    """The words of so many plugs, at least 2."""
    half = plugs // 2
    lefts, left_heights = _halves(half, LEFT)
    order = np.lexsort((lefts, left_heights))
    lefts, left_heights = lefts[order], left_heights[order]
    first = np.searchsorted(left_heights, np.arange(half + 2)).astype(np.int64)
    # Read from its far end, a right half is a left half with the brackets turned round.
    rights, heights = _halves(plugs - half, RIGHT)
    fits = heights <= half
    rights, heights = rights[fits], heights[fits]
    order = np.argsort(rights)
    rights, heights = rights[order], heights[order]
    many = first[heights + 1] - first[heights]
    base = np.concatenate([[0], np.cumsum(many)]).astype(np.int64)
    by_left = np.zeros(4**half, np.int64)
    by_left[lefts] = np.arange(len(lefts)) - first[left_heights]
    by_right = np.zeros(4 ** (plugs - half), np.int64)
    by_right[rights] = base[:-1]
    tables = (lefts, first, rights, heights, base, by_left, by_right)
    return Words(plugs, int(base[-1]), 2 * half, *tables)


def _halves(plugs: int, opening: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The halves of so many plugs and how many of their strands are open, in no order.

    A half begins at an end of the frontier, where `opening` is what begins a strand.
    """
    found, heights = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for position in range(plugs):
        place = 2 * position if opening == LEFT else 2 * (plugs - 1 - position)
        inner = heights > 0
        closing = LEFT + RIGHT - opening
        found = np.concatenate([found, found | opening << place, found[inner] | closing << place])
        heights = np.concatenate([heights, heights + 1, heights[inner] - 1])
    return found, heights


def motzkin(plugs: int) -> int:
    """How many words of so many plugs there are.

    By the recurrence (n + 2) M(n) = (2n + 1) M(n - 1) + 3 (n - 1) M(n - 2).
    """
    before, here = 1, 1
    for n in range(2, plugs + 1):
        before, here = here, ((2 * n + 1) * here + 3 * (n - 1) * before) // (n + 2)
    return here
