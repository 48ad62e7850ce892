"""NumPy's functions of dtypes, of which arrays stand for their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, ndim_of, operand_type
from ops.core.types import Casting, python_type

__all__ = [
    "can_cast",
    "common_type",
]


def _stand_in(x: Any) -> Any:
    """What NumPy takes in place of a symbolic value."""
    if not isinstance(x, Symbolic):
        return x
    return python_type(x.type.dtype)(0) if x.type.weak else x.type.dtype


@covers(np.can_cast)
def can_cast(from_: Any, to: Any, casting: Casting = "safe") -> bool:
    """``np.can_cast``: whether a dtype, or that of an array, can be converted to another.

    Raises:
        TypeError: a Python number is given, as by NumPy.
    """
    return np.can_cast(_stand_in(from_), _stand_in(to), casting)


@covers(np.common_type)
def common_type(*arrays: Any) -> type:
    """``np.common_type``: the type of floating-point numbers that holds the elements of arrays."""
    return np.common_type(*(np.empty(0, operand_type(x).dtype) for x in arrays))


@covers(np.min_scalar_type)
def min_scalar_type(a: Any) -> np.dtype:
    """``np.min_scalar_type`` of arrays.

    Raises:
        NotImplementedError: ``a`` is a number: the result depends on its value.
    """
    if ndim_of(a) == 0 and isinstance(a, Symbolic):
        raise NotImplementedError("np.min_scalar_type of a number known only at run time")
    return np.min_scalar_type(_stand_in(a)) if ndim_of(a) == 0 else operand_type(a).dtype
