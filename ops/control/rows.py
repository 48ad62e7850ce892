"""Arrays that grow and shrink by rows: what a list becomes that a loop appends to.

The first length of such an array is known only at run time. Appending to one that nobody
needs any more takes constant time on average: its memory is made larger than needed, and doubled
when it is full. Appending and dropping a row are each other's transposes, so the same holds for the
backward pass of a loop that does either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.creation import full_like
from ops.arrays.indexing import getitem
from ops.arrays.joining import stack
from ops.core import kernels
from ops.core.batching import Size
from ops.core.lengths import as_shape, lengths_of
from ops.core.operands import dims_of, dtype_of
from ops.core.registry import Custom, Linear
from ops.core.types import ArrayType
from ops.elementwise import add
from ops.structure.identity import refine
from ops.structure.lanes import all_with_lanes, with_same_attributes
from ops.structure.permuting import swapaxes

__all__ = [
    "add_same",
    "append_row",
    "drop_row",
    "no_rows",
    "rows_of",
]


def _append_infer(rows: ArrayType, row: ArrayType) -> tuple[ArrayType]:
    if not rows.shape or rows.shape[1:] != row.shape:
        raise ValueError(f"a row of shape {row.shape} does not fit an array of shape {rows.shape}")
    if row.dtype != rows.dtype:
        raise TypeError(f"a row of {row.dtype} does not fit an array of {rows.dtype}")
    return (ArrayType(rows.dtype, (None, *row.shape)),)


def appended(rows, row):
    """``rows`` and ``row`` behind them, in a new array."""
    result = np.empty((len(rows) + 1, *rows.shape[1:]), rows.dtype)
    result[:-1] = rows
    result[-1] = row
    return result


def grown(rows, row, most=float("inf")):
    """``rows`` and ``row`` behind them, in the memory of ``rows`` if there is room.

    It may be done if nobody needs what is behind ``rows`` there. They may take ``most`` bytes.
    """
    n, room = len(rows), rows.base
    if (
        room is None
        or room.dtype != rows.dtype
        or room.shape[1:] != rows.shape[1:]
        or room.strides != rows.strides
        or len(room) == n
        or not np.may_share_memory(room[:1], rows[:1])
    ):
        room = np.empty((2 * n + 4, *rows.shape[1:]), rows.dtype)
        if len(room) * room.strides[0] > most:
            raise MemoryError(f"a list of {n} rows grows beyond {most} bytes")
        room[:n] = rows
    room[n] = row
    return room[: n + 1]


# The lanes of rows are rows of lanes: these grow by one row, in place where they can.


def _append_batch(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> Any:
    rows, row = all_with_lanes(size, batched, args)
    return swapaxes(append_row(swapaxes(rows, 0, 1), row), 0, 1)


append_row = Linear(
    "append_row",
    _append_infer,
    "appended({0}, {1})",
    transposes=[
        lambda ct, rows, row: refine(drop_row(ct), shape=dims_of(rows)),
        lambda ct, rows, row: getitem(ct, index=(("int", -1),)),
    ],
    zeros="moved",
    helpers=[appended, grown],
    in_place="grown({0}, {1})",
    unknown_lengths=True,
    batch=_append_batch,
    doc="""``rows`` with one more row behind them.

    Args:
        rows: an array of shape ``(n, *s)``.
        row: an array of shape ``s`` and the same dtype.
    """,
    precision="exact",
)


def _drop_infer(rows: ArrayType) -> tuple[ArrayType]:
    if not rows.shape:
        raise TypeError("a scalar has no rows")
    return (ArrayType(rows.dtype, (None, *rows.shape[1:])),)


def all_but_last(rows):
    """``rows`` without the last of them."""
    if not len(rows):
        raise IndexError("pop from empty list")
    return rows[:-1]


def _zero_row(rows: Any) -> Any:
    shape = lengths_of(rows)[1:]
    return full_like(rows, 0, shape=shape) if shape else dtype_of(rows).type(0)


drop_row: Linear = Linear(
    "drop_row",
    _drop_infer,
    "all_but_last({0})",
    transposes=[
        lambda ct, rows: refine(append_row(ct, _zero_row(ct)), shape=dims_of(rows)),
    ],
    zeros="moved",
    helpers=[all_but_last],
    raises=True,
    errors=(IndexError,),
    view=True,
    unknown_lengths=True,
    batch=lambda size, batched, args: swapaxes(drop_row(swapaxes(args[0], 0, 1)), 0, 1),
    doc="""``rows`` without the last of them, in the same memory.

    Raises:
        IndexError: there is none, when the program runs.
    """,
    writable=True,
    precision="exact",
)


def _no_rows_code(args: Sequence[str], types: Sequence[Any], attrs: dict[str, Any]) -> str:
    dtype = "" if attrs["dtype"] == "float64" else f", dtype='{attrs['dtype']}'"
    return f"np.empty({(0, *attrs['shape'])}{dtype})"


no_rows = Custom(
    "no_rows",
    lambda dtype, shape: (ArrayType(np.dtype(dtype), (None, *shape)),),
    _no_rows_code,
    differentiable=False,
    creates=True,
    prepare=lambda dtype, shape=(): ((), {"dtype": np.dtype(dtype).name, "shape": as_shape(shape)}),
    doc="""An array of rows of the given shape that has none yet, to be appended to.

    Args:
        dtype: of the rows.
        shape: of one row.
    """,
)


add_same = Linear(
    "add_same",
    lambda x, y: (x,),
    "{0} + {1}",
    transposes=[lambda ct, x, y: ct, lambda ct, x, y: ct],
    zeros="kept",
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(
        lambda read, index, types, attrs: add.kernels[types[0].dtype.kind](
            read(0, index), read(1, index)
        )
    ),
    doc="The sum of two arrays of the same type that are known to have the same lengths.",
    aligned=True,
    keeps_shape=True,
)


def rows_of(values: Sequence[Any]) -> Any:
    """The values, at least one, as rows of an array to be appended to.

    Raises:
        ValueError: their shapes differ, or there is none.
    """
    stacked = stack(values)
    return refine(stacked, shape=(None, *dims_of(stacked)[1:]))
