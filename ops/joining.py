"""Joining arrays, padding them, and taking them apart."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.conversion import array_text, astype, promote, where
from ops.indexing import getitem, subscript
from ops.lengths import count, lengths_of
from ops.numpy_table import covers
from ops.registry import Linear, Symbolic, dims_of, dtype_of, literal, ndim_of, shape_of
from ops.structural import copy, expand_dims, ravel, reaxed, refine, reshape
from ops.types import ArrayType, Type

__all__ = [
    "array",
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "column_stack",
    "concatenate",
    "dstack",
    "hstack",
    "pad",
    "pad_zeros",
    "split",
    "stack",
    "vstack",
]


def axis_slice(ndim: int, axis: int, start: int | None, stop: int | None, step: int | None = None):
    """The spec of a slice along one axis."""
    whole = ("slice", None, None, None)
    return (*[whole] * axis, ("slice", start, stop, step), *[whole] * (ndim - axis - 1))


# -- concatenate -----------------------------------------------------------------------------------


def _concatenate_infer(*arrays: ArrayType, axis: int) -> tuple[ArrayType]:
    first = arrays[0].shape
    if not first:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    others = [n for i, n in enumerate(first) if i != axis]
    for i, array in enumerate(arrays):
        shape = array.shape
        if len(shape) != len(first):
            raise ValueError(
                "all the input array dimensions must match: the array at index 0 has "
                f"{len(first)} and the array at index {i} has {len(shape)}"
            )
        found = [*shape[:axis], *shape[axis + 1 :]]
        others = [m if n is None else n for m, n in zip(found, others)]
        if any(m not in (n, None) for m, n in zip(found, others)):
            raise ValueError(
                "all the input array dimensions except for the concatenation axis must match "
                f"exactly: the array at index 0 has shape {first} and the array at index {i} has "
                f"shape {shape}"
            )
    lengths = [array.shape[axis] for array in arrays]
    others.insert(axis, None if None in lengths else sum(lengths))
    return (ArrayType(promote(*arrays), tuple(others)),)


def _concatenate_raises(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if the lengths along the other axes are the same."""
    others = zip(*(t.shape[: attrs["axis"]] + t.shape[attrs["axis"] + 1 :] for t in types))
    return len(types) > 1 and any(None in lengths for lengths in others)


def _concatenate_prepare(arrays: Sequence[Any], axis: int | None = 0) -> tuple:
    arrays = list(_rows(arrays))
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        arrays, axis = [ravel(x) for x in arrays], 0
    ndim = ndim_of(arrays[0])
    if not ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    return arrays, {"axis": normalize_axis_index(axis, ndim)}


def _rows(arrays: Any) -> list[Any]:
    """A sequence of arrays as a list; an array is the sequence of its rows."""
    if hasattr(arrays, "shape"):
        return [subscript(arrays, i) for i in range(shape_of(arrays)[0])]
    return [array(x) if isinstance(x, (list, tuple)) else x for x in arrays]


def _concatenate_code(args: Sequence[str], types: Sequence[Type], attrs: dict[str, Any]) -> str:
    axis = f", axis={attrs['axis']}" if attrs["axis"] else ""
    return f"np.concatenate([{', '.join(args)}]{axis})"


def _concatenate_transpose(ct: Any, *arrays: Any, axis: int) -> list[Any]:
    parts, end = [], 0
    for x in arrays:
        n = count(lengths_of(x)[axis : axis + 1])
        start, end = end, end + n if parts else n
        part = subscript(ct, (*[slice(None)] * axis, slice(start, end)))
        parts.append(part if dims_of(part) == dims_of(x) else refine(part, shape=dims_of(x)))
    return parts


concatenate = Linear(
    "concatenate",
    _concatenate_infer,
    _concatenate_code,
    transposes=_concatenate_transpose,
    raises=_concatenate_raises,
    unknown_lengths=True,
    prepare=_concatenate_prepare,
    doc="""Arrays joined along an existing axis.

    Args:
        arrays: a sequence of arrays of the same shape, except along the axis. They are promoted.
        axis: the axis, or None to join the elements of all in C order.

    Raises:
        ValueError: the shapes do not fit, or there is no array.
        AxisError: the axis is out of range.
    """,
)

