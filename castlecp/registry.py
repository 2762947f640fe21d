"""Things that are found by name: the modules of a folder, or the entries of a table.

A folder's listing is its registry: who adds a file has added the thing, and nothing else is
edited. What is looked up by a name that nothing has ends in one kind of error.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from castlecp.errors import Unknown

T = TypeVar("T")


class Registry(Generic[T]):
    """Things of one kind by name, each loaded when it is first asked for.

    `kind` is what errors call one of them. `other_names` gives the further names of a thing;
    names are understood in any case, and whatever stands between their letters and digits.
    `home` is the folder of the checkout that such things are in, if it is one.
    """

    def __init__(
        self,
        kind: str,
        names: Callable[[], Iterable[str]],
        load: Callable[[str], T],
        other_names: Callable[[T], Iterable[str]] = lambda thing: (),
        home: str = "",
    ) -> None:
        self.kind, self.home = kind, home
        self._list, self._load, self._other_names = names, load, other_names
        self._loaded: dict[str, T] = {}

    @classmethod
    def folder(
        cls,
        kind: str,
        package: str,
        attribute: str | None = None,
        other_names: Callable[[T], Iterable[str]] = lambda thing: (),
        home: str | None = None,
    ) -> Registry[T]:
        """The modules of a package, or what each has under the name `attribute`."""

        def names() -> Iterable[str]:
            found = pkgutil.iter_modules(import_module(package).__path__)
            return sorted(module.name for module in found)

        def load(name: str) -> T:
            module: Any = import_module(f"{package}.{name}")
            return cast(T, getattr(module, attribute) if attribute else module)

        return cls(kind, names, load, other_names, home or package.replace(".", "/"))

    @classmethod
    def table(cls, kind: str, table: Mapping[str, T]) -> Registry[T]:
        """The entries of a table."""
        return cls(kind, table.keys, table.__getitem__)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self._list())

    def names(self) -> tuple[str, ...]:
        """The names: those of a folder alphabetically, others in the order they are given in."""
        return self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> T:
        """The thing of that very name. Raises Unknown."""
        if name not in self._loaded:
            if name not in self._names:
                raise self._unknown(name)
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def name_of(self, text: str) -> str:
        """The name that a person means, who may have written another. Raises Unknown."""
        if text in self._names:
            return text
        wanted = _plain(text)
        for name in self._names:
            if wanted in (_plain(other) for other in (name, *self._other_names(self[name]))):
                return name
        raise self._unknown(text)

    def _unknown(self, text: str) -> Unknown:
        shown = repr(text if len(text) <= 24 else text[:21] + "...")
        others = {name: name for name in self._names}
        for name in self._names:
            others |= {_plain(other): name for other in self._other_names(self[name])}
        close = get_close_matches(_plain(text[:80]), others, n=1, cutoff=0.7)
        meant = f"; did you mean {others[close[0]]}?" if close else ""
        return Unknown(f"unknown {self.kind} {shown}; known: {', '.join(self._names)}{meant}")


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
