"""The command line: what it prints, its JSON, its exit codes, and what it says to bad input."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from boards import HERE
from samples import every_genre
from typer.testing import CliRunner, Result

from castlecp import codecs
from castlecp.cli import app

BOARDS = HERE / "boards" / "castle"
UNIQUE = str(BOARDS / "small-6x6.json")
AMBIGUOUS = str(BOARDS / "ambiguous-6x6.txt")
CONTRADICTION = str(BOARDS / "contradiction-6x6.txt")


def run(*args: str, stdin: str | None = None) -> Result:
    """A command's result, run inside this process."""
    return CliRunner().invoke(app, list(args), input=stdin)


def test_help_is_there() -> None:
    """Every command explains itself."""
    listed = run("--help").output
    assert "..." not in listed.replace("[ARGS]...", "")
    for command in ("solve", "count", "check", "convert", "draw", "loops"):
        assert command in listed
        assert run(command, "--help").exit_code == 0


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        (UNIQUE, 0, "exactly one solution, proved by "),
        (AMBIGUOUS, 1, "not unique: at least 2 solutions"),
        (CONTRADICTION, 1, "no solution"),
        ("castle/1/1/a", 1, "no loop at all"),
    ],
)
def test_solve(source: str, code: int, words: str) -> None:
    """The three settled verdicts."""
    result = run("solve", source)
    assert (result.exit_code, words in result.output) == (code, True)


def test_solve_json_of_a_unique_board() -> None:
    """One object with a stable shape; edges and faces are sorted."""
    result = run("solve", UNIQUE, "--json", "--forced")
    verdict = json.loads(result.output)
    assert list(verdict) == [
        "format",
        "status",
        "exact",
        "timed_out",
        "solutions",
        "differ",
        "forced",
        "conflict",
        "engine",
        "stats",
    ]
    assert (verdict["status"], verdict["exact"]) == ("unique", True)
    (solution,) = verdict["solutions"]
    assert solution["edges"] == sorted(solution["edges"])
    assert solution["inside"] == sorted(solution["inside"])
    assert verdict["forced"]["on"] == solution["edges"]
    assert verdict["forced"]["undecided"] == []
    assert len(verdict["forced"]["off"]) == 60 - len(solution["edges"])


def test_solve_json_of_an_ambiguous_board() -> None:
    """Two solutions, and the edges in which they differ."""
    verdict = json.loads(run("solve", AMBIGUOUS, "--json").output)
    first, second = (set(map(tuple, loop["edges"])) for loop in verdict["solutions"])
    assert verdict["status"] == "multiple"
    assert set(map(tuple, verdict["differ"])) == first ^ second != set()


def test_limit() -> None:
    """`--limit 3` finds that there are exactly two; a board without clues has three."""
    assert "not unique: exactly 2 solutions" in run("solve", AMBIGUOUS, "--limit", "3").output
    output = run("solve", "castle/4/4/p", "--limit", "3").output
    assert "solution 3" in output
    assert "at least 3 solutions" in output


def test_forced() -> None:
    """The picture of what is settled."""
    result = run("solve", AMBIGUOUS, "--forced")
    assert result.exit_code == 1
    assert "in every solution" in result.output


def test_conflict() -> None:
    """The clues at fault by row, column and what they say; the board is shown."""
    output = run("solve", CONTRADICTION).output
    assert "these 4 clues contradict each other, and none can be spared:" in output
    assert "row 6, column 2 (black, 3 up)" in output
    assert "[B3↑]" in output
    (clue,) = json.loads(run("solve", "castle/3/3/10.h", "--json").output)["conflict"]
    assert clue["clue"] == {"row": 0, "col": 0, "color": "white"}
    assert "border" in clue["reason"]


def test_inconclusive() -> None:
    """Out of steps: exit code 3 and what is known."""
    result = run("solve", UNIQUE, "--steps", "0")
    assert result.exit_code == 3
    assert "inconclusive" in result.output
    assert json.loads(run("solve", UNIQUE, "--steps", "0", "--json").output)["timed_out"] is True


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("castle/4/4/p",), 0, "213"),
        (("castle/4/4/p", "--limit", "9"), 0, "at least 9"),
        (("castle/4/4/p", "--steps", "0"), 3, "timed out: at least 0"),
        ((CONTRADICTION,), 0, "0"),
    ],
)
def test_count(args: tuple[str, ...], code: int, words: str) -> None:
    """Exact, at least, timed out: three different things."""
    result = run("count", *args)
    assert (result.exit_code, result.output.strip()) == (code, words)


