"""Constructors for the syntax nodes that the passes make.

Before SSA, a variable of the compiler's own has a dot in its name (``exit.0``, ``t.3``), so it can
never clash with one of the user's; `base_name` is what it is called in printed source. The name
`OPS` stands for the module of operators, whatever that is called in the converted function.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

import gast

OPS = "ops."

# What `x += y` and its kin call.
IN_PLACE = {
    gast.Add: "iadd",
    gast.Sub: "isub",
    gast.Mult: "imul",
    gast.Div: "itruediv",
    gast.FloorDiv: "ifloordiv",
    gast.Mod: "imod",
    gast.Pow: "ipow",
    gast.MatMult: "imatmul",
    gast.BitAnd: "iand",
    gast.BitOr: "ior",
    gast.BitXor: "ixor",
    gast.LShift: "ilshift",
    gast.RShift: "irshift",
}

Node = TypeVar("Node", bound=gast.AST)


def base_name(variable: str) -> str:
    """The readable part of a variable's name."""
    return variable.partition(".")[0]


def is_internal(variable: str) -> bool:
    """Whether a variable is one of the compiler's own."""
    return "." in variable


def load(name: str) -> gast.Name:
    """A variable that is read."""
    return gast.Name(name, gast.Load(), None, None)


def store(name: str) -> gast.Name:
    """A variable that is assigned."""
    return gast.Name(name, gast.Store(), None, None)


def param(name: str) -> gast.Name:
    """A parameter."""
    return gast.Name(name, gast.Param(), None, None)


def constant(value: object) -> gast.Constant:
    """A literal."""
    return gast.Constant(value, None)


def load_tuple(elements: Sequence[gast.AST]) -> gast.Tuple:
    """``(a, b)`` as a value."""
    return gast.Tuple(list(elements), gast.Load())


def store_tuple(elements: Sequence[gast.AST]) -> gast.Tuple:
    """``(a, b)`` as a target."""
    return gast.Tuple(list(elements), gast.Store())


def assign(target: str | gast.AST, value: gast.AST) -> gast.Assign:
    """``target = value``"""
    return gast.Assign([store(target) if isinstance(target, str) else target], value, None)


def deletion(name: str) -> gast.Delete:
    """``del name``"""
    return gast.Delete([gast.Name(name, gast.Del(), None, None)])


def ops_name(name: str) -> gast.Attribute:
    """``ops.name``"""
    return gast.Attribute(load(OPS), name, gast.Load())


def ops_call(name: str, *args: gast.AST, **keywords: gast.AST) -> gast.Call:
    """``ops.name(*args, **keywords)``."""
    return gast.Call(ops_name(name), list(args), [gast.keyword(k, v) for k, v in keywords.items()])


def exit_is(variable: str, kind: str) -> gast.Compare:
    """``variable == ops.KIND``."""
    return gast.Compare(load(variable), [gast.Eq()], [ops_name(kind)])


def arguments(params: Sequence[str] = ()) -> gast.arguments:
    """A list of plain parameters."""
    return gast.arguments([param(name) for name in params], [], None, [], [], None, [])


def thunk(body: gast.AST) -> gast.Lambda:
    """A lambda without parameters that is called on the spot or never, so that it captures nothing
    for later."""
    made = at(gast.Lambda(arguments(), body), body)
    made.is_thunk = True
    return made


def is_thunk(node: gast.AST) -> bool:
    """Whether a lambda is one of those that `thunk` makes."""
    return getattr(node, "is_thunk", False)


def is_consumed(node: gast.AST) -> bool:
    """Whether a lambda or generator is used up by the expression it stands in, so that it never
    reads a variable later."""
    return getattr(node, "is_consumed", False)


def is_native(node: gast.AST) -> bool:
    """Whether a statement is a definition that stays as the user wrote it: a class, or a generator
    function, as `mark_native` finds."""
    return isinstance(node, gast.ClassDef) or getattr(node, "is_native", False)


def function_def(name: str, args: gast.arguments, body: list[gast.AST]) -> gast.FunctionDef:
    return gast.FunctionDef(name, args, body, [], None, None, [])


def at(node: Node, origin: gast.AST) -> Node:
    """Give a new node the position of the construct it comes from; its children follow later, by
    `gast.fix_missing_locations`."""
    return gast.copy_location(node, origin)


def synthetic(node: Node) -> Node:
    """Mark a statement that no statement of the user's corresponds to: it prints without a line
    number."""
    node.is_synthetic = True
    return node


def is_synthetic(node: ast.AST) -> bool:
    """Whether no statement of the user's corresponds to a statement."""
    return getattr(node, "is_synthetic", False)


def is_docstring(node: gast.AST) -> bool:
    """Whether a statement is nothing but a string."""
    value = node.value if isinstance(node, gast.Expr) else None
    return isinstance(value, gast.Constant) and isinstance(value.value, str)


def is_name(node: gast.AST, name: str | None = None) -> bool:
    """Whether an expression is a variable, of this name if one is given."""
    return isinstance(node, gast.Name) and name in (None, node.id)
