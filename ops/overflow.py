"""Python's ints as elements of arrays: where one of them leaves 64 bits is an error, not another
number.

In lanes a Python int is an element of an int64 array, and NumPy's arithmetic of these wraps around.
`exact` holds the results to Python's. Which of them do not fit is found from the operands and the
results that may have wrapped around.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops import kernels
from ops.batching import with_same_attributes
from ops.conversion import cast
from ops.elementwise import (
    absolute,
    bitwise_and,
    bitwise_xor,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    not_equal,
    power,
    right_shift,
    subtract,
)
from ops.elementwise import multiply as product
from ops.registry import Custom, literal, operand_type
from ops.types import ArrayType

__all__ = ["in_64_bits"]

_LEAST, _MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
_WHOLE = 2**53  # ints that are no larger are themselves as floats


# What is raised, here and where ints are made of floats; `autograph.compiled` knows it by the text.
TOO_LARGE = "a Python int of a lane is beyond 64 bits"
NOT_WHOLE = "a Python int of a lane, of 2**53 or more, is divided, or compared with a float"


def held(x, fits, message):
    """``x``, if all the flags are true."""
    if not fits.all():
        raise OverflowError(message)
    return x


def _element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    kernels.require(read(1, index))
    return read(0, index)


in_64_bits = Custom(
    "in_64_bits",
    lambda x, fits, message: (x,),
    lambda args, types, attrs: f"held({args[0]}, {args[1]}, {attrs['message']!r})",
    helpers=[held],
    differentiable=False,
    raises=True,
    errors=(OverflowError,),
    view=True,
    unknown_lengths=True,
    batch=with_same_attributes("in_64_bits", core=0),
    element=_element,
    aligned=True,
    doc="""``x`` itself.

    Args:
        x: an array, of what Python computes with ints.
        fits: an array of booleans of the same shape: whether it is Python's result.
        message: what is raised says.

    Raises:
        OverflowError: somewhere it is not.
    """,
)


def exact(name: str, operands: Sequence[Any], result: Any, active: Any = None) -> Any:
    """The results of an operator of Python's numbers in lanes, held to Python's.

    Args:
        name: the operator's.
        operands: int64 or float64 arrays, or numbers, as the operator computes with them.
        result: what it gives, an array.
        active: in which lanes it counts; None for all.
    """
    if name not in _RULES:
        return result
    rule, message = _RULES[name]
    if message == TOO_LARGE and operand_type(result).dtype.kind != "i":
        return result
    fits = rule(*operands, result)
    if fits is None:
        return result
    if active is not None:
        fits = logical_or(fits, logical_not(active))
    return in_64_bits(result, fits, message=message)


def _add(x: Any, y: Any, result: Any) -> Any:
    x, y = (y, x) if literal(x) is not None else (x, y)
    known = literal(y)
    if known is not None:
        return greater_equal(result, x) if known >= 0 else less(result, x)
    # It has wrapped around where both operands have the sign that it does not have.
    return greater_equal(bitwise_and(bitwise_xor(x, result), bitwise_xor(y, result)), 0)


def _subtract(x: Any, y: Any, result: Any) -> Any:
    known = literal(y)
    if known is not None:
        return less_equal(result, x) if known >= 0 else greater(result, x)
    return greater_equal(bitwise_and(bitwise_xor(x, y), bitwise_xor(x, result)), 0)


def _multiply(x: Any, y: Any, result: Any) -> Any:
    x, y = (y, x) if literal(x) is not None else (x, y)
    known = literal(y)
    if known is not None:
        if known == 0:
            return None
        ends = (_LEAST, _MOST) if known > 0 else (_MOST, _LEAST)
        least, most = -(-ends[0] // int(known)), ends[1] // int(known)
        return logical_and(greater_equal(x, least), less_equal(x, most))
    return _near(product(_float(x), _float(y)), result)


def _power(x: Any, y: Any, result: Any) -> Any:
    return _near(power(_float(x), _float(y)), result)


def _near(estimate: Any, result: Any) -> Any:
    """Whether a result is what it would be without an end, of which floats give an estimate: what
    has wrapped around is off by 2**64 at least, and the estimate by less than one part in 2**40."""
    return less(absolute(subtract(estimate, _float(result))), 2.0**62)


def _float(x: Any) -> Any:
    return float(literal(x)) if literal(x) is not None else cast(x, "float64")


def _not_the_smallest(x: Any, result: Any) -> Any:
    return not_equal(x, _LEAST)


def _floor_divide(x: Any, y: Any, result: Any) -> Any:
    if literal(y) not in (None, -1):
        return None
    return logical_or(not_equal(x, _LEAST), not_equal(y, -1))


def _left_shift(x: Any, count: Any, result: Any) -> Any:
    return equal(right_shift(result, count), x)


def _whole(x: Any, y: Any, result: Any) -> Any:
    """Whether ints are themselves as floats. Python divides, and compares, the ints."""
    kinds = [operand_type(z).dtype.kind for z in (x, y)]
    compares = operand_type(result).dtype.kind == "b"
    if kinds.count("f") != compares:  # between floats, or of ints alone
        return None
    if not compares and _is_power_of_two(literal(y)):
        return None  # the quotient is as exact as the float
    fits = None
    for z, kind in zip((x, y), kinds):
        if kind == "i" and (literal(z) is None or abs(literal(z)) > _WHOLE):
            small = less(absolute(_float(z)), float(_WHOLE))
            fits = small if fits is None else logical_and(fits, small)
    return fits


def _is_power_of_two(x: Any) -> bool:
    return x is not None and abs(x) >= 1 and math.frexp(x)[0] in (0.5, -0.5)


_RULES: dict[str, tuple[Callable[..., Any], str]] = {
    "add": (_add, TOO_LARGE),
    "subtract": (_subtract, TOO_LARGE),
    "multiply": (_multiply, TOO_LARGE),
    "power": (_power, TOO_LARGE),
    "negative": (_not_the_smallest, TOO_LARGE),
    "absolute": (_not_the_smallest, TOO_LARGE),
    "floor_divide": (_floor_divide, TOO_LARGE),
    "left_shift": (_left_shift, TOO_LARGE),
    "divide": (_whole, NOT_WHOLE),
    **dict.fromkeys(
        ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
        (_whole, NOT_WHOLE),
    ),
}
