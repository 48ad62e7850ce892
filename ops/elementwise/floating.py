"""What floating-point numbers are made of, and their neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.operands import dtype_of
from ops.core.registry import Elementwise
from ops.elementwise.arithmetic import negative
from ops.elementwise.declaration import binary, unary

__all__ = [
    "exponent",
    "frexp",
    "ldexp",
    "mantissa",
    "nextafter",
    "spacing",
]


def _ldexp(x: Any, exponent: Any) -> Any:
    """Beyond 5000 the exponent does not count; it need not fit C's int."""
    if not isinstance(exponent, kernels.Scalar) and exponent.dtype.itemsize > 4:
        exponent = kernels.select(exponent > 5000, 5000, exponent)
        exponent = kernels.select(exponent < -5000, -5000, exponent)
    return kernels.ldexp(x, exponent)


ldexp: Elementwise = binary(
    "ldexp",
    lambda x, y, out: ldexp(dtype_of(out).type(1), y),
    None,
    "``x * 2**y`` with an integer ``y``.",
    linear=(0,),
    mixed=True,
    kernel={"f": _ldexp},
)

exponent = Elementwise(
    "exponent",
    np.frexp,
    "np.frexp({0})[1]",
    partials=[None],
    kernel={"f": kernels.exponent},
    doc="The integer n for which ``x / 2**n`` is at least 0.5 and below 1; 0 of 0.",
)

mantissa = Elementwise(
    "mantissa",
    np.spacing,  # whose result types are those of the first result of `np.frexp`
    "np.frexp({0})[0]",
    partials=[lambda x, out: ldexp(dtype_of(out).type(1), negative(exponent(x)))],
    kernel={"f": kernels.mantissa},
    doc="``x / 2**n``, where n is the `exponent`.",
)


def frexp(x: Any) -> tuple[Any, Any]:
    """The `mantissa` and the `exponent` of ``x``."""
    return mantissa(x), exponent(x)


nextafter = binary(
    "nextafter",
    1,
    None,
    "The next floating-point number after ``x`` in the direction of ``y``.",
    kernel={"f": kernels.nextafter},
)

spacing = unary(
    "spacing",
    None,
    "The distance from ``x`` to the next floating-point number away from 0.",
    backends=("numpy",),
)
