"""Letters as outlines, so that a picture shows its numbers where no font is installed.

The outlines are those of Source Sans Pro, which a Python package carries.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

from ziafont.font import Font

_FONT = files("font_source_sans_pro") / "files" / "SourceSansPro-Semibold.ttf"
#: The size of the outlines, fixed by ziafont.
SIZE = 12.0
#: The height of a digit as a part of the size.
DIGIT_HEIGHT = 0.65


@cache
def _font() -> Font:
    with as_file(_FONT) as path:
        return Font(path)


@cache
def advance(character: str) -> float:
    """How far the next character is to the right, as a part of the size."""
    font = _font()
    return float(font.glyph(character).advance() / font.info.layout.unitsperem)


def width(text: str) -> float:
    """The width of a text as a part of its size."""
    return sum(map(advance, text))


@cache
def outline(character: str) -> str:
    """An SVG path in size SIZE, the origin at the left end of the base line; "" for a blank."""
    path = _font().glyph(character).svgpath()
    return "" if path is None else path.attrib["d"].strip()
