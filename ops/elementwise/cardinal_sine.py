"""The function ``sin(pi x) / (pi x)`` and its derivatives, which are finite at 0 to any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core.numpy_table import covers
from ops.core.registry import Custom
from ops.core.texts import array_text
from ops.core.types import ArrayType
from ops.elementwise.arithmetic import multiply
from ops.structure.lanes import with_same_attributes

__all__ = [
    "sinc",
    "sinc_slope",
]


def sinc_derivative(x, order):
    """The derivative of the given order of ``sin(pi x) / (pi x)``.

    With ``u = pi x``: near 0 the Taylor series, whose terms are
    ``(-1)**n u**(2n - order) / ((2n - order)! (2n + 1))``; elsewhere the recurrence that follows
    from ``u f(u) = sin(u)`` when it is differentiated: ``u f' + f = cos(u)`` and so on.
    """
    x = np.asarray(x)
    u = x * np.pi
    near = abs(u) < order + 1
    small, large = np.where(near, u, 0), np.where(near, 1, u)
    series, power, factorial, first = 0.0, 1.0, 1.0, (order + 1) // 2
    for k in range(2 * first - order, 4 * order + 24):
        if k > 0:
            power, factorial = power * small, factorial * k
        if (k + order) % 2 == 0:
            sign = -1.0 if (k + order) // 2 % 2 else 1.0
            series = series + power * (sign / (factorial * (k + order + 1)))
    slopes = (np.sin(large), np.cos(large), -np.sin(large), -np.cos(large))
    value = slopes[0] / large
    for k in range(1, order + 1):
        value = (slopes[k % 4] - k * value) / large
    return (np.where(near, series, value) * np.pi**order).astype(u.dtype)[()]


def _infer(x: ArrayType, order: int) -> tuple[ArrayType]:
    return (ArrayType(np.result_type(x.dtype, 1.0), x.shape),)


def _code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    operand = array_text(args[0], types[0])
    if attrs["order"] == 0:
        return f"np.sinc({operand})"
    return f"sinc_derivative({operand}, {attrs['order']})"


def _slope(x: Any, order: int) -> Any:
    return sinc_slope(x, order=order + 1)


sinc_slope = Custom(
    "sinc_slope",
    _infer,
    _code,
    vjp=lambda cts, args, outs, order: (multiply(cts[0], _slope(args[0], order)),),
    jvp=lambda tangents, args, outs, order: (multiply(tangents[0], _slope(args[0], order)),),
    linear=(),
    zeros="kept",
    helpers=[sinc_derivative],
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="The derivative of the given order of `sinc`.",
)


@covers(np.sinc, "x")
def sinc(x: Any) -> Any:
    """``sin(pi x) / (pi x)``, and 1 at 0."""
    return sinc_slope(x, order=0)
