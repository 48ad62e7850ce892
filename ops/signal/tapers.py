"""Windows that fall off towards both ends, with the names of NumPy's, of any length.

Windows of a known length are NumPy's own arrays. Those of a symbolic length are computed by the
formulas of their definitions, in the order in which NumPy computes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ops.arrays.creation import numbered
from ops.core.numpy_table import covers
from ops.core.symbolic_lengths import is_length
from ops.elementwise import add, cos, divide, less_equal, multiply, subtract
from ops.elementwise.conversion import astype, where

__all__: list[str] = []


def _window(known: Callable[[int], np.ndarray], formula: Callable[[Any, Any], Any]) -> None:
    """A function with the name of NumPy's.

    Args:
        known: NumPy's function.
        formula: gives the window from the numbers -(n - 1), -(n - 3) ... n - 1 and from n - 1.
    """

    def window(M: Any) -> Any:
        if not is_length(M) or M < 2:
            return known(M)
        places = astype(add(multiply(numbered(M), 2), 1 - M), float)
        return formula(places, M - 1)

    window.__name__ = window.__qualname__ = known.__name__
    covers(known, "M", creates=True)(window)


def _bartlett(places: Any, last: Any) -> Any:
    ratio = divide(places, last)
    return where(less_equal(places, 0), add(1, ratio), subtract(1, ratio))


def _cosine(places: Any, last: Any, turns: float = 1.0) -> Any:
    return cos(divide(multiply(turns * math.pi, places), last))


def _blackman(places: Any, last: Any) -> Any:
    once = add(0.42, multiply(0.5, _cosine(places, last)))
    return add(once, multiply(0.08, _cosine(places, last, 2.0)))


_window(np.bartlett, _bartlett)
_window(np.blackman, _blackman)
_window(np.hamming, lambda places, last: add(0.54, multiply(0.46, _cosine(places, last))))
_window(np.hanning, lambda places, last: add(0.5, multiply(0.5, _cosine(places, last))))
