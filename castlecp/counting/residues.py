"""Cells of a sweep as a kernel: a table of numbers modulo a prime, changed in place.

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
of numbers from before the cell.

Both plugs always lie in the right half, so that the same happens to all words with one right half,
which follow each other. For that, half way along a row the table turns round: each number goes to
the word that its own reads as from the other side. So a row begins at the right end of the words
and goes to their middle, and after the turn from there to the right end.

A strand that lies over a gap of the frontier has crossed it in a row of its own. After r rows no
word is therefore deeper than r, and the deeper ones are passed over.
"""

from __future__ import annotations

from typing import NamedTuple

from castlecp.counting.frontier import Words
from castlecp.counting.steps import rank
from castlecp.kernels import Array

#: Products of a number and a weight are below 2^REACH.
REACH = 60
#: How many numbers say what the loop may do at a cell: the plug before it; whether the loop may
#: leave by that plug and by the next one; 1 when the cell must lie inside, 0 outside, -1 when
#: nothing is asked; 0 where the loop must not come, 2 where that has a weight, else 1; how deep
#: words are; and whether the table turns round after the cell.
PLUG, FIRST, SECOND, SIDE, VISIT, DEPTH, TURN, FIELDS = range(8)
#: So many left halves are turned round together.
BLOCK = 8


class Modulus(NamedTuple):
    """A prime below 2^63 with so many bits, and the weight of a visit.

    With a weight above 1, it has REACH / 2 to 62 bits, the product of both is below 2^REACH, and
    `inverse` is 2^REACH // `prime`.
    """

    prime: int
    bits: int
    inverse: int
    weight: int


def sweep(
    words: Words, modulus: Modulus, cells: Array, start: int, stop: int, table: Array, closed: int
) -> int:
    """Take the table past the cells from `start` to `stop`; returns the number of closed loops.

    Before them that was `closed`. It is modulo the prime.
    """
    for at in range(start * FIELDS, stop * FIELDS, FIELDS):
        visit = cells[at + VISIT]
        weight = modulus.weight if visit == 2 else visit
        last = table[rank(words, 9 << 2 * cells[at + PLUG])]
        # What was closed before a cell cannot have it inside.
        before = 0 if cells[at + SIDE] == 1 else closed
        closed = add(before, weigh(last, weight, modulus), modulus.prime)
        step(words, modulus, cells, at, weight, table)
        if cells[at + TURN]:
            turn(words, cells[at + DEPTH], table)
    return closed


def weigh(number: int, weight: int, modulus: Modulus) -> int:
    """The number times the weight: P. Barrett's way to a remainder, without a division."""
    if weight < 2:
        return number * weight
    product = number * weight
    # The quotient, or one or two less.
    quotient = (product >> modulus.bits - 1) * modulus.inverse >> REACH + 1 - modulus.bits
    rest = product - quotient * modulus.prime
    return add(add(rest, 0, modulus.prime), 0, modulus.prime)


def add(one: int, other: int, prime: int) -> int:
    """The sum, without a jump."""
    total = one + other - prime
    return total + (total >> 63 & prime)


def step(
    words: Words, modulus: Modulus, cells: Array, cell: int, weight: int, table: Array
) -> None:
    """Take the table past the cell that `cells` has at `cell`."""
    at = 2 * cells[cell + PLUG] - words.split
    first, second = cells[cell + FIRST], cells[cell + SECOND]
    side, depth = cells[cell + SIDE], cells[cell + DEPTH]
    plugs = words.plugs - (words.split >> 1)
    for i in range(len(words.rights)):
        if words.depths[i] > depth:
            continue
        right, row, height = words.rights[i], words.base[i], words.heights[i]
        many = shallow(words, height, depth)
        two = right >> at & 15
        rest = right ^ two << at
        if two == 0:
            # As many plugs of the left half are not empty as it has loose ends, or an even
            # number more.
            stays = side < 0 or is_inside(right, at) == (side == (height & 1 == 0))
            new = words.by_right[right | 9 << at]
            begin(table, row, new, many, int(stays), first * second, weight, modulus)
        elif two == 1 or two == 2:
            other = words.by_right[rest | two << at + 2]
            passes(table, row, other, many, first, second, weight, modulus)
        elif two == 6:
            join(table, row, words.by_right[rest], many, weight, modulus)
        elif two == 5:
            mate = later_mate(right, at + 4, plugs)
            join(table, row, words.by_right[rest ^ 3 << mate], many, weight, modulus)
        elif two == 10:
            mate = earlier_mate(right, at)
            if mate >= 0:
                join(table, row, words.by_right[rest ^ 3 << mate], many, weight, modulus)
            else:
                turned = (-1 - mate) * len(words.lefts) + words.first[height]
                join_at(words, table, row, words.by_right[rest], turned, many, weight, modulus)


