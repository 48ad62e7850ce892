"""NumPy's functions that write into an array they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.conversion import where as where_
from ops.inspection import result_type
from ops.numpy_table import covers
from ops.registry import Symbolic, dtype_of, shape_of


@covers(np.copyto)
def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """``np.copyto``."""
    if not np.can_cast(result_type(src), dtype_of(dst), casting):
        raise TypeError(
            f"Cannot cast array data from {dtype_of(src)!r} to {dtype_of(dst)!r} according to the "
            f"rule '{casting}'"
        )
    dst[...] = src if where is True else where_(where, src, dst)


@covers(np.putmask)
def putmask(a: Any, mask: Any, values: Any) -> None:
    """``np.putmask`` of values that need not be repeated."""
    if shape_of(values) not in ((), shape_of(a)):
        raise NotImplementedError("putmask(): values of another shape are not supported")
    a[...] = where_(mask, values, a)


@covers(np.put)
def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """``np.put``: assignment to places counted in C order."""
    if mode != "raise":
        raise NotImplementedError("put(): the argument 'mode' is not supported")
    if len(shape_of(a)) == 1:
        a[ind] = v
    elif isinstance(ind, Symbolic):
        raise NotImplementedError("put() into several dimensions by symbolic places")
    else:
        a[np.unravel_index(ind, shape_of(a))] = v


@covers(np.fill_diagonal)
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """``np.fill_diagonal``."""
    shape = shape_of(a)
    if len(shape) < 2:
        raise ValueError("array must be at least 2-d")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    if wrap or shape_of(val) != ():
        raise NotImplementedError("fill_diagonal() with an array, or with wrap")
    a[(np.arange(min(shape)),) * len(shape)] = val
