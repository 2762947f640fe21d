"""One server for all tests of a process that do it no harm."""

from __future__ import annotations

from typing import Any

import pytest
from running import serving

pytest.importorskip("litestar")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with serving(tmp_path_factory.mktemp("service") / "log", "--workers", "1") as server:
        yield server
    assert not [line for line in server.lines if line.get("status") == 500]