def test_check(tmp_path: Path) -> None:
    """The answer of `solve`, as JSON and as its picture; then with an edge missing."""
    solved = run("solve", UNIQUE, "--json").output
    answer = tmp_path / "answer.json"
    answer.write_text(solved)
    assert run("check", UNIQUE, str(answer)).output == "correct\n"
    picture = run("solve", UNIQUE).output.split("\n\n", 1)[1]
    assert run("check", UNIQUE, "-", stdin=picture).exit_code == 0
    broken = {"edges": json.loads(solved)["solutions"][0]["edges"][1:]}
    result = run("check", UNIQUE, "-", "--json", stdin=json.dumps(broken))
    assert result.exit_code == 1
    judged = json.loads(result.output)
    assert judged["correct"] is False
    assert "dead-end" in [fault["name"] for fault in judged["faults"]]
    assert run("check", UNIQUE, "-", stdin=json.dumps(broken)).exit_code == 1


@every_genre
def test_boards_of_every_genre(genre: str, tmp_path: Path) -> None:
    """Solve, count, check, convert and draw, by a file and by what each command prints."""
    (board,) = (HERE / "boards" / genre).glob("small-*")
    answer = tmp_path / "answer.json"
    answer.write_text(run("solve", str(board), "--json").output)
    assert json.loads(answer.read_text())["status"] == "unique"
    assert run("count", str(board)).output == "1\n"
    assert run("check", str(board), str(answer)).output == "correct\n"
    picture = run("solve", str(board)).output.split("\n\n", 1)[1]
    assert run("check", str(board), "-", stdin=picture).output == "correct\n"
    text = board.read_text()
    for form in ("board", "url", "pzprv3", "json"):
        text = run("convert", "-", "--to", form, stdin=text).output
    assert codecs.read(text) == codecs.read_source(str(board))
    for target in (tmp_path / "a.svg", tmp_path / "a.png"):
        assert run("draw", str(board), str(answer), "-o", str(target)).exit_code == 0
        assert target.stat().st_size > 1000
    broken = {"edges": json.loads(answer.read_text())["solutions"][0]["edges"][1:]}
    result = run("check", str(board), "-", stdin=json.dumps(broken))
    assert result.exit_code == 1
    assert "dead-end: " in result.output


@pytest.mark.parametrize(
    ("board", "marks", "sentence"),
    [
        ("cave/3/2/3k", ["[3]"], "wrong-number: Row 1, column 1 (3): the clue sees 1 cell."),
        ("cave/3/2/1j.", ["[?]"], "clue-in-wall: Row 2, column 3 (?): the clue is in a wall."),
        ("slither/3/2/4h3h", ["[3]"], "wrong-number: Row 2, column 1 (3): the line has 1 of"),
        (
            "slither/f/3/2/4k",
            ["[·]"] * 8,
            "vertex-missed: The line does not pass the point in row 1, col",
        ),
    ],
)
def test_check_marks_cells(board: str, marks: list[str], sentence: str) -> None:
    """Faults about cells are marked in the picture, as those about vertices are."""
    result = run("check", board, '{"inside": [[0, 0]]}')
    assert result.exit_code == 1
    assert re.findall(r"\[.\]", result.output) == marks
    assert sentence in result.output
    (fault, *_) = json.loads(run("check", board, '{"inside": [[0, 0]]}', "--json").output)["faults"]
    assert len(fault["faces"]) + len(fault["vertices"]) == 1


def test_convert_there_and_back(tmp_path: Path) -> None:
    """All formats in a ring, the last as a file."""
    text = Path(UNIQUE).read_text()
    for form in ("board", "url", "pzprv3", "json"):
        text = run("convert", "-", "--to", form, stdin=text).output
    assert text == Path(UNIQUE).read_text()
    target = tmp_path / "board.json"
    assert run("convert", UNIQUE, "--to", "json", "-o", str(target)).exit_code == 0
    assert target.read_text() == text
    assert os.listdir(tmp_path) == ["board.json"]


def test_draw(tmp_path: Path) -> None:
    """To the terminal, SVG and PNG, with two answers."""
    answers = []
    for number, loop in enumerate(
        json.loads(run("solve", AMBIGUOUS, "--json").output)["solutions"]
    ):
        answers.append(str(tmp_path / f"{number}.json"))
        Path(answers[-1]).write_text(json.dumps(loop))
    assert "B2↓" in run("draw", AMBIGUOUS).output
    assert "only in the second" in run("draw", AMBIGUOUS, *answers).output
    for name, start in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("A.SVG", b"<?xml")):
        target = tmp_path / name
        assert run("draw", AMBIGUOUS, *answers, "-o", str(target)).exit_code == 0
        assert target.read_bytes().startswith(start)
    assert run("draw", AMBIGUOUS, "-o", str(tmp_path / "a.gif")).exit_code == 2
    assert run("draw", AMBIGUOUS, *answers, answers[0]).exit_code == 2


