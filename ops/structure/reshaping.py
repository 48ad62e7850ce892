"""Operators that give the same elements another shape.

As in NumPy, results may be views (``view=True``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ops.core import kernels
from ops.core.batching import Size, require_same
from ops.core.index_maps import reshaped as index_before
from ops.core.lengths import RunLength, as_shape, joined_shape, lengths_of, split_shape
from ops.core.numpy_table import covers
from ops.core.operands import dims_of, ndim_of, operand_type, shape_of
from ops.core.registry import Linear
from ops.core.texts import array_text, shape_text
from ops.core.types import ArrayType
from ops.structure.identity import contiguous, copy, duplicate
from ops.structure.permuting import transpose

__all__ = [
    "expand_dims",
    "ravel",
    "reshape",
    "squeeze",
]


def count(lengths: Iterable[int | RunLength]) -> Any:
    """The product of some lengths: an int, symbolic if known only at run time."""
    dims, operands = split_shape(lengths)
    result = math.prod(n for n in dims if n is not None)
    for operand in operands:
        result = operand if isinstance(result, int) and result == 1 else operand * result
    return result


def merged(lengths: Iterable[int | RunLength]) -> int | RunLength:
    """The length of an axis that takes the place of several."""
    n = count(lengths)
    return n if isinstance(n, int) else RunLength(n)


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
        wanted: Any = as_shape(shape)
        np.reshape(x, wanted, copy=False)  # an error if the memory can't be shared
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
            length = RunLength(size // others)
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
        lengths = [count(lengths_of(x)[1:]) // known]
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
    precision="exact",
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


@covers(method="reshape")
def _reshape_to(a: Any, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
    """``a.reshape``, which takes the lengths one by one or as a tuple."""
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    return reshaped(a, shape[0] if len(shape) == 1 else shape, order, copy)


# -- axes of length 1 ------------------------------------------------------------------------------


def reaxed(x: Any, shape: Sequence[int | RunLength]) -> Any:
    """``x`` in a shape that has the same lengths but for ones put in or left out."""
    unknown = [axis for axis, n in enumerate(shape) if isinstance(n, RunLength)]
    if len(unknown) == 1 and 0 not in shape:
        shape = [-1 if axis in unknown else n for axis, n in enumerate(shape)]
    return reshape(x, shape)


def spread(x: Any, missing: int, axis: int = 1) -> Any:
    """``x`` with ``missing`` axes of length 1 put in before ``axis``."""
    if missing <= 0:
        return x
    lengths = lengths_of(x)
    return reaxed(x, (*lengths[:axis], *[1] * missing, *lengths[axis:]))


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
    left: list[int | RunLength]
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


# -- vectors ---------------------------------------------------------------------------------------


def merged_lanes(x: Any) -> Any:
    """The elements of each lane as a vector."""
    lanes, *lengths = lengths_of(x)
    return reaxed(x, (lanes, merged(lengths)))


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


@covers(method="flatten")
def flatten(a: Any, order: str = "C") -> Any:
    """``a.flatten()``: a copy of the elements as a vector, in C or in Fortran order."""
    return copy(ravel(transpose(a) if layout(a, order) == "F" else a))
