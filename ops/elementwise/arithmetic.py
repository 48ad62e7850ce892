"""Sums, products, quotients and remainders, and what has to do with signs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core import complex_scalars, integer_bounds, kernels
from ops.core.conditions import Conditions, raised_by, sample
from ops.core.op import Errors
from ops.core.operands import dtype_of, literal
from ops.core.python_numbers import PythonOperator
from ops.core.registry import Elementwise
from ops.core.types import ArrayType
from ops.elementwise.comparison import (
    bitwise_and,
    bitwise_xor,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_or,
    not_equal,
)
from ops.elementwise.conversion import astype, cast, conjugate
from ops.elementwise.declaration import all_weak, binary, infix, unary
from ops.elementwise.rounding import rint

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
    "reciprocal",
    "remainder",
    "sign",
    "subtract",
]

# -- where Python's ints leave 64 bits, see `ops.core.python_numbers` ------------------------------

_LEAST, _MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


def _sum_fits(x: Any, y: Any, result: Any) -> Any:
    x, y = (y, x) if literal(x) is not None else (x, y)
    known = literal(y)
    if known is not None:
        return greater_equal(result, x) if known >= 0 else less(result, x)
    # It has wrapped around where both operands have the sign that it does not have.
    return greater_equal(bitwise_and(bitwise_xor(x, result), bitwise_xor(y, result)), 0)


def _difference_fits(x: Any, y: Any, result: Any) -> Any:
    known = literal(y)
    if known is not None:
        return less_equal(result, x) if known >= 0 else greater(result, x)
    return greater_equal(bitwise_and(bitwise_xor(x, y), bitwise_xor(x, result)), 0)


def _product_fits(x: Any, y: Any, result: Any) -> Any:
    x, y = (y, x) if literal(x) is not None else (x, y)
    known = literal(y)
    if known is not None:
        if known == 0:
            return None
        ends = (_LEAST, _MOST) if known > 0 else (_MOST, _LEAST)
        least, most = -(-ends[0] // int(known)), ends[1] // int(known)
        return logical_and(greater_equal(x, least), less_equal(x, most))
    return is_near(multiply(as_float(x), as_float(y)), result)


def is_near(estimate: Any, result: Any) -> Any:
    """Whether a result is what it would be without an end, of which floats give an estimate: what
    has wrapped around is off by 2**64 at least, and the estimate by less than one part in 2**40."""
    return less(absolute(subtract(estimate, as_float(result))), 2.0**62)


def as_float(x: Any) -> Any:
    """An operand of Python's int, as float64."""
    return float(literal(x)) if literal(x) is not None else cast(x, "float64")


def _quotient_fits(x: Any, y: Any, result: Any) -> Any:
    if literal(y) not in (None, -1):
        return None
    return logical_or(not_equal(x, _LEAST), not_equal(y, -1))


def _nonzero_divisor(x: Any, y: Any) -> None:
    kernels.require(y != 0)
    if x.dtype == np.int64:
        kernels.require((x != _LEAST) | (y != -1))


def _not_the_smallest(x: Any) -> None:
    if x.dtype == np.int64:
        kernels.require(x != _LEAST)


def _sign_operator(python: Callable, **options: Any) -> PythonOperator:
    """One whose result of the smallest integer has 65 bits."""
    fits = lambda x, result: not_equal(x, _LEAST)
    return PythonOperator(python, native=_not_the_smallest, fits=fits, **options)


# -- the operators ---------------------------------------------------------------------------------

add = binary(
    "add",
    1,
    1,
    "``x + y``.",
    linear=(0, 1),
    kernel={"iufc": lambda x, y: x + y, "b": lambda x, y: x | y},
    complex_kernel=lambda x, y: x + y,
    **infix(
        "+",
        operator.add,
        complex_kernel=complex_scalars.python_sum,
        checked="add_checked",
        fits=_sum_fits,
        bounds=integer_bounds.of_sum,
        low_bits=(0, 1),
    ),
    cheap=True,
    precision="low",
)

subtract = binary(
    "subtract",
    1,
    -1,
    "``x - y``.",
    linear=(0, 1),
    kernel={"iufc": lambda x, y: x - y},
    complex_kernel=lambda x, y: x - y,
    **infix(
        "-",
        operator.sub,
        complex_kernel=complex_scalars.python_difference,
        checked="subtract_checked",
        fits=_difference_fits,
        bounds=integer_bounds.of_difference,
        low_bits=(0, 1),
    ),
    cheap=True,
    precision="low",
)

multiply = binary(
    "multiply",
    lambda x, y, out: y,
    lambda x, y, out: x,
    "``x * y``.",
    linear=(0, 1),
    kernel={"iufc": lambda x, y: x * y, "b": lambda x, y: x & y},
    complex_kernel=lambda x, y: x * y,
    **infix(
        "*",
        operator.mul,
        complex_kernel=complex_scalars.python_product,
        checked="multiply_checked",
        fits=_product_fits,
        bounds=integer_bounds.of_product,
        low_bits=(0, 1),
    ),
    cheap=True,
    precision="low",
)


