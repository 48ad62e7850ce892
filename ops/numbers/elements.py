"""Single elements of arrays as Python numbers."""

from __future__ import annotations

from typing import Any

from ops.arrays.indexing import subscript
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers
from ops.core.operands import Symbolic, dtype_of, index_of, ndim_of, operand_type
from ops.elementwise.conversion import cast
from ops.structure.reshaping import count, ravel, reshape

__all__ = []


@covers(method="item")
def item(a: Any, *args: Any) -> Any:
    """``a.item(...)``: an element as a Python number.

    Args:
        a: an array.
        args: nothing, for an array of one element; the place of the element in C order; or its
            index, as one tuple or as an integer for each axis.

    Raises:
        ValueError: the array has more than one element, or another number of axes.
        IndexError: the place is out of range.
    """
    if len(args) == 1 and isinstance(args[0], tuple):
        args = args[0]
    if not args:
        if operand_type(a).is_static and count(lengths_of(a)) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        element = reshape(a, ())
    elif len(args) in (1, ndim_of(a)):
        args = tuple(i if isinstance(i, Symbolic) else index_of(i) for i in args)
        element = subscript(ravel(a) if len(args) == 1 else a, args)
    else:
        raise ValueError("incorrect number of indices for array")
    return cast(element, dtype_of(a), weak=True)
