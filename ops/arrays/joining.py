"""Joining arrays, and making arrays of nested sequences."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.creation import require_device
from ops.arrays.indexing import subscript
from ops.core import kernels
from ops.core.index_maps import one_of, scaled
from ops.core.lengths import lengths_of
from ops.core.numpy_table import covers, deliver
from ops.core.operands import Symbolic, dims_of, dtype_of, is_array, ndim_of, operand_type, shape_of
from ops.core.recording import of_numpy
from ops.core.registry import Linear
from ops.core.types import ArrayType, Casting, as_dtype, may_agree
from ops.elementwise.conversion import astype, cast, promote
from ops.structure.identity import contiguous, copy, refine
from ops.structure.lanes import all_with_lanes
from ops.structure.reshaping import count, expand_dims, ravel, reaxed, reshape

__all__ = [
    "array",
    "asarray",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block",
    "column_stack",
    "concatenate",
    "dstack",
    "hstack",
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
    lengths = [n for array in arrays if (n := array.shape[axis]) is not None]
    others.insert(axis, None if len(lengths) < len(arrays) else sum(lengths))
    return (ArrayType(promote(*arrays), tuple(others)),)


def _concatenate_raises(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """Whether only the run knows if the lengths along the other axes are the same."""
    others = zip(*(t.shape[: attrs["axis"]] + t.shape[attrs["axis"] + 1 :] for t in types))
    return len(types) > 1 and any(None in lengths for lengths in others)


def _concatenate_prepare(arrays: Sequence[Any], axis: int | None = 0) -> tuple:
    arrays = list(_rows(arrays))
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        arrays, axis = [_flat(x) for x in arrays], 0
    ndim = ndim_of(arrays[0])
    if not ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    return arrays, {"axis": normalize_axis_index(axis, ndim)}


def _rows(arrays: Any) -> list[Any]:
    """A sequence of arrays as a list; an array is the sequence of its rows."""
    if hasattr(arrays, "shape"):
        if not ndim_of(arrays):
            raise TypeError("iteration over a 0-d array")
        return [subscript(arrays, i) for i in range(shape_of(arrays)[0])]
    if isinstance(arrays, Iterator):
        raise TypeError(
            'arrays to stack must be passed as a "sequence" type such as list or tuple.'
        )
    return as_arrays(arrays)


def _flat(x: Any) -> Any:
    """The elements in C order, to be joined to others: a vector itself."""
    return x if ndim_of(x) == 1 else ravel(x)


def as_arrays(arrays: Iterable[Any]) -> list[Any]:
    """The items, with nested sequences made arrays; numbers stay numbers."""
    return [array(x) if isinstance(x, (list, tuple)) else x for x in arrays]


def _converted(arrays: list[Any], dtype: Any, casting: Casting) -> list[Any]:
    """Arrays in the dtype that their join is to have.

    Raises:
        TypeError: ``casting`` does not allow that.
    """
    if dtype is None:
        return arrays
    dtype = as_dtype(dtype)
    for x in arrays:
        if not np.can_cast(dtype_of(x), dtype, casting):
            raise TypeError(
                f"Cannot cast array data from {dtype_of(x)!r} to {dtype!r} according to the rule "
                f"'{casting}'"
            )
    return [astype(x, dtype) for x in arrays]


def _concatenate_code(
    args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]
) -> str:
    axis = f", axis={attrs['axis']}" if attrs["axis"] else ""
    return f"np.concatenate([{', '.join(args)}]{axis})"


def _concatenate_transpose(ct: Any, *arrays: Any, axis: int) -> list[Any]:
    parts: list[Any] = []
    end: Any = 0
    for x in arrays:
        n = count(lengths_of(x)[axis : axis + 1])
        start, end = end, end + n if parts else n
        part = subscript(ct, (*[slice(None)] * axis, slice(start, end)))
        parts.append(part if dims_of(part) == dims_of(x) else refine(part, shape=dims_of(x)))
    return parts


def _concatenate_element(
    read: Callable, index: tuple, types: Sequence[ArrayType], attrs: dict[str, Any]
) -> Any:
    axis, dtype = attrs["axis"], promote(*types)
    parts = [i for i, type in enumerate(types) if type.shape[axis]] or [0]
    starts = [0, *itertools.accumulate(types[i].shape[axis] for i in parts)][: len(parts)]

    def element(k: int) -> Any:
        own = (*index[:axis], scaled(index[axis], 1, -starts[k]), *index[axis + 1 :])
        return kernels.cast(read(parts[k], own), dtype)

    return one_of(index[axis], starts, element)


concatenate: Linear = Linear(
    "concatenate",
    _concatenate_infer,
    _concatenate_code,
    transposes=_concatenate_transpose,
    zeros="moved",
    raises=_concatenate_raises,
    errors=(ValueError,),
    unknown_lengths=True,
    prepare=_concatenate_prepare,
    batch=lambda size, batched, args, axis: concatenate.apply(
        all_with_lanes(size, batched, args), {"axis": axis + 1}
    ),
    native=kernels.Element(_concatenate_element),
    doc="""Arrays joined along an existing axis.

    Args:
        arrays: a sequence of arrays of the same shape, except along the axis. They are promoted.
        axis: the axis, or None to join the elements of all in C order.

    Raises:
        ValueError: the shapes do not fit, or there is no array.
        AxisError: the axis is out of range.
    """,
    contiguous=True,
    precision="exact",
)


@covers(np.concatenate, "arrays axis out dtype casting")
def joined(
    arrays: Any,
    axis: int | None = 0,
    out: Any = None,
    dtype: Any = None,
    casting: Casting = "same_kind",
) -> Any:
    """``np.concatenate``: `concatenate` in a dtype of one's choice.

    Args:
        arrays, axis: as for `concatenate`. With ``axis=None`` Python's numbers among them are weak.
        out: an array for the result.
        dtype: of the result.
        casting: what `np.can_cast` has to allow.
    """
    arrays, dtype = _rows(arrays), _only_dtype(out, dtype)
    if axis is None and dtype is None and arrays:
        dtype, casting = promote(*map(operand_type, as_arrays(arrays))), "unsafe"
    result = concatenate(_converted(arrays, dtype, casting), axis)
    return result if out is None else deliver(result, out, "unsafe")


def _only_dtype(out: Any, dtype: Any) -> Any:
    """The dtype of a result, which may be that of an array for it."""
    if out is None:
        return dtype
    if dtype is not None:
        raise TypeError(
            "concatenate() only takes `out` or `dtype` as an argument, but both were provided."
        )
    return dtype_of(out)


@covers(np.stack, "arrays axis out dtype casting")
def stack(
    arrays: Any, axis: int = 0, out: Any = None, dtype: Any = None, casting: Casting = "same_kind"
) -> Any:
    """Arrays of one shape joined along a new axis, which is ``axis`` in the result.

    Args:
        arrays: a sequence of arrays.
        axis: where the new axis is.
        out, dtype, casting: as for `joined`.

    Raises:
        ValueError: the shapes differ, or there is no array.
        AxisError: the axis is out of range.
    """
    arrays = _converted(_rows(arrays), _only_dtype(out, dtype), casting)
    if not arrays:
        raise ValueError("need at least one array to stack")
    shapes = [dims_of(x) for x in arrays]
    if not all(may_agree(shape, shapes[0]) for shape in shapes):
        raise ValueError("all input arrays must have the same shape")
    result = concatenate([expand_dims(x, axis) for x in arrays], axis)
    return result if out is None else deliver(result, out, "unsafe")


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


atleast_1d = _at_least(1)
atleast_2d = _at_least(2)
atleast_3d = _at_least(3)


def _of_several(function: Callable) -> Callable:
    """A function of one array as one of any number, which gives a tuple for several."""

    def each(*arys: Any) -> Any:
        results = tuple(map(function, as_arrays(arys)))
        return results[0] if len(results) == 1 else results

    each.__name__ = each.__qualname__ = function.__name__
    each.__doc__ = function.__doc__
    return each


for _function in (atleast_1d, atleast_2d, atleast_3d):
    covers(getattr(np, _function.__name__))(_of_several(_function))


@covers(np.vstack, "tup dtype casting")
def vstack(tup: Any, dtype: Any = None, casting: Casting = "same_kind") -> Any:
    """Arrays on top of each other; vectors are rows."""
    return joined([atleast_2d(x) for x in _rows(tup)], 0, dtype=dtype, casting=casting)


@covers(np.hstack, "tup dtype casting")
def hstack(tup: Any, dtype: Any = None, casting: Casting = "same_kind") -> Any:
    """Arrays next to each other."""
    arrays = [atleast_1d(x) for x in _rows(tup)]
    axis = 0 if arrays and ndim_of(arrays[0]) == 1 else 1
    return joined(arrays, axis, dtype=dtype, casting=casting)


@covers(np.dstack, "tup")
def dstack(tup: Any) -> Any:
    """Arrays behind each other, along a third axis."""
    return concatenate([atleast_3d(x) for x in _rows(tup)], 2)


@covers(np.column_stack, "tup")
def column_stack(tup: Any) -> Any:
    """Arrays next to each other; vectors are columns."""
    columns = [reshape(x, (-1, 1)) if ndim_of(x) < 2 else x for x in _rows(tup)]
    return concatenate(columns, 1)


@covers(np.block)
def block(arrays: Any) -> Any:
    """Arrays put together as nested lists of them say: the innermost along the last axis.

    Args:
        arrays: nested lists of arrays; those with fewer axes than others get new leading ones.

    Raises:
        ValueError: the lists are nested to different depths, or one is empty, or shapes don't fit.
        TypeError: there is a tuple among them.
    """
    depth = _depth(arrays)
    ndim = max([depth, *(ndim_of(x) for x in _leaves(arrays))])

    def joined_at(level: int, item: Any) -> Any:
        if level < depth:
            return concatenate([joined_at(level + 1, part) for part in item], ndim - depth + level)
        shape = lengths_of(item)
        return reaxed(item, (1,) * (ndim - len(shape)) + shape)

    return joined_at(0, arrays) if depth else copy(arrays)


def _depth(item: Any) -> int:
    if isinstance(item, tuple):
        raise TypeError("np.block: only lists can be used to arrange blocks, not tuples")
    if not isinstance(item, list):
        return 0
    if not item:
        raise ValueError("List cannot be empty")
    depths = {_depth(part) for part in item}
    if len(depths) > 1:
        raise ValueError(f"List depths are mismatched: {sorted(depths)}")
    return 1 + depths.pop()


def _leaves(item: Any) -> Iterator[Any]:
    if isinstance(item, list):
        for part in item:
            yield from _leaves(part)
    else:
        yield item


def array(
    data: Any,
    dtype: Any = None,
    ndmin: int = 0,
    copy: bool | None = True,
    ndmax: int = 0,
    order: str | None = "K",
) -> Any:
    """``np.array``: an array of nested sequences of numbers and arrays, any of them symbolic.

    Args:
        data: the sequences.
        dtype: of the result.
        ndmin: how many axes it has at least; new ones lead.
        copy: whether an array is copied; with None only if it must be converted. One of NumPy's
            modes stands for one of these.
        ndmax: NumPy's, for arrays of objects only.
        order: "C" or "F": how the elements lie in memory where ``data`` is an array that need not
            be copied otherwise. A new array may lie in any order.

    Raises:
        ValueError: the shapes of the parts differ, or ``copy`` is False and a copy is needed.
    """
    if not _has_symbolic(data):
        options: dict[str, Any] = {"ndmax": ndmax} if ndmax else {}
        return of_numpy(np.array, data, dtype=dtype, ndmin=ndmin, copy=copy, **options)
    if dtype is not None:
        as_dtype(dtype)
    if isinstance(copy, enum.Enum):
        copy = copy.value if isinstance(copy.value, bool) else None
    result = _in_order(_nested(data, dtype, copy), data, order, copy)
    missing = ndmin - ndim_of(result)
    return expand_dims(result, tuple(range(missing))) if missing > 0 else result


def _in_order(result: Any, data: Any, order: str | None, copied: bool | None) -> Any:
    """``result``, made of ``data``, in an order, if it is ``data`` itself."""
    if order not in ("C", "F", "A", "K", None):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if result is not data or order not in ("C", "F") or not ndim_of(data):
        return result
    if copied is False:
        raise NotImplementedError(f"copy=False with order={order!r}; it depends on the memory")
    return contiguous(result, order=order)


def _has_symbolic(data: Any) -> bool:
    if isinstance(data, (list, tuple)):
        return any(_has_symbolic(item) for item in data)
    return isinstance(data, Symbolic)


def _nested(data: Any, dtype: Any, copied: bool | None = True) -> Any:
    if data is None and dtype is not None:
        return np.array(None, dtype)  # NaN, or False
    if not isinstance(data, (list, tuple)):
        result = data if dtype is None else astype(data, dtype)
        if copied is False and (result is not data or operand_type(data).weak):
            raise ValueError(
                "Unable to avoid copy while creating an array as requested; use copy=None"
            )
        is_new = result is not data and not operand_type(result).weak
        return copy(result) if not is_array(data) or (copied and not is_new) else result
    if copied is False:
        raise ValueError("Unable to avoid copy while creating an array as requested; use copy=None")
    if not _has_symbolic(data):
        return np.array(data, dtype)
    return stack([_nested(item, dtype) for item in data])


@covers(np.asarray, np.asanyarray, "a dtype order device copy like", creates=True)
def asarray(
    a: Any,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    order: str | None = None,
) -> Any:
    """``np.asarray``: a symbolic array as it is, unless its dtype or order is to change."""
    require_device(device)
    return array(a, dtype, copy=copy, order=order)


@covers(np.ascontiguousarray, "a dtype like", creates=True)
def ascontiguousarray(a: Any, dtype: Any = None) -> Any:
    """``np.ascontiguousarray``: ``a`` if its elements lie in memory in C order, else a copy."""
    return atleast_1d(contiguous(asarray(a, dtype), order="C"))


@covers(np.asfortranarray, "a dtype like", creates=True)
def asfortranarray(a: Any, dtype: Any = None) -> Any:
    """``np.asfortranarray``: ``a`` if its elements lie in memory in Fortran order, else a copy."""
    return contiguous(asarray(a, dtype), order="F")


covers(np.array, "object dtype copy order subok=False ndmin ndmax like", creates=True)(array)


@covers(np.require, "a dtype requirements", creates=True)
def require(a: Any, dtype: Any = None, requirements: Any = None) -> Any:
    """``np.require``: an array whose elements lie in memory as is asked for.

    Raises:
        NotImplementedError: it has to own its memory, which a graph does not know.
    """
    wanted = {str(name).upper() for name in requirements or ()}
    names = {
        "C": {"C", "C_CONTIGUOUS", "CONTIGUOUS"},
        "F": {"F", "F_CONTIGUOUS", "FORTRAN"},
        "": {"A", "ALIGNED", "E", "ENSUREARRAY", "W", "WRITEABLE"},
        "O": {"O", "OWNDATA"},
    }
    found = {key for key, synonyms in names.items() if wanted & synonyms}
    if wanted - set().union(*names.values()):
        raise KeyError(next(iter(wanted - set().union(*names.values()))))
    if {"C", "F"} <= found:
        raise ValueError('Cannot specify both "C" and "F" order')
    if "O" in found:
        raise NotImplementedError("np.require with OWNDATA; use x.copy()")
    result = asarray(a, dtype)
    for order in found & {"C", "F"}:
        result = contiguous(result, order=order)
    return result


@covers(method="astype")
def recast(
    a: Any,
    dtype: Any,
    order: str = "K",
    casting: Casting = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> Any:
    """``a.astype``. Without ``copy`` it is ``a`` itself if that has the dtype, and the order.

    Raises:
        TypeError: a conversion that ``casting`` does not allow.
    """
    found, wanted = dtype_of(a), as_dtype(dtype)
    if not np.can_cast(found, wanted, casting):
        raise TypeError(
            f"Cannot cast array data from {found!r} to {wanted!r} according to the rule '{casting}'"
        )
    return cast(a, wanted) if copy else _in_order(astype(a, wanted), a, order, None)


@covers(np.astype, "x dtype copy device=cpu")
def converted(x: Any, dtype: Any, copy: bool = True) -> Any:
    """``np.astype``: a copy of an array in another dtype, or with ``copy=False`` the array itself
    if it has that dtype. A scalar stays one."""
    return array(x, dtype, copy=copy or None) if is_array(x) else astype(x, dtype)
