"""Addresses of puzz.link and its kin: `https://puzz.link/p?castle/10/10/<body>`.

Read: any host, path and scheme or none, `kind_edit` and `kind_play`, other parts of the query
beside the puzzle, a variant (`v:...`) and flags before the size, the bare
`castle/10/10/<body>`, a pzprv3 file behind the `?`, and the addresses of Kanpen and of pzpr's
applets as pzprjs reads them. The width comes before the height. A body that stops early leaves the
other cells blank; what follows the last cell is ignored; both with a FormatWarning.

An address may stand as in prose: between quotes or brackets, as the target of a Markdown link,
with a fragment (`#...`) or the full stop of a sentence behind it, or with its slashes as `%2F`.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import msgspec

from castlecp import genres
from castlecp.cells import blank_of, cells_of, clues_of, flags_of, form_of, genre_of
from castlecp.codecs import pzprv3
from castlecp.errors import FormatError
from castlecp.genres import Puzzle
from castlecp.grammar import Cells, Mismatch
from castlecp.nouns import plural
from castlecp.texts import count_of, quoted, warn

ABOUT = "a puzz.link address"
ENDING = ".url"

HOST = "https://puzz.link/p?"

#: Longer addresses are cut by some servers, browsers and messengers.
LONGEST = 2_000

#: What stands in the addresses of others, and what such an address is.
_OTHERS = {
    "penpa-edit": "an address of Penpa+, which castlecp does not read yet",
    "kudamono": "an address of Kudamono, which castlecp does not read",
    "f-puzzles.com": "an address of f-puzzles, which castlecp does not read",
    "sudokupad.app": "an address of SudokuPad, which castlecp does not read",
    "sgtatham/puzzles": "an address of Simon Tatham's puzzles, which castlecp does not read",
    "puzzle-loop.com": "an address of puzzle-loop.com, which does not hold the board",
    "tinyurl.com": "a short address; open it and give the one that it leads to",
    "bit.ly/": "a short address; open it and give the one that it leads to",
}
#: Where Kanpen was, and pzpr's applets.
_KANPEN = re.compile(r"(?:kanpen\.net|geocities(?:\.co)?\.jp/pencil_applet)/(?:.*/)?(\w+)\.html\?")
_APPLET = re.compile(r"indi\.s58\.xrea\.com/(.+)/s[ac]/")

#: One word with a query or a scheme; or a bare kind/width/...
_ADDRESS = re.compile(r'[^\s?{\["]*\?\S+|[a-z]+://\S+')
_BARE = re.compile(r"\w+/(v:[^/\s]*/)?([a-z]*/)?-?\d+(/\S*)?")
#: The same with a slip in the size, when the kind is one that there is.
_SLIPPED = re.compile(r"(\w+)(/\S*){3}")

_LINK = re.compile(r"\[[^\]]*\]\(\s*(\S+)\s*\)")
_BEFORE = "<(\"'`*\u201c\u2018\u00ab"
_BEHIND = ">)]}\"'`*,;:\u201d\u2019\u00bb"


def looks_like(text: str) -> bool:
    """Whether the text is one word with a query, a scheme, or kind, width and height."""
    word = _unwrapped(text)
    if word.startswith("pzprv"):
        return False
    if "?pzprv3" in word and "\n" not in word:
        return True
    slipped = _SLIPPED.fullmatch(word)
    known = slipped is not None and _without_mode(slipped[1]) in genres.names()
    return bool(_ADDRESS.fullmatch(word) or _BARE.fullmatch(word) or known)


def read(text: str) -> Puzzle:
    """The puzzle. Raises FormatError, or PuzzleError for a size that is not allowed."""
    part = _puzzle_part(_unwrapped(text))
    if part.startswith("pzprv3"):
        return pzprv3.read(part)
    parts = part.split("/")
    kind = genres.genre(_without_mode(parts.pop(0)))
    if parts and parts[0].startswith("v:"):
        warn(f"the variant {quoted(parts.pop(0)[2:])} is ignored")
    flags = ""
    if parts and re.fullmatch("[a-z]*", parts[0]):
        flags = parts.pop(0)
    if len(parts) < 2:
        raise FormatError("the address ends before width and height are given")
    cols, rows = count_of(parts[0], "width"), count_of(parts[1], "height")
    blank = blank_of(kind, rows, cols, flags)
    body, *rest = *parts[2:], ""
    if any(part.strip(".") for part in rest):
        warn(f"what follows the body of the address is ignored: {quoted('/'.join(rest))}")
    return _with_clues(blank, form_of(kind, "url", Cells, ABOUT), body)


def write(puzzle: Puzzle) -> str:
    """The address at puzz.link. Raises FormatError for what an address cannot say.

    Warns of one that is longer than LONGEST.
    """
    address = HOST + bare(puzzle)
    if len(address) > LONGEST:
        advice = "which not every program takes whole; write a file, with --to pzprv3 or json"
        warn(f"the address has {len(address):,} characters, {advice}")
    return address


def bare(puzzle: Puzzle) -> str:
    """The part of the address behind `?`. Raises FormatError for what it cannot say."""
    name, kind = genre_of(puzzle)
    form = form_of(kind, "url", Cells, ABOUT)
    flags = "".join(f"{letter}/" for letter in flags_of(puzzle, ABOUT))
    cells = cells_of(puzzle)
    body = form.write(cells)
    if body is None:
        clue = next(c for c in cells if c is not None and form.write([c]) is None)
        raise FormatError(f"{ABOUT} cannot say a clue that is {clue.says()}")
    address = f"{name}/{flags}{puzzle.cols}/{puzzle.rows}/{body}"
    # Programs that find addresses in prose leave a full stop at the end out.
    return address if address[-1].isalnum() else address + "/"


def _unwrapped(text: str) -> str:
    """The address without what stands around it in prose, full stops aside.

    A full stop may be the end of the address; the body tells.
    """
    word = text.strip()
    if link := _LINK.fullmatch(word):
        word = link[1]
    word = word.lstrip(_BEFORE)
    bare = word.rstrip(_BEHIND + ".")
    behind = word[len(bare) :]
    return bare + behind[: len(behind) - len(behind.lstrip("."))]


def _without_mode(kind: str) -> str:
    return re.sub("_(edit|play)$", "", kind)


def _puzzle_part(address: str) -> str:
    """The part of an address that is about the puzzle: kind, size and body."""
    for sign, what in _OTHERS.items():
        if "://" in address and sign in address:
            raise FormatError(f"this is {what}")
    address = address.replace("&amp;", "&")
    if (found := _KANPEN.search(address)) is not None:
        return _of_kanpen(found[1], address[found.end() :])
    if (found := _APPLET.search(address)) is not None and "?" in address:
        return f"{found[1]}/{address.partition('?')[2].lstrip('/')}"
    if (at := address.find("?pzprv3")) >= 0:
        return unquote(address[at + 1 :])
    # A Cave's body has `%` of its own: only what has no slash, or no `?`, was encoded.
    host, mark, query = address.partition("?")
    if "/" not in query if mark else "://" in host:
        address = unquote(address)
    if "?" in address:
        parts = address.split("?", 1)[1].partition("#")[0].split("&")
        return next((part for part in parts if "/" in part), parts[0])
    if "://" in address:
        raise FormatError("the address has no `?` with a puzzle behind it")
    return address.partition("#")[0]


def _of_kanpen(kind: str, query: str) -> str:
    """The puzzle of a query of Kanpen: pzpr's own text, or rows of cells each followed by `_`."""
    key, _, value = query.partition("=")
    if key == "pzpr":
        return f"{kind}/{value.lstrip('/')}"
    if key != "problem":
        raise FormatError(f"this is an address of Kanpen with {quoted(key)} instead of `problem`")
    return f"pzprv3/{kind}/{value.replace('_', ' ')}"


def _with_clues(blank: Puzzle, form: Cells[Any], body: str) -> Puzzle:
    count = blank.rows * blank.cols
    try:
        cells, rest = form.read(body, count)
    except Mismatch as miss:
        if miss.at >= len(body):
            place = f"after character {len(body)}, in the middle of a clue"
            raise FormatError(f"the body ends {place}; {miss.wanted} is missing") from None
        place = f"character {miss.at + 1} of the body is {quoted(body[miss.at])}"
        raise FormatError(f"{place} where there should be {miss.wanted}") from None
    if rest.strip("."):
        warn(f"the body goes on after the last of {plural(count, 'cell')}; the rest is ignored")
    elif len(cells) < count:
        known = f"{len(cells)} of {plural(count, 'cell')}"
        warn(f"the body stops after {known}; the others are left blank")
    return msgspec.structs.replace(blank, clues=clues_of(cells, blank.cols))
