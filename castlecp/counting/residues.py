"""One cell of a sweep as a kernel: a table of numbers modulo a prime, changed in place.

The sweep goes along one row and back along the next, so nothing moves when a row ends. The cell
in column c always lies between plugs c and c + 1: the loop comes to it through them, and leaves
it through them. With a the one plug and b the other, and 1 and 2 as in `frontier`, its words
change as follows, whatever the rest of a word is.

- 00: the loop does not come here and the word stays, or it does and a strand begins: 12.
- x0 and 0x: the strand leaves by one plug or the other, so both get the sum of both.
- 11, 22, 21: two strands become one, which leaves 00; of 11 and 22 the bracket at the other end
  of the inner strand turns round.
- 12: both are ends of one strand, which closes a loop; that counts if it is all there is.

What joins strands makes a word smaller, so when words are gone through upwards every sum is made
of numbers from before the cell. A pair of plugs lies in the left half of the frontier, in the
right one, or across; the tables of `Words` make most of this walks along the memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from castlecp.counting.frontier import Words
from castlecp.counting.steps import rank
from castlecp.kernels import Array

#: Products of a number and a weight are below 2^REACH.
REACH = 60


class Step(NamedTuple):
    """What the loop may do at a cell.

    It lies between plugs `plug` and `plug` + 1, and the loop may leave by the `first` of them and
    by the `second` (0 or 1). A visit multiplies by `weight`, 0 where the loop must not come.
    `side` is 1 when the cell must lie inside, 0 outside, -1 when nothing is asked. Numbers are
    modulo `prime`, which has `bits` bits, at most 62; where `weight` is above 1 the product of both
    is below 2^REACH, `bits` at least REACH / 2, and `inverse` 2^REACH // `prime`.
    """

    plug: int
    first: int
    second: int
    side: int
    weight: int
    prime: int
    bits: int
    inverse: int


def room(words: Words) -> NDArray[np.int64]:
    """Room for what a cell does to the halves of words; kernels allocate nothing."""
    return np.zeros((words.plugs + 4) * (len(words.lefts) + 8), np.int64)


def step(words: Words, cell: Step, table: Array, room: Array) -> int:
    """Take the table from before the cell to after it; returns the number of loops closed there."""
    closed = weigh(table[rank(words, 9 << 2 * cell.plug)], cell)
    if 2 * cell.plug + 2 < words.split:
        in_left(words, cell, table, room)
    elif 2 * cell.plug >= words.split:
        in_right(words, cell, table, room)
    else:
        across(words, cell, table, room)
    return closed


def weigh(number: int, cell: Step) -> int:
    """The number times the weight: P. Barrett's way to a remainder, without a division."""
    if cell.weight < 2:
        return number * cell.weight
    product = number * cell.weight
    # The quotient, or one or two less.
    quotient = (product >> cell.bits - 1) * cell.inverse >> REACH + 1 - cell.bits
    rest = product - quotient * cell.prime
    return add(add(rest, 0, cell.prime), 0, cell.prime)


def add(one: int, other: int, prime: int) -> int:
    """The sum, without a jump."""
    total = one + other - prime
    return total + (total >> 63 & prime)


def is_plain(cell: Step) -> bool:
    """Whether nothing is forbidden and all weighs 1: the loops without a question are for that."""
    return cell.weight * cell.first * cell.second == 1


def begin(
    table: Array, row: int, room: Array, start: int, stop: int, other: int, cell: Step
) -> None:
    """From 00 to 12. Like the next two, it goes through runs of changes (see `in_left`).

    Those are `start` to `stop` in `room`; old words count from `row` on and new ones from `other`.
    """
    plain, both = is_plain(cell), cell.first * cell.second
    for k in range(start, stop, 4):
        empty, new = row + room[k], other + room[k + 1]
        many, stays = room[k + 3], room[k + 2]
        if stays and plain:
            for j in range(many):
                table[new + j] = table[empty + j]
        else:
            for j in range(many):
                table[new + j] = weigh(table[empty + j], cell) * both
                table[empty + j] *= stays


def passes(
    table: Array, row: int, room: Array, start: int, stop: int, other: int, cell: Step
) -> None:
    """Between x0 and 0x."""
    plain, prime = is_plain(cell), cell.prime
    for k in range(start, stop, 4):
        one, two = row + room[k], other + room[k + 1]
        many = room[k + 3]
        if plain:
            for j in range(many):
                total = add(table[one + j], table[two + j], prime)
                table[one + j] = table[two + j] = total
        else:
            for j in range(many):
                total = weigh(add(table[one + j], table[two + j], prime), cell)
                table[one + j] = total * cell.first
                table[two + j] = total * cell.second