def _of_zero(function: Callable) -> Callable[..., Conditions]:
    """Of divisions of Python numbers. Ints that are too large for a float are left out."""

    def found(x: Any, y: Any) -> Conditions:
        error = raised_by(function, sample(x, 1), sample(y, 0))
        return [(error, equal(y, 0))]

    return found


def _division_errors(types: Sequence[ArrayType], attrs: dict[str, Any]) -> Errors:
    """Python's ints, which have no limit, may be too large for a float."""
    floats = any(type.dtype.kind == "f" for type in types)
    return (ZeroDivisionError,) if floats else (ZeroDivisionError, OverflowError)


divide: Elementwise = binary(
    "divide",
    lambda x, y, out: divide(1, y),
    lambda x, y, out: negative(multiply(out, divide(1, y))),  # which both partials compute once
    "``x / y``.",
    linear=(0,),
    kernel={"f": lambda x, y: x / y},
    complex_kernel=lambda x, y: x / y,
    safe=0.5,
    raises=all_weak,
    conditions=_of_zero(operator.truediv),
    errors=_division_errors,
    **infix(
        "/",
        operator.truediv,
        native=_nonzero_divisor,
        complex_kernel=complex_scalars.python_quotient,
        exact=True,
        of_zero=("division by zero", "division by zero"),
    ),
    cost=4,
    precision="low",
)


reciprocal = unary(
    "reciprocal",
    lambda x, out: negative(multiply(out, out)),
    "``1 / x``.",
    kernel={"f": lambda x: 1 / x},
    complex_kernel=complex_scalars.reciprocal,
    safe=0.5,
    cost=4,
    precision="low",
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
    below = kernels.select(_has_other_sign(rest, y), quotient - 1, quotient)
    return kernels.select(y == 0, 0, kernels.select(y == -1, -x, below))


def _rest_of_integers(x: Any, y: Any) -> Any:
    divisor = kernels.select((y == 0) | (y == -1), 1, y)
    rest = kernels.rest(x, divisor)
    return kernels.select(_has_other_sign(rest, y), rest + y, rest)


def _has_other_sign(rest: Any, y: Any) -> Any:
    """Whether a rest has the other sign than a divisor: one comparison if that is a number."""
    return kernels.select(y < 0, rest > 0, rest < 0)


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
    conditions=_of_zero(operator.floordiv),
    errors=(ZeroDivisionError,),
    **infix(
        "//",
        operator.floordiv,
        native=_nonzero_divisor,
        fits=_quotient_fits,
        of_zero=("integer division or modulo by zero", "float floor division by zero"),
        bounds=integer_bounds.of_quotient,
        unsigned=True,
    ),
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
    conditions=_of_zero(operator.mod),
    errors=(ZeroDivisionError,),
    **infix(
        "%",
        operator.mod,
        native=_nonzero_divisor,
        of_zero=("integer modulo by zero", "float modulo by zero"),
        bounds=integer_bounds.of_rest,
        unsigned=True,
    ),
    cost=4,
)


def _truncated_quotient(x: Any, y: Any, out: Any) -> Any:
    """How many times ``y`` was subtracted. ``trunc(x / y)`` is another number where the quotient
    rounds up: 1 / 0.1 is 10, but ``fmod(1, 0.1)`` is ``1 - 9 * 0.1``."""
    return rint(divide(subtract(x, out), y))


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


negative: Elementwise = unary(
    "negative",
    -1,
    "``-x``.",
    linear=(0,),
    code="-{0}",
    python=_sign_operator(operator.neg, bounds=integer_bounds.of_negative, low_bits=(0,)),
    kernel={"iufc": lambda x: -x},
    complex_kernel=lambda x: -x,
    cheap=True,
    precision="exact",
)

positive = unary(
    "positive",
    1,
    "``+x``.",
    linear=(0,),
    code="+{0}",
    python=operator.pos,
    kernel={"iufc": lambda x: x},
    complex_kernel=lambda x: x,
    cheap=True,
    precision="exact",
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
    python=_sign_operator(
        operator.abs, complex_kernel=complex_scalars.python_length, bounds=integer_bounds.of_size
    ),
    kernel={
        "f": kernels.fabs,
        "i": lambda x: kernels.select(x < 0, -x, x),
        "bu": lambda x: x,
    },
    complex_kernel=complex_scalars.length,
    cheap=True,
    precision="exact",
)

fabs = unary(
    "fabs",
    lambda x, out: sign(x),
    "The absolute value, of real numbers as floats. Its derivative at 0 is taken to be 0.",
    kernel={"f": kernels.fabs},
    precision="exact",
)

sign: Elementwise = unary(
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
    precision="exact",
)

copysign: Elementwise = binary(
    "copysign",
    lambda x, y, out: astype(copysign(sign(x), multiply(sign(x), y)), dtype_of(out)),
    None,
    "``x`` with the sign of ``y``. Its derivative at ``x = 0`` is taken to be 0.",
    kernel={"f": kernels.copysign},
    precision="exact",
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
