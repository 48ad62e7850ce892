"""Means, variances and what is made of them."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ops.arrays.contraction import dot
from ops.arrays.creation import full_like
from ops.arrays.diagonals import diagonal
from ops.arrays.joining import array, concatenate
from ops.arrays.reduction import all, group_size, masked, max, min, unwrapped
from ops.control import effects
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dims_of, dtype_of, index_of, ndim_of, operand_type, shape_of
from ops.core.symbolic_lengths import is_length
from ops.core.types import may_agree, numpy_dtype, weak
from ops.elementwise import (
    add,
    divide,
    equal,
    floor,
    greater,
    greater_equal,
    less_equal,
    maximum,
    minimum,
    multiply,
    not_equal,
    sqrt,
    square,
    subtract,
)
from ops.elementwise.conversion import astype, conjugate, promote
from ops.elementwise.conversion import where as choose
from ops.numbers.complex_numbers import imag, real
from ops.structure.broadcasting import broadcast_to, sum
from ops.structure.identity import copy
from ops.structure.permuting import transpose
from ops.structure.reducing import existing_axes, normalise
from ops.structure.reshaping import expand_dims, reshape, squeeze

__all__ = [
    "average",
    "corrcoef",
    "cov",
    "mean",
    "ptp",
    "std",
    "var",
]

# -- means -----------------------------------------------------------------------------------------


@covers(np.mean, "a axis dtype out keepdims where", method=True)
def mean(
    x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, where: Any = True
) -> Any:
    """The mean along ``axis``; NaN of no elements.

    Args:
        x: an array or number.
        axis, keepdims: as for `sum`.
        dtype: the dtype in which to add and of the result. By default integers and booleans are
            added as float64, float16 as float32.
        where: which elements to take, a boolean array that broadcasts.
    """
    axis = _axes(x, axis, where)
    found = dtype_of(x)
    wide = _wide(found, dtype)
    return astype(_mean(x, axis, wide, keepdims, where), _narrow(found, dtype, wide))


def _mean(x: Any, axis: Any, wide: np.dtype, keepdims: bool, where: Any) -> Any:
    """The mean of what is added in a dtype."""
    found = dtype_of(x)
    total = sum(masked(x, where, found.type(0)), axis, _unless(found, wide), keepdims)
    return divide(total, as_divisor(_group_count(x, axis, keepdims, where), total))


def _axes(x: Any, axis: Any, where: Any) -> tuple[int, ...] | None:
    """The axes to take the mean along; without ``where``, NumPy looks whether there are such."""
    return existing_axes(x, axis) if where is True else normalise(x, axis)


def _wide(found: np.dtype, dtype: Any) -> np.dtype:
    """The dtype to add in."""
    if dtype is not None:
        return numpy_dtype(dtype)
    if found.kind in "biu":
        return np.dtype(np.float64)
    return np.dtype(np.float32) if found == np.float16 else found


def _narrow(found: np.dtype, dtype: Any, wide: np.dtype) -> np.dtype:
    """The dtype of the result."""
    return found if dtype is None and found == np.float16 else wide


def _unless(found: np.dtype, wanted: np.dtype) -> np.dtype | None:
    """The dtype to ask for in order to get the wanted one."""
    return None if found == wanted else wanted


def _group_count(x: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    """How many elements are combined into one: a number, or an array with ``where``."""
    if where is True:
        return group_size(x, axis)
    chosen = masked(full_like(x, True, np.dtype(bool)), where, np.False_)
    return sum(chosen, axis, np.intp, keepdims)


def as_divisor(count: Any, total: Any) -> Any:
    """A count that divides ``total`` without changing its dtype, also if it is 0.

    Python would raise an error where the derivative divides one number by another.
    """
    if dtype_of(total).kind not in "fc" or (isinstance(count, (int, float)) and count):
        return count
    return astype(count, _part(dtype_of(total)))


def _part(dtype: np.dtype) -> np.dtype:
    """The dtype of the real part of numbers of the given dtype."""
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


def weights_like(weights: Any, x: Any, axis: Any) -> Any:
    """Weights that broadcast with ``x``, of those that ``np.average`` takes.

    Raises:
        TypeError, ValueError: their shape is neither that of ``x`` nor that of the axes.
    """
    if isinstance(weights, (list, tuple)):
        weights = array(weights)
    dims, found = dims_of(x), dims_of(weights)
    if may_agree(found, dims):
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = existing_axes(x, axis)
    assert axes is not None
    if not may_agree(found, [dims[i] for i in axes]):
        raise ValueError(
            "Shape of weights must be consistent with shape of a along specified axis."
        )
    weights = transpose(weights, tuple(int(i) for i in np.argsort(axes)))
    missing = tuple(i for i in range(len(dims)) if i not in axes)
    return expand_dims(weights, missing) if missing else weights


@covers(np.average, "a axis weights returned keepdims")
def average(
    x: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: bool = False
) -> Any:
    """The mean along ``axis``, or the weighted mean.

    Args:
        x: an array.
        axis, keepdims: as for `sum`.
        weights: an array of the shape of ``x``, or of that of its ``axis``.
        returned: also give the sum of the weights.

    Raises:
        ZeroDivisionError: the weights add up to 0, or nothing is averaged.
    """
    axis = existing_axes(x, axis)
    if weights is None:
        result = mean(x, axis, keepdims=keepdims)
        if 0 in dims_of(result):
            raise ZeroDivisionError("division by zero")
        total = astype(group_size(x, axis), dtype_of(result)) if returned else None
    else:
        weights = weights_like(weights, x, axis)
        found = dtype_of(x)
        extra = [weak(float)._replace(weak=False)] if found.kind in "biu" else []
        dtype = promote(operand_type(x), operand_type(weights), *extra)
        total = sum(astype(weights, dtype), axis, keepdims=keepdims)
        effects.check(
            all(not_equal(total, 0)),
            error="ZeroDivisionError",
            message="Weights sum to zero, can't be normalized",
        )
        product = multiply(astype(x, dtype), astype(weights, dtype))
        result = divide(sum(product, axis, keepdims=keepdims), total)
    if not returned:
        return result
    if dims_of(total) != dims_of(result):
        total = copy(broadcast_to(total, lengths_of(result)))
    return result, total


@covers(np.ptp, "a axis out keepdims")
def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The distance between the largest and the smallest element along ``axis``."""
    return subtract(max(x, axis, keepdims), min(x, axis, keepdims))


