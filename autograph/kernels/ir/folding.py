"""What a function gives of scalars of a kernel, where that is known without computing it: of
numbers, of integers with a number that changes nothing, and by what computed its operands."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.kernels.ir.operands import BOOL, INT, LONG, Number, Operand
from ops.core import kernels
from ops.core.records import NamedTuple

_COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
_PREDICATES = _COMPARISONS | {"signbit", "isnan"}
_FOLDED: dict[str, Callable[..., Any]] = {
    **{symbol: compute for symbol, compute in kernels.OPERATORS.items() if symbol != "/"},
    "shift_left": operator.lshift,
    "shift_right": operator.rshift,
}

# Functions of floats whose results have the sign of an operand, or do not depend on it.
_ODD = {"*", "/", "asin", "asinh", "atan", "atanh", "cbrt", "erf", "sin", "sinh", "tan", "tanh"}
_EVEN = {"cos", "cosh", "fabs"}
_WHOLE = {"floor", "ceil", "rint", "trunc"}

_Made = Mapping[Operand, Any]  # the statements that computed scalars, by these


class Unsigned(NamedTuple):
    """Operands without their signs, and whether a function of them has the other sign then."""

    operands: tuple[Operand, ...]
    negates: bool


def result_dtype(function: str, operands: Sequence[Operand]) -> np.dtype:
    """The dtype of what a function gives, which is mostly that of its operands."""
    dtype = operands[0].dtype
    if function in _PREDICATES:
        return BOOL
    if function == "select":
        return operands[1].dtype
    if function == "exponent":
        return INT
    if function == "popcount":
        return np.dtype("uint8")
    if function == "bits":
        return np.dtype(f"int{dtype.itemsize * 8}")
    if function == "from_bits":
        return np.dtype(f"float{dtype.itemsize * 8}")
    return dtype


def folded(function: str, operands: Sequence[Operand]) -> Operand | None:
    """The result of a function, if the operands tell it by themselves."""
    if function == "select":
        test, yes, no = operands
        if isinstance(test, Number):
            return yes if test.value else no
        if yes is no:
            return yes
        if isinstance(yes, Number) and isinstance(no, Number):
            return yes if yes.value.tobytes() == no.value.tobytes() else None
        return None
    known = 0
    for x in operands:
        known += type(x) is Number
    if not known:
        return None
    if known == len(operands) and (function in _FOLDED or function == "-"):
        numbers = [x.value for x in operands if isinstance(x, Number)]
        with np.errstate(all="ignore"):
            fold = operator.neg if len(numbers) == 1 and function == "-" else _FOLDED[function]
            return Number(fold(*numbers), result_dtype(function, operands))
    if len(operands) == 2 and operands[0].dtype.kind in "iub":
        return _neutral(function, *operands)
    return None


def negated(function: str, operands: Sequence[Operand], made: _Made) -> Operand | None:
    """What the negative of a scalar is that is the negative of another, as it was computed."""
    is_sign = function == "-" and len(operands) == 1
    return _negative_of(operands[0], made) if is_sign else None


def without_signs(function: str, operands: Sequence[Operand], made: _Made) -> Unsigned | None:
    """The operands of a function with signs taken from them, if that changes no bit of its result
    but the sign of a NaN: ``f(x)`` and ``f(-x)`` of an odd function are computed once."""
    odd = function in _ODD
    if not odd and function not in _EVEN:
        return None
    plain = [_negative_of(x, made) for x in operands]
    signs = sum(x is not None for x in plain)
    if not signs:
        return None
    found = tuple(x if y is None else y for x, y in zip(operands, plain))
    return Unsigned(found, odd and signs % 2 == 1)


def _negative_of(x: Operand, made: _Made) -> Operand | None:
    by = made.get(x)
    if by is None or by.function != "-" or len(by.operands) != 1:
        return None
    return by.operands[0]


def rejoined(summands: Sequence[Operand], made: _Made) -> Operand | None:
    """``n`` of ``quotient(n, m) * m + rest(n, m)``."""
    product, rest = summands
    by = made.get(product)
    if by is None or by.function != "*":
        return None
    found = divided(by.operands[0], rest, made)
    return found[0] if found is not None and is_same(found[1], by.operands[1]) else None


def divided(x: Operand, y: Operand, made: _Made) -> tuple[Operand, Operand] | None:
    """``n`` and ``m``, if ``x`` is ``quotient(n, m)`` and ``y`` is ``rest(n, m)``."""
    quotient, rest = made.get(x), made.get(y)
    if quotient is None or rest is None:
        return None
    if (quotient.function, rest.function) != ("quotient", "rest"):
        return None
    n, m = quotient.operands
    return (n, m) if rest.operands[0] is n and is_same(rest.operands[1], m) else None


def is_same(x: Operand, y: Operand) -> bool:
    """Whether two integers are known to be the same."""
    return x is y or (isinstance(x, Number) and isinstance(y, Number) and x.value == y.value)


def unrounded(x: Operand, made: _Made) -> Operand:
    """A rest that is rounded towards 0 in the place of one that is rounded down, which is 0 where
    that is: ``x % 100 == 0`` need not know the sign. Other operands as they are."""
    chosen = made.get(x)
    if chosen is None or chosen.function != "select":
        return x
    test, other, rest = chosen.operands
    divided, added, asked = map(made.get, (rest, other, test))
    if divided is None or added is None or asked is None or divided.function != "rest":
        return x
    by = divided.operands[1]
    size = abs(int(by.value)) if isinstance(by, Number) else 0
    if not size & (size - 1):  # of powers of two that is a mask anyway
        return x
    below = "<" if by.value > 0 else ">"
    is_rounded = (added.function, asked.function) == ("+", below)
    if is_rounded and _are(added.operands, rest, by.value) and _are(asked.operands, rest, 0):
        return rest
    return x


def whole_as(x: Operand, dtype: np.dtype, made: _Made) -> Operand | None:
    """The float of a dtype, without a fraction, of which an integer of 64 bits was made; None if an
    operand is no such integer."""
    converted = made.get(x)
    if converted is None or converted.function != "cast" or x.dtype != LONG:
        return None
    (whole,) = converted.operands
    rounded = made.get(whole)
    if whole.dtype != dtype or rounded is None or rounded.function not in _WHOLE:
        return None
    return whole


def _are(operands: Sequence[Operand], x: Operand, number: Any) -> bool:
    """Whether operands are a scalar and a number."""
    first, second = operands
    return first is x and isinstance(second, Number) and bool(second.value == number)


def _neutral(function: str, x: Operand, y: Operand) -> Operand | None:
    """One of two integers, or 0, if an operation with the other number does nothing."""

    def value(operand: Operand) -> Any:
        return int(operand.value) if isinstance(operand, Number) else None

    a, b = value(x), value(y)
    if x.dtype == BOOL:
        neutral = {"&": 1, "|": 0}.get(function)
        if neutral is None or (a is None and b is None):
            return None
        known, other = (a, y) if a is not None else (b, x)
        return other if known == neutral else Number(known, BOOL)
    match function:
        case "+" if a == 0:
            return y
        case "+" | "-" if b == 0:
            return x
        case "*" if a == 1:
            return y
        case "*" | "quotient" if b == 1:
            return x
        case "*" if a == 0 or b == 0:
            return Number(0, x.dtype)
        case "rest" if b == 1:
            return Number(0, x.dtype)
        case "quotient" | "rest" if a is not None and b:
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return Number(quotient if function == "quotient" else a - quotient * b, x.dtype)
        case "min" | "max" if a is not None and b is not None:
            return Number(min(a, b) if function == "min" else max(a, b), x.dtype)
    return None
