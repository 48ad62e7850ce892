"""Operators that give the same elements another shape.

All are linear, and as in NumPy their results may be views (``view=True``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ops.core import kernels
from ops.core.batching import Size, require_same, spread, with_same_attributes
from ops.core.index_maps import reshaped as index_before
from ops.core.lengths import (
    RunLength,
    as_shape,
    count,
    joined_shape,
    lengths_of,
    reaxed,
    shape_text,
    split_shape,
)
from ops.core.numpy_table import covers
from ops.core.registry import (
    REGISTRY,
    Linear,
    Same,
    broadcast_shapes,
    dims_of,
    may_not_broadcast,
    ndim_of,
    operand_type,
    read_only,
    shape_of,
)
from ops.core.types import ArrayType, may_agree
from ops.elementwise import floor_divide
from ops.elementwise.conversion import array_text

__all__ = [
    "as_long_as",
    "broadcast_to",
    "contiguous",
    "copy",
    "expand_dims",
    "matrix_transpose",
    "moveaxis",
    "ravel",
    "refine",
    "reshape",
    "rollaxis",
    "squeeze",
    "sum_to",
    "swapaxes",
    "transpose",
    "unbroadcast",
]

# -- reshape ---------------------------------------------------------------------------------------


def _reshape_infer(
    x: ArrayType, *lengths: ArrayType, shape: tuple[int | None, ...]
) -> tuple[ArrayType]:
    result = ArrayType(x.dtype, shape)
    if x.is_static and result.is_static and result.size != x.size:
        raise ValueError(f"cannot reshape array of size {x.size} into shape {shape}")
    return (result,)


def _reshape_raises(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if the number of elements is right."""
    x, *lengths = types
    before, after = (
        math.prod(n for n in shape if n is not None) for shape in (x.shape, attrs["shape"])
    )
    if x.is_static and None not in attrs["shape"]:
        return False
    fits = after != 0 and before % after == 0
    return not (fits and not lengths and None in attrs["shape"])


