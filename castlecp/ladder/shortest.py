"""Of all assumptions that end in a conflict one with the shortest chain.

A *chain* is what follows link by link from an assumption up to the conflict, and its length the
number of its links. It is looked for in layers: each layer has all that any rule finds, at one
place, from what was known before it, so that no way to the conflict is longer than it must be.
Then links are left out, many at a time at first (Zeller and Hildebrandt 2002, ddmin), while what
is left still ends in a conflict; so in the end none can be left out. A chain through so many
layers has so many links at least: an assumption that is no better than another is given up early.
"""

from __future__ import annotations

from collections.abc import Callable

from castlecp.kernels import Array
from castlecp.propagation.assume import assume, decisions, is_open, literal_of, note
from castlecp.propagation.bits import BITS, bit
from castlecp.propagation.board import Board
from castlecp.propagation.dispatch import made
from castlecp.propagation.fixpoint import accept
from castlecp.propagation.rules import records
from castlecp.propagation.state import (
    AT,
    DETAIL,
    LAYER,
    PLACE,
    RULES,
    STOP,
    TAIL,
    TOLD,
    TRAIL,
    State,
)
from castlecp.propagation.trail import SIDES, clear, enqueue, undo

#: All rules that assume nothing: only they can be used in a fixpoint.
CHEAP = sum(BITS[name] for name in BITS)
#: What becomes of a link, see `_take`.
ENDS, CLASHES = -1, -2
#: So many assumptions that die are compared, the first ones.
COMPARED = 100
#: Longer than any chain.
ENDLESS = 1 << 30

# Enqueues what a rule finds; False on a conflict.
find: Callable[[Board, State, int], bool] = made(
    globals(),
    "find(board: Board, state: State, rule: int) -> bool",
    [f"if rule == {bit(name)}:\n    return {name}_kernel(board, state)" for name in records()],
    {f"{name}_kernel": rule.kernel for name, rule in records().items()},
)

# Enqueues what a rule finds at one place.
find_at: Callable[[Board, State, int, int, int], bool] = made(
    globals(),
    "find_at(board: Board, state: State, rule: int, place: int, detail: int) -> bool",
    [
        f"if rule == {bit(name)}:\n    return {name}_at(board, state, place, detail)"
        for name in records()
    ],
    {f"{name}_at": rule.at for name, rule in records().items()},
)


def shortest(board: Board, state: State, ladder: Array, easier: int, use: int) -> None:
    """Put into the queue, instead of what is there, the opposite of the best assumption.

    For use when `failed_literal` has found the first one that dies, and left what is known to live
    in `memo`. The best has the fewest links, then those of the easiest rules, then comes first.
    Leaves its literal as the place and the number of its links as the detail.
    """
    n, memo = state.n, state.memo
    clear(board, state)
    size, first = decisions(board, state), n[AT]
    best, fewest, easiest, compared = n[PLACE], ENDLESS, 0, 0
    for i in range(size):
        k = (first + i) % size
        for value in (1, 0):
            known = not is_open(board, state, k) or memo[2 * k + value] == 1
            if known or compared == COMPARED:
                continue
            mark, literal = n[TRAIL], literal_of(board, state, 2 * k + value)
            alive = assume(board, state, literal, use)
            if alive:
                note(board, state, mark, memo, 1)
            undo(board, state, mark)
            if n[STOP] == 1:
                return
            if alive:
                continue
            compared += 1
            links = chain(board, state, ladder, easier, literal, fewest)
            weight = _weight(state, ladder, easier)
            if links > 0 and (links < fewest or (links == fewest and weight < easiest)):
                best, fewest, easiest = literal, links, weight
                n[AT] = k
    enqueue(board, state, best ^ 1)
    n[PLACE] = best
    n[DETAIL] = fewest if fewest < ENDLESS else 0


def chain(board: Board, state: State, ladder: Array, easier: int, literal: int, most: int) -> int:
    """Log the chain of an assumption by the first `easier` rules of a ladder; its links.

    The log is `state.chain`, as that of `climb`. 0 where there is none, or through more layers
    than `most`.
    """
    n, log = state.n, state.chain
    mark, depth = n[TRAIL], 0
    log[0] = 1
    alive = accept(board, state, literal)
    if not alive:
        undo(board, state, mark)
        _entry(log, 1, SIDES, -1, -1)
        return 1
    while alive:
        before = log[0]
        if depth >= most or n[STOP] == 1:
            break
        alive = _layer(board, state, ladder, easier)
        depth += 1
        if log[0] == before:
            break
    links = 0 if alive else _needed(board, state, mark, literal)
    undo(board, state, mark)
    return links


def _entry(log: Array, end: int, rule: int, place: int, detail: int) -> None:
    """End the log with an entry without literals that begins at `end`."""
    log[end], log[end + 1], log[end + 2], log[end + 3] = rule, place, detail, 0
    log[0] = end + 4


