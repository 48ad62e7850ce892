"""Looking up in what is sorted: positions, bins, and interpolation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.arrays.indexing import subscript
from ops.arrays.joining import array, concatenate
from ops.arrays.rearrange import flip, take
from ops.arrays.reduction import any, unwrapped
from ops.control import effects
from ops.core import kernels
from ops.core.batching import Size
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, concrete, dims_of, dtype_of, ndim_of
from ops.core.registry import Custom
from ops.core.symbolic_lengths import bits_of, is_length
from ops.core.texts import array_text
from ops.core.types import ArrayType
from ops.elementwise import (
    absolute,
    add,
    divide,
    equal,
    greater,
    isnan,
    less,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    multiply,
    not_equal,
    remainder,
    subtract,
)
from ops.elementwise.conversion import astype, where
from ops.numbers.complex_numbers import complex_of_parts, imag, real
from ops.order.sorting import argsort
from ops.structure.lanes import all_with_lanes
from ops.structure.reshaping import count

__all__ = [
    "digitize",
    "interp",
    "searchsorted",
]


def _searchsorted_infer(a: ArrayType, v: ArrayType, side: str) -> tuple[ArrayType]:
    return (ArrayType(np.dtype(np.intp), v.shape),)


def searched_rows(a, v, side):
    """``np.searchsorted`` of each vector along the last axis of ``a``, for what ``v`` has in its
    place: by halving, for all at once."""
    n, lead, shape, dtype = a.shape[-1], a.ndim - 1, v.shape, np.result_type(a, v)
    rows = count = 1
    for axis, length in enumerate(shape):
        rows, count = (rows * length, count) if axis < lead else (rows, count * length)
    a, v = a.reshape(rows, n).astype(dtype), v.reshape(rows, count).astype(dtype)
    first, last = np.zeros(v.shape, "int64"), np.full(v.shape, n, "int64")
    for _ in range(n.bit_length()):
        middle = (first + last) // 2
        x = np.take_along_axis(a, np.minimum(middle, n - 1), 1)
        # NaN is larger than all numbers.
        if side == "left":
            before = (x < v) | ((v != v) & (x == x))
        else:
            before = ~((v < x) | ((x != x) & (v == v)))
        before = before & (first < last)
        first = np.where(before, middle + 1, first)
        last = np.where(before, last, middle)
    return first.reshape(shape)


def _searchsorted_code(
    args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]
) -> str:
    v = array_text(args[1], types[1])
    name = "np.searchsorted" if types[0].ndim == 1 else "searched_rows"
    return f"{name}({args[0]}, {v}, side='{attrs['side']}')"


def _searchsorted_batch(size: Size, batched: Sequence[bool], args: Sequence[Any], side: str) -> Any:
    args = args if not batched[0] else all_with_lanes(size, batched, args)
    return searchsorted.apply(args, {"side": side})


def _searchsorted_prepare(a: Any, v: Any, side: str = "left", sorter: Any = None) -> tuple:
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right' (got {side!r})")
    a, v = (array(z) if isinstance(z, (list, tuple)) else z for z in (a, v))
    if ndim_of(a) != 1:
        raise ValueError(f"object {'too deep' if ndim_of(a) else 'of too small depth'}")
    if sorter is not None:
        sorter = array(sorter) if isinstance(sorter, (list, tuple)) else sorter
        if dtype_of(sorter).kind not in "iu":
            raise TypeError("sorter must only contain integers")
        if dims_of(sorter) != dims_of(a) and None not in (*dims_of(sorter), *dims_of(a)):
            raise ValueError("sorter.size must equal a.size")
        a = take(a, sorter, 0)
    return (a, v), {"side": side}


def is_before(x: Any, key: Any, side: str) -> Any:
    """Whether an element of a sorted vector is before the place of another one, in a kernel. NaN
    comes last."""
    if side == "left":
        return (x < key) | ((key != key) & (x == x))
    return ~((key < x) | ((x != x) & (key == key)))


def _searchsorted_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    """By halving, as `searched_rows`."""
    a, v = types
    *lead, n = a.known_shape
    dtype = np.result_type(a.dtype, v.dtype)
    key = kernels.cast(read(1, index), dtype)
    first, last, middle, place = 0, n, n // 2, n // 2
    for step in range(bits_of(n)):
        if step:
            middle = kernels.shift_right(first + last, 1)
            place = kernels.select(middle < n, middle, n - 1)
        x = kernels.cast(read(0, (*index[: len(lead)], place)), dtype)
        before = is_before(x, key, attrs["side"]) & (first < last)
        first = kernels.select(before, middle + 1, first)
        last = kernels.select(before, last, middle)
    return np.int64(0) if not is_length(n) and n == 0 else first


searchsorted = Custom(
    "searchsorted",
    _searchsorted_infer,
    _searchsorted_code,
    helpers=[searched_rows],
    differentiable=False,
    unknown_lengths=True,
    prepare=_searchsorted_prepare,
    batch=_searchsorted_batch,
    native=kernels.Element(_searchsorted_element),
    doc="""Where elements would have to be put into a sorted vector to keep it sorted.

    Args:
        a: the vector.
        v: the elements, a number or an array.
        side: "left" or "right" of the elements equal to them.
        sorter: the indices that sort ``a``, if it is not sorted.

    Raises:
        ValueError: ``a`` is no vector, the side is unknown, or ``sorter`` has another length.
        TypeError: ``sorter`` are no integers.
    """,
    slow=True,
)

covers(np.searchsorted, "a v side sorter", method=True)(searchsorted)


@covers(np.digitize, "x bins right")
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """The index of the bin that each element is in: how many edges are at most as large.

    Args:
        x: an array of real numbers.
        bins: the edges, in ascending or descending order.
        right: whether the right edge belongs to a bin, not the left.

    Raises:
        TypeError: ``x`` is complex.
        ValueError: the edges are not in order.
    """
    if dtype_of(x).kind == "c":
        raise TypeError("x may not be complex")
    bins = concrete(array(bins) if isinstance(bins, (list, tuple)) else bins)
    if dtype_of(bins).kind == "c":
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64')")
    if ndim_of(bins) != 1:
        raise ValueError("object of too small depth for desired array")
    earlier, later = subscript(bins, slice(None, -1)), subscript(bins, slice(1, None))
    ascending, descending = (logical_not(any(wrong(earlier, later))) for wrong in (greater, less))
    effects.check(
        logical_or(ascending, descending),
        error="ValueError",
        message="bins must be monotonically increasing or decreasing",
    )
    side = "left" if right else "right"
    forward = searchsorted(bins, x, side)
    if not isinstance(ascending, Symbolic) and ascending:
        return forward
    backward = subtract(size_of(bins), searchsorted(flip(bins), x, side))
    return unwrapped(where(ascending, forward, backward))


def size_of(x: Any) -> Any:
    """How many elements there are: an int, symbolic if known only at run time."""
    return count(lengths_of(x))


# -- interpolation ---------------------------------------------------------------------------------


@covers(np.interp, "x xp fp left right period")
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The piecewise linear function through the points (xp, fp), constant outside of them.

    At a point where the slope changes the derivative is that to its right.

    Args:
        x: where to evaluate it.
        xp, fp: vectors; ``xp`` is increasing. ``fp`` may be complex.
        left, right: the values outside, in place of those at the ends.
        period: of ``x``; then ``xp`` need not be increasing, and there is no outside.

    Raises:
        TypeError: ``x`` or ``xp`` is complex.
        ValueError: ``xp`` and ``fp`` are no vectors of the same length, or empty, or the period
            is 0.
    """
    x, xp, fp = (concrete(array(z) if isinstance(z, (list, tuple)) else z) for z in (x, xp, fp))
    if "c" in (dtype_of(x).kind, dtype_of(xp).kind):
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64')")
    dtype = np.dtype(np.complex128 if dtype_of(fp).kind == "c" else np.float64)
    x, xp, fp = astype(x, np.float64), astype(xp, np.float64), astype(fp, dtype)
    if ndim_of(xp) != 1 or ndim_of(fp) != 1:
        raise ValueError("Data points must be 1-D sequences")
    m, n = dims_of(xp)[0], dims_of(fp)[0]
    if m != n and None not in (m, n):
        raise ValueError("fp and xp are not of the same length.")
    if m == 0:
        raise ValueError("array of sample points is empty")
    if None in (m, n):
        message = "fp and xp are not of the same length, or empty"
        for holds in (equal(size_of(xp), size_of(fp)), greater(size_of(xp), 0)):
            effects.check(holds, error="ValueError", message=message)
    if period is not None:
        x, xp, fp = _periodic(x, xp, fp, period)
        left = right = None
    ends = [None if z is None else _end(z, dtype) for z in (left, right)]
    if dtype.kind == "f":
        result = _interpolated(x, xp, fp, *ends)
    else:
        parts = [
            _interpolated(x, xp, part(fp), *(None if z is None else part(z) for z in ends))
            for part in (real, imag)
        ]
        result = complex_of_parts(*parts)
    if m == 1 and period is None:  # NumPy does not look for NaN then
        return unwrapped(result)
    return unwrapped(where(isnan(x), astype(x, dtype), result))


