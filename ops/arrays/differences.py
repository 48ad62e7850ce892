"""Differences of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.indexing import getitem
from ops.arrays.joining import array, axis_slice, concatenate
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import dtype_of, index_of, ndim_of, operand_type
from ops.elementwise import not_equal, subtract
from ops.elementwise.conversion import astype
from ops.structure.broadcasting import broadcast_to
from ops.structure.reshaping import ravel

__all__ = [
    "diff",
    "ediff1d",
]


@covers(np.diff, "a n axis prepend append")
def diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours along an axis, taken ``n`` times.

    Args:
        x: an array; of booleans, it is told whether neighbours differ.
        n: how often.
        axis: the axis.
        prepend, append: what to put before and behind ``x`` first, scalars or arrays.

    Raises:
        ValueError: ``n`` is negative, or ``x`` a scalar.
    """
    ndim, n = ndim_of(x), index_of(n)
    if n == 0:
        return x
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = normalize_axis_index(axis, ndim)
    parts = [x if part is x else _slab(part, x, axis) for part in (prepend, x, append)]
    parts = [part for part in parts if part is not None]
    if len(parts) > 1:
        x = concatenate(parts, axis)
    for _ in range(n):
        x = _difference(x, axis)
    return x


def _slab(part: Any, x: Any, axis: int) -> Any:
    """What is put before or behind ``x``; a scalar as an array of length 1."""
    if part is None:
        return None
    if isinstance(part, (list, tuple)):
        part = array(part)
    if ndim_of(part):
        return part
    if operand_type(part).weak:
        part = astype(part, dtype_of(part))
    lengths = lengths_of(x)
    return broadcast_to(part, (*lengths[:axis], 1, *lengths[axis + 1 :]))


def _difference(x: Any, axis: int) -> Any:
    later = getitem(x, index=axis_slice(ndim_of(x), axis, 1, None))
    earlier = getitem(x, index=axis_slice(ndim_of(x), axis, None, -1))
    return (not_equal if dtype_of(x).kind == "b" else subtract)(later, earlier)


@covers(np.ediff1d, "ary to_end to_begin")
def ediff1d(x: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours among the elements of ``x`` in C order.

    Args:
        x: an array.
        to_end, to_begin: what to put behind and before them, converted to the dtype of ``x``.

    Raises:
        TypeError: these can't be converted, by the rule "same_kind".
    """
    x = ravel(x)
    if dtype_of(x).kind == "b":
        subtract(x, x)  # raises NumPy's TypeError
    parts = [_difference(x, 0)]
    for name, part, place in (("to_begin", to_begin, 0), ("to_end", to_end, len(parts) + 1)):
        if part is None:
            continue
        part = array(part) if isinstance(part, (list, tuple)) else part
        found = operand_type(part)
        if not np.can_cast(found.dtype, dtype_of(x), "same_kind"):
            raise TypeError(
                f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule."
            )
        parts.insert(place, astype(ravel(part), dtype_of(x)))
    return concatenate(parts, 0) if len(parts) > 1 else parts[0]
