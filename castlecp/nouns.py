"""Counting nouns in sentences: one way for all of them."""

from __future__ import annotations


def plural(number: float, noun: str, nouns: str | None = None) -> str:
    """`1 edge`, `2 edges`, `1,000 edges`; `0.4 edges` and `1.0 edges` of what is measured.

    `nouns` is the plural where it is not the noun with an s.
    """
    shown = f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"
    return f"{shown} {noun if shown == '1' else nouns or f'{noun}s'}"