def _end(value: Any, dtype: np.dtype) -> Any:
    if dtype_of(value).kind == "c" and dtype.kind != "c":
        raise TypeError("a complex value outside of points with real values")
    return astype(value, dtype)


def _interpolated(x: Any, xp: Any, fp: Any, left: Any, right: Any) -> Any:
    """The interpolation of real values."""
    left = subscript(fp, 0) if left is None else left
    right = subscript(fp, -1) if right is None else right
    first, last = subscript(xp, 0), subscript(xp, -1)
    if dims_of(xp) == (1,):
        result = subscript(fp, 0)
    else:
        result = where(equal(x, last), subscript(fp, -1), _inside(x, xp, fp))
    return where(greater(x, last), right, where(less(x, first), left, result))


def _periodic(x: Any, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """One period of the points, with one more at each end."""
    effects.check(
        not_equal(period, 0), error="ValueError", message="period must be a non-zero value"
    )
    period = astype(absolute(period), np.float64)
    x, xp = remainder(x, period), remainder(xp, period)
    order = argsort(xp)
    xp, fp = take(xp, order, 0), take(fp, order, 0)
    first, last = slice(0, 1), slice(-1, None)
    before, behind = subtract(subscript(xp, last), period), add(subscript(xp, first), period)
    xp = concatenate([before, xp, behind])
    return x, xp, concatenate([subscript(fp, last), fp, subscript(fp, first)])


def _inside(x: Any, xp: Any, fp: Any) -> Any:
    """The interpolation between the points; any number elsewhere."""
    last = subtract(size_of(xp), 1)
    i = subtract(searchsorted(xp, x, "right"), 1)
    i = maximum(minimum(i, subtract(last, 1)), 0)
    j = minimum(add(i, 1), last)
    left, right = subscript(xp, i), subscript(xp, j)
    low, high = subscript(fp, i), subscript(fp, j)
    width = subtract(right, left)
    slope = divide(subtract(high, low), where(equal(width, 0), 1.0, width))
    result = add(multiply(slope, subtract(x, left)), low)
    if not isinstance(fp, Symbolic) and np.all(np.isfinite(fp)):
        return result
    # Infinite values at the ends: NumPy tries from the right, and takes what both ends are.
    again = add(multiply(slope, subtract(x, right)), high)
    again = where(logical_and(isnan(again), equal(low, high)), low, again)
    again = where(equal(x, left), low, again)
    return where(isnan(result), again, result)
