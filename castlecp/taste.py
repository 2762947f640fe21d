"""What people like in the boards of a genre, as numbers."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """What weighs how much in the shape of a loop, in hundredths of what weighs nothing.

    A vertex where the loop has a `turn`, where it goes `straight`, and one `within` it that it
    does not pass; and an edge on the board's `rim`.
    """

    turn: int = 100
    straight: int = 100
    within: int = 100
    rim: int = 100


class Taste(NamedTuple):
    """What boards of a genre should be like, in hundredths; `scripts/bench_taste` measures it.

    `weights` are those of loops, and `loop` the share of the vertices that they pass. `clues` is
    the share of the cells that have one, `silent` that of the clues that say less than they could,
    `symmetric` that of the boards that are laid out symmetrically. `mix` has how many clues say 0,
    1, 2 and so on, the last all that is more, and `apart` how much it counts against a clue that
    another one is beside it. `white` is the share of clues of that colour, None where they have
    none.
    """

    weights: Weights = Weights()
    loop: int = 80
    clues: int = 20
    silent: int = 0
    symmetric: int = 50
    mix: tuple[int, ...] = ()
    apart: int = 100
    white: int | None = None