def join(
    table: Array, row: int, room: Array, start: int, stop: int, other: int, cell: Step
) -> None:
    """From 11, 22 or 21 to 00."""
    plain, prime = cell.weight == 1, cell.prime
    for k in range(start, stop, 4):
        old, empty = row + room[k], other + room[k + 1]
        many = room[k + 3]
        if plain:
            for j in range(many):
                table[empty + j] = add(table[empty + j], table[old + j], prime)
                table[old + j] = 0
        else:
            for j in range(many):
                number = weigh(table[old + j], cell)
                table[empty + j] = add(table[empty + j], number, prime)
                table[old + j] = 0


def join_at(
    table: Array, old: int, empty: int, room: Array, start: int, many: int, cell: Step
) -> None:
    """From 22 to 00 where words do not follow each other: their places are in `room`."""
    for j in range(many):
        at = empty + room[start + j]
        table[at] = add(table[at], weigh(table[old + j], cell), cell.prime)
        table[old + j] = 0


def may_stay(half: int, at: int, cell: Step) -> bool:
    """Whether the loop may miss the cell, by the plugs of a half below bit `at`.

    A ray from the cell to the left crosses the edges of the plugs before it: the cell is inside
    if an odd number of them is not empty.
    """
    odd = 0
    for place in range(0, at, 2):
        odd ^= int(half >> place & 3 != 0)
    return cell.side < 0 or odd == cell.side


def later_mate(half: int, at: int, plugs: int) -> int:
    """The bit of the plug that ends the strand begun just before bit `at`.

    If that is not in this half: minus 1, minus the strands begun later and not ended here.
    """
    depth = 0
    for place in range(at, 2 * plugs, 2):
        plug = half >> place & 3
        if plug == 1:
            depth += 1
        elif plug == 2:
            if depth == 0:
                return place
            depth -= 1
    return -1 - depth


def earlier_mate(half: int, at: int) -> int:
    """The bit of the plug that begins the strand ended at bit `at`, and as in `later_mate`."""
    depth = 0
    for place in range(at - 2, -1, -2):
        plug = half >> place & 3
        if plug == 2:
            depth += 1
        elif plug == 1:
            if depth == 0:
                return place
            depth -= 1
    return -1 - depth


def in_left(words: Words, cell: Step, table: Array, room: Array) -> None:
    """Both plugs lie in the left half: one list of changes serves all words with one right half.

    A change is (old, new, extra, many) in `room`, for so many words that follow each other; for
    each height there are lists of those that begin, pass, join, and join with a turn in the right
    half. `extra` says which bracket that is, or whether the word may stay.
    """
    heights = (words.split >> 1) + 1
    cuts = 4 * len(words.lefts)
    turned = cuts + 4 * heights + 1
    count = 0
    for height in range(heights):
        for kind in range(4):
            room[cuts + 4 * height + kind] = count
            count = list_changes(words, cell, height, kind, room, count)
    room[turned - 1] = count
    for i in range(len(words.rights)):
        row = words.base[i]
        cut = cuts + 4 * words.heights[i]
        turn_right(words, i, room, turned)
        begin(table, row, room, 4 * room[cut], 4 * room[cut + 1], row, cell)
        passes(table, row, room, 4 * room[cut + 1], 4 * room[cut + 2], row, cell)
        join(table, row, room, 4 * room[cut + 2], 4 * room[cut + 3], row, cell)
        for k in range(4 * room[cut + 3], 4 * room[cut + 4], 4):
            join(table, row, room, k, k + 4, room[turned + room[k + 2]], cell)


def list_changes(words: Words, cell: Step, height: int, kind: int, room: Array, count: int) -> int:
    """Append the changes of one kind and height to a list of `count`; returns how many it has."""
    at, first, start = 2 * cell.plug, words.first[height], 4 * count
    end = start
    for i in range(first, words.first[height + 1]):
        left = words.lefts[i]
        two = left >> at & 15
        rest = left ^ two << at
        goal, extra, found = -1, 0, 2
        if two == 0:
            goal, extra, found = left | 9 << at, int(may_stay(left, at, cell)), 0
        elif two == 1 or two == 2:
            goal, found = rest | two << at + 2, 1
        elif two == 6:
            goal = rest
        elif two == 5:
            mate = later_mate(left, at + 4, words.split >> 1)
            if mate >= 0:
                goal = rest ^ 3 << mate
            else:
                goal, extra, found = rest, -1 - mate, 3
        elif two == 10:
            goal = rest ^ 3 << earlier_mate(left, at)
        if goal < 0 or found != kind:
            continue
        old, new = i - first, words.by_left[goal]
        # Few words follow each other where the plugs are among the first.
        if end > start and cell.plug > 2:
            run = room[end - 1]
            if room[end - 4] + run == old and room[end - 3] + run == new and room[end - 2] == extra:
                room[end - 1] = run + 1
                continue
        room[end], room[end + 1], room[end + 2], room[end + 3] = old, new, extra, 1
        end += 4
    return end >> 2


