"""Loops with weights for what a person sees of them: how they fill the board, turn and go within.

A loop's weight is a product over its vertices and border edges (`Weights`), so that of all
ways to draw loops with such means it is the one that asks for nothing else (maximum entropy,
Jaynes 1957). Loops are drawn by a Markov chain over flips of simple points, accepted as
Metropolis and others (1953) say: the weights before and after a flip differ by what stands in the
3 x 3 faces around, so a table has every chance. Faces inside need no weight of their own: by Pick's
theorem there are as many as vertices within and half of those on the loop, less one.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import lru_cache
from random import Random

from castlecp.budget import Budget
from castlecp.generate.flips import wander
from castlecp.generate.region import RING, SIMPLE, Region
from castlecp.generate.wish import ANY, Wish
from castlecp.grid import Lattice, Loop
from castlecp.kernels import compiled
from castlecp.propagation.buffers import buffer, zeros
from castlecp.taste import Weights

#: Flips tried for each face.
SWEEPS = 240
#: Flips tried between two looks at the budget.
BATCH = 1 << 14
#: Chances are counted in this many parts.
PARTS = 1 << 32

#: How often the weights are raised or lowered for a loop of a wished length.
FACTORS = 8

#: Weights for lattices of no genre's.
USUAL = Weights()


def shaped(
    lattice: Lattice, random: Random, wish: Wish = ANY, *, budget: Budget | None = None
) -> Loop:
    """A loop by the weights of `wish.weights`; `winding` makes turns dearer or cheaper.

    Vertices to keep clear or to go through are seen to more and more strictly (simulated
    annealing).
    """
    region = Region(lattice, list(lattice.faces()), wish)
    weights = wish.weights or USUAL
    weights = weights._replace(turn=max(1, round(weights.turn * wish.winding)))
    chances = _chances(weights)
    width, free = lattice.cols + 1, zeros(len(region.inside))
    asks = zeros(len(region.inside) + width + 2)
    for at in region.places:
        free[at] = -1 if at in region.within else region.beside(at)
    for sign, vertices in ((-1, wish.clear), (1, wish.through)):
        for vertex in vertices:
            if lattice.has_vertex(vertex):
                asks[region.place(vertex)] = sign
    places = buffer(region.places)
    inside, around = buffer(map(int, region.inside)), buffer(region.around)
    left = total = SWEEPS * len(places)
    batch, at = BATCH, 0
    if wish.share is not None or wish.clear or wish.through:
        batch = min(BATCH, 4 * len(places))
    while left:
        if budget is not None:
            budget.look()
        if wish.share is not None:
            at += 1 if _passed(inside, region) < wish.share else -1
            at = max(-FACTORS, min(FACTORS, at))
            chances = _chances(_longer(weights, at))
        tried = min(left, batch)
        strict = 1 + 20 * (total - left) // total if wish.clear or wish.through else 0
        numbers = _numbers(random, tried)
        compiled(wander)(inside, around, chances, places, free, asks, numbers, width, strict)
        left -= tried
    return Loop.around(lattice, (f for f in lattice.faces() if inside[region.place(f)]))


def _passed(inside: memoryview, region: Region) -> float:
    """The share of the vertices that the loop passes."""
    lattice, width = region.lattice, region.lattice.cols + 1
    corners = [region.place(vertex) for vertex in lattice.vertices()]
    sums = (inside[k] + inside[k - 1] + inside[k - width] + inside[k - width - 1] for k in corners)
    return sum(0 < one < 4 for one in sums) / len(corners)


def _longer(weights: Weights, more: int) -> Weights:
    """The weights with vertices that the loop passes weighed by 1.3 once more, or once less."""
    up, down = (13**more, 10**more) if more > 0 else (10**-more, 13**-more)
    scaled = {key: max(1, getattr(weights, key) * up // down) for key in ("turn", "straight")}
    return weights._replace(**scaled)


def _numbers(random: Random, number: int) -> memoryview:
    """Random numbers of 64 bits, the same on every machine."""
    drawn = bytearray(random.randbytes(8 * number))
    if sys.byteorder == "big":
        drawn.reverse()
    return memoryview(drawn).cast("q")


@lru_cache(64)
def _chances(weights: Weights) -> memoryview:
    """The chance that a flip is accepted, by sides on the border, its side and those around it."""
    table = []
    for borders in range(5):
        for side in (False, True):
            for around in range(256):
                chance = Fraction(0)
                if SIMPLE[side][around]:
                    chance = _weight(weights, not side, around, borders)
                    chance /= _weight(weights, side, around, borders)
                table.append(int(min(chance, Fraction(1)) * PARTS))
    return buffer(table)


def _weight(weights: Weights, side: bool, around: int, borders: int) -> Fraction:
    """What the four corners of a face and its border edges weigh."""
    weight = Fraction(weights.rim, 100) ** (borders if side else 0)
    circle = {place: bool(around >> k & 1) for k, place in enumerate(RING)}
    for down in (-1, 1):
        for right in (-1, 1):
            corner = side + circle[down, 0] + circle[0, right] + circle[down, right]
            if corner == 4:
                weight *= Fraction(weights.within, 100)
            elif corner in (1, 3):
                weight *= Fraction(weights.turn, 100)
            elif corner == 2:
                weight *= Fraction(weights.straight, 100)
    return weight
