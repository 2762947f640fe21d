"""Values and the types they should have: what does not fit is named by its path.

`misfit` finds the place in a value, such as JSON that was read, by walking value and type side by
side. `Checked` is the base of structs that hold a caller's word to what decoding would take, so
that a wrong value is refused where it is given and not read as something else later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import inf
from typing import Any

import msgspec
from msgspec import inspect

from castlecp.errors import PuzzleError

#: Longer keys are cut in a path.
_LONGEST_KEY = 24


class Checked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A struct whose fields are checked when it is made, as decoding checks them.

    Arrays become tuples and objects structs as the fields' types say. Raises PuzzleError.
    """

    def __post_init__(self) -> None:
        told = msgspec.structs.astuple(self)
        mirror, held = _mirror(type(self))
        try:
            fitting = msgspec.convert(told, mirror)
        except msgspec.ValidationError:
            fields = dict(zip(self.__struct_fields__, told, strict=True))
            sentence = misfit(fields, mirror) or "a field is of the wrong type"
            raise PuzzleError(sentence) from None
        for name in held:
            msgspec.structs.force_setattr(self, name, getattr(fitting, name))


@cache
def _mirror(kind: type[msgspec.Struct]) -> tuple[type[msgspec.Struct], tuple[str, ...]]:
    """A struct with the same fields and no checks of its own, and the fields that hold others."""
    fields = msgspec.structs.fields(kind)
    mirror = msgspec.defstruct(
        kind.__name__, [(field.name, field.type) for field in fields], array_like=True
    )
    info = inspect.type_info(mirror)
    assert isinstance(info, inspect.StructType)
    held = [
        field.name
        for field in info.fields
        if any(isinstance(o, _HOLD) for o in _options(field.type))
    ]
    return mirror, tuple(held)


def misfit(value: Any, kind: Any) -> str | None:
    """What is wrong with a value that does not fit a type, as a sentence; None when nothing is.

    The sentence begins with the path: `` `clues[1].row` must be a whole number ``. Values are those
    of JSON, or Python's for them; a struct's own check is asked too.
    """
    return _misfit(value, _options(inspect.type_info(kind)), "")


def step(key: str) -> str:
    """A key as a part of a path."""
    if key.isidentifier() and len(key) <= _LONGEST_KEY:
        return key
    return repr(key if len(key) <= _LONGEST_KEY else f"{key[: _LONGEST_KEY - 3]}...")


def _misfit(value: Any, options: Sequence[Any], path: str) -> str | None:
    for option in options:
        suits = _SUITS.get(type(option))
        if suits is None or suits(value, option):
            if bounds := _beyond(value, option):
                return (f"`{path}` " if path else "it ") + f"must be {bounds}"
            walk = _WALKS.get(type(option))
            return walk(value, option, path) if walk else None
    whole = any(isinstance(option, inspect.IntType) for option in options)
    if whole and value == inf:
        return f"the number at `{path}` is out of range"
    return (f"`{path}` " if path else "it ") + f"must be {_words(options)}"


def _beyond(value: Any, info: Any) -> str | None:
    """What a number, or the length of an array, should be where it is not within its bounds."""
    if isinstance(info, inspect.IntType | inspect.FloatType):
        found, least, most, what = value, info.ge, info.le, _KINDS[type(info)]
    elif isinstance(info, inspect.VarTupleType | inspect.ListType):
        found, least, most, what = len(value), info.min_length, info.max_length, "an array of"
    else:
        return None
    if (least is None or found >= least) and (most is None or found <= most):
        return None
    if least is None:
        return f"{what} up to {most}"
    return f"{what} from {least} on" if most is None else f"{what} from {least} to {most}"


def _in_struct(value: Any, info: inspect.StructType, path: str) -> str | None:
    if not isinstance(value, Mapping):
        return None
    fields = {field.encode_name: field for field in info.fields}
    within = f" in `{path}`" if path else ""
    for key, inner in value.items():
        here = f"{path}.{step(key)}".lstrip(".")
        if key == info.tag_field:
            if inner != info.tag:
                return f'`{here}` must be "{info.tag}"'
        elif key in fields:
            if (found := _misfit(inner, _options(fields[key].type), here)) is not None:
                return found
        elif info.forbid_unknown_fields:
            shown = repr(key if len(key) <= _LONGEST_KEY else f"{key[: _LONGEST_KEY - 3]}...")
            return f"unknown key {shown}{within}"
    for key, field in fields.items():
        if field.required and key not in value:
            return f"the key `{key}` is missing{within}"
    return None if info.array_like else _own_check(value, info, path)


