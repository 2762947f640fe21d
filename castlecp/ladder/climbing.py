"""Climbing a ladder: single steps by the first rule that finds something, with the reasons."""

from __future__ import annotations

from collections.abc import Callable

from castlecp.kernels import Array
from castlecp.ladder import assumptions
from castlecp.ladder.rules import bit
from castlecp.ladder.shortest import CHEAP, find, shortest
from castlecp.propagation.assume import spend
from castlecp.propagation.board import Board
from castlecp.propagation.dispatch import made
from castlecp.propagation.fixpoint import accept
from castlecp.propagation.state import (
    DETAIL,
    HEAD,
    OPEN,
    PLACE,
    RULES,
    SHORTEST,
    STOP,
    TAIL,
    TRAIL,
    State,
)
from castlecp.propagation.trail import SIDES, clear, dequeue, settle

# How a climb ends.
STUCK, FINISHED, CONFLICT, STOPPED = 0, 1, -1, 2


#: The rule of which the best assumption is looked for.
PROBE = bit("failed_literal")

# Enqueues what a rule finds first; False on a conflict. `use` are the rules that an assumption
# may use.
apply: Callable[[Board, State, int, int], bool] = made(
    globals(),
    "apply(board: Board, state: State, rule: int, use: int) -> bool",
    [
        f"if rule & {CHEAP} != 0:\n    return find(board, state, rule)",
        *(
            f"if rule == {bit(name)}:\n    return {name}_kernel(board, state, use)"
            for name in assumptions.REGISTRY
        ),
    ],
    {
        "find": find,
        **{f"{name}_kernel": assumptions.REGISTRY[name].kernel for name in assumptions.REGISTRY},
    },
)


def climb(board: Board, state: State, known: Array, ladder: Array, log: Array) -> int:
    """Take steps with the rules of `ladder`, easiest first, until `n[STOP]`; how it ended.

    `known` are literals that hold from the start. Each step is by the first rule of the ladder
    that finds something (with `n[SHORTEST]` a probe is the best
    one, see `shortest`), and is logged as: its rule, the place and the detail of its reason,
    the number of literals, and the literals. On a board `by_faces` the edges that follow from
    faces are among them; those that follow from `known` are not logged. A conflict is
    logged as a step without literals; one of sides and edges alone as a step by `sides` at the
    place -1, -1, after all literals that lead to it. `log[0]` is left as the end of the log, which
    begins at 1 and needs room for 5 numbers for every edge and face.
    """
    n = state.n
    n[RULES] = 0
    end = log[0] = 1
    alive = True
    for i in range(len(known)):
        alive = alive and accept(board, state, known[i])
    if not alive:
        return _conflict(board, state, log)
    while True:
        use, rule, easier, alive = 0, 0, 0, True
        for i in range(len(ladder)):
            rule, easier = ladder[i], i
            n[PLACE] = n[DETAIL] = 0
            alive = apply(board, state, rule, use & CHEAP)
            if not alive or n[TAIL] > 0 or n[STOP] == 1:
                break
            use |= rule
        if rule == PROBE and n[TAIL] > 0 and n[SHORTEST] == 1 and n[STOP] == 0:
            shortest(board, state, ladder, easier, use & CHEAP)
        if n[STOP] == 1:
            return STOPPED
        if alive and n[TAIL] == 0:
            break
        log[end], log[end + 1], log[end + 2], log[end + 3] = rule, n[PLACE], n[DETAIL], 0
        start = end
        end += 4
        if not alive:
            clear(board, state)
            log[0] = end
            return CONFLICT
        while alive and n[HEAD] < n[TAIL]:
            literal, before = dequeue(board, state), n[TRAIL]
            alive = settle(board, state, literal)
            if n[TRAIL] > before or not alive:  # else it follows from those before it
                log[end] = literal
                end += 1
        while n[HEAD] < n[TAIL]:  # the rule found them too, and one may be what contradicts it
            literal = dequeue(board, state)
            log[end] = literal
            end += 1
        log[start + 3] = end - start - 4
        log[0] = end
        if not alive:
            return _conflict(board, state, log)
        n[HEAD] = n[TAIL] = 0
        spend(state)
    return FINISHED if n[OPEN] == 0 else STUCK


def _conflict(board: Board, state: State, log: Array) -> int:
    """Log that what is known of sides and edges contradicts itself."""
    clear(board, state)
    end = log[0]
    log[end], log[end + 1], log[end + 2], log[end + 3] = SIDES, -1, -1, 0
    log[0] = end + 4
    return CONFLICT


#: What of this module is called from Python.
ENTRIES = (climb,)