def shallow(words: Words, height: int, depth: int) -> int:
    """How many left halves of a height have at most a depth."""
    half = words.split >> 1
    found: int = words.shallow[height * (half + 1) + min(depth, half)]
    return found


def begin(
    table: Array,
    empty: int,
    new: int,
    many: int,
    stays: int,
    both: int,
    weight: int,
    modulus: Modulus,
) -> None:
    """From 00 to 12: from place `empty` to `new`, for so many words that follow each other."""
    if stays and both * weight == 1:
        for j in range(many):
            table[new + j] = table[empty + j]
    else:
        for j in range(many):
            table[new + j] = weigh(table[empty + j], weight, modulus) * both
            table[empty + j] *= stays


def passes(
    table: Array,
    one: int,
    two: int,
    many: int,
    first: int,
    second: int,
    weight: int,
    modulus: Modulus,
) -> None:
    """Between x0 and 0x."""
    prime = modulus.prime
    if first * second * weight == 1:
        for j in range(many):
            total = add(table[one + j], table[two + j], prime)
            table[one + j] = table[two + j] = total
    else:
        for j in range(many):
            total = weigh(add(table[one + j], table[two + j], prime), weight, modulus)
            table[one + j] = total * first
            table[two + j] = total * second


def join(table: Array, old: int, empty: int, many: int, weight: int, modulus: Modulus) -> None:
    """From 11, 22 or 21 to 00."""
    prime = modulus.prime
    if weight == 1:
        for j in range(many):
            table[empty + j] = add(table[empty + j], table[old + j], prime)
            table[old + j] = 0
    else:
        for j in range(many):
            number = weigh(table[old + j], weight, modulus)
            table[empty + j] = add(table[empty + j], number, prime)
            table[old + j] = 0


def join_at(
    words: Words,
    table: Array,
    old: int,
    empty: int,
    turned: int,
    many: int,
    weight: int,
    modulus: Modulus,
) -> None:
    """From 22 to 00 where the left half changes as well: from `turned` on are its new numbers."""
    prime = modulus.prime
    if weight == 1:
        for j in range(many):
            at = empty + words.turned[turned + j]
            table[at] = add(table[at], table[old + j], prime)
            table[old + j] = 0
    else:
        for j in range(many):
            at = empty + words.turned[turned + j]
            table[at] = add(table[at], weigh(table[old + j], weight, modulus), prime)
            table[old + j] = 0


def is_inside(half: int, at: int) -> bool:
    """Whether an odd number of plugs of a half below bit `at` is not empty.

    A ray from the cell crosses their edges, and those of the other half.
    """
    odd = 0
    for place in range(0, at, 2):
        odd ^= int(half >> place & 3 != 0)
    return odd == 1


def later_mate(half: int, at: int, plugs: int) -> int:
    """The bit of the plug that ends the strand begun just before bit `at`, which is in the half."""
    depth = 0
    for place in range(at, 2 * plugs, 2):
        plug = half >> place & 3
        if plug == 1:
            depth += 1
        elif plug == 2:
            if depth == 0:
                return place
            depth -= 1
    return -1


def earlier_mate(half: int, at: int) -> int:
    """The bit of the plug that begins the strand ended at bit `at`.

    If that is not in this half: minus 1, minus the strands ended before it and not begun here.
    """
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


def turn(words: Words, depth: int, table: Array) -> None:
    """Turn the table round: words change places with what they read as from the other side."""
    half, lefts = words.split >> 1, len(words.lefts)
    middles = words.plugs - 2 * half
    for middle in range(1 << 2 * middles):
        other = mirrored(middle, middles)
        if other < middle:
            continue
        for own in range(half + 1):
            height = height_before(middle, middles, own)
            if height < 0 or height > half:
                continue
            low, end = words.first[own], words.first[own] + shallow(words, own, depth)
            start, many = words.first[height], shallow(words, height, depth)
            for block in range(low, end, BLOCK):
                stop = min(block + BLOCK, end)
                for j in range(start, start + many):
                    last = min(stop, j) if other == middle else stop
                    there = words.columns[other * lefts + j] - low
                    for i in range(block, last):
                        here = words.columns[middle * lefts + i] + j - start
                        number = table[here]
                        table[here] = table[there + i]
                        table[there + i] = number


def mirrored(plugs: int, many: int) -> int:
    """So many plugs read from the other side; -1 if they are no plugs."""
    found = 0
    for place in range(0, 2 * many, 2):
        plug = plugs >> place & 3
        if plug == 3:
            return -1
        found = found << 2 | (3 - plug if plug else 0)
    return found


def height_before(plugs: int, many: int, height: int) -> int:
    """How many strands so many plugs must end if those behind them end `height`.

    Below 0 if there are none such.
    """
    for place in range(2 * many - 2, -1, -2):
        plug = plugs >> place & 3
        if plug == 2:
            height += 1
        elif plug == 1:
            height -= 1
            if height < 0:
                return -1
    return height


#: What of this module is called from Python.
ENTRIES = (sweep,)
