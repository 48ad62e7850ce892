"""Finding the elements that are not zero. Only the run knows how many there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ops.joining import stack
from ops.registry import Custom, ndim_of
from ops.structural import ravel
from ops.types import ArrayType


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


def nonzero(x: Any) -> tuple[Any, ...]:
    """The positions along each axis of the elements of ``x`` that are not zero, in C order.

    Raises:
        ValueError: ``x`` is a scalar.
    """
    return tuple(nonzero_along(x, axis=axis) for axis in range(ndim_of(x) or 1))


def flatnonzero(x: Any) -> Any:
    """The positions of the elements that are not zero in ``x`` as a vector."""
    return nonzero_along(ravel(x), axis=0)


def argwhere(x: Any) -> Any:
    """The positions of the elements of ``x`` that are not zero, one in each row."""
    return stack(nonzero(x), axis=1)
