"""Playing by pointer, touch and keys: what is drawn is what was meant, and it stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from paper import Paper
from playwright.sync_api import Page

import castlecp
from castlecp import genres

BOARD = "/p?castle/6/6/20.d222b20.m011c20.d212b20.a"
PUZZLE = castlecp.read(BOARD.removeprefix("/p?"))


def answer(address: str) -> list[tuple[int, int, int, int]]:
    """The edges of a board's answer."""
    (loop,) = castlecp.solve(castlecp.read(address)).loops
    return sorted(tuple(edge) for edge in loop.edges)


def example(genre: str) -> str:
    """The address of a small board of a genre."""
    from castlecp.generate.board import make
    from castlecp.generate.settings import Settings

    puzzle = make(Settings(genre=genre, rows=5, cols=6, difficulty="easy"), 3).puzzle
    return castlecp.write(puzzle, "url").rpartition("?")[2]


def test_tap_cycles_an_edge(paper: Callable[..., Paper]) -> None:
    """On, crossed out, blank; the right button crosses out at once."""
    board = paper(BOARD)
    edge = (0, 0, 0, 1)
    for strokes, states in enumerate(({"1"}, {"2"}, set()), 1):
        board.click(edge)
        board.wait_kept(strokes)
        assert {str(state) for state in board.drawn()["edges"].values()} == states
    board.click(edge, button="right")
    board.wait_kept(4)
    assert list(board.drawn()["edges"].values()) == [2]


def test_a_fast_drag_leaves_no_gap(paper: Callable[..., Paper]) -> None:
    board = paper(BOARD)
    board.drag((0, 0), (0, 5), (5, 5), steps=1)
    board.wait_kept(1)
    assert list(board.drawn()["edges"].values()) == [1] * 10
    board.drag((5, 0), (5, 3), button="right")
    board.wait_kept(2)
    assert sorted(board.drawn()["edges"].values()) == [1] * 10 + [2] * 3


def test_long_press_crosses_out(paper: Callable[..., Paper]) -> None:
    board = paper(BOARD)
    board.page.mouse.move(*board.middle((2, 2, 2, 3)))
    board.page.mouse.down()
    board.page.wait_for_timeout(600)
    board.page.mouse.up()
    board.wait_kept(1)
    assert list(board.drawn()["edges"].values()) == [2]


def test_tap_by_finger_and_pinch(paper: Callable[..., Paper]) -> None:
    """A finger draws, two come nearer and draw nothing."""
    board = paper(BOARD, size=(390, 844), has_touch=True, is_mobile=True)
    page = board.page
    page.touchscreen.tap(*board.middle((0, 0, 0, 1)))
    board.wait_kept(1)
    assert list(board.drawn()["edges"].values()) == [1]
    before = page.get_attribute(".stage svg.board", "viewBox")
    session = page.context.new_cdp_session(page)
    x, y = board.at(2, 2)

    def touch(kind: str, gap: float) -> None:
        points = [{"x": x - gap, "y": y, "id": 1}, {"x": x + gap, "y": y, "id": 2}]
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [] if kind == "touchEnd" else points},
        )

    touch("touchStart", 20)
    for gap in (30, 45, 60, 80):
        touch("touchMove", gap)
    touch("touchEnd", 80)
    page.wait_for_function(
        "(before) => document.querySelector('.stage svg.board').getAttribute('viewBox') !== before",
        arg=before,
    )
    page.wait_for_timeout(400)
    assert board.kept["game"]["at"] == 1


def test_the_wheel_zooms_and_draws_nothing(paper: Callable[..., Paper]) -> None:
    board = paper(BOARD)
    board.click((0, 0, 0, 1))
    board.wait_kept(1)
    before = board.page.get_attribute(".stage svg.board", "viewBox")
    board.page.mouse.move(*board.at(2, 2))
    board.page.mouse.wheel(0, -300)
    board.page.wait_for_function(
        "(before) => document.querySelector('.stage svg.board').getAttribute('viewBox') !== before",
        arg=before,
    )
    board.page.wait_for_timeout(400)
    assert board.kept["game"]["at"] == 1


def test_every_action_by_key(paper: Callable[..., Paper]) -> None:
    """One Tab stop; a cursor on edges and faces; undo and redo."""
    board = paper(BOARD)
    page = board.page
    page.focus(".stage")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    board.wait_kept(3)
    assert list(board.drawn()["edges"].values()) == [1, 1, 1]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("x")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("s")
    board.wait_kept(5)
    assert sorted(board.drawn()["edges"].values()) == [1, 1, 1, 2]
    assert list(board.drawn()["faces"].values()) == [2]
    page.keyboard.press("Control+z")
    page.keyboard.press("u")
    board.wait_kept(3)
    page.keyboard.press("Control+y")
    board.wait_kept(4)
    assert page.inner_text(".unseen")


