"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ops.core import complex_scalars, kernels
from ops.core.operands import dtype_of
from ops.core.registry import Elementwise
from ops.elementwise.arithmetic import add, divide, multiply, negative, reciprocal, subtract
from ops.elementwise.declaration import binary, unary
from ops.elementwise.powers import hypot, sqrt, square

__all__ = [
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "rad2deg",
    "radians",
    "sin",
    "sinh",
    "tan",
    "tanh",
]

sin = unary(
    "sin",
    lambda x, out: cos(x),
    "The sine.",
    kernel={"f": kernels.sin},
    complex_kernel=complex_scalars.sine,
    cost=15,
    precision="low",
)

cos: Elementwise = unary(
    "cos",
    lambda x, out: negative(sin(x)),
    "The cosine.",
    kernel={"f": kernels.cos},
    complex_kernel=complex_scalars.cosine,
    cost=15,
    precision="low",
)

tan = unary(
    "tan",
    lambda x, out: add(1, square(out)),
    "The tangent.",
    kernel={"f": kernels.tan},
    complex_kernel=complex_scalars.tangent,
    cost=15,
)


# Beside a branch cut the sign of a zero imaginary part tells the side. ``x - -1`` keeps it, for
# ``-0.0 - 0.0`` is -0.0; ``x + 1`` and ``1 - x`` do not.


def _one_minus_square(x: Any) -> Any:
    """``1 - x**2``, to all digits also near 1."""
    if dtype_of(x).kind == "c":
        return multiply(negative(subtract(x, 1)), subtract(x, -1))
    return multiply(subtract(1, x), add(1, x))


def _by_distance_from_one(x: Any) -> Any:
    return reciprocal(sqrt(_one_minus_square(x)))


arcsin = unary(
    "arcsin",
    lambda x, out: _by_distance_from_one(x),
    "The inverse sine. Its derivatives at 1 and -1 are infinite.",
    kernel={"f": kernels.asin},
    safe=0.5,
    cost=15,
)

arccos = unary(
    "arccos",
    lambda x, out: negative(_by_distance_from_one(x)),
    "The inverse cosine. Its derivatives at 1 and -1 are infinite.",
    kernel={"f": kernels.acos},
    safe=0.5,
    cost=15,
)

arctan = unary(
    "arctan",
    lambda x, out: reciprocal(add(1, square(x))),
    "The inverse tangent.",
    kernel={"f": kernels.atan},
    cost=15,
    precision="low",
)


def _over_square(part: Any, y: Any, x: Any) -> Any:
    """``part / (x**2 + y**2)``, where the squares may overflow."""
    distance = hypot(x, y)
    return divide(divide(part, distance), distance)


arctan2 = binary(
    "arctan2",
    lambda y, x, out: _over_square(x, y, x),
    lambda y, x, out: negative(_over_square(y, y, x)),
    """The angle of the point (x, y); the first operand is ``y``.

    The derivatives at (0, 0), where there is no angle, are NaN.
    """,
    kernel={"f": kernels.atan2},
    safe=0.5,
    cost=30,
)

sinh = unary(
    "sinh",
    lambda x, out: cosh(x),
    "The hyperbolic sine.",
    kernel={"f": kernels.sinh},
    complex_kernel=complex_scalars.hyperbolic_sine,
    cost=15,
)

cosh: Elementwise = unary(
    "cosh",
    lambda x, out: sinh(x),
    "The hyperbolic cosine.",
    kernel={"f": kernels.cosh},
    complex_kernel=complex_scalars.hyperbolic_cosine,
    cost=15,
)

tanh = unary(
    "tanh",
    lambda x, out: subtract(1, square(out)),
    "The hyperbolic tangent.",
    kernel={"f": kernels.tanh},
    complex_kernel=complex_scalars.hyperbolic_tangent,
    cost=15,
    precision="low",
)


def _arcsinh_partial(x: Any, out: Any) -> Any:
    if dtype_of(x).kind == "c":
        return reciprocal(sqrt(subtract(square(x), -1)))
    return reciprocal(hypot(x, 1))


arcsinh = unary(
    "arcsinh",
    _arcsinh_partial,
    "The inverse hyperbolic sine.",
    kernel={"f": kernels.asinh},
    cost=15,
)

arccosh = unary(
    "arccosh",
    # Two roots: that of the product has the wrong sign left of the imaginary axis.
    lambda x, out: reciprocal(multiply(sqrt(subtract(x, 1)), sqrt(subtract(x, -1)))),
    "The inverse hyperbolic cosine. Its derivative at 1 is infinite.",
    kernel={"f": kernels.acosh},
    safe=2.0,
    cost=15,
)

arctanh = unary(
    "arctanh",
    lambda x, out: reciprocal(_one_minus_square(x)),
    "The inverse hyperbolic tangent. Its derivatives at 1 and -1 are infinite.",
    kernel={"f": kernels.atanh},
    safe=0.5,
    cost=15,
)


def _times_ratio(x: Any, above: float, below: float) -> Any:
    """The ratio is rounded to the dtype of ``x`` as NumPy does it: both numbers first."""
    rounded = getattr(x, "dtype", np.dtype(float)).type
    return x * float(rounded(above) / rounded(below))


deg2rad, radians = (
    unary(
        name,
        math.pi / 180,
        "Degrees to radians.",
        linear=(0,),
        kernel={"f": lambda x: _times_ratio(x, math.pi, 180)},
    )
    for name in ("deg2rad", "radians")
)

rad2deg, degrees = (
    unary(
        name,
        180 / math.pi,
        "Radians to degrees.",
        linear=(0,),
        kernel={"f": lambda x: _times_ratio(x, 180, math.pi)},
    )
    for name in ("rad2deg", "degrees")
)