covers(np.concatenate, "arrays axis out dtype casting=same_kind")(concatenate)


@covers(np.stack, "arrays axis out dtype casting=same_kind")
def stack(arrays: Any, axis: int = 0) -> Any:
    """Arrays of one shape joined along a new axis, which is ``axis`` in the result.

    Raises:
        ValueError: the shapes differ, or there is no array.
    """
    arrays = _rows(arrays)
    if not arrays:
        raise ValueError("need at least one array to stack")
    shapes = [dims_of(x) for x in arrays]
    if any(
        len(shape) != len(shapes[0]) or any(m != n and None not in (m, n) for m, n in pairs)
        for shape in shapes
        for pairs in [zip(shape, shapes[0])]
    ):
        raise ValueError("all input arrays must have the same shape")
    return concatenate([expand_dims(x, axis) for x in arrays], axis)


def _at_least(ndim: int):
    def pad_shape(x: Any) -> Any:
        shape = lengths_of(x)
        if len(shape) >= ndim:
            return x
        if ndim == 3 and len(shape) == 2:
            return reaxed(x, (*shape, 1))
        if ndim == 3 and len(shape) == 1:
            return reaxed(x, (1, *shape, 1))
        return reaxed(x, (1,) * (ndim - len(shape)) + shape)

    pad_shape.__name__ = pad_shape.__qualname__ = f"atleast_{ndim}d"
    pad_shape.__doc__ = f"""``x`` with axes of length 1 added, where needed, to make it {ndim}-D."""
    return pad_shape


atleast_1d = covers(np.atleast_1d)(_at_least(1))
atleast_2d = covers(np.atleast_2d)(_at_least(2))
atleast_3d = covers(np.atleast_3d)(_at_least(3))


@covers(np.vstack, "tup dtype casting=same_kind")
def vstack(arrays: Any) -> Any:
    """Arrays on top of each other; vectors are rows."""
    return concatenate([atleast_2d(x) for x in _rows(arrays)], 0)


@covers(np.hstack, "tup dtype casting=same_kind")
def hstack(arrays: Any) -> Any:
    """Arrays next to each other."""
    arrays = [atleast_1d(x) for x in _rows(arrays)]
    return concatenate(arrays, 0 if arrays and ndim_of(arrays[0]) == 1 else 1)


@covers(np.dstack, "tup")
def dstack(arrays: Any) -> Any:
    """Arrays behind each other, along a third axis."""
    return concatenate([atleast_3d(x) for x in _rows(arrays)], 2)


@covers(np.column_stack, "tup")
def column_stack(arrays: Any) -> Any:
    """Arrays next to each other; vectors are columns."""
    arrays = _rows(arrays)
    columns = [reshape(x, (-1, 1)) if ndim_of(x) < 2 else x for x in arrays]
    return concatenate(columns, 1)


def array(data: Any, dtype: Any = None, ndmin: int = 0) -> Any:
    """``np.array``: a new array of nested sequences of numbers and arrays, any of them symbolic.

    Raises:
        ValueError: the shapes of the parts differ.
    """
    if not _has_symbolic(data):
        return np.array(data, dtype=dtype, ndmin=ndmin)
    result = _nested(data, dtype)
    missing = ndmin - ndim_of(result)
    return expand_dims(result, tuple(range(missing))) if missing > 0 else result


def _has_symbolic(data: Any) -> bool:
    if isinstance(data, (list, tuple)):
        return any(_has_symbolic(item) for item in data)
    return isinstance(data, Symbolic)


def _nested(data: Any, dtype: Any) -> Any:
    if not isinstance(data, (list, tuple)):
        return copy(data) if dtype is None else copy(astype(data, dtype))
    if not _has_symbolic(data):
        return np.array(data, dtype)
    return stack([_nested(item, dtype) for item in data])


# -- taking apart ----------------------------------------------------------------------------------