def test_undo_over_reload(paper: Callable[..., Paper]) -> None:
    board = paper(BOARD)
    for edge in ((0, 0, 0, 1), (0, 1, 0, 2), (0, 2, 0, 3)):
        board.click(edge)
    board.wait_kept(3)
    board.page.reload()
    board.page.wait_for_selector(".stage svg.board")
    for strokes in (2, 1, 0):
        board.page.click("button[aria-label='Undo'], button:has-text('Undo')")
        board.wait_kept(strokes)
    assert board.drawn()["edges"] == {}
    board.page.reload()
    board.page.wait_for_selector(".stage svg.board")
    board.page.click("button[aria-label='Redo'], button:has-text('Redo')")
    board.wait_kept(1)


def test_random_strokes_reload_at_any_point(paper: Callable[..., Paper]) -> None:
    """Reloaded at any point the same is drawn; all of it undone is the start."""
    random, board = Random(5), paper(BOARD)
    lattice = PUZZLE.lattice
    strokes = 0
    for _ in range(24):
        edge = tuple(random.choice(lattice.edges))
        if random.random() < 0.2 and strokes:
            board.page.keyboard.press("u")
            strokes -= 1
        else:
            board.click(edge, button=random.choice(["left", "right"]))
            board.page.focus(".stage")
            strokes += 1
        board.wait_kept(strokes)
        if random.random() < 0.25:
            before = board.drawn()
            board.page.reload()
            board.page.wait_for_selector(".stage svg.board")
            board.page.focus(".stage")
            board.page.wait_for_timeout(50)
            assert board.drawn() == before
    for _ in range(strokes):
        board.page.keyboard.press("u")
    board.wait_kept(0)
    assert board.drawn() == {"edges": {}, "faces": {}, "ticks": {}}


def test_suppose_and_take_back(paper: Callable[..., Paper]) -> None:
    """Nested; what was assumed is said; taking back is one stroke that can be undone."""
    board = paper(BOARD)
    page = board.page
    board.click((0, 0, 0, 1))
    page.focus(".stage")
    page.keyboard.press("p")
    board.click((0, 1, 0, 2))
    page.wait_for_selector(".supposing:not([hidden])")
    assert page.inner_text(".supposing p")
    page.keyboard.press("p")
    board.click((0, 2, 0, 3))
    board.click((0, 3, 0, 4))
    assert len(board.wait_kept(6)["game"]["log"]) == 6
    back = page.locator(".supposing button").nth(1)
    back.click()
    board.wait_kept(7)
    assert len(board.drawn()["edges"]) == 2
    back.click()
    board.wait_kept(8)
    assert len(board.drawn()["edges"]) == 1
    page.keyboard.press("u")
    page.keyboard.press("u")
    board.wait_kept(6)
    assert len(board.drawn()["edges"]) == 4


def test_rule_breaks_are_shown_at_once(paper: Callable[..., Paper]) -> None:
    board = paper(BOARD)
    board.drag((0, 0), (0, 1), (1, 1), (1, 0), (0, 0))
    board.drag((3, 3), (3, 4))
    board.page.wait_for_selector(".marks *")


@pytest.mark.parametrize("genre", genres.names())
def test_a_win_in_every_genre(paper: Callable[..., Paper], genre: str) -> None:
    """Drawn in one go it is won by the rules, at once, whatever is marked besides."""
    address = example(genre)
    board = paper(f"/p?{address}")
    page = board.page
    page.click("button:has-text('Line')")
    way = board.along(answer(address))
    board.drag(*way, steps=3)
    page.wait_for_selector(".say button.first")
    kept = board.wait_kept(1)
    assert kept["progress"]["solved"]
    assert kept["progress"]["best"] >= 1
    # It is still won when it is opened again, and no more when a piece is taken away.
    page.reload()
    page.wait_for_selector(".stage svg.board")
    board.click(tuple(answer(address)[0]))
    board.wait_kept(2)
    assert kept["progress"]["solved"]


def test_hints_in_three_degrees(paper: Callable[..., Paper]) -> None:
    """Where to look, why, do it; then the next one. A mistake comes first."""
    board = paper(BOARD)
    page = board.page
    page.focus(".stage")
    page.keyboard.press("h")
    page.wait_for_function("() => document.querySelector('.say').innerText.length > 5")
    where = board.said()
    page.keyboard.press("h")
    page.wait_for_function("(was) => document.querySelector('.say').innerText !== was", arg=where)
    why = board.said()
    page.keyboard.press("h")
    board.wait_kept(1)
    assert len(why) > 20
    assert board.kept["progress"]["hints"] == 1
    wrong = next(
        tuple(edge)
        for edge in PUZZLE.lattice.edges
        if tuple(edge) not in answer(BOARD.removeprefix("/p?"))
    )
    strokes = board.kept["game"]["at"]
    board.click(wrong)
    board.wait_kept(strokes + 1)
    page.keyboard.press("h")
    page.wait_for_selector(".say button")
    page.locator(".say button").first.click()
    board.wait_kept(strokes)


def test_hints_lead_to_the_win(paper: Callable[..., Paper]) -> None:
    """Never dead, never the same twice while nothing changed."""
    board = paper(f"/p?{example('slither')}")
    page = board.page
    page.focus(".stage")
    seen = []
    for _ in range(400):
        if page.query_selector(".say button.first"):
            break
        before = board.page.evaluate("() => document.querySelector('.say').innerText")
        page.keyboard.press("h")
        page.wait_for_function(
            "(was) => document.querySelector('.say').innerText !== was", arg=before
        )
        seen.append(board.said())
    assert page.query_selector(".say button.first")


