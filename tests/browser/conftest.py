"""The page in Debian's Chromium, which Playwright drives, against a server of one's own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "service"))

pytest.importorskip("playwright")
pytest.importorskip("litestar")

from paper import Paper
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright
from running import serving

#: Names of Chromium; CHROMIUM is the path of another.
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# While it lasts an event loop runs in this thread, which tests of other folders cannot have.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        if os.environ.get("CASTLECP_CI"):
            pytest.fail("there is no Chromium, and browser tests are never left out here")
        pytest.skip("there is no Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with serving(tmp_path_factory.mktemp("site") / "log", "--workers", "1") as server:
        yield server


@pytest.fixture
def visit(browser: Browser, site: Any) -> Iterator[Callable[..., Page]]:
    """Opens pages of the site, each with a storage of its own; none may report an error."""
    contexts, wrong = [], list[str]()

    def note(message: ConsoleMessage) -> None:
        # A browser reports what the network does not bring, and what the service refuses, which the
        # page says itself.
        if message.type == "error" and "Failed to load resource" not in message.text:
            wrong.append(message.text)

    def opened(path: str = "/", *, size: tuple[int, int] = (1000, 800), **more: Any) -> Page:
        width, height = size
        context = browser.new_context(
            base_url=site.url, viewport={"width": width, "height": height}, **more
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", note)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def paper(visit: Callable[..., Page]) -> Callable[..., Paper]:
    """Opens a board."""

    def opened(path: str, **more: Any) -> Paper:
        page = visit(path, **more)
        page.wait_for_selector(".stage svg.board")
        return Paper(page)

    return opened
