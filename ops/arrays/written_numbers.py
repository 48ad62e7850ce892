"""When a number is none that an array of integers takes as an element.

NumPy makes Python's int of it, which has to fit. Of its own numbers it does not for unsigned
integers: these wrap around.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ops.core.conditions import Conditions, Message, raised_by
from ops.core.operands import Symbolic, concrete, dtype_of, operand_type
from ops.core.types import ArrayType
from ops.elementwise import (
    greater,
    greater_equal,
    isinf,
    isnan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
)
from ops.elementwise.conversion import cast, where


def may_not_hold(x: ArrayType, value: ArrayType) -> bool:
    """Whether a number that is written may be none that the integers of an array can hold, which
    Python's conversion finds."""
    if x.dtype.kind not in "iu" or value.shape:
        return False
    if value.dtype.kind == "f":
        return True
    return (value.weak or x.dtype.kind == "i") and not np.can_cast(value.dtype, x.dtype)


def value_conditions(x: Any, value: Any) -> Conditions | None:
    """When a number cannot be set as an element of ``x``; None if the text of an error would have
    an int of more than 64 bits in it."""
    kind, dtype = operand_type(value), dtype_of(x)
    if not may_not_hold(operand_type(x), kind) or _holds(dtype, concrete(value)):
        return []
    if dtype.kind == "u" and not kind.weak:
        return []
    bounds = np.iinfo(dtype)
    least, most = int(bounds.min), int(bounds.max)
    if kind.dtype == np.uint64 or (dtype == np.uint32 and kind.dtype.kind == "f"):
        return None
    if kind.dtype.kind != "f":
        outside = logical_or(less(value, least), greater(value, min(most, 2**63 - 1)))
        return [(_out_of_bounds(value, dtype), outside)]
    number = cast(value, np.float64)
    limit = 2.0**64 if dtype == np.uint64 else 2.0**63
    large = logical_or(less(number, -(2.0**63)), greater_equal(number, limit))
    found = [
        (raised_by(int, math.nan), isnan(value)),
        (raised_by(int, math.inf), isinf(value)),
        (raised_by(np.zeros(1, dtype).__setitem__, 0, 2.0**65), large),
    ]
    if dtype != np.int64:
        below, above = float(least - 1), float(most + 1)
        outside = logical_or(less_equal(number, below), greater_equal(number, above))
        outside = logical_and(outside, logical_not(large))
        shown = cast(where(outside, number, 0.0), int, weak=True)
        found.append((_out_of_bounds(shown, dtype), outside))
    return found


def _holds(dtype: np.dtype, value: Any) -> bool:
    """Whether an array takes a number as an element; False of one that only the run knows."""
    if isinstance(value, Symbolic):
        return False
    try:
        np.zeros(1, dtype)[0] = value
    except (ValueError, OverflowError):
        return False
    return True


def _out_of_bounds(value: Any, dtype: np.dtype) -> OverflowError:
    text: Any = Message(f"Python integer {{}} out of bounds for {dtype.name}", (value,))
    return OverflowError(text)