def test_a_level_is_revealed_and_accused(paper: Callable[..., Paper], site: Any) -> None:
    """The loop closed, one accusation, kept; testimonies one at a time."""
    name = next(
        name
        for name in site.http.get("/levels").json()["levels"]
        if site.http.get(f"/levels/{name}").json().get("false_statements")
    )
    board = paper(f"/b/level/{name}")
    page = board.page
    page.wait_for_selector(".story li")
    page.evaluate("() => document.querySelector('.stage').focus()")
    board.click((0, 0, 0, 1))
    board.wait_kept(1)
    page.keyboard.press("u")
    board.wait_kept(0)
    puzzle = castlecp.read(json.dumps(board.kept["puzzle"]))
    (loop,) = castlecp.solve(puzzle).loops
    board.drag(*board.along(sorted(tuple(edge) for edge in loop.edges)), steps=3)
    page.wait_for_selector(".say button.first")
    accuse = page.locator(".story .row button")
    assert accuse.count() == len(puzzle.statements)
    (lie, *_) = puzzle.findings(loop)["false_statements"]
    accuse.nth(lie).click()
    page.wait_for_selector(".story strong")
    board.page.wait_for_function("() => !document.querySelector('.story .row button')")
    assert board.kept["progress"]["accused"]
    for shown in range(1, len(puzzle.statements) + 1):
        page.locator(".story > button").click()
        page.wait_for_function(
            "(n) => document.querySelectorAll('.story .verdict').length === n", arg=shown
        )
    assert page.locator(".story li.false").count() == puzzle.false_statements
    page.reload()
    page.wait_for_selector(".story li")
    assert not page.query_selector(".story .row button")


def test_a_new_board_and_a_link(visit: Callable[..., Page]) -> None:
    """Made by the service, with a seed; pasted; and a link that cannot be read is said so."""
    page = visit("/")
    page.wait_for_selector(".make select")
    form = page.locator("form.make")
    form.locator("select").nth(0).select_option("slither")
    form.locator("select").nth(1).select_option("6")
    form.locator("input").fill("77")
    form.locator("button[type=submit]").click()
    page.wait_for_selector(".stage svg.board.slither")
    assert page.url.endswith("/b/slither/6x6/easy/77")
    page.go_back()
    page.wait_for_selector("textarea")
    page.fill("textarea", "https://puzz.link/p?castle/6/6/20.d222b20.m011c20.d212b20.a")
    page.click("form:has(textarea) button[type=submit]")
    page.wait_for_selector(".stage svg.board.castle")
    assert "/p?castle/6/6/" in page.url
    page.goto("/")
    page.fill("textarea", "no puzzle at all")
    page.click("form:has(textarea) button[type=submit]")
    page.wait_for_function(
        "() => [...document.querySelectorAll('p')].some((p) => p.innerText.includes('no puzzle'))"
    )


def test_it_plays_without_a_network(paper: Callable[..., Paper]) -> None:
    """Loaded once, reloaded without the server: the board is there, and can be drawn on."""
    board = paper(BOARD)
    page = board.page
    page.evaluate("() => navigator.serviceWorker.ready")
    board.click((0, 0, 0, 1))
    board.wait_kept(1)
    page.reload()
    page.wait_for_selector(".stage svg.board")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector(".stage svg.board")
    board.click((0, 1, 0, 2))
    board.wait_kept(2)
    assert len(board.drawn()["edges"]) == 2


def test_progress_is_exported_and_imported(visit: Callable[..., Page], tmp_path: Any) -> None:
    page = visit(BOARD)
    page.wait_for_selector(".stage svg.board")
    board = Paper(page)
    board.click((0, 0, 0, 1))
    board.wait_kept(1)
    page.goto("/")
    with page.expect_download() as download:
        page.locator("section:last-of-type button").first.click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    other = visit("/")
    other.wait_for_selector("input[type=file]")
    other.set_input_files("input[type=file]", file)
    other.wait_for_function("() => Object.keys(localStorage).some((k) => k.includes(' board '))")
    assert len(Paper(other).drawn()["edges"]) == 1


def test_it_prints_the_board_alone(paper: Callable[..., Paper]) -> None:
    board = paper(BOARD)
    board.page.emulate_media(media="print")
    shown = board.page.evaluate(
        """() => [...document.querySelectorAll('button, select, summary, .clock')]
            .filter((one) => one.getBoundingClientRect().width > 0).length"""
    )
    assert shown == 0
    assert board.page.pdf()[:4] == b"%PDF"


def test_two_tabs_and_a_storage_that_fails(visit: Callable[..., Page]) -> None:
    """A storage that cannot be written is said, and never the end of the game."""
    page = visit("/")
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    page.goto(BOARD)
    page.wait_for_selector(".stage svg.board")
    Paper(page).click((0, 0, 0, 1))
    page.wait_for_function("() => document.querySelector('[role=status]').innerText.length > 5")
    assert page.query_selector(".stage svg.board")
