"""Why a step holds, in a sentence: one function a rule, all with the same arguments.

Each is called with the state *before* the step, the place and detail of the reason (see the
rule) and the literals of the step; without literals the step is a contradiction. `sentence`
finds the one of a rule.
"""

from __future__ import annotations

from collections.abc import Callable

from castlecp.deduce.board import ALWAYS, NEVER, State
from castlecp.deduce.line import CUT_OFF, FINISHED, NO_LINE, SHORT, TWO_LOOPS
from castlecp.deduce.reading import Reading, number_of
from castlecp.deduce.state import (
    CORNER,
    COUNT,
    DEGREE,
    DIFFERENCE,
    DOUBLE,
    FORK,
    LOOP,
    PARITY,
    PATTERN,
    PROBE,
    RAY,
    REACH,
    SIDES,
    SIGHT,
    STATEMENT,
    related,
)

Sentence = Callable[[Reading, State, int, int, list[int]], str]

#: A sentence names no more things than this that it settles.
NAMED = 4


def sentence(
    rule: int, reading: Reading, state: State, place: int, detail: int, literals: list[int]
) -> str:
    """The sentence of a step."""
    text = SENTENCES[rule](reading, state, place, detail, literals)
    return text[0].upper() + text[1:]


def are(literals: list[int]) -> str:
    """`is on`, or `are off`: what happens to edges that all get the same value."""
    return f"{'is' if len(literals) == 1 else 'are'} {'on' if literals[0] & 1 else 'off'}"


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def settled(reading: Reading, literals: list[int]) -> str:
    """What literals say; on a board of faces what they say of faces, for edges follow."""
    if reading.board.by_faces:
        literals = [x for x in literals if x >= 2 * len(reading.lattice.edges)] or literals
    said: dict[str, list[str]] = {}
    for literal in literals:
        about, value, _ = reading.of(literal)
        key = f"{'are' if ' and ' in about else ''} {value}"
        said.setdefault(key, []).append(about)
    parts = []
    for key, things in said.items():
        more = len(things) - NAMED
        names = [*things[:NAMED], f"{more} more"] if more > 0 else things
        verb = "" if key.startswith("are") else "are" if len(things) > 1 else "is"
        parts.append(f"{listed(names)} {verb + key}")
    return "; ".join(parts)


def degree(reading: Reading, state: State, v: int, _: int, literals: list[int]) -> str:
    """Two edges or none at a vertex."""
    place, on, free = reading.at_vertex(v), state.on_at[v], state.open_at[v]
    if reading.board.passed[v] == NEVER:
        if not literals:
            return f"{place}: the line never enters a clue, but here it would."
        return f"{place}: the line never enters a clue, so {rest(free)} {are(literals)}."
    if not literals:
        if on > 2:
            return f"{place}: {on} edges meet here, but the line neither branches nor crosses."
        if reading.board.passed[v] == ALWAYS and on == 0:
            return f"{place}: the line passes everywhere, but it cannot pass here."
        return f"{place}: the line ends here, with no way on."
    if on == 2:
        return f"{place}: the line already passes here, so {rest(free)} {are(literals)}."
    if on == 1:
        return f"{place}: the line comes in and has only one way on."
    if len(literals) == 2:
        return f"{place}: the line passes everywhere, and here there is only one way."
    return f"{place}: only one edge is left, and the line cannot end here, so it is off."


def rest(free: int) -> str:
    """The other edges, by their number."""
    return "the other edge" if free == 1 else f"the other {free} edges"


def count(reading: Reading, state: State, k: int, _: int, literals: list[int]) -> str:
    """A clue, or two clues, whose number is reached or can only just be reached."""
    place, on, free = reading.at_count(k), state.on_in[k], state.open_in[k]
    number = reading.board.number[k]
    two = len(reading.tellers[k]) > 1
    where = "the stretch between them" if two else reading.counted
    what = f"{place}: {where}"
    if not literals:
        least = number_of(on, "edge")
        return f"{what} needs {number}, but has {least} on and {free} open."
    if on == number:
        return (
            f"{what} already has its {number_of(number, 'edge')}, so {rest(free)} {are(literals)}."
        )
    more = number_of(number - on, "more edge")
    verb = "is" if free == 1 else "are"
    return f"{what} needs {more} and only {free} {verb} open, so {are_on(free)}."


