"""Powers and roots."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core import complex_scalars, kernels
from ops.core.conditions import Conditions, raised_by, sample
from ops.core.operands import dtype_of, literal, operand_type
from ops.core.python_numbers import PythonOperator
from ops.core.registry import Elementwise
from ops.core.types import ArrayType
from ops.elementwise.arithmetic import add, as_float, divide, is_near, multiply, subtract
from ops.elementwise.comparison import (
    bitwise_or,
    equal,
    isfinite,
    isinf,
    isnan,
    less,
    logical_and,
    logical_not,
    not_equal,
)
from ops.elementwise.conversion import astype, cast
from ops.elementwise.declaration import binary, unary
from ops.elementwise.exponential import log

__all__ = [
    "cbrt",
    "float_power",
    "hypot",
    "power",
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


def _power_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    if all(t.weak for t in types) and not _is_natural(args[1]):
        return f"real_power({args[0]}, {args[1]})"
    base, exponent = types
    # Where ``**`` finds the exponent to be 2 it squares the base: booleans become int8, and before
    # NumPy 2.2 the exponent's dtype does not count. The dtype must not depend on the value.
    is_array = base.dtype.kind == "b" and not (base.weak and exponent.weak)
    if is_array or not (exponent.weak or base.dtype == exponent.dtype):
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
    if isinstance(exponent, int) and exponent == 2 and base.dtype == np.bool_ and not base.weak:
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


def _bits_of_base(x: Any) -> int:
    """By how much a power of what is known to be a power of two is shifted, for each that the
    exponent is more; 0 of others."""
    base = kernels.known_number(x)
    if base is None or base < 2 or int(base) & (int(base) - 1):
        return 0
    return int(base).bit_length() - 1


def _integer_power(x: Any, y: Any) -> Any:
    """By squaring; of powers of two by a shift. NumPy raises for negative exponents."""
    kernels.require(y >= 0)
    bits = _bits_of_base(x)
    if bits:
        fits = y <= (8 * x.dtype.itemsize - 1) // bits
        count = kernels.select(fits, y, 0) * bits
        return kernels.select(fits, kernels.shift_left(x * 0 + 1, count), 0)
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


def _largest_base(exponent: int) -> int:
    """The largest integer whose power has 64 bits."""
    if exponent > 62:  # of 2 it has more, and may have more than there is memory for
        return 1
    most = 2**63 - 1
    found = round(most ** (1 / exponent))
    while found**exponent > most:
        found -= 1
    while (found + 1) ** exponent <= most:
        found += 1
    return found


def _power_of_64_bits(x: Any, y: Any) -> None:
    if x.dtype.kind == "i":
        # In floats of 64 bits the product of the lengths bounds that of the result.
        kernels.require(y >= 0)
        bits = _bits_of_base(x)
        if bits:
            kernels.require(y <= 62 // bits)
            return
        exponent = kernels.known_number(y)
        if exponent is not None:
            if exponent > 1:
                most = _largest_base(int(exponent))
                kernels.require((x >= -most) & (x <= most))
            return
        size = kernels.fabs(kernels.cast(x, np.float64))
        kernels.require(kernels.power(size, kernels.cast(y, np.float64)) < 2.0**62)
        return
    kernels.require((x > 0) | (kernels.trunc(y) == y))
    kernels.require((x != 0) | (y >= 0))
    result = kernels.power(x, y)
    largest = float(np.finfo(np.float64).max)
    finite = (kernels.fabs(x) <= largest) & (kernels.fabs(y) <= largest)
    kernels.require((kernels.fabs(result) <= largest) | ~finite)


def _wrong_powers(base: Any, exponent: Any, result: Any) -> list[tuple[Any, str, str]]:
    """Python's floats have no powers that are infinite, unless an operand is, nor any that are
    complex, where NumPy's are inf and NaN."""
    known = literal(exponent)
    natural = known is not None and known >= 0 and float(known).is_integer()
    finite = logical_and(isfinite(base), isfinite(exponent))
    overflow = logical_and(isinf(result), finite)
    wrong = [(overflow, "OverflowError", "(34, 'Numerical result out of range')")]
    if not natural:
        of_zero = logical_and(equal(base, 0), less(exponent, 0))
        message = "0.0 cannot be raised to a negative power"
        wrong.insert(0, (of_zero, "ZeroDivisionError", message))
        negative = logical_and(less(base, 0), logical_not(isnan(exponent)))
        message = "a negative number to a power that is no integer is complex"
        wrong.append((logical_and(isnan(result), negative), "ValueError", message))
    return wrong


def _power_conditions(x: Any, y: Any) -> Conditions | None:
    """What is complex in Python is an error of ours, as is a float for an int."""
    if not all(operand_type(z).weak for z in (x, y)):
        return None
    zero = raised_by(operator.pow, sample(x, 0), sample(y, -1))
    ints = all(operand_type(z).dtype.kind in "bi" for z in (x, y))
    found = [(zero, logical_and(equal(x, 0), less(y, 0)))]
    if not ints:
        x, y = (cast(z, dtype="float64") for z in (x, y))
        finite = logical_and(logical_and(isfinite(x), isfinite(y)), not_equal(x, 0))
        large = raised_by(operator.pow, 1e200, 2.0)
        found.append((large, logical_and(isinf(power(x, y)), finite)))
    return found


power: Elementwise = binary(
    "power",
    _power_by_base,
    _power_by_exponent,
    """``x ** y``.

    Raises:
        ValueError: an integer array to a negative integer power; Python numbers whose power is of
            another type than the types of the operands let expect (``2 ** n`` with negative n).
    """,
    code=_power_code,
    python=PythonOperator(
        operator.pow,
        native=_power_of_64_bits,
        complex_kernel=complex_scalars.python_power,
        fits=lambda x, y, result: is_near(power(as_float(x), as_float(y)), result),
        wrong=_wrong_powers,
    ),
    helpers=[real_power],
    prepare=_power_prepare,
    kernel={"f": kernels.power, "iu": _integer_power},
    complex_kernel=complex_scalars.power,
    safe=0.5,
    raises=lambda types, attrs: all(t.weak or t.dtype.kind in "bui" for t in types),
    errors=(ZeroDivisionError, OverflowError, ValueError),
    conditions=_power_conditions,
    cost=30,
)

float_power = binary(
    "float_power",
    _power_by_base,
    _power_by_exponent,
    "``x ** y`` in float64 or complex128.",
    kernel={"f": kernels.power},
    complex_kernel=complex_scalars.power,
    safe=0.5,
    cost=30,
)

square = unary(
    "square",
    lambda x, out: multiply(2, x),
    "``x * x``.",
    kernel={"fiuc": lambda x: x * x},
    complex_kernel=lambda x: x * x,
    cheap=True,
    precision="low",
)

sqrt = unary(
    "sqrt",
    lambda x, out: divide(0.5, out),
    "The square root. Its derivative at 0 is infinite.",
    kernel={"f": kernels.sqrt},
    complex_kernel=complex_scalars.square_root,
    safe=0.5,
    cost=4,
    precision="low",
)

cbrt = unary(
    "cbrt",
    lambda x, out: divide(1 / 3, multiply(out, out)),
    "The cube root. Its derivative at 0 is infinite.",
    kernel={"f": kernels.cbrt},
    safe=0.5,
    cost=15,
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
