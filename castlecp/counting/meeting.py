"""Where two sweeps meet, as kernels: one from either end of a lattice, each over some of its rows.

Both have a table over the words of the frontier between them. Two words make loops together when
they have the same empty plugs, and a single one when their pairings do: when going along a strand
of the one, then of the other, and so on comes back only after all of them. There are few such
pairs of pairings, the meanders (OEIS A005315), and they are the same for all sets of plugs.
"""

from __future__ import annotations

from castlecp.counting.frontier import Words
from castlecp.counting.residues import Modulus, add
from castlecp.counting.steps import rank
from castlecp.kernels import Array, Array8, Array32

#: Numbers are multiplied in pieces of so many bits, three each, which make so many pieces.
PIECE, PIECES = 21, 5
LOW = 2**PIECE - 1


def pair(pairings: Array, points: int, mates: Array8) -> None:
    """Fill `mates` with the partners of all points of all pairings, one pairing after another."""
    for i in range(len(pairings)):
        for one in range(points):
            if pairings[i] >> 2 * one & 3 == 1:
                other, depth = one, 1
                while depth > 0:
                    other += 1
                    depth += 1 if pairings[i] >> 2 * other & 3 == 1 else -1
                mates[i * points + one] = other
                mates[i * points + other] = one


def partners(mates: Array8, points: int, i: int, found: Array32) -> int:
    """Fill `found` with the pairings that make a single loop with pairing i; returns how many."""
    many = 0
    for j in range(len(mates) // points):
        at, pairs = 0, 0
        while pairs == 0 or at > 0:
            at = mates[j * points + mates[i * points + at]]
            pairs += 1
        if 2 * pairs == points:
            found[many] = j
            many += 1
    return many


def meet(
    words: Words,
    modulus: Modulus,
    top: Array,
    bottom: Array,
    turned: bool,
    times: int,
    pairings: Array,
    starts: Array,
    linked: Array32,
    plugs: Array,
    start: int,
    stop: int,
    room: Array,
    pieces: Array,
) -> None:
    """Add to `pieces` the loops through the sets of plugs from `start` to `stop`, so many times.

    The partners of pairing i are in `linked` from `starts[i]` on. Words of `bottom` are read
    from the other side if it is `turned`. The last plug is empty in both tables. `room` has place
    for two numbers for each pairing and one for each plug. The sum of piece k times 2^(k PIECE) is
    the number of loops.
    """
    many, prime = len(pairings), modulus.prime
    for at in range(start, stop):
        look_up(words, top, bottom, turned, pairings, plugs[at], room)
        lowest = lower = middle = higher = highest = 0
        for i in range(many):
            total = together(linked, starts[i], starts[i + 1], room, many, prime)
            one, two, three = total & LOW, total >> PIECE & LOW, total >> 2 * PIECE
            number = room[i]
            uno, due, tre = number & LOW, number >> PIECE & LOW, number >> 2 * PIECE
            lowest += one * uno
            lower += one * due + two * uno
            middle += one * tre + two * due + three * uno
            higher += two * tre + three * due
            highest += three * tre
        for _ in range(times):
            pieces[0] = add(pieces[0], lowest % prime, prime)
            pieces[1] = add(pieces[1], lower % prime, prime)
            pieces[2] = add(pieces[2], middle % prime, prime)
            pieces[3] = add(pieces[3], higher % prime, prime)
            pieces[4] = add(pieces[4], highest % prime, prime)


def together(linked: Array32, start: int, stop: int, room: Array, at: int, prime: int) -> int:
    """The sum of the numbers that some places of `linked` name, in `room` from `at` on.

    Two sums at a time: each has to wait for its last number.
    """
    odd, even = 0, 0
    for k in range(start, stop - 1, 2):
        odd = add(odd, room[at + linked[k]], prime)
        even = add(even, room[at + linked[k + 1]], prime)
    if stop - start & 1:
        odd = add(odd, room[at + linked[stop - 1]], prime)
    return add(odd, even, prime)


def look_up(
    words: Words,
    top: Array,
    bottom: Array,
    turned: bool,
    pairings: Array,
    plugs: int,
    room: Array,
) -> None:
    """Fill `room` with the numbers of both tables for each pairing of a set of plugs, as bits."""
    many, last, points = len(pairings), words.plugs - 2, 0
    places = 2 * many
    for place in range(last + 1):
        if plugs >> place & 1:
            room[places + points] = 2 * place
            points += 1
    for i in range(many):
        pairing = pairings[i]
        word = other = 0
        for k in range(places, places + points):
            word |= (pairing & 3) << room[k]
            other |= 3 - (pairing & 3) << 2 * last - room[k]
            pairing >>= 2
        room[i] = top[rank(words, word)]
        room[many + i] = bottom[rank(words, other if turned else word)]


#: What of this module is called from Python.
ENTRIES = (pair, partners, meet)
