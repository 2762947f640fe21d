"""What a step says that it leans on is all that it needs, and nothing is needless."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from boards import board_around, random_board
from reference_reasons import OUTSIDE, PLACES, WHOLE, follows
from samples import every_genre

from castlecp import ladder, wire
from castlecp.ladder.genres import trivial
from castlecp.ladder.rules import RECORDS, assumes

#: Boards of each genre, and how large they are.
BOARDS, LARGEST = 24, 5


class Told:
    """What steps have said so far of edges and of the sides of faces."""

    def __init__(self, puzzle: Any) -> None:
        self.puzzle = puzzle
        self.edges: dict[Any, bool] = {}
        self.side: dict[Any, tuple[Any, bool]] = {}
        # In so many words: at the end of a board without an answer some contradict each other.
        self.said: set[Any] = set()

    def copy(self) -> Told:
        """The same once more."""
        other = Told(self.puzzle)
        other.edges, other.side, other.said = dict(self.edges), dict(self.side), set(self.said)
        return other

    def relate(self, f: Any, g: Any, differ: bool) -> None:
        """Two faces lie so."""
        self.said.add((f, g, differ))
        (a, x), (b, y) = self.side.get(f, (f, False)), self.side.get(g, (g, False))
        self.side.setdefault(a, (a, False))
        self.side.setdefault(b, (b, False))
        if a != b:
            for face, (root, side) in list(self.side.items()):
                if root == b:
                    self.side[face] = (a, side ^ x ^ y ^ differ)

    def add(self, step: Any) -> None:
        """What a step settles."""
        for edges, on in ((step.on, True), (step.off, False)):
            for edge in edges:
                self.edges[edge] = on
                self.said.add((edge, on))
                if not self.puzzle.SHADES_OUTSIDE:  # else it follows from faces
                    self.relate(*self.beside(edge), on)
        for f, g, differ in step.relations:
            self.relate(f, g, differ)

    def beside(self, edge: Any) -> list[Any]:
        """The faces beside an edge."""
        return [f if self.puzzle.lattice.has_face(f) else OUTSIDE for f in edge.faces]

    def knows(self, fact: Any) -> bool:
        """Whether a fact follows from what is told, by sides across edges."""
        if fact.edge is not None:
            if self.edges.get(fact.edge) == fact.holds or (fact.edge, fact.holds) in self.said:
                return True
            if not self.puzzle.SHADES_OUTSIDE:
                return False
            pair = self.beside(fact.edge)
        else:
            pair = [fact.face, fact.other]
        (a, x), (b, y) = (self.side.get(f, (f, False)) for f in pair)
        return (a == b and x ^ y == fact.holds) or (*pair, fact.holds) in self.said


def given(puzzle: Any) -> Told:
    """What colours of clues say from the start."""
    import samples

    told = Told(puzzle)
    says = samples.of(type(puzzle).__module__.rsplit(".", 1)[-1]).says
    for clue in puzzle.clues:
        for kind, *what in says(puzzle, clue):
            if kind == "side" and not puzzle.SHADES_OUTSIDE:
                face = what[0] if puzzle.lattice.has_face(what[0]) else OUTSIDE
                told.relate(face, OUTSIDE, what[1])
    return told


def places(fact: Any) -> Any:
    """A fact without where it comes from."""
    return (fact.clue, fact.edge, fact.face, fact.other, fact.rule, fact.holds)


def judge(puzzle: Any, steps: Any, before: list[Told], chained: bool = False) -> Iterator[Any]:
    """Go through steps, and yield each that a rule of its own settles.

    `before[k]` is what is known after step k; in a chain the steps are links, and `before` is that
    of the explanation. What follows from each is added.
    """
    now = before[-1].copy()
    after = [] if chained else before
    for number, step in enumerate(steps, 0 if chained else 1):
        for one in step.steps:
            if not one.rule:  # what is supposed
                assert chained
                assert number == 0
            elif assumes(one.rule):
                yield from suppose(puzzle, one, [*before[:-1], now] if not chained else [now])
            else:
                for fact in one.facts:
                    if fact.clue is None and not fact.rule:
                        assert now.knows(fact), (puzzle, one.sentence, fact)
                        if fact.link is not None:
                            assert fact.step is None
                            assert chained
                            assert fact.link <= number
                            assert fact.link == number or after[fact.link].knows(fact)
                        elif fact.step is not None:
                            assert chained or fact.step <= number
                            assert fact.step >= len(before) or before[fact.step].knows(fact)
                yield one
            now.add(one)
        after.append(now.copy())


def suppose(puzzle: Any, step: Any, before: list[Told]) -> Iterator[Any]:
    """The links of a supposition, and that the step leans on what they lean on."""
    branches = [step.chain] if step.assumed else [one.chain or (one,) for one in step.chain]
    leant = set()
    for chain in branches:
        assert chain[0].assumed
        yield from judge(puzzle, chain, before, chained=True)
        links = [one for link in chain for one in link.steps]
        leant |= {places(f) for one in links for f in one.facts if f.link is None}
        if step.assumed:
            assert not links[-1].settles
            assert all(one.settles for one in links[:-1])
            for left_out in range(1, len(chain) - 1):
                assert misses(chain, left_out, before[-1].copy()), (puzzle, step.sentence)
    assert {places(f) for f in step.facts} == leant


def misses(chain: Any, left_out: int, now: Told) -> bool:
    """Whether a later link leans on what a link of a chain gave, by itself or with others."""
    for number, link in enumerate(chain):
        for one in link.steps if number != left_out else ():
            facts = [fact for fact in one.facts if fact.clue is None and not fact.rule]
            if number > left_out and not all(map(now.knows, facts)):
                return True
            if number < left_out or one.settles:
                now.add(one)
    return False


def explained(genre: str, seed: int, largest: int = LARGEST) -> tuple[Any, list[Any]]:
    """A board of a genre, as likely as not with an answer, and how it is explained."""
    random = Random(seed)
    make = random_board if seed % 4 == 0 else board_around
    puzzle = make(genre, random, random.randint(2, largest), random.randint(3, largest), 0.5)
    return puzzle, ladder.explain(puzzle, detail=seed % 2 == 0)


def needless(puzzle: Any, step: Any) -> list[Any]:
    """The facts of a step that it follows without."""
    facts = list(step.facts)
    less = [facts[:k] + facts[k + 1 :] for k in range(len(facts))]
    return [fact for fact, others in zip(facts, less, strict=True) if follows(puzzle, step, others)]


def test_every_rule_has_its_plain_meaning() -> None:
    """A new rule is to be told here too."""
    assert {*PLACES, *WHOLE} == {rule for rule in RECORDS if not assumes(rule)}


@every_genre
def test_a_step_follows_from_its_facts_and_from_no_fewer(genre: str) -> None:
    """By its rule at its place, for every step and every link of a chain."""
    seen: Counter[str] = Counter()
    for seed in range(BOARDS):
        puzzle, steps = explained(genre, seed)
        for step in judge(puzzle, steps, [given(puzzle)]):
            seen[step.rule] += 1
            assert follows(puzzle, step, list(step.facts)), (puzzle, step.sentence, step.facts)
            assert not needless(puzzle, step), (puzzle, step.sentence, step.facts)
    assert seen.total() > 30


@every_genre
def test_trivial_consequences_are_told_with_what_has_them(genre: str) -> None:
    """The same steps in both levels; a trivial one leads a step only where nothing else does."""
    for seed in range(BOARDS):
        puzzle, _ = explained(genre, seed)
        folded, fine = (ladder.explain(puzzle, chains=False, detail=x) for x in (False, True))
        key = [(one.rule, one.on, one.off, one.relations) for step in folded for one in step.steps]
        assert sorted(key) == sorted((s.rule, s.on, s.off, s.relations) for s in fine)
        for number, step in enumerate(folded):
            assert not any(one.then for one in step.then)
            assert {one.rule for one in step.then} <= set(trivial(puzzle))
            clues = sum(fact.clue is not None for fact in step.facts)
            if step.rule in trivial(puzzle) and clues <= 1 and step.settles:
                assert number == 0
        report = wire.Explanation.of(puzzle, folded)
        assert wire.decode(wire.encode(report)) == report


@every_genre
def test_sentences_are_complete_and_not_too_long(genre: str) -> None:
    """At most 280 characters, from a capital to a full stop."""
    for seed in range(BOARDS):
        _, steps = explained(genre, seed)
        for step in steps:
            for one in (*step.steps, *step.chain):
                assert not one.sentence[0].islower()
                assert one.sentence.endswith(".")
                assert len(one.sentence) <= 280, one.sentence


def test_the_reference_itself() -> None:
    """A fact too few is noticed, and one too many."""
    puzzle, steps = explained("castle", 2)
    step = next(
        one for step in steps for one in step.steps if len(one.facts) > 1 and not one.assumed
    )
    first, *others = step.facts
    assert not follows(puzzle, step, others)
    assert needless(puzzle, replace(step, facts=(*step.facts, first)))
