"""What all reports have in common."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

#: What a puzzle, or a clue of it, is as JSON: see the README's formats.
Written = dict[str, Any]

#: What follows from a loop besides its line, by name: `false_statements`, their numbers from 0.
Findings = dict[str, tuple[int, ...]]

Statuses = Literal["unique", "multiple", "none", "inconclusive"]


def _dashed(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class Report(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="format",
    tag=lambda name: f"castlecp-{_dashed(name)}-1",
):
    """The base of all reports."""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of what stands inside a report."""
