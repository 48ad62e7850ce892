"""Why some of NumPy's functions can't be in a graph, and what to use in their place."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ops.core.types import SUPPORTED

_ADDRESSES = (
    "a graph does not say where the elements lie in memory",
    "use nothing that depends on that",
)
_MASKED = (
    "a masked array is another class of array",
    "keep the mask in an array of its own, as in np.where(mask, 0.0, x)",
)
_MATRIX = ("a matrix is another class of array", "use an array of two axes")
_MEMORY = ("it goes through their memory", "use functions of whole arrays")
_TEXT = ("it makes a text of them", "print the array, or put it into an f-string")
_FILE = (
    "it would write once, when the code is recorded",
    "return the array, and write it outside of the function",
)
_REAL_OR_COMPLEX = "whether the result is complex depends on the data"

# For each function why, and what to do.
REASONS: dict[Callable, tuple[str, str]] = {
    np.array2string: _TEXT,
    np.asmatrix: _MATRIX,
    np.bmat: _MATRIX,
    np.broadcast: _MEMORY,
    np.format_float_positional: _TEXT,
    np.format_float_scientific: _TEXT,
    np.frombuffer: _MEMORY,
    np.lib.stride_tricks.as_strided: (
        "it goes through their memory",
        "use np.lib.stride_tricks.sliding_window_view or np.broadcast_to",
    ),
    np.matrix: _MATRIX,
    np.nested_iters: _MEMORY,
    np.poly1d: (
        "it leaves out zeros, so that the length depends on the data",
        "keep the coefficients in an array, and use np.polyval, np.convolve, np.polyder and so on",
    ),
    np.array_repr: _TEXT,
    np.array_str: _TEXT,
    np.may_share_memory: _ADDRESSES,
    np.roots: (
        "how many there are, and whether they are real, depends on the data",
        "use np.linalg.eigvals of the companion matrix, in complex numbers",
    ),
    np.save: _FILE,
    np.savetxt: _FILE,
    np.savez: _FILE,
    np.savez_compressed: _FILE,
    np.shares_memory: _ADDRESSES,
    **{
        getattr(np.emath, name): (
            _REAL_OR_COMPLEX,
            f"use np.{name} of real numbers in its domain, or of x.astype(complex)",
        )
        for name in ("arccos", "arcsin", "arctanh", "log", "log10", "log2", "power", "sqrt")
    },
    np.emath.logn: (_REAL_OR_COMPLEX, "use np.log(x) / np.log(n), of x.astype(complex) if needed"),
}


def reason(function: Any) -> tuple[str, str] | None:
    """Why a function of NumPy's can't be in a graph, and what to do; None if nothing is known."""
    found = REASONS.get(function)
    return _MASKED if found is None and _makes_masked(function) else found


def _makes_masked(function: Any) -> bool:
    """Whether a function makes masked arrays. They are told by their names: NumPy imports their
    module when it is first asked for, which takes longer than to record a small program."""
    if not isinstance(function, (type, FunctionType)):
        return False
    name = function.__name__
    is_one = name in ("array", "fix_invalid", "MaskedArray") or "masked_" in name
    return is_one and f"{function.__module__}.".startswith("numpy.ma.")


def is_class_of_arrays(function: Any) -> bool:
    """Whether it is a class that derives from that of NumPy's arrays."""
    is_derived = isinstance(function, type) and issubclass(function, np.ndarray)
    return is_derived and function is not np.ndarray


def no_operand(x: Any) -> tuple[str, str]:
    """Why ``x`` can be no operand of an operator, and what to do."""
    if isinstance(x, (np.ndarray, np.generic)):
        return f"an operand has dtype {x.dtype}, which is not supported", f"use {SUPPORTED}"
    what = f"an operand of type {type(x).__name__} is neither an array nor a number"
    return what, "convert it to an array first"
