"""Which names a piece of syntax binds and reads, by Python's rules of scope."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from autograph.source.tree.build import is_native, is_thunk

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
BLOCKS = ("body", "orelse", "finalbody")  # the fields of statements that have others in them

_SCOPES = (gast.FunctionDef, gast.Lambda, gast.ClassDef)
_NOT_VARIABLES = (gast.expr_context, gast.operator, gast.boolop, gast.unaryop)

# Fields that never hold variables or what is made of them.
_NO_NODES = {"attr", "conversion", "ctx", "id", "kind", "op", "ops", "type_comment"}


@functools.cache
def _fields(kind: type[gast.AST]) -> tuple[str, ...]:
    return tuple(field for field in kind._fields if field not in _NO_NODES)


def children(node: Any) -> list[gast.AST]:
    """The nodes in a node, without contexts and operators; conversion spends much of its time
    here, and most of that with the kinds that stand first."""
    kind: Any = type(node)
    if kind is gast.Name:
        return [] if node.annotation is None else [node.annotation]
    if kind is gast.Constant:
        return []
    if kind is gast.Attribute or kind is gast.Expr:
        return [node.value]
    if kind is gast.Call:
        return [node.func, *node.args, *node.keywords]
    if kind is gast.BinOp:
        return [node.left, node.right]
    if kind is gast.Assign:
        return [*node.targets, node.value]
    if kind is gast.Subscript:
        return [node.value, node.slice]
    found: list[gast.AST] = []
    for field in _fields(kind):
        value = getattr(node, field, None)  # gast 0.6 leaves type_params out
        if type(value) is list:
            found += [item for item in value if isinstance(item, gast.AST)]
        elif isinstance(value, gast.AST) and not isinstance(value, _NOT_VARIABLES):
            found.append(value)
    return found


def walk(node: gast.AST) -> Iterator[gast.AST]:
    """A node and all nodes in it; without recursion, because expressions can be very deep."""
    todo = [node]
    for inner in todo:
        yield inner
        todo += children(inner)


def outside_expressions(
    nodes: Iterable[gast.AST], closed: tuple[type, ...] = ()
) -> Iterator[gast.AST]:
    """Nodes and those in them that are not in expressions: all statements are among them.

    Args:
        closed: the kinds of definitions that are yielded, but not gone into.
    """
    todo = list(nodes)
    for node in todo:
        yield node
        if not isinstance(node, closed):
            todo += [child for child in children(node) if not isinstance(child, gast.expr)]


def dotted_names(node: gast.AST) -> set[tuple[str, ...]]:
    """The names that are read in a node, with the attributes that are read of them."""
    found: set[tuple[str, ...]] = set()
    for inner in walk(node):
        path: list[str] = []
        while isinstance(inner, gast.Attribute):
            path.append(inner.attr)
            inner = inner.value
        if isinstance(inner, gast.Name) and isinstance(inner.ctx, gast.Load):
            found.add((inner.id, *reversed(path)))
    return found


def in_order(node: gast.AST) -> list[gast.AST]:
    """The children of a node in the order in which Python evaluates them."""
    kind = type(node)
    if kind in _PLAIN:
        return children(node)
    if kind is gast.Assign:
        return [node.value, *node.targets]
    match node:
        case gast.Dict():
            pairs = zip(node.keys, node.values)
            return [part for pair in pairs for part in pair if part is not None]
        case gast.NamedExpr():
            return [node.value, node.target]
        case gast.IfExp():
            return [node.test, node.body, node.orelse]
    return children(node)


def results(node: gast.AST) -> list[gast.AST]:
    """The expressions that a comprehension collects."""
    return [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]


def evaluated_at_definition(
    node: gast.FunctionDef | gast.Lambda | gast.ClassDef,
) -> list[gast.AST]:
    """The parts of a definition that run in the scope it stands in."""
    if isinstance(node, gast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    args = node.args
    parts = [*args.defaults, *(default for default in args.kw_defaults if default is not None)]
    if isinstance(node, gast.FunctionDef):
        annotations = [p.annotation for p in parameters(args)] + [node.returns]
        parts = [*node.decorator_list, *parts, *(a for a in annotations if a is not None)]
    return parts


def parameters(args: gast.arguments) -> list[gast.Name]:
    """All parameters of a function, the first positional one first."""
    named = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [parameter for parameter in named if parameter is not None]


def body_of(node: gast.FunctionDef | gast.Lambda) -> list[gast.AST]:
    return node.body if isinstance(node, gast.FunctionDef) else [node.body]


def tuple_variables(node: gast.FunctionDef | gast.Lambda) -> set[str]:
    """The variables of a function that evidently hold tuples: one is assigned, or they are taken
    apart."""
    found: set[str] = set()
    definitions = (gast.FunctionDef, gast.ClassDef)
    for statement in outside_expressions(body_of(node), definitions):
        if isinstance(statement, gast.Assign):
            for target in statement.targets:
                _add_tuples(target, statement.value, found)
    return found


def _add_tuples(target: gast.AST, value: gast.AST, found: set[str]) -> None:
    is_tuple = isinstance(value, gast.Tuple) and bool(value.elts)
    if isinstance(target, gast.Name) and is_tuple:
        found.add(target.id)
    elif isinstance(target, gast.Tuple) and is_tuple and len(target.elts) == len(value.elts):
        for inner, part in zip(target.elts, value.elts):
            _add_tuples(inner, part, found)
    elif isinstance(target, gast.Tuple) and isinstance(value, gast.Name):
        found.add(value.id)


def imported_name(alias: gast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


_BINDING = (gast.Store, gast.Del)

# Expressions that bind nothing themselves, with operands in their order.
_PLAIN = {
    *(gast.Attribute, gast.BinOp, gast.Call, gast.Compare, gast.Constant, gast.Expr),
    *(gast.keyword, gast.List, gast.Return, gast.Subscript, gast.Tuple, gast.UnaryOp),
}


def bindings(nodes: Iterable[gast.AST]) -> list[str]:
    """The names bound by the nodes in the scope they stand in, in order, one for each time."""
    found: list[str] = []
    for node in nodes:
        _add_bindings(node, found)
    return found


def _add_bindings(node: gast.AST, found: list[str]) -> None:
    todo = [node]
    while todo:
        inner = todo.pop()
        kind = type(inner)
        if kind is gast.Name:  # the most frequent ones first
            if isinstance(inner.ctx, _BINDING):
                found.append(inner.id)
        elif kind in _PLAIN or kind is gast.Assign:
            todo += reversed(in_order(inner))
        else:
            _add_other_bindings(inner, found)


def _add_other_bindings(node: gast.AST, found: list[str]) -> None:
    inside: Iterable[gast.AST] = ()
    match node:
        case gast.FunctionDef() | gast.ClassDef():
            found += bindings(evaluated_at_definition(node))
            found.append(node.name)
        case gast.Lambda():
            inside = [node.body] if is_thunk(node) else evaluated_at_definition(node)
        case gast.alias():
            found.append(imported_name(node))
        case gast.MatchAs() | gast.MatchStar():
            if isinstance(node, gast.MatchAs) and node.pattern is not None:
                _add_bindings(node.pattern, found)
            if node.name is not None:
                found.append(node.name)
        case gast.MatchMapping():
            inside = node.patterns
            if node.rest is not None:
                found.append(node.rest)
        case _ if isinstance(node, COMPREHENSIONS):
            for generator in node.generators:
                found += bindings([generator.iter, *generator.ifs])
            inside = results(node)
        case _:
            inside = in_order(node)
    for child in inside:
        _add_bindings(child, found)


def own_nodes(nodes: Iterable[gast.AST]) -> Iterator[gast.AST]:
    """The nodes and all those in them, in no particular order, without those of inner functions
    and classes; without recursion, because expressions can be very deep."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _SCOPES) or is_thunk(node):
            todo += children(node)


