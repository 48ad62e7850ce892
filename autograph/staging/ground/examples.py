"""Ordinary values in place of symbolic ones, to ask Python and NumPy what they are and can do."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.core.symbolic_lengths import example_of


def example(array: Any) -> Any:
    """A value of the Python type that a symbolic array or number stands for."""
    if array.type.weak:
        return array.type.scalar()
    if array.ndim or array.is_array:
        return np.ones([1 if n is None else example_of(n) for n in array.type.shape], array.dtype)
    return array.dtype.type(0)
