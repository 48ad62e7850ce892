"""From Python's syntax trees to gast's and back.

gast's own translators ask each node by name for its fields, which took a third of the time to
convert a long function. The kinds that functions mostly consist of have the same fields in both
trees, in all versions of Python, and are translated here; the others, with all in them, by gast.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from typing import Any

import gast

from ops.core.records import NamedTuple

# By the names of kinds, the fields that are nodes or None, those that are lists of nodes, and those
# that are neither. Each node of these kinds has a position.
_FIELDS = {
    "Attribute": ("value ctx", "", "attr"),
    "AugAssign": ("target op value", "", ""),
    "BinOp": ("left op right", "", ""),
    "BoolOp": ("op", "values", ""),
    "Call": ("func", "args keywords", ""),
    "Compare": ("left", "ops comparators", ""),
    "Constant": ("", "", "value kind"),
    "Expr": ("value", "", ""),
    "For": ("target iter", "body orelse", "type_comment"),
    "If": ("test", "body orelse", ""),
    "IfExp": ("test body orelse", "", ""),
    "List": ("ctx", "elts", ""),
    "Return": ("value", "", ""),
    "Slice": ("lower upper step", "", ""),
    "Starred": ("value ctx", "", ""),
    "Subscript": ("value slice ctx", "", ""),
    "Tuple": ("ctx", "elts", ""),
    "UnaryOp": ("op operand", "", ""),
    "While": ("test", "body orelse", ""),
    "keyword": ("value", "", "arg"),
}

_OPERATORS = (ast.boolop, ast.cmpop, ast.operator, ast.unaryop)
_CONTEXTS = (ast.Load, ast.Store, ast.Del)
_SIGNS = [*_CONTEXTS, *(kind for group in _OPERATORS for kind in group.__subclasses__())]
_NAMES = {kind.__name__ for kind in _SIGNS if kind.__module__ in ("ast", "_ast")}

# What says which operator it is, or how a variable is used, has nothing in it: one is enough.
_SIGNS_OF_GAST = {getattr(ast, name): getattr(gast, name)() for name in _NAMES}
_SIGNS_OF_AST = {getattr(gast, name): getattr(ast, name)() for name in _NAMES}


class _Fields(NamedTuple):
    """The fields of a kind, see `_FIELDS`, and the kind in the other trees."""

    other: Any
    nodes: tuple[str, ...]
    lists: tuple[str, ...]
    plain: tuple[str, ...]


def _fields(of: Any, to: Any) -> dict[type, _Fields]:
    return {
        getattr(of, name): _Fields(getattr(to, name), *(tuple(part.split()) for part in parts))
        for name, parts in _FIELDS.items()
    }


_TO_GAST, _TO_AST = _fields(ast, gast), _fields(gast, ast)
_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


# -- to gast's -------------------------------------------------------------------------------------


def to_gast(node: Any) -> Any:
    """A new tree of gast's. Signs, such as contexts and operators, are shared."""
    kind = type(node)
    sign = _SIGNS_OF_GAST.get(kind)
    if sign is not None:
        return sign
    if kind is ast.Name:
        return _placed(gast.Name(node.id, _SIGNS_OF_GAST[type(node.ctx)], None, None), node)
    fields = _TO_GAST.get(kind)
    if fields is not None:
        new = fields.other()
        own = new.__dict__
        for field in fields.plain:
            own[field] = getattr(node, field)
        for field in fields.nodes:
            value = getattr(node, field)
            own[field] = None if value is None else to_gast(value)
        for field in fields.lists:
            own[field] = [to_gast(value) for value in getattr(node, field)]
        return _placed(new, node)
    if kind is ast.Assign:
        targets = [to_gast(target) for target in node.targets]
        return _placed(gast.Assign(targets, to_gast(node.value), node.type_comment), node)
    if kind is ast.FunctionDef and not getattr(node, "type_params", ()):
        args, returns = gast.ast_to_gast(node.args), node.returns and to_gast(node.returns)
        body = [to_gast(statement) for statement in node.body]
        decorators = [to_gast(decorator) for decorator in node.decorator_list]
        comment = node.type_comment
        new = gast.FunctionDef(node.name, args, body, decorators, returns, comment, [])
        return _placed(new, node)
    if kind is ast.Lambda:
        return _placed(gast.Lambda(gast.ast_to_gast(node.args), to_gast(node.body)), node)
    return gast.ast_to_gast(node)


