"""What nodes do with Python's ints: the operators of Python's that they are, and products of which
a kernel computes both halves, since only something of less bits is made of them.
"""

from __future__ import annotations

import ops
from autograph.graph.graph import Constant, Node, Value
from ops.core.python_numbers import PythonOperator
from ops.core.records import NamedTuple
from ops.core.registry import Elementwise
from ops.core.types import ArrayType

_DIVIDING = (ops.remainder, ops.floor_divide, ops.right_shift)
_SUMS = (ops.add, ops.subtract)


def is_int(value: Value) -> bool:
    """Whether a value is one of Python's ints."""
    type = value.type
    return isinstance(type, ArrayType) and type.weak and type.dtype.kind == "i"


def operator_of(node: Node) -> PythonOperator | None:
    """The operator of Python's that is applied to ints, or ints and bools; None if that is not what
    a node does."""
    if not isinstance(node.op, Elementwise) or node.op.python is None:
        return None
    types = [v.type for v in node.inputs]
    of_ints = all(t.weak and t.dtype.kind in "ib" for t in types) and any(map(is_int, node.inputs))
    return node.op.python if of_ints else None


class WideProduct(NamedTuple):
    """A product, and what is added to it or taken from it.

    Attributes:
        x, y, z: ``x * y + z`` or ``x * y - z``.
        made_by: the nodes that compute that, and nothing else.
    """

    x: Value
    y: Value
    z: Value
    subtracts: bool
    made_by: tuple[Node, ...]


def divided_product(node: Node) -> WideProduct | None:
    """The product, or sum with one, that a node divides or shifts, and that may have more than 64
    bits there: it is not checked to be an int64 if nothing else needs it as one."""
    if node.op not in _DIVIDING or operator_of(node) is None:
        return None
    value, by = node.inputs
    is_known = node.op is not ops.right_shift or 0 < (by.literal() or 0) < 128
    return _product(value) if is_known and is_int(by) else None


def _product(value: Value) -> WideProduct | None:
    """The product that a value is, or a sum with one."""
    node = value.producer
    if node is None or not _is_of_ints(node):
        return None
    if node.op is ops.multiply:
        x, y = node.inputs
        return WideProduct(x, y, Constant(0), False, (node,))
    if node.op not in _SUMS:
        return None
    subtracts = node.op is ops.subtract
    for inner, z in (node.inputs, node.inputs[::-1]):
        maker = inner.producer
        if maker is None or maker.op is not ops.multiply or not _is_of_ints(maker):
            continue
        if not (subtracts and inner is node.inputs[1]):
            x, y = maker.inputs
            return WideProduct(x, y, z, subtracts, (maker, node))
    return None


def _is_of_ints(node: Node) -> bool:
    return operator_of(node) is not None and all(map(is_int, node.inputs))
