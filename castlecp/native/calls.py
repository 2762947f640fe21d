"""The calls of kernels from Python: an extension module around their C."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

from castlecp.native.expressions import KINDS, Signature, named
from castlecp.native.sources import c_name, digest, fields
from castlecp.native.translate import translate


def extension(entries: Sequence[FunctionType]) -> str:
    """The text in C of the module `_kernels`, with these functions and all that they call.

    Each is there by its `c_name`, and its digest by that with `_digest`.
    """
    made = translate(entries)
    lines = ['#include "kernels.h"', made.text, '#line 1 "calls"']
    for name, kind in made.records.items():
        lines += _record(name, kind)
    for entry in entries:
        lines += _entry(made.signatures[entry], made.records)
    names = [c_name(entry) for entry in entries]
    lines += [
        "static PyMethodDef methods[] = {",
        *(f'{{"{n}", (PyCFunction)(void *)call_{n}, METH_FASTCALL, 0}},' for n in names),
        "{0}};",
        "static int start(PyObject *module)",
        "{",
        *(
            f'if (PyModule_AddStringConstant(module, "{n}_digest", "{digest(entry)}")) return -1;'
            for n, entry in zip(names, entries, strict=True)
        ),
        "return 0;",
        "}",
        "static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)start}, {0, 0}};",
        "static struct PyModuleDef definition = {",
        'PyModuleDef_HEAD_INIT, "_kernels", 0, 0, methods, slots, 0, 0, 0};',
        "PyMODINIT_FUNC PyInit__kernels(void) { return PyModuleDef_Init(&definition); }",
    ]
    return "\n".join(lines) + "\n"


def _record(name: str, kind: type[Any]) -> list[str]:
    """A function that reads a record from a tuple."""
    takes = [
        f"&& take_{KINDS[said]}(PyTuple_GetItem(from, {place}), &to->{named(field)}, hold)"
        for place, (field, said) in enumerate(fields(kind).items())
    ]
    return [
        f"static bool take_{name}(PyObject *from, {name} *to, held *hold)",
        f"{{ return is_record(from, {len(takes)})",
        *takes,
        "; }",
    ]


def _entry(one: Signature, records: dict[str, type[Any]]) -> list[str]:
    """The function that Python calls: takes the arguments, lets go of the GIL, calls."""
    name, names, buffers, taken, given = c_name(one.kernel), [], 1, [], []
    for place, (said, kind) in enumerate(one.params.items()):
        param = named(said)
        by_name = kind.split()[1] if kind.endswith("*") else kind
        names.append(f"{by_name} {param};")
        taken.append(f"&& take_{by_name}(args[{place}], &{param}, &hold)")
        given.append(f"&{param}" if by_name in records else param)
        kinds = map(KINDS.get, fields(records[by_name]).values()) if by_name in records else [kind]
        buffers += sum("array" in str(member) for member in kinds)
    result = {"void": "Py_None", "bool": "PyBool_FromLong(result)"}.get(
        one.result, "PyLong_FromLongLong(result)"
    )
    call = f"{name}({', '.join(given)});"
    return [
        f"static PyObject *call_{name}(PyObject *module, PyObject *const *args, Py_ssize_t count)",
        "{",
        "(void)module;",
        f"Py_buffer views[{buffers}];",
        "held hold = {views, 0};",
        "PyObject *answer = NULL;",
        *names,
        f"if (is_call(count, {len(names)})",
        *taken,
        ") {",
        "" if one.result == "void" else f"{one.result} result;",
        "Py_BEGIN_ALLOW_THREADS",
        call if one.result == "void" else f"result = {call}",
        "Py_END_ALLOW_THREADS",
        f"answer = {result};",
        "Py_INCREF(answer);" if one.result == "void" else "",
        "}",
        "let_go(&hold);",
        "return answer;",
        "}",
    ]
