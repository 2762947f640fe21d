"""The page's modules, by Node; its rules are held by test_mirror."""

from __future__ import annotations

import re
import subprocess
from importlib.resources import files

import node
import pytest

from castlecp import genres

PAGE = files("castlecp") / "web"


@pytest.mark.parametrize("module", ["game", "store"])
def test_module(module: str) -> None:
    """Random strokes, undo, suppositions, storage: what knows no page is tested without one."""
    command = [node.node(), "--test", str(node.WEB / f"{module}.test.js")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_genre_has_rules() -> None:
    """And no other has."""
    found = {entry.name for entry in (PAGE / "js" / "rules").iterdir()}
    assert found == {f"{name}.js" for name in (*genres.names(), "common")}


def test_worker_keeps_every_file() -> None:
    """Whoever has been here once can play without a network."""
    listed = re.findall(r'^  "(/.*)",$', (PAGE / "sw.js").read_text(), re.MULTILINE)
    there = [f"/{path}" for path in _files(PAGE, "")]
    left_out = {"/index.html", "/sw.js", "/js/package.json"}
    assert sorted(listed) == sorted({"/", *there} - left_out)


def test_no_other_host() -> None:
    """Nothing comes from elsewhere, and nothing stands in the page that its policy forbids."""
    for path in _files(PAGE, ""):
        text = PAGE.joinpath(path).read_text()
        hosts = set(re.findall(r"https?://([\w.]+)", text))
        assert hosts <= {"www.w3.org", "puzz.link"}, path
        assert not re.search(r"innerHTML|eval\(|<style|style=|onclick=", text), path


def _files(folder: object, above: str) -> list[str]:
    out = []
    for entry in folder.iterdir():  # type: ignore[attr-defined]
        name = f"{above}{entry.name}"
        out += _files(entry, f"{name}/") if entry.is_dir() else [name]
    return out