def are_on(free: int) -> str:
    """That the open edges are on."""
    return "it is on" if free == 1 else f"these {free} are on"


def parity(reading: Reading, state: State, k: int, _: int, literals: list[int]) -> str:
    """The line crosses a row an even, or odd, number of times."""
    kind = "odd" if reading.board.odd[k] else "even"
    text = f"{reading.rows[k]} the line crosses an {kind} number of times"
    so_far = "odd" if state.odd_in[k] else "even"
    if not literals:
        return f"{text}, but the number is {so_far} and nothing is open."
    return f"{text}; it is {so_far} so far and one edge is open, so it {are(literals)}."


def loop(reading: Reading, state: State, e: int, why: int, literals: list[int]) -> str:
    """The line is one loop."""
    if why == NO_LINE:
        return "No edge is left for the line."
    if why == TWO_LOOPS:
        return f"The line is closed at {reading.at_edge(e)}, but there is more of it elsewhere."
    if why == FINISHED:
        return f"The line is closed at {reading.at_edge(e)}: whatever is open is off."
    if why == SHORT:
        edge = reading.at_edge(e)
        return f"{edge.capitalize()} would close a piece of the line while another is left out."
    assert why == CUT_OFF
    if not literals:
        return f"{reading.at_edge(e).capitalize()} is cut off from another piece of the line."
    away = number_of(len(literals), "open edge")
    return f"The line at {reading.at_edge(e)} cannot get to {away}: off."


def sides(reading: Reading, state: State, e: int, v: int, literals: list[int]) -> str:
    """Which faces lie on the same side."""
    board = reading.board
    if e >= 0:
        f, g = board.beside[2 * e], board.beside[2 * e + 1]
        differ = state.tint[f] ^ state.tint[g]
        how = "on different sides of the line" if differ else "on the same side of the line"
        known = f"{reading.at_face(f)} and {reading.at_face(g)} are {how}"
        if not literals:
            return f"{known}, but {reading.at_edge(e)} says otherwise."
        return f"{known}, so {reading.at_edge(e)} {are(literals)}."
    if v < 0:
        if board.given:
            return (
                "The colours of the clues contradict each other, or a clue on the border is white."
            )
        return "What is known of the two sides of the line contradicts itself."
    place, squares = reading.at_vertex(v), reading.squares
    if not literals:
        return f"{place}: the line would touch itself here."
    if state.on_at[v] > 0:
        return (
            f"{place}: the line passes here and two {squares} across from each other are on the "
            "same side, so the other two are on different sides."
        )
    return (
        f"{place}: the {squares} across from each other are on the same side both ways; the line "
        "does not touch itself, so all four are on one side."
    )


def corner(reading: Reading, state: State, _: int, v: int, literals: list[int]) -> str:
    """No two by two cells are checkered."""
    place = f"the four {reading.squares} around {reading.at_vertex(v)}"
    if not literals:
        return f"{place} are checkered."
    return f"{place} are not checkered, so {settled(reading, literals)}."


def reach(reading: Reading, state: State, place: int, want: int, literals: list[int]) -> str:
    """Inside and outside hang together."""
    side, other = reading.sides[want], reading.sides[1 - want]
    outer = reading.board.outer
    if place > outer:
        edge = reading.at_edge(place - outer - 1)
        return f"Only across {edge} can two parts of the {side} connect, so it is off."
    face = reading.at_face(place)
    if not literals:
        return f"The {side} falls apart: {face} cannot connect to the rest of it."
    if literals[0] & 1 == want:
        return f"Only through {face} can two parts of the {side} connect, so it is {side}."
    return f"{face} cannot connect to the {side}, so it is {other}."


def ray(reading: Reading, state: State, k: int, _: int, literals: list[int]) -> str:
    """A count with the faces beside it."""
    place, number = reading.at_count(k), reading.board.number[k]
    where = (
        "along the stretch between them"
        if len(reading.tellers[k]) > 1
        else f"along {reading.counted}"
    )
    what = f"{number_of(number, 'edge')} {where}, with the squares on both sides of it"
    if not literals:
        return f"{place}: there is no way left to place {what}."
    return f"{place}: every way to place {what}, has this in common."