def _own_check(value: Any, info: inspect.StructType, path: str) -> str | None:
    """The sentence of a struct's own check, which may begin with a key: `` `number` ... ``.

    A struct that leaves a part of a text as it stands has none, since nothing but text makes one.
    """
    if any(isinstance(o, inspect.RawType) for f in info.fields for o in _options(f.type)):
        return None
    try:
        msgspec.convert(value, info.cls)
    except msgspec.ValidationError as error:
        message = str(error.__cause__ or error)
        if path and message.startswith("`"):
            return f"`{path}.{message[1:]}"
        return f"`{path}`: {message}" if path else message
    return None


def _in_array(value: Any, info: Any, path: str) -> str | None:
    options = _options(info.item_type)
    kind = next((option.cls for option in options if isinstance(option, inspect.StructType)), None)
    for index, item in enumerate(value):
        if kind is not None and len(options) == 1 and _fits(item, kind):
            continue
        if (found := _misfit(item, options, f"{path}[{index}]")) is not None:
            return found
    return None


def _fits(value: Any, kind: type) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _in_tuple(value: Any, info: inspect.TupleType, path: str) -> str | None:
    for index, (item, kind) in enumerate(zip(value, info.item_types, strict=True)):
        if (found := _misfit(item, _options(kind), f"{path}[{index}]")) is not None:
            return found
    return None


def _in_dict(value: Any, info: inspect.DictType, path: str) -> str | None:
    keys, values = _options(info.key_type), _options(info.value_type)
    for key, inner in value.items():
        found = _misfit(key, keys, f"{path}: a key")
        here = f"{path}.{step(key)}".lstrip(".") if found is None else ""
        if found is None:
            found = _misfit(inner, values, here)
        if found is not None:
            return found
    return None


def _options(info: Any) -> Sequence[Any]:
    """The types of a union, or the one type."""
    return getattr(info, "types", (info,))


def _words(options: Sequence[Any]) -> str:
    """What should stand there."""
    words: list[str] = []
    for option in options:
        if isinstance(option, inspect.LiteralType):
            words += [f'"{value}"' for value in option.values]
        elif not isinstance(option, inspect.NoneType):
            many = len(getattr(option, "item_types", ()))
            words.append(_KINDS[type(option)].format(many))
    return " or ".join(words)


def _is_array(value: Any, info: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset)


#: The types whose values hold others.
_HOLD = (
    inspect.StructType,
    inspect.DictType,
    inspect.ListType,
    inspect.VarTupleType,
    inspect.TupleType,
)

#: Whether a value is of a type as far as can be seen from outside; a type not named takes any.
_SUITS: Mapping[type, Callable[[Any, Any], bool]] = {
    inspect.IntType: lambda value, info: type(value) is int,
    inspect.FloatType: lambda value, info: type(value) in (int, float),
    inspect.StrType: lambda value, info: isinstance(value, str),
    inspect.BoolType: lambda value, info: isinstance(value, bool),
    inspect.NoneType: lambda value, info: value is None,
    inspect.LiteralType: lambda value, info: (
        isinstance(value, str | int) and not isinstance(value, bool) and value in info.values
    ),
    inspect.StructType: lambda value, info: isinstance(value, Mapping | info.cls),
    inspect.DictType: lambda value, info: isinstance(value, Mapping),
    inspect.ListType: _is_array,
    inspect.VarTupleType: _is_array,
    inspect.TupleType: lambda value, info: (
        _is_array(value, info) and len(value) == len(info.item_types)
    ),
}

_WALKS: Mapping[type, Callable[[Any, Any, str], str | None]] = {
    inspect.StructType: _in_struct,
    inspect.DictType: _in_dict,
    inspect.ListType: _in_array,
    inspect.VarTupleType: _in_array,
    inspect.TupleType: _in_tuple,
}

_KINDS: Mapping[type, str] = {
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.StrType: "a string",
    inspect.BoolType: "true or false",
    inspect.StructType: "an object",
    inspect.DictType: "an object",
    inspect.ListType: "an array",
    inspect.VarTupleType: "an array",
    inspect.TupleType: "an array of {} whole numbers",
}
