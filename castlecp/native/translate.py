"""Kernels in C: the same functions, statement by statement, and the calls from Python.

A kernel is a plain function over integers, flat arrays and records (NamedTuples) of these, which
allocates nothing and calls only kernels. Parameters and results are annotated: `int`, `bool`,
`Array` (64-bit integers), `Array32` and `Array8` (unsigned ones), a record, or None.

A kernel may have: assignments, also to several targets and in parallel; `if`, `while`, `for` over
`range` or a tuple of integers, `break`, `continue`, `return`, `pass`; arithmetic without `/` and
`**`, comparisons, `and`, `or`, `not`, conditional expressions; subscripts; `len`, `min` and `max`
of two, `abs`, `int`, `bool`; calls of kernels; integers and tuples of integers of its module. A
local name keeps one kind: integer, truth value or array.

The laws, which the same functions run as Python do not all have:

- An integer has 64 bits and wraps around (`-fwrapv`). Shifts are by 0 to 63 bits.
- Indexes are not below 0, and not looked at: a build with -DCHECKED looks.
- An array is contiguous; it is a list or any buffer in Python, and only a buffer in C. What is
  written into an `Array32` or `Array8` fits.
- There are no exceptions: a division by 0 gives 0.
- `and` and `or` give truth values, so outside conditions both sides must be truth values.
- Python evaluates from left to right, C as it likes: beside a call that changes an array no
  other call and no subscript may stand in one expression.
- The GIL is released while an entry runs.

What is outside this subset raises `OutsideSubset`, which names file and line. The C is written
by hand of this module, rather than by Cython, because the subset is so small that a translation
to Cython would be as long, take eight times as long to compile, and hide that integers wrap.
Calls go by the buffer protocol in the stable ABI, so one build serves every Python from 3.11 on.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable
from copy import copy
from types import FunctionType
from typing import Any, NamedTuple

from castlecp.native.expressions import (
    ARRAYS,
    KINDS,
    Expressions,
    OutsideSubset,
    Signature,
    fits,
    named,
)
from castlecp.native.sources import c_name, called, fields, place, reachable, record


class Translated(NamedTuple):
    """Kernels in C, their signatures, and the records they take by name."""

    text: str
    signatures: dict[FunctionType, Signature]
    records: dict[str, type[Any]]


def translate(entries: Iterable[FunctionType]) -> Translated:
    """These kernels and all they call, in C that needs `kernels.h`."""
    signatures = {kernel: _signature(kernel) for kernel in reachable(entries)}
    changing = _changing(signatures)
    bodies = [_Body(one, signatures, changing) for one in signatures.values()]
    records = {name: kind for one in signatures.values() for name, kind in one.records.items()}
    lines = [line for name, kind in sorted(records.items()) for line in _structure(name, kind)]
    lines += sorted({table for body in bodies for table in body.tables})
    lines += [f"{_head(one)};" for one in signatures.values()]
    lines += [line for body in bodies for line in body.lines]
    return Translated("\n".join(lines), signatures, records)


def _signature(kernel: FunctionType) -> Signature:
    lines, first = inspect.getsourcelines(kernel)
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    ast.increment_lineno(tree, first - 1)
    where = f"{place(kernel)}:{first}"
    if not isinstance(tree, ast.FunctionDef) or tree.decorator_list:
        raise OutsideSubset(f"{where}: a kernel is a plain function")
    args = tree.args
    if args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg or args.defaults:
        raise OutsideSubset(f"{where}: a kernel has plain parameters without defaults")
    kinds, records = {}, {}
    for name, annotation in [(a.arg, a.annotation) for a in args.args] + [("", tree.returns)]:
        said = ast.unparse(annotation) if annotation else "nothing"
        shape = record(kernel, said)
        if name and shape:
            kinds[name], records[shape.__name__] = f"const {shape.__name__} *", shape
        elif said in KINDS:
            kinds[name] = KINDS[said]
        if name not in kinds:
            raise OutsideSubset(f"{where}: `{name or 'return'}`, annotated with {said}")
    return Signature(kernel, tree, kinds, kinds.pop(""), records)


def _changing(signatures: dict[FunctionType, Signature]) -> set[FunctionType]:
    """The kernels that write into an array, themselves or by a call."""
    found = {
        kernel
        for kernel, one in signatures.items()
        for node in ast.walk(one.tree)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    }
    while more := {k for k in signatures if k not in found and {o for _, o in called(k)} & found}:
        found |= more
    return found


def _structure(name: str, kind: type[Any]) -> list[str]:
    members = fields(kind)
    if unknown := members.keys() - {field for field, said in members.items() if said in KINDS}:
        raise OutsideSubset(f"{inspect.getfile(kind)}: {sorted(unknown)} of `{name}`")
    return [
        "typedef struct {",
        *(f"{KINDS[said]} {named(f)};" for f, said in members.items()),
        f"}} {name};",
    ]


def _head(one: Signature) -> str:
    params = ", ".join(
        f"{kind}{'restrict ' if kind.endswith('*') else ' '}{named(name)}"
        for name, kind in one.params.items()
    )
    return f"static {one.result} {c_name(one.kernel)}({params or 'void'})"


class _Body(Expressions):
    """One kernel in C: `lines`."""

    def __init__(
        self,
        one: Signature,
        signatures: dict[FunctionType, Signature],
        changing: set[FunctionType],
    ) -> None:
        super().__init__(one, signatures, changing)
        self.hidden = 0
        lines = self.block(one.tree.body)
        start = {kind: "{0}" if kind in ARRAYS.values() else "0" for kind in self.locals.values()}
        names = [f"{kind} {named(name)} = {start[kind]};" for name, kind in self.locals.items()]
        self.lines = [
            f'#line {one.tree.lineno} "{self.file}"',
            _head(one),
            "{",
            *names,
            *lines,
            "}",
        ]

    def block(self, statements: list[ast.stmt]) -> list[str]:
        lines = []
        for statement in statements:
            lines += [f'#line {statement.lineno} "{self.file}"', *self.statement(statement)]
        return lines

    def statement(self, s: ast.stmt) -> list[str]:
        match s:
            case ast.Expr(ast.Constant(str())) | ast.Pass():
                return []
            case ast.Expr(ast.Call() as call):
                return [f"{self.expression(call)[0]};"]
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
                kept = [self.kept(value) for value in values]
                stores = [
                    self.store(target, *k[1:]) for target, k in zip(targets, kept, strict=True)
                ]
                return ["{", *(line for line, *_ in kept), *stores, "}"]
            case ast.Assign([target], value) | ast.AnnAssign(target, _, ast.expr() as value):
                self.in_order(s, [target, value])
                return [self.store(target, *self.expression(value))]
            case ast.Assign(targets, value):
                line, known, kind = self.kept(value)
                return ["{", line, *(self.store(one, known, kind) for one in targets), "}"]
            case ast.AugAssign(target, op, value):
                before = copy(target)
                before.ctx = ast.Load()
                after = ast.copy_location(ast.BinOp(before, op, value), s)
                self.in_order(s, [target, value])
                return [self.store(target, *self.expression(after))]
            case ast.Return(None) if self.result == "void":
                return ["return;"]
            case ast.Return(ast.expr() as value) if self.result != "void":
                text, kind = self.expression(value)
                if not fits(kind, self.result):
                    raise self.fail(s, f"a result of the kind {kind}")
                return [f"return {text};"]
            case ast.Break() | ast.Continue():
                return [f"{type(s).__name__.lower()};"]
            case ast.If(test, body, orelse):
                rest = ["} else {", *self.block(orelse)] if orelse else []
                return [f"if ({self.condition(test)}) {{", *self.block(body), *rest, "}"]
            case ast.While(test, body, []):
                return [f"while ({self.condition(test)}) {{", *self.block(body), "}"]
            case ast.For(ast.Name() as each, over, body, []):
                head, next_one = self.bounds(s, over)
                return [head, self.store(each, next_one, "int64_t"), *self.block(body), "}"]
        raise self.fail(s, f"{type(s).__name__}, or this form of it,")

    def bounds(self, s: ast.stmt, over: ast.expr) -> tuple[str, str]:
        """The head of a loop, whose bounds are looked at once, and what its name gets each time."""
        self.hidden += 1
        i, end = f"i{self.hidden}_", f"end{self.hidden}_"
        match over:
            case ast.Call(ast.Name("range"), [stop], []):
                start, last, step, value = "0", self.integer(stop), 1, i
            case ast.Call(ast.Name("range"), [first, stop, *more], []) if len(more) < 2:
                self.in_order(s, [first, stop])
                step = self.stride(s, more[0]) if more else 1
                start, last, value = self.integer(first), self.integer(stop), i
            case _:
                table = self.expression(over)[0] if isinstance(over, ast.Tuple | ast.Name) else ""
                start, last, step, value = "0", f"{table}.len", 1, f"AT({table}, {i})"
                if not table.startswith("tuple_"):
                    raise self.fail(s, "a loop over something else than a range or a tuple")
        sign = "<" if step > 0 else ">"
        return (
            f"for (int64_t {i} = {start}, {end} = {last}; {i} {sign} {end}; {i} += {step}) {{",
            value,
        )

    def stride(self, s: ast.stmt, said: ast.expr) -> int:
        """The step of a range: an integer, or one of the kernel's module."""
        known = self.kernel.__globals__
        try:
            step = known[said.id] if isinstance(said, ast.Name) else ast.literal_eval(said)
        except (KeyError, ValueError):
            step = None
        if type(step) is not int or step == 0:
            raise self.fail(s, f"the step {ast.unparse(said)}")
        return step

    def kept(self, value: ast.expr) -> tuple[str, str, str]:
        """A line that keeps a value under a hidden name, that name, and the kind."""
        text, kind = self.expression(value)
        self.hidden += 1
        return f"{kind} kept{self.hidden}_ = {text};", f"kept{self.hidden}_", kind

    def store(self, target: ast.expr, text: str, kind: str) -> str:
        match target:
            case ast.Name(name) if not kind.endswith("*"):
                had = self.params.get(name) or self.locals.setdefault(name, kind)
                if not fits(kind, had):
                    raise self.fail(target, f"`{name}`, of the kind {had}, with a {kind}")
                return f"{named(name)} = {text};"
            case ast.Subscript() if fits(kind, "int64_t"):
                return f"{self.expression(target)[0]} = {text};"
        raise self.fail(target, f"{ast.unparse(target)} with a {kind}")
