"""Graph values of exactly some type, as the borders of regions need them."""

from __future__ import annotations

from typing import Any

import ops
from autograph.graph.graph import Constant, Value
from autograph.graph.variance import varied
from autograph.staging.arrays.array import GraphArray
from ops.core.symbolic_lengths import is_same
from ops.core.types import ArrayType


def converted(leaf: Any, type: ArrayType) -> Value:
    """``leaf`` as a graph value of exactly ``type``."""
    value = leaf.value if isinstance(leaf, GraphArray) else leaf
    if not isinstance(value, Value):
        value = Constant(value)
    if None in type.shape and not is_same(value.type.shape, type.shape):
        value = ops.refine(value, shape=type.shape)
    if value.type == type:
        return value
    if value.type.invariant() == type.invariant():
        return varied(value, type.varies)
    if isinstance(value, Constant) and value.is_scalar:
        scalar = type.dtype.type(value.data)
        return Constant(scalar.item() if type.weak else scalar)
    return varied(ops.cast(value, dtype=type.dtype.name, weak=type.weak), type.varies)


def placeholder(type: ArrayType) -> Value:
    """A value of the given type that nobody will read."""
    if None in type.shape:
        if type.shape[0] is None and None not in type.shape[1:]:
            return no_rows(type.dtype.name, type.shape[1:])
        nothing = [0 if n is None else n for n in type.shape]
        return ops.refine(ops.full(nothing, Constant(type.dtype.type(0))), shape=type.shape)
    zero = type.dtype.type(0)
    if type.weak:
        return Constant(zero.item())
    return Constant(zero) if type.shape == () else ops.full(type.shape, Constant(zero))


def no_rows(dtype: str, shape: tuple[int | None, ...]) -> Value:
    """A column of no rows, each of which would be of that shape."""
    return ops.no_rows(dtype=dtype, shape=shape).value
