"""Functions of the lanes of a batched function, or the parts of a mesh, by the name of an axis.

They check what they are asked for, and are made of the operators of `ops.control.collectives`; each
takes nested tuples, lists and dicts of arrays, and most of them several axes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import optree

from ops.control.axes import Names, axis_of, known_size, names_of, size_of
from ops.control.collectives import (
    lane_broadcast,
    lane_number,
    lanes_exchanged,
    lanes_gathered,
    lanes_max,
    lanes_min,
    lanes_permuted,
    lanes_scattered,
    lanes_summed,
    parts_gathered,
    vary,
)
from ops.control.meshes import MeshAxis
from ops.core.operands import Symbolic, dims_of, dtype_of, index_of, ndim_of
from ops.core.types import ArrayType
from ops.elementwise import divide
from ops.elementwise.conversion import astype
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import reshape

__all__ = [
    "all_gather",
    "all_to_all",
    "axis_index",
    "axis_size",
    "broadcast",
    "pmax",
    "pmean",
    "pmin",
    "ppermute",
    "pshuffle",
    "psum",
    "psum_scatter",
    "pvary",
]


def axis_index(axis_name: Names) -> Any:
    """The number of the lane, from 0 on, an integer; along several axes, the last one fastest.

    Nobody meets others for it: it may stand where only some lanes come.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    first, *others = names_of(axis_name)
    number = lane_number(axis_of(first, meets=False))
    for name in others:
        number = number * axis_size(name) + lane_number(axis_of(name, meets=False))
    return number


def axis_size(axis_name: Names) -> Any:
    """How many lanes there are, an int; along several axes, in all of them together.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    total: Any = 1
    for name in names_of(axis_name):
        size = size_of(name)
        total = total * (size if isinstance(size, int) else size.value)
    return total


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
def all_gather(
    x: Any, axis_name: Names, axis: int = 0, tiled: bool = False, invariant: bool = False
) -> Any:
    """What all lanes have of ``x``, which is the same in all lanes.

    Args:
        x: an array or number, or nested tuples, lists and dicts of such.
        axis_name: of the lanes, or a tuple of several, of which the last one is the fastest.
        axis: where the result has the axis of the lanes.
        tiled: whether to join them along an axis that ``x`` has, instead of a new one.
        invariant: for `autograph.shard_map`, whether the result counts as the same in all parts of
            the mesh. If not, its cotangent is the sum of what all parts have for it.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    names = [axis_of(name) for name in names_of(axis_name)]
    if not tiled and len(names) > 1:
        ndim = ndim_of(x)
        axis %= ndim + 1
    gathered = x
    for name in reversed(names):
        is_of_mesh = invariant and isinstance(name, MeshAxis)
        gathered = (parts_gathered if is_of_mesh else lanes_gathered)(gathered, name)
    if len(names) > 1:
        gathered = reshape(gathered, [-1, *dims_of(x)])
    if not tiled:
        return moveaxis(gathered, 0, axis)
    axis %= ndim_of(x)
    gathered = moveaxis(gathered, 0, axis)
    shape = list(dims_of(x))
    shape[axis : axis + 1] = [-1]
    return reshape(gathered, shape)


def _over_each(op: Callable, x: Any, axis_name: Names) -> Any:
    """An operator applied over one axis after the other."""
    for name in names_of(axis_name):
        x = op(x, axis_name=axis_of(name))
    return x