@pytest.mark.parametrize(
    "args",
    [
        ("solve", "no-such-file.json"),
        ("solve", str(HERE)),
        ("solve", "castle/4/4/!"),
        ("solve", "-"),
        ("solve", UNIQUE, "--engine", "magic"),
        ("solve", UNIQUE, "--limit", "1"),
        ("solve", UNIQUE, "--seconds", "-1"),
        *(
            (*command, option, value)
            for command, option in (
                (("solve", UNIQUE), "--seconds"),
                (("count", UNIQUE), "--seconds"),
                (("minimise", UNIQUE), "--seconds"),
                (("mend", UNIQUE), "--seconds"),
                (("certify", UNIQUE, "-o", "no/such/folder/x"), "--seconds"),
                (("crosscheck", "--seeds", "1"), "--density"),
            )
            for value in ("nan", "inf", "-1", "-inf")
        ),
        ("check", UNIQUE, "castle/4/4/p"),
        ("check", "-", "-"),
        ("hint", "-", "-"),
        ("draw", UNIQUE, "-", "-"),
        ("mend", "-", "--answer", "-"),
        ("convert", UNIQUE, "--to", "word"),
        ("convert", UNIQUE, "--to", "json", "-o", "no/such/folder/x.json"),
        ("solve",),
    ],
)
def test_bad_input(args: tuple[str, ...]) -> None:
    """Exit code 2, a sentence on standard error, nothing on standard output."""
    result = run(*args, stdin="")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert 1 <= len(result.stderr.strip().splitlines()) <= 4


def test_standard_input_is_read_once() -> None:
    """A board and an answer cannot both come from there."""
    said = run("check", "-", "-", stdin="castle/3/3/i").stderr
    assert said == "castlecp: standard input can be given only once\n"


def test_mend_says_how_many_clues_must_go() -> None:
    """A number of two digits, too: twelve clues outside in a row above a board without others."""
    row = [{"row": 0, "col": c, "color": "white"} for c in range(12)]
    draft = {"type": "castle", "rows": 6, "cols": 14, "clues": row}
    result = run("mend", "-", "--most", "1", stdin=json.dumps(draft))
    assert "no solution; without 12 of the clues there is one:" in result.output


def test_minimise_lists_what_it_turned_down() -> None:
    """Each clue that changed, before and after, and no other."""
    source = "castle/7/5/222244p220220231d231231231241211b240210211"
    before = codecs.read(source)
    for method in ("core", "smallest"):
        made = json.loads(run("minimise", source, "--method", method, "--json").stdout)
        after = codecs.read(json.dumps(made["puzzle"]))
        lines = run("minimise", source, "--method", method).stdout.splitlines()
        told = [line for line in lines if line.startswith("row ")]
        changed = [clue for clue in before.clues if clue not in after.clues]
        assert len(told) == len(changed) > 0
        gone = len(before.clues) - len(after.clues)
        assert sum(line.endswith("-> gone") for line in told) == gone
        for clue in changed:
            place = f"row {clue.row + 1}, column {clue.col + 1}: {clue.says()} -> "
            assert any(line.startswith(place) for line in told)


def test_minimise_report_of_one_board_only(tmp_path: Path) -> None:
    """A report writes nothing, and a bank is not reported on."""
    output = tmp_path / "x.jsonl"
    for source, words in ((UNIQUE, "--report changes nothing"), (str(BOARDS), "of one board")):
        result = run("minimise", source, "--report", "-o", str(output))
        assert (result.exit_code, result.stdout, words in result.stderr) == (2, "", True)
        assert not output.exists()
    assert "of one board" in run("minimise", str(BOARDS), "--report").stderr


def test_boards_of_a_bank_that_cannot_be_minimised(tmp_path: Path) -> None:
    """Each is named, and left as it is; the sums as JSON."""
    less, bank = tmp_path / "less.jsonl", tmp_path / "bank.jsonl"
    bank.write_text(f"castle/4/4/p\n{Path(UNIQUE).read_text()}")
    result = run("minimise", str(bank), "-o", str(less), "--jobs", "1", "--json")
    assert result.exit_code == 1
    told = "only a unique board can be minimised, this one: multiple"
    assert result.stderr == f"castlecp: warning: {bank}, line 1: {told}\n"
    sums = json.loads(result.stdout)
    assert (sums["boards"], sums["already"]) == (2, 0)
    assert [(size["rows"], size["boards"]) for size in sums["sizes"]] == [(4, 1), (6, 1)]
    again = run("minimise", str(bank), "-o", str(less), "--jobs", "1", "--json")
    assert again.exit_code == 1
    assert json.loads(again.stdout) == sums | {"already": 2}


