"""Operators that act on each element by itself.

A partial derivative is a function of the operands and the result, a number if it is constant, or
None if it is zero or does not exist. Partials must keep the dtype of what they multiply: numbers in
them are Python scalars, which are weak, and comparisons are cast or subtracted, never multiplied by
a fraction.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.conversion import astype, cast, conjugate, where
from ops.registry import Custom, Elementwise, dtype_of, literal, operand_type
from ops.types import Type

__all__ = [
    "absolute",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "lcm",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "not_equal",
    "positive",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "round_number",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


def _all_weak(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    """Python's own arithmetic raises where NumPy's gives inf or nan."""
    return all(t.weak for t in types)


def _unary(name: str, partial: Callable | float | None, doc: str, **options: Any) -> Elementwise:
    options.setdefault("code", f"np.{name}({{0}})")
    return Elementwise(name, getattr(np, name), partials=[partial], doc=doc, **options)


def _binary(
    name: str,
    partial_x: Callable | float | None,
    partial_y: Callable | float | None,
    doc: str,
    **options: Any,
) -> Elementwise:
    options.setdefault("code", f"np.{name}({{0}}, {{1}})")
    return Elementwise(name, getattr(np, name), partials=[partial_x, partial_y], doc=doc, **options)


def _infix(symbol: str, python: Callable) -> dict[str, Any]:
    return {"code": f"{{0}} {symbol} {{1}}", "python": python}


# -- arithmetic ------------------------------------------------------------------------------------

add = _binary("add", 1, 1, "``x + y``.", **_infix("+", operator.add))

subtract = _binary("subtract", 1, -1, "``x - y``.", **_infix("-", operator.sub))

multiply = _binary(
    "multiply",
    lambda x, y, out: y,
    lambda x, y, out: x,
    "``x * y``.",
    **_infix("*", operator.mul),
)

divide = _binary(
    "divide",
    lambda x, y, out: divide(1, y),
    lambda x, y, out: negative(divide(out, y)),
    "``x / y``.",
    safe=0.5,
    raises=_all_weak,
    **_infix("/", operator.truediv),
)

floor_divide = _binary(
    "floor_divide",
    None,
    None,
    "``x // y``: the quotient rounded down.",
    raises=_all_weak,
    **_infix("//", operator.floordiv),
)

remainder = _binary(
    "remainder",
    1,
    lambda x, y, out: negative(floor_divide(x, y)),
    "``x % y``, with the sign of ``y``.",
    safe=0.5,
    raises=_all_weak,
    **_infix("%", operator.mod),
)

fmod = _binary(
    "fmod",
    1,
    lambda x, y, out: negative(trunc(divide(x, y))),
    "The remainder of ``x / y`` with the sign of ``x``, as in C.",
    safe=0.5,
)

negative = _unary("negative", -1, "``-x``.", code="-{0}", python=operator.neg)

positive = _unary("positive", 1, "``+x``.", code="+{0}", python=operator.pos)


def _absolute_partial(x: Any, out: Any) -> Any:
    if dtype_of(x).kind == "c":
        return divide(conjugate(x), add(out, equal(out, 0)))
    return sign(x)


absolute = _unary(
    "absolute", _absolute_partial, "The absolute value.", code="abs({0})", python=operator.abs
)

fabs = _unary("fabs", lambda x, out: sign(x), "The absolute value, of real numbers as floats.")

sign = _unary("sign", None, "-1, 0 or 1, by the sign; of a complex number ``x / abs(x)``.")

# -- powers ----------------------------------------------------------------------------------------


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
        return multiply(y, x if exponent == 2 else power(x, exponent - 1))
    if dtype_of(y).kind == "b":
        return y
    if operand_type(x).weak:
        nonzero = bitwise_or(not_equal(x, 0), not_equal(y, 0))
        return multiply(y, power(x, subtract(y, nonzero)))
    zero = logical_and(equal(x, 0), equal(y, 0))
    return multiply(y, power(add(x, zero), subtract(y, 1)))


def _power_by_exponent(x: Any, y: Any, out: Any) -> Any:
    """``out * log(x)``, and 0 where x is 0."""
    base = literal(x)
    if isinstance(base, (int, float)) and base > 0:
        return multiply(out, math.log(base))
    if operand_type(x).weak:
        return multiply(out, cast(log(add(x, equal(x, 0))), dtype_of(out), weak=True))
    x = astype(x, dtype_of(out))
    return multiply(out, log(add(x, equal(x, 0))))


power = _binary(
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
    safe=0.5,
    raises=lambda types, attrs: all(t.weak or t.dtype.kind in "bui" for t in types),
)

square = _unary("square", lambda x, out: multiply(2, x), "``x * x``.")

sqrt = _unary("sqrt", lambda x, out: divide(0.5, out), "The square root.", safe=0.5)

cbrt = _unary("cbrt", lambda x, out: divide(1 / 3, multiply(out, out)), "The cube root.", safe=0.5)

reciprocal = _unary(
    "reciprocal", lambda x, out: negative(multiply(out, out)), "``1 / x``.", safe=0.5
)

hypot = _binary(
    "hypot",
    lambda x, y, out: divide(x, out),
    lambda x, y, out: divide(y, out),
    "``sqrt(x**2 + y**2)`` without overflow.",
    safe=0.5,
)

# -- exponentials and logarithms -------------------------------------------------------------------

exp = _unary("exp", lambda x, out: out, "The exponential.")

exp2 = _unary("exp2", lambda x, out: multiply(out, math.log(2)), "``2 ** x``.")

expm1 = _unary("expm1", lambda x, out: add(out, 1), "``exp(x) - 1``, accurate near 0.")

log = _unary("log", lambda x, out: reciprocal(x), "The natural logarithm.", safe=0.5)

log2 = _unary(
    "log2",
    lambda x, out: reciprocal(multiply(x, math.log(2))),
    "The logarithm to base 2.",
    safe=0.5,
)

log10 = _unary(
    "log10",
    lambda x, out: reciprocal(multiply(x, math.log(10))),
    "The logarithm to base 10.",
    safe=0.5,
)

log1p = _unary(
    "log1p", lambda x, out: reciprocal(add(x, 1)), "``log(1 + x)``, accurate near 0.", safe=0.5
)

logaddexp = _binary(
    "logaddexp",
    lambda x, y, out: exp(subtract(x, out)),
    lambda x, y, out: exp(subtract(y, out)),
    "``log(exp(x) + exp(y))``.",
)

logaddexp2 = _binary(
    "logaddexp2",
    lambda x, y, out: exp2(subtract(x, out)),
    lambda x, y, out: exp2(subtract(y, out)),
    "``log2(2**x + 2**y)``.",
)

# -- trigonometric and hyperbolic functions --------------------------------------------------------

sin = _unary("sin", lambda x, out: cos(x), "The sine.")

cos = _unary("cos", lambda x, out: negative(sin(x)), "The cosine.")

tan = _unary("tan", lambda x, out: add(1, square(out)), "The tangent.")

arcsin = _unary(
    "arcsin",
    lambda x, out: reciprocal(sqrt(subtract(1, square(x)))),
    "The inverse sine.",
    safe=0.5,
)

arccos = _unary(
    "arccos",
    lambda x, out: negative(reciprocal(sqrt(subtract(1, square(x))))),
    "The inverse cosine.",
    safe=0.5,
)

arctan = _unary("arctan", lambda x, out: reciprocal(add(1, square(x))), "The inverse tangent.")

arctan2 = _binary(
    "arctan2",
    lambda y, x, out: divide(x, add(multiply(x, x), multiply(y, y))),
    lambda y, x, out: negative(divide(y, add(multiply(x, x), multiply(y, y)))),
    "The angle of the point (x, y); the first operand is ``y``.",
    safe=0.5,
)

sinh = _unary("sinh", lambda x, out: cosh(x), "The hyperbolic sine.")

cosh = _unary("cosh", lambda x, out: sinh(x), "The hyperbolic cosine.")

tanh = _unary("tanh", lambda x, out: subtract(1, square(out)), "The hyperbolic tangent.")

arcsinh = _unary(
    "arcsinh",
    lambda x, out: reciprocal(sqrt(add(square(x), 1))),
    "The inverse hyperbolic sine.",
)

arccosh = _unary(
    "arccosh",
    lambda x, out: reciprocal(sqrt(multiply(subtract(x, 1), add(x, 1)))),
    "The inverse hyperbolic cosine.",
    safe=2.0,
)

arctanh = _unary(
    "arctanh",
    lambda x, out: reciprocal(subtract(1, square(x))),
    "The inverse hyperbolic tangent.",
    safe=0.5,
)

deg2rad, radians = (
    _unary(name, math.pi / 180, "Degrees to radians.") for name in ("deg2rad", "radians")
)

rad2deg, degrees = (
    _unary(name, 180 / math.pi, "Radians to degrees.") for name in ("rad2deg", "degrees")
)

# -- extrema and rounding --------------------------------------------------------------------------


def _selected(x: Any, y: Any, out: Any) -> Any:
    """The share of ``x`` in an extremum of ``x`` and ``y``: ties are split evenly."""
    zero, half, one = (dtype_of(out).type(value) for value in (0, 0.5, 1))
    return where(equal(x, out), where(equal(y, out), half, one), zero)


def _extremum(name: str, doc: str) -> Elementwise:
    return _binary(
        name,
        lambda x, y, out: _selected(x, y, out),
        lambda x, y, out: _selected(y, x, out),
        doc,
    )


maximum = _extremum("maximum", "The larger of two elements; NaN if one is NaN.")

minimum = _extremum("minimum", "The smaller of two elements; NaN if one is NaN.")

fmax = _extremum("fmax", "The larger of two elements, leaving NaN aside.")

fmin = _extremum("fmin", "The smaller of two elements, leaving NaN aside.")

floor = _unary("floor", None, "The largest integer not above ``x``.")

ceil = _unary("ceil", None, "The smallest integer not below ``x``.")

trunc = _unary("trunc", None, "``x`` without its fraction.")

rint = _unary("rint", None, "The nearest integer, ties to even.")

round_number = Custom(
    "round_number",
    lambda x, ndigits: (x,),
    "round({0}, {ndigits})",
    differentiable=False,
    doc="Python's ``round(x, ndigits)`` of a Python number, which rounds its exact value.",
)

copysign = _binary(
    "copysign",
    lambda x, y, out: astype(copysign(sign(x), multiply(sign(x), y)), dtype_of(out)),
    None,
    "``x`` with the sign of ``y``.",
)

heaviside = _binary(
    "heaviside", None, None, "0 below zero, 1 above it, and the second operand at zero."
)

# -- comparisons, predicates, logic and bits -------------------------------------------------------


def _discrete(name: str, doc: str, **options: Any) -> Elementwise:
    """An operator whose results are integers or booleans: it has no derivative."""
    build = _unary if getattr(np, name).nin == 1 else _binary
    partials = [None] * getattr(np, name).nin
    return build(name, *partials, doc, **options)


equal = _discrete("equal", "``x == y``.", **_infix("==", operator.eq))

not_equal = _discrete("not_equal", "``x != y``.", **_infix("!=", operator.ne))

less = _discrete("less", "``x < y``.", **_infix("<", operator.lt))

less_equal = _discrete("less_equal", "``x <= y``.", **_infix("<=", operator.le))

greater = _discrete("greater", "``x > y``.", **_infix(">", operator.gt))

greater_equal = _discrete("greater_equal", "``x >= y``.", **_infix(">=", operator.ge))

gcd = _discrete("gcd", "The greatest common divisor.")

lcm = _discrete("lcm", "The least common multiple.")

isnan = _discrete("isnan", "Whether ``x`` is NaN.")

isinf = _discrete("isinf", "Whether ``x`` is infinite.")

isfinite = _discrete("isfinite", "Whether ``x`` is neither infinite nor NaN.")

signbit = _discrete("signbit", "Whether the sign of ``x`` is negative, that of -0.0 too.")

logical_and = _discrete("logical_and", "Whether ``x`` and ``y`` are both true.")

logical_or = _discrete("logical_or", "Whether ``x`` or ``y`` is true.")

logical_xor = _discrete("logical_xor", "Whether exactly one of ``x`` and ``y`` is true.")

logical_not = _discrete("logical_not", "Whether ``x`` is false.")

bitwise_and = _discrete("bitwise_and", "``x & y``.", **_infix("&", operator.and_))

bitwise_or = _discrete("bitwise_or", "``x | y``.", **_infix("|", operator.or_))

bitwise_xor = _discrete("bitwise_xor", "``x ^ y``.", **_infix("^", operator.xor))

invert = _discrete("invert", "``~x``.", code="~{0}", python=operator.invert)

left_shift = _discrete(
    "left_shift", "``x << y``.", raises=_all_weak, **_infix("<<", operator.lshift)
)

right_shift = _discrete(
    "right_shift", "``x >> y``.", raises=_all_weak, **_infix(">>", operator.rshift)
)
