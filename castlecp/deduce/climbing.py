"""Climbing a ladder: single steps by the first rule that finds something, with the reasons."""

from __future__ import annotations

from castlecp.deduce.assume import double_probe, fork, probe
from castlecp.deduce.board import (
    DETAIL,
    HEAD,
    OPEN,
    PLACE,
    RUNGS,
    TODO,
    TRAIL,
    Array,
    Board,
    State,
)
from castlecp.deduce.counts import counts, differences, parity
from castlecp.deduce.faces import reach, sides, touching
from castlecp.deduce.line import degree, one_loop
from castlecp.deduce.patterns import patterns
from castlecp.deduce.propagate import accept
from castlecp.deduce.rays import rays
from castlecp.deduce.sights import sights
from castlecp.deduce.state import (
    CHEAP,
    CORNER,
    COUNT,
    DEGREE,
    DIFFERENCE,
    DOUBLE,
    FORK,
    LOOP,
    PARITY,
    PATTERN,
    PROBE,
    RAY,
    REACH,
    SIDES,
    SIGHT,
    STATEMENT,
    forget,
    settle,
    take,
)
from castlecp.deduce.statements import statements

# How a climb ends.
STUCK, FINISHED, DEAD = 0, 1, -1


def apply(board: Board, state: State, rule: int, use: int) -> bool:
    """Put what a rule finds first into the queue; False when it finds a contradiction.

    `use` are the rules that an assumption may use.
    """
    if rule == DEGREE:
        return degree(board, state)
    if rule == COUNT:
        return counts(board, state)
    if rule == PARITY:
        return parity(board, state)
    if rule == LOOP:
        return one_loop(board, state)
    if rule == SIDES:
        return sides(board, state)
    if rule == DIFFERENCE:
        return differences(board, state)
    if rule == REACH:
        return reach(board, state)
    if rule == RAY:
        return rays(board, state)
    if rule == PATTERN:
        return patterns(board, state)
    if rule == STATEMENT:
        return statements(board, state)
    if rule == SIGHT:
        return sights(board, state)
    if rule == CORNER:
        return touching(board, state)
    if rule == PROBE:
        return probe(board, state, use)
    if rule == FORK:
        return fork(board, state, use)
    if rule == DOUBLE:
        return double_probe(board, state, use)
    return True


def climb(board: Board, state: State, known: Array, ladder: Array, most: int, log: Array) -> int:
    """Take at most `most` steps with the rules of `ladder`, easiest first; how it ended.

    `known` are literals that hold from the start. Each step is by the first rule of the ladder
    that finds something, and is logged as: its rule, the place and the detail of its reason,
    the number of literals, and the literals. On a board `by_faces` the edges that follow from
    faces are among them; those that follow from `known` are not logged. A contradiction is
    logged as a step without literals; one of sides and edges alone as a step by SIDES at the
    place -1, -1. `log[0]` is left as the end of the log, which begins at 1 and needs room for 5
    numbers for every edge and face.
    """
    n = state.n
    n[RUNGS] = 0
    end = log[0] = 1
    alive = True
    for i in range(len(known)):
        alive = alive and accept(board, state, known[i])
    if not alive:
        return _contradiction(board, state, log)
    for _ in range(most):
        use, rule, alive = 0, 0, True
        for i in range(len(ladder)):
            rule = ladder[i]
            n[PLACE] = n[DETAIL] = 0
            alive = apply(board, state, rule, use & CHEAP)
            if not alive or n[TODO] > 0:
                break
            use |= rule
        if alive and n[TODO] == 0:
            break
        log[end], log[end + 1], log[end + 2], log[end + 3] = rule, n[PLACE], n[DETAIL], 0
        start = end
        end += 4
        if not alive:
            forget(board, state)
            log[0] = end
            return DEAD
        while alive and n[HEAD] < n[TODO]:
            literal, before = take(board, state), n[TRAIL]
            alive = settle(board, state, literal)
            if n[TRAIL] > before:  # else it follows from those before it
                log[end] = literal
                end += 1
        log[start + 3] = end - start - 4
        log[0] = end
        if not alive:
            return _contradiction(board, state, log)
        n[HEAD] = n[TODO] = 0
    return FINISHED if n[OPEN] == 0 else STUCK


def _contradiction(board: Board, state: State, log: Array) -> int:
    """Log that what is known of sides and edges contradicts itself."""
    forget(board, state)
    end = log[0]
    log[end], log[end + 1], log[end + 2], log[end + 3] = SIDES, -1, -1, 0
    log[0] = end + 4
    return DEAD
