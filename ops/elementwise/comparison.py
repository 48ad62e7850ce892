"""Comparisons, predicates, logic and bits: operators without derivatives."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ops.core import complex_scalars, integer_bounds, kernels
from ops.core.numpy_table import covers
from ops.core.operands import dtype_of
from ops.core.python_numbers import PythonOperator
from ops.core.registry import Elementwise
from ops.elementwise.declaration import all_weak, discrete, infix

__all__ = [
    "bitwise_and",
    "bitwise_count",
    "bitwise_or",
    "bitwise_xor",
    "equal",
    "gcd",
    "greater",
    "greater_equal",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "lcm",
    "left_shift",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
    "right_shift",
    "signbit",
]

# -- comparisons -----------------------------------------------------------------------------------

equal = discrete(
    "equal",
    "``x == y``.",
    kernel=lambda x, y: x == y,
    complex_kernel=lambda x, y: x == y,
    **infix("==", operator.eq, exact=True, unsigned=True),
    cheap=True,
)

not_equal = discrete(
    "not_equal",
    "``x != y``.",
    kernel=lambda x, y: x != y,
    complex_kernel=lambda x, y: x != y,
    **infix("!=", operator.ne, exact=True, unsigned=True),
    cheap=True,
)

less = discrete(
    "less",
    "``x < y``.",
    kernel=lambda x, y: x < y,
    **infix("<", operator.lt, exact=True, unsigned=True),
    cheap=True,
)

less_equal = discrete(
    "less_equal",
    "``x <= y``.",
    kernel=lambda x, y: x <= y,
    **infix("<=", operator.le, exact=True, unsigned=True),
    cheap=True,
)

greater = discrete(
    "greater",
    "``x > y``.",
    kernel=lambda x, y: x > y,
    **infix(">", operator.gt, exact=True, unsigned=True),
    cheap=True,
)

greater_equal = discrete(
    "greater_equal",
    "``x >= y``.",
    kernel=lambda x, y: x >= y,
    **infix(">=", operator.ge, exact=True, unsigned=True),
    cheap=True,
)

# -- predicates ------------------------------------------------------------------------------------

isnan = discrete(
    "isnan",
    "Whether ``x`` is NaN.",
    kernel=lambda x: x != x,
    complex_kernel=lambda x: x != x,
    cheap=True,
)

isinf = discrete(
    "isinf",
    "Whether ``x`` is infinite.",
    kernel={"f": lambda x: kernels.fabs(x) == math.inf, "iub": lambda x: x != x},
    complex_kernel=complex_scalars.is_infinite,
    cheap=True,
)

isfinite = discrete(
    "isfinite",
    "Whether ``x`` is neither infinite nor NaN.",
    kernel={"f": lambda x: kernels.fabs(x) < math.inf, "iub": lambda x: x == x},
    complex_kernel=complex_scalars.is_finite,
    cheap=True,
)

signbit = discrete(
    "signbit",
    "Whether the sign of ``x`` is negative, that of -0.0 too.",
    kernel={"f": kernels.signbit},
)

# -- logic and bits --------------------------------------------------------------------------------

logical_and = discrete(
    "logical_and",
    "Whether ``x`` and ``y`` are both true.",
    kernel=lambda x, y: (x != 0) & (y != 0),
    cheap=True,
)

logical_or = discrete(
    "logical_or",
    "Whether ``x`` or ``y`` is true.",
    kernel=lambda x, y: (x != 0) | (y != 0),
    cheap=True,
)

logical_xor = discrete(
    "logical_xor",
    "Whether exactly one of ``x`` and ``y`` is true.",
    kernel=lambda x, y: (x != 0) != (y != 0),
)

logical_not = discrete(
    "logical_not",
    "Whether ``x`` is false.",
    kernel=lambda x: x == 0,
    complex_kernel=lambda x: x == 0,
    cheap=True,
)

bitwise_and = discrete(
    "bitwise_and",
    "``x & y``.",
    kernel={"iub": lambda x, y: x & y},
    **infix("&", operator.and_, bounds=integer_bounds.of_common_bits, low_bits=(0, 1)),
    cheap=True,
)

bitwise_or = discrete(
    "bitwise_or",
    "``x | y``.",
    kernel={"iub": lambda x, y: x | y},
    **infix("|", operator.or_, bounds=integer_bounds.of_bits, low_bits=(0, 1)),
    cheap=True,
)

bitwise_xor = discrete(
    "bitwise_xor",
    "``x ^ y``.",
    kernel={"iub": lambda x, y: x ^ y},
    **infix("^", operator.xor, bounds=integer_bounds.of_bits, low_bits=(0, 1)),
    cheap=True,
)

invert = discrete(
    "invert",
    "``~x``.",
    code="~{0}",
    python=PythonOperator(operator.invert, bounds=integer_bounds.of_inverted, low_bits=(0,)),
    kernel={"iu": lambda x: ~x, "b": lambda x: x == 0},
    cheap=True,
)


def _shifted_left(x: Any, count: Any) -> Any:
    fits = (count >= 0) & (count < kernels.width(x))
    return kernels.select(fits, kernels.shift_left(x, kernels.select(fits, count, 0)), 0)


def _shifted_right(x: Any, count: Any) -> Any:
    fits = (count >= 0) & (count < kernels.width(x))
    return kernels.shift_right(x, kernels.select(fits, count, kernels.width(x) - 1))


def _shifted_right_unsigned(x: Any, count: Any) -> Any:
    fits = count < kernels.width(x)
    return kernels.select(fits, kernels.shift_right(x, kernels.select(fits, count, 0)), 0)


def _shift_without_loss(x: Any, count: Any) -> None:
    kernels.require((count >= 0) & (count < 63))
    safe = kernels.select((count >= 0) & (count < 63), count, 0)
    kernels.require(kernels.shift_right(kernels.shift_left(x, safe), safe) == x)


def _not_negative(x: Any, count: Any) -> None:
    kernels.require(count >= 0)


left_shift = discrete(
    "left_shift",
    "``x << y``.",
    raises=all_weak,
    kernel={"iu": _shifted_left},
    **infix(
        "<<",
        operator.lshift,
        native=_shift_without_loss,
        fits=lambda x, count, result: equal(right_shift(result, count), x),
        bounds=integer_bounds.of_left_shift,
        low_bits=(0,),
    ),
    cheap=True,
)

right_shift: Elementwise = discrete(
    "right_shift",
    "``x >> y``.",
    raises=all_weak,
    kernel={"i": _shifted_right, "u": _shifted_right_unsigned},
    **infix(
        ">>",
        operator.rshift,
        native=_not_negative,
        bounds=integer_bounds.of_right_shift,
        unsigned=True,
    ),
    cheap=True,
)


def _size(x: Any) -> Any:
    return kernels.select(x < 0, -x, x)


def _gcd(x: Any, y: Any) -> Any:
    """By Euclid's algorithm. The size of the smallest integer is that integer itself, as unsigned
    as NumPy takes it: a rest has the same size."""
    found, _ = kernels.iterate(
        lambda a, b: b != 0,
        lambda a, b: (b, _size(kernels.rest(a, kernels.select(b == 0, 1, b)))),
        *(_size(x), _size(y)),
    )
    return found


def _lcm(x: Any, y: Any) -> Any:
    divisor = _gcd(x, y)
    return kernels.quotient(_size(x), kernels.select(divisor == 0, 1, divisor)) * _size(y)


gcd = discrete("gcd", "The greatest common divisor.", kernel={"iu": _gcd})

lcm = discrete("lcm", "The least common multiple.", kernel={"iu": _lcm})

bitwise_count = discrete(
    "bitwise_count",
    "How many bits of the absolute value are 1.",
    kernel={
        "i": lambda x: kernels.popcount(kernels.select(x < 0, -x, x)),
        "u": kernels.popcount,
    },
)


def _infinite(x: Any, negative: bool) -> Any:
    if dtype_of(x).kind == "c":
        raise TypeError(
            f"This operation is not supported for {dtype_of(x)} values because it would be "
            "ambiguous."
        )
    sign = signbit(x)
    return logical_and(isinf(x), sign if negative else logical_not(sign))


@covers(np.isposinf, "x out")
def isposinf(x: Any) -> Any:
    """Whether ``x`` is positive infinity.

    Raises:
        TypeError: ``x`` is complex.
    """
    return _infinite(x, negative=False)


@covers(np.isneginf, "x out")
def isneginf(x: Any) -> Any:
    """Whether ``x`` is negative infinity.

    Raises:
        TypeError: ``x`` is complex.
    """
    return _infinite(x, negative=True)
