"""What a player has drawn: checked, written and read back in every format that can say it."""

from __future__ import annotations

from typing import Any

import pytest
from boards import HERE
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from samples import every_genre
from strategies import positions, puzzles
from typer.testing import CliRunner

from castlecp import codecs, methods
from castlecp.cli import app
from castlecp.errors import FormatError, PuzzleError
from castlecp.genres.castle import CastleClue, CastleWall
from castlecp.genres.cave import Cave, CaveClue
from castlecp.genres.slither import SlitherClue, Slitherlink
from castlecp.grid import Edge, Lattice, Loop
from castlecp.position import Move, Position

LATTICE = Lattice(3, 4)
EDGE = Edge(0, 1, 0, 2)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"moves": ("a",)}, "`moves` of a position must be a tuple of Move"),
        ({"moves": [Move()]}, "`moves` of a position must be a tuple of Move"),
        ({"lattice": (3, 4)}, "`lattice` of a position must be a Lattice"),
        ({"on": {EDGE}}, "`on` of a position must be a frozenset of Edge"),
        ({"off": frozenset({(0, 1, 0, 2)})}, "`off` of a position must be a frozenset of Edge"),
        ({"on": frozenset({Edge(0, 2, 0, 1)})}, r"`on`: \(0, 2, 0, 1\) is no edge of 3 x 4 points"),
        ({"off": frozenset({Edge(2, 0, 3, 0)})}, "`off`: .* is no edge of 3 x 4 points"),
        ({"on": frozenset({Edge(0, 1.0, 0, 2)})}, "`on`: .* is no edge"),
        ({"inside": [(0, 0)]}, "`inside` of a position must be a frozenset of faces"),
        ({"inside": frozenset({(2, 0)})}, r"`inside`: \(2, 0\) is no face of 3 x 4 points"),
        ({"outside": frozenset({(0, 3)})}, r"`outside`: \(0, 3\) is no face"),
        ({"outside": frozenset({(0,)})}, "is no face"),
        ({"on": frozenset({EDGE}), "off": frozenset({EDGE})}, "is both on and off"),
        (
            {"inside": frozenset({(1, 1)}), "outside": frozenset({(1, 1)})},
            r"the face \(1, 1\) is both inside and outside",
        ),
    ],
)
def test_a_position_checks_its_fields(fields: dict[str, Any], message: str) -> None:
    """Only edges and faces of the lattice, and none both ways."""
    with pytest.raises(PuzzleError, match=message):
        Position(**{"lattice": LATTICE, **fields})


def test_an_answer_is_a_position() -> None:
    """With its line on and nothing else; a position is itself."""
    loop = Loop.around(LATTICE, [(0, 0), (0, 1)])
    position = Position.of(loop)
    assert position == Position(LATTICE, on=loop.edges)
    assert position.line == loop
    assert Position.of(position) is position


def written(puzzle: Any, position: Position, to: str) -> str | None:
    """The text of a position; None where a file cannot say all of it."""
    try:
        return codecs.write_position(puzzle, position, to)
    except FormatError as error:
        reason = str(error)
    assert to == "pzprv3"
    assert "cannot say" in reason
    return None


@every_genre
@given(data=st.data())
def test_round_trip(genre: str, data: st.DataObject) -> None:
    """What a format can say of a position reads back; JSON and pictures can say it all."""
    puzzle = data.draw(puzzles(genre))
    assume(len(puzzle.clues) < puzzle.rows * puzzle.cols)  # else nothing looks like a picture
    position = data.draw(positions(puzzle))
    for to in ("json", "board", "pzprv3"):
        text = written(puzzle, position, to)
        if text is not None:
            assert codecs.read_position(text, puzzle) == position, text


@every_genre
@given(data=st.data())
def test_files_say_a_genre_s_own_marks(genre: str, data: st.DataObject) -> None:
    """A pzprv3 file holds shading where the outside is shaded, else lines and crosses."""
    puzzle = data.draw(puzzles(genre, clues_only=True))
    drawn = data.draw(positions(puzzle))
    kept = Position(puzzle.lattice, drawn.on, drawn.off)
    if puzzle.SHADES_OUTSIDE:
        kept = Position(puzzle.lattice, inside=drawn.inside, outside=drawn.outside)
    text = codecs.write_position(puzzle, kept, "pzprv3")
    assert text.startswith("pzprv3\n")
    assert codecs.read_position(text, puzzle) == kept
    assert codecs.read(text) == puzzle
    assert codecs.read_answer(text, puzzle) == puzzle.line_of(kept)


CASTLE = CastleWall(3, 3, (CastleClue(1, 1, "white"),))
SLITHER = Slitherlink(2, 3, (SlitherClue(0, 0, 3),))
CAVE = Cave(2, 3, (CaveClue(0, 1, 3),))


