"""Every page on every screen: no error, nothing that does not fit, nothing out of reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from castlecp import genres

SIZES = [(360, 640), (390, 844), (768, 1024), (1440, 900)]
SCHEMES = ["light", "dark"]

#: What sticks out to the side, and buttons that cannot be seen when one scrolls to them.
OUT = """() => {
  const out = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > root.clientWidth) out.push(`the page is ${root.scrollWidth} wide`);
  for (const one of document.querySelectorAll('button, a, select, input, textarea, svg.board')) {
    const box = one.getBoundingClientRect();
    if (box.width && (box.left < -1 || box.right > root.clientWidth + 1)) out.push(one.outerHTML);
  }
  return out;
}"""


def boards(site: Any) -> list[str]:
    """Addresses of a board of each genre, and of every level."""
    found = []
    for genre in genres.names():
        line = site.http.get(f"/banks/{genre}?difficulty=easy&limit=1").json()["boards"][0]
        settings = line["settings"]
        size = f"{settings['rows']}x{settings['cols']}"
        found.append(f"/b/{genre}/{size}/{settings['difficulty']}/{line['seed']}")
    levels = site.http.get("/levels").json()["levels"]
    return [*found, *(f"/b/level/{name}" for name in levels)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_all_pages(
    visit: Callable[..., Page], site: Any, size: tuple[int, int], scheme: str
) -> None:
    page = visit("/", size=size, color_scheme=scheme)
    page.wait_for_selector(".card svg.board")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(OUT) == []
    for path in boards(site):
        page.goto(path)
        page.wait_for_selector(".stage svg.board")
        assert page.evaluate(OUT) == [], path
        # The whole board is seen at once, and so are the tools on a screen that is wide.
        bottom = page.evaluate(
            "() => document.querySelector('.stage svg.board').getBoundingClientRect().bottom"
        )
        assert bottom <= size[1] + 1, path


def test_the_smallest_and_the_largest(visit: Callable[..., Page]) -> None:
    """From 2 x 2 to 50 x 50 cells."""
    page = visit("/p?slither/2/2/3ccc"[:18] + "g")
    page.wait_for_selector(".stage svg.board")
    page.goto("/p?slither/50/50/" + "z" * 125)
    page.wait_for_selector(".stage svg.board")
    assert page.evaluate(OUT) == []


def test_policy(site: Any, visit: Callable[..., Page]) -> None:
    """Scripts and styles come from the site alone, and nothing may frame it."""
    answer = site.http.get(f"{site.url}/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "'unsafe" not in policy
    page = visit("/")
    hosts = page.evaluate(
        "() => performance.getEntriesByType('resource').map((one) => new URL(one.name).origin)"
    )
    assert set(hosts) == {site.url}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_serious(visit: Callable[..., Page], site: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = visit("/", color_scheme=scheme, bypass_csp=True)
    page.wait_for_selector(".card svg.board")
    for path in ("", *boards(site)[:5]):
        if path:
            page.goto(path)
            page.wait_for_selector(".stage svg.board")
        found = Axe().run(page).response["violations"]
        grave = [one for one in found if one["impact"] in ("serious", "critical")]
        told = [(one["id"], one["nodes"][0]["html"]) for one in grave]
        assert told == [], path or "/"
