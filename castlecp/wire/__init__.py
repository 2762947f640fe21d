"""What leaves the house as JSON: one frozen struct for each kind of report.

Each report begins with `format`, its name and version (`castlecp-verdict-1`), so that a reader
knows what it has; the version grows when a key changes its meaning or goes. A thing has the same
key in every report: `status` is unique, multiple, none or inconclusive, `rung` the hardest rung,
edges are [r1, c1, r2, c2] between vertices, faces [r, c], both sorted; rows and columns count
from 0. `schema` gives each report's JSON Schema.

Certificates and the records of a file of certificates are structs of their own, in
`castlecp.certify`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from castlecp.registry import Registry
from castlecp.wire.banks import BankLess, Comparisons, Examined, Size, Sums
from castlecp.wire.base import Findings, Part, Report, Statuses, Written
from castlecp.wire.checking import Judgement, Mistake, SoFar
from castlecp.wire.explaining import (
    Assumed,
    Explanation,
    Fact,
    Grade,
    Hint,
    Moves,
    Nodes,
    Places,
    Step,
)
from castlecp.wire.levels import Level, Levels
from castlecp.wire.loops import LoopCount, LoopSample
from castlecp.wire.making import Change, Generated, Less, Mended, Spare, Spares
from castlecp.wire.service import (
    About,
    Banks,
    Boards,
    Converted,
    Daily,
    Genres,
    Job,
    Names,
    Problem,
    Shipped,
    Told,
)
from castlecp.wire.solving import Cause, Count, Forced, Line, Stats, Verdict, clue_of, puzzle_of

__all__ = [
    "REGISTRY",
    "About",
    "Assumed",
    "BankLess",
    "Banks",
    "Boards",
    "Cause",
    "Change",
    "Comparisons",
    "Converted",
    "Count",
    "Daily",
    "Examined",
    "Explanation",
    "Fact",
    "Findings",
    "Forced",
    "Generated",
    "Genres",
    "Grade",
    "Hint",
    "Job",
    "Judgement",
    "Less",
    "Level",
    "Levels",
    "Line",
    "LoopCount",
    "LoopSample",
    "Mended",
    "Mistake",
    "Moves",
    "Names",
    "Nodes",
    "Part",
    "Places",
    "Problem",
    "Report",
    "Shipped",
    "Size",
    "SoFar",
    "Spare",
    "Spares",
    "Stats",
    "Statuses",
    "Step",
    "Sums",
    "Told",
    "Verdict",
    "Written",
    "clue_of",
    "decode",
    "encode",
    "puzzle_of",
    "schema",
]


def _reports() -> dict[str, type[Report]]:
    """All reports by the name in their format, without the version."""
    found = {}
    for kind in Report.__subclasses__():
        name = str(kind.__struct_config__.tag).removeprefix("castlecp-")
        found[name.rpartition("-")[0]] = kind
    return found


REGISTRY: Registry[type[Report]] = Registry(
    "report", lambda: sorted(_reports()), lambda name: _reports()[name]
)


def encode(report: Report) -> bytes:
    """A report as one line of JSON, without the end of the line."""
    return msgspec.json.encode(report)


def decode(text: bytes | str) -> Report:
    """The report that a text is. Raises msgspec.DecodeError."""
    kinds: Any = None
    for kind in _reports().values():
        kinds = kind if kinds is None else kinds | kind
    report: Report = msgspec.json.decode(text, type=kinds)
    return report


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a report, by its name as in `format`. Raises Unknown."""
    return msgspec.json.schema(REGISTRY[REGISTRY.name_of(name)])