@covers(np.array_split, "ary indices_or_sections axis")
def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """``x`` cut along an axis into that many parts of nearly equal length, or at those indices."""
    ndim = ndim_of(x)
    axis = normalize_axis_index(axis, ndim)
    n = shape_of(x)[axis]
    if np.ndim(indices_or_sections) == 0:
        sections = operator.index(indices_or_sections)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        shorter, longer = divmod(n, sections)
        cuts = [i * shorter + min(i, longer) for i in range(1, sections)]
    else:
        cuts = [operator.index(i) for i in indices_or_sections]
    return [
        getitem(x, index=axis_slice(ndim, axis, start, stop))
        for start, stop in zip([0, *cuts], [*cuts, n])
    ]


@covers(np.split, "ary indices_or_sections axis")
def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """``x`` cut along an axis into that many parts of equal length, or at those indices.

    Raises:
        ValueError: the parts would not be equal.
    """
    if np.ndim(indices_or_sections) == 0:
        n = shape_of(x)[normalize_axis_index(axis, ndim_of(x))]
        if n % operator.index(indices_or_sections):
            raise ValueError("array split does not result in an equal division")
    return array_split(x, indices_or_sections, axis)


# -- padding ---------------------------------------------------------------------------------------


def _pad_infer(x: ArrayType, widths: tuple[tuple[int, int], ...]) -> tuple[ArrayType]:
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError("index can't contain negative values")
    shape = tuple(before + n + after for n, (before, after) in zip(x.shape, widths))
    return (ArrayType(x.dtype, shape),)


def _pad_transpose(ct: Any, x: Any, widths: tuple[tuple[int, int], ...]) -> Any:
    spec = tuple(("slice", before, before + n, None) for n, (before, _) in zip(shape_of(x), widths))
    return getitem(ct, index=spec)


pad_zeros = Linear(
    "pad_zeros",
    _pad_infer,
    lambda args, types, attrs: f"np.pad({array_text(args[0], types[0])}, {attrs['widths']})",
    transposes=[_pad_transpose],
    doc="""``x`` with zeros around it.

    Args:
        x: an array.
        widths: for each axis how many before and how many behind.
    """,
)

_PAD_MODES = ("edge", "reflect", "symmetric", "wrap")


@covers(np.pad, "array pad_width mode constant_values")
def pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Any:
    """``x`` with elements added at both ends of each axis.

    Args:
        x: an array.
        pad_width: how many before and behind each axis, what ``np.pad`` takes but for dicts.
        mode: ``constant``, ``edge``, ``reflect``, ``symmetric`` or ``wrap``.
        constant_values: a scalar, for mode ``constant``.

    Raises:
        NotImplementedError: another mode.
    """
    shape = shape_of(x)
    pairs = np.broadcast_to(np.asarray(pad_width), (len(shape), 2))
    widths = tuple((operator.index(a), operator.index(b)) for a, b in pairs)
    if mode == "constant":
        padded = pad_zeros(x, widths=widths)
        if literal(constant_values) == 0:
            return padded
        inside = np.pad(np.ones(shape, bool), widths)
        return where(inside, padded, astype(constant_values, dtype_of(x)))
    if mode not in _PAD_MODES:
        raise NotImplementedError(f"np.pad with mode {mode!r}; there are {_PAD_MODES}")
    for axis, (n, width) in enumerate(zip(shape, widths)):
        if width != (0, 0):
            x = subscript(x, (*[slice(None)] * axis, np.pad(np.arange(n), width, mode)))
    return x


@covers(np.asarray, np.asanyarray, "a dtype order=* device copy like", creates=True)
@covers(np.ascontiguousarray, "a dtype like", creates=True)
def asarray(a: Any, dtype: Any = None) -> Any:
    """``np.asarray``: a symbolic array as it is, unless its dtype is to change."""
    if isinstance(a, (list, tuple)):
        return array(a, dtype)
    return astype(a, dtype_of(a) if dtype is None else dtype)


covers(np.array, "object dtype copy=True order=* subok=False ndmin ndmax=0 like", creates=True)(
    array
)
