"""One cell of a sampler's sweep, as kernels: from the table before it to the one after it.

Tables come as flat arrays, row by row.

A table has a row for every word of the frontier, and a last one for "the loop is closed"; a row
is the number of ways to come there, as a natural number in limbs of 32 bits, the lowest first.

The tables are filled by looking back: each word after the cell collects the words before it from
which it comes. Every row is written once, so the words can be shared out among threads, and a
sampler that walks backwards finds its choices with the same function.

Before cell c of a row is drawn, plugs 0 to c - 1 lead down from the cells already drawn in the
row, plug c leads into the cell from the left and plug c + 1 from above. Afterwards plug c leads
down out of it and plug c + 1 to the right. At the end of a row the last plug is empty, and all
move one place up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from castlecp.counting.frontier import Words
from castlecp.kernels import Array, Array8, Array32

#: The longest list of words before a word: one for each pair of plugs, and a few.
MOST = 32
LIMB, LOW = 32, 2**32 - 1
#: In place of a word: the loop is closed.
CLOSED = -1


class Cell(NamedTuple):
    """What the loop may do at a cell, and what it weighs.

    `column` from 0. `visit`, `down` and `right` (0 or 1) allow the loop to come here at all, to
    leave downwards and to leave to the right. `side` is 1 when the cell must lie inside, 0
    outside, -1 when nothing is asked. `take` and `skip` multiply the weight when the loop comes
    here or does not.
    """

    column: int
    visit: int
    down: int
    right: int
    side: int
    take: int
    skip: int


def scratch() -> NDArray[np.int64]:
    """Room for two lists; kernels allocate nothing, which spares them counting references."""
    return np.zeros(2 * MOST, np.int64)


def rank(words: Words, word: int) -> int:
    """The number of a word."""
    left = word & ((1 << words.split) - 1)
    found: int = words.by_left[left] + words.by_right[word >> words.split]
    return found


def stays(word: int, cell: Cell) -> bool:
    """Whether the word may be the same before the cell, which the loop then does not visit.

    A ray from a cell to the left, just below its row, crosses the edges that lead down from the
    cells before it: the cell is inside if an odd number of those plugs is not empty.
    """
    if word >> 2 * cell.column & 15:
        return False
    if cell.side < 0:
        return True
    odd = 0
    for place in range(0, 2 * cell.column, 2):
        if word >> place & 3:
            odd = 1 - odd
    return odd == cell.side


def visits(word: int, plugs: int, cell: Cell, before: Array) -> int:
    """Fill `before` with the words from which a visit to the cell leads to `word`; how many."""
    at = 2 * cell.column
    down, right = word >> at & 3, word >> at + 2 & 3
    if not cell.visit or (down and not cell.down) or (right and not cell.right):
        return 0
    rest = word & ~(15 << at)
    if down and right:
        # A new strand starts here.
        if down != 1 or right != 2:
            return 0
        before[0] = rest
        return 1
    if down or right:
        # A strand passes through; it came from the left or from above.
        before[0] = rest | (down | right) << at
        before[1] = rest | (down | right) << at + 2
        return 2
    # Two strands met here and became one. Of the four ends of two neighbours )( the inner two
    # met; of two strands one around the other, the two left or the two right ends met, and the
    # end of the inner one that is left over has changed its bracket.
    found = 0
    depth = 0
    for place in range(at + 4, 2 * plugs, 2):
        plug = word >> place & 3
        if plug == 1:
            if depth == 0:
                before[found] = (rest ^ 3 << place) | 5 << at
                found += 1
            depth += 1
        elif plug == 2:
            depth -= 1
            if depth < 0:
                before[found] = rest | 6 << at
                found += 1
                break
    depth = 0
    for place in range(at - 2, -1, -2):
        plug = word >> place & 3
        if plug == 2:
            if depth == 0:
                before[found] = (rest ^ 3 << place) | 10 << at
                found += 1
            depth += 1
        elif plug == 1:
            depth -= 1
            if depth < 0:
                break
    return found


def source(words: Words, word: int, cell: Cell) -> int:
    """The row of a word in the table before the cell, -1 if that word cannot be there.

    In the first column that table still stands at the end of the row above.
    """
    if cell.column:
        return rank(words, word)
    if word & 3:
        return -1
    return rank(words, word >> 2)


def collect(
    old: Array32,
    limbs: int,
    same: int,
    scratch: Array,
    count: int,
    cell: Cell,
    new: Array32,
    wide: int,
    row: int,
) -> None:
    """Fill a row with `skip` times row `same` plus `take` times the sum of the rows in `scratch`.

    -1 is no row. The numbers of both tables have `limbs` and `wide` limbs.
    """
    carry = 0
    for j in range(wide):
        total = 0
        if j < limbs:
            for k in range(MOST, MOST + count):
                total += old[scratch[k] * limbs + j]
            total *= cell.take
            if same >= 0:
                total += cell.skip * old[same * limbs + j]
        total += carry
        new[row * wide + j] = total & LOW
        carry = total >> LIMB


def advance(
    words: Words,
    cell: Cell,
    old: Array32,
    limbs: int,
    new: Array32,
    wide: int,
    start: int,
    stop: int,
    scratch: Array,
) -> int:
    """Fill the rows of the words with right halves `start` to `stop`.

    Returns how many of them are not zero; `scratch[0]` is left as their highest limbs or-ed
    together.
    """
    top = reached = 0
    for block in range(start, stop):
        right = words.rights[block] << words.split
        row = words.base[block]
        height = words.heights[block]
        for place in range(words.first[height], words.first[height + 1]):
            word = words.lefts[place] | right
            same = source(words, word, cell) if stays(word, cell) else -1
            count = 0
            for k in range(visits(word, words.plugs, cell, scratch)):
                found = source(words, scratch[k], cell)
                if found >= 0:
                    scratch[MOST + count] = found
                    count += 1
            collect(old, limbs, same, scratch, count, cell, new, wide, row)
            top |= new[row * wide + wide - 1]
            for j in range(wide):
                if new[row * wide + j]:
                    reached += 1
                    break
            row += 1
    scratch[0] = top
    return reached


def close(
    words: Words,
    cell: Cell,
    old: Array32,
    limbs: int,
    new: Array32,
    wide: int,
    scratch: Array,
) -> None:
    """Fill the last row: the loop was closed before, or both ends of the last strand meet here."""
    count = 0
    if cell.visit and cell.column:
        scratch[MOST] = rank(words, 9 << 2 * cell.column)
        count = 1
    same = words.size if cell.side < 1 else -1
    collect(old, limbs, same, scratch, count, cell, new, wide, words.size)


def below(
    old: Array32,
    limbs: int,
    row: int,
    factor: int,
    rests: Array32,
    at: int,
    wide: int,
    take_off: bool,
) -> bool:
    """Whether the number at `at` is below `factor` times a row; taken off it if told to."""
    product = borrow = 0
    for j in range(wide):
        if j < limbs:
            product += factor * old[row * limbs + j]
        difference = rests[at + j] - (product & LOW) - borrow
        if take_off:
            rests[at + j] = difference & LOW
        borrow = int(difference < 0)
        product >>= LIMB
    return borrow > 0


def chosen(
    old: Array32, limbs: int, row: int, factor: int, rests: Array32, at: int, wide: int
) -> bool:
    """Whether the number at `at` is among the ways over a row, each of which counts `factor` times.

    If so, it becomes the number of the way; if not, what is left for the other ways.
    """
    if not below(old, limbs, row, factor, rests, at, wide, False):
        below(old, limbs, row, factor, rests, at, wide, True)
        return False
    remainder = 0
    for j in range(at + wide - 1, at - 1, -1):
        value = remainder << LIMB | rests[j]
        rests[j] = value // factor
        remainder = value % factor
    return True


def walk(
    words: Words,
    cell: Cell,
    old: Array32,
    limbs: int,
    ends: Array,
    rests: Array32,
    wide: int,
    plugs: Array8,
    scratch: Array,
) -> None:
    """Take many walks one cell back.

    Walk i stands at word `ends[i]` after the cell, or CLOSED, and at the i-th number of `rests`,
    which has `wide` limbs, among the ways to come there. Both become those before the cell.
    `plugs[i]` becomes the way the loop leaves the cell: 1 down, 2 right, 3 both.
    """
    for i in range(len(ends)):
        word = ends[i]
        if word == CLOSED:
            plugs[i] = 0
            same = words.size if cell.side < 1 else -1
            scratch[0] = 9 << 2 * cell.column
            count = 1 if cell.visit and cell.column else 0
        else:
            plugs[i] = (word >> 2 * cell.column & 3 != 0) + 2 * (
                word >> 2 * cell.column + 2 & 3 != 0
            )
            same = source(words, word, cell) if stays(word, cell) else -1
            count = visits(word, words.plugs, cell, scratch)
        if same >= 0 and chosen(old, limbs, same, cell.skip, rests, i * wide, wide):
            if word != CLOSED and cell.column == 0:
                ends[i] = word >> 2
            continue
        for k in range(count):
            row = source(words, scratch[k], cell)
            if row >= 0 and chosen(old, limbs, row, cell.take, rests, i * wide, wide):
                ends[i] = scratch[k] if cell.column else scratch[k] >> 2
                break


#: What of this module is called from Python.
ENTRIES = (advance, close, walk)
