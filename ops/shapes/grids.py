"""Numbers at equal distances, and the coordinates of grids."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.arrays.creation import numbered, require_device
from ops.arrays.indexing import assigned
from ops.arrays.joining import as_arrays
from ops.arrays.reduction import all, any
from ops.control import effects
from ops.core.lengths import RunLength, as_shape, lengths_of, positions
from ops.core.numpy_table import covers
from ops.core.operands import (
    Symbolic,
    broadcast_shapes,
    dims_of,
    dtype_of,
    index_of,
    length_from,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType, as_dtype, weak
from ops.elementwise import (
    add,
    divide,
    equal,
    floor,
    floor_divide,
    greater,
    greater_equal,
    less,
    log10,
    logical_and,
    logical_not,
    maximum,
    minimum,
    multiply,
    power,
    remainder,
    sign,
    subtract,
)
from ops.elementwise.conversion import astype, cast, promote, where
from ops.order.selection import nonzero
from ops.structure.broadcasting import broadcast_to
from ops.structure.identity import duplicate
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import expand_dims, reaxed, reshape

__all__ = [
    "geomspace",
    "ix_",
    "linspace",
    "logspace",
    "meshgrid",
    "ravel_multi_index",
    "unravel_index",
]


@covers(np.linspace, "start stop num endpoint retstep dtype axis device=cpu", creates=True)
@covers(np.linspace, "start stop num endpoint retstep dtype axis device=cpu")
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    device: Any = None,
) -> Any:
    """Numbers at equal distances from ``start`` to ``stop``.

    Args:
        start, stop: numbers, or arrays that broadcast.
        num: how many numbers.
        endpoint: whether ``stop`` is the last of them.
        retstep: whether to return the distance too.
        dtype: of the result; by default floating-point. Integers are rounded down.
        axis: of the result, along which the numbers are.
        device: None or "cpu".
    """
    require_device(device)
    num = _count(num)
    start, stop = as_arrays((start, stop))
    found = promote(operand_type(start), operand_type(stop), weak(float))
    dtype = found if dtype is None else as_dtype(dtype)
    start, stop = astype(start, found), astype(stop, found)
    steps = num - 1 if endpoint else num
    distance = subtract(stop, start)
    if isinstance(num, Symbolic):
        step = between = divide(distance, maximum(steps, 1))  # of a single number no step is used
    elif steps > 0:
        step = between = divide(distance, steps)
    else:
        step, between = float("nan"), distance
    places = _places(num, ndim_of(distance))
    points = add(multiply(astype(places, found), between), start)
    if endpoint:
        points = _with_last(points, num, stop)
    points = moveaxis(points, 0, axis)
    points = astype(floor(points) if dtype.kind in "iu" else points, dtype)
    return (points, step) if retstep else points


def _count(num: Any) -> Any:
    """How many numbers there are: a length, or a symbolic int if only the run knows it."""
    num = num.as_length() if isinstance(num, Symbolic) else length_from(num)
    if isinstance(num, Symbolic):
        return cast(num, int, weak=True)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    return num


def _places(num: Any, ndim: int) -> Any:
    """The places of so many numbers, along an axis before ``ndim`` others."""
    places = positions(maximum(num, 0)) if isinstance(num, Symbolic) else numbered(num)
    return reshape(places, (-1, *[1] * ndim))


def _with_last(points: Any, num: Any, last: Any) -> Any:
    """So many points with another last one, unless that is the first as well."""
    if isinstance(num, Symbolic):
        is_last = equal(_places(num, ndim_of(points) - 1), subtract(num, 1))
        return where(logical_and(is_last, greater(num, 1)), last, points)
    return assigned(points, -1, last) if num > 1 else points


@covers(np.logspace, "start stop num endpoint base dtype axis", creates=True)
@covers(np.logspace, "start stop num endpoint base dtype axis")
def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Powers of ``base`` whose exponents `linspace` gives."""
    start, stop, base = as_arrays((start, stop, base))
    if ndim_of(base):
        ndim = builtins.max(map(ndim_of, (start, stop, base)))
        start, stop, base = (
            reaxed(x, (1,) * (ndim - ndim_of(x)) + lengths_of(x)) for x in (start, stop, base)
        )
        base = expand_dims(base, axis)
    result = power(base, linspace(start, stop, num, endpoint, axis=axis))
    return result if dtype is None else astype(result, dtype)