def _placed(new: Any, old: Any) -> Any:
    own = new.__dict__
    own["lineno"], own["col_offset"] = old.lineno, old.col_offset
    own["end_lineno"], own["end_col_offset"] = old.end_lineno, old.end_col_offset
    return new


# -- and back --------------------------------------------------------------------------------------


class ToAst:
    """Translates a tree of gast's. A node that has no position gets that of the node around it, as
    `gast.fix_missing_locations` gives it; so does the translated one.

    Args:
        change: what may come in the place of nodes of some kinds of `_FIELDS`, once translated.
        rest: the same for a tree that gast has translated.
        closed: whether a function stays as it is, with all that is in it.
    """

    def __init__(
        self,
        change: Mapping[type, Callable[[Any], ast.AST]],
        rest: Callable[[ast.AST], Any],
        closed: Callable[[gast.AST], bool],
    ):
        self._change = change
        self._rest = rest
        self._closed = closed

    def node(self, node: Any, around: tuple[Any, ...] = (1, 0, 1, 0)) -> Any:
        """
        Args:
            around: the position of the node around it: line, column, line and column of the end.
        """
        kind = type(node)
        sign = _SIGNS_OF_AST.get(kind)
        if sign is not None:
            return sign
        fields = _TO_AST.get(kind)
        if fields is not None:
            return self._by_fields(node, fields, self._place(node, around))
        if kind is gast.Name and node.annotation is None and type(node.ctx) is not gast.Param:
            line, column, end_line, end_column = self._place(node, around)
            return ast.Name(
                node.id,
                _SIGNS_OF_AST[type(node.ctx)],
                lineno=line,
                col_offset=column,
                end_lineno=end_line,
                end_col_offset=end_column,
            )
        if kind is gast.Assign:
            place = self._place(node, around)
            targets = [self.node(target, place) for target in node.targets]
            return _at(ast.Assign(targets, self.node(node.value, place)), place)
        if kind is gast.Lambda:
            place = self._place(node, around)
            args = self._rest(self._by_gast(node.args, place))
            return _at(ast.Lambda(args, self.node(node.body, place)), place)
        if kind is gast.FunctionDef:
            place = self._place(node, around)
            for decorator in node.decorator_list:
                self._place(decorator, place)
            if not self._closed(node) and not getattr(node, "type_params", ()):
                return self._function(node, place)
        return self._rest(self._by_gast(node, around))

    def _by_gast(self, node: Any, around: tuple[Any, ...]) -> Any:
        gast.fix_missing_locations(_at(gast.Expr(node), around))
        return gast.gast_to_ast(node)

    def _by_fields(self, node: Any, fields: _Fields, place: tuple[Any, ...]) -> Any:
        made: dict[str, Any] = {}
        for field in fields.plain:
            made[field] = getattr(node, field, None)
        for field in fields.nodes:
            value = getattr(node, field)
            made[field] = None if value is None else self.node(value, place)
        for field in fields.lists:
            made[field] = [self.node(value, place) for value in getattr(node, field)]
        made["lineno"], made["col_offset"], made["end_lineno"], made["end_col_offset"] = place
        new = fields.other(**made)
        change = self._change.get(fields.other)
        return new if change is None else change(new)

    def _function(self, node: gast.FunctionDef, place: tuple[Any, ...]) -> ast.FunctionDef:
        made = {
            "name": node.name,
            "args": self._rest(self._by_gast(node.args, place)),
            "body": [self.node(statement, place) for statement in node.body],
            "decorator_list": [self.node(decorator, place) for decorator in node.decorator_list],
            "returns": node.returns and self.node(node.returns, place),
            "type_comment": node.type_comment,
        }
        if sys.version_info >= (3, 12):
            made["type_params"] = []
        return _at(ast.FunctionDef(**made), place)

    def _place(self, node: Any, around: tuple[Any, ...]) -> tuple[Any, ...]:
        own = node.__dict__
        try:
            return (own["lineno"], own["col_offset"], own["end_lineno"], own["end_col_offset"])
        except KeyError:
            for name, value in zip(_PLACE, around):
                if not hasattr(node, name):
                    setattr(node, name, value)
            return tuple([getattr(node, name) for name in _PLACE])


def _at(new: Any, place: tuple[Any, ...]) -> Any:
    new.lineno, new.col_offset, new.end_lineno, new.end_col_offset = place
    return new
