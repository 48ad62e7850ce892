"""Activation functions, with the names and signatures of ``jax.nn``.

Floats keep their dtype; integers are taken as float64. Where a function has a kink, its derivative
there is the one from the left, 0 for `relu`; where two pieces are joined by `minimum`, as in
`relu6` at 6, it is halfway between both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.indexing import subscript
from ops.core.kernels import select
from ops.core.operands import dtype_of, ndim_of, shape_of
from ops.core.registry import Elementwise
from ops.elementwise import (
    absolute,
    add,
    divide,
    equal,
    exp,
    expm1,
    greater,
    greater_equal,
    less,
    logaddexp,
    minimum,
    multiply,
    negative,
    square,
    subtract,
    tanh,
)
from ops.elementwise.conversion import astype, where
from ops.special import expit, log_expit, ndtr
from ops.special import log_softmax as log_softmax_
from ops.special import softmax as softmax_
from ops.special.sums import as_inexact, finite_max
from ops.structure.broadcasting import sum
from ops.structure.reshaping import expand_dims

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hard_sigmoid",
    "hard_silu",
    "hard_swish",
    "hard_tanh",
    "leaky_relu",
    "log_sigmoid",
    "log_softmax",
    "mish",
    "one_hot",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "soft_sign",
    "softmax",
    "softplus",
    "swish",
]

relu = Elementwise(
    "relu",
    np.positive,
    "np.maximum({0}, 0)",
    partials=[lambda x, out: astype(greater(x, 0), dtype_of(out))],
    kernel={"fiu": lambda x: select(x < 0, 0, x)},
    doc="The larger of ``x`` and 0. The derivative at 0 is 0.",
    precision="exact",
)


def _in_dtype_of(x: Any, function: Any) -> Any:
    """A special function of ``x``, in its dtype: float16 is computed wider."""
    return astype(function(x), dtype_of(x))


def relu6(x: Any) -> Any:
    """`relu`, but not more than 6."""
    return minimum(relu(x), 6)


def leaky_relu(x: Any, negative_slope: Any = 0.01) -> Any:
    """``x`` where it is not negative, ``negative_slope * x`` elsewhere."""
    x = as_inexact(x)
    return where(greater_equal(x, 0), x, multiply(negative_slope, x))


def elu(x: Any, alpha: Any = 1.0) -> Any:
    """``x`` where it is positive, ``alpha * (exp(x) - 1)`` elsewhere."""
    x = as_inexact(x)
    positive = greater(x, 0)
    return where(positive, x, multiply(alpha, expm1(_but(x, positive))))


def _but(x: Any, excluded: Any) -> Any:
    """``x``, with 0 where a function that may overflow is not used."""
    return where(excluded, dtype_of(x).type(0), x)


def celu(x: Any, alpha: Any = 1.0) -> Any:
    """``x`` where it is positive, ``alpha * (exp(x / alpha) - 1)`` elsewhere."""
    x = as_inexact(x)
    positive = greater(x, 0)
    return where(positive, x, multiply(alpha, expm1(divide(_but(x, positive), alpha))))


def selu(x: Any) -> Any:
    """The `elu` that keeps mean 0 and variance 1 (G. Klambauer et al., Self-normalizing neural
    networks, NeurIPS 2017)."""
    return multiply(1.0507009873554804934193349852946, elu(x, 1.6732632423543772848170429916717))


def gelu(x: Any, approximate: bool = True) -> Any:
    """``x`` times the distribution function of the normal distribution at ``x``.

    Args:
        x: an array or number.
        approximate: by the hyperbolic tangent of a polynomial, right to about three digits.
    """
    x = as_inexact(x)
    if not approximate:
        return multiply(x, _in_dtype_of(x, ndtr))
    inner = multiply(0.7978845608028654, add(x, multiply(0.044715, multiply(x, square(x)))))
    return multiply(x, multiply(0.5, add(1.0, tanh(inner))))


def sigmoid(x: Any) -> Any:
    """``1 / (1 + exp(-x))``."""
    return _in_dtype_of(as_inexact(x), expit)


def log_sigmoid(x: Any) -> Any:
    """The logarithm of `sigmoid`."""
    return _in_dtype_of(as_inexact(x), log_expit)


def silu(x: Any) -> Any:
    """``x * sigmoid(x)``, also called swish."""
    x = as_inexact(x)
    return multiply(x, sigmoid(x))


swish = silu


def softplus(x: Any) -> Any:
    """``log(1 + exp(x))``."""
    return logaddexp(as_inexact(x), 0)


def mish(x: Any) -> Any:
    """``x * tanh(softplus(x))``."""
    x = as_inexact(x)
    return multiply(x, tanh(softplus(x)))


def soft_sign(x: Any) -> Any:
    """``x / (1 + abs(x))``."""
    x = as_inexact(x)
    return divide(x, add(1, absolute(x)))


def hard_tanh(x: Any) -> Any:
    """``x`` limited to between -1 and 1."""
    x = as_inexact(x)
    one = dtype_of(x).type(1)
    return where(greater(x, 1), one, where(less(x, -1), negative(one), x))


def hard_sigmoid(x: Any) -> Any:
    """``relu6(x + 3) / 6``."""
    return divide(relu6(add(as_inexact(x), 3)), 6)


def hard_silu(x: Any) -> Any:
    """``x * hard_sigmoid(x)``."""
    x = as_inexact(x)
    return multiply(x, hard_sigmoid(x))


hard_swish = hard_silu


def glu(x: Any, axis: int = -1) -> Any:
    """The first half of ``x`` along an axis times the sigmoid of the second.

    Raises:
        ValueError: the length is odd.
    """
    x = as_inexact(x)
    axis = normalize_axis_index(axis, ndim_of(x))
    length = shape_of(x)[axis]
    if length % 2:
        raise ValueError(f"glu: the length {length} of axis {axis} is odd")
    before = (slice(None),) * axis
    first = subscript(x, (*before, slice(length // 2)))
    return multiply(first, sigmoid(subscript(x, (*before, slice(length // 2, None)))))


def softmax(x: Any, axis: Any = -1, where: Any = None) -> Any:
    """The exponentials divided by their sum along ``axis``.

    Args:
        x: an array or number.
        axis: an axis, a tuple of axes, or None for all.
        where: which elements take part; the others become 0, as all do where none takes part.
    """
    return softmax_(x, axis) if where is None else masked_softmax(as_inexact(x), where, axis)


def masked_softmax(x: Any, mask: Any, axis: Any) -> Any:
    """`softmax` of the elements where ``mask`` is true, without NaN where there are none."""
    x = where(mask, x, dtype_of(x).type(-np.inf))
    raised = exp(subtract(x, finite_max(x, axis)))
    total = sum(raised, axis, keepdims=True)
    return divide(raised, add(total, equal(total, 0)))


def log_softmax(x: Any, axis: Any = -1) -> Any:
    """The logarithm of `softmax`."""
    return log_softmax_(x, axis)


def one_hot(x: Any, num_classes: int, *, dtype: Any = float, axis: int = -1) -> Any:
    """1 at the position that ``x`` says, along a new axis, and 0 elsewhere.

    Args:
        x: integers; those out of range give zeros only.
        num_classes: the length of the new axis.
        dtype: of the result.
        axis: where the new axis is.
    """
    if dtype_of(x).kind not in "iu":
        raise TypeError(f"one_hot() takes integers, not {dtype_of(x)}")
    ndim = ndim_of(x) + 1
    axis = normalize_axis_index(axis, ndim)
    classes = np.arange(num_classes).reshape([-1 if i == axis else 1 for i in range(ndim)])
    return astype(equal(expand_dims(x, axis), classes), dtype)
