"""Which functions belong to a kernel, and what names the texts that they are made of."""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Iterable, Iterator
from dis import get_instructions
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeGuard

#: Beside this file: what decides how kernels are put into C.
TRANSLATOR = ("translate.py", "kernels.h")


#: How Python takes a name of the module, and no local or field.
LOAD = "LOAD_GLOBAL"


def called(kernel: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """The kernels a kernel calls, with the names it has for them.

    Fields of arguments may have the names of kernels; `co_names` does not tell them apart.
    """
    loaded = {step.argval: None for step in get_instructions(kernel) if step.opname == LOAD}
    for name in loaded:
        if is_kernel(value := kernel.__globals__.get(name)):
            yield name, value


def is_kernel(value: object) -> TypeGuard[FunctionType]:
    """Whether a value of a kernel's module is a function of castlecp."""
    return isinstance(value, FunctionType) and value.__module__.startswith("castlecp.")


def reachable(entries: Iterable[FunctionType]) -> list[FunctionType]:
    """The kernels and all that they call, each once."""
    found = list(dict.fromkeys(entries))
    for kernel in found:
        found += [other for _, other in called(kernel) if other not in found]
    return found


def record(kernel: FunctionType, annotation: Any) -> type[Any] | None:
    """The NamedTuple that an annotation of a kernel names, if it does."""
    value = kernel.__globals__.get(annotation) if isinstance(annotation, str) else annotation
    return value if isinstance(value, type) and hasattr(value, "_fields") else None


def fields(kind: type[Any]) -> dict[str, str]:
    """The fields of a NamedTuple and their annotations, as texts."""
    return {
        name: getattr(annotation, "__forward_arg__", str(annotation))
        for name, annotation in kind.__annotations__.items()
    }


def c_name(kernel: FunctionType) -> str:
    """What a kernel is called in C."""
    return f"{kernel.__module__.removeprefix('castlecp.').replace('.', '_')}__{kernel.__name__}"


def place(kernel: FunctionType) -> str:
    """The file of a kernel, from the folder of the package on."""
    file, package = kernel.__code__.co_filename, Path(__file__).parents[1]
    return file if file.startswith("<") else Path(file).relative_to(package.parent).as_posix()


def digest(kernel: FunctionType) -> str:
    """Names all that the machine code of a kernel depends on.

    That is the texts of the modules of the kernels that can be reached, the constants they use,
    the fields of their records and the text of the translator. Takes a millisecond or two.
    Raises OSError where a module has no text.
    """
    hashed = hashlib.sha256()
    for name in TRANSLATOR:
        hashed.update(_text(str(Path(__file__).with_name(name))))
    found, said = [kernel], []
    for one in found:
        scope = one.__globals__
        known = {name: scope[name] for name in sorted(one.__code__.co_names) if name in scope}
        found += [value for value in known.values() if is_kernel(value) and value not in found]
        constants = [item for item in known.items() if isinstance(item[1], int | tuple)]
        records = [record(one, annotation) for annotation in one.__annotations__.values()]
        shapes = [(kind.__name__, fields(kind)) for kind in records if kind]
        said.append(repr((c_name(one), constants, shapes)).encode())
    # Sorted by what they say, not by where they lie.
    texts = sorted(map(_text, {one.__code__.co_filename for one in found}))
    for text in (*said, *texts):
        hashed.update(text)
    return hashed.hexdigest()


@cache
def _text(file: str) -> bytes:
    """The text of a module, or of a function that was made and is known to `linecache`."""
    if file.startswith("<"):
        return "".join(linecache.getlines(file)).encode()
    with open(file, "rb") as text:
        return text.read()
