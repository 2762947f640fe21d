"""What `scripts/arrows.py` says of loops, on boards where it can be counted otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from castlecp import brute
from castlecp.grid import Lattice

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import arrows


@pytest.mark.parametrize(("size", "told"), [((3, 3), 9), ((3, 4), 36), ((4, 4), 167)])
def test_best_arrows(size: tuple[int, int], told: int) -> None:
    """Loops that some board tells from all others: by the solver, and by hitting sets."""
    lattice = Lattice(*size)
    with arrows.Asking(lattice) as asking:
        assert sum(asking.told(loop) for loop in brute.loops(lattice)) == told
    loops = arrows.AllLoops(lattice)
    assert loops.weights.sum() == len(loops) == len(brute.loops(lattice))
    some = np.flatnonzero(loops.weights).tolist()
    least = {loop: arrows.fewest(arrows.violations(loops, loop)) for loop in some}
    assert sum(loops.weights[loop] for loop in some if least[loop] is not None) == told


def test_fewest_clues() -> None:
    """The fewest clues are those that trying every set of clues finds."""
    loops = arrows.AllLoops(Lattice(3, 4))
    for loop in range(len(loops)):
        violated = arrows.violations(loops, loop)
        assert arrows.fewest(violated) == arrows.fewest_plainly(violated)
