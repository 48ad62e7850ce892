"""What Python's operators give of its own numbers, and where 64 bits are not enough for that.

A Python int has no end, and a quotient by 0 is an error; in kernels and in lanes int64 and float64
take the place of Python's numbers. An operator says here where that is another result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ops.core.integer_bounds import Bounds
from ops.core.records import dataclass


@dataclass(frozen=True, eq=False)
class PythonOperator:
    """The operator of Python's that an elementwise one is between Python's numbers.

    Attributes:
        compute: Python's operator.
        native: ``native(*operands)`` requires, in the scalar language of `ops.core.kernels`, that
            Python does not raise, and has a result of 64 bits.
        complex_kernel: how it is computed natively of complex numbers, as the operator's; it may
            require what `native` does. Without one Python computes as NumPy does.
        checked: the function of kernels that computes it of ints, and gives up where the result
            has more than 64 bits.
        fits: ``fits(*operands, result)`` for lanes: whether a result of ints, which may have
            wrapped around, is Python's; None if it always is.
        exact: Python divides, or compares, ints themselves, and not floats made of them.
        of_zero: what Python says of a divisor that is 0: of ints, and of floats.
        wrong: ``wrong(*operands, result)`` for lanes: where Python has no result of floats, as
            triples of flags, the name of an exception, and what it says.
        bounds: of ints, between which bounds results are, given those of the operands; see
            `ops.core.integer_bounds`.
        low_bits: the positions of operands of which as many of the lowest bits are enough for some
            of the lowest bits of the result.
        unsigned: whether the operator's kernel for integers without a sign computes what Python
            does of ints that are not negative; if it divides, by such as are not 0.
    """

    compute: Callable[..., Any]
    native: Callable[..., None] | None = None
    complex_kernel: Callable[..., Any] | None = None
    checked: str | None = None
    fits: Callable[..., Any] | None = None
    exact: bool = False
    of_zero: tuple[str, str] | None = None
    wrong: Callable[..., list[tuple[Any, str, str]]] | None = None
    bounds: Callable[..., Bounds] | None = None
    low_bits: tuple[int, ...] = ()
    unsigned: bool = False