@covers(np.geomspace, "start stop num endpoint dtype axis", creates=True)
@covers(np.geomspace, "start stop num endpoint dtype axis")
def geomspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Numbers in equal proportions from ``start`` to ``stop``.

    Args:
        start, stop: numbers of the same sign, or complex, or arrays of those.
        num, endpoint, dtype, axis: as for `linspace`.

    Raises:
        ValueError: ``start`` or ``stop`` is zero.
    """
    num = _count(num)
    start, stop = as_arrays((start, stop))
    some_zero = add(any(equal(start, 0)), any(equal(stop, 0)))
    _require(logical_not(some_zero), "Geometric sequence cannot include zero")
    types = operand_type(start), operand_type(stop), weak(float)
    found = promote(*types, ArrayType(as_dtype(dtype)))  # which is float64 if there is none
    dtype = found if dtype is None else as_dtype(dtype)
    start, stop = astype(start, found), astype(stop, found)
    direction = sign(start)
    first, last = divide(start, direction), divide(stop, direction)
    result = logspace(log10(first), log10(last), num, endpoint)
    if isinstance(num, Symbolic):
        result = where(equal(_places(num, ndim_of(result) - 1), 0), first, result)
    elif num > 0:
        result = assigned(result, 0, first)
    if endpoint:
        result = _with_last(result, num, last)
    return astype(moveaxis(multiply(result, direction), 0, axis), dtype)


def _require(condition: Any, message: str) -> None:
    """Raise ValueError unless ``condition`` is true, when the program runs if only that knows."""
    if isinstance(condition, Symbolic):
        effects.check(condition, error="ValueError", message=message)
    elif not condition:
        raise ValueError(message)


# -- grids -----------------------------------------------------------------------------------------


# A list before NumPy 2.5.
_GRIDS_THEMSELVES: Any = type(np.meshgrid(0, sparse=True, copy=False))


@covers(np.meshgrid)
def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> Sequence[Any]:
    """Arrays of the coordinates of a grid.

    Args:
        xi: the coordinates along each axis.
        copy: whether each result has memory of its own.
        sparse: leave the axes along which nothing changes with length 1.
        indexing: ``xy`` to have the first two axes exchanged, as in a picture, or ``ij``.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    order = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        order[:2] = 1, 0
    grids: list[Any] = []
    lengths: list[int | RunLength] = [1] * len(xi)
    for i, vector in enumerate(as_arrays(xi)):
        shape = [1] * len(xi)
        shape[order[i]] = -1
        grids.append(reshape(vector, shape))
        lengths[order[i]] = lengths_of(grids[-1])[order[i]]
    if not sparse:
        grids = [broadcast_to(grid, tuple(lengths)) for grid in grids]
    if copy:
        grids = [duplicate(grid) for grid in grids]
    return _GRIDS_THEMSELVES(grids) if sparse and not copy else tuple(grids)


@covers(np.ix_)
def ix_(*args: Any) -> tuple[Any, ...]:
    """The subscript of all combinations of elements of vectors of indices.

    Raises:
        ValueError: one is not a vector.
    """
    parts = []
    for i, (given, places) in enumerate(zip(args, as_arrays(args))):
        if ndim_of(places) != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if places is not given and shape_of(places) == (0,):
            places = astype(places, np.intp)
        elif dtype_of(places).kind == "b":
            (places,) = nonzero(places) if isinstance(places, Symbolic) else places.nonzero()
        parts.append(reshape(places, (1,) * i + (-1,) + (1,) * (len(args) - i - 1)))
    return tuple(parts)


@covers(np.unravel_index, "indices shape order")
def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Any, ...]:
    """The index along each axis of elements of which the place in C order is known.

    Args:
        indices: integers.
        shape: of the array.
        order: "C", or "F" if the places are those in Fortran order.

    Raises:
        ValueError: a place is out of range.
    """
    (indices,) = as_arrays((indices,))
    _require_integers(indices)
    shape = as_shape(shape)
    if not shape and ndim_of(indices):
        raise ValueError("multiple indices are not supported for 0d arrays")
    size = math.prod(shape)
    inside = logical_and(greater_equal(indices, 0), less(indices, size))
    shown = repr(size) if is_length(size) else size
    _require(all(inside), f"index is out of bounds for array with size {shown}")
    rest, found = astype(indices, np.intp), []
    for n in _first_fastest(shape, order):
        found.append(remainder(rest, n))
        rest = floor_divide(rest, n)
    return tuple(_first_fastest(found, order))


