"""Boards that were made, thinned or mended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from castlecp.clues import Clue
from castlecp.genres import Puzzle
from castlecp.wire.base import Part, Report, Written
from castlecp.wire.solving import Line, clue_of, puzzle_of

if TYPE_CHECKING:
    from castlecp.generate.mend import Mending
    from castlecp.generate.minimise import Minimised


class Generated(Report, frozen=True, kw_only=True):
    """How many boards were made, and why others were not; `timed_out` says that time ended."""

    boards: int
    given_up: tuple[str, ...]
    timed_out: bool


class Less(Report, frozen=True, kw_only=True):
    """A board with fewer or weaker clues and the same one solution.

    `lower` and `upper` bound the weight of a smallest set of clues; `settled` says that the method
    came to its end. `changes` are the clues that changed.
    """

    puzzle: Written
    lower: int
    upper: int
    settled: bool

    @classmethod
    def of(cls, made: Minimised) -> Less:
        """What `minimise` made."""
        return cls(
            puzzle=puzzle_of(made.puzzle),
            lower=made.lower,
            upper=made.upper,
            settled=made.settled,
        )


class Spare(Part, frozen=True, kw_only=True):
    """A clue that can be turned down by itself, and the form that is enough; null: it can go."""

    clue: Written
    enough: Written | None


class Spares(Report, frozen=True, kw_only=True):
    """Each clue of a board that alone can say less."""

    spare: tuple[Spare, ...]

    @classmethod
    def of(cls, found: Iterable[tuple[Clue, Clue | None]]) -> Spares:
        """Clues with the forms that are enough."""
        return cls(
            spare=tuple(
                Spare(clue=clue_of(clue), enough=clue_of(form) if form else None)
                for clue, form in found
            )
        )


class Change(Part, frozen=True, kw_only=True):
    """A clue put in the place of another, or of a blank cell; `now` null: taken away."""

    before: Written | None
    now: Written | None


class Mended(Report, frozen=True, kw_only=True):
    """Ways to mend a board, each a set of changes that leaves exactly one solution.

    `kind` is unique where nothing needs mending, more where clues say more, fewer where some are
    dropped. `solution` is the one that is meant. At `least` so many changes are needed, fewer than
    there are when the budget ended first.
    """

    kind: Literal["unique", "more", "fewer"]
    changes: tuple[tuple[Change, ...], ...]
    solution: Line | None
    all_tried: bool
    least: int

    @classmethod
    def of(cls, puzzle: Puzzle, mending: Mending) -> Mended:
        """What `mend` found."""
        return cls(
            kind=mending.kind,
            changes=tuple(
                tuple(
                    Change(
                        before=clue_of(change.before) if change.before else None,
                        now=clue_of(change.now) if change.now else None,
                    )
                    for change in way
                )
                for way in mending.changes
            ),
            solution=Line.of(mending.loop, puzzle) if mending.loop else None,
            all_tried=mending.all_tried,
            least=mending.least,
        )
