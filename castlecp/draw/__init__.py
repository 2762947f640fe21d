"""Pictures of boards and lines: one `Picture`, drawn in the terminal, as SVG or as PNG.

What a cell looks like is said by the genre (`Puzzle.CELLS`, `Puzzle.glyphs`), so a new genre
changes nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence

from castlecp.picture import Layer, Picture

__all__ = ["Layer", "Picture", "page_to_svg", "to_png", "to_svg", "to_terminal"]

# Each function imports its own room when called: the libraries for SVG and PNG take longer to
# load than a board takes to solve.


def to_terminal(picture: Picture, *, colour: bool = False, numbers: bool | None = None) -> str:
    """The picture as lines of text; see `castlecp.picture.text.render`."""
    from castlecp.picture import text

    return text.render(picture, colour=colour, numbers=numbers)


def to_svg(picture: Picture, *, numbers: bool = False) -> str:
    """The picture as an SVG document that needs no fonts; the same bytes each time.

    `numbers` puts the numbers of rows and columns, from 1, along the margin.
    """
    from castlecp.draw import svg

    return svg.render(picture, numbers=numbers)


def page_to_svg(pictures: Sequence[Picture], columns: int = 3, *, numbers: bool = False) -> str:
    """Several pictures (at least one) on one page, in reading order."""
    from castlecp.draw import svg

    return svg.render_page(pictures, columns, numbers=numbers)


def to_png(picture: Picture, *, numbers: bool = False) -> bytes:
    """The picture of `to_svg` as a PNG file.

    A cell is 80 pixels wide, or less on a board of more than 25 cells: the board stays within
    2,000 pixels.
    """
    from castlecp.draw import png

    return png.render(picture, numbers=numbers)