def _layer(board: Board, state: State, ladder: Array, easier: int) -> bool:
    """Log and settle all that rules find from what is known; False on a conflict.

    Each rule is asked for itself, so that what several find is found by each. On a large board
    the hardest rules are left out where the log has no room.
    """
    n, source, log = state.n, state.source, state.chain
    first = end = log[0]
    for i in range(easier):
        rule = ladder[i]
        if rule & CHEAP == 0 or end + 5 * len(state.queue) + 8 > len(log):
            continue
        n[TOLD] = 0
        n[RULES] = LAYER
        alive = find(board, state, rule)
        n[RULES] = 0
        start = end
        for t in range(n[TOLD]):
            place, detail = source[2 * t], source[2 * t + 1]
            if start == end or place != log[start + 1] or detail != log[start + 2]:
                start = end
                _entry(log, end, rule, place, detail)
                end += 4
            log[end] = state.queue[t]
            end += 1
            log[start + 3] += 1
        n[TOLD] = 0
        clear(board, state)
        if not alive:
            _entry(log, end, rule, n[PLACE], n[DETAIL])
            if _take(board, state, end) == ENDS:  # and not only with what another place has told
                _entry(log, first, rule, n[PLACE], n[DETAIL])
            return False
    log[0] = end
    at = first
    while at < end:
        for i in range(at + 4, at + 4 + log[at + 3]):
            if not accept(board, state, log[i]):
                clear(board, state)
                _entry(log, end, SIDES, -1, -1)
                return False
        at += 4 + log[at + 3]
    return True


def _needed(board: Board, state: State, mark: int, literal: int) -> int:
    """Leave out of the log what the conflict can do without; how many links there are left."""
    log, kept = state.chain, state.kept
    entries, at = 0, 1
    while at < log[0]:
        kept[entries] = 1
        entries += 1
        at += 4 + log[at + 3]
    if not _ends(board, state, mark, literal, 0, 0):
        return 0
    size = max(entries >> 1, 1)
    while size > 0:
        high = entries
        while high > 0:
            low, some = max(high - size, 0), 0
            for k in range(low, high):
                some += kept[k] != 0
            if some > 0:
                _ends(board, state, mark, literal, low, high)
            high = low
        size >>= 1
    return _compact(board, state, mark, literal)


def _compact(board: Board, state: State, mark: int, literal: int) -> int:
    """Leave only the links that are kept in the log, with what they say; how many they are."""
    log, kept = state.chain, state.kept
    at, end, old, k, links = 1, 1, log[0], 0, 0
    undo(board, state, mark)
    accept(board, state, literal)
    while at < old:
        size = log[at + 3]
        if kept[k] != 0:
            what = _take(board, state, at)
            told = max(what, max(CLASHES - what, 0))
            _entry(log, end, log[at], log[at + 1], log[at + 2])
            for i in range(told):
                log[end + 4 + i] = state.mark[i]
            log[end + 3] = told
            end += 4 + told
            links += 1
            if what == ENDS:
                break
            if what < 0:
                _entry(log, end, SIDES, -1, -1)
                return links + 1
        at += 4 + size
        k += 1
    log[0] = end
    return links


def _ends(board: Board, state: State, mark: int, literal: int, low: int, high: int) -> bool:
    """Whether the kept links, but for the `low`-th up to the `high`-th, end in a conflict.

    Then only the links are kept that hold without those.
    """
    log, kept, used = state.chain, state.kept, state.used
    undo(board, state, mark)
    accept(board, state, literal)
    at, k, done = 1, 0, False
    while at < log[0]:
        used[k] = 0
        if not done and kept[k] != 0 and not low <= k < high:
            what = _take(board, state, at)
            used[k] = what
            done = what < 0
        at += 4 + log[at + 3]
        k += 1
    if done:
        for j in range(k):
            kept[j] = used[j]
    return done


def _take(board: Board, state: State, at: int) -> int:
    """Take a link of the log: how many of its literals follow and are not known yet.

    They are left in `mark`. ENDS where there is a conflict instead, CLASHES less their number
    where they contradict what is known.
    """
    n, log = state.n, state.chain
    size = log[at + 3]
    if log[at + 1] == -1 and log[at + 2] == -1:  # what contradicts itself is found out before
        return 0
    n[TOLD] = ENDLESS  # no places are noted
    n[RULES] = LAYER
    n[PLACE] = log[at + 1]
    n[DETAIL] = log[at + 2]
    alive = find_at(board, state, log[at], log[at + 1], log[at + 2])
    n[RULES] = 0
    n[TOLD] = 0
    told = 0
    if alive:
        for i in range(at + 4, at + 4 + size):
            if _waits(board, state, log[i]):
                state.mark[told] = log[i]
                told += 1
    clear(board, state)
    if not alive:
        log[at + 1], log[at + 2] = n[PLACE], n[DETAIL]
        return ENDS
    for i in range(told):
        if not accept(board, state, state.mark[i]):
            clear(board, state)
            return CLASHES - told
    return told


def _waits(board: Board, state: State, literal: int) -> bool:
    """Whether a literal is in the queue."""
    here = 0
    for t in range(state.n[TAIL]):
        here += state.queue[t] == literal
    return here > 0


def _weight(state: State, ladder: Array, easier: int) -> int:
    """How hard the links of the log are: the sum of their places on the ladder."""
    log, weight, at = state.chain, 0, 1
    while at < log[0]:
        for i in range(easier):
            if ladder[i] == log[at]:
                weight += i
        at += 4 + log[at + 3]
    return weight


def only_chain(board: Board, state: State, known: Array, ladder: Array, literal: int) -> int:
    """The `chain` of an assumption from what is known, from a blank state."""
    state.n[RULES] = 0
    for i in range(len(known)):
        if not accept(board, state, known[i]):
            return 0
    return chain(board, state, ladder, len(ladder), literal, ENDLESS)


#: What of this module is called from Python.
ENTRIES = (only_chain, find)
