"""Looking for a row of numbers among others: what a dict becomes whose keys only the run knows.

Such a dict is two lists, of its keys and of what they stand for, in the order in which Python goes
through them. A key that is a tuple of numbers is a row of several columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core.batching import Size
from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.structure.lanes import all_with_lanes

__all__ = ["find_row"]


def _infer(*operands: ArrayType) -> tuple[ArrayType]:
    count = len(operands) // 2
    columns, parts = operands[:count], operands[count:]
    if not count or len(parts) != count:
        raise TypeError("as many columns are needed as there are parts of a key")
    for column, part in zip(columns, parts):
        kinds = column.dtype.kind, part.dtype.kind
        if "".join(kinds) not in ("bb", "bi", "ib", "ii", "ff"):
            raise TypeError(f"keys of {part.dtype} among {column.dtype} can't be looked up")
        if not column.shape or column.shape[:-1] != part.shape:
            raise ValueError(f"a key of shape {part.shape} is none of rows of {column.shape}")
    return (ArrayType(np.dtype(np.int64), parts[0].shape),)


def place_of_row(*operands):
    """The last place where columns are equal to the parts of a key; -1 where there is none."""
    count = len(operands) // 2
    columns, parts = operands[:count], operands[count:]
    equal = np.array(True)
    for column, part in zip(columns, parts):
        equal = equal & (column == np.asarray(part)[..., None])
    if equal.ndim == 1:
        places = np.flatnonzero(equal)
        return np.int64(places[-1]) if len(places) else np.int64(-1)
    numbers = np.where(equal, np.arange(equal.shape[-1], dtype=np.int64), -1)
    return numbers.max(axis=-1, initial=-1)


def _batch(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> Any:
    return find_row(*all_with_lanes(size, batched, args))


find_row: Custom = Custom(
    "find_row",
    _infer,
    "place_of_row({args})",
    helpers=[place_of_row],
    differentiable=False,
    unknown_lengths=True,
    batch=_batch,
    cost=4.0,
    doc="""The last place where each of some columns is equal to one part of a key, as an int64; -1
    if there is none.

    Args:
        operands: the columns, integers or floats of shape ``(*lanes, n)``, and then the parts of
            the key, as many of shape ``lanes``. Floats are no NaN.
    """,
)
