"""How long the chains of suppositions are."""

from __future__ import annotations

from collections.abc import Iterable

from castlecp.ladder.facts import Step


def chain_lengths(steps: Iterable[Step]) -> list[int]:
    """Of each step that supposes something, in order, how many links lead to where it ends.

    Links are counted one by one, trivial ones too, whether they are told as consequences of
    others or not, and so are those of suppositions within others; of a fork those of both its
    branches. What is supposed is no link. `steps` have their chains (see `explain`).
    """
    return [_links(one) for step in steps for one in step.steps if one.chain]


def _links(step: Step) -> int:
    """The links of all chains of a step, without what is supposed."""
    links = [one for link in step.chain for one in link.steps]
    return sum(bool(link.rule) + _links(link) for link in links)
