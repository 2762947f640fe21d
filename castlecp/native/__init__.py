"""The kernels as machine code: found by `sources`, put into C by `translate`, built by `build`.

Where castlecp is installed `setup.py` builds the extension module `_kernels`, and from then on
only `loaded` and `sources` are needed.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

from castlecp.native.sources import c_name, digest


@cache
def loaded(kernel: FunctionType) -> Any:
    """The kernel in the extension module; None where that is missing, or made of other texts."""
    try:
        module = import_module("castlecp.native._kernels")
        current = getattr(module, f"{c_name(kernel)}_digest", None) == digest(kernel)
    except (ImportError, OSError):
        return None
    return getattr(module, c_name(kernel)) if current else None