# -- variances -------------------------------------------------------------------------------------


@covers(np.var, "a axis dtype out ddof keepdims where mean correction", method=True)
def var(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """The variance along ``axis``: the mean of the squared distances from the mean.

    Args:
        x: an array.
        axis, dtype, keepdims, where: as for `mean`. The variance of complex numbers is real.
        ddof: what is subtracted from the count before dividing by it.
        mean: the mean if it is known, with the reduced axes kept.
        correction: another name of ``ddof``.
    """
    ddof = degrees(ddof, correction)
    axis = _axes(x, axis, where)
    found = dtype_of(x)
    wide = _wide(found, dtype)
    if mean is None:
        mean = astype(_mean(x, axis, wide, True, where), wide)
    squared = squared_size(subtract(x, mean))
    squared = masked(squared, where, dtype_of(squared).type(0))
    total = sum(squared, axis, dtype, keepdims)
    count = _remaining(_group_count(x, axis, keepdims, where), ddof)
    result = divide(total, as_divisor(count, total))
    if dtype is not None:
        return astype(result, wide)
    return astype(result, np.float16) if found == np.float16 else result


def squared_size(x: Any) -> Any:
    """``abs(x)**2``, without a root of which there is no derivative at 0."""
    return add(square(real(x)), square(imag(x))) if dtype_of(x).kind == "c" else square(x)


def degrees(ddof: Any, correction: Any) -> Any:
    """What is subtracted from the count, which has two names.

    Raises:
        ValueError: it is given by both.
    """
    if correction is None or correction is np._NoValue:
        return ddof
    if (index_of(ddof) if operand_type(ddof) == weak(int) else ddof) != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction


def _remaining(size: Any, ddof: Any) -> Any:
    """``max(size - ddof, 0)``."""
    if not isinstance(size, Symbolic) and not isinstance(ddof, Symbolic) and not ndim_of(size):
        return builtins.max(size - ddof, 0)
    if not isinstance(ddof, Symbolic) and ddof == 0:
        return size
    remaining = subtract(size, ddof)
    return multiply(remaining, greater(remaining, 0))


@covers(np.std, "a axis dtype out ddof keepdims where mean correction", method=True)
def std(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """The standard deviation along ``axis``, the square root of `var`, with the same arguments.

    Where all elements are equal it has no derivative; 0 is taken for it.
    """
    return root_of_variance(var(x, axis, dtype, ddof, keepdims, where, mean, correction))


def root_of_variance(variance: Any) -> Any:
    """The square root, with the derivative 0 at 0 in place of an infinite one."""
    if dtype_of(variance).kind not in "fc":
        return astype(sqrt(variance), dtype_of(variance))
    zero = equal(variance, 0)
    root = sqrt(choose(zero, dtype_of(variance).type(1), variance))
    return unwrapped(choose(zero, dtype_of(variance).type(0), root))


# -- covariances -----------------------------------------------------------------------------------


@covers(np.cov, "m y rowvar bias ddof fweights aweights dtype")
def cov(
    x: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    dtype: Any = None,
) -> Any:
    """The covariance matrix of some variables.

    Args:
        x: a matrix, a variable in each row; or one variable as a vector.
        y: more variables.
        rowvar: False if there is a variable in each column.
        bias: divide by the number of observations, not by one less.
        ddof: what to subtract from that number, whatever ``bias`` says.
        fweights: how often each observation was made, integers.
        aweights: the weight of each observation.
        dtype: that of the result, by default at least float64.

    Raises:
        ValueError: ``ddof`` is no integer, there are more than two axes, or weights are negative.
        TypeError: ``fweights`` are no integers.
        RuntimeError: weights are no vector, or of another length.
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    given = [array(z) if isinstance(z, (list, tuple)) else z for z in (x, y) if z is not None]
    for name, z in zip("my", given):
        if ndim_of(z) > 2:
            raise ValueError(f"{name} has more than 2 dimensions")
    if dtype is None:
        dtype = promote(*map(operand_type, given), weak(float)._replace(weak=False))
    rows = [_variables(z, dtype) for z in given]
    if not rowvar:
        turned = [ndim_of(given[0]) != 1, *(dims_of(z)[0] != 1 for z in rows[1:])]
        rows = [transpose(z) if turn else z for z, turn in zip(rows, turned)]
    if dims_of(rows[0])[0] == 0:
        return np.zeros((0, 0))
    x = concatenate(rows, 0) if len(rows) > 1 else rows[0]
    if ddof is None:
        ddof = 0 if bias else 1
    n = lengths_of(x)[1]
    n = n if isinstance(n, int) else n.value
    weights = _frequencies(fweights, x)
    if aweights is not None:
        aweights = _weights(aweights, x, "aweights")
        weights = aweights if weights is None else multiply(weights, aweights)
    centre = average(x, 1, weights)
    if weights is None:
        count = n - int(ddof) if is_length(n) else subtract(n, ddof)
    else:
        count = sum(weights)
        if ddof and aweights is None:
            count = subtract(count, ddof)
        elif ddof:
            count = subtract(count, divide(multiply(ddof, sum(multiply(weights, aweights))), count))
    x = subtract(x, expand_dims(centre, 1))
    right = x if weights is None else multiply(x, weights)
    product = dot(x, conjugate(transpose(right)))
    return squeeze(multiply(product, _inverse_of_count(count)))


def _variables(x: Any, dtype: Any) -> Any:
    """Variables as a matrix; a vector is one row."""
    x = astype(x, dtype)
    return x if ndim_of(x) == 2 else reshape(x, (1, -1))


def _weights(weights: Any, x: Any, name: str) -> Any:
    weights = astype(array(weights) if isinstance(weights, (list, tuple)) else weights, np.float64)
    if ndim_of(weights) > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if shape_of(weights)[0] != shape_of(x)[1]:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    effects.check(
        all(greater_equal(weights, 0)), error="ValueError", message=f"{name} cannot be negative"
    )
    return weights


def _frequencies(weights: Any, x: Any) -> Any:
    if weights is None:
        return None
    if isinstance(weights, (list, tuple)):
        weights = array(weights)
    effects.check(
        all(equal(weights, floor(weights))), error="TypeError", message="fweights must be integer"
    )
    return _weights(weights, x, "fweights")


def _inverse_of_count(count: Any) -> Any:
    """``1 / count``, infinite where that is not positive."""
    if is_length(count):
        return divide(1, count) if count > 0 else np.inf
    if not isinstance(count, Symbolic):
        return 1 / count if count > 0 else np.inf
    count = choose(less_equal(count, 0), 0.0, astype(count, np.float64))
    return divide(1, count)


@covers(np.corrcoef, "x y rowvar dtype")
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Any:
    """The correlation coefficients of some variables; the arguments are those of `cov`."""
    c = cov(x, y, rowvar, dtype=dtype)
    if ndim_of(c) < 2:
        return divide(c, c)
    deviation = sqrt(real(diagonal(c)))
    c = divide(divide(c, expand_dims(deviation, 1)), deviation)
    if dtype_of(c).kind != "c":
        return minimum(maximum(c, -1), 1)
    parts = [minimum(maximum(part, -1), 1) for part in (real(c), imag(c))]
    return add(parts[0], multiply(dtype_of(c).type(1j), parts[1]))
