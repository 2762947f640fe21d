"""The commands `explain`, `grade` and `hint`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from castlecp import bank, codecs
from castlecp.budget import Budget
from castlecp.cli.options import AsJson, Seconds, Source, Steps
from castlecp.cli.output import (
    as_json,
    aside,
    picture_kind,
    progress,
    refuse_input_twice,
    remark,
    show,
    watched,
)
from castlecp.cli.streams import write
from castlecp.errors import FormatError, OutOfBudget
from castlecp.genres import Puzzle
from castlecp.ladder.facts import Degree
from castlecp.nouns import plural
from castlecp.outfile import write_file

if TYPE_CHECKING:
    from castlecp.draw import Picture
    from castlecp.grid import Edge, Face
    from castlecp.ladder import Assessment, Step
    from castlecp.position import Position


def explain(
    source: Source,
    step: Annotated[
        int | None, typer.Option(help="Show this step alone, as a picture.", min=1, metavar="N")
    ] = None,
    why: Annotated[
        int | None,
        typer.Option(help="Tell this step at length: all that it leans on.", min=1, metavar="N"),
    ] = None,
    detail: Annotated[
        bool, typer.Option(help="Trivial consequences as steps of their own.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Draw every step into FILE.svg, or -.", metavar="FILE"),
    ] = None,
    seconds: Seconds = None,
    steps: Steps = None,
    json: AsJson = False,
) -> None:
    """Solve a board as a person would: each step with what it settles, its rung and its reason."""
    from castlecp.ladder import at_length
    from castlecp.ladder import explain as steps_of

    puzzle = bank.board(source)
    remark(puzzle)
    if output is not None:
        picture_kind(output, ".svg")
    budget, ended = Budget(seconds, steps), None
    with watched(budget, "explaining"):
        try:
            found = steps_of(puzzle, budget=budget, detail=detail)
        except OutOfBudget as error:
            found, ended = error.known or [], error
    for number in (step, why):
        if number is not None and number > len(found):
            raise FormatError(f"there is no step {number}: the explanation has {len(found)}")
    if output is not None:
        from castlecp import draw

        drawn = list(progress(pictures(puzzle, found), "drawing", len(found)))
        write_file(output, draw.page_to_svg(drawn or [draw.Picture.of(puzzle)]).encode())
    with aside(output):
        if why is not None and not json:
            for line in at_length(puzzle, found[why - 1], why):
                write(line)
        else:
            _report(puzzle, found, step, json, ended)
    if ended is not None:
        raise ended


def _report(
    puzzle: Puzzle,
    steps: Sequence[Step],
    step: int | None,
    json: bool,
    ended: OutOfBudget | None = None,
) -> None:
    if json:
        from castlecp import wire

        as_json(wire.Explanation.of(puzzle, steps))
    elif step is not None:
        show(list(pictures(puzzle, steps))[step - 1])
        write()
        write(f"{step}. {steps[step - 1].rung}: {steps[step - 1].sentence}")
    else:
        for number, one in enumerate(steps, 1):
            write(f"{number:3}. {one.rung}: {one.sentence}")
        if ended is None:
            write(_ending(puzzle, steps))
        else:
            from castlecp.ladder.steps import settled

            total = plural(puzzle.lattice.number_of_edges, "edge")
            taken = plural(len(steps), "step")
            write(f"so far {taken}: {settled(steps)} of {total} are settled")


def grade(
    source: Source, seconds: Seconds = None, steps: Steps = None, json: AsJson = False
) -> None:
    """How hard a board is: a number, the hardest rung, suppositions, how narrow the way is."""
    from castlecp.ladder import assess

    puzzle = bank.board(source)
    remark(puzzle)
    budget = Budget(seconds, steps)
    with watched(budget, "grading"):
        found = assess(puzzle, budget)
    if json:
        from castlecp import wire

        as_json(wire.Grade.of(found))
    else:
        for line in graded_lines(found):
            write(line)
    if found.ended is not None:
        raise found.ended


def graded_lines(found: Assessment) -> Iterator[str]:
    """What was measured of a board, for people."""
    graded, so_far = found.grade, " so far" if found.ended is not None else ""
    if found.number is not None:
        yield f"difficulty: {found.number:g} of 10"
    yield {
        "unique": "exactly one solution",
        "multiple": "several solutions: what follows is about what all of them share",
        "none": "no solution",
        "inconclusive": f"how many solutions there are is not known{so_far}",
    }[found.status]
    yield f"hardest rung{so_far}: {graded.rung or 'none'}"
    if found.steps is not None:
        yield f"steps: {found.steps}, of {plural(graded.steps, 'finding')}"
    for rung, number in graded.per_rung.items():
        yield f"  {rung}: {number}"
    if found.chains:
        often = plural(len(found.chains), "supposition")
        longest = plural(found.longest or 0, "link")
        yield f"{often}: at most {longest}, {found.mean_chain:g} on average"
    if found.moves:
        least, average = min(found.moves), sum(found.moves) / len(found.moves)
        yield f"open moves: {found.moves[0]} at first, at least {least}, {average:.0f} on average"
    for counted, rules in ((found.nodes, ""), (found.weak, " with weak rules")):
        if counted is not None:
            at_least = "" if counted.exact else "at least "
            yield f"search nodes{rules}: {at_least}{counted.number:,}"
    settled = f"the ladder settles {graded.settled:.0%} of the edges{so_far}"
    if found.guessing:
        yield f"needs guessing: {settled}"
    elif graded.contradiction:
        yield "the ladder shows that there is no solution"
    elif not graded.finished:
        yield settled
    else:
        yield "needs no guessing"


def hint(
    source: Source,
    answer: Annotated[
        str | None,
        typer.Argument(help="What is drawn so far, as for `check`.", metavar="[ANSWER]"),
    ] = None,
    degree: Annotated[
        Degree, typer.Option(help="Only where to look; also why; also what to do.")
    ] = "do",
    seconds: Seconds = None,
    steps: Steps = None,
    json: AsJson = False,
) -> None:
    """The next step: what is drawn wrongly, crosses too, else the easiest deduction and why."""
    from castlecp.ladder import in_degree, next_step
    from castlecp.position import Position

    refuse_input_twice(source, answer)
    puzzle = bank.board(source)
    drawn = (
        Position(puzzle.lattice) if answer is None else codecs.read_position_source(answer, puzzle)
    )
    budget = Budget(seconds, steps)
    with watched(budget, "looking for a hint"):
        step = next_step(puzzle, drawn, budget=budget)
    if step is not None:
        step = in_degree(puzzle, step, degree)
    if json:
        from castlecp import wire

        as_json(wire.Hint.of(step))
    elif step is None:
        write("nothing is left to draw")
    else:
        write(f"{step.rung}: {step.sentence}")
        if step.settles:
            write()
            show(_after(puzzle, drawn, step))


def _after(puzzle: Puzzle, drawn: Position, step: Step) -> Picture:
    """What is drawn, and in bold what a step adds; what the step says is wrong is not there."""
    from castlecp.draw import Layer, Picture

    sides = {(f, side) for f, g, side in step.relations if f is not None and g is None}
    inside = {f for f, side in sides if side}
    outside = {f for f, side in sides if not side}
    return Picture(
        puzzle,
        (
            Layer("line", drawn.on - set(step.off)),
            Layer("off", drawn.off - set(step.on)),
            Layer("first", frozenset(step.on) - drawn.on),
            Layer("out", frozenset(step.off) - drawn.off),
        ),
        shaded=(drawn.outside | outside) - inside,
        marked=(drawn.inside | inside) - outside,
    )


def pictures(puzzle: Puzzle, steps: Sequence[Step]) -> Iterator[Picture]:
    """A picture for each step: what was known, what it settles, and where its reason is."""
    from castlecp.draw import Layer, Picture

    on: set[Edge] = set()
    off: set[Edge] = set()
    shaded: set[Face] = set()
    for number, step in enumerate(steps, 1):
        if puzzle.SHADES_OUTSIDE:
            for one in step.steps:
                shaded |= {f for f, g, differ in one.relations if f and g is None and not differ}
        new = {edge for one in step.steps for edge in one.on}
        out = {edge for one in step.steps for edge in one.off}
        yield Picture(
            puzzle,
            (
                Layer("line", frozenset(on)),
                Layer("off", frozenset(off)),
                Layer("first", frozenset(new - on)),
                Layer("out", frozenset(out - off)),
            ),
            shaded=frozenset(shaded),
            vertices=frozenset(step.vertices),
            faces=frozenset(step.faces),
            caption=f"{number}. {step.rung}: {step.sentence}",
        )
        on |= new
        off |= out


def _ending(puzzle: Puzzle, steps: Sequence[Step]) -> str:
    taken = plural(len(steps), "step")
    from castlecp.ladder import contradicts, finishes
    from castlecp.ladder.steps import settled

    if contradicts(steps):
        return f"there is no solution, as {taken} show{'s' if len(steps) == 1 else ''}"
    if finishes(puzzle, steps):
        return f"solved in {taken}"
    total = plural(puzzle.lattice.number_of_edges, "edge")
    return f"the ladder ends after {taken}: {settled(steps)} of {total} are settled"
