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

from ops.core import kernels
from ops.core.operands import literal, operand_type
from ops.core.registry import Custom, Elementwise
from ops.core.types import ArrayType
from ops.elementwise import absolute, less, logical_and, logical_not, logical_or
from ops.elementwise.arithmetic import as_float
from ops.structure.lanes import with_same_attributes

__all__ = ["in_64_bits"]

_WHOLE = 2**53  # ints that are no larger are themselves as floats


# What is raised, here and where ints are made of floats; `autograph.api.calls.compiled` knows it by
# the text.
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
    texts=("message",),
    view=True,
    unknown_lengths=True,
    batch=with_same_attributes(core=0),
    native=kernels.Element(_element),
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


def exact(op: Elementwise, operands: Sequence[Any], result: Any, active: Any = None) -> Any:
    """The results of an operator of Python's numbers in lanes, held to Python's.

    Args:
        op: the operator.
        operands: int64 or float64 arrays, or numbers, as the operator computes with them.
        result: what it gives, an array.
        active: in which lanes it counts; None for all.
    """
    if op.python is None:
        return result
    fits, message = None, TOO_LARGE
    if op.python.exact:
        x, y = operands
        fits, message = _whole(x, y, result), NOT_WHOLE
    elif op.python.fits is not None and operand_type(result).dtype.kind == "i":
        fits = op.python.fits(*operands, result)
    if fits is None:
        return result
    if active is not None:
        fits = logical_or(fits, logical_not(active))
    return in_64_bits(result, fits, message=message)


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
            small = less(absolute(as_float(z)), float(_WHOLE))
            fits = small if fits is None else logical_and(fits, small)
    return fits


def _is_power_of_two(x: Any) -> bool:
    return x is not None and abs(x) >= 1 and math.frexp(x)[0] in (0.5, -0.5)
