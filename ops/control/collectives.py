"""Operators over the lanes of a batched function: sums of all, what all have, which one this is.

`autograph.vmap` with an ``axis_name`` gives lanes a name by which these refer to them. The
operators exist only until the function is batched, see `autograph.transforms.batching.collectives`:
then a sum over lanes is one along an axis.

What is the same in all lanes, such as a sum, is used by each of them, and a derivative that is
taken inside a lane is that of the sum of all of them. So the cotangent of a sum is summed, too.

==================  ============================================
operator            its transpose
==================  ============================================
``psum``            ``psum``
``all_gather``      ``psum_scatter``, and the other way round
``ppermute``        ``ppermute`` by the inverse permutation
``exchange``        ``exchange``
``broadcast``       ``psum_to``, and the other way round
==================  ============================================
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
import optree

from ops.arrays.rearrange import take
from ops.control.meshes import MeshAxis, varies_less, varies_more
from ops.core.lengths import RunLength
from ops.core.operands import dims_of, dtype_of, ndim_of
from ops.core.recording import active_recording
from ops.core.registry import Custom, Linear
from ops.core.types import ArrayType, type_of
from ops.elementwise import divide, equal, multiply
from ops.elementwise.conversion import astype, where
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import reshape

Names = Hashable | Iterable[Hashable]  # of one axis, or of several

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


def _axis(name: Hashable) -> Hashable:
    """What operators have for the axis that the user calls so, in which lanes meet here."""
    recording = active_recording()
    if recording is None:
        raise _nowhere(name)
    return recording.axis(name)


def _size(name: Hashable) -> int | RunLength:
    if isinstance(name, MeshAxis) and name.of:  # cotangents are taken outside of the function, too
        return dict(name.of)[name.name]
    recording = active_recording()
    if recording is None:
        raise _nowhere(name)
    return recording.axis_size(name)


def _nowhere(name: Hashable) -> NameError:
    return NameError(
        f"there is no axis of lanes named {name!r} here; it is given by "
        "vmap(..., axis_name=...) or shard_map, inside of which this has to be called"
    )


def _names(axis_name: Names) -> Sequence[Hashable]:
    several = isinstance(axis_name, (tuple, list)) and not isinstance(axis_name, MeshAxis)
    names: Any = tuple(axis_name) if several else (axis_name,)
    return names


def _known_size(name: Hashable) -> int:
    size = _size(name)
    if not isinstance(size, int):
        raise ValueError(
            f"how many lanes the axis {name!r} has is known when the program runs only, so they "
            "cannot be told apart by number"
        )
    return size


def _dim(name: Hashable) -> int | None:
    size = _size(name)
    return size if isinstance(size, int) else None


def _collective(
    name: str,
    transpose: Callable,
    infer: Callable,
    result: Literal["all", "each"],
    doc: str,
    prepare: Callable | None = None,
    varies: bool = False,
) -> Linear:
    """An operator that moves and adds what the lanes of an axis have.

    Args:
        transpose: ``transpose(ct, x, axis_name, ...)``.
        varies: whether the parts of a mesh do not count on its result being the same in all.
        result, prepare: see `ops.core.registry.Op`.
    """
    return Linear(
        name,
        infer,
        "{0}",
        transposes=[transpose],
        zeros="moved",
        unknown_lengths=True,
        creates=True,
        doc=doc,
        collective=result,
        variance=varies_more if result == "each" or varies else varies_less,
        prepare=prepare,
    )


lanes_gathered: Linear = _collective(
    "all_gather",
    lambda ct, x, axis_name, size: lanes_scattered.apply([ct], {"axis_name": axis_name}),
    lambda x, axis_name, size: (ArrayType(x.dtype, (size, *x.shape)),),
    "all",  # what is the same in all lanes is gathered, too
    "What all lanes have of ``x``, lanes first; the same in all lanes.",
    prepare=lambda x, axis_name: ((x,), {"axis_name": axis_name, "size": _dim(axis_name)}),
    varies=True,  # so the transpose adds what the parts do with it
)


def _number(ct: Any, axis_name: Hashable) -> Any:
    """The number of the part, where the graph is built that a cotangent belongs to."""
    return ct.__apply__(lane_number, (), {"axis_name": axis_name})


parts_gathered: Linear = _collective(
    "all_gather_invariant",
    lambda ct, x, axis_name, size: take(ct, _number(ct, axis_name), axis=0),
    lambda x, axis_name, size: (ArrayType(x.dtype, (size, *x.shape)),),
    "all",
    "What all parts of a mesh have of ``x``, parts first, which is known to be the same in all.",
    prepare=lambda x, axis_name: ((x,), {"axis_name": axis_name, "size": _dim(axis_name)}),
)


def _scattered_infer(x: ArrayType, axis_name: Hashable) -> tuple[ArrayType]:
    _require_rows(x, axis_name)
    return (ArrayType(x.dtype, x.shape[1:]),)


def _gathered(ct: Any, x: Any, axis_name: Hashable) -> Any:
    return lanes_gathered.apply([ct], {"axis_name": axis_name, "size": dims_of(x)[0]})


lanes_scattered: Linear = _collective(
    "psum_scatter",
    _gathered,
    _scattered_infer,
    "each",
    """In each lane the row of ``x`` with its number, of the sum of ``x`` over all lanes.

    Args:
        x: an array with a row for each lane.
        axis_name: of the lanes.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """,
    prepare=lambda x, axis_name: ((x,), {"axis_name": axis_name}),
)


def _same_type(x: ArrayType, **attrs: Any) -> tuple[ArrayType]:
    return (ArrayType(x.dtype, x.shape),)


def _before_sum(ct: Any, x: Any, axis_name: Hashable) -> Any:
    """A sum over lanes is used by each of them, one over parts of a mesh is one value."""
    if isinstance(axis_name, MeshAxis):
        return vary(ct, axes=(axis_name,))
    return lanes_summed(ct, axis_name=axis_name)


lanes_summed: Linear = _collective(
    "psum",
    _before_sum,
    _same_type,
    "all",
    "The sum of ``x`` over all lanes.",
)

lanes_permuted: Linear = _collective(
    "ppermute",
    lambda ct, x, axis_name, pairs: lanes_permuted(
        ct, axis_name=axis_name, pairs=tuple((target, source) for source, target in pairs)
    ),
    _same_type,
    "each",
    "In each lane what another one has, by ``pairs`` of source and target; or zeros.",
)


def _before_vary(ct: Any, x: Any, axes: tuple[MeshAxis, ...]) -> Any:
    for axis in axes:
        ct = lanes_summed(ct, axis_name=axis)
    return ct


vary: Linear = Linear(
    "pvary",
    lambda x, axes: (ArrayType(x.dtype, x.shape, x.weak),),
    "{0}",
    transposes=[_before_vary],
    zeros="moved",
    unknown_lengths=True,
    view=True,
    cheap=True,
    variance=lambda known, axes: known | {axis.name for axis in axes},
    doc="``x`` as a value that may differ along ``axes`` of a mesh.",
)


def _of_process(name: str, axes: Callable, transpose: Callable, doc: str) -> Linear:
    return Linear(
        name,
        lambda x, axes: (ArrayType(x.dtype, x.shape, x.weak),),
        "{0}",
        transposes=[transpose],
        zeros="kept",
        unknown_lengths=True,
        view=True,
        cheap=True,
        variance=axes,
        doc=doc,
    )


own_part: Linear = _of_process(
    "own_part",
    lambda known, axes: known | {axis.name for axis in axes},
    lambda ct, x, axes: whole_of_process(ct, axes=axes),
    "What a process has of an array that is divided along ``axes``: it differs between processes.",
)

whole_of_process: Linear = _of_process(
    "whole_of_process",
    lambda known, axes: known - {axis.name for axis in axes},
    lambda ct, x, axes: own_part(ct, axes=axes),
    "What a process has of an array, as an array by itself, outside of functions for a mesh.",
)


def _before_broadcast(ct: Any, x: Any, axis_name: Hashable, lane: int) -> Any:
    if isinstance(axis_name, MeshAxis):
        return where(equal(_number(ct, axis_name), lane), ct, 0)
    return lanes_summed_to(ct, axis_name=axis_name, lane=lane)


lane_broadcast: Linear = _collective(
    "broadcast",
    _before_broadcast,
    _same_type,
    "all",
    "What the lane with the number ``lane`` has.",
)

lanes_summed_to: Linear = _collective(
    "psum_to",
    lambda ct, x, axis_name, lane: lane_broadcast(ct, axis_name=axis_name, lane=lane),
    _same_type,
    "each",
    "In the lane with the number ``lane`` the sum of ``x`` over all lanes; zeros in the others.",
)


def _exchanged_infer(x: ArrayType, axis_name: Hashable) -> tuple[ArrayType]:
    _require_rows(x, axis_name)
    return (x,)


def _require_rows(x: ArrayType, axis_name: Hashable) -> None:
    size = _dim(axis_name)
    if not x.shape or (x.shape[0] != size and None not in (x.shape[0], size)):
        raise ValueError(f"an array of shape {x.shape} has no row for each of {size} lanes")


lanes_exchanged: Linear = _collective(
    "exchange",
    lambda ct, x, axis_name: lanes_exchanged(ct, axis_name=axis_name),
    _exchanged_infer,
    "each",
    "In each lane the rows that all lanes have for it: row i is what lane i has as its row.",
)


def _extremum(name: str, doc: str) -> Custom:
    def shares(x: Any, out: Any, axis_name: Hashable) -> Any:
        """What part each lane has in the extremum: ties are split evenly."""
        chosen = astype(equal(x, out), dtype_of(x))
        return divide(chosen, lanes_summed(chosen, axis_name=axis_name))

    def vjp(cts: Sequence, args: Sequence, outs: Sequence, axis_name: Hashable) -> tuple:
        total = cts[0]
        if not isinstance(axis_name, MeshAxis):
            total = lanes_summed(total, axis_name=axis_name)
        return (multiply(total, shares(args[0], outs[0], axis_name)),)

    def jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis_name: Hashable) -> tuple:
        own = multiply(tangents[0], shares(args[0], outs[0], axis_name))
        return (lanes_summed(own, axis_name=axis_name),)

    return Custom(
        name,
        _same_type,
        "{0}",
        vjp=vjp,
        jvp=jvp,
        linear=(),
        zeros="lost",
        unknown_lengths=True,
        creates=True,
        doc=doc,
        collective="all",
        variance=varies_less,
    )


lanes_max = _extremum("pmax", "The largest of ``x`` in all lanes, element by element.")
lanes_min = _extremum("pmin", "The smallest of ``x`` in all lanes, element by element.")

lane_number = Custom(
    "axis_index",
    lambda axis_name: (ArrayType(np.dtype(int), ()),),
    "0",
    differentiable=False,
    creates=True,
    prepare=lambda axis_name: ((), {"axis_name": axis_name}),
    doc="The number of this lane.",
    collective="each",
    variance=varies_more,
)


def axis_index(axis_name: Names) -> Any:
    """The number of the lane, from 0 on, an integer; along several axes, the last one fastest.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    first, *others = _names(axis_name)
    number = lane_number(_axis(first))
    for name in others:
        number = number * axis_size(name) + lane_number(_axis(name))
    return number


