"""Reductions of the elements that are not NaN.

NaN is replaced by a number that does not matter before anything is computed with it, so that no
derivative is NaN because of it: by an element that is NaN the derivative is 0. Arrays of integers
and booleans have no NaN; their reductions are the ordinary ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ops.arrays.cumulative import cumprod, cumsum, prod_from
from ops.arrays.reduction import all, any, argmax, argmin, max_from, min_from, sum_from, unwrapped
from ops.control import effects
from ops.core.numpy_table import covers
from ops.core.operands import dtype_of
from ops.core.registry import Op
from ops.core.types import numpy_dtype
from ops.elementwise import divide, isnan, less_equal, logical_not, subtract
from ops.elementwise.conversion import astype
from ops.elementwise.conversion import where as choose
from ops.statistics.moments import as_divisor, degrees, mean, root_of_variance, squared_size, var

__all__ = [
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]


def _has_nan(x: Any) -> bool:
    """Whether there may be NaN in arrays of this dtype."""
    return dtype_of(x).kind in "fc"


def replaced(x: Any, number: float) -> Any:
    """``x`` with another number in the place of NaN."""
    return choose(isnan(x), dtype_of(x).type(number), x) if _has_nan(x) else x


# -- totals ----------------------------------------------------------------------------------------


@covers(np.nansum, "a axis dtype out keepdims initial where")
def nansum(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The sum of the elements that are not NaN; the arguments are those of ``np.sum``."""
    return sum_from(replaced(x, 0), axis, dtype, keepdims, initial, where)


@covers(np.nanprod, "a axis dtype out keepdims initial where")
def nanprod(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The product of the elements that are not NaN; the arguments are those of ``np.prod``."""
    return prod_from(replaced(x, 1), axis, dtype, keepdims, initial, where)


@covers(np.nancumsum, "a axis dtype out")
def nancumsum(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """`cumsum` with NaN counting as 0."""
    return cumsum(replaced(x, 0), axis, dtype)


@covers(np.nancumprod, "a axis dtype out")
def nancumprod(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """`cumprod` with NaN counting as 1."""
    return cumprod(replaced(x, 1), axis, dtype)


# -- means and variances ---------------------------------------------------------------------------


def _checked_dtype(dtype: Any) -> Any:
    if dtype is not None and numpy_dtype(dtype).kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")
    return dtype


def _numbers(x: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    """How many elements are not NaN."""
    return sum_from(logical_not(isnan(x)), axis, np.intp, keepdims, where=where)


def _per(total: Any, count: Any) -> Any:
    """``total / count`` in the dtype of the total."""
    return astype(divide(total, as_divisor(count, total)), dtype_of(total))


@covers(np.nanmean, "a axis dtype out keepdims where")
def nanmean(
    x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, where: Any = True
) -> Any:
    """The mean of the elements that are not NaN; NaN of none. The arguments are those of `mean`.

    Raises:
        TypeError: numbers with a fraction are to be added as integers.
    """
    if not _has_nan(x):
        return mean(x, axis, dtype, keepdims, where)
    total = sum_from(replaced(x, 0), axis, _checked_dtype(dtype), keepdims, where=where)
    return _per(total, _numbers(x, axis, keepdims, where))


@covers(np.nanvar, "a axis dtype out ddof keepdims where mean correction")
def nanvar(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """The variance of the elements that are not NaN; NaN if they are not more than ``ddof``.

    The arguments are those of `var`.
    """
    if not _has_nan(x):
        return var(x, axis, dtype, ddof, keepdims, where, mean, correction)
    ddof = degrees(ddof, correction)
    dtype = _checked_dtype(dtype)
    numbers = replaced(x, 0)
    if mean is None:
        total = sum_from(numbers, axis, dtype, True, where=where)
        mean = _per(total, _numbers(x, axis, True, where))
    distance = astype(subtract(numbers, mean), dtype_of(x))
    distance = choose(isnan(x), dtype_of(x).type(0), distance)
    squares = squared_size(distance)
    count = subtract(_numbers(x, axis, keepdims, where), ddof)
    none = less_equal(count, 0)
    total = sum_from(squares, axis, dtype, keepdims, where=where)
    result = _per(total, choose(none, dtype_of(count).type(1), count))
    return unwrapped(choose(none, dtype_of(result).type(np.nan), result))


@covers(np.nanstd, "a axis dtype out ddof keepdims where mean correction")
def nanstd(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """The square root of `nanvar`, with the same arguments; for the derivative at 0 see `std`."""
    return root_of_variance(nanvar(x, axis, dtype, ddof, keepdims, where, mean, correction))


# -- extrema ---------------------------------------------------------------------------------------


def _extremum(
    reduce: Callable, x: Any, limit: Any, axis: Any, keepdims: bool, initial: Any, where: Any
) -> Any:
    """An extremum of the elements that are not NaN; NaN if none is left."""
    if not _has_nan(x):
        return reduce(x, axis, keepdims, initial, where)
    result = reduce(replaced(x, limit), axis, keepdims, initial, where)
    if initial is not None:
        return result
    none = all(isnan(x), axis, keepdims)
    return unwrapped(choose(none, dtype_of(result).type(np.nan), result))


def _infinite(x: Any, sign: int) -> Any:
    """The number that comes last, or first, in the order of numbers."""
    return complex(sign * np.inf, sign * np.inf) if dtype_of(x).kind == "c" else sign * np.inf


@covers(np.nanmax, "a axis out keepdims initial where")
def nanmax(
    x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """The largest element along ``axis`` that is not NaN; NaN if there is none.

    Args:
        x: an array.
        axis, keepdims: as for `max`.
        initial: another number to begin with.
        where: which elements to take, with ``initial`` only.
    """
    return _extremum(max_from, x, _infinite(x, -1), axis, keepdims, initial, where)


@covers(np.nanmin, "a axis out keepdims initial where")
def nanmin(
    x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """The smallest element along ``axis`` that is not NaN, as `nanmax`."""
    return _extremum(min_from, x, _infinite(x, 1), axis, keepdims, initial, where)


def _position(op: Op, x: Any, limit: Any, axis: Any, keepdims: bool) -> Any:
    if not _has_nan(x):
        return op(x, axis, keepdims)
    result = op(replaced(x, limit), axis, keepdims)
    effects.check(
        logical_not(any(all(isnan(x), axis))),
        error="ValueError",
        message="All-NaN slice encountered",
    )
    return result


@covers(np.nanargmax, "a axis out keepdims")
def nanargmax(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The index of the first largest element that is not NaN, along one axis or of all.

    Raises:
        ValueError: there is none.
    """
    return _position(argmax, x, _infinite(x, -1), axis, keepdims)


@covers(np.nanargmin, "a axis out keepdims")
def nanargmin(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The index of the first smallest element that is not NaN, as `nanargmax`."""
    return _position(argmin, x, _infinite(x, 1), axis, keepdims)
