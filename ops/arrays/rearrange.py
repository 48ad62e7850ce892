"""Rearrangements of the elements of arrays: reversed, rolled, repeated, taken by index."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ops.arrays.creation import numbered, zeros_like
from ops.arrays.indexing import getitem, index_add, subscript
from ops.core import kernels
from ops.core.batching import Size, require_same
from ops.core.index_maps import quotient, reshaped, rest, wrapped
from ops.core.lengths import as_shape, length, lengths_of, positions
from ops.core.numpy_table import covers
from ops.core.operands import (
    Symbolic,
    broadcast_shapes,
    concrete,
    dims_of,
    dtype_of,
    index_of,
    literal,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.core.registry import Linear
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType
from ops.elementwise import add, maximum, minimum, negative, remainder, subtract
from ops.elementwise.conversion import astype, fitting
from ops.structure.broadcasting import broadcast_to, sum
from ops.structure.permuting import transpose
from ops.structure.reshaping import count, expand_dims, merged_lanes, ravel, reaxed, reshape

__all__ = [
    "broadcast_arrays",
    "flip",
    "fliplr",
    "flipud",
    "repeat",
    "resize",
    "roll",
    "rot90",
    "take",
    "take_along_axis",
    "tile",
]

# -- reversed --------------------------------------------------------------------------------------


@covers(np.flip, "m axis")
def flip(x: Any, axis: Any = None) -> Any:
    """``x`` with the order of the elements reversed along the given axes, by default along all."""
    ndim = ndim_of(x)
    axes = range(ndim) if axis is None else normalize_axis_tuple(axis, ndim)
    spec = [("slice", None, None, -1 if i in axes else None) for i in range(ndim)]
    return getitem(x, index=tuple(spec))


@covers(np.flipud, "m")
def flipud(x: Any) -> Any:
    """``x`` with its rows in reversed order."""
    if ndim_of(x) < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(x, 0)


@covers(np.fliplr, "m")
def fliplr(x: Any) -> Any:
    """``x`` with its columns in reversed order."""
    if ndim_of(x) < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(x, 1)


@covers(np.rot90, "m k axes")
def rot90(x: Any, k: int = 1, axes: Sequence[int] = (0, 1)) -> Any:
    """``x`` rotated by ``k`` quarters in the plane of two axes, from the first to the second.

    Raises:
        ValueError: there are not two different axes.
    """
    ndim = ndim_of(x)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    if axes[0] == axes[1] or abs(axes[0] - axes[1]) == ndim:
        raise ValueError("Axes must be different.")
    if any(not -ndim <= axis < ndim for axis in axes):
        raise ValueError(f"Axes={tuple(axes)} out of range for array of ndim={ndim}.")
    first, second = (axis % ndim for axis in axes)
    turns = index_of(k) % 4
    if turns == 0:
        return getitem(x, index=(("ellipsis",),))
    if turns == 2:
        return flip(x, (first, second))
    order = list(range(ndim))
    order[first], order[second] = second, first
    return transpose(flip(x, second), order) if turns == 1 else flip(transpose(x, order), second)


# -- roll ------------------------------------------------------------------------------------------


def _roll_infer(x: ArrayType, *shifts: ArrayType, axis: tuple[int, ...] | None) -> tuple:
    if any(shift.dtype.kind not in "biu" or shift.shape for shift in shifts):
        raise TypeError("np.roll: the shifts have to be integers")
    return (x.strong(),)


def _roll_prepare(x: Any, shift: Any, axis: Any = None) -> tuple:
    shift = concrete(shift)
    is_list = isinstance(shift, (list, tuple))
    if isinstance(shift, Symbolic) or not (is_list or np.ndim(shift)):
        places = [shift]
        if ndim_of(shift) == 1:
            places = [subscript(shift, i) for i in range(shape_of(shift)[0])]
    else:
        places = list(shift)
    places = [p if isinstance(p, Symbolic) else int(p) for p in places]
    if max(map(ndim_of, places), default=0) or (axis is not None and np.ndim(axis) > 1):
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    if axis is None:
        places = [functools.reduce(add, places)] if places else []
        axes = None
    else:
        axes = normalize_axis_tuple(axis, ndim_of(x), allow_duplicate=True)
        if len(places) != len(axes) and 1 not in (len(places), len(axes)):
            raise ValueError("shape mismatch: 'shift' and 'axis' cannot be broadcast together")
        size = max(len(places), len(axes)) if places and axes else 0
        places, axes = (places, axes) if size else ([], ())
        if len(places) == 1:
            places = places * size
        if len(axes) == 1:
            axes = axes * size
    return (x, *places), {"axis": axes}


def _roll_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    axis, shifts = attrs["axis"], ", ".join(args[1:])
    if len(args) == 2:
        return f"np.roll({args[0]}, {shifts}{'' if axis is None else f', axis={axis[0]}'})"
    return f"np.roll({args[0]}, ({shifts}), axis={axis})"


def _roll_transpose(ct: Any, x: Any, *shifts: Any, axis: tuple[int, ...] | None) -> Any:
    return roll.apply((ct, *(negative(shift) for shift in shifts)), {"axis": axis})


def _roll_batch(
    size: Size, batched: Sequence[bool], args: Sequence[Any], axis: tuple[int, ...] | None
) -> Any:
    x, *shifts = args
    if axis is None:
        lengths = lengths_of(x)[batched[0] :]
        x = merged_lanes(x) if batched[0] else ravel(x)
        rolled = _roll_batch(size, batched, (x, *shifts), axis=(0,))
        return reshape(rolled, (size, *lengths))
    has_lanes = batched[0]
    for shift, flag, i in zip(shifts, batched[1:], axis):
        if not flag:
            x = roll.apply((x, shift), {"axis": (i + has_lanes,)})
            continue
        n = count(lengths_of(x)[i + has_lanes : i + has_lanes + 1])
        along = np.arange(n) if isinstance(n, int) else positions(n)
        places = subtract(along, expand_dims(astype(shift, np.intp), 1))
        places = remainder(places, maximum(n, 1))
        index = (*[("slice", None, None, None)] * i, ("arg", 0))
        assert getitem.batch is not None
        x = getitem.batch(size, (has_lanes, True), (x, places), index=index)
        has_lanes = True
    return x


def _roll_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    x, axes = types[0], attrs["axis"]
    own = x.known_shape
    shape = own if axes is not None else (x.size,)
    place = list(index if axes is not None else reshaped(index, own, shape))
    for j, axis in enumerate((0,) if axes is None else axes, 1):
        place[axis] = rolled_from(place[axis], max(shape[axis], 1), read(j, ()), types[j])
    return read(0, tuple(place) if axes is not None else reshaped(tuple(place), shape, own))


def rolled_from(place: Any, n: Any, given: Any, shift: ArrayType) -> Any:
    """Where an element of what is rolled along an axis comes from.

    Args:
        place: its own along the axis.
        n: the length of the axis, at least 1.
        given: by how many places it is moved.
        shift: the type of that.
    """
    is_known = isinstance(n, int) and not is_length(n)
    if not is_known and kernels.known_number(given) in (1, -1):
        moved = place - fitting(given, shift, np.int64)  # no division by a length
        beyond = kernels.select(moved >= n, moved - n, moved)
        return kernels.select(moved < 0, moved + n, beyond)
    moved = place - wrapped(fitting(given, shift, np.int64), n)
    return kernels.select(moved < 0, moved + n, moved)  # not less than -n: a division is not needed


roll = Linear(
    "roll",
    _roll_infer,
    _roll_code,
    transposes=[_roll_transpose],
    zeros="moved",
    unknown_lengths=True,
    prepare=_roll_prepare,
    batch=_roll_batch,
    native=kernels.Element(_roll_element),
    doc="""``x`` with its elements moved along an axis, those that leave coming in again.

    Args:
        x: an array.
        shift: a number of places, or one for each axis; they may be symbolic.
        axis: an axis, a tuple of axes, or None to roll the elements in C order.
    """,
    precision="exact",
)

covers(np.roll, "a shift axis")(roll)


# -- repeat ----------------------------------------------------------------------------------------


def require_integers(dtype: np.dtype) -> None:
    """Raise TypeError if numbers of this dtype are not taken for counts and places."""
    if dtype.kind not in "biu":
        raise TypeError(
            f"Cannot cast array data from {dtype!r} to {np.dtype(np.intp)!r} according to the rule "
            "'safe'"
        )


def _repeat_infer(x: ArrayType, repeats: ArrayType, axis: int, total: int | None) -> tuple:
    return (ArrayType(x.dtype, (*x.shape[:axis], total, *x.shape[axis + 1 :])),)


def _along(x: Any, axis: int | None) -> tuple[Any, int]:
    """An array and one of its axes; without an axis, the vector of its elements, as for scalars."""
    if axis is None or (not ndim_of(x) and axis in (0, -1)):
        return ravel(x), 0
    return x, normalize_axis_index(axis, ndim_of(x))


def _repeat_prepare(x: Any, repeats: Any, axis: int | None = None) -> tuple:
    x, axis = _along(x, axis)
    repeats = concrete(repeats)
    if isinstance(repeats, float):
        repeats = int(repeats)  # as NumPy does
    if not isinstance(repeats, Symbolic):
        repeats = np.asarray(repeats)
        if not repeats.size and repeats.dtype == float:  # the empty list
            repeats = repeats.astype(np.intp)
    dtype, shape = dtype_of(repeats), dims_of(repeats)
    if dtype.kind not in "biu":
        raise TypeError(
            f"Cannot cast array data from {dtype!r} to dtype('int64') according to 'safe'"
        )
    if len(shape) > 1:
        raise ValueError("object too deep for desired array")
    n = dims_of(x)[axis]
    if shape == (1,):
        repeats, shape = reshape(repeats, ()), ()
    if shape and n is not None and shape[0] not in (n, None):
        raise ValueError(
            f"operands could not be broadcast together with shape ({n},) ({shape[0]},)"
        )
    total = None
    if not isinstance(repeats, Symbolic):
        if np.any(np.asarray(repeats) < 0):
            raise ValueError("repeats may not contain negative values.")
        if n is not None:
            total = int(repeats) * n if shape == () else int(np.sum(repeats))
        repeats = int(repeats) if shape == () else repeats
    return (x, repeats), {"axis": axis, "total": total}


def repeated(x, repeats, axis):
    """``np.repeat``; CuPy wants the numbers as a list."""
    if np.__name__ == "cupy" and not isinstance(repeats, int):
        repeats = repeats.tolist()
    return np.repeat(x, repeats, axis=axis)


def _repeat_transpose(ct: Any, x: Any, repeats: Any, axis: int, total: int | None) -> Any:
    lengths = lengths_of(x)
    times = literal(repeats)
    if times is not None:
        apart = (*lengths[: axis + 1], int(times), *lengths[axis + 1 :])
        return sum(reshape(ct, apart), axis=axis + 1)
    here = count(lengths[axis : axis + 1])
    places = np.arange(here) if isinstance(here, int) else positions(here)
    source = repeat.apply((places, repeats), {"axis": 0, "total": total})
    spec = (*[("slice", None, None, None)] * axis, ("arg", 0))
    return index_add(zeros_like(ct, shape=lengths), ct, source, index=spec)


def _repeat_batch(
    size: Size, batched: Sequence[bool], args: Sequence[Any], axis: int, total: int | None
) -> Any:
    require_same(batched[1:], "how often an element is repeated")
    return repeat.apply(args, {"axis": axis + 1, "total": total})


def _repeat_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    axis, total = attrs["axis"], attrs["total"]
    times = max(total // max(types[0].shape[axis], 1), 1)
    return read(0, (*index[:axis], quotient(index[axis], times), *index[axis + 1 :]))


repeat = Linear(
    "repeat",
    _repeat_infer,
    "repeated({0}, {1}, {axis})",
    transposes=[_repeat_transpose],
    zeros="moved",
    helpers=[repeated],
    raises=lambda types, attrs: attrs["total"] is None,
    unknown_lengths=True,
    prepare=_repeat_prepare,
    batch=_repeat_batch,
    native=kernels.Element(_repeat_element, when=lambda types, attrs: not types[1].shape),
    doc="""``x`` with each element repeated.

    Args:
        x: an array.
        repeats: how many times, an integer or one for each element along the axis. If it is
            symbolic only the run knows the length of the result.
        axis: the axis, or None for the elements in C order.

    Raises:
        ValueError: a number is negative, or there is one for each of another number of elements.
    """,
    precision="exact",
)

covers(np.repeat, "a repeats axis", method=True)(repeat)


# -- tile ------------------------------------------------------------------------------------------


def _tile_infer(x: ArrayType, reps: tuple[int, ...]) -> tuple[ArrayType]:
    shape = (None if n is None and r else (n and n * r) or 0 for n, r in zip(x.shape, reps))
    return (ArrayType(x.dtype, tuple(shape)),)


def _tile_prepare(x: Any, reps: Any) -> tuple:
    reps = as_shape(reps)
    missing = len(reps) - ndim_of(x)
    if missing > 0:
        x = reaxed(x, (1,) * missing + lengths_of(x))
    if any(r < 0 for r in reps):
        raise ValueError("negative dimensions are not allowed")
    return (x,), {"reps": (1,) * -missing + reps}


def _tile_transpose(ct: Any, x: Any, reps: tuple[int, ...]) -> Any:
    apart = [n for pair in zip(reps, lengths_of(x)) for n in pair]
    return sum(reshape(ct, apart), axis=tuple(range(0, 2 * len(reps), 2)))


tile: Linear = Linear(
    "tile",
    _tile_infer,
    "np.tile({0}, {reps})",
    transposes=[_tile_transpose],
    zeros="moved",
    unknown_lengths=True,
    prepare=_tile_prepare,
    batch=lambda size, batched, args, reps: tile(args[0], (1, *reps)),
    native=kernels.Element(
        lambda read, index, types, attrs: read(
            0,
            tuple(
                i if reps == 1 else rest(i, max(n, 1))
                for i, n, reps in zip(index, types[0].shape, attrs["reps"])
            ),
        )
    ),
    doc="""``x`` laid out repeatedly along each axis.

    Args:
        x: an array.
        reps: how many times along each axis; missing axes count as 1, on either side.
    """,
    precision="exact",
)

covers(np.tile, "A reps")(tile)


@covers(np.resize, "a new_shape")
def resize(x: Any, new_shape: Any) -> Any:
    """The elements of ``x`` in C order, repeated as often as needed, in a new shape; zeros if there
    are none."""
    shape = as_shape(new_shape)
    if any(isinstance(n, int) and n < 0 for n in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    size, found = count(shape), operand_type(x).size
    if size == 0 or found == 0:
        return zeros_like(x, shape=shape)
    elements = tile(ravel(x), -(-size // found))
    return reshape(subscript(elements, slice(size)), shape)


# -- taken by index --------------------------------------------------------------------------------


@covers(np.take, "a indices axis out mode=raise", method=True)
def take(x: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    """The elements of ``x`` at ``indices`` along an axis, or in C order if ``axis`` is None.

    Args:
        x: an array.
        indices: integers of any shape; those below 0 count from the end.
        axis: the axis.
        mode: what becomes of an index that is out of range: "raise", "wrap" around, or "clip",
            which takes those below 0 for 0.

    Raises:
        IndexError: an index is out of range.
    """
    x, axis = _along(x, axis)
    return subscript(x, (*[slice(None)] * axis, as_places(indices, x, axis, mode)))


def as_places(indices: Any, x: Any, axis: int, mode: str) -> Any:
    """Indices along an axis of ``x``, of which ``mode`` says what those out of range mean."""
    indices = concrete(indices)
    if not isinstance(indices, Symbolic):
        indices = np.asarray(indices, None if hasattr(indices, "dtype") else np.intp)
    dtype = dtype_of(indices)
    if dtype.kind not in "biu":
        raise TypeError(
            f"Cannot cast array data from {dtype!r} to dtype('int64') according to 'safe'"
        )
    indices = astype(indices, np.intp)
    if mode == "raise":
        return indices
    if mode not in ("wrap", "clip"):
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    n = dims_of(x)[axis]
    if n == 0:
        if 0 not in dims_of(indices):
            raise IndexError("cannot do a non-empty take from an empty axes.")
        return indices
    n = length(x, axis=axis) if n is None else n
    return remainder(indices, n) if mode == "wrap" else minimum(maximum(indices, 0), n - 1)


@covers(np.take_along_axis, "arr indices axis")
def take_along_axis(x: Any, indices: Any, axis: int | None = -1) -> Any:
    """The elements of ``x`` at ``indices``, which has one index for each element of the result.

    Args:
        x: an array.
        indices: integers, as many axes as ``x``; the other axes broadcast.
        axis: the axis that the indices are along.
    """
    if axis is None:
        if ndim_of(indices) != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        x, axis = ravel(x), 0
    return subscript(x, index_along_axis(x, indices, axis))


def index_along_axis(x: Any, indices: Any, axis: int) -> tuple[Any, ...]:
    """The subscript by which `take_along_axis` reads ``x``."""
    ndim = ndim_of(x)
    axis = normalize_axis_index(axis, ndim)
    if dtype_of(indices).kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if ndim_of(indices) != ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    index = [
        reshape(
            positions(length(x, axis=i)) if n is None else numbered(n), [-1] + [1] * (ndim - i - 1)
        )
        for i, n in enumerate(dims_of(x))
    ]
    index[axis] = indices
    return tuple(index)


@covers(np.broadcast_arrays)
def broadcast_arrays(*arrays: Any, subok: bool = False) -> tuple[Any, ...]:
    """The arrays, each broadcast to the shape they have together."""
    shape = broadcast_shapes(*(shape_of(x) for x in arrays)) if arrays else ()
    if all(shape_of(x) == shape for x in arrays):
        return arrays
    return tuple(broadcast_to(x, shape) for x in arrays)
