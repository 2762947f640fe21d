"""Building the extension module: `setup.py` does it where castlecp is installed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sysconfig
from collections.abc import Iterable
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FunctionType, ModuleType

from castlecp.native.calls import extension

PACKAGE = Path(__file__).resolve().parents[1]


def entries() -> list[FunctionType]:
    """What is called from Python, as the modules with kernels say: ENTRIES is a tuple of them.

    Only modules with that name are imported, so nothing that kernels do not need is.
    """
    found: list[FunctionType] = []
    for file in sorted(PACKAGE.rglob("*.py")):
        if re.search(r"^ENTRIES\b", file.read_text(encoding="utf-8"), re.MULTILINE):
            parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
            module = import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
            found += module.ENTRIES
    return found


def write(path: Path, kernels: Iterable[FunctionType] | None = None) -> None:
    """Write the C of the extension module; None for all entries. Raises OutsideSubset."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = entries() if kernels is None else list(kernels)
    path.write_text(extension(found), encoding="utf-8")


def built(folder: Path, kernels: Iterable[FunctionType] | None, *options: str) -> ModuleType:
    """The extension module, compiled with the options into a folder of its own and loaded.

    For tests and for sanitizers; castlecp looks only for the one that was installed.
    Raises CalledProcessError where the compiler fails.
    """
    text, library = folder / "_kernels.c", folder / "_kernels.so"
    write(text, kernels)
    compiler = shlex.split(str(sysconfig.get_config_var("CC")))
    headers = [f"-I{sysconfig.get_path('include')}", f"-I{Path(__file__).parent}"]
    flags = ["-fwrapv", "-fPIC", "-shared", *options]
    subprocess.run([*compiler, *flags, *headers, text, "-o", library], check=True)
    loader = ExtensionFileLoader("_kernels", str(library))
    spec = spec_from_file_location("_kernels", library, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module
