"""How many moves are open on the way of a climb, as a kernel.

A move is an edge or a side that one application of a rule which assumes nothing settles. Moves are
counted before each step while at least a tenth of the edges is open: at the end there is little
left to find.
"""

from __future__ import annotations

from collections.abc import Callable

from castlecp.kernels import Array
from castlecp.propagation.bits import bit
from castlecp.propagation.board import Board
from castlecp.propagation.dispatch import made
from castlecp.propagation.fixpoint import accept
from castlecp.propagation.rules import records
from castlecp.propagation.state import HEAD, OPEN, RULES, TAIL, State
from castlecp.propagation.trail import clear, dequeue, enqueue, settle

# Enqueues all that each of some rules finds at once.
_asked = {
    f"{name}_{k}": (name, kernel)
    for name, record in records().items()
    for k, kernel in enumerate((record.first, record.kernel))
    if kernel is not None
}
ask: Callable[[Board, State, int], bool] = made(
    globals(),
    "ask(board: Board, state: State, rules: int) -> bool",
    [
        f"if rules & {bit(name)} and not {label}_kernel(board, state):\n    return False"
        for label, (name, _) in _asked.items()
    ],
    {f"{label}_kernel": kernel for label, (_, kernel) in _asked.items()},
)


def moves(board: Board, state: State, known: Array, log: Array, rules: int, out: Array) -> int:
    """Take the steps of a log again; how many numbers of moves there are, which are left in `out`.

    `log` is that of `climbing.climb` from `known`, in which no contradiction is; `rules` are those
    that moves are made by.
    """
    n = state.n
    n[RULES] = 0
    for i in range(len(known)):
        accept(board, state, known[i])
    at, moments = 1, 0
    while at < log[0]:
        if 10 * n[OPEN] >= len(state.edge):
            found = _open(board, state, rules)
            out[moments] = found
            moments += 1
        for i in range(at + 4, at + 4 + log[at + 3]):
            enqueue(board, state, log[i])
            while n[HEAD] < n[TAIL]:
                literal = dequeue(board, state)
                settle(board, state, literal)
            n[HEAD] = n[TAIL] = 0
        at += 4 + log[at + 3]
    return moments


def _open(board: Board, state: State, rules: int) -> int:
    """How many moves are open."""
    n = state.n
    for line in range(len(state.stale)):
        state.stale[line] = 1
    for face in range(len(state.moved)):
        state.moved[face] = 1
    n[RULES] = rules
    ask(board, state, rules)
    n[RULES] = 0
    found = n[TAIL] - n[HEAD]
    clear(board, state)
    return int(found)


#: What of this module is called from Python.
ENTRIES = (moves,)
