"""castlecp finds, proves and makes loop puzzles.

import castlecp

puzzle = castlecp.read("castle/6/6/20.d222b20.m011c20.d212b20.a")
verdict = castlecp.solve(puzzle)
castlecp.check(puzzle, verdict.loops[0])
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from castlecp.budget import Budget
    from castlecp.checker import check
    from castlecp.codecs import (
        read,
        read_answer,
        read_position,
        write,
        write_answer,
        write_position,
    )
    from castlecp.errors import CastlecpError, Disagreement, FormatError, OutOfBudget, PuzzleError
    from castlecp.genres import Puzzle
    from castlecp.grid import Edge, Lattice, Loop
    from castlecp.ladder import check_so_far, explain, grade, next_step
    from castlecp.methods import solve
    from castlecp.position import Position
    from castlecp.session import Session, conflicting_clues
    from castlecp.verdict import Status, Verdict

__version__ = "0.1.0"

__all__ = [
    "Budget",
    "CastlecpError",
    "Disagreement",
    "Edge",
    "FormatError",
    "Lattice",
    "Loop",
    "OutOfBudget",
    "Position",
    "Puzzle",
    "PuzzleError",
    "Session",
    "Status",
    "Verdict",
    "check",
    "check_so_far",
    "conflicting_clues",
    "explain",
    "grade",
    "next_step",
    "read",
    "read_answer",
    "read_position",
    "solve",
    "write",
    "write_answer",
    "write_position",
]

_HOMES = {
    "budget": ["Budget"],
    "checker": ["check"],
    "codecs": [
        "read",
        "read_answer",
        "read_position",
        "write",
        "write_answer",
        "write_position",
    ],
    "errors": ["CastlecpError", "Disagreement", "FormatError", "OutOfBudget", "PuzzleError"],
    "genres": ["Puzzle"],
    "grid": ["Edge", "Lattice", "Loop"],
    "ladder": ["check_so_far", "explain", "grade", "next_step"],
    "methods": ["solve"],
    "position": ["Position"],
    "session": ["Session", "conflicting_clues"],
    "verdict": ["Status", "Verdict"],
}

# In a checkout the models stand beside this package; an installation has them inside.
_here = Path(__file__).parent
if not (_here / "models").is_dir():
    __path__.append(str(_here.parent))


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first asked for."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