def _reshape_prepare(x: Any, shape: Any, copy: bool | None = None) -> tuple:
    if copy is False:
        if not isinstance(x, (np.ndarray, np.generic)):
            raise NotImplementedError("reshape with copy=False; use copy=None")
        np.reshape(x, as_shape(shape), copy=False)  # an error if the memory can't be shared
    if copy:
        x = duplicate(x)
    shape = as_shape(shape)
    unknown = [axis for axis, n in enumerate(shape) if n == -1]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    if any(isinstance(n, int) and n < -1 for n in shape):
        raise ValueError(f"negative dimensions are not allowed: {shape}")
    if unknown and not operand_type(x).is_static:
        if any(isinstance(n, RunLength) for n in shape):
            ((axis,), size) = unknown, count(lengths_of(x))
            others = count(shape[:axis] + shape[axis + 1 :])
            length = RunLength(floor_divide(size, others))
            shape = (*shape[:axis], length, *shape[axis + 1 :])
        else:
            return (x,), {"shape": tuple(None if n == -1 else n for n in shape)}
    elif unknown:
        (axis,) = unknown
        size = math.prod(shape_of(x))
        known = math.prod(shape[:axis] + shape[axis + 1 :])
        if known == 0 or size % known:
            raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
        shape = (*shape[:axis], size // known, *shape[axis + 1 :])
    dims, lengths = split_shape(shape)
    return (x, *lengths), {"shape": dims}


def _reshape_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    return f"{array_text(args[0], types[0])}.reshape({shape_text(attrs['shape'], args[1:])})"


def _reshape_batch(
    size: Size,
    batched: Sequence[bool],
    args: Sequence[Any],
    shape: tuple[int | None, ...],
) -> Any:
    require_same(batched[1:], "the length of an array")
    x, *lengths = args
    if None in shape and not lengths:  # as long as it takes
        known = math.prod(n for n in shape if n is not None)
        lengths = [floor_divide(count(lengths_of(x)[1:]), known)]
    return reshape(x, (size, *joined_shape(shape, lengths)))


reshape: Linear = Linear(
    "reshape",
    _reshape_infer,
    _reshape_code,
    transposes=[lambda ct, x, *lengths, shape: reshape(ct, lengths_of(x))],
    zeros="moved",
    raises=_reshape_raises,
    errors=(ValueError,),
    view=True,
    unknown_lengths=True,
    prepare=_reshape_prepare,
    batch=_reshape_batch,
    native=kernels.Element(
        lambda read, index, types, attrs: read(
            0, index_before(index, attrs["shape"], types[0].shape)
        )
    ),
    doc="""The elements of ``x``, in C order, in the given shape.

    Args:
        x: an array or number.
        shape: a length or a sequence of lengths, one of which may be -1: as long as it takes.
        copy: whether the result shares no memory with ``x``; by default that depends.

    Raises:
        ValueError: the number of elements would change, or memory that can't be shared shall be.
    """,
    cheap=True,
    writable=True,
    put=lambda whole, part, *lengths, shape: reshape(part, lengths_of(whole)),
)


def layout(x: Any, order: str | None) -> str:
    """What an ``order`` argument means for ``x``: "C", the last axis first, or "F", the first one.

    Raises:
        NotImplementedError: it asks how the elements lie in memory, which a graph does not say.
        ValueError: it is no order.
    """
    name = "C" if order is None else str(order).upper()
    if name not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")
    if name in "CF":
        return name
    if ndim_of(x) > 1:
        raise NotImplementedError(
            f"order='{name}', which depends on how the elements lie in memory; use order='C' or 'F'"
        )
    return "C"


@covers(np.reshape, "a shape order copy")
def reshaped(x: Any, shape: Any, order: str = "C", copy: bool | None = None) -> Any:
    """``np.reshape``, which may take the elements in Fortran order, and copy them.

    Args:
        x: an array.
        shape: a length or a sequence of lengths, one of which may be -1.
        order: "C", or "F" for the first axis to change fastest.
        copy: whether the result shares no memory with ``x``; by default that depends.

    Raises:
        NotImplementedError: ``copy=False`` of a symbolic array: a graph does not say how elements
            lie in memory, so not whether it can be shared.
    """
    if order == "K":
        raise ValueError("order 'K' is not permitted for reshaping")
    if layout(x, order) == "F":
        return transpose(reshape(transpose(x), as_shape(shape)[::-1], copy))
    return reshape(x, shape, copy)


# -- transpose -------------------------------------------------------------------------------------


def _transpose_infer(x: ArrayType, axes: tuple[int, ...]) -> tuple[ArrayType]:
    return (ArrayType(x.dtype, tuple(x.shape[axis] for axis in axes)),)


def _transpose_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    if attrs["axes"] == tuple(reversed(range(types[0].ndim))):
        return f"{array_text(args[0], types[0])}.T"
    return f"np.transpose({args[0]}, {attrs['axes']})"


def _transpose_prepare(x: Any, axes: Any = None) -> tuple:
    ndim = ndim_of(x)
    axes = tuple(reversed(range(ndim))) if axes is None else normalize_axis_tuple(axes, ndim)
    if len(axes) != ndim:
        raise ValueError("axes don't match array")
    return (x,), {"axes": axes}


def _transpose_transpose(ct: Any, x: Any, axes: tuple[int, ...]) -> Any:
    return transpose(ct, tuple(int(axis) for axis in np.argsort(axes)))


transpose: Linear = Linear(
    "transpose",
    _transpose_infer,
    _transpose_code,
    transposes=[_transpose_transpose],
    zeros="moved",
    view=True,
    unknown_lengths=True,
    prepare=_transpose_prepare,
    batch=lambda size, batched, args, axes: transpose(args[0], (0, *(i + 1 for i in axes))),
    native=kernels.Element(
        lambda read, index, types, attrs: read(
            0, tuple(index[i] for i in np.argsort(attrs["axes"]))
        )
    ),
    doc="""``x`` with its axes permuted.

    Args:
        x: an array.
        axes: a permutation of its axes; by default they are reversed.

    Raises:
        ValueError, AxisError: ``axes`` is no permutation.
    """,
    cheap=True,
    writable=True,
    put=lambda whole, part, axes: _transpose_transpose(part, whole, axes),
)

covers(np.transpose, "a axes")(transpose)

# -- broadcast_to ----------------------------------------------------------------------------------


def _broadcast_infer(
    x: ArrayType, *lengths: ArrayType, shape: tuple[int | None, ...]
) -> tuple[ArrayType]:
    if broadcast_shapes(x.shape, shape) != shape:
        raise ValueError(f"an array of shape {x.shape} cannot be broadcast to shape {shape}")
    return (ArrayType(x.dtype, shape),)


def _broadcast_prepare(x: Any, shape: Any) -> tuple:
    dims, lengths = split_shape(as_shape(shape))
    return (x, *lengths), {"shape": dims}


def _broadcast_batch(
    size: Size,
    batched: Sequence[bool],
    args: Sequence[Any],
    shape: tuple[int | None, ...],
) -> Any:
    require_same(batched[1:], "the length of an array")
    x, *lengths = args
    x = spread(x, len(shape) + 1 - ndim_of(x))
    return broadcast_to(x, (size, *joined_shape(shape, lengths)))


broadcast_to = Linear(
    "broadcast_to",
    _broadcast_infer,
    lambda args, types, attrs: (
        f"np.broadcast_to({args[0]}, {shape_text(attrs['shape'], args[1:])})"
    ),
    transposes=[lambda ct, x, *lengths, shape: sum_to(ct, lengths_of(x))],
    zeros="moved",
    raises=lambda types, attrs: may_not_broadcast(
        [types[0], ArrayType(types[0].dtype, attrs["shape"])], attrs
    ),
    view=True,
    put=read_only,
    unknown_lengths=True,
    prepare=_broadcast_prepare,
    batch=_broadcast_batch,
    native=kernels.Element(
        lambda read, index, types, attrs: read(0, kernels.aligned(index, types[0].shape))
    ),
    doc="""``x`` repeated along new leading axes and axes of length 1, without copying.

    Raises:
        ValueError: ``x`` does not broadcast to ``shape``.
    """,
    cheap=True,
    aligned=True,
)

covers(np.broadcast_to, "array shape subok=False")(broadcast_to)


def summed_to(x, shape):
    """``x``, of as many axes as ``shape``, summed over those along which only ``shape`` is 1."""
    axes = tuple(i for i, n in enumerate(shape) if n == 1 != x.shape[i])
    return np.sum(x, axis=axes, keepdims=True) if axes else x


def _unbroadcast_batch(
    size: Size,
    batched: Sequence[bool],
    args: Sequence[Any],
    shape: tuple[int | None, ...],
) -> Any:
    require_same(batched[1:], "the length of an array")
    x, *lengths = args
    return unbroadcast(x, (size, *joined_shape(shape, lengths)))


def _unbroadcast_axes(x: ArrayType, attrs: dict[str, Any]) -> tuple[int, ...]:
    return tuple(i for i, n in enumerate(attrs["shape"]) if n == 1 != x.shape[i])


unbroadcast = Linear(
    "unbroadcast",
    lambda x, *lengths, shape: (ArrayType(x.dtype, shape),),
    lambda args, types, attrs: f"summed_to({args[0]}, {shape_text(attrs['shape'], args[1:])})",
    transposes=[lambda ct, x, *lengths, shape: broadcast_to(ct, lengths_of(x))],
    zeros="moved",
    helpers=[summed_to],
    view=True,
    unknown_lengths=True,
    prepare=_broadcast_prepare,
    batch=_unbroadcast_batch,
    native=kernels.Fold("+", lambda dtype: 0, _unbroadcast_axes),
    doc="""``x`` summed over the axes that had length 1 before they were broadcast.

    Args:
        x: an array.
        shape: as many lengths. Those that only the run knows are 1 or that of ``x``.
    """,
    cheap=True,
    writable=True,
)


def sum_to(x: Any, shape: tuple[int | RunLength, ...]) -> Any:
    """The transpose of broadcasting: ``x`` summed over the axes along which ``shape`` was repeated.

    Args:
        x: an array.
        shape: a shape that broadcasts to that of ``x``, or does so after leading ones are dropped.
    """
    found = dims_of(x)
    if found == shape:
        return x
    fitting = shape[max(len(shape) - len(found), 0) :]
    leading = len(found) - len(fitting)
    axes = [*range(leading)]
    if any(isinstance(n, RunLength) for n in shape):
        x = unbroadcast(REGISTRY["sum"](x, axis=tuple(axes)) if axes else x, fitting)
        return x if len(shape) == len(fitting) else reshape(x, shape)
    axes += [leading + i for i, n in enumerate(fitting) if n == 1 != found[leading + i]]
    if axes:
        x = REGISTRY["sum"](x, axis=tuple(axes))
    return reshape(x, shape)


# -- refine ----------------------------------------------------------------------------------------


def _refine_infer(x: ArrayType, shape: tuple[int | None, ...]) -> tuple[ArrayType]:
    if not may_agree(shape, x.shape):
        raise ValueError(f"an array of shape {x.shape} cannot have the shape {shape}")
    return (ArrayType(x.dtype, shape),)


refine: Linear = Linear(
    "refine",
    _refine_infer,
    "{0}",
    transposes=[lambda ct, x, shape: refine(ct, shape=dims_of(x))],
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=lambda size, batched, args, shape: refine(args[0], shape=(dims_of(args[0])[0], *shape)),
    native=kernels.Element(kernels.itself),
    doc="""``x`` itself, with another type: ``shape`` says more, or less, of its lengths.

    Args:
        x: an array.
        shape: the lengths, None for those that only the run knows. They are taken to be right, not
            checked.
    """,
    aligned=True,
    keeps_shape=True,
    writable=True,
)


as_long_as = Linear(
    "as_long_as",
    lambda x, like: (x,),
    "{0}",
    transposes=[lambda ct, x, like: ct, None],
    by_length=(1,),
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=lambda size, batched, args: args[0] if batched[0] else Same(args[0]),
    native=kernels.Element(kernels.itself),
    doc="""``x`` itself, whose first axis is known to be as long as that of ``like``.

    So neither is broadcast along it where the two meet, though only the run knows how long they
    are. It is not checked.
    """,
    aligned=True,
    keeps_shape=True,
    stands_for=0,
)


# -- copy ------------------------------------------------------------------------------------------

copy = Linear(
    "copy",
    lambda x: (x.strong(),),
    "np.array({0})",
    transposes=[lambda ct, x: ct],
    zeros="kept",
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(kernels.itself),
    doc="An array with the elements of ``x`` that shares no memory with it.",
    aligned=True,
    keeps_shape=True,
    contiguous=True,
)

covers(np.copy, "a order=* subok=*", method=True)(copy)

duplicate = copy  # for functions that have an argument of that name


# -- contiguous ------------------------------------------------------------------------------------

contiguous = Linear(
    "contiguous",
    lambda x, order: (x.strong(),),
    "np.asarray({0}, order='{order}')",
    transposes=[lambda ct, x, order: ct],
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(kernels.itself),
    doc="""``x`` itself if its elements lie in memory in the given order, else a copy in which they
    do.

    Args:
        x: an array.
        order: "C", or "F" for Fortran's.
    """,
    aligned=True,
)


# -- in terms of these -----------------------------------------------------------------------------


@covers(np.expand_dims, "a axis")
def expand_dims(x: Any, axis: Any) -> Any:
    """``x`` with axes of length 1 put in, so that they are at ``axis`` in the result."""
    shape = lengths_of(x)
    axes = (axis,) if np.ndim(axis) == 0 else tuple(axis)
    axes = normalize_axis_tuple(axes, len(shape) + len(axes))
    lengths = iter(shape)
    return reaxed(x, [1 if i in axes else next(lengths) for i in range(len(shape) + len(axes))])


@covers(np.squeeze, "a axis", method=True)
def squeeze(x: Any, axis: Any = None) -> Any:
    """``x`` without its axes of length 1, or without those in ``axis``.

    Raises:
        ValueError: an axis is longer.
    """
    lengths = lengths_of(x)
    if axis is None:
        left = [n for n in shape_of(x) if n != 1]
    elif ndim_of(x) == 0 and axis in (0, -1):  # as NumPy has it
        left = []
    else:
        axes = normalize_axis_tuple(axis, ndim_of(x))
        if any(dims_of(x)[i] not in (1, None) for i in axes):
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        left = [n for i, n in enumerate(lengths) if i not in axes]
    if len(left) == len(lengths) and not operand_type(x).weak:
        return x
    return reshape(x, left)


def ravel(x: Any) -> Any:
    """The elements of ``x`` in C order, as a vector."""
    return reshape(x, -1)


@covers(np.ravel, "a order", method=True)
def raveled(x: Any, order: str = "C") -> Any:
    """``np.ravel``: the elements in C or in Fortran order, as a vector.

    It shares memory with ``x`` if the elements lie there in this order; a vector's may have gaps.
    """
    if layout(x, order) == "F":
        return ravel(transpose(x))
    return ravel(contiguous(x, order="C") if ndim_of(x) == 1 else x)


@covers(np.swapaxes, "a axis1 axis2", method=True)
def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """``x`` with two axes exchanged."""
    axes = list(range(ndim_of(x)))
    first, second = normalize_axis_tuple((axis1, axis2), len(axes), allow_duplicate=True)
    axes[first], axes[second] = axes[second], axes[first]
    return transpose(x, axes)


@covers(np.moveaxis, "a source destination")
def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """``x`` with the axes ``source`` moved to the places ``destination``."""
    ndim = ndim_of(x)
    sources = normalize_axis_tuple(source, ndim, "source")
    destinations = normalize_axis_tuple(destination, ndim, "destination")
    if len(sources) != len(destinations):
        raise ValueError("`source` and `destination` must have the same number of elements")
    order = [i for i in range(ndim) if i not in sources]
    for place, axis in sorted(zip(destinations, sources)):
        order.insert(place, axis)
    return transpose(x, order)


@covers(np.rollaxis, "a axis start")
def rollaxis(x: Any, axis: int, start: int = 0) -> Any:
    """``x`` with one axis moved to lie before that at ``start``."""
    ndim = ndim_of(x)
    axis = normalize_axis_index(axis, ndim)
    if start < 0:
        start += ndim
    if not 0 <= start <= ndim:
        raise np.exceptions.AxisError(
            f"'start' arg requires {-ndim} <= start < {ndim + 1}, but {start} was passed in"
        )
    return moveaxis(x, axis, start - 1 if axis < start else start)


@covers(np.matrix_transpose, "x")
def matrix_transpose(x: Any) -> Any:
    """``x`` with its last two axes exchanged.

    Raises:
        ValueError: ``x`` has fewer than two axes.
    """
    if ndim_of(x) < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {ndim_of(x)}")
    return swapaxes(x, -1, -2)


@covers(method="reshape")
def _reshape_to(a: Any, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
    """``a.reshape``, which takes the lengths one by one or as a tuple."""
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    return reshaped(a, shape[0] if len(shape) == 1 else shape, order, copy)


@covers(method="transpose")
def _transpose_to(a: Any, *axes: Any) -> Any:
    """``a.transpose``, which takes the axes one by one or as a tuple."""
    return transpose(a, axes[0] if len(axes) == 1 else axes or None)


@covers(method="flatten")
def flatten(a: Any, order: str = "C") -> Any:
    """``a.flatten()``: a copy of the elements as a vector, in C or in Fortran order."""
    return copy(ravel(transpose(a) if layout(a, order) == "F" else a))
