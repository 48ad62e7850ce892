"""Arrays taken apart along an axis. The parts are views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.indexing import getitem, subscript
from ops.arrays.joining import axis_slice
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, index_of, ndim_of, shape_of
from ops.structure.permuting import moveaxis

__all__ = [
    "array_split",
    "dsplit",
    "hsplit",
    "split",
    "unstack",
    "vsplit",
]


@covers(np.array_split, "ary indices_or_sections axis")
def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """``x`` cut along an axis into that many parts of nearly equal length, or at those indices.

    Raises:
        ValueError: the number of parts is not positive.
        AxisError: the axis is out of range.
    """
    ndim = ndim_of(x)
    axis = normalize_axis_index(axis, ndim)
    if _is_number(indices_or_sections):
        sections = int(indices_or_sections)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        shorter, longer = divmod(shape_of(x)[axis], sections)
        cuts = [i * shorter + min(i, longer) for i in range(1, sections)]
    else:
        cuts = [index_of(i) for i in indices_or_sections]
    return [
        getitem(x, index=axis_slice(ndim, axis, start, stop))
        for start, stop in zip([0, *cuts], [*cuts, None])
    ]


def _is_number(indices_or_sections: Any) -> bool:
    if isinstance(indices_or_sections, Symbolic):
        return not ndim_of(indices_or_sections)
    return not isinstance(indices_or_sections, Sequence) and np.ndim(indices_or_sections) == 0


@covers(np.split, "ary indices_or_sections axis")
def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """``x`` cut along an axis into that many parts of equal length, or at those indices.

    Raises:
        ValueError: the parts would not be equal.
    """
    if _is_number(indices_or_sections):
        n = shape_of(x)[normalize_axis_index(axis, ndim_of(x))]
        sections = int(indices_or_sections)
        if sections == 0:
            raise ZeroDivisionError("integer modulo by zero")
        if n % sections:
            raise ValueError("array split does not result in an equal division")
    return array_split(x, indices_or_sections, axis)


def _along(function: Callable, axis: int, least: int, doc: str) -> Callable:
    @covers(function, "ary indices_or_sections")
    def part(x: Any, indices_or_sections: Any) -> list[Any]:
        if ndim_of(x) < least:
            raise ValueError(
                f"{function.__name__} only works on arrays of {least} or more dimensions"
            )
        return split(x, indices_or_sections, axis if ndim_of(x) > 1 else 0)

    part.__name__ = part.__qualname__ = function.__name__
    part.__doc__ = doc
    return part


hsplit = _along(np.hsplit, 1, 1, "`split` along the second axis; along the first of a vector.")
vsplit = _along(np.vsplit, 0, 2, "`split` along the first axis, of an array of two or more.")
dsplit = _along(np.dsplit, 2, 3, "`split` along the third axis.")


@covers(getattr(np, "unstack", None), "x axis")  # from NumPy 2.1 on
def unstack(x: Any, axis: int = 0) -> tuple[Any, ...]:
    """The parts of ``x`` at each index along an axis, without that axis."""
    if not ndim_of(x):
        raise ValueError("Input array must be at least 1-d.")
    rows = moveaxis(x, axis, 0)
    return tuple(subscript(rows, i) for i in range(shape_of(rows)[0]))
