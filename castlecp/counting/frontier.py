"""The words on the frontier of a sweep over a lattice, numbered without gaps.

A sweep over `width` columns meets `width + 1` plugs: places where the drawn part of the loop may
stick out. A plug is empty (0), or one end of a strand, the left one (1) or the right one (2).
Strands do not cross, so the plugs read as a bracket word with gaps, a Motzkin word; two bits a
plug make it an integer, the leftmost plug lowest.

Words are numbered in the order of their right half, then of their left half. The number of a
word is then the sum of two table entries, one for each half, and neighbours in that order differ
in the left half alone: tables over words need no keys, no hashing and no holes. Words whose last
plug is empty come first.

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

    The depth of a word is how many strands lie over one of its gaps, at most. Of the left halves
    of height h the first `shallow[h * (split // 2 + 1) + d]` have at most the depth d; `depths[i]`
    is that of right half i. `turned[k * len(lefts) + i]` is the number of left half i with the
    k-th of its loose ends from the right turned round, but for the last of them.

    The right half has a plug or two more; with these plugs (two bits each) as `middle` and left
    half i turned round behind them, it begins at `columns[middle * len(lefts) + i]`.
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
    depths: Array
    shallow: Array
    turned: Array
    columns: Array


def words(plugs: int) -> Words:
    """The words of so many plugs, at least 2."""
    half = (plugs - 1) // 2
    lefts, left_heights, left_depths = _halves(half, LEFT)
    order = np.lexsort((lefts, left_depths, left_heights))
    lefts, left_heights, left_depths = lefts[order], left_heights[order], left_depths[order]
    first = np.searchsorted(left_heights, np.arange(half + 2)).astype(np.int64)
    # Read from its far end, a right half is a left half with the brackets turned round.
    rights, heights, depths = _halves(plugs - half, RIGHT)
    fits = heights <= half
    rights, heights, depths = rights[fits], heights[fits], depths[fits]
    order = np.argsort(rights)
    rights, heights, depths = rights[order], heights[order], depths[order]
    many = first[heights + 1] - first[heights]
    base = np.concatenate([[0], np.cumsum(many)]).astype(np.int64)
    by_left = np.zeros(4**half, np.int64)
    by_left[lefts] = np.arange(len(lefts)) - first[left_heights]
    by_right = np.zeros(4 ** (plugs - half), np.int64)
    by_right[rights] = base[:-1]
    levels = np.arange(half + 1)
    shallow = np.array(
        [np.searchsorted(left_depths[first[h] : first[h + 1]], levels, "right") for h in levels],
        np.int64,
    ).reshape(-1)
    middle = plugs - 2 * half
    mirrored = _mirrored(lefts, half) << 2 * middle
    columns = np.concatenate([by_right[mirrored | plug] for plug in range(4**middle)])
    turned = _turned(lefts, half, by_left)
    tables = (lefts, first, rights, heights, base, by_left, by_right)
    return Words(plugs, int(base[-1]), 2 * half, *tables, depths, shallow, turned, columns)


def _mirrored(lefts: NDArray[np.int64], half: int) -> NDArray[np.int64]:
    """Left halves read from the other end, brackets turned round."""
    found = np.zeros_like(lefts)
    for position in range(half):
        plug = lefts >> 2 * position & 3
        found |= np.where(plug > 0, 3 - plug, 0) << 2 * (half - 1 - position)
    return found


def _turned(lefts: NDArray[np.int64], half: int, by_left: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of left halves with a loose end turned round, as `Words` says."""
    turned = np.zeros((half + 1, len(lefts)), np.int64)
    closed, found = np.zeros_like(lefts), np.zeros_like(lefts)
    for place in range(2 * half - 2, -1, -2):
        plug = lefts >> place & 3
        (loose,) = np.nonzero((plug == LEFT) & (closed == 0))
        turned[found[loose], loose] = by_left[lefts[loose] ^ 3 << place]
        found[loose] += 1
        closed += np.where(plug == RIGHT, 1, np.where((plug == LEFT) & (closed > 0), -1, 0))
    return turned.reshape(-1)


def _halves(plugs: int, opening: int) -> tuple[NDArray[np.int64], ...]:
    """The halves of so many plugs, how many of their strands are open, and how many were at most.

    They come in no order. A half begins at an end of the frontier, where `opening` is what begins
    a strand.
    """
    found, heights, depths = (np.zeros(1, np.int64) for _ in range(3))
    for position in range(plugs):
        place = 2 * position if opening == LEFT else 2 * (plugs - 1 - position)
        inner = heights > 0
        closing = LEFT + RIGHT - opening
        found = np.concatenate([found, found | opening << place, found[inner] | closing << place])
        heights = np.concatenate([heights, heights + 1, heights[inner] - 1])
        depths = np.maximum(np.concatenate([depths, depths, depths[inner]]), heights)
    return found, heights, depths


def motzkin(plugs: int) -> int:
    """How many words of so many plugs there are.

    By the recurrence (n + 2) M(n) = (2n + 1) M(n - 1) + 3 (n - 1) M(n - 2).
    """
    before, here = 1, 1
    for n in range(2, plugs + 1):
        before, here = here, ((2 * n + 1) * here + 3 * (n - 1) * before) // (n + 2)
    return here


def pairings(pairs: int) -> NDArray[np.int64]:
    """The words of twice so many plugs none of which is empty."""
    found, heights, _ = _halves(0, LEFT)
    for position in range(2 * pairs):
        opens, closes = heights < 2 * pairs - position - 1, heights > 0
        place = 2 * position
        found = np.concatenate([found[opens] | LEFT << place, found[closes] | RIGHT << place])
        heights = np.concatenate([heights[opens] + 1, heights[closes] - 1])
    return found
