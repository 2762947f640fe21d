"""What the rule `ray` finds along one stretch is all that its colourings have in common."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest

from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.propagation import genres as readers
from castlecp.propagation.board import Board
from castlecp.propagation.fixpoint import accept
from castlecp.propagation.rules.ray import rays
from castlecp.propagation.state import TAIL, UNKNOWN, State, blank
from castlecp.propagation.trail import side


def found(board: Board, state: State) -> set[int] | None:
    """The literals that the rule finds; None when there is no way left."""
    return set(state.queue[: state.n[TAIL]]) if rays(board, state) else None


def common(board: Board, state: State) -> set[int] | None:
    """The same from every colouring of the faces beside the stretch, one by one."""
    stretch = board.count
    edges, outer = len(state.edge), board.outer
    leaving = []
    for d, e in pairwise(stretch):
        (v,) = {*board.ends[2 * d : 2 * d + 2]} & {*board.ends[2 * e : 2 * e + 2]}
        leaving.append([x for x in board.near[4 * v : 4 * v + 4] if x >= 0 and x not in (d, e)])
    told = [*stretch, *(x for pair in leaving for x in pair)]
    faces = sorted({f for e in stretch for f in board.beside[2 * e : 2 * e + 2]} - {outer})
    ways = []
    for colours in product((0, 1), repeat=len(faces)):
        inside = {**dict(zip(faces, colours, strict=True)), outer: 0}
        value = {x: inside[board.beside[2 * x]] ^ inside[board.beside[2 * x + 1]] for x in told}
        crowded = any(
            value[d] and value[e] and all(value[x] for x in pair)
            for (d, e), pair in zip(pairwise(stretch), leaving, strict=True)
            if len(pair) == 2
        )
        if (
            not crowded
            and sum(value[e] for e in stretch) == board.number[0]
            and all(state.edge[x] in (UNKNOWN, value[x]) for x in told)
            and all(side(board, state, f) in (UNKNOWN, inside[f]) for f in faces)
        ):
            literals = {2 * x + value[x] for x in told}
            ways.append(
                literals | {2 * (edges + f * (outer + 1) + outer) + inside[f] for f in faces}
            )
    if not ways:
        return None
    known = {2 * x + state.edge[x] for x in told if state.edge[x] != UNKNOWN}
    for f in faces:
        if side(board, state, f) != UNKNOWN:
            known.add(2 * (edges + f * (outer + 1) + outer) + side(board, state, f))
    return set.intersection(*ways) - known


def stretched(rows: int, cols: int, row: int, number: int) -> Board:
    """The board of one arrow, from the first cell of a row along all of it."""
    clue = CastleClue(row, 0, "grey", "right", number)
    puzzle = CastleWall(rows, cols, (clue,))
    return readers.of(puzzle).read(puzzle).board


def test_no_way_crosses_itself() -> None:
    """All four edges of a vertex cannot be on.

    Found by random search: a walk that forgets it on the way forward, and not on the way back,
    finds less here.
    """
    board = stretched(4, 4, 2, 2)
    state = blank(board)
    assert accept(board, state, 2 * 19)
    wanted = common(board, state)
    assert wanted
    assert found(board, state) == wanted


@pytest.mark.parametrize("seed", range(60))
def test_random_edges_known(seed: int) -> None:
    """Small boards of one arrow, with a few edges on or off."""
    random = Random(seed)
    rows, cols = random.randint(3, 4), random.randint(4, 6)
    board = stretched(rows, cols, random.randrange(rows), random.randint(1, cols - 2))
    state = blank(board)
    for edge in random.sample(range(len(state.edge)), random.randint(0, 4)):
        if not accept(board, state, 2 * edge + random.randrange(2)):
            return
    wanted = common(board, state)
    got = found(board, state)
    assert (got is None) == (wanted is None)
    assert got is None or got == wanted
