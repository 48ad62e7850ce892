"""Operators over the lanes of a batched function: sums of all, what all have, which one this is.

`autograph.vmap` with an ``axis_name`` gives lanes a name by which these refer to them. Three
are operators, which exist only until the function is batched: what each lane has becomes an array
of what all have, and back. The others are made of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import optree

from ops.arrays.reduction import max, min
from ops.core.lengths import RunLength
from ops.core.operands import dims_of, ndim_of
from ops.core.recording import active_recording
from ops.core.registry import Custom, Linear
from ops.core.types import ArrayType
from ops.elementwise import divide
from ops.structure.broadcasting import sum
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import reshape

__all__ = [
    "all_gather",
    "axis_index",
    "axis_size",
    "pmax",
    "pmean",
    "pmin",
    "psum",
    "psum_scatter",
]


def _size(name: Hashable) -> int | RunLength:
    recording = active_recording()
    if recording is None:
        raise NameError(
            f"there is no axis of lanes named {name!r} here; it is given by "
            "vmap(..., axis_name=...), inside of which this has to be called"
        )
    return recording.axis_size(name)


def _dim(name: Hashable) -> int | None:
    size = _size(name)
    return size if isinstance(size, int) else None


lanes_gathered = Linear(
    "all_gather",
    lambda x, axis_name, size: (ArrayType(x.dtype, (size, *x.shape)),),
    "{0}",
    transposes=[
        lambda ct, x, axis_name, size: lanes_scattered.apply([ct], {"axis_name": axis_name}),
    ],
    zeros="moved",
    unknown_lengths=True,
    creates=True,  # what is the same in all lanes is gathered, too
    prepare=lambda x, axis_name: ((x,), {"axis_name": axis_name, "size": _dim(axis_name)}),
    doc="What all lanes have of ``x``, lanes first; the same in all lanes.",
    collective=True,
)


def _scattered_infer(x: ArrayType, axis_name: Hashable) -> tuple[ArrayType]:
    size = _dim(axis_name)
    if not x.shape or (x.shape[0] != size and None not in (x.shape[0], size)):
        raise ValueError(f"an array of shape {x.shape} has no row for each of {size} lanes")
    return (ArrayType(x.dtype, x.shape[1:]),)


def _gathered(ct: Any, x: Any, axis_name: Hashable) -> Any:
    return lanes_gathered.apply([ct], {"axis_name": axis_name, "size": dims_of(x)[0]})


lanes_scattered: Linear = Linear(
    "psum_scatter",
    _scattered_infer,
    "{0}",
    transposes=[_gathered],
    zeros="moved",
    unknown_lengths=True,
    creates=True,
    prepare=lambda x, axis_name: ((x,), {"axis_name": axis_name}),
    doc="""In each lane the row of ``x`` with its number, of the sum of ``x`` over all lanes.

    Args:
        x: an array with a row for each lane.
        axis_name: of the lanes.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """,
    collective=True,
)

lane_number = Custom(
    "axis_index",
    lambda axis_name: (ArrayType(np.dtype(int), ()),),
    "0",
    differentiable=False,
    creates=True,
    prepare=lambda axis_name: ((), {"axis_name": axis_name}),
    doc="The number of this lane.",
    collective=True,
)


def axis_index(axis_name: Hashable) -> Any:
    """The number of the lane, from 0 on, an integer.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    _size(axis_name)
    return lane_number(axis_name)


def axis_size(axis_name: Hashable) -> Any:
    """How many lanes there are, an int.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    size = _size(axis_name)
    return size if isinstance(size, int) else size.value


def _of_each(function: Callable) -> Callable:
    """The function applied to each array of nested tuples, lists and dicts."""

    @functools.wraps(function)
    def applied(x: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(x, (tuple, list, dict)):
            return function(x, *args, **kwargs)
        tree: Any = x
        return optree.tree_map(lambda leaf: function(leaf, *args, **kwargs), tree)

    return applied


@_of_each
def all_gather(x: Any, axis_name: Hashable, axis: int = 0, tiled: bool = False) -> Any:
    """What all lanes have of ``x``, which is the same in all lanes.

    Args:
        x: an array or number, or nested tuples, lists and dicts of such.
        axis_name: of the lanes.
        axis: where the result has the axis of the lanes.
        tiled: whether to join them along an axis that ``x`` has, instead of a new one.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    if not tiled:
        return moveaxis(lanes_gathered(x, axis_name), 0, axis)
    axis %= ndim_of(x)
    gathered = moveaxis(lanes_gathered(x, axis_name), 0, axis)
    shape = list(dims_of(x))
    shape[axis : axis + 1] = [-1]
    return reshape(gathered, shape)


@_of_each
def psum(x: Any, axis_name: Hashable | Iterable[Hashable]) -> Any:
    """The sum of ``x`` over all lanes, which is the same in all lanes.

    Args:
        x: an array or number, or nested tuples, lists and dicts of such.
        axis_name: of the lanes, or a tuple of several.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    for name in axis_name if isinstance(axis_name, (tuple, list)) else (axis_name,):
        x = sum(lanes_gathered(x, name), axis=0)
    return x


@_of_each
def pmean(x: Any, axis_name: Hashable | Iterable[Hashable]) -> Any:
    """The mean of ``x`` over all lanes; as `psum`."""
    for name in axis_name if isinstance(axis_name, (tuple, list)) else (axis_name,):
        x = divide(psum(x, name), axis_size(name))
    return x


@_of_each
def pmax(x: Any, axis_name: Hashable) -> Any:
    """The largest of ``x`` in all lanes, element by element; as `psum`."""
    return max(lanes_gathered(x, axis_name), axis=0)


@_of_each
def pmin(x: Any, axis_name: Hashable) -> Any:
    """The smallest of ``x`` in all lanes, element by element; as `psum`."""
    return min(lanes_gathered(x, axis_name), axis=0)


psum_scatter = lanes_scattered
