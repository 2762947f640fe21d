"""Line sums: what the counts of whole lines imply by arithmetic alone.

On a lattice of R x C vertices let H(r) be the number of loop edges along row r, V(g) the number
across the gap below row g, X(r) the number of vertices of row r on the loop; W, U, Y are the
same for columns. A loop visits each of its vertices with two edge ends and crosses each gap an
even number of times, so

    2 H(r) + V(r - 1) + V(r) = 2 X(r),      2 W(c) + U(c - 1) + U(c) = 2 Y(c),
    sum H = sum U,  sum W = sum V,  sum X = sum Y = sum H + sum W,  every V and U even.

Bounds are propagated through these equations to a fixed point. Boards that give little but sums
of whole rows and columns, on which a plain SAT search takes many minutes, are often settled by
what follows; on other boards nothing does, and the arithmetic costs a millisecond or so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from castlecp.model import TRUE, Base, Count

#: A quantity of the arithmetic: its letter, and its row, column or gap.
Name = tuple[str, int]


@dataclass(slots=True)
class LineSums:
    """What follows. `gaps` and `lines` are (edge literals, least, most) of V, U and of H, W;
    `visited` are clauses "this vertex has an edge". `contradiction`: there is no loop."""

    gaps: list[tuple[tuple[int, ...], int, int]] = field(default_factory=list)
    lines: list[tuple[tuple[int, ...], int, int]] = field(default_factory=list)
    visited: list[tuple[int, ...]] = field(default_factory=list)
    contradiction: bool = False


def line_sums(base: Base, counts: Iterable[Count], false: set[int]) -> LineSums:
    """The line sums of a model with these counts, where the literals of `false` are false."""
    rows, cols = base.lattice.rows, base.lattice.cols
    edges: dict[Name, tuple[int, ...]] = {}
    edges |= {("H", r): line for r, line in enumerate(base.horizontal)}
    edges |= {("W", c): line for c, line in enumerate(base.vertical)}
    edges |= {("V", g): gap for g, gap in enumerate(zip(*base.vertical, strict=True))}
    edges |= {("U", g): gap for g, gap in enumerate(zip(*base.horizontal, strict=True))}
    live = {name: [x for x in line if x not in false] for name, line in edges.items()}
    stars = {
        (r, c): tuple(x for x in _star(base, r, c) if x not in false)
        for r, c in base.lattice.vertices()
    }
    low = {name: sum(-x in false for x in line) for name, line in live.items()}
    high: dict[Name, int] = {name: len(line) for name, line in live.items()}
    for (r, c), star in stars.items():
        for name in (("X", r), ("Y", c)):
            low.setdefault(name, 0)
            high[name] = high.get(name, 0) + bool(star)
    most = dict(high)

    # Each row or column edge belongs to one H or W; a border edge shares its literal with the
    # corner's other edge, so whether a count lies along a line is asked of the whole line.
    for count in counts:
        literals = [x for x in count.literals if abs(x) != TRUE]
        number, wanted = count.number - count.literals.count(TRUE), set(literals)
        if len(wanted) < len(literals):
            continue  # what counts a literal twice is no sum of edges along a line
        for name in chain((("H", r) for r in range(rows)), (("W", c) for c in range(cols))):
            if wanted and wanted <= set(edges[name]):
                rest = [x for x in live[name] if x not in wanted]
                sure = sum(-x in false for x in rest)
                low[name] = max(low[name], number + sure)
                high[name] = min(high[name], number + len(rest))
    sums = LineSums()
    if not _propagate(_equations(rows, cols), low, high):
        sums.contradiction = True
        return sums
    for name, line in live.items():
        if low[name] > 0 or high[name] < len(line):
            (sums.gaps if name[0] in "VU" else sums.lines).append(
                (tuple(line), low[name], high[name])
            )
    for (r, c), star in stars.items():
        full = any(low[name] == most[name] for name in (("X", r), ("Y", c)))
        if star and full:
            sums.visited.append(star)
    return sums


def _star(base: Base, r: int, c: int) -> tuple[int, ...]:
    row, col = base.horizontal[r], base.vertical[c]
    return (*row[max(c - 1, 0) : c + 1], *col[max(r - 1, 0) : r + 1])


def _equations(rows: int, cols: int) -> list[list[tuple[int, Name]]]:
    """The equations of the module's text, each a list of (factor, name) that sums to zero."""

    def all_of(factor: int, letter: str, number: int) -> list[tuple[int, Name]]:
        return [(factor, (letter, i)) for i in range(number)]

    equations = []
    for along, visited, across, number in (("H", "X", "V", rows), ("W", "Y", "U", cols)):
        for i in range(number):
            gaps = [(1, (across, g)) for g in (i - 1, i) if 0 <= g < number - 1]
            equations.append([(2, (along, i)), (-2, (visited, i)), *gaps])
    horizontal, vertical = all_of(1, "H", rows), all_of(1, "W", cols)
    equations.append(horizontal + all_of(-1, "U", cols - 1))
    equations.append(vertical + all_of(-1, "V", rows - 1))
    equations.append(horizontal + vertical + all_of(-1, "X", rows))
    equations.append(horizontal + vertical + all_of(-1, "Y", cols))
    equations.append(all_of(1, "X", rows) + all_of(-1, "Y", cols))
    return equations


def _propagate(
    equations: list[list[tuple[int, Name]]], low: dict[Name, int], high: dict[Name, int]
) -> bool:
    """Narrow the bounds until nothing changes; whether they are consistent."""
    for name in low:
        if name[0] in "VU":
            high[name] -= high[name] % 2
        if low[name] > high[name]:
            return False
    changed = True
    while changed:
        changed = False
        for equation in equations:
            least = sum(a * (low[x] if a > 0 else high[x]) for a, x in equation)
            most = sum(a * (high[x] if a > 0 else low[x]) for a, x in equation)
            for a, x in equation:
                # a x = -(the others), which lie from others_low to others_high.
                others_low = least - a * (low[x] if a > 0 else high[x])
                others_high = most - a * (high[x] if a > 0 else low[x])
                sign = 1 if a > 0 else -1
                least_here, most_here = sorted((-sign * others_low, -sign * others_high))
                new_low, new_high = -(-least_here // abs(a)), most_here // abs(a)
                if x[0] in "VU":
                    new_low, new_high = new_low + new_low % 2, new_high - new_high % 2
                if new_low > low[x] or new_high < high[x]:
                    low[x], high[x] = max(low[x], new_low), min(high[x], new_high)
                    if low[x] > high[x]:
                        return False
                    changed = True
                    least = others_low + a * (low[x] if a > 0 else high[x])
                    most = others_high + a * (high[x] if a > 0 else low[x])
    return True
