"""Numbers of fewer digits, where they are.

A number of float32 that is rounded to bfloat16 is one that bfloat16 has, so arithmetic whose
operands and results are rounded is that of bfloat16, on any machine and in any array library. What
is computed of such numbers stays float32 or float64, and so do products and sums in between: a
product of two numbers of bfloat16 or float16 is exact in float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ops.core import kernels
from ops.core.operands import operand_type
from ops.core.registry import Linear
from ops.core.types import ArrayType, numpy_dtype
from ops.structure.lanes import with_same_attributes

__all__ = ["round_to"]


class NarrowFormat(NamedTuple):
    """A binary format of IEEE 754's kind.

    Attributes:
        digits: behind the binary point of a normal number.
        least: the exponent of the smallest normal number.
        most: the largest number.
    """

    digits: int
    least: int
    most: float


FORMATS = {
    "bfloat16": NarrowFormat(7, -126, (2.0 - 2.0**-7) * 2.0**127),
    "float16": NarrowFormat(10, -14, 65504.0),
}

_DIGITS = {4: 23, 8: 52}  # of what is rounded, by the size of an element
_LEAST = {4: -126, 8: -1022}


def format_name(dtype: Any) -> str:
    """The name of a format.

    Raises:
        ValueError: it is none of those that there are.
    """
    name = dtype if isinstance(dtype, str) else numpy_dtype(dtype).name
    if name not in FORMATS:
        raise ValueError(f"numbers are rounded to {' or '.join(FORMATS)}, not to {name}")
    return name


def rounded_to(x, dtype):
    """The nearest numbers of bfloat16 or float16, in the dtype of x."""
    # Digits behind the point, the exponent of the least normal number, the largest number.
    formats = {"bfloat16": (7, -126, 3.3895313892515355e38), "float16": (10, -14, 65504.0)}
    digits, least, most = formats[dtype]
    single = x.dtype.itemsize == 4
    drop = (23 if single else 52) - digits
    known = np.where(np.isnan(x), 0, x)
    bits = known.view("int32" if single else "int64")
    bits = (bits + ((1 << (drop - 1)) - 1) + ((bits >> drop) & 1)) & -(1 << drop)
    found = bits.view(x.dtype)
    found = np.where(np.abs(found) > most, np.copysign(np.inf, found), found)
    if least > (-126 if single else -1022):
        step = 2.0 ** (least - digits)  # between numbers below the normal ones
        is_small = np.abs(known) < 2.0**least
        found = np.where(is_small, np.rint(np.where(is_small, known, 0) / step) * step, found)
    return np.where(np.isnan(x), x, found)[()]


def number_rounded_to(x, dtype):
    """The nearest number of bfloat16 or float16 to a Python float."""
    return float(rounded_to(np.array(x), dtype))


def _prepare(x: Any, dtype: Any) -> tuple[Sequence[Any], dict[str, Any]]:
    name, found = format_name(dtype), operand_type(x)
    if found.dtype not in (np.float32, np.float64):
        raise TypeError(f"float32 and float64 are rounded to {name}, not {found}")
    return (x,), {"dtype": name}


def _code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    function = "number_rounded_to" if types[0].weak else "rounded_to"
    return f"{function}({args[0]}, {attrs['dtype']!r})"


def _element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    x, size = read(0, index), types[0].dtype.itemsize
    digits, least, most = FORMATS[attrs["dtype"]]
    drop = _DIGITS[size] - digits
    bits = kernels.bits(x)
    bits = (bits + ((1 << (drop - 1)) - 1) + ((bits >> drop) & 1)) & -(1 << drop)
    found = kernels.from_bits(bits)
    infinite = kernels.copysign(math.inf, x)
    found = kernels.select(kernels.fabs(found) > most, infinite, found)
    if least > _LEAST[size]:
        step = 2.0 ** (least - digits)
        small = kernels.rint(x / step) * step
        found = kernels.select(kernels.fabs(x) < 2.0**least, small, found)
    return kernels.select(x == x, found, x)


round_to: Linear = Linear(
    "round_to",
    lambda x, dtype: (x,),
    _code,
    helpers=[rounded_to, number_rounded_to],
    transposes=[lambda ct, x, dtype: round_to(ct, dtype)],
    zeros="kept",
    unknown_lengths=True,
    prepare=_prepare,
    batch=with_same_attributes(),
    native=kernels.Element(_element),
    doc="""The nearest numbers that a narrower format has, of two the even one, in the dtype of
    ``x``: infinities where they are too large, and less digits below its normal numbers.

    As of a conversion there and back, the derivative is that of the identity, and what it is
    multiplied with is rounded, too. It is ``lax.reduce_precision`` of JAX, which has zeros below
    the normal numbers.

    Args:
        x: an array or number of float32 or float64.
        dtype: ``"bfloat16"`` or ``"float16"``, or the dtype.

    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: it is another format.
    """,
    cost=6,
    cheap=True,
    slow=True,
    aligned=True,
    keeps_shape=True,
    contiguous=True,
    precision="low",
)