def turn_right(words: Words, i: int, room: Array, start: int) -> None:
    """Where the words begin whose right half is number i with one of its loose ends turned round.

    They go into `room`, the first loose end first; the last one cannot turn.
    """
    right, found, depth = words.rights[i], 0, 0
    for place in range(0, 2 * words.plugs - words.split, 2):
        plug = right >> place & 3
        if plug == 1:
            depth += 1
        elif plug == 2:
            if depth:
                depth -= 1
            else:
                if found + 1 < words.heights[i]:
                    room[start + found] = words.by_right[right ^ 3 << place]
                found += 1


def turn_left(words: Words, room: Array) -> None:
    """The places of all left halves with one of their loose ends turned round.

    They go into `room`, all those for the last loose end first; the first one cannot turn.
    """
    for height in range(2, (words.split >> 1) + 1):
        for i in range(words.first[height], words.first[height + 1]):
            left, found, depth = words.lefts[i], 0, 0
            for place in range(words.split - 2, -1, -2):
                plug = left >> place & 3
                if plug == 2:
                    depth += 1
                elif plug == 1:
                    if depth:
                        depth -= 1
                    else:
                        if found + 1 < height:
                            turned = words.by_left[left ^ 3 << place]
                            room[found * len(words.lefts) + i] = turned
                        found += 1


def in_right(words: Words, cell: Step, table: Array, room: Array) -> None:
    """Both plugs lie in the right half: words with one right half follow each other."""
    at, plugs = 2 * cell.plug - words.split, words.plugs - (words.split >> 1)
    turn_left(words, room)
    run = len(room) - 4
    room[run], room[run + 1] = 0, 0
    for i in range(len(words.rights)):
        right, row, height = words.rights[i], words.base[i], words.heights[i]
        many = words.base[i + 1] - row
        room[run + 3] = many
        two = right >> at & 15
        rest = right ^ two << at
        if two == 0:
            # As many plugs of the left half are not empty as it has loose ends, or an even
            # number more.
            stays = cell.side < 0 or may_stay(right, at, cell) == (height & 1 == 0)
            room[run + 2] = int(stays)
            begin(table, row, room, run, run + 4, words.by_right[right | 9 << at], cell)
        elif two == 1 or two == 2:
            other = words.by_right[rest | two << at + 2]
            passes(table, row, room, run, run + 4, other, cell)
        elif two == 6:
            join(table, row, room, run, run + 4, words.by_right[rest], cell)
        elif two == 5:
            mate = later_mate(right, at + 4, plugs)
            join(table, row, room, run, run + 4, words.by_right[rest ^ 3 << mate], cell)
        elif two == 10:
            mate = earlier_mate(right, at)
            if mate >= 0:
                join(table, row, room, run, run + 4, words.by_right[rest ^ 3 << mate], cell)
            else:
                start = (-1 - mate) * len(words.lefts) + words.first[height]
                join_at(table, row, words.by_right[rest], room, start, many, cell)


def across(words: Words, cell: Step, table: Array, room: Array) -> None:
    """One plug is the last of the left half, the other the first of the right half.

    Left halves of a height come in the order of their last plug, and those with one last plug in
    the order of what is before it: the same for each of the three.
    """
    plugs, at = words.split >> 1, words.split - 2
    turn_left(words, room)
    turned = plugs * len(words.lefts)
    stems = turned + plugs + 2
    for height in range(plugs + 3):
        room[stems + height] = 0
    for height in range(plugs + 1):
        for i in range(words.first[height], words.first[height + 1]):
            room[stems + height] += int(words.lefts[i] >> at == 0)
    run = len(room) - 4
    room[run], room[run + 1] = 0, 0
    for i in range(len(words.rights)):
        right, row, height = words.rights[i], words.base[i], words.heights[i]
        if right & 3:
            continue
        turn_right(words, i, room, turned)
        opened, closed = words.by_right[right | 1], words.by_right[right | 2]
        # In the words of a height: how many have the last plug empty, and how many not a 2.
        here, above = room[stems + height], room[stems + height + 1]
        if cell.side < 0:
            room[run + 2], room[run + 3] = 1, here
            begin(table, row, room, run, run + 4, closed + above, cell)
        else:
            for j in range(here):
                stays = may_stay(words.lefts[words.first[height] + j], at, cell)
                room[run + 2], room[run + 3] = int(stays), 1
                begin(table, row + j, room, run, run + 4, closed + above + j, cell)
        below = room[stems + height - 1] if height > 0 else 0
        room[run + 3] = below
        passes(table, row + here, room, run, run + 4, opened, cell)
        room[run + 3] = above
        passes(table, row + here + below, room, run, run + 4, closed, cell)
        if height > 0:
            deeper = room[stems + height - 2] if height > 1 else 0
            room[run + 3] = here
            join(table, opened + below + deeper, room, run, run + 4, row, cell)
            if height > 1:
                room[run + 3] = deeper
                join(table, opened + below, room, run, run + 4, room[turned], cell)
        if height + 2 <= plugs:
            higher, start = room[stems + height + 2], words.first[height + 2]
            join_at(table, closed + above + here, row, room, start, higher, cell)


#: What of this module is called from Python.
ENTRIES = (step,)
