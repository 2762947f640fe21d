"""Levels by hand: masks, level files, what is proved about them, and pruning."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import brute
import msgspec
import pytest
from boards import LEVELS
from hypothesis import given, settings
from hypothesis import strategies as st
from slithers import NAMES, lies, random_statement, saying, solutions
from strategies import lattices, loops, symmetries
from typer.testing import CliRunner, Result

from castlecp import codecs, genres, methods
from castlecp.author import levels, masks
from castlecp.author.levels import Level
from castlecp.author.prune import prune
from castlecp.author.verify import Report, verify
from castlecp.budget import Budget
from castlecp.checker import check
from castlecp.cli import app
from castlecp.errors import FormatError, Unfit
from castlecp.genres.slither import Slitherlink
from castlecp.grid import Lattice, Loop
from castlecp.solver import solve
from castlecp.verdict import Status

SHIPPED = sorted(LEVELS.iterdir())
#: The floor and the seed with which the shipped levels were pruned, by file.
MADE = {
    "bell-tower": (8, 3),
    "chalk-quarry": (8, 4),
    "copper-gully": (8, 2),
    "ferry-steps": (8, 5),
    "gannet-rock": (6, 1),
    "kiln-yard": (8, 2),
    "night-market": (8, 5),
    "orchard-wall": (8, 1),
    "pinwheel": (5, 3),
    "reed-basin": (8, 4),
    "snail-green": (8, 4),
    "two-lochs": (8, 3),
}


def run(*args: str, stdin: str | None = None) -> Result:
    """A command's result, run inside this process."""
    return CliRunner().invoke(app, list(args), input=stdin)


#: A level of 3 x 4 cells; without its statements it has more than one solution.
BARN: dict[str, Any] = {
    "name": "The barn",
    "type": "slither",
    "mask": ["##..", "####", ".##."],
    "clues": [".???", "...?", "x?.."],
    "places": {"the mill": [0, 0], "the inn": [0, 3], "the ford": [2, 0]},
    "statements": [
        {"says": "inside", "of": ["the mill"]},
        {"says": "same", "of": ["the mill", "the inn"]},
        {"says": "outside", "of": ["the ford"]},
    ],
    "false_statements": 1,
}


def written(**changes: Any) -> str:
    """The barn with some keys changed, or left out where None."""
    record = {key: value for key, value in (BARN | changes).items() if value is not None}
    return json.dumps(record)


# Masks.


@pytest.mark.parametrize("size", [(1, 1), (1, 4), (2, 3), (3, 3), (4, 3), (2, 5)])
def test_every_mask(size: tuple[int, int]) -> None:
    """Of all pictures of a size, those are taken whose boundary is one loop: every loop once."""
    rows, cols = size
    found = set()
    for signs in product("#.", repeat=rows * cols):
        mask = ["".join(signs[r * cols : (r + 1) * cols]) for r in range(rows)]
        inside = [divmod(k, cols) for k, sign in enumerate(signs) if sign == "#"]
        single = Loop.around(Lattice(rows + 1, cols + 1), inside).is_single()
        try:
            loop = masks.read(mask)
        except FormatError:
            assert not single
            continue
        assert single
        assert loop.inside == set(inside)
        assert masks.write(loop) == mask
        found.add(loop.edges)
    assert found == set(brute.loops(rows + 1, cols + 1))


