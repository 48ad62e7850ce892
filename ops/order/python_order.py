"""The order in which Python's ``sorted`` puts elements: that of their numbers; and where one is
NaN, the one that Python's algorithm ends with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.indexing import subscript
from ops.arrays.rearrange import take_along_axis
from ops.arrays.reduction import any
from ops.control import effects
from ops.core import kernels
from ops.core.batching import Size
from ops.core.operands import dtype_of
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.elementwise import isnan, logical_not
from ops.order.sorting import argsort
from ops.structure.lanes import all_with_lanes


def places_in_order(lanes, numbers, *columns):
    """The places of the rows of some columns as Python's ``sorted`` arranges them."""
    if lanes:
        found = np.empty(columns[0].shape, np.intp)
        for lane in np.ndindex(*columns[0].shape[:lanes]):
            found[lane] = places_in_order(0, numbers, *(c[lane] for c in columns))
        return found
    missing = [np.isnan(column).sum() if column.dtype.kind == "f" else 0 for column in columns]
    if np.any(missing):
        if numbers:
            raise ValueError("NaN among what heapq is to find the smallest or largest of")
        if len(columns) > 1 and max(missing) > 1:
            raise ValueError(
                "sorted() of tuples with several NaNs at one place: their order depends on whether "
                "these are the same object"
            )
        keys = [column.tolist() for column in columns]
        keys = list(zip(*keys)) if len(keys) > 1 else keys[0]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.intp)
    found = np.argsort(columns[-1], kind="stable")
    for column in columns[-2::-1]:
        found = found[np.argsort(column[found], kind="stable")]
    return found


def _infer(*types: ArrayType, lanes: int, numbers: bool) -> tuple[ArrayType]:
    return (ArrayType(np.dtype(np.intp), types[0].shape),)


def _raises(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    several = len(types) > 1 or attrs["numbers"]
    return several and "f" in {type.dtype.kind for type in types}


def _batch(
    size: Size, batched: Sequence[bool], args: Sequence[Any], lanes: int, numbers: bool
) -> Any:
    args = all_with_lanes(size, batched, args)
    return python_order.apply(args, {"lanes": lanes + 1, "numbers": numbers})


def _without_nan(*columns: Any, lanes: int, numbers: bool) -> Any:
    """The same in a kernel, which leaves it to the program where a number is NaN."""
    for column in columns:
        if dtype_of(column).kind == "f":
            effects.check(logical_not(any(isnan(column))), error="ValueError", message="NaN")
    taken = take_along_axis if lanes else lambda x, places, axis: subscript(x, places)
    found = argsort(columns[-1], -1)
    for column in columns[-2::-1]:
        found = taken(found, argsort(taken(column, found, -1), -1), -1)
    return found


python_order = Custom(
    "python_order",
    _infer,
    "places_in_order({lanes}, {numbers}, {args})",
    helpers=[places_in_order],
    differentiable=False,
    raises=_raises,
    errors=(ValueError,),
    unknown_lengths=True,
    batch=_batch,
    native=kernels.Expansion(_without_nan),
    doc="""The places of rows in the order of Python's ``sorted``: by the first column, then the
    second, ...

    Args:
        operands: the columns: one axis, and the same length.
        lanes: how many first axes of the operands are lanes, each for itself.
        numbers: whether there may be no NaN.

    Raises:
        ValueError: there is one; or several numbers of one column are NaN, and there are other
            columns. Whether Python takes those for equal depends on which objects they are.
    """,
)