@pytest.mark.parametrize(
    ("puzzle", "position", "text"),
    [
        (
            CASTLE,
            Position(
                CASTLE.lattice,
                frozenset({Edge(0, 0, 0, 1), Edge(0, 0, 1, 0)}),
                frozenset({Edge(1, 0, 1, 1), Edge(1, 2, 2, 2)}),
            ),
            "pzprv3\ncastle\n3\n3\n. . . \n. 0,-,1 . \n. . . \n1 0 \n-1 0 \n0 0 \n1 0 0 \n0 0 -1 ",
        ),
        (
            SLITHER,
            Position(
                SLITHER.lattice,
                frozenset({Edge(0, 0, 0, 1)}),
                frozenset({Edge(0, 1, 1, 1)}),
                frozenset({(0, 0)}),
                frozenset({(1, 2)}),
            ),
            "pzprv3.1\nslither\n2\n3\n3 . . \n. . . \n1 0 0 \n0 0 2 \n"
            "0 -1 0 0 \n0 0 0 0 \n1 0 0 \n0 0 0 \n0 0 0 ",
        ),
        (
            CAVE,
            Position(CAVE.lattice, inside=frozenset({(0, 0)}), outside=frozenset({(1, 0)})),
            "pzprv3\ncave\n2\n3\n. 3 . \n. . . \n+ . . \n# . . ",
        ),
    ],
    ids=["castle", "slither", "cave"],
)
def test_files_of_players(puzzle: Any, position: Position, text: str) -> None:
    """As pzpr writes crosses, colours and shading."""
    assert codecs.read_position(text, puzzle) == position
    assert codecs.write_position(puzzle, position, "pzprv3") == text


def test_a_picture_with_marks() -> None:
    """As a person types it, and as castlecp draws it."""
    position = Position(
        CAVE.lattice,
        frozenset({Edge(0, 0, 0, 1)}),
        frozenset({Edge(0, 2, 0, 3), Edge(1, 1, 2, 1)}),
        frozenset({(0, 1), (1, 1)}),
        frozenset({(1, 0)}),
    )
    shown = "╶───╴   · × ·\n      3+\n·   ·   ·   ·\n ░░░× +\n·   ·   ·   ·"
    assert codecs.write_position(CAVE, position, "board") == shown
    typed = "+---+   + x +\n      +\n+   +   +   +\n  # x +\n+   +   +   +"
    for text in (shown, typed):
        assert codecs.read_position(text, CAVE) == position


def test_what_every_answer_has_in_common_is_a_position() -> None:
    """All that `solve --forced` prints, edges beside clues too."""
    path = HERE / "boards" / "castle" / "ambiguous-6x6.txt"
    puzzle = codecs.read(path.read_text())
    forced = methods.solve(puzzle, forced=True).forced
    assert forced is not None
    printed = CliRunner().invoke(app, ["solve", str(path), "--forced"]).stdout
    assert codecs.read_position(printed, puzzle) == Position(
        puzzle.lattice, frozenset(forced.on), frozenset(forced.off)
    )
    with pytest.raises(FormatError, match="have in common"):
        codecs.read_answer(printed, puzzle)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"on": [[0,0,0,1]], "off": [[0,1,0,0]]}', r"the edge \(0, 0, 0, 1\) is both on and off"),
        ('{"off": [[0,0,1,1]]}', r"`off\[0\]` is no edge of a lattice 3 wide, 3 high"),
        ('{"on": [], "outside": [[0,0],[2,0]]}', r"`outside\[1\]` is no face"),
        ('{"on": [], "edges": []}', "a position has `on`"),
        ("+ x +   +\n #+\n+   +   +\n\n+   +   +", r"face \(0, 0\) is both inside and outside"),
        ("·   ·   ·\n  ×\n·   ·   ·\n\n·   ·   ·", "line 2: column 3 is below no vertex"),
    ],
)
def test_positions_that_cannot_be(text: str, message: str) -> None:
    """One sentence with the place."""
    with pytest.raises(FormatError, match=message):
        codecs.read_position(text, CASTLE)


def test_json_of_an_answer_is_a_position_too() -> None:
    """`inside` alone is an answer's; beside `on`, `off` or `outside` it is a player's marks."""
    loop = Loop.around(CASTLE.lattice, [(0, 0)])
    assert codecs.read_position('{"inside": [[0,0]]}', CASTLE) == Position.of(loop)
    marked = codecs.read_position('{"inside": [[0,0]], "on": []}', CASTLE)
    assert marked == Position(CASTLE.lattice, inside=frozenset({(0, 0)}))
    assert codecs.read_answer('{"on": [[0,0,0,1]], "off": []}', CASTLE).edges == {Edge(0, 0, 0, 1)}


@every_genre
@given(st.data())
@settings(max_examples=10)
def test_a_position_goes_through_the_command_line(genre: str, data: st.DataObject) -> None:
    """From JSON to every format that can say it, and back again, the board beside it or not."""
    puzzle = data.draw(puzzles(genre))
    assume(len(puzzle.clues) < puzzle.rows * puzzle.cols)  # else nothing looks like a picture
    position = data.draw(positions(puzzle))
    board = codecs.write(puzzle, "json")
    text = codecs.write_position(puzzle, position, "json")
    for form in ("board", "pzprv3", "json"):
        result = CliRunner().invoke(app, ["convert", board, "-", "--to", form], input=text)
        try:
            said = codecs.write_position(puzzle, position, form)
        except FormatError:
            assert result.exit_code == 2
            continue
        assert (result.exit_code, result.output) == (0, f"{said}\n")
        back = CliRunner().invoke(app, ["convert", board, "-", "--to", "json"], input=said)
        assert back.output == f"{text}\n"
    assert (
        CliRunner().invoke(app, ["convert", board, "-", "--to", "url"], input=text).exit_code == 2
    )
    assert CliRunner().invoke(app, ["convert", "-", "-", "--to", "json"], input=text).exit_code == 2


def test_moves_take_frozensets() -> None:
    """A move checks what it is given."""
    with pytest.raises(PuzzleError, match="`blank` of a move must be a frozenset"):
        Move(blank={EDGE})  # type: ignore[arg-type]
