"""Integers near a number, and the integral and the fractional part."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.numpy_table import covers
from ops.core.operands import dtype_of
from ops.core.registry import Custom, Elementwise
from ops.elementwise.conversion import astype
from ops.elementwise.declaration import unary
from ops.structure.lanes import with_same_attributes

__all__ = [
    "ceil",
    "fix",
    "floor",
    "fraction",
    "modf",
    "rint",
    "rint_through",
    "round_number",
    "trunc",
]

floor = unary(
    "floor",
    None,
    "The largest integer not above ``x``.",
    kernel={"f": kernels.floor, "iub": lambda x: x},
    precision="exact",
)

ceil = unary(
    "ceil",
    None,
    "The smallest integer not below ``x``.",
    kernel={"f": kernels.ceil, "iub": lambda x: x},
    precision="exact",
)

trunc = unary(
    "trunc",
    None,
    "``x`` without its fraction.",
    kernel={"f": kernels.trunc, "iub": lambda x: x},
    precision="exact",
)

rint = unary(
    "rint",
    None,
    "The nearest integer, ties to even.",
    kernel={"f": kernels.rint},
    precision="exact",
)

rint_through = Elementwise(
    "rint_through",
    np.rint,
    partials=[lambda x, out: 1.0],
    code="np.rint({0})",
    doc="""The nearest integer, ties to even, with the derivative of a number that is not rounded.

    It is the straight-through estimator, by which what is rounded can be trained: Y. Bengio, N.
    Leonard, A. Courville, "Estimating or Propagating Gradients Through Stochastic Neurons for
    Conditional Computation", 2013.
    """,
    kernel={"f": kernels.rint},
    precision="exact",
)


def rounded_numbers(x, ndigits):
    """``round(x, ndigits)`` of each element, as a Python number."""
    numbers = [round(number, ndigits) for number in x.reshape(-1).tolist()]
    return np.array(numbers, x.dtype).reshape(x.shape)


round_number = Custom(
    "round_number",
    lambda x, ndigits: (x,),
    lambda args, types, attrs: (
        f"{'round' if types[0].weak else 'rounded_numbers'}({args[0]}, {attrs['ndigits']})"
    ),
    helpers=[rounded_numbers],
    differentiable=False,
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="Python's ``round(x, ndigits)`` of a Python number, which rounds its exact value.",
)


def _fraction(x: Any) -> Any:
    infinite = kernels.fabs(x) == math.inf
    return kernels.copysign(kernels.select(infinite, 0, x - kernels.trunc(x)), x)


fraction = Elementwise(
    "fraction",
    np.modf,
    "np.modf({0})[0]",
    partials=[1],
    kernel={"f": _fraction},
    doc="The fractional part, with the sign of ``x``; 0 of an infinite number.",
    precision="exact",
)


def modf(x: Any) -> tuple[Any, Any]:
    """The fractional and the integral part, both with the sign of ``x``."""
    parts = fraction(x)
    return parts, trunc(astype(x, dtype_of(parts)))


fix = covers(np.fix, "x out")(trunc)
