"""Medians, quantiles and percentiles, of all numbers or of those that are not NaN.

All sort, and then take elements or interpolate between neighbours. So a derivative goes to the
elements taken, with the weights of the interpolation; of equal elements the first in their order
counts as the smaller. Where a quantile passes from one pair of neighbours to the next, the
derivative by ``q`` is that towards larger ``q``.

NumPy gives a scalar that is NaN in the dtype of the array, whatever that of ``q`` is. Here the
dtype does not depend on the values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ops.arrays.creation import full_like
from ops.arrays.cumulative import cumsum
from ops.arrays.indexing import subscript
from ops.arrays.joining import array, concatenate
from ops.arrays.rearrange import take_along_axis
from ops.arrays.reduction import all, any, rows_along, unwrapped
from ops.control import effects
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import dims_of, dtype_of, ndim_of, operand_type
from ops.elementwise import (
    add,
    ceil,
    divide,
    equal,
    floor,
    floor_divide,
    greater_equal,
    isnan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    multiply,
    remainder,
    rint,
    subtract,
)
from ops.elementwise.conversion import astype, where
from ops.order.sorting import argsort, partly_sorted
from ops.statistics.moments import mean, weights_like
from ops.statistics.nan_reductions import nanmean
from ops.structure.broadcasting import broadcast_to, sum
from ops.structure.identity import copy
from ops.structure.permuting import moveaxis
from ops.structure.reducing import existing_axes, keep, reduced_shape
from ops.structure.reshaping import expand_dims, reshape

__all__ = [
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
]

# -- medians ---------------------------------------------------------------------------------------


@covers(np.median, "a axis out overwrite_input=* keepdims")
def median(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The middle element along ``axis``, or the mean of the two; NaN if there is one, or none.

    Args:
        x: an array.
        axis, keepdims: as for `sum`.
    """
    axis = existing_axes(x, axis)
    rows = partly_sorted(rows_along(x, axis))
    n = _count(rows)
    middle = mean(subscript(rows, (..., slice((n - 1) // 2, n // 2 + 1))), -1)
    if dtype_of(x).kind in "fc" and not (isinstance(n, int) and n == 0):
        middle = _nan_if(_has_nan(rows), middle)
    return _finished(middle, x, axis, keepdims)


@covers(np.nanmedian, "a axis out overwrite_input=* keepdims")
def nanmedian(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The median of the elements that are not NaN; NaN if there are none."""
    if 0 in dims_of(x):
        return nanmean(x, axis, keepdims=keepdims)
    if dtype_of(x).kind not in "fc":
        return median(x, axis, keepdims)
    axis = existing_axes(x, axis)
    rows, n = _sorted_numbers(x, axis)
    low = maximum(floor_divide(subtract(n, 1), 2), 0)
    pair = [take_along_axis(rows, i, -1) for i in (low, floor_divide(n, 2))]
    odd = equal(remainder(n, 2), 1)
    wide = np.float32 if dtype_of(x) == np.float16 else dtype_of(x)
    half = divide(add(*(astype(z, wide) for z in pair)), 2)
    middle = where(odd, pair[0], astype(half, dtype_of(x)))
    return _finished(subscript(middle, (..., 0)), x, axis, keepdims)


def _count(rows: Any) -> Any:
    """The length of the last axis, symbolic if known only at run time."""
    n = lengths_of(rows)[-1]
    return n if isinstance(n, int) else n.value


def _has_nan(rows: Any) -> Any:
    """Whether there is a NaN in each of the sorted rows."""
    if dims_of(rows)[-1] is None:  # there may be no last element
        return any(isnan(rows), -1)
    return isnan(subscript(rows, (..., -1)))


def _nan_if(bad: Any, result: Any) -> Any:
    return where(bad, dtype_of(result).type(np.nan), result)


def _sorted_numbers(x: Any, axis: Any) -> tuple[Any, Any]:
    """The rows to reduce, sorted with NaN last, and how many numbers are in each."""
    rows = partly_sorted(rows_along(x, axis))
    if dims_of(rows)[-1] is None:  # so that there is an element to take
        end = full_like(rows, np.nan, shape=(*lengths_of(rows)[:-1], 1))
        rows = concatenate([rows, end], -1)
    return rows, sum(logical_not(isnan(rows)), -1, keepdims=True)


def _finished(result: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """A reduction of ``x`` in the shape and of the type that NumPy gives it."""
    if not keepdims:
        return unwrapped(result)
    return keep(result, x, axis) if ndim_of(x) else copy(result)


# -- the methods -----------------------------------------------------------------------------------


class Method(NamedTuple):
    """How a quantile is found in ``n`` sorted elements.

    Attributes:
        place: ``place(n, q)`` is where it is. Between two elements is interpolated; an integer
            stands for an element.
        weight: the weight of the second element, given that of linear interpolation and the place.
    """

    place: Callable
    weight: Callable | None = None


def _between(alpha: float, beta: float) -> Method:
    """The continuous methods of Hyndman and Fan."""

    def place(n: Any, q: Any) -> Any:
        shift = add(multiply(q, 1 - alpha - beta), alpha)
        return subtract(add(multiply(n, q), shift), 1)

    return Method(place, lambda weight, place: weight)


def _nearest_step(place: Any, down: Any) -> Any:
    """One of the neighbours of a place, the one before it where ``down`` is true."""
    before = floor(place)
    return maximum(astype(where(down, before, add(before, 1)), np.intp), 0)


def _inverted_cdf(n: Any, q: Any) -> Any:
    place = subtract(multiply(n, q), 1)
    return _nearest_step(place, equal(place, floor(place)))


def _closest_observation(n: Any, q: Any) -> Any:
    place = subtract(multiply(n, q), 1.5)
    before = floor(place)
    return _nearest_step(place, logical_and(equal(place, before), equal(remainder(before, 2), 1)))


def _last(n: Any, q: Any) -> Any:
    """The place of ``q`` if 1 stands for the last element."""
    return multiply(subtract(n, 1), q)


def _element(rounded: Callable) -> Method:
    return Method(lambda n, q: astype(rounded(_last(n, q)), np.intp))


def _midpoint(n: Any, q: Any) -> Any:
    return multiply(0.5, add(floor(_last(n, q)), ceil(_last(n, q))))


def _half_of(special: float, other: float, condition: Callable) -> Callable:
    """The weight ``special`` where the condition holds, ``other`` elsewhere."""

    def weight(weight: Any, place: Any) -> Any:
        number = dtype_of(weight).type
        return where(condition(weight, place), number(special), number(other))

    return weight


METHODS: dict[str, Method] = {
    "inverted_cdf": Method(_inverted_cdf),
    "averaged_inverted_cdf": Method(
        lambda n, q: subtract(multiply(n, q), 1),
        _half_of(0.5, 1.0, lambda weight, place: equal(weight, 0)),
    ),
    "closest_observation": Method(_closest_observation),
    "interpolated_inverted_cdf": _between(0, 1),
    "hazen": _between(0.5, 0.5),
    "weibull": _between(0, 0),
    "linear": Method(_last, lambda weight, place: weight),
    "median_unbiased": _between(1 / 3, 1 / 3),
    "normal_unbiased": _between(3 / 8, 3 / 8),
    "lower": _element(floor),
    "higher": _element(ceil),
    "midpoint": Method(
        _midpoint, _half_of(0.0, 0.5, lambda weight, place: equal(remainder(place, 1), 0))
    ),
    "nearest": _element(rint),
}

# -- quantiles -------------------------------------------------------------------------------------


@covers(np.quantile, "a q axis out overwrite_input=* method keepdims weights")
def quantile(
    x: Any,
    q: Any,
    axis: Any = None,
    method: str = "linear",
    keepdims: bool = False,
    weights: Any = None,
) -> Any:
    """The numbers below which the parts ``q`` of the elements are.

    Args:
        x: an array of real numbers.
        q: a number from 0 to 1, or an array of them, whose axes come first in the result.
        axis, keepdims: as for `sum`.
        method: how to choose or interpolate; the names are NumPy's, from Hyndman and Fan, Sample
            quantiles in statistical packages, 1996.
        weights: an array of the shape of ``x``, or of that of its ``axis``, for the method
            "inverted_cdf": how often an element counts. There is no derivative by them.

    Raises:
        TypeError: ``x`` is complex.
        ValueError: ``q`` is out of range, or has more than two axes; an unknown method.
        IndexError: there are no elements.
    """
    return _quantile(x, q, axis, method, keepdims, weights)


@covers(np.percentile, "a q axis out overwrite_input=* method keepdims weights")
def percentile(
    x: Any,
    q: Any,
    axis: Any = None,
    method: str = "linear",
    keepdims: bool = False,
    weights: Any = None,
) -> Any:
    """`quantile` with ``q`` from 0 to 100."""
    return _quantile(x, q, axis, method, keepdims, weights, percent=True)


@covers(np.nanquantile, "a q axis out overwrite_input=* method keepdims weights")
def nanquantile(
    x: Any,
    q: Any,
    axis: Any = None,
    method: str = "linear",
    keepdims: bool = False,
    weights: Any = None,
) -> Any:
    """`quantile` of the elements that are not NaN; NaN if there are none."""
    return _quantile(x, q, axis, method, keepdims, weights, numbers_only=True)


@covers(np.nanpercentile, "a q axis out overwrite_input=* method keepdims weights")
def nanpercentile(
    x: Any,
    q: Any,
    axis: Any = None,
    method: str = "linear",
    keepdims: bool = False,
    weights: Any = None,
) -> Any:
    """`percentile` of the elements that are not NaN; NaN if there are none."""
    return _quantile(x, q, axis, method, keepdims, weights, percent=True, numbers_only=True)


def _quantile(
    x: Any,
    q: Any,
    axis: Any,
    method: str,
    keepdims: bool,
    weights: Any,
    percent: bool = False,
    numbers_only: bool = False,
) -> Any:
    if dtype_of(x).kind == "c":
        raise TypeError("a must be an array of real numbers")
    if isinstance(q, (list, tuple)):
        q = array(q)
    is_weak = operand_type(q).weak and dtype_of(q).kind in "if"
    q = astype(q, dtype_of(q))
    message = "Quantiles must be in the range [0, 1]"
    if percent:
        q, message = divide(q, 100), "Percentiles must be in the range [0, 100]"
    inside = all(logical_and(greater_equal(q, 0), less_equal(q, 1)))
    effects.check(inside, error="ValueError", message=message)
    if ndim_of(q) > 2:
        raise ValueError("q must be a scalar or 1d")
    if weights is not None:
        if method != "inverted_cdf":
            raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
        weights = broadcast_to(weights_like(weights, x, axis), lengths_of(x))
        negative = any(less(weights, 0))
        effects.check(
            logical_not(negative), error="ValueError", message="Weights must be non-negative."
        )
    if numbers_only and 0 in dims_of(x):
        return nanmean(x, axis, keepdims=keepdims)
    if method not in METHODS:
        raise ValueError(f"{method!r} is not a valid method; use one of {', '.join(METHODS)}")
    axis = existing_axes(x, axis)
    numbers_only = numbers_only and dtype_of(x).kind == "f"
    if weights is not None:
        rows, weights = rows_along(x, axis), rows_along(weights, axis)
        result = _shaped(
            _weighted(rows, weights, reshape(q, -1), numbers_only), x, q, axis, keepdims
        )
        return result if ndim_of(result) else copy(result)
    if numbers_only:
        rows, n = _sorted_numbers(x, axis)
    else:
        rows = partly_sorted(rows_along(x, axis))
        n = _count(rows)
        if isinstance(n, int) and n == 0:
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    result = _at(METHODS[method], rows, n, reshape(q, -1), is_weak)
    if numbers_only:
        result = _nan_if(equal(n, 0), result)
    elif dtype_of(x).kind == "f":
        result = _nan_if(expand_dims(_has_nan(rows), -1), result)
    result = _shaped(result, x, q, axis, keepdims)
    if not keepdims:
        return unwrapped(result)
    return result if ndim_of(result) else copy(result)


def _shaped(result: Any, x: Any, q: Any, axis: Any, keepdims: bool) -> Any:
    """The quantiles of rows, which are along the last axis, in the shape that NumPy gives them."""
    lengths = reduced_shape(lengths_of(x), axis, keepdims)
    return reshape(moveaxis(result, -1, 0), (*dims_of(q), *lengths))


def _at(method: Method, rows: Any, n: Any, q: Any, is_weak: bool) -> Any:
    """The quantiles in each of the sorted rows, along the last axis.

    Args:
        n: how many elements to look at: an integer or, for each row, an array of length 1.
        q: a vector.
        is_weak: it does not influence the dtype of the result.
    """
    per_row = bool(ndim_of(n))
    place = method.place(astype(n, dtype_of(q)) if per_row and dtype_of(q).kind == "f" else n, q)
    if method.weight is None or (method.place is _last and dtype_of(place).kind in "iu"):
        return _taken(rows, astype(place, np.intp), per_row)
    before, last = floor(place), subtract(n, 1)
    is_last = greater_equal(place, last)
    low = where(is_last, last, maximum(astype(before, np.intp), 0))
    high = where(logical_or(is_last, less(place, 0)), low, add(low, 1))
    weight = astype(method.weight(subtract(place, before), place), dtype_of(place))
    if is_weak:
        weight = astype(weight, dtype_of(rows) if dtype_of(rows).kind == "f" else np.float64)
    low, high = _taken(rows, low, per_row), _taken(rows, high, per_row)
    step, weight = subtract(high, low), _single(weight)
    return where(
        greater_equal(weight, 0.5),
        subtract(high, multiply(step, subtract(1, weight))),
        add(low, multiply(step, weight)),
    )


def _weighted(x: Any, weights: Any, q: Any, numbers_only: bool) -> Any:
    """The quantiles in each row, along the last axis, if its elements count as ``weights`` say.

    That is the first element where the sum of the weights so far, of a total of 1, reaches ``q``.
    Without other axes NumPy gives an array of no axes, but a NaN as a scalar; here it is always an
    array.
    """
    n = _count(x)
    if isinstance(n, int) and n == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    if numbers_only:
        weights = where(isnan(x), dtype_of(weights).type(0), weights)
    order = argsort(x, -1)
    rows, weights = take_along_axis(x, order, -1), take_along_axis(weights, order, -1)
    reached = cumsum(weights, -1, dtype=np.float64)
    reached = divide(reached, subscript(reached, (..., slice(-1, None))))
    empty = isnan(subscript(rows, (..., 0))) if numbers_only else np.False_
    effects.check(
        all(logical_or(empty, logical_not(isnan(subscript(reached, (..., -1)))))),
        error="ValueError",
        message="Weights included NaN, inf or were all zero.",
    )
    if dtype_of(q).kind == "f":
        reached = astype(reached, dtype_of(q))
    # An element that does not count is not the one at 0 either.
    reached = where(equal(reached, 0), dtype_of(reached).type(-1), reached)
    places = sum(less(expand_dims(reached, -1), q), -2)
    result = take_along_axis(rows, minimum(places, subtract(n, 1)), -1)
    if dtype_of(rows).kind != "f":
        return result
    return _nan_if(expand_dims(empty if numbers_only else _has_nan(rows), -1), result)


def _single(x: Any) -> Any:
    """The only element of a known array, which kernels need not read; another array as it is."""
    return x.reshape(())[()] if isinstance(x, np.ndarray) and x.size == 1 else x


def _taken(rows: Any, places: Any, per_row: bool) -> Any:
    """The elements of each row at some places, the same for all rows or some for each."""
    if not per_row:
        place = _single(places)
        if isinstance(place, np.integer):  # counted from the start: a quantile is from 0 to 1
            return subscript(rows, (..., slice(int(place), int(place) + 1)))
        return subscript(rows, (..., places))
    return take_along_axis(rows, maximum(places, 0), -1)
