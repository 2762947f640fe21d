"""What is printed: nothing that a terminal obeys, in whatever encoding the stream has."""

from __future__ import annotations

import codecs
import re
import sys
from unicodedata import category

#: Line ends, control and format characters, halves of pairs, and what is no character (yet).
_INVISIBLE = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
#: What stands for the signs of pictures and sentences where an encoding lacks them; the readers
#: of boards and answers take them all. Joints of lines are `+`.
_PLAIN = str.maketrans("─━╌│┃╎·×✕░↑↓←→○●◍", "-=~|!:.xX#^v<>o*@")
_JOINTS = ("\u2500", "\u257f")


def visible(text: str) -> str:
    r"""The text on one line, with what cannot be seen written as `\u` and four digits.

    Names come from files of others: they may hold line ends, escape codes that clear a screen,
    and marks that turn the order of letters round. JSON stays the same JSON.
    """
    if text.isprintable():
        return text
    return "".join(_code(c) if category(c) in _INVISIBLE else c for c in text)


def write(line: str = "", *, err: bool = False) -> None:
    """Print one line, whatever is in it."""
    print(visible(line), file=sys.stderr if err else sys.stdout, flush=True)


def write_picture(text: str) -> None:
    """Print lines that castlecp drew itself, with their colours."""
    print(text, flush=True)


def write_json(text: str) -> None:
    """Print a text in JSON, the same value in every encoding."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = re.sub(r"[^\0-\x7f]", lambda found: _code(found[0]), text)
    for line in text.split("\n"):
        write(line)


def spell() -> None:
    """Have standard output and standard error spell what they cannot encode."""
    codecs.register_error("castlecp", _spelt)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="castlecp")


def _spelt(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    plain = character.translate(_PLAIN)
    if plain.isascii():
        return plain
    return "+" if _JOINTS[0] <= character <= _JOINTS[1] else _code(character)


def _code(character: str) -> str:
    r"""`\u202e`; a character beyond four digits as the pair that JSON has for it."""
    pair = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{pair[at : at + 4]}" for at in range(0, len(pair), 4))
