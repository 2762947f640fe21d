"""The loop of the backtracker, as kernels: see `castlecp.backtrack`."""

from __future__ import annotations

from castlecp.kernels import Array
from castlecp.propagation.assume import decisions, fail_all, is_open, literal_of
from castlecp.propagation.board import Board
from castlecp.propagation.dispatch import made
from castlecp.propagation.fixpoint import propagate, wake
from castlecp.propagation.rules import Kernel, records
from castlecp.propagation.state import OPEN, RULES, STOP, TRAIL, State
from castlecp.propagation.trail import enqueue, undo

# What `run` holds.
LEVEL, NODES, SINCE, ALIVE, STARTED, ANSWERS = range(6)
# How `search` ends.
ENDED, FOUND, PAUSED = range(3)

# Whether all that the rules are about is so on a full board.
_exact = {name: rule.exact for name, rule in records().items() if rule.exact}
all_hold: Kernel = made(
    globals(),
    "all_hold(board: Board, state: State) -> bool",
    [f"if not {name}_exact(board, state):\n    return False" for name in _exact],
    {f"{name}_exact": kernel for name, kernel in _exact.items()},
)


def search(
    rules: int,
    patience: int,
    most: int,
    board: Board,
    state: State,
    run: Array,
    marks: Array,
    choices: Array,
    heat: Array,
) -> int:
    """Go on until the next answer (FOUND, left in `state`), the end, or node `most` (PAUSED).

    With `n[STOP]` it is PAUSED as soon as it can be, and cannot go on.

    `marks` and `choices` are the stack: the trail before each assumption, and the assumption.
    Where an assumption has failed its opposite belongs to the level below.
    """
    n = state.n
    n[RULES] = rules
    level, nodes, since = run[LEVEL], run[NODES], run[SINCE]
    alive = run[ALIVE] == 1
    if run[STARTED] == 0:
        run[STARTED] = 1
        alive = True
        for i in range(len(board.given)):
            alive = alive and enqueue(board, state, board.given[i])
        alive = alive and wake(board, state)
    end = PAUSED
    while nodes < most and n[STOP] == 0:
        if run[STARTED] == 1:
            nodes += 1
            since += 1
            probing = 0 <= patience <= since - 1
            if since - 1 == patience and level > 0 and run[ANSWERS] == 0:
                # From here on choices are made with more care: make them all again.
                undo(board, state, marks[0])
                level, alive = 0, True
                for e in range(len(heat)):
                    heat[e] = 0
            alive = alive and propagate(board, state)
            if probing and alive and n[OPEN] > 0:
                alive = fail_all(board, state, rules, state.inner, state.gain)
            if n[STOP] == 1:
                break
            if alive and n[OPEN] == 0 and is_answer(board, state):
                run[STARTED] = 2  # come back here and search on
                run[ANSWERS] += 1
                since = 0
                end = FOUND
                break
            if alive and n[OPEN] > 0:
                literal = choose(board, state, heat, probing)
                marks[level], choices[level] = n[TRAIL], literal
                level += 1
                enqueue(board, state, literal)
                continue
            if level > 0:
                for t in range(marks[level - 1], n[TRAIL]):
                    if state.trail[t] >= 0:
                        heat[state.trail[t] >> 1] += 1
        run[STARTED] = 1
        if level == 0:
            end = ENDED
            break
        level -= 1
        undo(board, state, marks[level])
        alive = enqueue(board, state, choices[level] ^ 1)
    run[LEVEL], run[NODES], run[SINCE], run[ALIVE] = level, nodes, since, 1 if alive else 0
    return end


def choose(board: Board, state: State, heat: Array, probing: bool) -> int:
    """The literal to assume: of the edge with most heat at an end of the line, as on.

    On a board `by_faces`, of the face with most heat and known neighbours, as inside. With
    probing, of the edge or face for which the product of what its two values settle, times its
    heat, is greatest.
    """
    best = -1
    most = -1
    for k in range(decisions(board, state)):
        if not is_open(board, state, k):
            continue
        if board.by_faces:
            warm = near = 0
            for i in range(board.rim_at[k], board.rim_at[k + 1]):
                e = board.rim[i]
                warm += heat[e]
                f = board.beside[2 * e] + board.beside[2 * e + 1] - k
                near += state.root[f] == board.outer
        else:
            warm = heat[k]
            a, b = board.ends[2 * k], board.ends[2 * k + 1]
            ends, free = state.on_at[a] + state.on_at[b], state.open_at[a] + state.open_at[b]
            near = 10 * ends + 8 - free
        if probing:
            score = state.gain[2 * k] * state.gain[2 * k + 1] * (20 + warm)
        else:
            score = warm + 100 * near
        if score > most:
            best, most = k, score
    return literal_of(board, state, 2 * best + 1)


def is_answer(board: Board, state: State) -> bool:
    """Whether a state with every edge settled, and nothing queued, is an answer."""
    before = state.n[RULES]
    state.n[RULES] = 0
    right = all_hold(board, state)
    state.n[RULES] = before
    return right


#: What of this module is called from Python.
ENTRIES = (search, undo)
