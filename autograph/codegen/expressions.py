"""Python expressions as text, put together with the parentheses they need and no others.

An operator's code is a *skeleton*: an expression in which ``__0__``, ``__1__`` ... stand for the
operands. A skeleton is parsed once, to learn how tightly the whole of it binds and how tightly each
operand has to. Substituting texts is then enough: ``a / x`` put for ``__1__`` in ``__0__ + __1__``
needs no parentheses, in ``__0__ * __1__`` it does.
"""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.errors import Location
from ops.core.records import NamedTuple

# How tightly an expression binds, from the loosest to the tightest. A number is looser than a name
# because ``1.real`` is no attribute access.
TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT = range(11)
UNARY, POWER, NUMBER, PRIMARY = range(11, 15)

_BINARY = {
    ast.BitOr: BIT_OR,
    ast.BitXor: BIT_XOR,
    ast.BitAnd: BIT_AND,
    ast.LShift: SHIFT,
    ast.RShift: SHIFT,
    ast.Add: SUM,
    ast.Sub: SUM,
    ast.Mult: PRODUCT,
    ast.Div: PRODUCT,
    ast.FloorDiv: PRODUCT,
    ast.Mod: PRODUCT,
    ast.MatMult: PRODUCT,
    ast.Pow: POWER,
}
_MARKER = re.compile(r"__(\d+)__")


class Expression(NamedTuple):
    """The text of an expression.

    Attributes:
        text: the source.
        level: how tightly it binds, one of the levels above.
        reads: the local variables in it.
        raises: the places, in the user's source, of the operations in it that may raise.
    """

    text: str
    level: int = PRIMARY
    reads: frozenset[str] = frozenset()
    raises: tuple[Location | None, ...] = ()

    def within(self, level: int) -> str:
        """The text as an operand that has to bind at least as tightly as ``level``."""
        return self.text if self.level >= level else f"({self.text})"


class Skeleton(NamedTuple):
    """A parsed skeleton.

    Attributes:
        text: the expression with its markers.
        level: how tightly it binds.
        markers: (operand, level it needs) for each marker, from left to right.
        names: the names it uses besides the markers.
    """

    text: str
    level: int
    markers: tuple[tuple[int, int], ...]
    names: frozenset[str]

    def count(self, operand: int) -> int:
        """How often an operand occurs."""
        return sum(index == operand for index, _ in self.markers)

    def fill(
        self, operands: Sequence[Expression], raises: tuple[Location | None, ...] = ()
    ) -> Expression:
        """The expression with the operands in place of their markers.

        Args:
            raises: the place of what the skeleton stands for, if that may raise.
        """
        if self.markers and self.text == marker(self.markers[0][0]):  # an operand as it is
            operand = operands[self.markers[0][0]]
            return operand._replace(raises=(*operand.raises, *raises))
        texts = iter(operands[index].within(level) for index, level in self.markers)
        reads = frozenset().union(*(operands[index].reads for index, _ in self.markers))
        raises = (*(place for o in operands for place in o.raises), *raises)
        return Expression(_MARKER.sub(lambda _: next(texts), self.text), self.level, reads, raises)


def marker(operand: int) -> str:
    """What stands for an operand in a skeleton."""
    return f"__{operand}__"


@functools.lru_cache(maxsize=4096)
def parse_skeleton(text: str) -> Skeleton:
    """Parse the text of a skeleton."""
    root = ast.parse(text, mode="eval").body
    # The tree has no parentheses; the first column tells whether some enclose the whole.
    enclosed = root.col_offset > 0 or isinstance(root, ast.Tuple)
    found: list[tuple[int, int, int]] = []
    _find_markers(root, TERNARY, found)
    names = {node.id for node in ast.walk(root) if isinstance(node, ast.Name)}
    return Skeleton(
        text,
        PRIMARY if enclosed else _level(root),
        tuple((index, level) for _, index, level in sorted(found)),
        frozenset(name for name in names if not _MARKER.fullmatch(name)),
    )


