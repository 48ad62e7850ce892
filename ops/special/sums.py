"""Sums of exponentials, shifted by the largest so that neither they nor derivatives overflow.

The shift has no derivative: that of the result would not depend on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.arrays.reduction import max
from ops.core.lengths import lengths_of
from ops.core.operands import dtype_of, ndim_of, operand_type
from ops.elementwise import (
    absolute,
    add,
    divide,
    equal,
    exp,
    isfinite,
    log,
    logaddexp,
    multiply,
    sign,
    subtract,
)
from ops.elementwise.conversion import astype, stop_gradient, where
from ops.structure.broadcasting import broadcast_to, sum
from ops.structure.reducing import normalise
from ops.structure.reshaping import reshape, squeeze

__all__ = ["log_softmax", "logsumexp", "softmax", "softplus"]


def as_inexact(x: Any) -> Any:
    """The operand as an array of floats: integers and booleans as float64."""
    dtype = dtype_of(x)
    if dtype.kind == "c":
        raise NotImplementedError("softmax or logsumexp of complex numbers; only of real ones")
    return astype(x, np.float64 if dtype.kind in "biu" else dtype)


def finite_max(x: Any, axis: Any) -> Any:
    """The largest elements, with their axes kept, and 0 where they are infinite."""
    if operand_type(x).is_static and not operand_type(x).size:
        return 0.0
    largest = stop_gradient(max(x, axis, keepdims=True))
    return where(isfinite(largest), largest, dtype_of(x).type(0))


def softmax(x: Any, axis: Any = None) -> Any:
    """The exponentials divided by their sum along ``axis``.

    Args:
        x: an array or number; integers are taken as float64.
        axis: an axis, a tuple of axes, or None for all.
    """
    x = as_inexact(x)
    if operand_type(x).is_static and not operand_type(x).size:
        return exp(x)
    raised = exp(subtract(x, stop_gradient(max(x, axis, keepdims=True))))
    return divide(raised, sum(raised, axis, keepdims=True))


def log_softmax(x: Any, axis: Any = None) -> Any:
    """The logarithm of `softmax`, accurate where that is small."""
    x = as_inexact(x)
    shifted = subtract(x, finite_max(x, axis))
    return subtract(shifted, log(sum(exp(shifted), axis, keepdims=True)))


def logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    """The logarithm of the sum of the exponentials along ``axis``.

    Where all elements are minus infinity the result is so too, and its derivative 0.

    Args:
        a: an array or number; integers are taken as float64.
        axis: an axis, a tuple of axes, or None for all.
        b: factors of the exponentials; where one is 0, the element does not count, whatever it is.
        keepdims: keep the reduced axes with length 1.
        return_sign: return the logarithm of the absolute value of the sum, and the sign of the sum.
            Without it the logarithm of a negative sum is NaN.
    """
    a = as_inexact(a)
    if b is not None:
        b = as_inexact(b)
        dtype = np.result_type(dtype_of(a), dtype_of(b))
        shapes: list[Any] = [lengths_of(a), lengths_of(b)]
        shape = np.broadcast_shapes(*shapes)
        a, b = (broadcast_to(astype(x, dtype), shape) for x in (a, b))
        a = where(equal(b, 0), dtype.type(-np.inf), a)
    a = a if ndim_of(a) else reshape(a, 1)  # as SciPy does
    axis = normalise(a, axis)
    shift = finite_max(a, axis)
    raised = exp(subtract(a, shift))
    total = sum(raised if b is None else multiply(b, raised), axis, keepdims=keepdims)
    if not keepdims and ndim_of(shift):
        shift = squeeze(shift, axis)
    size = absolute(total) if return_sign else total
    nothing = equal(size, 0)
    infinite = where(nothing, dtype_of(a).type(-np.inf), dtype_of(a).type(0))
    result = add(add(log(add(size, nothing)), shift), infinite)
    return (result, sign(total)) if return_sign else result


def softplus(x: Any) -> Any:
    """``log(1 + exp(x))``."""
    return logaddexp(0, as_inexact(x))