def pattern(reading: Reading, state: State, f: int, _: int, literals: list[int]) -> str:
    """All ways to draw the edges of a face."""
    place = reading.at_face(f)
    fits = "its edges, with its corners and the numbers around it"
    if not literals:
        return f"{place}: there is no way left to draw {fits}."
    across = {}  # the edge of the face beyond which another face is
    board = reading.board
    for e in board.rim[board.rim_at[f] : board.rim_at[f + 1]]:
        across[board.beside[2 * e] + board.beside[2 * e + 1] - f] = reading.at_edge(e)
    said = []
    for literal in literals:
        if literal >= 2 * len(state.edge):
            a, b = reading.faces_of(literal)
            if a in across and b in across:
                how = "exactly one is on" if literal & 1 else "both or none are on"
                said.append(f"of {across[a]} and {across[b]} {how}")
                continue
        said.append(settled(reading, [literal]))
    return f"{place}: in every way to draw {fits}, {'; '.join(said)}."


def statement(reading: Reading, state: State, _: int, __: int, literals: list[int]) -> str:
    """So many statements are false."""
    board = reading.board
    claims = list(zip(board.claim[::3], board.claim[1::3], board.claim[2::3], strict=True))
    known = [related(state, f, g) for f, g, _ in claims]
    false = [k for k, (_, _, differ) in enumerate(claims) if known[k] == 1 - differ]
    true = [k for k, (_, _, differ) in enumerate(claims) if known[k] == differ]
    verb = "is" if board.lies == 1 else "are"
    exactly = f"exactly {board.lies} of {number_of(len(claims), 'statement')} {verb} false"
    if not literals:
        return f"{exactly}, but that cannot be any more."

    new = {reading.faces_of(x): x & 1 for x in literals}
    follow: dict[str, list[str]] = {}
    for k, (f, g, differ) in enumerate(claims):
        if known[k] < 0 and (f, g) in new:
            word = "true" if new[f, g] == differ else "false"
            follow.setdefault(word, []).append(reading.claims[k])
    text = "; ".join(f"{word}: {listed(those)}" for word, those in follow.items())
    if len(false) == board.lies and len(follow) == 1:
        known_ones = f" ({listed([str(k + 1) for k in false])})" if false else ""
        return f"{exactly}{known_ones}, so the other statements are {text}."
    if len(true) == len(claims) - board.lies and len(follow) == 1:
        known_ones = f" ({listed([str(k + 1) for k in true])} are true)" if true else ""
        return f"{exactly}{known_ones}, so the other statements are {text}."
    return f"{exactly}, and some stand or fall together, so these are {text}."


def sight(reading: Reading, state: State, k: int, _: int, literals: list[int]) -> str:
    """All ways to see so many faces."""
    if k < 0:
        return f"Every clue is {reading.sides[1]}."
    place, number = reading.at_count(k), reading.board.seen[k]
    if number < 0:
        return f"{place}: the clue cannot be {reading.sides[1]}."
    what = f"to see {number_of(number, 'cell')}"
    if not literals:
        return f"{place}: there is no way left {what}."
    return f"{place}: in every way {what}, {settled(reading, literals)}."


def probe(reading: Reading, state: State, literal: int, _: int, literals: list[int]) -> str:
    """An assumption that dies."""
    about, value, other = reading.of(literal)
    return f"If {about} were {value}, the easier rules would end in a contradiction: it is {other}."


def double_probe(reading: Reading, state: State, literal: int, _: int, literals: list[int]) -> str:
    """An assumption that dies by further assumptions."""
    about, value, other = reading.of(literal)
    return (
        f"If {about} were {value}, the easier rules and further assumptions would end in a "
        f"contradiction: it is {other}."
    )


def fork(reading: Reading, state: State, literal: int, _: int, literals: list[int]) -> str:
    """What follows either way."""
    about, value, other = reading.of(literal)
    return f"Whether {about} is {value} or {other}, this follows by the easier rules."


SENTENCES: dict[int, Sentence] = {
    DEGREE: degree,
    COUNT: count,
    DIFFERENCE: count,
    PARITY: parity,
    LOOP: loop,
    SIDES: sides,
    REACH: reach,
    RAY: ray,
    PATTERN: pattern,
    STATEMENT: statement,
    SIGHT: sight,
    CORNER: corner,
    PROBE: probe,
    FORK: fork,
    DOUBLE: double_probe,
}