def _find_markers(node: ast.AST, needed: int, found: list[tuple[int, int, int]]) -> None:
    """Collect (column, operand, level it needs) for the markers in a tree."""
    if isinstance(node, ast.Name) and (match := _MARKER.fullmatch(node.id)):
        found.append((node.col_offset, int(match[1]), needed))
        return
    level = _level(node)
    parts: list[tuple[ast.AST, int]]
    match node:
        case ast.BinOp(op=ast.Pow()):
            parts = [(node.left, POWER + 1), (node.right, UNARY)]
        case ast.BinOp():
            parts = [(node.left, level), (node.right, level + 1)]
        case ast.UnaryOp():
            parts = [(node.operand, level)]
        case ast.Compare():
            parts = [(part, level + 1) for part in (node.left, *node.comparators)]
        case ast.BoolOp():
            parts = [(part, level + 1) for part in node.values]
        case ast.IfExp():
            parts = [(node.body, OR), (node.test, OR), (node.orelse, TERNARY)]
        case ast.Attribute() | ast.Subscript() | ast.Call() | ast.Starred():
            first, *rest = ast.iter_child_nodes(node)
            parts = [(first, PRIMARY), *((part, TERNARY) for part in rest)]
        case _:
            parts = [(part, TERNARY) for part in ast.iter_child_nodes(node)]
    for part, part_level in parts:
        _find_markers(part, part_level, found)


def _level(node: ast.AST) -> int:
    match node:
        case ast.BinOp():
            return _BINARY[type(node.op)]
        case ast.UnaryOp():
            return NOT if isinstance(node.op, ast.Not) else UNARY
        case ast.BoolOp():
            return AND if isinstance(node.op, ast.And) else OR
        case ast.Compare():
            return COMPARE
        case ast.IfExp() | ast.Lambda() | ast.Starred():
            return TERNARY
        case ast.Constant(value=int() | float()):
            return NUMBER
        case _:
            return PRIMARY


# -- literals --------------------------------------------------------------------------------------


def literal(data: Any) -> Expression | None:
    """The expression that evaluates to exactly this scalar, sign of zero and type included.

    Args:
        data: a Python number, a NumPy scalar, or None.

    Returns:
        The expression, or None if the scalar has no short one (extended precision, bfloat16).
    """
    if data is None:
        return Expression("None")
    if isinstance(data, np.generic):
        return _numpy_literal(data)
    return python_literal(data)


def python_literal(data: bool | int | float | complex) -> Expression:
    """That of a Python number."""
    if isinstance(data, complex):
        return Expression(f"complex({_float_text(data.real)}, {_float_text(data.imag)})")
    if isinstance(data, bool):
        return Expression(repr(data))
    text = int.__repr__(data) if isinstance(data, int) else _float_text(float(data))
    level = UNARY if text.startswith("-") else PRIMARY if text.endswith(")") else NUMBER
    return Expression(text, level)


def _float_text(x: float) -> str:
    if math.isfinite(x):
        return float.__repr__(x)
    sign = "-" if math.copysign(1.0, x) < 0 else ""
    # The sign of a NaN is lost in float('-nan'), but not in -float('nan').
    return f"{sign}float('nan')" if math.isnan(x) else f"float('{sign}inf')"


def _numpy_literal(data: np.generic) -> Expression | None:
    kind, name = data.dtype.kind, data.dtype.name
    if kind == "b":
        return Expression(f"np.bool_({bool(data)})")
    if kind in "iu":
        return Expression(f"np.{name}({int(data)})")
    if isinstance(data, np.floating) and data.dtype.itemsize <= 8:
        return Expression(f"np.{name}({_shortest(data)})")
    if kind == "c" and data.dtype.itemsize <= 16:
        return Expression(f"np.{name}({python_literal(complex(data)).text})")
    return None


def _shortest(data: np.floating) -> str:
    """The shortest text that reads back as the same value in the dtype of ``data``."""
    text = str(data)
    if np.isfinite(data) and type(data)(float(text)) == data:
        return text
    return _float_text(float(data))
