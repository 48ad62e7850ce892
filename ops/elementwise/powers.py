"""Powers and roots."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops import kernels
from ops.conversion import astype, cast
from ops.elementwise.arithmetic import add, divide, multiply, negative, subtract
from ops.elementwise.comparison import bitwise_or, equal, logical_and, not_equal
from ops.elementwise.declaration import binary, unary
from ops.elementwise.exponential import log
from ops.registry import dtype_of, literal, operand_type
from ops.types import Type

__all__ = [
    "cbrt",
    "float_power",
    "hypot",
    "power",
    "reciprocal",
    "sqrt",
    "square",
]


def real_power(x, y):
    """``x ** y`` of Python numbers, where Python picks the type of the result by its value."""
    power = x**y
    if not isinstance(power, type(x * y)):
        raise ValueError(
            f"{x!r} ** {y!r} is {power!r}, of type {type(power).__name__}, "
            f"but the compiled program needs a result of type {type(x * y).__name__}; "
            "convert the base to the type of the result"
        )
    return power


def _power_code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
    if all(t.weak for t in types) and not _is_natural(args[1]):
        return f"real_power({args[0]}, {args[1]})"
    base, exponent = types
    # Where ``**`` finds the exponent to be 2 it squares the base: booleans become int8, and before
    # NumPy 2.2 the exponent's dtype does not count. The dtype must not depend on the value.
    if base.dtype.kind == "b" or not (exponent.weak or base.dtype == exponent.dtype):
        return f"np.power({args[0]}, {args[1]})"
    return f"{args[0]} ** {args[1]}"


def _is_natural(text: str) -> bool:
    """Whether the text is a literal integer from zero up: powers to it have the base's type."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return isinstance(value, (int, float)) and value >= 0 and float(value).is_integer()


def _power_prepare(x: Any, y: Any) -> tuple:
    """A negative int as exponent of a Python int makes a float, as if it were one itself."""
    exponent, base = literal(y), operand_type(x)
    if isinstance(exponent, int) and exponent < 0 and base.weak and base.dtype.kind in "bi":
        y = float(exponent)
    if isinstance(exponent, int) and exponent == 2 and base == (np.bool_, base.shape, False):
        raise TypeError("NumPy squares booleans as int8 or int64, depending on how it is written")
    return (x, y), {}


def _power_by_base(x: Any, y: Any, out: Any) -> Any:
    """``y * x ** (y - 1)``, without dividing by zero where x and y are both 0.

    Only there is the base, or the exponent, moved by one; which of them is the one that keeps its
    dtype. Moving the exponent wherever it is 0 would make the second derivatives wrong.
    """
    exponent = literal(y)
    if exponent is not None:
        if exponent in (0, 1):
            return int(exponent.real)
        base = _array_like(x) if exponent.real < 1 else x
        return multiply(y, x if exponent == 2 else power(base, exponent - 1))
    if dtype_of(y).kind == "b":
        return y
    if operand_type(x).weak:
        nonzero = bitwise_or(not_equal(x, 0), not_equal(y, 0))
        base = _array_like(x) if operand_type(y).weak else x
        return multiply(y, power(base, subtract(y, nonzero)))
    zero = logical_and(equal(x, 0), equal(y, 0))
    return multiply(y, power(add(x, zero), subtract(y, 1)))


def _array_like(x: Any) -> Any:
    """A Python number as NumPy's, whose negative powers of 0 are infinite and raise nothing."""
    return cast(x) if operand_type(x).weak else x


def _power_by_exponent(x: Any, y: Any, out: Any) -> Any:
    """``out * log(x)``, and 0 where x is 0."""
    base = literal(x)
    if isinstance(base, (int, float)) and base > 0:
        return multiply(out, math.log(base))
    if operand_type(x).weak:
        return multiply(out, cast(log(add(x, equal(x, 0))), dtype_of(out), weak=True))
    x = astype(x, dtype_of(out))
    return multiply(out, log(add(x, equal(x, 0))))


def _integer_power(x: Any, y: Any) -> Any:
    """By squaring. NumPy raises for negative exponents."""
    kernels.require(y >= 0)
    found, *_ = kernels.iterate(
        lambda power, base, left: left > 0,
        lambda power, base, left: (
            kernels.select((left & 1) != 0, power * base, power),
            base * base,
            kernels.shift_right(left, 1),
        ),
        *(x * 0 + 1, x, y),
    )
    return found


power = binary(
    "power",
    _power_by_base,
    _power_by_exponent,
    """``x ** y``.

    Raises:
        ValueError: an integer array to a negative integer power; Python numbers whose power is of
            another type than the types of the operands let expect (``2 ** n`` with negative n).
    """,
    code=_power_code,
    python=operator.pow,
    helpers=[real_power],
    prepare=_power_prepare,
    kernel={"f": kernels.power, "iu": _integer_power},
    safe=0.5,
    raises=lambda types, attrs: all(t.weak or t.dtype.kind in "bui" for t in types),
    errors=(ZeroDivisionError, OverflowError, ValueError),
    cost=30,
)

float_power = binary(
    "float_power",
    _power_by_base,
    _power_by_exponent,
    "``x ** y`` in float64 or complex128.",
    kernel={"f": kernels.power},
    safe=0.5,
    cost=30,
)

square = unary(
    "square",
    lambda x, out: multiply(2, x),
    "``x * x``.",
    kernel={"fiuc": lambda x: x * x},
    cheap=True,
)

sqrt = unary(
    "sqrt",
    lambda x, out: divide(0.5, out),
    "The square root. Its derivative at 0 is infinite.",
    kernel={"f": kernels.sqrt},
    safe=0.5,
    cost=4,
)

cbrt = unary(
    "cbrt",
    lambda x, out: divide(1 / 3, multiply(out, out)),
    "The cube root. Its derivative at 0 is infinite.",
    kernel={"f": kernels.cbrt},
    safe=0.5,
    cost=15,
)

reciprocal = unary(
    "reciprocal",
    lambda x, out: negative(multiply(out, out)),
    "``1 / x``.",
    kernel={"f": lambda x: 1 / x},
    safe=0.5,
    cost=4,
)


def _part_of_length(x: Any, out: Any) -> Any:
    """``x / out``, and 0, with derivatives 0, where ``out`` is 0."""
    nonzero = not_equal(out, 0)
    if not operand_type(out).weak:
        nonzero = astype(nonzero, dtype_of(out))
    return divide(multiply(x, nonzero), add(out, equal(out, 0)))


hypot = binary(
    "hypot",
    lambda x, y, out: _part_of_length(x, out),
    lambda x, y, out: _part_of_length(y, out),
    """``sqrt(x**2 + y**2)`` without overflow.

    Its derivatives at (0, 0) are taken to be 0, as that of the absolute value is.
    """,
    kernel={"f": kernels.hypot},
    safe=0.5,
    cost=4,
)
