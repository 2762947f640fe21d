"""castlecp beside the programs of shared/bench/peers.json, board by board, as ratios."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from measure import bench, corpus, peers_by_board, table

from castlecp import auto
from castlecp.cuts import face_sets
from castlecp.encode import _template
from castlecp.genres import Puzzle, id_of
from castlecp.grid import _edges
from castlecp.model import base
from castlecp.propagation.board import grid_of

#: What is kept of a size, or of a count, once it was made.
KEPT = (_edges, grid_of, base, face_sets, _template)

#: The commit that was measured beside the peers.
THEN = "e383227"

#: Runs in a checkout of that commit: the milliseconds of each board of standard input.
ASK = """
import json, sys
from time import process_time
from castlecp import codecs, solve

for line in sys.stdin:
    puzzle = codecs.read(json.loads(line))
    times = []
    for _ in range(4):
        started = process_time()
        solve(puzzle)
        times.append(1e3 * (process_time() - started))
    print(min(times[1:]), flush=True)
"""

TEXT = """The processor time of `auto` as a share of what others took for the same board: the
median of a set, and on how many of its boards it is at most half. *First* is a board with
everything empty that is kept of a size or a count, as for the first board of its size in a
process (code is loaded), *next* a board when that is there; the least of {runs} runs each. The
others' times are those of [peers.md](peers.md), times {scale:.2f} for this machine{why}.

{rows}

Boards above half, as next/first: {above}.
"""

LOOPY = """
Slitherlinks that Loopy settles by deductions: next {next:.2f} and first {first:.2f} of its time in
the median, within 1.5 times on {within_next} and {within_first} of {boards}.
"""


def forget() -> None:
    """Empty every cache of a size."""
    for made in KEPT:
        made.cache_clear()


def least(puzzle: Puzzle, runs: int, before: Callable[[], None] = lambda: None) -> float:
    """Milliseconds of processor time, the least of some runs; one that takes long is enough."""
    times = []
    while len(times) < runs:
        before()
        started = process_time()
        auto.solve(puzzle)
        times.append(1e3 * (process_time() - started))
        if times[-1] > 500:
            break
    return min(times)


def scale_of(boards: dict[str, Puzzle], told: dict[str, Any], then: str) -> float:
    """How long this machine takes for what the peers' machine did in 1, by castlecp of THEN."""
    from castlecp import codecs

    lines = [json.dumps(codecs.write(puzzle, "json")) for puzzle in boards.values()]
    found = subprocess.run(
        [sys.executable, "-c", ASK],
        input="\n".join(lines),
        env={**os.environ, "PYTHONPATH": then},
        cwd=then,
        capture_output=True,
        text=True,
        check=True,
    )
    pairs = zip(boards, map(float, found.stdout.split()), strict=True)
    return median(mine / told[id_]["castlecp_next"] for id_, mine in pairs)


def ratios(kind: str, then: str, runs: int) -> tuple[str, dict[str, Any]]:
    """The report on a genre's boards that are at hand, and its figures."""
    puzzles = corpus(kind) if kind != "castle" else {}
    if kind == "castle":
        for more in (corpus(kind), *map(bench, ("full", "minimal", "grown"))):
            puzzles |= more
    told = {id_: board for id_, board in peers_by_board().items() if id_ in puzzles}
    boards = {id_: puzzles[id_] for id_ in told if id_of(puzzles[id_]) == kind}
    scale = scale_of(boards, told, then) if then else 1.0
    times = {}
    for id_, puzzle in boards.items():
        auto.solve(puzzle)
        times[id_] = (least(puzzle, runs), least(puzzle, runs, forget))

    def beside(peer: str) -> dict[str, tuple[float, ...]]:
        settled = (id_ for id_ in boards if told[id_].get(peer))
        return {id_: tuple(t / told[id_][peer] / scale for t in times[id_]) for id_ in settled}

    shares = beside("cspuz_core")
    groups: dict[str, list[str]] = {}
    for id_ in shares:
        groups.setdefault(told[id_]["group"], []).append(id_)
    figures: dict[str, Any] = {"scale": scale, "sets": {}}
    rows = []
    for name, ids in [*groups.items(), ("all", list(shares))]:
        row, figures["sets"][name] = [name, str(len(ids))], {"boards": len(ids)}
        for k, column in enumerate(("next", "first")):
            some = [shares[id_][k] for id_ in ids]
            half = sum(share <= 0.5 for share in some)
            figures["sets"][name][column] = {"median": median(some), "half": half}
            row += [f"{median(some):.2f}", f"{half / len(ids):.0%}"]
        rows.append(row)
    above = (f"{id_} {a:.2f}/{b:.2f}" for id_, (a, b) in shares.items() if max(a, b) > 0.5)
    why = f", as castlecp {THEN} takes" if then else " (not scaled)"
    head = ["boards", "number", "next", "at most half", "first", "at most half"]
    text = TEXT.format(
        runs=runs, scale=scale, why=why, rows=table(head, rows), above=", ".join(above) or "none"
    )
    loopy = list(beside("loopy").values())
    if loopy:
        figures["loopy"] = loopy
        (nexts, firsts) = zip(*loopy, strict=True)
        text += LOOPY.format(
            next=median(nexts),
            first=median(firsts),
            within_next=sum(share <= 1.5 for share in nexts),
            within_first=sum(share <= 1.5 for share in firsts),
            boards=len(loopy),
        )
    return text, figures
