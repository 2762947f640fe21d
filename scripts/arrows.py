"""Boards whose every wall has its best arrow: which loops could be the only solution of one.

Every cell off a loop is a clue with its side and one arrow, which may be any of four. Rivals are
the other loops that miss the same cells and have them on the same sides; an arrow rules out those
with another number on its ray. The loop can be told from all others when one arrow a cell can be
chosen so that every rival is ruled out: a hitting set of which each cell gives one.

Two answers, which share nothing but the order of the directions: `tellable` looks through all
loops of a lattice, `told` asks the solver for one rival after another.
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations, product
from operator import or_
from typing import Any, Self

import numba
import numpy as np
from census import Census
from numpy.typing import NDArray
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from castlecp.budget import Budget
from castlecp.counting import Sampler
from castlecp.generate.rivals import Rivals, bits
from castlecp.genres.castle import CastleWall
from castlecp.grid import Lattice, Loop
from castlecp.session import Live

DIRECTIONS = ("right", "down", "left", "up")


class AllLoops:
    """Every loop of a lattice of at most 64 cells, as words and small numbers.

    `visited` and `inside` have a bit a cell, of shape (loops,). `numbers`, of shape (loops, cells,
    4), has what an arrow would count. Loops that are turned or mirrored into one another are told
    alike: `weights` has for one of each such class how many it has, and 0 for the others.
    """

    def __init__(self, lattice: Lattice, chunk: int = 100_000) -> None:
        every = Sampler(lattice)
        cells = lattice.rows * lattice.cols
        place = np.uint64(1) << np.arange(cells, dtype=np.uint64)
        self.visited = np.empty(every.total, np.uint64)
        self.inside = np.empty(every.total, np.uint64)
        self.numbers = np.empty((every.total, cells, 4), np.int8)
        self.weights = np.empty(every.total, np.int64)
        for at in range(0, every.total, chunk):
            part = slice(at, min(at + chunk, every.total))
            census = Census.of(every, range(part.start, part.stop))
            shape = (len(census.visited), cells)
            self.visited[part] = (census.visited.reshape(shape) * place).sum(1, dtype=np.uint64)
            self.inside[part] = (census.inside.reshape(shape) * place).sum(1, dtype=np.uint64)
            for k, direction in enumerate(DIRECTIONS):
                self.numbers[part, :, k] = census.numbers[direction].reshape(shape)
            self.weights[part] = orbits(*every.drawn(range(part.start, part.stop)))

    def __len__(self) -> int:
        return len(self.visited)


def orbits(right: NDArray[np.bool_], down: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many turned and mirrored images each loop has if it is the least of them, else 0."""
    right, down = right[:, :, :-1], down[:, :-1, :]
    images = []
    for mirrored in (False, True):
        a, b = (right[:, :, ::-1], down[:, :, ::-1]) if mirrored else (right, down)
        for _ in range(4):
            if a.shape == right.shape:
                flat = np.concatenate([x.reshape(len(x), -1) for x in (a, b)], 1)
                images.append(np.packbits(flat, axis=1))
            a, b = np.rot90(b, axes=(1, 2)), np.rot90(a, axes=(1, 2))
    names = np.stack([np.ascontiguousarray(x).view(f"V{x.shape[1]}")[:, 0] for x in images], 1)
    text = [[name.tobytes() for name in row] for row in names]
    return np.array([len(set(row)) if row[0] == min(row) else 0 for row in text])


