"""NumPy's functions that join the elements of a list, for lists that are kept as rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.source.tree.libraries import package_of
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.random_generators import GraphGenerator
from autograph.staging.ground.errors import located, user_location
from autograph.staging.ground.nesting import LEAF
from autograph.staging.lists.lists import TrackedList, is_rows, is_unread
from ops.control import effects
from ops.core.numpy_table import FUNCTIONS


def joining(function: Any) -> Callable | None:
    """What stands for a NumPy function given a list that is kept as rows."""
    try:
        found = _FUNCTIONS.get(function)
    except TypeError:  # a callable object that can't be hashed
        return None
    return found and located()(found)


def takes_arrays(function: Any) -> bool:
    """Whether a function makes arrays of the lists that it is given."""
    of_generator = isinstance(getattr(function, "__self__", None), GraphGenerator)
    return package_of(function) == "numpy" or (of_generator and function.__name__ != "shuffle")


def holds_rows(argument: Any) -> bool:
    """Whether it is a list that is kept as rows, or one or a tuple with such among its elements.
    A list whose elements are not seen stays one."""
    if not isinstance(argument, (list, tuple, TrackedList)) or is_unread(argument):
        return False
    return is_rows(argument) or any(map(is_rows, argument))


def _rows(items: TrackedList) -> GraphArray:
    """The elements of a list as an array, of which there has to be one."""
    length = items.length
    if isinstance(length, GraphArray):
        message = "need at least one array to join"
        effects.check(ops.greater(length, 0), error="ValueError", message=message)
    return items.stacked()


def _stack(items: TrackedList, axis: int = 0, *args: Any, **kwargs: Any) -> GraphArray:
    rows = ops.moveaxis(_rows(items), 0, axis)
    if not args and not kwargs:
        return rows
    axis %= rows.ndim  # already joined: of a list of one array only the dtype, or `out`, is left
    return ops.squeeze(FUNCTIONS[np.stack]([rows], 0, *args, **kwargs), 0)


def _concatenate(items: TrackedList, axis: int | None = 0, *args: Any, **kwargs: Any) -> GraphArray:
    return _joined(_rows(items), axis, *args, **kwargs)


def _joined(rows: GraphArray, axis: int | None, *args: Any, **kwargs: Any) -> GraphArray:
    """The rows of an array joined along one of their axes."""
    if axis is None:
        result, axis = ops.reshape(rows, (-1,)), 0
    else:
        if rows.ndim < 2:
            raise ValueError("zero-dimensional arrays cannot be concatenated")
        axis = normalize_axis_index(axis, rows.ndim - 1)
        lengths = ops.lengths_of(ops.moveaxis(rows, 0, axis))
        merged = (*lengths[:axis], _product(*lengths[axis : axis + 2]), *lengths[axis + 2 :])
        result = ops.reshape(ops.moveaxis(rows, 0, axis), merged)
    if not args and not kwargs:
        return result
    return FUNCTIONS[np.concatenate]([result], axis, *args, **kwargs)


def _product(a: Any, b: Any) -> Any:
    """The number of elements of two axes; -1 where only the run knows."""
    return a * b if isinstance(a, int) and isinstance(b, int) else -1


def _vstack(items: TrackedList, **kwargs: Any) -> GraphArray:
    rows = _rows(items)
    while rows.ndim < 3:
        rows = ops.expand_dims(rows, 1)
    return _joined(rows, 0, **kwargs)


def _hstack(items: TrackedList, **kwargs: Any) -> GraphArray:
    rows = _rows(items)
    rows = ops.expand_dims(rows, 1) if rows.ndim == 1 else rows
    return _joined(rows, 0 if rows.ndim == 2 else 1, **kwargs)


def _dstack(items: TrackedList) -> GraphArray:
    rows = _rows(items)
    if rows.ndim > 3:
        return _joined(rows, 2)
    planes = ops.moveaxis(rows, 0, -1)  # each element is one
    while planes.ndim < 3:
        planes = ops.expand_dims(planes, 0)
    return planes


def _column_stack(items: TrackedList) -> GraphArray:
    rows = _rows(items)
    if rows.ndim > 2:
        return _joined(rows, 1)
    return ops.transpose(rows) if rows.ndim == 2 else ops.expand_dims(rows, 0)


def _block(items: TrackedList) -> GraphArray:
    if items.rows is None or items.rows.structure is not LEAF:
        raise _unsupported("np.block of nested lists")
    rows = _rows(items)
    return ops.copy(rows) if rows.ndim == 1 else _joined(rows, -1)


def _histogramdd(items: TrackedList, *args: Any, **kwargs: Any) -> Any:
    rows = _rows(items)  # one for each coordinate, where an array has one for each point
    return FUNCTIONS[np.histogramdd](ops.transpose(rows), *args, **kwargs)


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
    np.dstack: _dstack,
    np.column_stack: _column_stack,
    np.block: _block,
    np.histogramdd: _histogramdd,
}
