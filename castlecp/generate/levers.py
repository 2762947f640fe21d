"""The second stage of a board: clues are taken away, and some told to say less, with taste."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from castlecp.budget import Budget
from castlecp.generate.dials import Dials
from castlecp.generate.settings import Settings
from castlecp.generate.telling import Group
from castlecp.grid import STEPS

#: The forms that some clues, by their numbers, are turned to.
Change = dict[int, int]

#: Groups of which the least wanted is taken away first.
LOOKED = 14
#: Clues of a board vary by so many hundredths of what its genre has.
VARIES = 18


def turned(
    settings: Settings, dials: Dials, groups: list[Group], random: Random, budget: Budget
) -> tuple[list[Change], int]:
    """Turn clues down as long as the board stays unique; the changes made, in order.

    Groups are taken away until the clues are as few as the genre has them and the band asks, the
    least wanted of a few first (`_Liking`). Then some clues lose their number, and then more
    groups go, for a band to whom the board is too easy. The second of the answer is the number
    of changes after which the clues were as wanted; a `minimal` board has all.
    """
    band, taste = settings.band, settings.blank().TASTE
    clues = len(dials.at)
    spare = 0 if settings.pattern is not None else clues - settings.min_clues
    usual = settings.rows * settings.cols * taste.clues / 100
    wanted = round(usual * band.clues * random.randint(100 - VARIES, 100 + VARIES) / 10_000)
    least = max(1, wanted * 3 // 5)
    if settings.max_clues is not None:
        wanted, least = min(wanted, settings.max_clues), min(least, settings.max_clues)
    if settings.minimal:
        wanted = least = 0
    if settings.difficulty == "full" and settings.max_clues is None and not settings.minimal:
        wanted = least = clues
    wanted, least = max(wanted, clues - spare), max(least, clues - spare)
    liking = _Liking(settings, dials, groups)
    history: list[Change] = []
    left = list(range(len(groups)))

    def fewer(clues: int) -> None:
        while left and (liking.standing > clues or liking.crowded):
            some = random.sample(left, min(LOOKED, len(left)))
            at = min(some, key=lambda k: liking(k) + random.random())
            if liking.standing - len(groups[at]) < clues and not liking.crowded:
                left.remove(at)
                continue
            left.remove(at)
            blank = {i: len(dials.forms[i]) for i in liking.members[at]}
            if dials.turn(blank, budget):
                history.append(blank)
                liking.gone(at)
            if settings.minimal:
                for i in liking.members[at]:
                    dials.settle(i)

    fewer(wanted)
    enough = len(history)
    if settings.difficulty != "full":
        quiet = [i for i, at in enumerate(dials.at) if not at and len(dials.forms[i]) > 1]
        for i in random.sample(quiet, len(quiet)):
            if random.randrange(10_000) < taste.silent * band.silent and dials.turn({i: 1}, budget):
                history.append({i: 1})
        enough = len(history)
        fewer(least)
    return history, len(history) if settings.minimal else enough


class _Liking:
    """How much each group of clues is liked, the least wanted lowest.

    What counts against clues is that others are beside them (or nearer than is wished for), and
    that there are more of their number or colour than the taste has.
    """

    def __init__(self, settings: Settings, dials: Dials, groups: list[Group]) -> None:
        self.taste = settings.blank().TASTE
        self.clues = [clue for group in groups for clue in group]
        self.members: list[range] = []
        for group in groups:
            start = self.members[-1].stop if self.members else 0
            self.members.append(range(start, start + len(group)))
        self.cells = {(clue.row, clue.col): i for i, clue in enumerate(self.clues)}
        self.standing = len(self.clues)
        apart = settings.min_distance
        reach = [(r, c) for r in range(1 - apart, apart) for c in range(1 - apart, apart)]
        self.near = [(r, c) for r, c in reach if 0 < abs(r) + abs(c) < apart]
        self.numbers: Counter[int] = Counter()
        self.colors: Counter[str | None] = Counter()
        for clue in self.clues:
            self._count(clue, 1)
        mix = list(self.taste.mix)
        if mix and settings.zeros is not None:
            rest = sum(mix[1:])
            zeros = round(80 * settings.zeros)
            mix = [zeros, *(n * (100 - zeros) // max(1, rest) for n in mix[1:])]
        self.mix = mix
        white = self.taste.white if settings.white is None else round(100 * settings.white)
        self.shares: dict[str | None, int] = {}
        if white is not None:
            self.shares = {"white": max(1, white), "black": max(1, 100 - white)}

    @property
    def crowded(self) -> bool:
        """Whether some clues are nearer to each other than is wished for."""
        return bool(self.near) and any(self._near(cell) for cell in self.cells)

    def gone(self, at: int) -> None:
        """A group is taken away."""
        for i in self.members[at]:
            clue = self.clues[i]
            del self.cells[clue.row, clue.col]
            self._count(clue, -1)
        self.standing -= len(self.members[at])

    def __call__(self, at: int) -> float:
        return sum(map(self._liked, self.members[at])) / len(self.members[at])

    def _liked(self, i: int) -> float:
        clue = self.clues[i]
        r, c = clue.row, clue.col
        beside = sum((r + i, c + j) in self.cells for i, j in STEPS.values())
        liked = -self.taste.apart / 100 * beside
        if self.near:
            liked -= 10 * self._near((r, c))
        number, color = _number(clue), getattr(clue, "color", None)
        if self.mix and number is not None:
            number = min(number, len(self.mix) - 1)
            has = self.numbers[number] / self.standing
            liked -= min(4.0, 100 * has / max(1, self.mix[number]))
        if color in self.shares:
            liked -= min(4.0, 100 * self.colors[color] / self.standing / self.shares[color])
        return liked

    def _near(self, cell: tuple[int, int]) -> int:
        return sum((cell[0] + r, cell[1] + c) in self.cells for r, c in self.near)

    def _count(self, clue: Any, more: int) -> None:
        number = _number(clue)
        if number is not None and self.taste.mix:
            self.numbers[min(number, len(self.taste.mix) - 1)] += more
        self.colors[getattr(clue, "color", None)] += more


def _number(clue: Any) -> int | None:
    number = getattr(clue, "number", None)
    return number if isinstance(number, int) else None
