"""Why a step holds, in a sentence: one function a rule, all with the same arguments.

Each is called with the state *before* the step, the place and detail of the reason (see the
rule) and the literals of the step; without literals the step is a contradiction.
"""

from __future__ import annotations

from collections.abc import Callable

from castlecp.deduce.board import State
from castlecp.deduce.line import CUT_OFF, FINISHED, NO_LINE, SHORT, TWO_LOOPS
from castlecp.deduce.reading import Reading, number_of
from castlecp.deduce.state import (
    COUNT,
    DEGREE,
    DIFFERENCE,
    DOUBLE,
    FORK,
    LOOP,
    PARITY,
    PROBE,
    RAY,
    REACH,
    SIDES,
)

Sentence = Callable[[Reading, State, int, int, list[int]], str]


def are(literals: list[int]) -> str:
    """`is on`, or `are off`: what happens to edges that all get the same value."""
    return f"{'is' if len(literals) == 1 else 'are'} {'on' if literals[0] & 1 else 'off'}"


def degree(reading: Reading, state: State, v: int, _: int, literals: list[int]) -> str:
    """Two edges or none at a vertex, none at a wall."""
    place, on, free = reading.at_vertex(v), state.on_at[v], state.open_at[v]
    if reading.board.wall[v]:
        if not literals:
            return f"{place}: the line never enters a clue, but here it would."
        return f"{place}: the line never enters a clue, so {rest(free)} {are(literals)}."
    if not literals:
        if on > 2:
            return f"{place}: {on} edges meet here, but the line neither branches nor crosses."
        return f"{place}: the line ends here, with no way on."
    if on == 2:
        return f"{place}: the line already passes here, so {rest(free)} {are(literals)}."
    if on == 1:
        return f"{place}: the line comes in and has only one way on."
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
        known = side_words(reading, state, f, g, how)
        if not literals:
            return f"{known}, but {reading.at_edge(e)} says otherwise."
        return f"{known}, so {reading.at_edge(e)} {are(literals)}."
    if v < 0:
        return "The colours of the clues contradict each other, or a clue on the border is white."
    place = reading.at_vertex(v)
    if not literals:
        return f"{place}: the line would touch itself here."
    if state.on_at[v] > 0:
        return (
            f"{place}: the line passes here and two squares across from each other are on the "
            "same side, so the other two are on different sides."
        )
    return (
        f"{place}: the squares across from each other are on the same side both ways; the line "
        "does not touch itself, so all four are on one side."
    )


def side_words(reading: Reading, state: State, f: int, g: int, how: str) -> str:
    """That two faces are on the same side, or on different ones."""
    first, second = reading.at_face(f), reading.at_face(g)
    return f"{first[0].upper()}{first[1:]} and {second} are {how}"


def reach(reading: Reading, state: State, place: int, want: int, literals: list[int]) -> str:
    """Inside and outside hang together."""
    side, other = ("inside", "outside") if want else ("outside", "inside")
    outer = reading.board.outer
    if place > outer:
        edge = reading.at_edge(place - outer - 1)
        return f"Only across {edge} can two parts of the {side} connect, so it is off."
    face = reading.at_face(place)
    if not literals:
        return f"The {side} falls apart: {face} cannot connect to the rest of it."
    if literals[0] & 1 == want:
        return f"Only through {face} can two parts of the {side} connect, so it is {side}."
    return f"{face[0].upper()}{face[1:]} cannot connect to the {side}, so it is {other}."


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


def probe(reading: Reading, state: State, literal: int, _: int, literals: list[int]) -> str:
    """An assumption that dies."""
    edge = reading.at_edge(literal >> 1)
    value, other = ("on", "off") if literal & 1 else ("off", "on")
    return f"If {edge} were {value}, the easier rules would end in a contradiction: it is {other}."


def double_probe(reading: Reading, state: State, literal: int, _: int, literals: list[int]) -> str:
    """An assumption that dies by further assumptions."""
    edge = reading.at_edge(literal >> 1)
    value, other = ("on", "off") if literal & 1 else ("off", "on")
    return (
        f"If {edge} were {value}, the easier rules and further assumptions would end in a "
        f"contradiction: it is {other}."
    )


def fork(reading: Reading, state: State, e: int, _: int, literals: list[int]) -> str:
    """What follows either way."""
    return f"Whether {reading.at_edge(e)} is on or off, this follows by the easier rules."


SENTENCES: dict[int, Sentence] = {
    DEGREE: degree,
    COUNT: count,
    DIFFERENCE: count,
    PARITY: parity,
    LOOP: loop,
    SIDES: sides,
    REACH: reach,
    RAY: ray,
    PROBE: probe,
    FORK: fork,
    DOUBLE: double_probe,
}