def axis_size(axis_name: Names) -> Any:
    """How many lanes there are, an int; along several axes, in all of them together.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """
    total: Any = 1
    for name in _names(axis_name):
        size = _size(name)
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
    names = [_axis(name) for name in _names(axis_name)]
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
    for name in _names(axis_name):
        x = op(x, axis_name=_axis(name))
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
    for name in _names(axis_name):
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
    size = _known_size(axis_name)
    pairs = tuple((operator.index(a), operator.index(b)) for a, b in perm)
    for what, lanes in (("source", [a for a, _ in pairs]), ("target", [b for _, b in pairs])):
        if len(set(lanes)) < len(lanes):
            raise ValueError(f"a lane is a {what} twice in the permutation {list(pairs)}")
        outside = [i for i in lanes if not 0 <= i < size]
        if outside:
            raise ValueError(f"there is no lane {outside[0]}: the axis {axis_name!r} has {size}")
    return lanes_permuted(x, axis_name=_axis(axis_name), pairs=pairs)


def pshuffle(x: Any, axis_name: Hashable, perm: Sequence[int]) -> Any:
    """In lane ``i`` what the lane ``perm[i]`` has of ``x``.

    Args:
        x, axis_name: as for `ppermute`.
        perm: a permutation of the numbers of all lanes.

    Raises:
        NameError: the function is not batched over an axis of this name.
        ValueError: ``perm`` is no such permutation.
    """
    size = _known_size(axis_name)
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
    size = _known_size(axis_name)
    if not 0 <= source < size:
        raise ValueError(f"there is no lane {source}: the axis {axis_name!r} has {size}")
    return lane_broadcast(x, axis_name=_axis(axis_name), lane=operator.index(source))


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
    axis = _axis(axis_name)
    if not tiled:
        rows = lanes_exchanged(moveaxis(x, split_axis, 0), axis_name=axis)
        return moveaxis(rows, 0, concat_axis)
    size, shape = _known_size(axis_name), list(dims_of(x))
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
    names = [_axis(name) for name in _names(axis_name)]
    x = moveaxis(x, scatter_dimension, 0)
    sizes = [_known_size(name) for name in names] if tiled or len(names) > 1 else []
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
    axes = [_axis(name) for name in _names(axis_name)]
    type = type_of(x)
    known = frozenset() if type is None else type.varies
    missing = [a for a in axes if isinstance(a, MeshAxis) and a.name not in known]
    return vary(x, axes=tuple(sorted(missing))) if missing else x
