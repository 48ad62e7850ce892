"""Exponentials and logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ops.core import complex_scalars, kernels
from ops.core.operands import dtype_of
from ops.elementwise.arithmetic import add, multiply, reciprocal, subtract
from ops.elementwise.comparison import isinf
from ops.elementwise.conversion import astype, where
from ops.elementwise.declaration import binary, unary
from ops.elementwise.extrema import selected

__all__ = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
]


exp = unary(
    "exp",
    lambda x, out: out,
    "The exponential.",
    kernel={"f": kernels.exp},
    complex_kernel=complex_scalars.exponential,
    cost=15,
)

exp2 = unary(
    "exp2",
    lambda x, out: multiply(out, math.log(2)),
    "``2 ** x``.",
    kernel={"f": kernels.exp2},
    cost=15,
)

expm1 = unary(
    "expm1",
    lambda x, out: add(out, 1),
    "``exp(x) - 1``, accurate near 0.",
    kernel={"f": kernels.expm1},
    cost=15,
)

log = unary(
    "log",
    lambda x, out: reciprocal(x),
    "The natural logarithm. Its derivative at 0 is infinite.",
    kernel={"f": kernels.log},
    complex_kernel=complex_scalars.logarithm,
    safe=0.5,
    cost=15,
)

log2 = unary(
    "log2",
    lambda x, out: reciprocal(multiply(x, math.log(2))),
    "The logarithm to base 2.",
    kernel={"f": kernels.log2},
    safe=0.5,
    cost=15,
)

log10 = unary(
    "log10",
    lambda x, out: reciprocal(multiply(x, math.log(10))),
    "The logarithm to base 10.",
    kernel={"f": kernels.log10},
    safe=0.5,
    cost=15,
)

log1p = unary(
    "log1p",
    lambda x, out: reciprocal(add(x, 1)),
    "``log(1 + x)``, accurate near 0.",
    kernel={"f": kernels.log1p},
    safe=0.5,
    cost=15,
)


def _share_of_sum(exponential: Callable, x: Any, y: Any, out: Any) -> Any:
    """``exp(x - out)``; where the sum is 0 or infinite, 1 for the larger operand, 1/2 if equal.

    The infinities are taken out before they are subtracted, so that there is no NaN to leak into
    second derivatives.
    """
    infinite, zero = isinf(out), dtype_of(out).type(0)
    distance = subtract(where(infinite, zero, x), where(infinite, zero, out))
    infinite = astype(infinite, dtype_of(out))
    share = multiply(subtract(1, infinite), exponential(distance))
    return add(share, multiply(infinite, selected(x, y, out)))


def _sum_of_exponentials(x: Any, y: Any) -> Any:
    distance = x - y  # NaN if one is, or if both are the same infinity
    above = x + kernels.log1p(kernels.exp(-distance))
    below = y + kernels.log1p(kernels.exp(distance))
    apart = kernels.select(distance > 0, above, kernels.select(distance <= 0, below, distance))
    return kernels.select(x == y, x + math.log(2), apart)


def _sum_of_powers_of_two(x: Any, y: Any) -> Any:
    distance, scale = x - y, 1 / math.log(2)
    above = x + scale * kernels.log1p(kernels.exp2(-distance))
    below = y + scale * kernels.log1p(kernels.exp2(distance))
    apart = kernels.select(distance > 0, above, kernels.select(distance <= 0, below, distance))
    return kernels.select(x == y, x + 1, apart)


logaddexp = binary(
    "logaddexp",
    lambda x, y, out: _share_of_sum(exp, x, y, out),
    lambda x, y, out: _share_of_sum(exp, y, x, out),
    """``log(exp(x) + exp(y))``.

    Where both operands are -inf, or both inf, each has derivative 1/2, as where they are equal.
    """,
    kernel={"f": _sum_of_exponentials},
    cost=15,
)

logaddexp2 = binary(
    "logaddexp2",
    lambda x, y, out: _share_of_sum(exp2, x, y, out),
    lambda x, y, out: _share_of_sum(exp2, y, x, out),
    "``log2(2**x + 2**y)``, with the derivatives of `logaddexp`.",
    kernel={"f": _sum_of_powers_of_two},
    cost=15,
)