@given(st.data())
def test_masks_there_and_back(data: st.DataObject) -> None:
    """A mask for every loop, turned and mirrored too."""
    loop = data.draw(loops(data.draw(lattices())))
    for one in (loop, loop.transformed(data.draw(symmetries))):
        assert masks.read(masks.write(one)) == one


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ([], "the picture is empty"),
        ([""], "the picture is empty"),
        (["##", "#"], "row 2 has 1 sign, row 1 has 2"),
        (["##", "#o"], "row 2, column 2 is 'o'; it must be # or ."),
        (["...", "..."], "no face is inside"),
        (["##.#", "##.#"], "the inside is in 2 pieces, one of them at row 1, column 4"),
        (["#....", "..###", "..#.#"], "the inside is in 2 pieces, one of them at row 1, column 1"),
        (["####", "#..#", "####"], "the inside has a hole at row 2, column 2"),
        (["##.", "..#"], "row 1, column 2 and row 2, column 3 touch only at a corner"),
        (["..#", ".#.", "##."], "row 1, column 3 and row 2, column 2 touch only at a corner"),
        (["####", "#.##", "##.#", "####"], "row 2, column 3 and row 3, column 2 touch only"),
    ],
)
def test_masks_that_are_no_loop(mask: list[str], message: str) -> None:
    """Each is refused with the place, alone and in a level with the key."""
    with pytest.raises(FormatError) as refused:
        masks.read(mask)
    assert str(refused.value).startswith(message)
    with pytest.raises(FormatError) as refused:
        levels.read(written(mask=mask), "a.json")
    assert str(refused.value).startswith(f"a.json, level 1 ('The barn'): `mask`: {message}")


# Level files.


def test_a_level() -> None:
    """The clues that are shown say what is true of the loop, and the rest is as written."""
    (level,) = levels.read(written())
    assert level.name == "The barn"
    assert masks.write(level.loop) == BARN["mask"]
    cells = {(clue.row, clue.col): clue.number for clue in level.puzzle.clues}
    assert cells == {(0, 1): 2, (0, 2): 2, (0, 3): 1, (1, 3): 3, (2, 0): 2, (2, 1): 2}
    assert level.puzzle.places == {"the mill": (0, 0), "the inn": (0, 3), "the ford": (2, 0)}
    assert level.puzzle.false_statements == 1
    (every,) = levels.read(written(clues=None))
    assert len(every.puzzle.clues) == 12
    (none,) = levels.read(written(clues=["....", "....", "...."]))
    assert none.puzzle.clues == ()
    (flagged,) = levels.read(written(visits_all=True, about="A story.", type="slitherlink"))
    assert flagged.puzzle.visits_all


