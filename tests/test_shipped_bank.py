"""The bank in results/bank: every certificate is accepted, and the manifest tells the truth."""

from __future__ import annotations

import json
from functools import partial
from hashlib import sha256

import pytest
from boards import HERE

from castlecp.certify.banks import verify_bank
from castlecp.executors.local import Local

BANK = HERE.parent / "results" / "bank"
MANIFEST = json.loads((BANK / "manifest.json").read_text())


def test_the_manifest_lists_every_file() -> None:
    """Four sizes by four difficulties, 25 boards each, with the hashes of the files."""
    assert sorted(MANIFEST["files"]) == sorted(path.name for path in BANK.glob("*.jsonl"))
    assert len(MANIFEST["files"]) == 16
    for name, about in MANIFEST["files"].items():
        content = (BANK / name).read_bytes()
        assert about["sha256"] == sha256(content).hexdigest()
        assert about["boards"] == content.count(b"\n") == 25


def test_no_board_comes_twice() -> None:
    """All 400 puzzles are different."""
    lines = [line for name in MANIFEST["files"] for line in (BANK / name).read_text().splitlines()]
    puzzles = {json.dumps(json.loads(line)["certificate"]["puzzle"]) for line in lines}
    assert len(puzzles) == len(lines) == 400


@pytest.mark.parametrize("size", ["6x6", "8x8", "10x10", "12x12"])
def test_every_certificate_is_accepted(size: str) -> None:
    """The checker replays every proof."""
    for name in MANIFEST["files"]:
        if name.endswith(f"-{size}.jsonl"):
            results = list(verify_bank(str(BANK / name), partial(Local, 1)))
            assert [done.status for done in results] == ["accepted"] * 25, name
