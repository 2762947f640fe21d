"""Flips of simple points, as kernels: what `shaped.py` does most of the time."""

from __future__ import annotations

from castlecp.kernels import Array


def wander(
    inside: Array,
    around: Array,
    chances: Array,
    places: Array,
    free: Array,
    asks: Array,
    numbers: Array,
    width: int,
    strict: int,
) -> None:
    """Try a flip for each number: its low bits choose the face, its high ones whether.

    `inside` and `around` are those of `Region`; `free` has of a face how many of its sides are
    the board's border, or -1 where it must stay. Where `strict`, `asks` has 1 for vertices to
    go through and -1 for those to keep clear, and a flip against them is as rare as 2^-strict.
    """
    for k in range(len(numbers)):
        number = numbers[k]
        at = places[(number & 0xFFFFFFFF) % len(places)]
        if free[at] < 0:
            continue
        chance = chances[(free[at] * 2 + inside[at]) * 256 + around[at]]
        if chance == 0:
            continue
        if strict > 0:
            worse = against(inside, asks, at, width)
            if worse != 0:
                inside[at] = 1 - inside[at]
                worse = against(inside, asks, at, width) - worse
                inside[at] = 1 - inside[at]
            elif asked(asks, at, width):
                inside[at] = 1 - inside[at]
                worse = against(inside, asks, at, width)
                inside[at] = 1 - inside[at]
            if worse > 0:
                chance = chance >> min(strict * worse, 40)
            elif worse < 0:
                chance = 1 << 32
        if (number >> 32 & 0xFFFFFFFF) >= chance:
            continue
        inside[at] = 1 - inside[at]
        around[at - width - 1] = around[at - width - 1] ^ 16
        around[at - width] = around[at - width] ^ 32
        around[at - width + 1] = around[at - width + 1] ^ 64
        around[at + 1] = around[at + 1] ^ 128
        around[at + width + 1] = around[at + width + 1] ^ 1
        around[at + width] = around[at + width] ^ 2
        around[at + width - 1] = around[at + width - 1] ^ 4
        around[at - 1] = around[at - 1] ^ 8


def asked(asks: Array, at: int, width: int) -> bool:
    """Whether something is asked of a corner of a face."""
    some: bool = (asks[at] | asks[at + 1] | asks[at + width] | asks[at + width + 1]) != 0
    return some


def against(inside: Array, asks: Array, at: int, width: int) -> int:
    """The corners of a face where the line goes and is not to, or does not and is."""
    wrong = 0
    for k in range(4):
        corner = at + k % 2 + k // 2 * width
        if asks[corner] != 0:
            some = inside[corner] + inside[corner - 1]
            some = some + inside[corner - width] + inside[corner - width - 1]
            entered = some != 0 and some != 4
            if entered != (asks[corner] > 0):
                wrong += 1
    return wrong


#: What of this module is called from Python.
ENTRIES = (wander,)