def test_forms_of_a_file(tmp_path: Path) -> None:
    """One object, an array, one a line, a folder, standard input; pretty or not."""
    one, two = written(), written(name="The other barn")
    single, pair = levels.read(one), levels.read(f"[{one}, {two}]")
    assert [level.name for level in pair] == ["The barn", "The other barn"]
    assert levels.read(json.dumps(BARN, indent=3)) == levels.read(f"[{one}]") == single
    assert levels.read(f"{one}\n\n{two}\n") == pair
    assert levels.read(levels.write(pair)) == pair
    assert levels.read(levels.write(single)) == single
    (tmp_path / "b.json").write_text(two)
    (tmp_path / "a.json").write_text("\ufeff" + one)
    (tmp_path / ".hidden").write_text("no level")
    (tmp_path / "folder").mkdir()
    assert levels.load(str(tmp_path)) == pair
    assert levels.load(str(tmp_path / "a.json")) == single
    assert run("author", "verify", "-", stdin=f"{one}\n{two}").exit_code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.json: not JSON"),
        ("[]", "a.json: there is no level"),
        ("{", "a.json: not JSON"),
        ("[3]", "a.json, level 1: it must be an object"),
        ("{}", "a.json, level 1: the key `name` is missing"),
        ('[{"name": "a", "name": "b"}]', "a.json: the key 'name' stands twice in `[0]`"),
        (f"{written()}\n{{", "a.json: line 2: not JSON: it ends too early"),
        (f"[{written()}, {{}}]", "a.json, level 2: the key `name` is missing"),
        (written(name=3), "a.json, level 1: `name` must be a string"),
        (written(type=None), "a.json, level 1 ('The barn'): the key `type` is missing"),
        (written(type="sudoku"), "a.json, level 1 ('The barn'): `type`: unknown genre 'sudoku'"),
        (written(mask=None), "a.json, level 1 ('The barn'): the key `mask` is missing"),
        (written(mask="##"), "a.json, level 1 ('The barn'): `mask` must be an array"),
        (written(mask=[1]), "a.json, level 1 ('The barn'): `mask[0]` must be a string"),
        (written(rows=3), "a.json, level 1 ('The barn'): unknown key 'rows': the mask says how"),
        (written(story=1), "a.json, level 1 ('The barn'): unknown key 'story'"),
        (written(clues=["?"]), "a.json, level 1 ('The barn'): `clues`: it must be 3 rows of 4"),
        (
            written(clues=["....", "..3.", "...."]),
            "a.json, level 1 ('The barn'): `clues`: row 2, column 3 is '3'; it must be ? or x or .",
        ),
        (written(places={"x": [3, 0]}), "a.json, level 1 ('The barn'): `places`: 'x' is off the"),
        (written(false_statements=4), "a.json, level 1 ('The barn'): `false_statements` must be"),
        (
            written(statements=[{"says": "inside", "of": ["the pub"]}]),
            "a.json, level 1 ('The barn'): `statements[0].of` names 'the pub', which",
        ),
        (
            written(statements=[{"says": "inside", "of": "the inn"}]),
            "a.json, level 1 ('The barn'): `statements[0].of` must be an array",
        ),
        (written(mask=["#" * 1001], clues=None), "a.json, level 1 ('The barn'): `cols` is 1001"),
    ],
)
def test_levels_that_cannot_be_read(text: str, message: str, tmp_path: Path) -> None:
    """One sentence names file, level and key, and the exit code is 2 when nothing can be read."""
    with pytest.raises(FormatError) as refused:
        levels.read(text, "a.json")
    assert str(refused.value).startswith(message)
    file = tmp_path / "a.json"
    file.write_text(text)
    others = sum(isinstance(entry, Level) for entry in levels.entries(str(file)))
    for command in ("verify", "prune", "boards"):
        result = run("author", command, str(file))
        if command == "verify" and others:
            assert result.exit_code == 1
            assert result.stdout.splitlines()[-1] == "2 levels: 1 ok, 1 unreadable"
        else:
            assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"castlecp: {tmp_path}/{message}")
        assert len(result.stderr.splitlines()) == 1


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Missing, empty, no text."""
    (tmp_path / "bad").write_bytes(b"\xff")
    for source in (tmp_path / "missing", tmp_path / "bad", "a\0b"):
        result = run("author", "verify", str(source))
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    (tmp_path / "bad").unlink()
    assert "there is no level" in run("author", "verify", str(tmp_path)).stderr


def test_one_unreadable_level_ends_no_folder(tmp_path: Path) -> None:
    """The others are proved, whatever is wrong with it and wherever it stands."""
    (tmp_path / "a.json").write_bytes(b"\xff")
    (tmp_path / "b.json").write_text(f"{written(name='one')}\n{{\n{written(name='two')}")
    (tmp_path / "c.json").write_text(f"[{written(mask=['##', '#'])}, {written(name='three')}]")
    (tmp_path / "d.json").write_text("no level")
    (tmp_path / "e.json").write_text(written(name="four"))
    result = run("author", "verify", str(tmp_path))
    named = [
        "a.json: not UTF-8 text",
        "b.json: line 2: not JSON: it ends too early",
        "c.json, level 1 ('The barn'): `mask`: row 2 has 1 sign, row 1 has 2",
        "d.json: not JSON: ",
    ]
    told = result.stderr.splitlines()
    assert len(told) == len(named)
    for sentence, wanted in zip(told, named, strict=True):
        assert sentence.startswith(f"castlecp: {tmp_path}/{wanted}")
    lines = result.stdout.splitlines()
    names = [line.split()[1] for line in lines if line.startswith("ok ")]
    assert names == ["one", "two", "three", "four"]
    assert lines[-1] == "8 levels: 4 ok, 4 unreadable"
    assert result.exit_code == 1
    report = json.loads(run("author", "verify", str(tmp_path), "--json").stdout)
    assert [f"castlecp: {sentence}" for sentence in report["unreadable"]] == told
    assert report["verdicts"] == {"ok": 4}
    for file in ("b.json", "c.json", "e.json"):
        (tmp_path / file).unlink()
    nothing = run("author", "verify", str(tmp_path))
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    assert nothing.stderr.splitlines() == [told[0], told[3]]


def test_no_clue_can_stand_there() -> None:
    """A genre in which a clue lies inside refuses one that is shown outside."""
    record = {"name": "a", "type": "cave", "mask": ["##.", ".#."], "clues": ["?.?", "..."]}
    with pytest.raises(FormatError, match="`clues`: no clue can stand at row 1, column 3"):
        levels.level(record)
    assert len(levels.level(record | {"clues": ["?..", "..."]}).puzzle.clues) == 1
    assert len(levels.level({k: v for k, v in record.items() if k != "clues"}).puzzle.clues) == 3


# What is proved.


def level_of(loop: Loop, statements: tuple[Any, ...], places: dict[str, Any], shown: set) -> Level:
    """A level of a loop with true clues in the cells shown, and the right number of lies."""
    rows, cols = loop.lattice.rows - 1, loop.lattice.cols - 1
    bare = Slitherlink(rows, cols, places=places, statements=statements)
    record = {
        "name": "drawn",
        "mask": masks.write(loop),
        "clues": ["".join("?."[(r, c) not in shown] for c in range(cols)) for r in range(rows)],
        **msgspec.to_builtins(saying(bare, len(lies(bare, loop.edges)))),
    }
    for key in ("rows", "cols"):
        del record[key]
    return levels.level(record)


@settings(max_examples=60)
@given(st.data())
def test_random_levels(data: st.DataObject) -> None:
    """Everything a report says, against the list of all loops of the lattice."""
    lattice = data.draw(
        st.sampled_from([Lattice(*size) for size in ((3, 4), (4, 5), (5, 3), (4, 4))])
    )
    random = data.draw(st.randoms(use_true_random=False))
    loop = Loop(lattice, random.choice(brute.loops(lattice.rows, lattice.cols)))
    faces = list(lattice.faces())
    places = dict(zip(NAMES, random.sample(faces, 4), strict=True))
    statements = tuple(random_statement(random, NAMES) for _ in range(random.randrange(5)))
    shown = {face for face in faces if random.random() < 0.7}
    level = level_of(loop, statements, places, shown)
    assert check(level.puzzle, loop) == []
    report = verify(level)
    known = solutions(level.puzzle)
    assert loop.edges in known
    assert (report.status is Status.UNIQUE) == (len(known) == 1)
    assert (report.other is None) == (len(known) == 1)
    if report.status is not Status.UNIQUE:
        assert report.verdict == "failed"
        assert report.other is not None
        assert report.other.edges in known - {loop.edges}
        return
    bare = level.puzzle.without("statements")
    idle = len(solutions(bare)) == 1
    assert report.idle == (("statements",) if idle and statements else ())
    assert report.verdict == ("failed" if report.idle else "ok")
    for number in range(len(statements) if len(statements) > 1 else 0):
        rest = msgspec.structs.replace(
            bare, statements=statements[:number] + statements[number + 1 :]
        )
        alone = len(solutions(saying(rest, len(lies(rest, loop.edges))))) == 1
        words = f"statement {number + 1}. {statements[number].sentence()}"
        assert (words in report.spare) == alone


@settings(max_examples=20)
@given(st.data())
def test_turned_levels(data: st.DataObject) -> None:
    """A turned or mirrored level is judged alike."""
    (level,) = levels.read(written())
    symmetry = data.draw(symmetries)
    turned = level.puzzle.transformed(symmetry)
    loop = level.loop.transformed(symmetry)
    shown = {(clue.row, clue.col) for clue in turned.clues}
    again = level_of(loop, turned.statements, turned.places, shown)
    assert again.puzzle == turned
    one, two = verify(level), verify(again)
    assert (one.verdict, one.idle, one.spare) == (two.verdict, two.idle, two.spare)


def report_on(**changes: Any) -> Report:
    """The report on the barn, changed."""
    (level,) = levels.read(written(**changes))
    return verify(level)


def test_a_level_that_is_right() -> None:
    """It passes; a statement that can go is a remark."""
    report = report_on()
    assert (report.verdict, list(report.failures())) == ("ok", [])
    assert report.seconds > 0
    remarks = list(report.remarks())
    assert "can go, the board keeps its one solution: statement 1. the mill is inside" in remarks
    assert not any("ford" in remark for remark in remarks)


def test_statements_that_do_nothing() -> None:
    """With every number there, none of the statements is needed: the level fails."""
    report = report_on(clues=None)
    assert (report.verdict, report.idle) == ("failed", ("statements",))
    (sentence,) = report.failures()
    assert "does nothing" in sentence
    assert "exactly 1 of 3 statements is false" in sentence
    assert len(report.spare) == 3


def test_one_statement_is_all_of_them() -> None:
    """A single statement that does nothing is no piece of anything besides."""
    one = [{"says": "inside", "of": ["the mill"]}]
    report = report_on(clues=None, statements=one, false_statements=0)
    assert (report.idle, report.spare) == (("statements",), ())


def test_a_flag_that_does_nothing() -> None:
    """The flag is a demand like the statements."""
    comb = ["#####", "#.#.#"]
    report = report_on(
        mask=comb, clues=None, places={}, statements=[], false_statements=0, visits_all=True
    )
    assert (report.status, report.idle) == (Status.UNIQUE, ("visits_all",))
    report = report_on(false_statements=0, statements=[], visits_all=True)
    assert any("does not pass" in sentence for sentence in report.failures())


def test_the_number_of_false_statements_is_wrong() -> None:
    """The rule that the mask breaks is named, whatever else is true of the board."""
    for clues, status in ((None, Status.NONE), (BARN["clues"], Status.UNIQUE)):
        for false in (0, 2, 3):
            report = report_on(clues=clues, false_statements=false)
            assert report.verdict == "failed"
            broken = [fault.name for fault in report.faults]
            assert broken == ["false-statements"]
            if status is Status.NONE:
                assert report.status is Status.NONE
                assert "there is no solution" in report.failures()


def test_the_only_solution_is_another() -> None:
    """A wrong number of lies can leave one solution, which is not the mask."""
    found = []
    for false in range(4):
        (level,) = levels.read(written(false_statements=false))
        known = solutions(level.puzzle)
        report = verify(level)
        if len(known) == 1 and known != {level.loop.edges}:
            assert report.other is not None
            assert report.other.edges in known
            found += [s for s in report.failures() if "the only solution is not the mask" in s]
    assert found


def test_several_solutions() -> None:
    """A place where another solution differs is named."""
    report = report_on(clues=["....", "....", "...."])
    (sentence,) = report.failures()
    assert report.status is Status.MULTIPLE
    assert report.other is not None
    row, col = min(report.level.loop.inside ^ report.other.inside)
    side = "inside" if (row, col) in report.other.inside else "outside"
    assert f"in another one row {row + 1}, column {col + 1} is {side}" in sentence


def test_a_budget_that_ends() -> None:
    """Nothing is said to be unique, or idle, that was not proved."""
    (level,) = levels.read(written())
    report = verify(level, Budget(seconds=0))
    assert (report.verdict, report.status, report.idle) == ("inconclusive", Status.INCONCLUSIVE, ())


def test_author_verify(tmp_path: Path) -> None:
    """A line a level, what is wrong below it, and exit codes 0, 1 and 3."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(written())
    bad.write_text(f"[{written()}, {written(name='Idle', clues=None)}]")
    result = run("author", "verify", str(good))
    assert result.exit_code == 0
    first, *remarks, last = result.stdout.splitlines()
    assert first.startswith("ok            The barn  3 x 4  6 clues  exactly 1 of 3 statements is")
    assert all(line.startswith("  remark: can go") for line in remarks)
    assert last == "1 level: 1 ok"
    result = run("author", "verify", str(bad))
    assert result.exit_code == 1
    assert "failed        Idle      3 x 4  12 clues" in result.stdout
    assert "  does nothing, the board has one solution without it: exactly 1 of" in result.stdout
    assert result.stdout.endswith("2 levels: 1 ok, 1 failed\n")
    result = run("author", "verify", str(good), "--seconds", "0")
    assert (result.exit_code, "1 inconclusive" in result.stdout) == (3, True)
    judged = json.loads(run("author", "verify", str(bad), "--json").stdout)
    assert judged["verdicts"] == {"ok": 1, "failed": 1}
    one, two = judged["levels"]
    assert (one["name"], one["verdict"], one["status"], one["clues"]) == (
        "The barn",
        "ok",
        "unique",
        6,
    )
    assert one["findings"] == {"false_statements": [1]}
    assert (one["idle"], two["idle"]) == ([], ["statements"])
    assert run("author", "verify", str(bad), "--json").exit_code == 1