def own_statements(node: gast.FunctionDef | gast.Lambda) -> Iterator[gast.AST]:
    """The statements in a function, and definitions, without what is in these."""
    return outside_expressions(body_of(node), _SCOPES)


def declared_nonlocal(node: gast.FunctionDef | gast.Lambda) -> set[str]:
    """The names that a function declares ``nonlocal``; looked for once."""
    if isinstance(node, gast.Lambda):
        return set()
    if not hasattr(node, "declared"):
        own = own_statements(node)
        found = (inner for inner in own if isinstance(inner, gast.Nonlocal))
        node.declared = {name for declaration in found for name in declaration.names}
    return node.declared


def local_names(
    node: gast.FunctionDef | gast.Lambda, bound: Iterable[str] | None = None
) -> set[str]:
    """The names that are local to a function.

    Args:
        bound: the `bindings` of its body, if they are known.
    """
    found = set(bindings(body_of(node)) if bound is None else bound) - declared_nonlocal(node)
    return {p.id for p in parameters(node.args)} | found


def mark_native(node: gast.FunctionDef) -> None:
    """Mark the generator functions in a function: they stay as they are."""
    for inner in outside_expressions([node]):
        if isinstance(inner, gast.FunctionDef) and inner is not node:
            own = own_nodes(inner.body)
            inner.is_native = any(isinstance(part, gast.Yield | gast.YieldFrom) for part in own)


