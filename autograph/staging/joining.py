"""NumPy's functions that join the elements of a list, for lists that are kept as rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.array import GraphArray
from autograph.staging.errors import user_location
from autograph.staging.lists import TrackedList


def joining(function: Any) -> Callable | None:
    """What stands for a NumPy function given a list that is kept as rows."""
    try:
        return _FUNCTIONS.get(function)
    except TypeError:  # a callable object that can't be hashed
        return None


def takes_arrays(function: Any) -> bool:
    """Whether a function makes arrays of the lists that it is given."""
    return (getattr(function, "__module__", None) or "").partition(".")[0] == "numpy"


def _stack(items: TrackedList, axis: int = 0) -> GraphArray:
    return ops.moveaxis(items.stacked(), 0, axis)


def _concatenate(items: TrackedList, axis: int = 0) -> GraphArray:
    rows = items.stacked()
    if axis != 0 or rows.ndim < 2:
        raise _unsupported("concatenating along another axis than the first")
    return ops.reshape(rows, (-1, *rows.shape[2:]))


def _vstack(items: TrackedList) -> GraphArray:
    rows = items.stacked()
    if rows.ndim == 1:
        return ops.expand_dims(rows, 1)
    return rows if rows.ndim == 2 else _concatenate(items)


def _hstack(items: TrackedList) -> GraphArray:
    rows = items.stacked()
    return rows if rows.ndim == 1 else _concatenate(items, 0 if rows.ndim == 2 else 1)


def _column_stack(items: TrackedList) -> GraphArray:
    rows = items.stacked()
    if rows.ndim > 2:
        raise _unsupported("np.column_stack of matrices")
    return ops.transpose(rows) if rows.ndim == 2 else ops.expand_dims(rows, 0)


def _unsupported(what: str) -> UnsupportedFunctionError:
    return UnsupportedFunctionError(
        f"{what} in a list whose length depends on traced values is not supported",
        user_location(),
        id="AG0337",
        fix="make an array of the list with np.stack, and rearrange that",
    )


_FUNCTIONS = {
    np.stack: _stack,
    np.concatenate: _concatenate,
    np.vstack: _vstack,
    np.hstack: _hstack,
    np.column_stack: _column_stack,
}
