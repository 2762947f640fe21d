"""One step at length: all that it leans on, what follows from it, and how a supposition ends."""

from __future__ import annotations

from collections.abc import Iterator

from castlecp.genres import Puzzle
from castlecp.ladder.facts import Fact, Step
from castlecp.ladder.wording import Wording
from castlecp.propagation import genres as readers


def at_length(puzzle: Puzzle, step: Step, number: int) -> list[str]:
    """Lines that tell a step of an explanation at length, the last of them how it ends."""
    words = Wording(readers.of(puzzle).read(puzzle))
    return [f"{number}. {step.rung}: {step.sentence}", *_told(words, step)]


def _told(words: Wording, step: Step) -> Iterator[str]:
    if step.facts:
        yield "it leans on"
        yield from (f"  {_fact(words, fact)}" for fact in step.facts)
    if step.then:
        yield "what follows at once"
        yield from (f"  {one.rung}: {one.sentence}" for one in step.then)
    if step.chain:
        forked = step.rule and all(link.assumed for link in step.chain)
        yield "either way" if forked else "if it were otherwise"
        for k, link in enumerate(step.chain):
            if forked:
                yield f"  {link.sentence}"
                yield from (f"    {one.rung}: {one.sentence}" for one in link.chain)
            else:
                yield f"  {k}. {link.rung}: {link.sentence}"


def _fact(words: Wording, fact: Fact) -> str:
    """What a fact says, and which step gave it."""
    if fact.clue is not None:
        return words.at_cells([fact.clue])[0]
    if fact.rule:
        return fact.rule
    if fact.edge is not None:
        where = words.runs([words.lattice.edges.index(fact.edge)])[0]
        said = f"the line runs {where}" if fact.holds else f"no line {where}"
    else:
        literal = words.literal(fact.face, fact.other, fact.holds)
        about, how, _ = words.of(literal)
        said = f"{about} {'is' if fact.other is None else 'are'} {how}"
    if fact.link is not None:
        return f"{said} ({f'link {fact.link}' if fact.link else 'supposed'})"
    return f"{said} (step {fact.step})" if fact.step else said
