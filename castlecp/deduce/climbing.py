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
    UNKNOWN,
    Array,
    Board,
    State,
)
from castlecp.deduce.counts import counts, differences, parity
from castlecp.deduce.faces import reach, sides
from castlecp.deduce.line import degree, one_loop
from castlecp.deduce.rays import rays
from castlecp.deduce.state import (
    CHEAP,
    COUNT,
    DEGREE,
    DIFFERENCE,
    DOUBLE,
    FORK,
    LOOP,
    PARITY,
    PROBE,
    RAY,
    REACH,
    SIDES,
    forget,
    settle,
)

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
    the number of literals, and the literals. A contradiction is logged as a step without
    literals; one within `known` as a step by SIDES at the place -1, -1. `log[0]` is left as the
    end of the log, which begins at 1 and needs room for 5 numbers for every edge and face.
    """
    n, todo = state.n, state.todo
    edges = len(state.edge)
    n[RUNGS] = 0
    end = log[0] = 1
    for i in range(len(known)):
        if not settle(board, state, known[i]):
            log[1], log[2], log[3], log[4] = SIDES, -1, -1, 0
            log[0] = 5
            return DEAD
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
            forget(state)
            log[0] = end
            return DEAD
        while n[HEAD] < n[TODO]:
            literal = todo[n[HEAD]]
            n[HEAD] += 1
            if literal < 2 * edges:
                state.due[literal >> 1] = UNKNOWN
            settle(board, state, literal)
            log[end] = literal
            end += 1
        n[HEAD] = n[TODO] = 0
        log[start + 3] = end - start - 4
        log[0] = end
    return FINISHED if n[OPEN] == 0 else STUCK
