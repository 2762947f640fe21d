"""Kernels that are made, not written: one branch for each rule of a registry.

A compiler of kernels can neither look into a table of functions nor import; so the text of the
function is put together here. It can be read like any other: `inspect.getsource` has it.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Iterable, Mapping
from textwrap import indent
from typing import Any


def made(
    scope: dict[str, Any],
    head: str,
    branches: Iterable[str],
    kernels: Mapping[str, Callable[..., bool] | None],
) -> Any:
    """The function `def head: branches; return True` in a module's `scope`.

    `kernels` are the functions that the branches call, by the names they have there.
    """
    name = head.partition("(")[0]
    text = f"def {head}:\n{indent(chr(10).join([*branches, 'return True']), '    ')}\n"
    scope.update(kernels)
    file = f"<{scope['__name__']}.{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), scope)
    assert inspect.getsource(scope[name]) == text
    return scope[name]
