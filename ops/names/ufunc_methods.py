"""The methods of NumPy's ufuncs: ``reduce``, ``accumulate``, ``reduceat`` and ``at``.

Where there is an operator, as the sum for ``np.add.reduce``, it is used. Other ufuncs are applied

* by halves where the order of the operands may be chosen: in O(log n) steps on whole arrays;
* one element after the other where it may not, in a loop.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays import reduction
from ops.arrays.creation import full, zeros_like
from ops.arrays.cumulative import cummax, cummin, cumprod, cumsum, prod
from ops.arrays.indexing import assigned, getitem, index_add, subscript
from ops.arrays.joining import array, axis_slice, concatenate
from ops.arrays.reduction import as_mask
from ops.control import effects
from ops.control.constructs import call, for_loop
from ops.core.lengths import length
from ops.core.numpy_table import deliver
from ops.core.operands import Symbolic, dims_of, dtype_of, index_of, ndim_of, operand_type, shape_of
from ops.core.subscripts import encode_index
from ops.core.types import ArrayType, numpy_dtype
from ops.elementwise import add, greater_equal, less, logical_and, negative
from ops.elementwise.conversion import astype
from ops.elementwise.conversion import where as where_
from ops.structure import reducing
from ops.structure.broadcasting import broadcast_to
from ops.structure.identity import copy
from ops.structure.permuting import moveaxis
from ops.structure.reshaping import reshape

_REDUCTIONS = {
    np.add: reduction.sum,
    np.multiply: prod,
    np.maximum: reduction.max,
    np.minimum: reduction.min,
    np.logical_and: reduction.all,
    np.logical_or: reduction.any,
}

_RUNNING = {np.add: cumsum, np.multiply: cumprod, np.maximum: cummax, np.minimum: cummin}

# ``f(f(x, y), z) == f(x, f(y, z))``
_ASSOCIATIVE = {
    *_REDUCTIONS,
    *(np.fmax, np.fmin, np.logaddexp, np.logaddexp2, np.hypot, np.logical_xor, np.gcd, np.lcm),
    *(np.bitwise_and, np.bitwise_or, np.bitwise_xor),
}


# NumPy can't apply the last one to its own results; those of the others depend on the layout of
# the array.
_IRREDUCIBLE = {np.arctan2, np.power, np.float_power, np.ldexp}


def of(ufunc: np.ufunc, op: Callable) -> dict[str, Callable]:
    """The methods of a ufunc, by name.

    Args:
        ufunc: the ufunc.
        op: the operator that stands for it.
    """
    if ufunc.signature is not None:
        return {}
    methods: dict[str, Callable] = {}
    if ufunc.nout == 1:
        methods["at"] = at
    if ufunc.nin == 2 and ufunc.nout == 1 and ufunc not in _IRREDUCIBLE:
        methods |= {"reduce": reduce, "accumulate": accumulate, "reduceat": reduceat}
    return {name: functools.partial(method, ufunc, op) for name, method in methods.items()}


# -- the dtype in which a ufunc reduces ------------------------------------------------------------


def _converted(ufunc: np.ufunc, x: Any, dtype: Any, out: Any) -> tuple[Any, np.dtype]:
    """The array in the dtype in which the ufunc reduces it, and the dtype of the result.

    Raises:
        TypeError: the ufunc can't be applied to its own result.
    """
    found = operand_type(x).strong()
    total = None if out is None else dtype_of(out)
    if dtype is None and out is None and ufunc in (np.add, np.multiply):
        dtype = reducing.total_dtype(found, None)
    options = {} if dtype is None else {"signature": (numpy_dtype(dtype), None, None)}
    _, each, result = ufunc.resolve_dtypes(
        (total, found.dtype, None), reduction=True, casting="unsafe", **options
    )
    return astype(x, each), result


def _new(result: Any, array: Any) -> Any:
    """A result that is not the array itself, which the caller may change."""
    return copy(result) if result is array and ndim_of(array) else result


def _one(out: Any) -> Any:
    """The array in ``out``, which NumPy makes a tuple of one."""
    return out[0] if isinstance(out, tuple) else out


def _array(x: Any) -> Any:
    if not isinstance(x, (list, tuple)):
        return x
    return array(x)


# -- reduce ----------------------------------------------------------------------------------------


def reduce(
    ufunc: np.ufunc,
    op: Callable,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = np._NoValue,
    where: Any = True,
) -> Any:
    """``ufunc.reduce``.

    Raises:
        ValueError: there are no elements, and the ufunc has no identity; several axes of a ufunc
            for which the order matters.
        TypeError: the ufunc can't be applied to its own result.
    """
    array, out = _array(array), _one(out)
    if isinstance(axis, list):
        raise TypeError("'list' object cannot be interpreted as an integer")
    if ndim_of(array) == 0 and axis in (0, -1):
        axis = None
    axes = reducing.all_axes(reducing.normalise(array, axis), ndim_of(array))
    x, found = _converted(ufunc, array, dtype, out)
    if len(axes) > 1 and (ufunc not in _ASSOCIATIVE or ufunc is np.lcm):
        raise ValueError(
            f"reduction operation '{ufunc.__name__}' is not reorderable, so at most one axis may "
            "be specified"
        )
    first = None if initial is None or initial is np._NoValue else _as_element(initial, x)
    identity = None if ufunc.identity is None else _as_element(ufunc.identity, x)
    if where is not True and first is None and identity is None:
        raise ValueError(
            f"reduction operation '{ufunc.__name__}' does not have an identity, so to use a "
            "where mask one has to specify 'initial'"
        )
    start = identity if first is None and initial is not None else first
    if _is_empty(operand_type(x), axes):
        if start is None:
            raise ValueError(
                f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
            )
        shape = reducing.reduced_shape(shape_of(x), axes, bool(keepdims))
        result = full(shape, start) if shape else start
    elif ufunc in _ASSOCIATIVE:
        if where is not True:
            x = where_(as_mask(where), x, first if identity is None else identity)
        result = _combined(ufunc, op, x, axes)
        result = result if first is None else op(first, result)
    else:
        result = reduction.unwrapped(_in_order(op, x, axes, first, where))
    result = _new(astype(result, found), array)
    if keepdims and operand_type(result).ndim < ndim_of(x):
        result = reducing.keep(result, x, axes)
    return result if out is None else deliver(result, out, "unsafe")


def _is_empty(x: ArrayType, axes: tuple) -> bool:
    """Whether it is known that there is nothing to reduce, but a result."""
    return 0 in (x.shape[axis] for axis in axes)


def _as_element(value: Any, x: Any) -> Any:
    if isinstance(value, Symbolic):
        return astype(value, dtype_of(x))
    return np.asarray(value).astype(dtype_of(x))[()]  # -1, of bitwise_and, wraps if unsigned


def _combined(ufunc: np.ufunc, op: Callable, x: Any, axes: tuple) -> Any:
    """``x`` without the axes along which it is combined, in any order."""
    if ufunc in _REDUCTIONS:
        wider = reducing.total_dtype(operand_type(x), None) != dtype_of(x)
        options = {"dtype": dtype_of(x)} if wider and ufunc in (np.add, np.multiply) else {}
        return _REDUCTIONS[ufunc](x, axis=axes, **options)
    for axis in sorted(axes, reverse=True):
        x = subscript(_by_halves(op, x, axis), (slice(None),) * axis + (0,))
    return x


def _by_halves(op: Callable, x: Any, axis: int) -> Any:
    """``x`` combined along an axis, which is left with length 1."""
    while (n := shape_of(x)[axis]) > 1:
        left, right = _part(x, axis, 0, n // 2), _part(x, axis, n // 2, n // 2 * 2)
        together = op(left, right)
        if n % 2:
            last = astype(_part(x, axis, n - 1, n), dtype_of(together))
            together = concatenate([together, last], axis)
        x = together
    return x


def _in_order(op: Callable, x: Any, axes: tuple, first: Any, where: Any) -> Any:
    """``x`` without an axis along which it is combined from the first element to the last.

    Args:
        first: what the first element is combined with, or None.
        where: which elements count.
    """
    if not axes:
        return x if first is None else op(first, x)
    rows = moveaxis(x, axes[0], 0)
    dtype, length = dtype_of(x), shape_of(rows)[0]
    counts = None
    if where is not True:
        counts = moveaxis(broadcast_to(as_mask(where), shape_of(x)), axes[0], 0)

    def body(i: Any, total: Any) -> tuple:
        new = astype(op(total, subscript(rows, i)), dtype)
        return (new if counts is None else where_(subscript(counts, i), new, total),)

    if first is None:
        start, numbers = subscript(rows, 0), range(1, length)
    else:
        shape = shape_of(rows)[1:]
        start, numbers = copy(broadcast_to(first, shape)) if shape else first, range(length)
    (total,) = for_loop(numbers, body, (start,), ("total",))
    return total


def _part(x: Any, axis: int, start: int | None, stop: int | None) -> Any:
    return getitem(x, index=axis_slice(ndim_of(x), axis, start, stop))


# -- accumulate ------------------------------------------------------------------------------------


def accumulate(
    ufunc: np.ufunc, op: Callable, array: Any, axis: int = 0, dtype: Any = None, out: Any = None
) -> Any:
    """``ufunc.accumulate``: the results of applying the ufunc to ever more elements.

    Raises:
        TypeError: the array is a scalar, or the ufunc can't be applied to its own result.
        ValueError: ``axis`` is not one axis.
    """
    array, out = _array(array), _one(out)
    if axis is None or isinstance(axis, tuple):
        raise ValueError("accumulate does not allow multiple axes")
    if ndim_of(array) == 0 and axis in (0, -1):
        raise TypeError("cannot accumulate on a scalar")
    axis = normalize_axis_index(index_of(axis), ndim_of(array))
    x, found = _converted(ufunc, array, dtype, out)
    if ufunc in _RUNNING:
        result = _RUNNING[ufunc](x, axis)
    elif ufunc in _ASSOCIATIVE:
        result = _running_by_doubling(op, x, axis)
    else:
        result = _running_in_order(op, x, axis)
    result = _new(astype(result, found), array)
    return result if out is None else deliver(result, out, "unsafe")


def _running_by_doubling(op: Callable, x: Any, axis: int) -> Any:
    """After each step an element stands for twice as many as before it (Hillis & Steele, 1986)."""
    n, distance = shape_of(x)[axis], 1
    while distance < n:
        together = op(_part(x, axis, None, -distance), _part(x, axis, distance, None))
        first = astype(_part(x, axis, None, distance), dtype_of(together))
        x = concatenate([first, together], axis)
        distance *= 2
    return x


def _running_in_order(op: Callable, x: Any, axis: int) -> Any:
    rows = moveaxis(x, axis, 0)
    dtype = dtype_of(x)
    if shape_of(rows)[0] == 0:
        return x

    def body(i: Any, total: Any, totals: Any) -> tuple:
        total = astype(op(total, subscript(rows, i)), dtype)
        return total, assigned(totals, i, total)

    state = subscript(rows, 0), copy(rows)
    _, totals = for_loop(range(1, shape_of(rows)[0]), body, state, ("total", "totals"))
    return moveaxis(totals, 0, axis)


# -- reduceat --------------------------------------------------------------------------------------


def reduceat(
    ufunc: np.ufunc,
    op: Callable,
    array: Any,
    indices: Any,
    axis: int = 0,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    """``ufunc.reduceat``: the reductions of slices, each from one index to the next.

    Raises:
        IndexError: an index is out of range.
        TypeError: the indices are no integers.
    """
    array, out = _array(array), _one(out)
    axis = normalize_axis_index(index_of(axis), ndim_of(array))
    x, found = _converted(ufunc, array, dtype, out)
    rows = moveaxis(x, axis, 0)
    indices = _array(indices)
    n = dims_of(rows)[0]
    if isinstance(indices, Symbolic) or not isinstance(n, int):
        total = _at_places_of_the_run(ufunc, op, rows, indices)
    else:
        starts = np.asarray(indices, np.intp)
        for start in starts:
            if not 0 <= start < n:
                raise IndexError(_out_of_bounds(ufunc, start, n))
        lengths = np.maximum(np.append(starts[1:], n) - starts, 1)
        if ufunc is np.add:
            total = _sums_at(rows, starts, lengths)
        else:
            total = _in_order_at(op, rows, starts, lengths)
    result = astype(moveaxis(total, 0, axis), found)
    return result if out is None else deliver(result, out, "unsafe")


def _out_of_bounds(ufunc: np.ufunc, start: Any, n: Any) -> str:
    return f"index {start} out-of-bounds in {ufunc.__name__}.reduceat [0, {n})"


def _at_places_of_the_run(ufunc: np.ufunc, op: Callable, rows: Any, indices: Any) -> Any:
    """Each slice for itself, one element after the other."""
    if not np.can_cast(dtype_of(indices), np.intp):
        raise TypeError(
            f"Cannot cast array data from {dtype_of(indices)!r} to {np.dtype(np.intp)!r} according "
            "to the rule 'safe'"
        )
    if ndim_of(indices) != 1:
        depth = "too deep" if ndim_of(indices) else "of too small depth"
        raise ValueError(f"object {depth} for desired array")
    starts, n = astype(indices, np.intp), length(rows)
    inside = logical_and(greater_equal(starts, 0), less(starts, n))
    message = f"index out-of-bounds in {ufunc.__name__}.reduceat"
    effects.check(reduction.all(inside), error="IndexError", message=message)
    ends = concatenate([subscript(starts, slice(1, None)), reshape(astype(n, np.intp), 1)])
    dtype = dtype_of(rows)

    def slices(k: Any, totals: Any) -> tuple:
        start = subscript(starts, k)

        def element(i: Any, total: Any) -> tuple:
            return (astype(op(total, subscript(rows, i)), dtype),)

        each = call(range, add(start, 1), subscript(ends, k))
        (total,) = for_loop(each, element, (subscript(rows, start),), ("total",))
        return (assigned(totals, k, total),)

    first = subscript(rows, starts)
    (totals,) = for_loop(call(range, length(starts)), slices, (first,), ("totals",))
    return totals


def _sums_at(rows: Any, starts: np.ndarray, lengths: np.ndarray) -> Any:
    number = np.repeat(np.arange(len(starts)), lengths)
    within = np.arange(len(number)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    parts = subscript(rows, np.repeat(starts, lengths) + within)
    empty = zeros_like(rows, shape=(len(starts), *shape_of(rows)[1:]))
    operands, spec = encode_index(number, shape_of(empty))
    return index_add(empty, parts, *operands, index=spec)


def _in_order_at(op: Callable, rows: Any, starts: np.ndarray, lengths: np.ndarray) -> Any:
    """All slices at once, one element of each after the other; the shorter ones wait."""
    longest = int(np.max(lengths, initial=1))
    offsets = np.minimum(np.arange(longest)[:, None], lengths - 1)
    places, more = starts + offsets, np.arange(longest)[:, None] < lengths
    more = more.reshape(more.shape + (1,) * (ndim_of(rows) - 1))
    dtype = dtype_of(rows)

    def body(i: Any, total: Any) -> tuple:
        new = astype(op(total, subscript(rows, subscript(places, i))), dtype)
        return (where_(subscript(more, i), new, total),)

    (total,) = for_loop(range(1, longest), body, (subscript(rows, places[0]),), ("total",))
    return total


# -- at --------------------------------------------------------------------------------------------


def at(ufunc: np.ufunc, op: Callable, a: Any, indices: Any, *operands: Any) -> None:
    """``ufunc.at``: the ufunc at some places of ``a``, in place. Places that occur several times
    are changed several times. Each result is converted to the dtype of ``a``.
    """
    if len(operands) != ufunc.nin - 1:
        raise TypeError(f"{ufunc.__name__}.at: {ufunc.nin - 1} operands are needed")
    operands = tuple(map(_array, operands))
    dtype = dtype_of(a)
    if ufunc in (np.add, np.subtract) and _keeps(dtype, dtype_of(operands[0])):
        value = astype(operands[0], dtype)
        places, spec = encode_index(indices, shape_of(a))
        value = value if ufunc is np.add else negative(value)
        a[...] = index_add(a, value, *places, index=spec)
    elif _are_different(indices, shape_of(a)):
        a[indices] = astype(op(a[indices], *operands), dtype)
    else:
        _in_order_in_place(op, a, indices, operands)


def _keeps(dtype: np.dtype, added: np.dtype) -> bool:
    """Whether it makes no difference if a number is converted before it is added or after."""
    return dtype.kind in "fc" or (dtype.kind in "iu" and added.kind in "biu")


def _numbers(shape: Sequence[int]) -> np.ndarray:
    return np.arange(int(np.prod(shape))).reshape(shape)


def _are_different(indices: Any, shape: Sequence[int]) -> bool:
    """Whether it is known that no place occurs twice."""
    parts = indices if isinstance(indices, tuple) else (indices,)
    if any(isinstance(part, Symbolic) for part in parts):
        return False
    places = _numbers(shape)[indices]
    return np.unique(places).size == places.size


def _in_order_in_place(op: Callable, a: Any, indices: Any, operands: Sequence[Any]) -> None:
    dtype, shape = dtype_of(a), shape_of(a)
    places = subscript(_numbers(shape), indices)
    values = [reshape(broadcast_to(x, shape_of(places)), -1) for x in operands]
    places = reshape(places, -1)

    def body(k: Any, flat: Any) -> tuple:
        place = subscript(places, k)
        new = op(subscript(flat, place), *(subscript(value, k) for value in values))
        return (assigned(flat, place, astype(new, dtype)),)

    steps = range(shape_of(places)[0])
    (flat,) = for_loop(steps, body, (copy(reshape(a, -1)),), ("a",))
    a[...] = reshape(flat, shape)