def test_author_boards() -> None:
    """The boards are those of the levels, for every other command."""
    result = run("author", "boards", "-", stdin=f"{written()}\n{written(clues=None)}")
    first, second = map(codecs.read, result.stdout.splitlines())
    assert [len(puzzle.clues) for puzzle in (first, second)] == [6, 12]
    assert run("solve", codecs.write(first, "json")).exit_code == 0


# Pruning.


@pytest.mark.parametrize("seed", range(6))
def test_pruned(seed: int) -> None:
    """One solution is left; nothing more can go, or the floor is reached."""
    (level,) = levels.read(written(clues=None))
    made = prune(level, floor=0, seed=seed)
    assert solutions(made.puzzle) == {level.loop.edges}
    assert set(made.puzzle.clues) <= set(level.puzzle.clues)
    for clue in made.puzzle.clues:
        rest = tuple(x for x in made.puzzle.clues if x != clue)
        assert len(solutions(msgspec.structs.replace(made.puzzle, clues=rest))) > 1
    assert prune(level, floor=0, seed=seed) == made
    held = prune(level, floor=9, seed=seed)
    assert len(held.puzzle.clues) == 9
    assert set(made.puzzle.clues) < set(held.puzzle.clues)
    assert levels.read(levels.write([made])) == [made]