@_of_each
def psum(x: Any, axis_name: Names) -> Any:
    """The sum of ``x`` over all lanes, which is the same in all lanes.

    Args:
        x: an array or number, or nested tuples, lists and dicts of such. Booleans and small
            integers are added as by `sum`.
        axis_name: of the lanes, or a tuple of several.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    return _over_each(lanes_summed, _summable(x), axis_name)


def _summable(x: Any) -> Any:
    dtype = np.sum(np.empty(0, dtype_of(x))).dtype
    return x if dtype == dtype_of(x) else astype(x, dtype)


@_of_each
def pmean(x: Any, axis_name: Names) -> Any:
    """The mean of ``x`` over all lanes; as `psum`."""
    for name in names_of(axis_name):
        x = divide(psum(x, name), axis_size(name))
    return x


@_of_each
def pmax(x: Any, axis_name: Names) -> Any:
    """The largest of ``x`` in all lanes, element by element; as `psum`.

    In derivatives, lanes that are equally large have equal shares.
    """
    return _over_each(lanes_max, x, axis_name)


@_of_each
def pmin(x: Any, axis_name: Names) -> Any:
    """The smallest of ``x`` in all lanes, element by element; as `pmax`."""
    return _over_each(lanes_min, x, axis_name)


@_of_each
def ppermute(x: Any, axis_name: Hashable, perm: Iterable[tuple[int, int]]) -> Any:
    """In each lane what another lane has of ``x``.

    Args:
        x: an array or number, or nested tuples, lists and dicts of such.
        axis_name: of the lanes.
        perm: pairs ``(source, target)`` of numbers of lanes. None is a source twice, nor a target
            twice; who is no target gets zeros.

    Raises:
        NameError: the function is not batched over an axis of this name.
        ValueError: ``perm`` is no list of such pairs.
    """
    size = known_size(axis_name)
    pairs = tuple((index_of(a), index_of(b)) for a, b in perm)
    for what, lanes in (("source", [a for a, _ in pairs]), ("target", [b for _, b in pairs])):
        if len(set(lanes)) < len(lanes):
            raise ValueError(f"a lane is a {what} twice in the permutation {list(pairs)}")
        outside = [i for i in lanes if not 0 <= i < size]
        if outside:
            raise ValueError(f"there is no lane {outside[0]}: the axis {axis_name!r} has {size}")
    return lanes_permuted(x, axis_name=axis_of(axis_name), pairs=pairs)


def pshuffle(x: Any, axis_name: Hashable, perm: Sequence[int]) -> Any:
    """In lane ``i`` what the lane ``perm[i]`` has of ``x``.

    Args:
        x, axis_name: as for `ppermute`.
        perm: a permutation of the numbers of all lanes.

    Raises:
        NameError: the function is not batched over an axis of this name.
        ValueError: ``perm`` is no such permutation.
    """
    size = known_size(axis_name)
    if sorted(perm) != list(range(size)):
        raise ValueError(f"{list(perm)} is no permutation of {size} lanes")
    return ppermute(x, axis_name, [(source, target) for target, source in enumerate(perm)])


@_of_each
def broadcast(x: Any, axis_name: Hashable, source: int = 0) -> Any:
    """What one lane has of ``x``, which is the same in all lanes.

    Args:
        x: an array or number, or nested tuples, lists and dicts of such.
        axis_name: of the lanes.
        source: the number of that lane.

    Raises:
        NameError: the function is not batched over an axis of this name.
        ValueError: there is no such lane.
    """
    size = known_size(axis_name)
    if not 0 <= source < size:
        raise ValueError(f"there is no lane {source}: the axis {axis_name!r} has {size}")
    return lane_broadcast(x, axis_name=axis_of(axis_name), lane=index_of(source))


@_of_each
def all_to_all(
    x: Any, axis_name: Hashable, split_axis: int, concat_axis: int, tiled: bool = False
) -> Any:
    """What all lanes have for this one: each splits ``x`` along one axis into a part for each lane.

    Args:
        x: an array, or nested tuples, lists and dicts of such.
        axis_name: of the lanes.
        split_axis: an axis of ``x`` with an element for each lane, which is not in the result;
            with ``tiled``, one whose length is a multiple of their number.
        concat_axis: where the result has an axis with an element of each lane; with ``tiled``, the
            axis along which the parts are joined.
        tiled: whether axes are split and joined, not removed and made.

    Raises:
        NameError: the function is not batched over an axis of this name.
        ValueError: the axis cannot be split like this.
    """
    axis = axis_of(axis_name)
    if not tiled:
        rows = lanes_exchanged(moveaxis(x, split_axis, 0), axis_name=axis)
        return moveaxis(rows, 0, concat_axis)
    size, shape = known_size(axis_name), list(dims_of(x))
    split_axis, concat_axis = split_axis % len(shape), concat_axis % len(shape)
    length = shape[split_axis]
    if length is not None and length % size:
        raise ValueError(
            f"an axis of length {length} cannot be split into equal parts for {size} lanes"
        )
    parted = reshape(x, [*shape[:split_axis], size, -1, *shape[split_axis + 1 :]])
    rows = lanes_exchanged(moveaxis(parted, split_axis, 0), axis_name=axis)
    joined = moveaxis(rows, 0, concat_axis)
    shape = list(dims_of(joined))
    shape[concat_axis : concat_axis + 2] = [-1]
    return reshape(joined, shape)


@_of_each
def psum_scatter(x: Any, axis_name: Names, scatter_dimension: int = 0, tiled: bool = False) -> Any:
    """In each lane its part of the sum of ``x`` over all lanes.

    Args:
        x: an array with a row for each lane, or nested tuples, lists and dicts of such.
        axis_name: of the lanes, or a tuple of several, of which the last one is the fastest.
        scatter_dimension: the axis with an element for each lane, which the result does not have.
        tiled: whether to split an axis whose length is a multiple of the number of lanes instead.

    Raises:
        NameError: the function is not batched over an axis of this name.
        ValueError: the axis cannot be split so.
    """
    names = [axis_of(name) for name in names_of(axis_name)]
    x = moveaxis(x, scatter_dimension, 0)
    sizes = [known_size(name) for name in names] if tiled or len(names) > 1 else []
    if sizes:
        lead, *rest = dims_of(x)
        total = math.prod(sizes)
        if lead is not None and (lead % total if tiled else lead != total):
            raise ValueError(
                f"an axis of length {lead} cannot be split into equal parts for {total} lanes"
            )
        x = reshape(x, [*sizes, -1, *rest] if tiled else [*sizes, *rest])
    for name in names:
        x = lanes_scattered(x, name)
    return moveaxis(x, 0, scatter_dimension) if tiled else x


def _varies(x: Any) -> frozenset:
    """Along which axes of a mesh an operand is known to vary."""
    type = getattr(x, "type", None) if isinstance(x, Symbolic) else None
    return type.varies if isinstance(type, ArrayType) else frozenset()


@_of_each
def pvary(x: Any, axis_name: Names) -> Any:
    """``x`` as a value that may differ between the parts of a mesh along an axis.

    Functions for `autograph.shard_map` need it nowhere: where a value that is the same in all parts
    meets one that is not, it comes by itself. It is the transpose of `psum`.

    Args:
        x: an array or number, or nested tuples, lists and dicts of such.
        axis_name: of the mesh, or a tuple of several. What `autograph.vmap` names stays as it is.

    Raises:
        NameError: there is no axis of this name.
    """
    axes = [axis_of(name) for name in names_of(axis_name)]
    known = _varies(x)
    missing = [a for a in axes if isinstance(a, MeshAxis) and a.name not in known]
    return vary(x, axes=tuple(sorted(missing))) if missing else x
