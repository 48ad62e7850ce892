"""Finding the elements that are not zero. Only the run knows how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.arrays.indexing import subscript
from ops.arrays.joining import concatenate, stack
from ops.arrays.reduction import any, argmax
from ops.core.batching import Size, require_same
from ops.core.lengths import length
from ops.core.numpy_table import covers
from ops.core.operands import dims_of, ndim_of
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import equal, not_equal, subtract
from ops.elementwise.conversion import where
from ops.structure.reshaping import ravel, reshape

__all__ = [
    "argwhere",
    "flatnonzero",
    "nonzero",
    "nonzero_along",
    "trim_zeros",
]


def _nonzero_infer(x: ArrayType, axis: int) -> tuple[ArrayType]:
    if not x.shape:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
            "instead."
        )
    return (ArrayType(np.dtype(np.intp), (None,)),)


def _nonzero_batch(size: Size, batched: Sequence[bool], args: Sequence[Any], axis: int) -> None:
    require_same(batched, "how many elements are not zero")


nonzero_along = Custom(
    "nonzero_along",
    _nonzero_infer,
    "np.nonzero({0})[{axis}]",
    differentiable=False,
    unknown_lengths=True,
    batch=_nonzero_batch,
    doc="""The positions along one axis of the elements of ``x`` that are not zero, in C order.

    Args:
        x: an array.
        axis: the axis.
    """,
)


@covers(np.nonzero, "a", method=True)
def nonzero(x: Any) -> tuple[Any, ...]:
    """The positions along each axis of the elements of ``x`` that are not zero, in C order.

    Raises:
        ValueError: ``x`` is a scalar.
    """
    return tuple(nonzero_along(x, axis=axis) for axis in range(ndim_of(x) or 1))


@covers(np.flatnonzero, "a")
def flatnonzero(x: Any) -> Any:
    """The positions of the elements that are not zero in ``x`` as a vector."""
    return nonzero_along(ravel(x), axis=0)


@covers(np.argwhere, "a")
def argwhere(x: Any) -> Any:
    """The positions of the elements of ``x`` that are not zero, one in each row."""
    if not ndim_of(x):
        return subscript(stack(nonzero(reshape(x, 1)), axis=1), (slice(None), slice(0, 0)))
    return stack(nonzero(x), axis=1)


@covers(np.trim_zeros, "filt trim axis")
def trim_zeros(x: Any, trim: str = "fb", axis: Any = None) -> Any:
    """``x`` without the zeros at its ends.

    Args:
        x: an array.
        trim: where to leave them out: "f" for the front, "b" for the back, or both.
        axis: the axes along which there are ends, by default all. What is left out is zero along
            the other axes.

    Raises:
        ValueError: ``trim`` is something else.
        NotImplementedError: ``x`` is a list, of which NumPy makes a list.
    """
    if isinstance(x, (list, tuple)):
        raise NotImplementedError("np.trim_zeros of a list; make an array of it with np.array")
    if not trim or set(trim.lower()) - {"f", "b"}:
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    ndim = ndim_of(x)
    axes = range(ndim) if axis is None else normalize_axis_tuple(axis, ndim)
    if not ndim:
        return x
    nonzeros = not_equal(x, 0)
    index = [slice(None)] * ndim
    for i in axes:
        line = any(nonzeros, tuple(j for j in range(ndim) if j != i))
        n = dims_of(line)[0]
        n = length(line) if n is None else n
        line = concatenate([line, np.ones(1, bool)])  # where there is no other
        start = argmax(line) if "f" in trim.lower() else None
        empty = equal(start, n) if start is not None else equal(argmax(line), n)
        back = argmax(concatenate([subscript(line, slice(-2, None, -1)), np.ones(1, bool)]))
        stop = None if "b" not in trim.lower() else where(empty, 0, subtract(n, back))
        index[i] = slice(start if start is not None else where(empty, n, 0), stop)
    return subscript(x, tuple(index))


@covers(np.where)
def choose_or_find(condition: Any, x: Any = None, y: Any = None) -> Any:
    """``np.where``: a choice, or with one argument where it is true."""
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return where(condition, x, y)