def used_by_native(node: gast.FunctionDef | gast.Lambda) -> set[str]:
    """The names that definitions which stay as they are read from scopes around them, and their
    own names."""
    found: set[str] = set()
    for inner in own_statements(node):
        if is_native(inner):
            found |= reads([inner]) | {inner.name}
        elif isinstance(inner, gast.FunctionDef):
            found |= used_by_native(inner) - local_names(inner)
    return found


def rebound_by_inner(node: gast.FunctionDef | gast.Lambda) -> set[str]:
    """The names that functions in a function assign in scopes around them."""
    found: set[str] = set()
    for inner in own_statements(node):
        if isinstance(inner, gast.FunctionDef):
            found |= declared_nonlocal(inner) | (rebound_by_inner(inner) - local_names(inner))
        elif isinstance(inner, gast.ClassDef):
            parts = outside_expressions([inner])
            declared = (part for part in parts if isinstance(part, gast.Nonlocal))
            found |= {name for declaration in declared for name in declaration.names}
    return found


def targets(node: gast.AST) -> set[str]:
    """The variables of a comprehension."""
    return set(bindings(generator.target for generator in node.generators))


def reads(nodes: Iterable[gast.AST]) -> set[str]:
    """The names read by the nodes, or by functions that they define, from the scope they stand
    in."""
    found: set[str] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        kind = type(node)
        if kind is gast.Name:
            if isinstance(node.ctx, gast.Load | gast.Del):
                found.add(node.id)
        elif kind is gast.Nonlocal:
            found.update(node.names)
        elif isinstance(node, gast.FunctionDef | gast.Lambda):
            found |= free_reads(node)
            todo += evaluated_at_definition(node)
        elif kind in COMPREHENSIONS:
            found |= free_reads(node)
            todo.append(node.generators[0].iter)
        else:
            todo += children(node)
    return found


def free_reads(node: gast.AST) -> set[str]:
    """The names that the body of a function or comprehension reads from around it."""
    if not isinstance(node, gast.FunctionDef | gast.Lambda):
        parts = [part for g in node.generators for part in (g.target, *g.ifs)]
        parts += [generator.iter for generator in node.generators[1:]] + results(node)
        return reads(parts) - targets(node)
    return reads(body_of(node)) - local_names(node)