def test_seeds_differ() -> None:
    """Another seed takes the clues in another order."""
    (level,) = levels.read(written(clues=None))
    assert len({prune(level, 0, seed).puzzle.clues for seed in range(6)}) > 1


def test_what_cannot_be_pruned() -> None:
    """A level must have one solution, that of its mask."""
    for changes in ({"clues": ["....", "....", "...."]}, {"false_statements": 2}):
        (level,) = levels.read(written(**changes))
        with pytest.raises(Unfit):
            prune(level)
        assert run("author", "prune", "-", stdin=written(**changes)).exit_code == 1


def test_author_prune(tmp_path: Path) -> None:
    """The level is printed with its picture, the numbers go to standard error."""
    file, out = tmp_path / "a.json", tmp_path / "b.json"
    file.write_text(written(clues=None))
    result = run("author", "prune", str(file), "--floor", "8", "--seed", "3")
    assert result.stderr == "The barn: 4 of 12 clues dropped, 8 left\n"
    (made,) = levels.read(result.stdout)
    assert sum(row.count("?") for row in made.record["clues"]) == len(made.puzzle.clues) == 8
    assert list(made.record)[2:4] == ["mask", "clues"]
    again = run("author", "prune", str(file), "--floor", "8", "--seed", "3", "-o", str(out))
    assert again.stdout == result.stderr
    assert out.read_text() == result.stdout
    kept = run("author", "prune", str(out), "--floor", "20")
    assert kept.stdout == result.stdout
    two = run("author", "prune", "-", stdin=f"[{written()}, {written()}]")
    assert len(levels.read(two.stdout)) == 2


