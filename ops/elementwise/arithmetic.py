"""Sums, products, quotients and remainders, and what has to do with signs."""

from __future__ import annotations

import operator
from typing import Any

from ops.conversion import astype, conjugate
from ops.elementwise.comparison import equal, not_equal
from ops.elementwise.declaration import all_weak, binary, infix, unary
from ops.registry import dtype_of

__all__ = [
    "absolute",
    "add",
    "copysign",
    "divide",
    "divmod",
    "fabs",
    "floor_divide",
    "fmod",
    "heaviside",
    "multiply",
    "negative",
    "positive",
    "remainder",
    "sign",
    "subtract",
]

add = binary("add", 1, 1, "``x + y``.", **infix("+", operator.add))

subtract = binary("subtract", 1, -1, "``x - y``.", **infix("-", operator.sub))

multiply = binary(
    "multiply",
    lambda x, y, out: y,
    lambda x, y, out: x,
    "``x * y``.",
    **infix("*", operator.mul),
)

divide = binary(
    "divide",
    lambda x, y, out: divide(1, y),
    lambda x, y, out: negative(divide(out, y)),
    "``x / y``.",
    safe=0.5,
    raises=all_weak,
    **infix("/", operator.truediv),
)

floor_divide = binary(
    "floor_divide",
    None,
    None,
    "``x // y``: the quotient rounded down.",
    raises=all_weak,
    **infix("//", operator.floordiv),
)

remainder = binary(
    "remainder",
    1,
    lambda x, y, out: negative(floor_divide(x, y)),
    "``x % y``, with the sign of ``y``.",
    safe=0.5,
    raises=all_weak,
    **infix("%", operator.mod),
)


def _truncated_quotient(x: Any, y: Any, out: Any) -> Any:
    """How many times ``y`` was subtracted. ``trunc(x / y)`` is another number where the quotient
    rounds up: 1 / 0.1 is 10, but ``fmod(1, 0.1)`` is ``1 - 9 * 0.1``."""
    from ops.elementwise.rounding import rint

    return rint(divide(subtract(x, out), y))


fmod = binary(
    "fmod",
    1,
    lambda x, y, out: negative(_truncated_quotient(x, y, out)),
    "The remainder of ``x / y`` with the sign of ``x``, as in C.",
    safe=0.5,
)


def divmod(x: Any, y: Any) -> tuple[Any, Any]:
    """``(x // y, x % y)``."""
    return floor_divide(x, y), remainder(x, y)


negative = unary("negative", -1, "``-x``.", code="-{0}", python=operator.neg)

positive = unary("positive", 1, "``+x``.", code="+{0}", python=operator.pos)


def _absolute_partial(x: Any, out: Any) -> Any:
    if dtype_of(x).kind == "c":
        return divide(multiply(conjugate(x), not_equal(out, 0)), add(out, equal(out, 0)))
    return sign(x)


absolute = unary(
    "absolute",
    _absolute_partial,
    "The absolute value. Its derivative at 0 is taken to be 0, also that of complex numbers.",
    code="abs({0})",
    python=operator.abs,
)

fabs = unary(
    "fabs",
    lambda x, out: sign(x),
    "The absolute value, of real numbers as floats. Its derivative at 0 is taken to be 0.",
)

sign = unary("sign", None, "-1, 0 or 1, by the sign; of a complex number ``x / abs(x)``.")

copysign = binary(
    "copysign",
    lambda x, y, out: astype(copysign(sign(x), multiply(sign(x), y)), dtype_of(out)),
    None,
    "``x`` with the sign of ``y``. Its derivative at ``x = 0`` is taken to be 0.",
)

heaviside = binary(
    "heaviside",
    None,
    lambda x, y, out: astype(equal(x, 0), dtype_of(out)),
    "0 below zero, 1 above it, and the second operand at zero.",
)
