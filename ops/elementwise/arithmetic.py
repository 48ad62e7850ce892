"""Sums, products, quotients and remainders, and what has to do with signs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ops import kernels
from ops.conversion import astype, conjugate
from ops.elementwise.comparison import equal, not_equal
from ops.elementwise.declaration import all_weak, binary, infix, unary
from ops.registry import REGISTRY, Errors, dtype_of
from ops.types import Type

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

add = binary(
    "add",
    1,
    1,
    "``x + y``.",
    linear=(0, 1),
    kernel={"iufc": lambda x, y: x + y, "b": lambda x, y: x | y},
    **infix("+", operator.add),
    cheap=True,
)

subtract = binary(
    "subtract",
    1,
    -1,
    "``x - y``.",
    linear=(0, 1),
    kernel={"iufc": lambda x, y: x - y},
    **infix("-", operator.sub),
    cheap=True,
)

multiply = binary(
    "multiply",
    lambda x, y, out: y,
    lambda x, y, out: x,
    "``x * y``.",
    linear=(0, 1),
    kernel={"iufc": lambda x, y: x * y, "b": lambda x, y: x & y},
    **infix("*", operator.mul),
    cheap=True,
)


def _division_errors(types: Sequence[Type], attrs: dict[str, Any]) -> Errors:
    """Python's ints, which have no limit, may be too large for a float."""
    floats = any(type.dtype.kind == "f" for type in types)
    return (ZeroDivisionError,) if floats else (ZeroDivisionError, OverflowError)


divide = binary(
    "divide",
    lambda x, y, out: divide(1, y),
    lambda x, y, out: negative(multiply(out, divide(1, y))),  # which both partials compute once
    "``x / y``.",
    linear=(0,),
    kernel={"f": lambda x, y: x / y},
    safe=0.5,
    raises=all_weak,
    errors=_division_errors,
    **infix("/", operator.truediv),
    cost=4,
)


def _rest_of_floats(x: Any, y: Any) -> Any:
    """The remainder with the sign of ``y``, and NaN where ``y`` is 0."""
    rest = kernels.fmod(x, y)
    other_sign = (rest != 0) & ((y < 0) != (rest < 0))
    rest = kernels.select(other_sign, rest + y, rest)
    return kernels.select(rest == 0, kernels.copysign(rest, y), rest)


def _floor_of_floats(x: Any, y: Any) -> Any:
    rest = kernels.fmod(x, y)
    other_sign = (rest != 0) & ((y < 0) != (rest < 0))
    quotient = (x - rest) / y
    quotient = kernels.select(other_sign, quotient - 1, quotient)
    below = kernels.floor(quotient)
    below = kernels.select(quotient - below > 0.5, below + 1, below)
    result = kernels.select(quotient == 0, kernels.copysign(quotient, x / y), below)
    return kernels.select(y == 0, x / y, result)


# In C a quotient by 0 has no value, and neither has that of the smallest integer and -1.


def _floor_of_integers(x: Any, y: Any) -> Any:
    divisor = kernels.select((y == 0) | (y == -1), 1, y)
    quotient, rest = kernels.quotient(x, divisor), kernels.rest(x, divisor)
    below = kernels.select((rest != 0) & ((rest < 0) != (y < 0)), quotient - 1, quotient)
    return kernels.select(y == 0, 0, kernels.select(y == -1, -x, below))


