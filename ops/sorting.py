"""Sorting, and looking up in what is sorted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.conversion import astype, where
from ops.creation import zeros_like
from ops.elementwise import add, divide, isnan, maximum, minimum, multiply, subtract
from ops.indexing import encode_index, index_add, subscript
from ops.lengths import count, lengths_of
from ops.numpy_table import covers
from ops.rearrange import index_along_axis, take_along_axis
from ops.reduction import mean
from ops.registry import Custom, dims_of, dtype_of, ndim_of, shape_of
from ops.structural import moveaxis, reaxed, reshape
from ops.types import ArrayType, Type

__all__ = [
    "argsort",
    "interp",
    "median",
    "searchsorted",
    "sort",
]


def _prepare(x: Any, axis: int | None = -1, kind: str | None = None) -> tuple:
    if axis is None:
        x, axis = reshape(x, -1), 0
    return (x,), {"axis": normalize_axis_index(axis, ndim_of(x)), "kind": kind}


def _code(name: str) -> Callable[[Sequence[str], Sequence[Type], dict[str, Any]], str]:
    def code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
        kind = "" if attrs["kind"] is None else f", kind={attrs['kind']!r}"
        return f"np.{name}({args[0]}, axis={attrs['axis']}{kind})"

    return code


argsort = Custom(
    "argsort",
    lambda x, axis, kind: (ArrayType(np.dtype(np.intp), x.shape),),
    _code("argsort"),
    differentiable=False,
    unknown_lengths=True,
    prepare=_prepare,
    doc="""The indices that sort ``x`` along an axis, or its elements in C order if that is None.

    Args:
        x: an array.
        axis: the axis.
        kind: the algorithm, as for ``np.argsort``; equal elements keep their order if "stable".

    Raises:
        AxisError: the axis is out of range.
    """,
)

covers(np.argsort, "a axis kind order stable", method=True)(argsort)


def _sort_vjp(cts: Sequence, args: Sequence, outs: Sequence, axis: int, kind: Any) -> tuple:
    (x,) = args
    places = index_along_axis(x, argsort(x, axis), axis)
    operands, spec = encode_index(places, dims_of(x))
    return (index_add(zeros_like(cts[0]), cts[0], *operands, index=spec),)


def _sort_jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis: int, kind: Any) -> tuple:
    return (take_along_axis(tangents[0], argsort(args[0], axis), axis),)


sort = Custom(
    "sort",
    lambda x, axis, kind: (x,),
    _code("sort"),
    vjp=_sort_vjp,
    jvp=_sort_jvp,
    unknown_lengths=True,
    prepare=_prepare,
    doc="""The elements in ascending order along an axis, or all of them if ``axis`` is None.

    Args:
        x: an array.
        axis: the axis.
        kind: the algorithm, as for ``np.sort``.

    Raises:
        AxisError: the axis is out of range.
    """,
)

covers(np.sort, "a axis kind order stable")(sort)


@covers(np.median, "a axis out overwrite_input=False keepdims")
def median(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The middle element along an axis, or the mean of the two; NaN if there is one."""
    ndim = ndim_of(x)
    kept = [1 if axis is None or i == axis % ndim else n for i, n in enumerate(lengths_of(x))]
    if axis is None:
        x, axis = reshape(x, -1), 0
    axis = normalize_axis_index(axis, ndim_of(x))
    n = count(lengths_of(x)[axis : axis + 1])
    if dims_of(x)[axis] == 0:
        raise ValueError("the median of no elements has no value")
    ordered = moveaxis(sort(x, axis), axis, -1)
    middle = mean(subscript(ordered, (..., slice((n - 1) // 2, n // 2 + 1))), -1)
    if dtype_of(x).kind in "fc":
        last = subscript(ordered, (..., -1))
        middle = where(isnan(last), last, middle)
    return reaxed(middle, kept) if keepdims else middle


def _searchsorted_infer(a: ArrayType, v: ArrayType, side: str) -> tuple[ArrayType]:
    if a.ndim != 1:
        raise ValueError("object too deep for desired array" if a.ndim else "a has to be a vector")
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right' (got '{side}')")
    return (ArrayType(np.dtype(np.intp), v.shape),)


searchsorted = Custom(
    "searchsorted",
    _searchsorted_infer,
    "np.searchsorted({0}, {1}, side='{side}')",
    differentiable=False,
    unknown_lengths=True,
    prepare=lambda a, v, side="left": ((a, v), {"side": side}),
    doc="""Where elements would have to be put into a sorted vector to keep it sorted.

    Args:
        a: the vector.
        v: the elements.
        side: ``left`` or ``right`` of the elements equal to them.
    """,
)

covers(np.searchsorted, "a v side sorter", method=True)(searchsorted)


@covers(np.interp, "x xp fp left right period")
def interp(x: Any, xp: Any, fp: Any) -> Any:
    """The piecewise linear function through the points (xp, fp), constant outside of them.

    Args:
        x: where to evaluate it.
        xp, fp: vectors; ``xp`` is increasing.

    Raises:
        TypeError: complex numbers.
        NotImplementedError: fewer than two points.
    """
    if "c" in (dtype_of(z).kind for z in (x, xp, fp)):
        raise TypeError("np.interp of complex numbers")
    x, xp, fp = (astype(z, np.float64) for z in (x, xp, fp))
    n = shape_of(xp)[0]
    if n < 2:
        raise NotImplementedError("np.interp through fewer than two points")
    inside = minimum(maximum(x, subscript(xp, 0)), subscript(xp, n - 1))
    i = minimum(maximum(subtract(searchsorted(xp, inside, side="right"), 1), 0), n - 2)
    left, right = subscript(xp, i), subscript(xp, add(i, 1))
    low, high = subscript(fp, i), subscript(fp, add(i, 1))
    slope = divide(subtract(high, low), subtract(right, left))
    return add(multiply(slope, subtract(inside, left)), low)
