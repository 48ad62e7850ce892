"""How the functions of this package are declared: elementwise operators that no ufunc computes.

They compute in double precision, whatever they are given, and round the result once: a float32
result is right to its last bit but for double rounding, unless a declaration says `single`. The
NumPy code of each is a helper function of doubles, made of functions that NumPy and CuPy both have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core.registry import Elementwise
from ops.core.types import ArrayType
from ops.special.native import kernel_of


class Promotion:
    """The result types of SciPy's ufuncs, which have loops for float32 and for float64.

    Args:
        first: the loop that SciPy tries first, ``"f"`` or ``"d"``: the one which integers and
            float16 get if they fit into both. A Python number has no say where there are arrays.
    """

    nout = 1
    __name__ = "special"

    def __init__(self, first: str = "d"):
        self.first = first

    def resolve_dtypes(self, dtypes: Sequence[Any]) -> tuple:
        """As for ufuncs: the dtypes, or Python types, of the operands and None for the result.

        Raises:
            NotImplementedError: there are complex numbers among the operands.
            TypeError: there are numbers of extended precision.
        """
        operands = dtypes[:-1]
        strong = [dtype for dtype in operands if isinstance(dtype, np.dtype)]
        if complex in operands or any(dtype.kind == "c" for dtype in strong):
            raise NotImplementedError("a special function of complex numbers; only real are")
        if any(dtype.kind == "f" and dtype.itemsize > 8 for dtype in strong):
            raise TypeError("a special function of numbers of extended precision")
        if self.first == "d":
            single = all(dtype == np.float32 for dtype in strong)
        else:
            single = all(np.can_cast(dtype, np.float32) for dtype in strong)
            only_integers = all(dtype.kind != "f" for dtype in strong)
            single = single and not (only_integers and float in operands)
        found = np.dtype(np.float32 if single and strong else np.float64)
        return (*[found] * len(operands), found)


_PROMOTIONS = {first: Promotion(first) for first in "df"}


def in_doubles(function, dtype, *operands):
    """A function of doubles, without NumPy's warnings; a scalar if there are no dimensions."""
    operands = [np.asarray(operand, dtype="float64") for operand in operands]
    if np.__name__ != "numpy":
        return function(*operands).astype(dtype)[()]
    operands = np.broadcast_arrays(*operands)
    flat = [operand.reshape(-1) for operand in operands]
    result = np.empty(flat[0].size, dtype)
    with np.errstate(all="ignore"):
        for start in range(0, result.size, 8192):  # so that what is in between stays in the cache
            piece = slice(start, start + 8192)
            result[piece] = function(*(operand[piece] for operand in flat))
    return result.reshape(operands[0].shape)[()]


def special(
    name: str,
    helpers: Sequence[Callable],
    partials: Sequence[Callable | float | None],
    doc: str,
    *,
    first: str = "d",
    safe: float | None = None,
    kernel: Callable | None = None,
    single: bool = False,
) -> Elementwise:
    """Declare a special function.

    Args:
        name: SciPy's.
        helpers: the function of doubles that computes it, and those that this one calls.
        partials, safe: as for `Elementwise`.
        doc: the docstring.
        first: see `Promotion`.
        kernel: the kernel expression, where there is one for either dtype; otherwise it is made
            of the helpers.
        single: whether a kernel computes it of float32 in float32, within 3 units in the last place
            of the exact value, because what it is used for needs it to be quick.
    """
    promotion = _PROMOTIONS[first]

    def code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
        all_weak = all(t.weak for t in types)
        scalars = tuple(t.dtype if all_weak else t.scalar for t in types)
        dtype = promotion.resolve_dtypes((*scalars, None))[-1]
        return f"in_doubles({helpers[0].__name__}, '{dtype.name}', {', '.join(args)})"

    kernel = kernel or kernel_of(helpers, single=single)
    operator = Elementwise(
        f"special_{name}",
        promotion,
        code,
        partials=partials,
        helpers=(in_doubles, *helpers),
        safe=safe,
        cost=30,
        kernel={"f": kernel} if kernel is not None else None,
        doc=doc,
    )
    operator.__name__ = operator.__qualname__ = name
    return operator


def horner(x, coefficients):
    """The polynomial with these coefficients, the highest power's first."""
    total = x * coefficients[0]
    for coefficient in coefficients[1:-1]:
        total += coefficient
        total *= x
    return total + coefficients[-1]