@pytest.mark.parametrize("kind", genres.names())
@pytest.mark.parametrize("seed", range(3))
def test_every_genre(kind: str, seed: int) -> None:
    """A mask is enough of a level in any genre: its clues are true, it is proved and pruned."""
    random = Random(f"{kind} {seed}")
    loop = Loop(Lattice(4, 5), random.choice(brute.loops(4, 5)))
    level = levels.level({"name": "a", "type": kind, "mask": masks.write(loop)})
    assert level.puzzle.lattice == loop.lattice
    assert check(level.puzzle, loop) == []
    report = verify(level)
    assert report.status is solve(level.puzzle).status
    assert (report.verdict == "ok") == (report.status is Status.UNIQUE)
    if report.status is Status.UNIQUE:
        made = prune(level, floor=3, seed=seed)
        assert verify(made).verdict == "ok"
        assert levels.read(levels.write([made])) == [made]
        assert prune(made, floor=3, seed=seed) == made


# The levels that we ship.


def test_there_are_twelve() -> None:
    """Sizes from 5 x 5 to 10 x 10, some not square, and different numbers of lies."""
    made = [level for file in SHIPPED for level in levels.load(str(file))]
    assert len(made) == len({level.name for level in made}) == 12
    sizes = {(level.puzzle.rows, level.puzzle.cols) for level in made}
    assert {(5, 5), (10, 10)} <= sizes
    assert all(5 <= side <= 10 for size in sizes for side in size)
    assert sum(rows != cols for rows, cols in sizes) >= 4
    assert {level.puzzle.false_statements for level in made} >= {0, 1, 2, 3, 4}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped(path: Path) -> None:
    """It passes without a remark: each single statement matters; every method agrees."""
    (level,) = levels.load(str(path))
    report = verify(level)
    assert (report.verdict, list(report.failures()), list(report.remarks())) == ("ok", [], [])
    for name in methods.names():
        assert methods.solve(level.puzzle, name).loops == (level.loop,)
        bare = level.puzzle.without("statements")
        assert methods.solve(bare, name).status is Status.MULTIPLE
    for less, board in level.puzzle.lessened(level.loop):
        assert solve(board).status is Status.MULTIPLE, less


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_levels_are_pruned(path: Path) -> None:
    """Its clues are those that `author prune` leaves of all, so they can be made again."""
    (level,) = levels.load(str(path))
    record = {key: value for key, value in level.record.items() if key != "clues"}
    floor, seed = MADE[path.stem]
    made = prune(levels.level(record), floor, seed)
    assert made == level
    assert path.read_text() == levels.write([made])


def test_who_lies_is_named(tmp_path: Path) -> None:
    """A mask of which another number of statements is false: which ones, and why that is wrong."""
    record = {
        "name": "The barn",
        "type": "slither",
        "mask": ["##..", "####", ".##."],
        "places": {"the mill": [0, 0], "the inn": [0, 3]},
        "statements": [
            {"says": "inside", "of": ["the mill"]},
            {"says": "same", "of": ["the mill", "the inn"]},
        ],
    }
    report = verify(levels.level(record))
    assert list(report.failures())[:2] == [
        "the loop of the mask breaks a rule: "
        "The number of false statements is 1, where the board says 0",
        "false: 2. the mill and the inn are on the same side",
    ]