@covers(np.tril_indices, "n k m", creates=True)
def tril_indices(n: Any, k: int = 0, m: Any = None) -> tuple[Any, ...]:
    """The rows and columns of the elements that `tril` keeps of a matrix of ``n`` rows and ``m``
    columns, by default as many."""
    return _triangle(np.tril_indices, lambda i, j, k: greater_equal(add(i, k), j), n, k, m)


@covers(np.triu_indices, "n k m", creates=True)
def triu_indices(n: Any, k: int = 0, m: Any = None) -> tuple[Any, ...]:
    """The rows and columns of the elements that `triu` keeps of a matrix of ``n`` rows and ``m``
    columns, by default as many."""
    return _triangle(np.triu_indices, lambda i, j, k: less(add(i, k - 1), j), n, k, m)


def _triangle(known: Callable, keeps: Callable, n: Any, k: int, m: Any) -> tuple[Any, ...]:
    """The rows and columns of a triangle: a constant by NumPy's function ``known``, where the
    lengths are known; else where ``keeps`` says of the numbers of rows and columns that it is."""
    rows, columns, k = length_from(n), length_from(n if m is None else m), index_of(k)
    if not (is_length(rows) or is_length(columns)):
        return known(rows, k, columns)
    return nonzero(keeps(expand_dims(numbered(rows), 1), numbered(columns), k))


@covers(np.tril_indices_from, "arr k")
def tril_indices_from(arr: Any, k: int = 0) -> tuple[Any, ...]:
    """The rows and columns of the elements that `tril` keeps, of a matrix of known shape."""
    rows, columns = _matrix_shape(arr)
    return tril_indices(rows, k, columns)


@covers(np.triu_indices_from, "arr k")
def triu_indices_from(arr: Any, k: int = 0) -> tuple[Any, ...]:
    """The rows and columns of the elements that `triu` keeps, of a matrix of known shape."""
    rows, columns = _matrix_shape(arr)
    return triu_indices(rows, k, columns)


def _matrix_shape(arr: Any) -> tuple[int, ...]:
    if ndim_of(arr) != 2:
        raise ValueError("input array must be 2-d")
    return shape_of(arr)


def _first_fastest(items: Sequence, order: str) -> list:
    """What belongs to the axes, beginning with that which changes fastest."""
    if order not in ("C", "F"):
        raise ValueError(f"order must be 'C' or 'F' (got '{order}')")
    return list(reversed(items)) if order == "C" else list(items)


def _require_integers(indices: Any) -> None:
    if dtype_of(indices).kind not in "iu":
        raise TypeError("only int indices permitted")


@covers(np.ravel_multi_index, "multi_index dims mode order")
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    """The place in C order of elements of which the index along each axis is known.

    Args:
        multi_index: for each axis an integer or an array of integers; all broadcast.
        dims: the shape of the array.
        mode: what an index out of range means: "raise", "wrap" or "clip", or one for each axis.
        order: "C", or "F" for the place in Fortran order.

    Raises:
        ValueError: an index is out of range.
    """
    dims = as_shape(dims)
    parts = as_arrays(list(multi_index))
    modes = (mode,) * len(dims) if isinstance(mode, str) else tuple(mode)
    if len(parts) != len(dims):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(dims)}")
    if math.prod(dims) > np.iinfo(np.intp).max:
        raise ValueError(
            "invalid dims: array size defined by dims is larger than the maximum possible size."
        )
    if 0 in dims and not builtins.any(0 in dims_of(part) for part in parts):
        raise ValueError("cannot unravel if shape has zero entries (is empty).")
    if 0 in broadcast_shapes(*map(dims_of, parts)):
        modes = ("clip",) * len(dims)  # no index counts
    places: Any = None
    axes = list(zip(parts, dims, modes, strict=True))
    for part, n, how in reversed(_first_fastest(axes, order)):
        _require_integers(part)
        part = _inside(astype(part, np.intp), n, how)
        places = part if places is None else add(multiply(places, n), part)
    return places


def _inside(places: Any, n: int, mode: str) -> Any:
    """Indices along an axis of length ``n``, those out of range treated as ``mode`` says."""
    if mode == "wrap":
        return remainder(places, n)
    if mode == "clip":
        return minimum(maximum(places, 0), n - 1)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    inside = logical_and(greater_equal(places, 0), less(places, n))
    _require(all(inside), "invalid entry in coordinates array")
    return places
