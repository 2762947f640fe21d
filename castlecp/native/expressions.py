"""The expressions of kernels in C; `translate` says what they may be, and the laws."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any, NamedTuple

from castlecp.native.sources import c_name, called, fields, place

ARRAYS = {
    "Array": "array_int64",
    "list[int]": "array_int64",
    "Array32": "array_uint32",
    "Array8": "array_uint8",
}
KINDS = {"int": "int64_t", "bool": "bool", "None": "void"} | ARRAYS
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.RShift: ">>",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "&&",
    ast.Or: "||",
    ast.USub: "-",
    ast.Invert: "~",
}
FUNCTIONS: dict[type[ast.AST], str] = {
    ast.LShift: "shift_left",
    ast.FloorDiv: "floor_div",
    ast.Mod: "floor_mod",
}
#: Names of C that a kernel may have for something else.
RESERVED = frozenset(
    {"auto", "bool", "case", "char", "const", "default", "do", "double", "enum", "extern", "false"}
    | {"float", "goto", "inline", "int", "long", "register", "restrict", "short", "signed"}
    | {"sizeof", "static", "struct", "switch", "true", "typedef", "union", "unsigned", "void"}
    | {"volatile"}
)


class OutsideSubset(Exception):
    """A kernel has something that has no translation; says what, and where."""


class Signature(NamedTuple):
    """A kernel, its text as a tree with the lines of its file, and its kinds in C."""

    kernel: Any  # a FunctionType, which mypy takes for a method
    tree: ast.FunctionDef
    params: dict[str, str]
    result: str
    records: dict[str, type[Any]]


def named(name: str) -> str:
    """What a name of a kernel is in C."""
    return f"{name}_" if name in RESERVED else name


def fits(kind: str, wanted: str) -> bool:
    """Whether a value of one kind may stand where another is wanted: truth values are numbers."""
    return kind == wanted or (kind, wanted) == ("bool", "int64_t")


class Expressions:
    """The expressions of one kernel; `tables` are definitions of the tuples that they need."""

    def __init__(
        self,
        one: Signature,
        signatures: dict[FunctionType, Signature],
        changing: set[FunctionType],
    ) -> None:
        self.kernel, self.params, self.result = one.kernel, one.params, one.result
        self.records, self.signatures, self.changing = one.records, signatures, changing
        self.file, self.others = place(one.kernel), dict(called(one.kernel))
        self.locals: dict[str, str] = {}
        self.tables: set[str] = set()

    def fail(self, node: ast.AST, what: str) -> OutsideSubset:
        """What is wrong, and where."""
        where = f"{self.file}:{getattr(node, 'lineno', '?')}"
        return OutsideSubset(f"{where}: {what} in the kernel `{self.kernel.__qualname__}`")

    def in_order(self, e: ast.AST, parts: list[ast.expr]) -> None:
        """Refuse parts whose order matters: C does not keep it."""
        looks = changes = 0
        for part in parts:
            nodes = list(ast.walk(part))
            calls = {
                n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
            }
            kernels = {self.others[name] for name in calls & self.others.keys()}
            changes += bool(kernels & self.changing)
            looks += bool(kernels or any(isinstance(n, ast.Subscript) for n in nodes))
        if changes and looks > 1:
            raise self.fail(e, "a call that changes an array beside another look at arrays")

    def expression(self, e: ast.expr) -> tuple[str, str]:
        """The text of an expression, and its kind."""
        match e:
            case ast.Constant(bool(value)):
                return str(value).lower(), "bool"
            case ast.Constant(int(value)):
                return self.constant(e, value, "")
            case ast.Tuple():
                values = tuple(getattr(element, "value", None) for element in e.elts)
                return self.constant(e, values, f"{e.lineno}_{e.col_offset}")
            case ast.Name(name):
                if name in self.kernel.__code__.co_varnames:
                    kind = self.params.get(name) or self.locals.get(name)
                    if kind:
                        return named(name), kind
                    raise self.fail(e, f"`{name}` before it is set")
                return self.constant(e, self.kernel.__globals__.get(name), name)
            case ast.Attribute(ast.Name(name), field) if self.params.get(name, "").endswith("*"):
                shape = self.records[self.params[name].split()[1]]
                return f"{named(name)}->{named(field)}", KINDS[fields(shape)[field]]
            case ast.Subscript(array, place) if not isinstance(place, ast.UnaryOp | ast.Slice):
                text, kind = self.expression(array)
                if kind in ARRAYS.values():
                    element = "" if isinstance(e.ctx, ast.Store) else "(int64_t)"
                    return f"{element}AT({text}, {self.integer(place)})", "int64_t"
            case ast.BinOp(left, op, right) if type(op) in OPERATORS or type(op) in FUNCTIONS:
                self.in_order(e, [left, right])
                a, b = self.integer(left), self.integer(right)
                if type(op) in FUNCTIONS:
                    return f"{FUNCTIONS[type(op)]}({a}, {b})", "int64_t"
                return f"({a} {OPERATORS[type(op)]} {b})", "int64_t"
            case ast.UnaryOp(ast.Not(), operand):
                return f"!({self.condition(operand)})", "bool"
            case ast.UnaryOp(ast.USub() | ast.Invert() as op, operand):
                return f"({OPERATORS[type(op)]}{self.integer(operand)})", "int64_t"
            case ast.BoolOp(op, values):
                parts = [self.expression(value) for value in values]
                if {kind for _, kind in parts} == {"bool"}:
                    return f"({f' {OPERATORS[type(op)]} '.join(text for text, _ in parts)})", "bool"
                raise self.fail(e, "`and` or `or` of numbers outside a condition")
            case ast.IfExp(test, body, orelse):
                (a, kind), (b, other) = self.expression(body), self.expression(orelse)
                if fits(kind, other) or fits(other, kind):
                    wider = other if fits(kind, other) else kind
                    return f"({self.condition(test)} ? {a} : {b})", wider
            case ast.Compare(left, ops, others) if all(type(op) in OPERATORS for op in ops):
                self.in_order(e, [left, *others])
                if any(isinstance(n, ast.Call) for x in others[:-1] for n in ast.walk(x)):
                    raise self.fail(e, "a call in the middle of a comparison")
                sides = [self.integer(side) for side in (left, *others)]
                each = zip(sides, (OPERATORS[type(op)] for op in ops), sides[1:], strict=False)
                return f"({' && '.join(f'({a} {sign} {b})' for a, sign, b in each)})", "bool"
            case ast.Call(ast.Name(name), args, []):
                self.in_order(e, args)
                return self.call(e, name, args)
        raise self.fail(e, f"{ast.unparse(e)}: {type(e).__name__}, or this form of it,")

    def constant(self, e: ast.expr, value: object, name: str) -> tuple[str, str]:
        """An integer, or a tuple of them as an array that nobody writes into."""
        match value:
            case bool():
                return str(value).lower(), "bool"
            case int() if -(2**63) < value < 2**63:
                return f"INT64_C({value})" if value >= 0 else f"(-INT64_C({-value}))", "int64_t"
            case tuple() if value and all(type(x) is int for x in value):
                known = "tuple_" + c_name(self.kernel).rpartition("__")[0] + f"_{name}"
                numbers = ", ".join(self.constant(e, x, "")[0] for x in value)
                self.tables.add(
                    f"static const array_int64 {known} = "
                    f"{{(int64_t[]){{{numbers}}}, {len(value)}}};"
                )
                return known, "array_int64"
        raise self.fail(e, f"{ast.unparse(e)}, which is no integer or tuple of integers,")

    def integer(self, e: ast.expr) -> str:
        """The text of a number."""
        text, kind = self.expression(e)
        if not fits(kind, "int64_t"):
            raise self.fail(e, f"{ast.unparse(e)}, which is no number,")
        return text

    def condition(self, e: ast.expr) -> str:
        """What counts is only whether it is 0."""
        if isinstance(e, ast.BoolOp):
            sign = f" {OPERATORS[type(e.op)]} "
            return f"({sign.join(map(self.condition, e.values))})"
        return self.integer(e)

    def call(self, e: ast.expr, name: str, args: list[ast.expr]) -> tuple[str, str]:
        """A call of a kernel or of what Python has built in."""
        other = self.others.get(name)
        if other:
            given, wanted = [self.expression(arg) for arg in args], self.signatures[other]
            kinds = [kind for _, kind in given]
            if len(kinds) == len(wanted.params) and all(map(fits, kinds, wanted.params.values())):
                return f"{c_name(other)}({', '.join(text for text, _ in given)})", wanted.result
            raise self.fail(e, f"{ast.unparse(e)}, with other kinds of arguments,")
        match name, args:
            case "len", [array]:
                text, kind = self.expression(array)
                if kind in ARRAYS.values():
                    return f"{text}.len", "int64_t"
            case (("min" | "max"), [a, b]):
                return f"{name}_of({self.integer(a)}, {self.integer(b)})", "int64_t"
            case "abs", [a]:
                return f"abs_of({self.integer(a)})", "int64_t"
            case "int", [a]:
                return f"(int64_t){self.integer(a)}", "int64_t"
            case "bool", [a]:
                return f"(bool)({self.condition(a)})", "bool"
        raise self.fail(e, f"a call of `{name}`, or this form of it,")
