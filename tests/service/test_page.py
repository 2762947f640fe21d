"""The page's files are at their addresses, and what is known is not sent again."""

from __future__ import annotations

import gzip
from pathlib import Path

from castlecp.service.page import page


def test_files_of_a_page(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "index.html").write_text("<p>page")
    (tmp_path / "js" / "a.js").write_text("let a;" * 100)
    (tmp_path / "icon.png").write_bytes(b"\x89PNG")
    found = page(tmp_path)
    assert set(found) == {"/", "/p", "/b/{rest:path}", "/index.html", "/js/a.js", "/icon.png"}
    script = found["/js/a.js"]
    plain, packed = script.reply("", ""), script.reply("br, gzip", "")
    assert plain.content == gzip.decompress(packed.content) == b"let a;" * 100
    assert plain.media == "text/javascript; charset=utf-8"
    assert packed.headers["content-encoding"] == "gzip"
    again = script.reply("gzip", f"W/{packed.headers['etag']}")
    assert (again.status, again.content) == (304, b"")
    assert found["/icon.png"].reply("gzip", "").media == "image/png"
    assert found["/p"].reply("", "").content == b"<p>page"


def test_no_page_is_no_fault(tmp_path: Path) -> None:
    assert page(tmp_path) == {}