def _rest_of_integers(x: Any, y: Any) -> Any:
    divisor = kernels.select((y == 0) | (y == -1), 1, y)
    rest = kernels.rest(x, divisor)
    return kernels.select((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def _truncating(operation: Callable) -> Callable:
    """A quotient or rest rounded towards 0, and 0 where the divisor is 0."""

    def kernel(x: Any, y: Any) -> Any:
        return kernels.select(y == 0, 0, operation(x, kernels.select(y == 0, 1, y)))

    return kernel


floor_divide = binary(
    "floor_divide",
    None,
    None,
    "``x // y``: the quotient rounded down.",
    kernel={
        "f": _floor_of_floats,
        "i": _floor_of_integers,
        "u": _truncating(kernels.quotient),
    },
    raises=all_weak,
    errors=(ZeroDivisionError,),
    **infix("//", operator.floordiv),
    cost=4,
)

remainder = binary(
    "remainder",
    1,
    lambda x, y, out: negative(floor_divide(x, y)),
    "``x % y``, with the sign of ``y``.",
    kernel={"f": _rest_of_floats, "i": _rest_of_integers, "u": _truncating(kernels.rest)},
    safe=0.5,
    raises=all_weak,
    errors=(ZeroDivisionError,),
    **infix("%", operator.mod),
    cost=4,
)


def _truncated_quotient(x: Any, y: Any, out: Any) -> Any:
    """How many times ``y`` was subtracted. ``trunc(x / y)`` is another number where the quotient
    rounds up: 1 / 0.1 is 10, but ``fmod(1, 0.1)`` is ``1 - 9 * 0.1``."""
    return REGISTRY["rint"](divide(subtract(x, out), y))


fmod = binary(
    "fmod",
    1,
    lambda x, y, out: negative(_truncated_quotient(x, y, out)),
    "The remainder of ``x / y`` with the sign of ``x``, as in C.",
    kernel={
        "f": kernels.fmod,
        "i": lambda x, y: kernels.rest(x, kernels.select((y == 0) | (y == -1), 1, y)),
        "u": _truncating(kernels.rest),
    },
    safe=0.5,
    cost=30,
)


def divmod(x: Any, y: Any) -> tuple[Any, Any]:
    """``(x // y, x % y)``."""
    return floor_divide(x, y), remainder(x, y)


negative = unary(
    "negative",
    -1,
    "``-x``.",
    linear=(0,),
    code="-{0}",
    python=operator.neg,
    kernel={"iufc": lambda x: -x},
    cheap=True,
)

positive = unary(
    "positive",
    1,
    "``+x``.",
    linear=(0,),
    code="+{0}",
    python=operator.pos,
    kernel={"iufc": lambda x: x},
    cheap=True,
)


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
    kernel={
        "f": kernels.fabs,
        "i": lambda x: kernels.select(x < 0, -x, x),
        "bu": lambda x: x,
    },
    cheap=True,
)

fabs = unary(
    "fabs",
    lambda x, out: sign(x),
    "The absolute value, of real numbers as floats. Its derivative at 0 is taken to be 0.",
    kernel={"f": kernels.fabs},
)

sign = unary(
    "sign",
    None,
    "-1, 0 or 1, by the sign; of a complex number ``x / abs(x)``.",
    kernel={
        "f": lambda x: kernels.select(
            x > 0, 1.0, kernels.select(x < 0, -1.0, kernels.select(x == 0, 0.0, x))
        ),
        "i": lambda x: kernels.select(x > 0, 1, kernels.select(x < 0, -1, x)),
        "u": lambda x: kernels.select(x > 0, 1, x),
    },
    cheap=True,
)

copysign = binary(
    "copysign",
    lambda x, y, out: astype(copysign(sign(x), multiply(sign(x), y)), dtype_of(out)),
    None,
    "``x`` with the sign of ``y``. Its derivative at ``x = 0`` is taken to be 0.",
    kernel={"f": kernels.copysign},
)


def _step(x: Any, y: Any) -> Any:
    at_zero = kernels.select(x == 0, y, x)  # or NaN
    return kernels.select(x < 0, 0.0, kernels.select(x > 0, 1.0, at_zero))


heaviside = binary(
    "heaviside",
    None,
    lambda x, y, out: astype(equal(x, 0), dtype_of(out)),
    "0 below zero, 1 above it, and the second operand at zero.",
    kernel={"f": _step},
)
