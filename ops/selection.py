"""Finding the elements that are not zero. Only the run knows how many there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.conversion import where
from ops.joining import stack
from ops.numpy_table import covers
from ops.registry import Custom, ndim_of
from ops.structural import ravel
from ops.types import ArrayType

__all__ = [
    "argwhere",
    "flatnonzero",
    "nonzero",
    "nonzero_along",
]


def _nonzero_infer(x: ArrayType, axis: int) -> tuple[ArrayType]:
    if not x.shape:
        raise ValueError("calling nonzero on arrays without axes is not allowed")
    return (ArrayType(np.dtype(np.intp), (None,)),)


nonzero_along = Custom(
    "nonzero_along",
    _nonzero_infer,
    "np.nonzero({0})[{axis}]",
    differentiable=False,
    unknown_lengths=True,
    doc="""The positions along one axis of the elements of ``x`` that are not zero, in C order.

    Args:
        x: an array.
        axis: the axis.
    """,
)


@covers(np.nonzero, "a")
def nonzero(x: Any) -> tuple[Any, ...]:
    """The positions along each axis of the elements of ``x`` that are not zero, in C order.

    Raises:
        ValueError: ``x`` is a scalar.
    """
    return tuple(nonzero_along(x, axis=axis) for axis in range(ndim_of(x) or 1))


@covers(np.flatnonzero, "a")
def flatnonzero(x: Any) -> Any:
    """The positions of the elements that are not zero in ``x`` as a vector."""
    return nonzero_along(ravel(x), axis=0)


@covers(np.argwhere, "a")
def argwhere(x: Any) -> Any:
    """The positions of the elements of ``x`` that are not zero, one in each row."""
    return stack(nonzero(x), axis=1)


@covers(np.where)
def choose_or_find(condition: Any, x: Any = None, y: Any = None) -> Any:
    """``np.where``: a choice, or with one argument where it is true."""
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return where(condition, x, y)
