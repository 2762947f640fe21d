"""Pictures as PNG: the SVG picture, rendered by resvg."""

from __future__ import annotations

import resvg_py

from castlecp.draw import svg
from castlecp.picture import Picture

#: Pixels a user unit of the SVG picture, and about how long the longer side of the board may
#: get: 50 x 50 cells are drawn in less than a second, and no board is too large to draw.
ZOOM = 2.0
MAX_PIXELS = 2000


def render(picture: Picture, *, numbers: bool) -> bytes:
    """The picture as a file; `castlecp.draw.to_png` says what the arguments mean."""
    longer = svg.UNIT * max(picture.puzzle.rows, picture.puzzle.cols)
    return resvg_py.svg_to_bytes(
        svg_string=svg.render(picture, numbers=numbers),
        zoom=min(ZOOM, MAX_PIXELS / longer),
        skip_system_fonts=True,  # there is no text in it, and loading them takes a while
    )
