"""NumPy's functions that ask for the type of an array, not for what is in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.arrays.joining import array
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dtype_of, ndim_of
from ops.core.types import python_type
from ops.structure.reshaping import count

__all__ = [
    "result_type",
]


def _as_array(x: Any) -> Any:
    if not isinstance(x, (list, tuple)):
        return x
    return array(x)


@covers(np.result_type)
def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """``np.result_type``, to which a symbolic array counts as its dtype."""
    stand_ins = []
    for x in arrays_and_dtypes:
        if isinstance(x, Symbolic):
            x = python_type(x.type.dtype)(0) if x.type.weak else x.type.dtype
        stand_ins.append(x)
    return np.result_type(*stand_ins)


@covers(np.shape)
def shape(a: Any) -> tuple[Any, ...]:
    """``np.shape``, with symbolic ints for lengths known only at run time."""
    array = _as_array(a)
    return array.shape if isinstance(a, Symbolic) else np.shape(array)


@covers(np.size)
def size(a: Any, axis: Any = None) -> Any:
    """``np.size``: the number of elements, all of them or along some axes."""
    lengths = lengths_of(_as_array(a))
    if axis is None:
        return count(lengths)
    axes = (axis,) if np.ndim(axis) == 0 else tuple(axis)
    return count(lengths[i] for i in normalize_axis_tuple(axes, len(lengths)))


@covers(np.ndim)
def ndim(a: Any) -> int:
    """``np.ndim``: how many axes an array has."""
    return ndim_of(_as_array(a))


@covers(np.iscomplexobj)
def iscomplexobj(x: Any) -> bool:
    """``np.iscomplexobj``: whether the dtype is complex."""
    return dtype_of(_as_array(x)).kind == "c"


@covers(np.isrealobj)
def isrealobj(x: Any) -> bool:
    """``np.isrealobj``: whether the dtype is not complex."""
    return dtype_of(_as_array(x)).kind != "c"