def tellable(loops: AllLoops, asked: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each loop asked for, by number, whether some choice of arrows tells it from others."""
    out = np.zeros(len(asked), bool)
    _tellable(loops.visited, loops.inside, loops.numbers, asked, out)
    return out


@numba.njit(nogil=True)  # type: ignore[misc]
def _tellable(visited: Any, inside: Any, numbers: Any, asked: Any, out: Any) -> None:
    cells = numbers.shape[1]
    found = np.empty(len(visited), np.int64)
    walls = np.empty(cells, np.int64)
    for i in range(len(asked)):
        loop = asked[i]
        off, sides = ~visited[loop], inside[loop]
        width = 0
        for cell in range(cells):
            if off >> np.uint64(cell) & np.uint64(1):
                walls[width] = cell
                width += 1
        many = 0
        for rival in range(len(visited)):
            if (visited[rival] | (inside[rival] ^ sides)) & off == 0 and rival != loop:
                found[many] = rival
                many += 1
        # For each rival and wall a bit for each arrow that rules the rival out.
        ruled = np.zeros((many, width), np.uint8)
        told = True
        for k in range(many):
            some = 0
            for w in range(width):
                for d in range(4):
                    if numbers[found[k], walls[w], d] != numbers[loop, walls[w], d]:
                        ruled[k, w] |= 1 << d
                some |= ruled[k, w]
            if not some:
                told = False
                break
        out[i] = told and one_arrow_each(ruled)


@numba.njit(nogil=True)  # type: ignore[misc]
def one_arrow_each(ruled: Any) -> bool:
    """Whether one arrow of each wall can be chosen so that every rival is ruled out.

    `ruled[rival, wall]` has a bit for each of the wall's four arrows. Depth-first: a rival with
    one arrow left forces it; else one of the rival with the fewest is tried, then forbidden.
    """
    many, width = ruled.shape
    allowed = np.full((width + 2, width), 15, np.uint8)
    tried = np.zeros((width + 2, 2), np.int64)
    bits = np.array([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4])
    depth = 0
    while True:
        now = allowed[depth]
        clash = False
        again = True
        while again and not clash:
            again = False
            fewest, which = 1 << 30, -1
            for k in range(many):
                options = 0
                hit = False
                for w in range(width):
                    left = now[w] & ruled[k, w]
                    if left == now[w]:
                        hit = True
                        break
                    options += bits[left]
                if hit:
                    continue
                if options == 0:
                    clash = True
                    break
                if options == 1:
                    for w in range(width):
                        if now[w] & ruled[k, w]:
                            now[w] &= ruled[k, w]
                    again = True
                elif options < fewest:
                    fewest, which = options, k
        if clash:
            # Back to the last choice, which is then forbidden.
            if depth == 0:
                return False
            depth -= 1
            w, arrow = tried[depth]
            allowed[depth, w] &= ~arrow
            continue
        if which < 0:
            return True
        for w in range(width):
            left = now[w] & ruled[which, w]
            if left:
                arrow = left & -left
                tried[depth, 0], tried[depth, 1] = w, arrow
                allowed[depth + 1] = now
                allowed[depth + 1, w] = arrow
                depth += 1
                break


class Asking:
    """Whether loops of a lattice can be told from all others, by the solver."""

    #: Loops after which the solver is made anew, so that memory stays flat.
    RENEW = 300

    def __init__(self, lattice: Lattice) -> None:
        self.board = CastleWall(lattice.rows, lattice.cols)
        self.live = Live(lattice)
        self.asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.live.close()

    def told(self, loop: Loop) -> bool:
        """Whether some choice of arrows, one a wall, tells the loop from all others.

        Arrows are chosen by one solver and rivals found by another, until one of them fails.
        """
        if self.asked % self.RENEW == 0:
            self.live.close()
            self.live = Live(loop.lattice)
        self.asked += 1
        clues, walls = [], []
        for vertex in loop.lattice.vertices():
            true = CastleWall.true_clues(loop, vertex)
            arrows = [clue for clue in true if clue.arrow and clue.color != "grey"]
            if arrows:
                walls.append(range(len(clues), len(clues) + len(arrows)))
                clues += arrows
        rivals = Rivals(self.board, loop, clues, self.live)
        with Solver("minisat22") as chooser:
            for wall in walls:
                chooser.add_clause([k + 1 for k in wall])
                for k in wall:
                    for other in range(k + 1, wall.stop):
                        chooser.add_clause([-k - 1, -other - 1])
            rival: int | None = 0
            while chooser.solve():
                chosen = sum(1 << (x - 1) for x in chooser.get_model() or [] if x > 0)
                rival = rivals.ask(chosen, Budget())
                if not rival:
                    break
                chooser.add_clause([k + 1 for k in bits(rival)])
        self.live.drop(rivals.active)
        return rival is None


def violations(loops: AllLoops, loop: int) -> NDArray[np.bool_]:
    """What each other loop violates of all that can be said of a loop.

    Of shape (loops - 1, walls, 4): a clue with a side and an arrow is violated by a loop that
    enters its cell, has it on the other side, or has another number of edges on the ray.
    """
    cells = loops.numbers.shape[1]
    places = np.arange(cells, dtype=np.uint64)
    walls = np.flatnonzero(~(loops.visited[loop] >> places) & np.uint64(1))
    others = np.flatnonzero(np.arange(len(loops)) != loop)
    shift = walls.astype(np.uint64)
    differs = loops.visited | (loops.inside ^ loops.inside[loop])
    sides = (differs[others, None] >> shift & np.uint64(1)).astype(bool)
    counts = loops.numbers[np.ix_(others, walls)] != loops.numbers[loop, walls]
    return counts | sides[:, :, None]


def fewest(violated: NDArray[np.bool_]) -> int | None:
    """The least number of clues, one arrow each, that no other loop obeys; None if there is none.

    By implicit hitting sets: the fewest clues against the loops known so far, by MaxSAT, then of
    the loops that obey these the one that violates least becomes known.
    """
    many, walls, arrows = violated.shape
    options = violated.reshape(many, walls * arrows)
    size = options.sum(1)
    hard: list[list[int]] = []
    for wall in range(walls):
        names = range(wall * arrows + 1, (wall + 1) * arrows + 1)
        hard += [[-a, -b] for a in names for b in names if a < b]
    formula = WCNF()
    formula.extend(hard)
    for option in range(walls * arrows):
        formula.append([-option - 1], weight=1)
    with RC2(formula) as solver:
        while (model := solver.compute()) is not None:
            chosen = [x - 1 for x in model if 0 < x <= walls * arrows]
            left = np.flatnonzero(~options[:, chosen].any(1))
            if not len(left):
                return len(chosen)
            rival = left[size[left].argmin()]
            if not size[rival]:
                return None
            solver.add_clause([int(x) + 1 for x in np.flatnonzero(options[rival])])
    return None


def fewest_plainly(violated: NDArray[np.bool_]) -> int | None:
    """The same by trying every choice, the small ones first."""
    many, walls, arrows = violated.shape
    hit = [
        [int.from_bytes(np.packbits(violated[:, w, d]).tobytes(), "big") for d in range(arrows)]
        for w in range(walls)
    ]
    every = int.from_bytes(np.packbits(np.ones(many, bool)).tobytes(), "big")
    for number in range(walls + 1):
        for cells in combinations(range(walls), number):
            if any(reduce(or_, said, 0) == every for said in product(*(hit[w] for w in cells))):
                return number
    return None
