"""What a server of forks imports before its first fork: all that questions need, loaded and tried.

Importing this makes and explains a board of each genre, so that a new worker has its kernels,
tables and modules at once. It is imported by name, by `castlecp.service.lanes`, and nowhere else.
"""

from __future__ import annotations

from contextlib import suppress

from castlecp import genres, ladder, methods, wire
from castlecp.errors import CastlecpError
from castlecp.generate.board import make
from castlecp.generate.settings import Settings
from castlecp.service import worker

__all__ = ["worker"]

for _name in genres.names():
    # A genre may lack what makes or explains its boards; then its questions say so.
    with suppress(CastlecpError):
        _made = make(Settings(genre=_name, rows=5, cols=5, difficulty="easy"), 1)
        wire.encode(wire.Verdict.of(_made.puzzle, methods.solve(_made.puzzle)))
        ladder.explain(_made.puzzle)
