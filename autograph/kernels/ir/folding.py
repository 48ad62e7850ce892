"""What a function gives of scalars of a kernel, where that is known without computing it: of
numbers, and of integers with a number that changes nothing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.kernels.ir.operands import BOOL, INT, Number, Operand
from ops.core import kernels

_COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
_PREDICATES = _COMPARISONS | {"signbit", "isnan"}
_FOLDED: dict[str, Callable[..., Any]] = {
    **{symbol: compute for symbol, compute in kernels.OPERATORS.items() if symbol != "/"},
    "shift_left": operator.lshift,
    "shift_right": operator.rshift,
}


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


def unrounded(x: Operand, made: Mapping[Operand, Any]) -> Operand:
    """A rest that is rounded towards 0 in the place of one that is rounded down, which is 0 where
    that is: ``x % 100 == 0`` need not know the sign. Other operands as they are.

    Args:
        made: the statements that computed scalars.
    """
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
