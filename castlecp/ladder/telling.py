"""A climb in words: why each step holds, which belong together, and how that is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from castlecp.budget import Budget
from castlecp.errors import OutOfBudget
from castlecp.grid import Face
from castlecp.ladder.assumptions import Assumption
from castlecp.ladder.climber import Climber, Entry, chain_of, climbed
from castlecp.ladder.climbing import STOPPED
from castlecp.ladder.facts import Fact, Step
from castlecp.ladder.phrases import listed, onward, told
from castlecp.ladder.reasons import Known, Reason
from castlecp.ladder.rules import RECORDS, assumes
from castlecp.ladder.wording import Places, Wording
from castlecp.ladder.words import REGISTRY as WORDS
from castlecp.ladder.words import Taken
from castlecp.nouns import plural

#: Steps of an explanation are numbered from 1, links of a chain from this times its depth.
CHAIN = 1 << 40

#: A sentence is at most as long as this, if it can be: it names fewer things until it is.
LONGEST = 280
NAMED = (99, 8, 5, 3, 2, 1, 0)


@dataclass
class Reasoned:
    """An entry of a log with its reason, before it is said.

    `number` is the entry's, `since` has the numbers of the entries that gave each literal of the
    reason. `clash` are the words of a contradiction of the trail alone.
    """

    entry: Entry
    number: int
    reason: Reason
    since: dict[int, tuple[int, ...]]
    supposed: int | None = None
    chain: list[Reasoned] = field(default_factory=list)
    clash: tuple[str, Places] | None = None

    @property
    def sources(self) -> set[int]:
        """The numbers of all entries that it leans on; 0 is the start."""
        return {n for steps in self.since.values() for n in steps}


class Telling:
    """A climb in words."""

    def __init__(self, climber: Climber, budget: Budget, detail: bool = True) -> None:
        self.rules, self.rungs, self.budget = climber.rules, climber.rungs, budget
        self.trivial = () if detail else climber.trivial
        self.words = Wording(climber.reading)
        self.board = self.words.board

    def steps(self, log: Sequence[Entry], chains: bool) -> list[Step]:
        """The log in words. Raises OutOfBudget; what is `known` are then the steps so far."""
        found: list[Reasoned] = []
        try:
            for one in self.reasons(log, self._known(), 1, chains):
                found.append(one)
        except OutOfBudget as ended:
            raise type(ended)(str(ended), self._said(found)) from None
        return self._said(found)

    def last(self, log: Sequence[Entry], position: Sequence[int], chains: bool = False) -> Step:
        """The last step of a log that begins with a position, without the numbers of others."""
        known = self._known(position)
        for number, entry in enumerate(log[:-1], 1):
            for literal in entry.literals:
                known.add(literal, number)
        (one,) = self.reasons(log[-1:], known, len(log), chains)
        return self._step([one], {}, {})

    def _known(self, position: Sequence[int] = ()) -> Known:
        return Known.of(self.words.reading, [(x, 0) for x in (*self.board.given, *position)])

    def reasons(
        self, log: Sequence[Entry], known: Known, first: int, chains: bool
    ) -> Iterator[Reasoned]:
        """The reason of each entry, of which the first has the number `first`."""
        for number, entry in enumerate(log, first):
            self.budget.look()
            yield self._reason(entry, number, known, chains)
            for literal in entry.literals:
                known.add(literal, number)

    def _reason(self, entry: Entry, number: int, known: Known, chains: bool) -> Reasoned:
        rule, place, detail, literals = entry
        said = WORDS[rule]
        if said.clash and place == detail == -1:
            text, where, reason = said.clash(self.words, [x for x, _ in known.trail])
            first = dict(reversed(known.trail))
            one = Reasoned(entry, number, reason, {x: (first[x],) for x in reason.literals})
            one.clash = text, where
            return one
        if said.reason is None:
            one = Reasoned(entry, number, Reason(), {})
            if self._dies(rule):
                one.supposed = place
            if chains:
                self._suppose(one, known)
            return one
        reason = said.reason(known, place, detail, self._own(literals))
        return Reasoned(entry, number, reason, {x: known.since(x) for x in reason.literals})

    def _dies(self, rule: str) -> bool:
        """Whether what a rule supposes is to end in a contradiction."""
        record = RECORDS[rule]
        return isinstance(record, Assumption) and record.within is not None

    def _own(self, literals: Sequence[int]) -> list[int]:
        """What a rule settles itself: on a board of faces, faces, from which edges follow."""
        if self.board.by_faces:
            faces = [x for x in literals if x >= 2 * self.words.lattice.number_of_edges]
            return faces or list(literals)
        return list(literals)

    def _suppose(self, one: Reasoned, known: Known) -> None:
        """Add the chain of what a rule supposes, and what all of its links lean on."""
        record, place = RECORDS[one.entry.rule], one.entry.place
        assert isinstance(record, Assumption)
        easier = self.rules[: self.rules.index(one.entry.rule)]
        if record.within is not None:
            rules = [name for name in easier if not assumes(name) or name in record.within]
            one.chain = self._chain(rules, known, place, [])
            branches = [one.chain]
        else:
            rules = [name for name in easier if not assumes(name)]
            branches = []
            for literal in (place, place ^ 1):
                chain = self._chain(rules, known, literal, self._own(one.entry.literals))
                branches.append(chain)
                chain[0].chain = chain[1:]
                one.chain.append(chain[0])
        start = self._base(known)
        for chain in branches:
            for link in chain:
                mine = {x: n for x, n in link.since.items() if max(n, default=0) < start}
                one.since |= mine
                one.reason = Reason(
                    tuple(dict.fromkeys((*one.reason.literals, *mine))),
                    tuple(dict.fromkeys((*one.reason.clues, *link.reason.clues))),
                    tuple(dict.fromkeys((*one.reason.rules, *link.reason.rules))),
                )

    def _base(self, known: Known) -> int:
        """The number of the supposition of a chain that begins here."""
        return (known.trail[-1][1] // CHAIN + 1) * CHAIN if known.trail else CHAIN

    def _chain(
        self, rules: list[str], known: Known, literal: int, goal: list[int]
    ) -> list[Reasoned]:
        """What follows from a supposition up to a goal, or to a contradiction.

        The supposition is the first link, and of the others those that the end leans on.
        """
        trail = [x for x, _ in known.trail]
        log = (
            [] if goal or any(map(assumes, rules)) else chain_of(self.board, trail, rules, literal)
        )
        if not log:
            end, log = climbed(self.board, [*trail, literal], rules, self.budget, shortest=True)
            if end == STOPPED:
                raise self.budget.over()
        base, before = self._base(known), len(known.trail)
        known.add(literal, base)
        links, ends = [Entry("", literal, 0, [literal])], [len(known.trail)]
        for entry in log:
            if goal and all(known.holds(x) for x in goal):
                break
            for x in entry.literals:
                known.add(x, base + len(links))
            links.append(entry)
            ends.append(len(known.trail))
        needed = {base, *(n for x in goal if known.holds(x) for n in known.since(x))}
        if not goal:
            needed.add(base + len(links) - 1)
        chain = [Reasoned(links[0], base, Reason(), {}, literal)]
        # From the end, so that only what it leans on is asked for its reasons.
        for k in range(len(links) - 1, 0, -1):
            if base + k in needed:
                known.back(ends[k - 1])
                link = self._reason(links[k], base + k, known, True)
                needed |= link.sources
                chain.insert(1, link)
        known.back(before)
        return chain

    def _said(self, found: Sequence[Reasoned]) -> list[Step]:
        """Steps with their trivial consequences, numbered from 1."""
        groups, numbers = self._folded(found, 0)
        return self._steps(groups, numbers, {}, 0 in groups)

    def _folded(
        self, found: Sequence[Reasoned], base: int
    ) -> tuple[dict[int, list[Reasoned]], dict[int, int]]:
        """What belongs to one step, by the number of its first entry.

        What follows trivially from the start alone is the first step, or in a chain with its
        supposition, which has the number `base`. And the number of each entry's step: from 1, in
        a chain from 0.
        """
        groups: dict[int, list[Reasoned]] = {}
        home: dict[int, int] = {}
        for one in found:
            key = one.number
            trivial = one.entry.rule in self.trivial and len(one.reason.clues) <= 1
            if trivial and one.entry.literals:
                key = max((home[n] for n in one.sources if n >= max(base, 1)), default=base)
            home[one.number] = key
            groups.setdefault(key, []).append(one)
        ordered = dict(sorted(groups.items()))
        place = {key: k for k, key in enumerate(ordered, 0 if base else 1)}
        return ordered, {number: place[key] for number, key in home.items()}

    def _steps(
        self,
        groups: Mapping[int, list[Reasoned]],
        steps: Mapping[int, int],
        links: Mapping[int, int],
        opening: bool = False,
    ) -> list[Step]:
        """Groups as steps; `steps` and `links` have the numbers of others."""
        drawn: list[int] = []
        out = []
        for key, group in groups.items():
            out.append(self._step(group, steps, links, drawn, opening and key == 0))
            drawn += [x >> 1 for one in group for x in one.entry.literals if self._is_on(x)]
        return out

    def _is_on(self, literal: int) -> bool:
        return literal & 1 == 1 and literal < 2 * self.words.lattice.number_of_edges

    def _step(
        self,
        group: Sequence[Reasoned],
        steps: Mapping[int, int],
        links: Mapping[int, int],
        drawn: Sequence[int] = (),
        opening: bool = False,
    ) -> Step:
        """A step and its consequences, of a line some of which is drawn."""
        one, *others = group
        then = tuple(self._step([other], steps, links) for other in others)
        chain = self._chain_of(one, steps)
        numbers = {}
        for x in one.reason.literals:
            step, link = self._from(one, x, steps, links)
            numbers[x] = f"link {link}" if link else f"step {step}" if step else ""
        words = replace(self.words, given=numbers, supposed=bool(links))
        rule, place, detail, literals = one.entry
        taken = Taken(place, detail, tuple(self._own(literals)), one.reason, self._ends(one))
        where = one.clash[1] if one.clash else self._places(one)
        later = [x for other in others for x in other.entry.literals]
        for most in NAMED:
            words = replace(words, most=most)
            if opening:
                text = self._opening(words, group)
            else:
                text = self._text(words, one, taken)
                if later and most:
                    text += onward(words, drawn, one.entry.literals, later)
            if len(text) < LONGEST:
                break
        count = 2 * self.words.lattice.number_of_edges
        edges = [x for x in literals if x < count]
        return Step(
            self.rungs.get(rule, rule) or "supposition",
            f"{text[0].upper()}{text[1:]}.",
            tuple(words.edge(x >> 1) for x in edges if x & 1),
            tuple(words.edge(x >> 1) for x in edges if not x & 1),
            tuple(
                self._relation(x) for x in literals if x >= 2 * self.words.lattice.number_of_edges
            ),
            where.vertices,
            where.edges,
            where.faces,
            None if one.supposed is None else (words.thing(one.supposed), one.supposed & 1 == 1),
            chain,
            rule,
            self._facts(one, steps, links),
            then,
        )

    def _relation(self, literal: int) -> tuple[Face | None, Face | None, bool]:
        f, g = self.words.faces_of(literal)
        return self.words.face(f), self.words.face(g), literal & 1 == 1

    def _text(self, words: Wording, one: Reasoned, taken: Taken) -> str:
        """The sentence of a step, without its consequences."""
        if one.clash:
            return one.clash[0]
        if not one.entry.rule:
            return f"suppose that {told(words, taken.literals)}"
        said = WORDS[one.entry.rule]
        if not taken.literals and said.dead:
            facts = told(words, one.reason.literals)
            ends = said.dead(words, taken)
            return f"{facts}, so {ends}" if facts else ends
        return said.sentence(words, taken)

    def _opening(self, words: Wording, group: Sequence[Reasoned]) -> str:
        """What follows from the start alone."""
        literals = [x for one in group for x in self._own(one.entry.literals)]
        clues = list(dict.fromkeys(clue for one in group for clue in one.reason.clues))
        few = len(clues) <= min(3, words.most)
        words = replace(words, most=min(words.most, 3))
        names = words.at_cells(clues) if few else [plural(len(clues), "clue")]
        verb = "leaves" if len(clues) == 1 else "leave"
        who = f"{listed(names)} {verb}" if clues else "the border leaves"
        return f"{who} no choice: {told(words, literals)}"

    def _ends(self, one: Reasoned) -> str:
        """How a supposition ends, as a clause."""
        if one.supposed is None or not one.chain or one.entry.rule not in RECORDS:
            return ""
        *_, last = one.chain
        if last.clash:
            return last.clash[0]
        dead = WORDS[last.entry.rule].dead if last.entry.rule else None
        if dead is None:
            return ""
        taken = Taken(last.entry.place, last.entry.detail, (), last.reason)
        return dead(replace(self.words, supposed=True), taken)

    def _places(self, one: Reasoned) -> Places:
        if not one.entry.rule:
            return self.words.assumed(one.entry.place)
        return WORDS[one.entry.rule].places(self.words, one.entry.place, one.entry.detail)

    def _chain_of(self, one: Reasoned, steps: Mapping[int, int]) -> tuple[Step, ...]:
        """The links of a chain as steps, folded in the same way."""
        if not one.chain:
            return ()
        if one.entry.rule and len(one.chain) == 2 and one.chain[1].number == one.chain[0].number:
            return tuple(self._step([branch], steps, {}) for branch in one.chain)
        links = one.chain if one.entry.rule else [replace(one, chain=[]), *one.chain]
        groups, numbers = self._folded(links, links[0].number)
        return tuple(self._steps(groups, steps, numbers))

    def _from(
        self, one: Reasoned, literal: int, steps: Mapping[int, int], links: Mapping[int, int]
    ) -> tuple[int | None, int | None]:
        """The step, or the link, that gave a literal; neither where it holds from the start."""
        since = one.since[literal]
        link = max((links[n] for n in since if n in links), default=None)
        if link is not None:
            return None, link
        return max((steps[n] for n in since if n in steps), default=None), None

    def _facts(
        self, one: Reasoned, steps: Mapping[int, int], links: Mapping[int, int]
    ) -> tuple[Fact, ...]:
        words, edges = self.words, 2 * self.words.lattice.number_of_edges
        facts = [Fact(clue=clue) for clue in one.reason.clues]
        facts += [Fact(rule=rule) for rule in one.reason.rules]
        for x in one.reason.literals:
            step, link = self._from(one, x, steps, links)
            fact = Fact(holds=x & 1 == 1, step=step, link=link)
            if x < edges:
                facts.append(replace(fact, edge=words.edge(x >> 1)))
            else:
                face, other = map(words.face, words.faces_of(x))
                facts.append(replace(fact, face=face, other=other))
        return tuple(facts)
