"""The fixpoint of a set of rules, driven by the queue and without reasons.

It settles exactly what single steps with the same rules would settle.
"""

from __future__ import annotations

from collections.abc import Callable

from castlecp.propagation.bits import bit
from castlecp.propagation.board import Board
from castlecp.propagation.dispatch import made
from castlecp.propagation.rules import Kernel, records
from castlecp.propagation.state import HEAD, RULES, STOP, TAIL, State
from castlecp.propagation.trail import clear, dequeue, enqueue, settle

# What begins a fixpoint from any state: every place of the rules in use, once.
_first = {name: rule.first for name, rule in records().items() if rule.first}
wake: Kernel = made(
    globals(),
    "wake(board: Board, state: State) -> bool",
    [
        f"if state.n[RULES] & {bit(name)} and not {name}_first(board, state):\n    return False"
        for name in _first
    ],
    {f"{name}_first": kernel for name, kernel in _first.items()},
)

# What follows around an edge that was settled.
_at_edge = {name: rule.at_edge for name, rule in records().items() if rule.at_edge}
at_edge: Callable[[Board, State, int, int], bool] = made(
    globals(),
    "at_edge(board: Board, state: State, use: int, e: int) -> bool",
    [
        f"if use & {bit(name)} and not {name}_at_edge(board, state, e):\n    return False"
        for name in _at_edge
    ],
    {f"{name}_at_edge": kernel for name, kernel in _at_edge.items()},
)

# The first rule of the others, in their turns, that finds something.
_whole = {name: rule.kernel for name, rule in records().items() if not rule.at_edge}
on_board: Callable[[Board, State, int], bool] = made(
    globals(),
    "on_board(board: Board, state: State, use: int) -> bool",
    [
        f"if use & {bit(name)}:\n"
        f"    if not {name}_kernel(board, state):\n        return False\n"
        f"    if state.n[TAIL] > 0:\n        return True"
        for name in _whole
    ],
    {f"{name}_kernel": kernel for name, kernel in _whole.items()},
)


def propagate(board: Board, state: State) -> bool:
    """Settle all that follows from the queue by the rules in `n[RULES]`; False on a conflict.

    On a conflict the queue is emptied and what was settled so far stays on the trail. With
    `n[STOP]` it ends early, and the queue may be left with literals.
    """
    n = state.n
    use = n[RULES]
    while True:
        if not (drain(board, state) and on_board(board, state, use)):
            clear(board, state)
            return False
        if n[TAIL] == 0 or n[STOP] == 1:
            return True


def accept(board: Board, state: State, literal: int) -> bool:
    """Settle a literal, unless it is known, and what `drain` finds; False on a conflict."""
    return enqueue(board, state, literal) and drain(board, state)


def drain(board: Board, state: State) -> bool:
    """Settle the queue and what follows from each of its literals at their own places."""
    n = state.n
    use = n[RULES]
    edges = len(state.edge)
    while n[HEAD] < n[TAIL]:
        literal = dequeue(board, state)
        if not settle(board, state, literal):
            return False
        if literal < 2 * edges and not at_edge(board, state, use, literal >> 1):
            return False
    n[HEAD] = n[TAIL] = 0
    return True
