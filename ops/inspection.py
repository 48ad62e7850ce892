"""NumPy's functions that ask for the type of an array, not for what is in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.lengths import count, lengths_of
from ops.numpy_table import covers
from ops.registry import Symbolic, dtype_of, ndim_of


@covers(np.result_type)
def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """``np.result_type``, to which a symbolic array counts as its dtype."""
    stand_ins = []
    for x in arrays_and_dtypes:
        if isinstance(x, Symbolic):
            x = x.type.scalar(0) if x.type.weak else x.type.dtype
        stand_ins.append(x)
    return np.result_type(*stand_ins)


@covers(np.shape)
def shape(a: Any) -> tuple[Any, ...]:
    """``np.shape``, with symbolic ints for lengths that only the run knows."""
    return a.shape if isinstance(a, Symbolic) else np.shape(a)


@covers(np.size)
def size(a: Any, axis: int | None = None) -> Any:
    """``np.size``: the number of elements, all of them or along an axis."""
    lengths = lengths_of(a)
    return count(lengths if axis is None else [lengths[axis]])


@covers(np.ndim)
def ndim(a: Any) -> int:
    """``np.ndim``: how many axes an array has."""
    return ndim_of(a)


@covers(np.iscomplexobj)
def iscomplexobj(x: Any) -> bool:
    """``np.iscomplexobj``: whether the dtype is complex."""
    return dtype_of(x).kind == "c"


@covers(np.isrealobj)
def isrealobj(x: Any) -> bool:
    """``np.isrealobj``: whether the dtype is not complex."""
    return dtype_of(x).kind != "c"
