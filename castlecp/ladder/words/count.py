"""A set of edges with its number."""

from __future__ import annotations

from castlecp.ladder.phrases import are, number_of, rest
from castlecp.ladder.wording import Wording
from castlecp.ladder.words import Places, Words
from castlecp.propagation.state import State


def are_on(free: int) -> str:
    """That the open edges are on."""
    return "it is on" if free == 1 else f"these {free} are on"


def sentence(words: Wording, state: State, k: int, _: int, literals: list[int]) -> str:
    """A clue, or two clues, whose number is reached or can only just be reached."""
    place, on, free = words.at_count(k), state.on_in[k], state.open_in[k]
    number = words.board.number[k]
    two = len(words.reading.tellers[k]) > 1
    where = "the stretch between them" if two else words.reading.counted
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


def places(words: Wording, k: int, _: int) -> Places:
    """The clue, or the two clues, and the edges that are counted."""
    board = words.board
    return words.told(
        words.reading.tellers[k], board.count[board.count_at[k] : board.count_at[k + 1]]
    )


WORDS = Words(sentence, places)