@pytest.mark.parametrize(
    ("text", "is_bank"),
    [
        ("# two\ncastle/4/4/p\n\nhttps://puzz.link/p?castle/3/3/i\n", True),
        ('{"type": "castle"}\n{"type": "castle"}\n', True),
        ("castle/4/4/p\n# the end\n", False),
        ('{"type": "castle", "rows": 4, "cols": 4, "clues": []}\n', False),
        ('{\n"type": "castle", "rows": 4, "cols": 4, "clues": []\n}\n', False),
        ("castle\n. .\n. .", False),
        ("pzprv3/castle/2/2/. . /. . /", False),
    ],
)
def test_minimise_knows_a_bank(text: str, is_bank: bool, tmp_path: Path) -> None:
    """A text with a board a line is one, whatever its name."""
    file = tmp_path / "boards.txt"
    file.write_text(text)
    assert ("a bank is minimised" in run("minimise", str(file)).stderr) == is_bank


def test_what_is_no_number_is_named() -> None:
    """Seconds that are not a number would never be spent."""
    said = run("solve", UNIQUE, "--seconds", "nan").stderr.splitlines()[-1]
    assert said == "Error: Invalid value for '--seconds': nan is not a finite number."


def test_explain_is_not_half_done(tmp_path: Path) -> None:
    """Nothing is printed when the pictures cannot be written."""
    for options in ((), ("--json",), ("--step", "1")):
        result = run("explain", UNIQUE, "-o", str(tmp_path / "no" / "x.svg"), *options)
        assert (result.exit_code, result.stdout) == (2, "")
        result = run("explain", UNIQUE, "-o", str(tmp_path / "x.svg"), *options)
        assert (result.exit_code, result.stdout != "") == (0, True)


@pytest.mark.parametrize("command", ["certify", "minimise"])
def test_files_of_others_are_not_touched(command: str, tmp_path: Path) -> None:
    """An output that is the input, or is no such file, is refused and stays as it was."""
    bank, notes = tmp_path / "bank.txt", tmp_path / "notes.txt"
    bank.write_text("castle/3/3/d00.d\ncastle/3/3/d10.d")
    notes.write_text("no newline at the end")
    for output in (bank, notes):
        before = output.read_text()
        result = run(command, str(bank), "-o", str(output), "--jobs", "1")
        assert (result.exit_code, output.read_text()) == (2, before)


def test_backtracking_names_the_conflict() -> None:
    """What is forced, and which clues contradict each other, is found for it."""
    verdict = json.loads(run("solve", CONTRADICTION, "--engine", "backtrack", "--json").stdout)
    assert (verdict["status"], len(verdict["conflict"])) == ("none", 4)
    told = run("solve", AMBIGUOUS, "--engine", "backtrack", "--forced", "--json").stdout
    assert len(json.loads(told)["forced"]["undecided"]) == 8


def test_no_loop_comes_before_an_impossible_clue() -> None:
    """Where there is no loop at all, no clue is to blame."""
    assert json.loads(run("solve", "castle/4/1/c221", "--json").stdout)["conflict"] == []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("minimise", AMBIGUOUS), "this one: multiple"),
        (("minimise", CONTRADICTION), "this one: none"),
        (("minimise", AMBIGUOUS, "--report"), "this one: multiple"),
        (("hint", AMBIGUOUS), "this one has several"),
        (("hint", CONTRADICTION), "this one has none"),
        (("mend", "castle/4/1/d"), "no loop even without clues"),
        (("mend", AMBIGUOUS, "--answer", '{"inside": [[0, 0]]}'), "no solution of the board"),
    ],
)
def test_boards_that_are_not_unique(args: tuple[str, ...], words: str) -> None:
    """Exit code 1 as for `solve`: the input was read, and the answer is no."""
    result = run(*args)
    assert (result.exit_code, result.stdout, words in result.stderr) == (1, "", True)


def test_budgets_that_end_are_inconclusive() -> None:
    """Exit code 3 for every command that searches."""
    for command in ("solve", "count", "minimise", "mend"):
        source = AMBIGUOUS if command == "mend" else UNIQUE
        assert run(command, source, "--steps", "0").exit_code == 3, command


def test_warnings_go_to_standard_error() -> None:
    """A number without an arrow is legal and remarked on."""
    result = run("solve", "castle/3/3/d005d")
    assert result.exit_code == 0
    assert "has no arrow and says nothing" in result.stderr


#: A board without clues: it has more loops than anyone can list.
HARD = "castle/20/20/z" + "z" * 14 + "j"


@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_interrupt(engine: str) -> None:
    """Ctrl-C ends a long count cleanly: one line, no traceback."""
    command = ["count", HARD, "--limit", "100000000", "--engine", engine]
    process = subprocess.Popen(
        [sys.executable, "-m", "castlecp", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(4.0)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    # What is known by then is said.
    assert re.fullmatch(r"((timed out: )?at least [\d,]+\n)?", output)
    assert errors.strip().splitlines()[-1] == "castlecp: interrupted"
    assert "Traceback" not in errors
